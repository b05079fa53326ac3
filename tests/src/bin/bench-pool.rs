//! What several cores gain.
//!
//! In one run: the cost of handing a task over; the sixteen tasks of the fixture `voices`; lanes of real plugins; and 64 idle
//! slots. Serial and pooled blocks take turns, and the figures are medians. What cores this machine lacks is worked out by the plan
//! from the measured costs. Run by `cargo xtask bench pool`.
#![allow(unsafe_code, reason = "the thread takes a real-time class, as an audio driver does")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use catena_tests::clap_bench::{Bench, at_48k, open};
use catena_tests::fixtures;
use catena_tests::helpers::of_class;
use catena_tests::real::{Named, Open, X42, ZAM};
use catena_tests::rig::{Noise, RATE, Rig};
use catena_tests::rust_plugins::{Work, make, ports};
use host_core::backend::audio::{Block, ParamEvent, PortBuffers, RunStatus};
use host_core::engine::{
    LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, Sharing, SlotNode, SlotSetup, flush_to_zero,
};
use host_core::model::{SlotId, Split};
use host_core::pool::{Class, Share};
use serde_json::{Value, json};

const MAX_BLOCK: u32 = 1024;
/// Frames of the blocks that lanes are measured with.
const FRAMES: usize = 256;

fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(((values.len() as f64 * share) as usize).min(values.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}

/// This thread's class: real-time where the machine grants it.
fn class() -> Class {
    let param = libc::sched_param { sched_priority: 40 };
    // SAFETY: 0 is the calling thread; `param` is plain data.
    let granted = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const param) } == 0;
    if granted { Class { policy: libc::SCHED_FIFO, priority: 40 } } else { Class::ORDINARY }
}

/// Microseconds from a request to the first instruction of a task on a helper, asleep or still looking for work.
fn hand_over(share: &Share, pause: Duration) -> (f64, f64) {
    let mut times = Vec::new();
    for _ in 0..1000 {
        std::thread::sleep(pause);
        let began = Instant::now();
        let there = AtomicU64::new(0);
        let own = std::thread::current().id();
        assert!(share.run(2, &|_| {
            if std::thread::current().id() != own {
                there.store(began.elapsed().as_nanos() as u64, SeqCst);
                return;
            }
            // Keeps this thread busy until the other has come, and no longer than that could take.
            while there.load(SeqCst) == 0 && began.elapsed() < Duration::from_millis(1) {
                std::hint::spin_loop();
            }
        }));
        let time = there.load(SeqCst);
        times.extend((time > 0).then_some(time as f64 / 1000.0));
    }
    (quantile(&mut times, 0.5), quantile(&mut times, 0.99))
}

/// Microseconds of a block of the fixture, serial and pooled.
fn voices(share: &Arc<Share>, voices: u32, frames: u32) -> Value {
    let mut main = open(fixtures::clap(), &fixtures::clap_id("voices")).expect("the fixture opens");
    let mut audio = main.activate(at_48k(frames)).expect("the fixture starts");
    assert!(audio.start());
    let mut bench = Bench::default();
    bench.params.push(ParamEvent { frame: 0, index: 0, value: f64::from(voices) });
    bench.run(audio.as_mut(), frames);
    let (mut serial, mut pooled) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        for (share, times) in [(None, &mut serial), (Some(share.clone()), &mut pooled)] {
            assert!(main.set_helpers(share));
            std::thread::sleep(Duration::from_micros(500));
            let began = Instant::now();
            bench.run(audio.as_mut(), frames);
            times.push(micros(began.elapsed()));
        }
    }
    main.deactivate(audio);
    let (serial, pooled) = (quantile(&mut serial, 0.5), quantile(&mut pooled, 0.5));
    json!({ "voices": voices, "frames": frames, "serial_us": serial, "pooled_us": pooled, "ratio": pooled / serial })
}

fn setup() -> LanesSetup {
    LanesSetup { channels: 2, max_block: MAX_BLOCK, rate: RATE, fade_in: false }
}

fn lane(nodes: Vec<PlanNode>) -> PlanLane {
    PlanLane { node: LaneNode::new(setup(), false), delay: 0, sends: false, nodes }
}

fn group(lanes: Vec<PlanLane>) -> PlanNode {
    PlanNode::Lanes(PlanLanes { node: LanesNode::new(&Split::Copy, setup()), siblings: true, lanes })
}

/// Nanoseconds of a block of each plugin alone.
fn cost_of(named: Named) -> f64 {
    let mut one = named.open(MAX_BLOCK);
    let audio = one.travel();
    let node = one.slot(0, audio, 2, MAX_BLOCK);
    let mut rig = Rig::new(2);
    rig.send(&[node]);
    let mut block = Noise::new(1).signal(2, FRAMES);
    let mut times = Vec::new();
    for _ in 0..300 {
        let began = Instant::now();
        rig.block(&mut block);
        times.push(began.elapsed().as_nanos() as f64);
    }
    std::mem::forget((rig, one));
    quantile(&mut times, 0.5)
}

/// Lanes that take about `micros` each, of real plugins, with their measured costs noted.
fn real_lanes(count: usize, micros: f64, kinds: &[(Named, f64)]) -> (Vec<PlanNode>, Vec<Open>) {
    let mut opened = Vec::new();
    let lanes = (0..count)
        .map(|at| {
            let (mut left, mut nodes) = (micros * 1000.0, Vec::new());
            while left > 0.0 {
                let (named, cost) = kinds[(at + nodes.len()) % kinds.len()];
                let mut one = named.open(MAX_BLOCK);
                let audio = one.travel();
                let node = one.slot(opened.len(), audio, 2, MAX_BLOCK);
                node.note_cost(cost as u32);
                nodes.push(PlanNode::Slot(node));
                opened.push(one);
                left -= cost;
            }
            lane(nodes)
        })
        .collect();
    (vec![group(lanes)], opened)
}

fn measure_lanes(pool: impl Fn() -> Arc<Share>, count: usize, wanted: f64, kinds: &[(Named, f64)]) -> Value {
    let (nodes, opened) = real_lanes(count, wanted, kinds);
    let plan_of = |rig: &Rig| rig.plan_nodes(nodes.clone());
    let mut rig = Rig::new(2);
    let noise = Noise::new(3).signal(2, FRAMES);
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    let mut items = 0;
    let (mut late, mut asked) = (0, 0);
    // Where no pool is in the process, with one, and with one that the chain is not to use, in turn.
    for _ in 0..30 {
        let mut share = None;
        for (way, times) in times.iter_mut().enumerate() {
            if way == 1 {
                share = Some(pool());
            }
            rig.share = share.clone().filter(|_| way == 1);
            let plan = plan_of(&rig);
            items = items.max(plan.sharing().items());
            assert!(rig.controller.send(plan).is_ok());
            for at in 0..12 {
                let mut block = noise.clone();
                std::thread::sleep(Duration::from_micros(200));
                let began = Instant::now();
                rig.block(&mut block);
                if at > 3 {
                    times.push(micros(began.elapsed()));
                }
            }
            drop(rig.controller.poll());
        }
        // The plan that is left shares nothing: the pool goes here, with its threads.
        rig.share = None;
        if let Some(share) = share.take() {
            let counts = share.counts();
            (late, asked) = (late + counts.late, asked + counts.pooled);
        }
    }
    // What each plugin took alone is what the plan is worked out with.
    let sharings = [2, 4, 8, 16].map(|workers| {
        let sharing = Sharing::of(&nodes, workers, &[]);
        let (pooled, serial) = (sharing.nanos(&nodes, workers), Sharing::default().nanos(&nodes, workers));
        let even = serial as f64 / (pooled as f64 * workers.min(sharing.items().max(1)) as f64);
        json!({ "cores": workers, "items": sharing.items(), "ratio": pooled as f64 / serial as f64, "even": even })
    });
    let [serial, pooled, off] = &mut times;
    let worst = quantile(&mut pooled.clone(), 1.0);
    let (serial, pooled, off) = (quantile(serial, 0.5), quantile(pooled, 0.5), quantile(off, 0.5));
    std::mem::forget((rig, opened));
    json!({
        "lanes": count, "lane_us": wanted, "items": items, "serial_us": serial, "pooled_us": pooled, "worst_us": worst,
        "ratio": pooled / serial, "off_ratio": off / serial, "worked_out": sharings, "late": late, "pooled": asked,
    })
}

/// Does nothing.
struct Idle;

impl Work for Idle {
    fn run(&mut self, _buffers: &mut PortBuffers, _block: &mut Block<'_>) -> RunStatus {
        RunStatus::Ok
    }
}

fn idle(number: usize, cost: u32) -> Arc<SlotNode> {
    let plugin = make(&ports(0, 2), MAX_BLOCK, Idle);
    let node = SlotNode::new(SlotSetup::new(SlotId(number as u64), vec![plugin], ports(0, 2)));
    node.note_cost(cost);
    node
}

/// 64 instrument slots without notes, one behind the other and in as many lanes.
fn slots(share: &Arc<Share>) -> Value {
    let walk = |nodes: Vec<PlanNode>, pool: Option<Arc<Share>>| {
        let mut rig = Rig::new(2);
        rig.share = pool;
        let began = Instant::now();
        let plan = rig.plan_nodes(nodes);
        let planned = micros(began.elapsed());
        let items = plan.sharing().items();
        assert!(rig.controller.send(plan).is_ok());
        let mut block = vec![vec![0.0; 64]; 2];
        let mut times: Vec<_> = (0..5000)
            .map(|_| {
                let began = Instant::now();
                rig.block(&mut block);
                micros(began.elapsed())
            })
            .skip(200)
            .collect();
        let average = times.iter().sum::<f64>() / times.len() as f64;
        (planned, items, average, quantile(&mut times, 0.5), quantile(&mut times, 1.0))
    };
    let row: Vec<_> = (0..64).map(|number| PlanNode::Slot(idle(number, 0))).collect();
    let lanes = |cost: u32| vec![group((0..64).map(|number| lane(vec![PlanNode::Slot(idle(number, cost))])).collect())];
    let (planned, _, average, median, worst) = walk(row, None);
    let (lanes_planned, items, lanes_average, ..) = walk(lanes(6000), Some(share.clone()));
    // As a plan shares out 64 instruments of 6 us on four cores.
    let even = Sharing::of(&lanes(6000), 4, &[]);
    json!({
        "slots": 64, "plan_us": planned, "walk_us": average, "walk_median_us": median, "walk_worst_us": worst,
        "ns_per_slot": median * 1000.0 / 64.0,
        "in_lanes": {
            "plan_us": lanes_planned, "items": items, "walk_us": lanes_average, "items_on_4_cores": even.items(),
        },
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn main() {
    flush_to_zero();
    let arguments: Vec<_> = std::env::args().collect();
    let json_path = arguments.iter().position(|argument| argument == "--json").and_then(|at| arguments.get(at + 1));
    let kinds: Vec<_> = [ZAM[0], ZAM[1], X42[0], ZAM[6]].map(|named| (named, cost_of(named))).to_vec();
    let class = class();
    let cores = host_core::pool::cores().len();
    println!("{cores} cores, {}", if class.is_real_time() { "real-time priority" } else { "no real-time priority" });
    let pool = || Share::new(Arc::new(of_class(class, cores.max(2)).expect("a pool")));
    let share = pool();

    let (asleep, awake) = (hand_over(&share, Duration::from_millis(2)), hand_over(&share, Duration::ZERO));
    println!(
        "hand-over: asleep {:.1} us (p99 {:.1}), looking {:.2} us (p99 {:.1})",
        asleep.0, asleep.1, awake.0, awake.1
    );

    println!("\n16 tasks   frames   serial us  pooled us  ratio");
    let mut tasks = Vec::new();
    for count in [8, 24, 48] {
        for frames in [128, 256, 512] {
            let row = voices(&share, count, frames);
            println!(
                "{count:>2} voices {frames:>8} {:>11.1} {:>10.1} {:>6.3}",
                number(&row["serial_us"]),
                number(&row["pooled_us"]),
                number(&row["ratio"])
            );
            tasks.push(row);
        }
    }

    println!(
        "\nlanes  each us  items  serial us  pooled us   worst us  ratio    off  on 4   on 8   on 16 cores  even on 4"
    );
    let counts = share.counts();
    let (mut late, mut asked) = (counts.late, counts.pooled);
    // From here on a pool is there only while it is measured.
    drop(share);
    let mut lanes = Vec::new();
    for count in [2, 4, 8] {
        for wanted in [50.0, 100.0, 300.0, 1000.0] {
            let row = measure_lanes(pool, count, wanted, &kinds);
            late += row["late"].as_u64().unwrap_or(0);
            asked += row["pooled"].as_u64().unwrap_or(0);
            let on = |at: usize| number(&row["worked_out"][at]["ratio"]);
            println!(
                "{count:>5} {wanted:>8} {:>6} {:>10.1} {:>10.1} {:>10.1} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>8.2}",
                row["items"],
                number(&row["serial_us"]),
                number(&row["pooled_us"]),
                number(&row["worst_us"]),
                number(&row["ratio"]),
                number(&row["off_ratio"]),
                on(1),
                on(2),
                on(3),
                number(&row["worked_out"][1]["even"])
            );
            lanes.push(row);
        }
    }

    let share = pool();
    let slots = slots(&share);
    println!(
        "\n64 idle slots: {:.1} ns each, plan {:.0} us, walk {:.2} us on average, {:.2} at worst",
        number(&slots["ns_per_slot"]),
        number(&slots["plan_us"]),
        number(&slots["walk_us"]),
        number(&slots["walk_worst_us"])
    );
    println!(
        "in 64 lanes of 6 us: {} items here, {} on four cores",
        slots["in_lanes"]["items"], slots["in_lanes"]["items_on_4_cores"]
    );
    let counts = share.counts();
    (late, asked) = (late + counts.late, asked + counts.pooled);
    println!("late waits: {late} of {asked}");
    let all = json!({
        "cores": cores, "real_time": class.is_real_time(),
        "hand_over_us": { "asleep": [asleep.0, asleep.1], "looking": [awake.0, awake.1] },
        "tasks": tasks, "lanes": lanes, "slots": slots, "late": late, "pooled": asked,
    });
    if let Some(path) = json_path {
        std::fs::write(path, format!("{all:#}\n")).expect("the JSON is written");
    }
}
