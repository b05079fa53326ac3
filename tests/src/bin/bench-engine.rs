//! What a slot costs over a bare loop.
//!
//! The same plugin instances are run by a bare loop (each plugin's run function with its own aligned buffers, nothing
//! else) and by the engine, in turn, block by block; the figure is the median of the paired differences with its 95 %
//! interval. Each case runs in five processes and the worst is reported. Run by `cargo xtask bench engine`.
#![allow(unsafe_code, reason = "the bare loop and the engine drive the same plugin instances in turn")]

use std::process::Command;
use std::time::{Duration, Instant};

use catena_tests::real::{CALF, Named, Open, X42, ZAM};
use catena_tests::rig::{Noise, Rig};
use catena_tests::rust_plugins::{Gain, make, ports};
use host_core::backend::audio::{Block, EventBuffer, ParamQueue, PluginAudio, PortBuffers, RunStatus};
use host_core::engine::{ContainerBlock, SlotNode, SlotSetup};
use host_core::model::{GRID, SlotId};
use serde_json::{Value, json};

const PAIRS: usize = 20_000;
const PROCESSES: usize = 5;
const MAX_BLOCK: u32 = 1024;
/// Cases whose pairs would take longer get fewer; the table says how many.
const LONGEST: Duration = Duration::from_secs(3);

/// A plugin that both loops call.
struct Twin(*mut dyn PluginAudio);

// SAFETY: the bench is one thread: the two loops take turns, and no call of one is open when the other's begins.
unsafe impl Send for Twin {}

impl Twin {
    fn plugin(&mut self) -> &mut dyn PluginAudio {
        // SAFETY: the pointer comes from `Box::into_raw` and is freed after both loops are gone; they take turns.
        unsafe { &mut *self.0 }
    }
}

impl PluginAudio for Twin {
    fn buffers(&mut self) -> &mut PortBuffers {
        self.plugin().buffers()
    }
    fn start(&mut self) -> bool {
        true
    }
    fn run(&mut self, block: &mut Block<'_>) -> RunStatus {
        self.plugin().run(block)
    }
    fn reset(&mut self) {}
    fn stop(&mut self) {}
    fn latency(&self) -> Option<u32> {
        // SAFETY: as in `plugin`.
        unsafe { &*self.0 }.latency()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

fn named(set: &str) -> Vec<Named> {
    match set {
        "zam" => ZAM.to_vec(),
        "x42" => X42.to_vec(),
        "calf" => CALF.to_vec(),
        _ => [&ZAM[..3], X42, CALF, &ZAM[3..6]].concat(),
    }
}

/// Plugins of a set, `count` of them in turn, with what keeps them alive, and their ports.
fn plugins(set: &str, count: usize) -> (Vec<Box<dyn PluginAudio>>, Vec<Open>) {
    if set == "gain" {
        let stereo = ports(2, 2);
        return ((0..count).map(|_| make(&stereo, MAX_BLOCK, Gain(0.99))).collect(), Vec::new());
    }
    let named = named(set);
    let mut open: Vec<Open> = (0..count).map(|i| named[i % named.len()].open(MAX_BLOCK)).collect();
    (open.iter_mut().map(Open::travel).collect(), open)
}

struct Bare {
    plugins: Vec<Twin>,
    events: EventBuffer,
    events_out: EventBuffer,
    params_out: ParamQueue,
    time: i64,
}

impl Bare {
    #[inline(never)]
    fn run(&mut self, frames: u32) {
        for twin in &mut self.plugins {
            twin.plugin().run(&mut Block {
                frames,
                steady_time: self.time,
                grid: GRID,
                transport: None,
                events: &self.events,
                params: &[],
                events_out: &mut self.events_out,
                params_out: &mut self.params_out,
            });
        }
        self.time += i64::from(frames);
    }
}

struct Case {
    bare: Bare,
    rig: Rig,
    noise: Vec<Vec<Vec<f32>>>,
    block: [Vec<f32>; 2],
    frames: usize,
}

impl Case {
    fn new(set: &str, frames: usize, slots: usize) -> Self {
        let (plugins, mut open) = plugins(set, slots);
        let twins: Vec<*mut dyn PluginAudio> = plugins.into_iter().map(Box::into_raw).collect();
        let mut rig = Rig::new(2);
        let nodes: Vec<_> = (0..slots)
            .map(|i| match open.get_mut(i) {
                Some(open) => open.slot(i, Box::new(Twin(twins[i])), 2, MAX_BLOCK),
                None => SlotNode::new(SlotSetup::new(SlotId(i as u64), vec![Box::new(Twin(twins[i]))], ports(2, 2))),
            })
            .collect();
        rig.send(&nodes);
        // The home halves live as long as this process, as their audio halves do.
        std::mem::forget(open);
        let mut bare = Bare {
            plugins: twins.into_iter().map(Twin).collect(),
            events: EventBuffer::new(16, false),
            events_out: EventBuffer::new(16, false),
            params_out: ParamQueue::new(64),
            time: 0,
        };
        for twin in &mut bare.plugins {
            assert!(twin.plugin().start());
        }
        let mut noise = Noise::new(1);
        let noise = (0..16).map(|_| noise.signal(2, frames)).collect();
        Self { bare, rig, noise, block: [vec![0.0; frames], vec![0.0; frames]], frames }
    }

    fn engine(&mut self, pair: usize) -> Duration {
        for (to, from) in self.block.iter_mut().zip(&self.noise[pair % 16]) {
            to.copy_from_slice(from);
        }
        let began = Instant::now();
        self.process();
        began.elapsed()
    }

    #[inline(always)]
    fn process(&mut self) {
        let [left, right] = &mut self.block;
        let mut block = ContainerBlock {
            main: &mut [left, right],
            sidechain: &[],
            aux: &mut [],
            events_in: &mut self.rig.events_in,
            events_out: &mut self.rig.events_out,
            transport: None,
            bypass: false,
        };
        self.rig.processor.process(&mut block);
    }

    fn bare(&mut self) -> Duration {
        let began = Instant::now();
        self.bare.run(self.frames as u32);
        began.elapsed()
    }

    /// Nanoseconds of bare blocks, and differences to the engine's.
    fn measure(&mut self) -> (Vec<f64>, Vec<f64>) {
        for pair in 0..200 {
            self.engine(pair);
            self.bare();
        }
        let (mut bare, mut over) = (Vec::with_capacity(PAIRS), Vec::with_capacity(PAIRS));
        let began = Instant::now();
        for pair in 0..PAIRS {
            let (a, b) = if pair % 2 == 0 {
                let bare = self.bare();
                (bare, self.engine(pair))
            } else {
                let engine = self.engine(pair);
                (self.bare(), engine)
            };
            bare.push(a.as_nanos() as f64);
            over.push(b.as_nanos() as f64 - a.as_nanos() as f64);
            if began.elapsed() > LONGEST && pair >= 1000 {
                break;
            }
        }
        (bare, over)
    }
}

/// Median and its 95 % interval, from order statistics.
fn median(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let (n, half) = (values.len() as f64, 0.98 * (values.len() as f64).sqrt());
    let at = |place: f64| values[(place.max(0.0) as usize).min(values.len() - 1)];
    (at(n / 2.0), at(n / 2.0 - half), at(n / 2.0 + half))
}

/// Denormals count as nothing, as on the audio threads of DAWs: neither loop has to switch that on for each block.
fn flush_to_zero() {
    #[cfg(target_arch = "x86_64")]
    {
        let mut word = 0_u32;
        // SAFETY: reads the control register into a word on this stack frame and sets its two flush bits.
        unsafe {
            std::arch::asm!("stmxcsr [{}]", in(reg) &mut word, options(nostack, preserves_flags));
            word |= 0x8040;
            std::arch::asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, preserves_flags));
        }
    }
}

fn child(set: &str, frames: usize, slots: usize) -> Value {
    flush_to_zero();
    let (bare, over) = Case::new(set, frames, slots).measure();
    let pairs = over.len();
    let (bare, ..) = median(bare);
    let (over, low, high) = median(over);
    json!({ "pairs": pairs, "bare": bare, "over": over, "low": low, "high": high })
}

/// Blocks of the engine alone, for a profiler that counts.
fn blocks(set: &str, frames: usize, slots: usize, count: usize) {
    flush_to_zero();
    let mut case = Case::new(set, frames, slots);
    let mut best = f64::MAX;
    for _ in 0..10 {
        let began = Instant::now();
        for _ in 0..count / 10 {
            case.process();
        }
        best = best.min(began.elapsed().as_nanos() as f64 / (count / 10).max(1) as f64);
    }
    println!("{best:.1} ns a block");
}

/// The worst of five processes.
fn case(set: &str, frames: usize, slots: usize, processes: usize) -> Value {
    let me = std::env::current_exe().expect("this program has a path");
    let runs: Vec<Value> = (0..processes)
        .map(|_| {
            let out = Command::new(&me).args(["--child", set, &frames.to_string(), &slots.to_string()]).output();
            let out = out.expect("this program starts again");
            assert!(out.status.success(), "{set}: {}", String::from_utf8_lossy(&out.stderr));
            let text = String::from_utf8_lossy(&out.stdout);
            serde_json::from_str(text.lines().last().unwrap_or("")).expect("the child writes JSON")
        })
        .collect();
    let over = |run: &Value| run["over"].as_f64().unwrap_or(f64::MAX);
    let worst = runs.iter().max_by(|a, b| over(a).total_cmp(&over(b))).expect("at least one run");
    let number = |key: &str| worst[key].as_f64().unwrap_or(f64::NAN);
    let (bare, median, low, high) = (number("bare"), number("over"), number("low"), number("high"));
    json!({
        "plugins": set, "frames": frames, "slots": slots, "pairs": worst["pairs"],
        "bare_ns": bare, "over_ns": median,
        "over_ns_per_slot": median / slots as f64,
        "interval_ns_per_slot": [low / slots as f64, high / slots as f64],
        "ratio": 1.0 + median / bare, "interval_ratio": [1.0 + low / bare, 1.0 + high / bare],
    })
}

fn print(row: &Value) {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    println!(
        "{:>6} {:>6} {:>5} {:>11.0} {:>10.1}  {:>7.1} ..{:>7.1} {:>8.4}  {:.4} .. {:.4} {:>6}",
        row["plugins"].as_str().unwrap_or(""),
        row["frames"],
        row["slots"],
        number(&row["bare_ns"]),
        number(&row["over_ns_per_slot"]),
        number(&row["interval_ns_per_slot"][0]),
        number(&row["interval_ns_per_slot"][1]),
        number(&row["ratio"]),
        number(&row["interval_ratio"][0]),
        number(&row["interval_ratio"][1]),
        row["pairs"],
    );
}

fn private_dirty() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("Private_Dirty:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or(0)
}

/// KiB of private dirty memory with 16 zam plugins that have run 2,000 blocks, alone or through the engine.
fn memory_child(engine: bool) -> u64 {
    let mut noise = Noise::new(1).signal(2, 64);
    let (plugins, mut open) = plugins("zam", 16);
    if engine {
        let mut rig = Rig::new(2);
        let nodes: Vec<_> =
            plugins.into_iter().enumerate().map(|(i, audio)| open[i].slot(i, audio, 2, MAX_BLOCK)).collect();
        rig.send(&nodes);
        for _ in 0..2000 {
            rig.block(&mut noise);
        }
        let dirty = private_dirty();
        std::mem::forget((rig, nodes, open));
        return dirty;
    }
    let mut bare = Bare {
        plugins: plugins.into_iter().map(|plugin| Twin(Box::into_raw(plugin))).collect(),
        events: EventBuffer::new(16, false),
        events_out: EventBuffer::new(16, false),
        params_out: ParamQueue::new(64),
        time: 0,
    };
    for twin in &mut bare.plugins {
        assert!(twin.plugin().start());
    }
    for _ in 0..2000 {
        bare.run(64);
    }
    let dirty = private_dirty();
    std::mem::forget((bare, open));
    dirty
}

fn memory() -> Value {
    let me = std::env::current_exe().expect("this program has a path");
    let run = |kind: &str| {
        let out = Command::new(&me).args(["--memory", kind]).output().expect("this program starts again");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().lines().last().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0)
    };
    let worst = (0..PROCESSES).map(|_| (run("engine") as i64) - (run("bare") as i64)).max().unwrap_or(0);
    json!({ "plugins": "zam", "slots": 16, "private_dirty_over_bare_kib": worst })
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>().expect("a number");
    match words.as_slice() {
        ["--child", set, frames, slots] => return println!("{}", child(set, number(frames), number(slots))),
        ["--blocks", set, frames, slots, count] => return blocks(set, number(frames), number(slots), number(count)),
        ["--memory", kind] => return println!("{}", memory_child(*kind == "engine")),
        _ => {}
    }
    let after = |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let processes = if args.iter().any(|arg| arg == "--quick") { 1 } else { PROCESSES };
    let only = after("--only").map(String::as_str);
    println!("plugins frames slots    bare (ns)  over/slot   95 % interval (ns)    ratio  95 % interval    pairs");
    let mut rows = Vec::new();
    for set in ["gain", "mixed", "zam", "x42", "calf"] {
        if only.is_some_and(|only| only != set) {
            continue;
        }
        for frames in [64, 128, 256, 512] {
            for slots in [1, 4, 8, 16, 64] {
                let row = case(set, frames, slots, processes);
                print(&row);
                rows.push(row);
            }
        }
    }
    let memory = if only.is_none() || only == Some("memory") { memory() } else { Value::Null };
    if !memory.is_null() {
        println!(
            "16 zam plugins: {} KiB of private dirty memory over the plugins themselves",
            memory["private_dirty_over_bare_kib"]
        );
    }
    if let Some(path) = after("--json") {
        let text = serde_json::to_string_pretty(&json!({ "cost": rows, "memory": memory })).unwrap_or_default();
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("{path}: {error}");
            std::process::exit(1);
        }
    }
}
