//! One plugin's life, in this process.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use host_core::backend::audio::{ParamEvent, PluginAudio, RunStatus};
use host_core::backend::{self, Activation, AudioAt, HostContext, PluginMain};
use host_core::model::{ParamInfo, PluginEntry, PluginState, Steps};

use super::MARK;
use crate::clap_bench::{Bench, Noise};

/// How a finding begins that keeps the plugin from running at all.
pub const FAILS: &str = "fails";

/// Sample rates, Hz.
const RATES: [f64; 2] = [44_100.0, 96_000.0];
/// Block lengths, frames, and how many of each.
const SIZES: [u32; 5] = [1, 63, 64, 256, 1024];
const BLOCKS: u32 = 200;
const MAX_BLOCK: u32 = 1024;

/// Opens, runs at all rates and sizes, saves, opens again, restores, saves again, closes.
pub fn one(entry: &PluginEntry, assets: &Path) {
    let host = Rc::new(HostContext { name: "Catena census".into(), version: "0".into(), assets: assets.into() });
    if let Err(what) = live(entry, &host) {
        say(&format!("found {FAILS}: {what}"));
    }
    say("done");
}

fn say(line: &str) {
    // In one write, and nothing to be done where nobody listens.
    let _written = std::io::stdout().write_all(format!("\n{MARK}{line}\n").as_bytes());
}

fn found(what: &str) {
    say(&format!("found {what}"));
}

fn step(name: &str) {
    say(&format!("step {name}"));
}

fn live(entry: &PluginEntry, host: &Rc<HostContext>) -> Result<(), String> {
    step("open");
    let mut plugin = backend::open(entry, host).map_err(|error| error.to_string())?;
    let mut finite = true;
    for rate in RATES {
        finite &= run_at(plugin.as_mut(), rate, entry.min_block)?;
    }
    if !finite {
        found("writes samples that are no numbers");
    }
    step("save");
    let saved = plugin.save(AudioAt::Inactive).map_err(|error| error.to_string())?;
    let twice = plugin.save(AudioAt::Inactive).map_err(|error| error.to_string())?;
    let values = values(plugin.as_mut());
    step("close");
    drop(plugin);

    step("open again");
    let mut plugin = backend::open(entry, host).map_err(|error| error.to_string())?;
    step("restore");
    plugin.load(&saved, AudioAt::Inactive).map_err(|error| error.to_string())?;
    step("run restored");
    let mut audio = plugin.activate(how(RATES[1], entry.min_block)).map_err(|error| error.to_string())?;
    if audio.start() {
        // The state as the plugin has it, not as it was handed in.
        Bench::default().run(audio.as_mut(), 64.max(entry.min_block));
    }
    audio.stop();
    plugin.deactivate(audio);
    step("save again");
    let again = plugin.save(AudioAt::Inactive).map_err(|error| error.to_string())?;
    for (name, state) in [("saved", &saved), ("twice", &twice), ("again", &again)] {
        if let Some(mut kept) = kept(name) {
            kept.write_all(&state.bytes).unwrap();
        }
    }
    compare(&saved, &twice, &again);
    compare_values(&values, &self::values(plugin.as_mut()), plugin.params());
    step("close again");
    drop(plugin);
    Ok(())
}

/// A file in the folder `CATENA_CENSUS_KEEP`, where that is set: for a look by hand. What is there is added to.
fn kept(name: &str) -> Option<File> {
    let folder = std::env::var_os("CATENA_CENSUS_KEEP")?;
    Some(File::options().append(true).create(true).open(Path::new(&folder).join(name)).unwrap())
}

fn how(rate: f64, min_block: u32) -> Activation {
    Activation { rate, min_block, max_block: MAX_BLOCK, offline: true }
}

/// All sizes at one rate. Whether every sample was a number.
fn run_at(plugin: &mut dyn PluginMain, rate: f64, min_block: u32) -> Result<bool, String> {
    step(&format!("activate at {rate} Hz"));
    let mut audio = plugin.activate(how(rate, min_block)).map_err(|error| error.reason)?;
    if !audio.start() {
        return Err("refuses to start".to_owned());
    }
    let moved: Vec<(u32, ParamInfo)> =
        (0..).zip(plugin.params().iter().cloned()).filter(|(_, param)| can_move(param)).collect();
    let mut mover = Mover { bench: Bench::default(), noise: Noise::new(7), draw: 12_345, moved, kept: kept("moves") };
    let mut finite = true;
    for size in SIZES {
        step(&format!("blocks of {size} at {rate} Hz"));
        // A plugin with a smallest safe block gets blocks of just that, as the engine does it, for as many frames.
        let (size, blocks) =
            if min_block > 1 { (min_block, (BLOCKS * size).div_ceil(min_block)) } else { (size, BLOCKS) };
        for index in 0..blocks {
            match mover.block(audio.as_mut(), rate, size, index) {
                (RunStatus::Failed, _) => return Err(format!("fails to process blocks of {size} at {rate} Hz")),
                (_, numbers) => {
                    if finite && !numbers {
                        mover.keep(&format!("{rate} {size} {index} no number"));
                    }
                    finite &= numbers;
                }
            }
        }
        plugin.serve(Instant::now(), &[]);
        plugin.take_requests();
    }
    step(&format!("deactivate at {rate} Hz"));
    audio.stop();
    plugin.deactivate(audio);
    Ok(finite)
}

fn can_move(param: &ParamInfo) -> bool {
    param.automatable && !param.read_only && !param.is_bypass && param.min.is_finite() && param.max.is_finite()
}

struct Mover {
    bench: Bench,
    noise: Noise,
    draw: u32,
    moved: Vec<(u32, ParamInfo)>,
    /// Every move and the first block with no number, for a run by hand without Catena.
    kept: Option<File>,
}

impl Mover {
    fn keep(&mut self, line: &str) {
        if let Some(kept) = &mut self.kept {
            writeln!(kept, "{line}").unwrap();
        }
    }

    /// One block of noise, with a note, a controller and a parameter now and then.
    fn block(&mut self, audio: &mut dyn PluginAudio, rate: f64, frames: u32, index: u32) -> (RunStatus, bool) {
        self.noise.fill(audio, frames as usize);
        let key = 40 + (index / 8 % 40) as u8;
        match index % 8 {
            0 => drop(self.bench.events.push(0, 0, &[0x90, key, 100])),
            3 => drop(self.bench.events.push((frames - 1) as u16, 0, &[0xB0, 1, key])),
            6 => drop(self.bench.events.push((frames / 2) as u16, 0, &[0x80, key, 0])),
            _ => {}
        }
        if index % 4 == 1 && !self.moved.is_empty() {
            let (param, info) = &self.moved[self.draw as usize / 7 % self.moved.len()];
            let share = f64::from(self.draw) / f64::from(u32::MAX);
            let value = value_at(info, share);
            let (param, line) = (*param, format!("{rate} {frames} {index} {} {value}", info.key));
            self.bench.params.push(ParamEvent { frame: frames / 2, index: param, value });
            self.keep(&line);
        }
        self.draw = self.draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let status = self.bench.run(audio, frames);
        let numbers = audio.buffers().outputs.iter().flat_map(|bus| &bus.channels);
        (status, numbers.flat_map(|channel| &channel[..frames as usize]).all(|sample| sample.is_finite()))
    }
}

fn value_at(info: &ParamInfo, share: f64) -> f64 {
    match &info.steps {
        Steps::Named(names) if !names.is_empty() => names[(share * (names.len() - 1) as f64) as usize].0,
        Steps::Toggle => {
            if share < 0.5 {
                info.min
            } else {
                info.max
            }
        }
        Steps::Continuous => info.min + share * (info.max - info.min),
        Steps::Integer | Steps::Named(_) => (info.min + share * (info.max - info.min)).round(),
    }
}

fn values(plugin: &mut dyn PluginMain) -> Vec<Option<f64>> {
    (0..plugin.params().len()).map(|index| plugin.value(index)).collect()
}

fn compare(saved: &PluginState, twice: &PluginState, again: &PluginState) {
    for state in [twice, again] {
        if saved != state {
            return found(&format!("does not save the same again ({})", difference(saved, state)));
        }
    }
}

/// Where two states differ, in words that are the same in every run.
fn difference(a: &PluginState, b: &PluginState) -> String {
    if a.assets != b.assets {
        return "files".to_owned();
    }
    type Doc = BTreeMap<String, serde_json::Value>;
    let (Ok(a), Ok(b)) = (serde_json::from_slice::<Doc>(&a.bytes), serde_json::from_slice::<Doc>(&b.bytes)) else {
        return "bytes".to_owned();
    };
    let parts = a.keys().chain(b.keys()).collect::<std::collections::BTreeSet<_>>();
    let differ = parts.into_iter().filter(|part| a.get(*part) != b.get(*part)).cloned();
    differ.collect::<Vec<_>>().join(", ")
}

fn compare_values(before: &[Option<f64>], after: &[Option<f64>], params: &[ParamInfo]) {
    if before.len() != after.len() {
        return found("has another number of parameters after a restore");
    }
    let differs = |(before, after): (&Option<f64>, &Option<f64>)| match (before, after) {
        (Some(a), Some(b)) => (a - b).abs() > 1e-6 * a.abs().max(1.0),
        (a, b) => a.is_some() != b.is_some(),
    };
    let writable = params.iter().zip(before.iter().zip(after)).filter(|(param, _)| !param.read_only);
    let names: Vec<_> = writable.filter(|(_, pair)| differs(*pair)).map(|(param, _)| param.key.as_str()).collect();
    if !names.is_empty() {
        found(&format!("parameters differ after a restore ({})", names[..names.len().min(3)].join(", ")));
    }
}
