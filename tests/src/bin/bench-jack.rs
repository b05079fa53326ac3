//! A chain in one JACK client against one client for each plugin, on a private server with the dummy driver.
//!
//! Arms take turns, three repetitions each; every arm runs in fresh processes. The cycle's end is when the client behind the
//! last one is reached, counted from the cycle's beginning. What comes out of one second of noise is compared between arms,
//! with two runs of the same arm as the control. Run by `cargo xtask bench jack`.
//! `bench-jack [--quick] [--json FILE]`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use catena_tests::jack_bench::hosts::{Arm, Place, SETS, Set, missing};
use catena_tests::jack_bench::{bare, meter};
use catena_tests::running::jack_server_at;
use host_core::model::PluginId;
use serde_json::{Value, json};

const REPETITIONS: usize = 3;

type Outcome<T> = Result<T, String>;

/// What is run.
struct Extent {
    rates: &'static [u32],
    blocks: &'static [u32],
    counts: &'static [usize],
    repetitions: usize,
    window: Duration,
}

const FULL: Extent = Extent {
    rates: &[48_000, 96_000],
    blocks: &[64, 128],
    counts: &[4, 7, 8, 16],
    repetitions: REPETITIONS,
    window: Duration::from_secs(3),
};
const QUICK: Extent =
    Extent { rates: &[48_000], blocks: &[64], counts: &[7, 16], repetitions: 1, window: Duration::from_secs(2) };

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--bare", name, plugins @ ..] => {
            let plugins: Vec<_> = plugins.iter().map(|uri| PluginId::lv2(*uri)).collect();
            bare::play(name, &plugins);
            return ExitCode::SUCCESS;
        }
        ["--measure", spec] => {
            println!("{}", meter::measure(&read_spec(spec)));
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let extent = if args.iter().any(|arg| arg == "--quick") { &QUICK } else { &FULL };
    let json = args.iter().position(|arg| arg == "--json").and_then(|at| args.get(at + 1));
    match bench(extent, json.map(Path::new)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-jack: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(extent: &Extent, json: Option<&Path>) -> Outcome<()> {
    if cfg!(debug_assertions) {
        eprintln!("bench-jack: a debug build: these figures say nothing; cargo xtask bench jack builds the release");
    }
    if let [first, ..] = missing()[..] {
        return Err(format!("{first} is not installed; cargo xtask setup installs the test packages"));
    }
    let place = Place::new()?;
    println!(
        "{:>5} {:>6} {:>6} {:>3}  {:<19} {:>8} {:>8} {:>6} {:>6} {:>7} {:>10} {:>8} {:>8} {:>9}",
        "set",
        "rate",
        "frames",
        "N",
        "arm",
        "end p50",
        "end p99",
        "late",
        "xruns",
        "CPU %",
        "switches/s",
        "RSS MiB",
        "PSS MiB",
        "dirty MiB"
    );
    let mut rows = Vec::new();
    for &rate in extent.rates {
        for &block in extent.blocks {
            let server = jack_server_at(place.server(), (rate, block), &place.path("jack.log"), |_| {});
            for set in &SETS {
                for &count in extent.counts {
                    rows.push(case(&place, set, (rate, block), count, extent)?);
                }
            }
            drop(server);
        }
    }
    verdict(&rows);
    if let Some(file) = json {
        let text = serde_json::to_vec_pretty(&json!({ "cases": rows })).map_err(|error| error.to_string())?;
        std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// All arms of one case, in turn, several times over; the middle of each figure.
fn case(place: &Place, set: &Set, (rate, block): (u32, u32), count: usize, extent: &Extent) -> Outcome<Value> {
    let plugins = set.take(count);
    let mut runs: Vec<Vec<Value>> = vec![Vec::new(); Arm::ALL.len()];
    let mut control = Vec::new();
    for repetition in 0..extent.repetitions {
        for (at, arm) in Arm::ALL.into_iter().enumerate() {
            runs[at].push(run(place, arm, &plugins, extent.window, &kept(place, arm, repetition))?);
        }
        if repetition == 0 {
            // The control: the same arm twice.
            run(place, Arm::Chain, &plugins, Duration::ZERO, &place.path("control"))?;
            control = sound(&place.path("control"))?;
        }
    }
    let chain = sound(&kept(place, Arm::Chain, 0))?;
    let same = |other: &Vec<u8>| *other == chain;
    let each = sound(&kept(place, Arm::Each, 0))?;
    let bare = sound(&kept(place, Arm::Bare, 0))?;
    let bits = json!({
        "silent": chain.iter().all(|&byte| byte == 0),
        "control_identical": same(&control), "each_identical": same(&each), "bare_identical": same(&bare),
    });
    let mut arms = serde_json::Map::new();
    for (arm, runs) in Arm::ALL.into_iter().zip(&runs) {
        let middle = middle(runs);
        print(set, (rate, block), count, arm, &middle);
        arms.insert(arm.name().into(), middle);
    }
    println!("{:>24} sound: {}", "", said(&bits));
    Ok(json!({ "set": set.name, "rate": rate, "frames": block, "plugins": count, "arms": arms, "bits": bits }))
}

fn said(bits: &Value) -> String {
    let word = |key: &str| if bits[key] == true { "identical" } else { "DIFFERENT" };
    let silent = if bits["silent"] == true { ", and SILENT" } else { "" };
    let (control, each, bare) = (word("control_identical"), word("each_identical"), word("bare_identical"));
    format!("control {control}, N clients {each}, bare {bare}{silent}")
}

fn kept(place: &Place, arm: Arm, repetition: usize) -> PathBuf {
    place.path(&format!("{arm:?}-{repetition}"))
}

fn sound(file: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// One arm, in fresh processes.
fn run(place: &Place, arm: Arm, plugins: &[&str], window: Duration, keep: &Path) -> Outcome<Value> {
    let (clients, hosts) = place.host(arm, plugins)?;
    let processes: Vec<u32> = hosts.iter().map(|host| host.0.id()).collect();
    let spec = json!({
        "clients": clients, "processes": processes, "window_ms": window.as_millis() as u64, "keep": keep,
    });
    let mut meter = place.command(std::env::current_exe().map_err(|error| error.to_string())?);
    let output = meter.args(["--measure", &spec.to_string()]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let read = serde_json::from_str(text.lines().last().unwrap_or_default());
    read.map_err(|_| format!("{} with {plugins:?}: {}", arm.name(), String::from_utf8_lossy(&output.stderr)))
}

fn read_spec(text: &str) -> meter::Wanted {
    let spec: Value = serde_json::from_str(text).unwrap_or_default();
    let list = |key: &str| spec[key].as_array().cloned().unwrap_or_default();
    meter::Wanted {
        clients: list("clients").iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect(),
        processes: list("processes").iter().filter_map(|id| id.as_u64()?.try_into().ok()).collect(),
        window: Duration::from_millis(spec["window_ms"].as_u64().unwrap_or(0)),
        keep: spec["keep"].as_str().unwrap_or_default().into(),
    }
}

/// The middle of each figure over the repetitions.
fn middle(runs: &[Value]) -> Value {
    let mut all = serde_json::Map::new();
    let keys = runs.first().and_then(Value::as_object).map(|run| run.keys().cloned().collect::<Vec<_>>());
    for key in keys.unwrap_or_default() {
        let mut values: Vec<f64> = runs.iter().filter_map(|run| run[&key].as_f64()).collect();
        values.sort_by(f64::total_cmp);
        all.insert(key, json!(values[values.len() / 2]));
    }
    all.into()
}

fn print(set: &Set, (rate, block): (u32, u32), count: usize, arm: Arm, run: &Value) {
    let number = |key: &str| run[key].as_f64().unwrap_or(f64::NAN);
    let mib = |key: &str| number(key) / 1024.0;
    println!(
        "{:>5} {rate:>6} {block:>6} {count:>3}  {:<19} {:>8.0} {:>8.0} {:>6.0} {:>6.0} {:>7.2} {:>10.0} {:>8.1} {:>8.1} {:>9.1}",
        set.name,
        arm.name(),
        number("end_p50_us"),
        number("end_p99_us"),
        number("late"),
        number("xruns"),
        number("cpu_percent"),
        number("switches_per_second"),
        mib("rss_kib"),
        mib("pss_kib"),
        mib("private_dirty_kib"),
    );
}

/// Each case held against its limits.
fn verdict(rows: &[Value]) {
    println!(
        "\nlimits: cycle end 45 % lower at the median with 7 plugins, CPU 1.10 of bare, 6 MiB of private memory over bare"
    );
    for row in rows {
        let figure = |arm: Arm, key: &str| row["arms"][arm.name()][key].as_f64().unwrap_or(f64::NAN);
        let sooner = 100.0 * (1.0 - figure(Arm::Chain, "end_p50_us") / figure(Arm::Each, "end_p50_us"));
        let cpu = figure(Arm::Chain, "cpu_percent") / figure(Arm::Bare, "cpu_percent");
        let dirty = (figure(Arm::Chain, "private_dirty_kib") - figure(Arm::Bare, "private_dirty_kib")) / 1024.0;
        println!(
            "{} {} Hz, {} frames, {} plugins: end {sooner:.0} % sooner, CPU {cpu:.2} of bare, {dirty:+.1} MiB",
            row["set"].as_str().unwrap_or_default(),
            row["rate"],
            row["frames"],
            row["plugins"],
        );
    }
}
