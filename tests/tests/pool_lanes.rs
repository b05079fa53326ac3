//! Lanes on the pool: the same to the last bit as without, whatever the chain; and what is left serial.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::ThreadId;

use catena_tests::helpers;
use catena_tests::rig::{Noise, RATE, Rig, cuts};
use catena_tests::rust_plugins::{Bad, Delay, Filter, Gain, Octave, Work, make, midi_ports, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus};
use host_core::engine::{
    EngineConfig, LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, PlanSide, SideSource, SlotNode,
    SlotSetup,
};
use host_core::model::{AudioBus, BusRole, LaneAux, PortLayout, Slot, SlotId, Split};
use proptest::prelude::*;

const MAX_BLOCK: u32 = 256;
const FRAMES: usize = 6_000;

/// A node of a random chain.
#[derive(Clone, Debug)]
enum Made {
    Slot { kind: u8, amount: u8, cost: u32 },
    Lanes { split: u8, sends: Option<u8>, lanes: Vec<(Vec<Made>, u8)> },
}

fn nodes(depth: u32) -> BoxedStrategy<Vec<Made>> {
    let slot = (0..7_u8, 0..50_u8, prop_oneof![Just(0), Just(8_000), Just(300_000)]);
    let slot = slot.prop_map(|(kind, amount, cost)| Made::Slot { kind, amount, cost });
    if depth == 0 {
        return prop::collection::vec(slot, 0..3).boxed();
    }
    let lanes = prop::collection::vec((nodes(depth - 1), 0..20_u8), 1..5);
    let lanes = (0..4_u8, prop::option::of(0..4_u8), lanes);
    let lanes = lanes.prop_map(|(split, sends, lanes)| Made::Lanes { split, sends, lanes });
    prop::collection::vec(prop_oneof![2 => slot, 3 => lanes], 0..4).boxed()
}

/// With a sidechain and an output beside the main one.
fn wired(mut ports: PortLayout) -> PortLayout {
    let bus = |role| AudioBus { name: String::new(), channels: 2, role };
    ports.inputs.push(bus(BusRole::Sidechain));
    ports.outputs.push(bus(BusRole::Aux));
    ports
}

/// Passes to its further output what it hears by its sidechain.
struct Crossed;

impl Work for Crossed {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        for channel in 0..2 {
            let (main, side) = (&buffers.inputs[0].channels[channel], &buffers.inputs[1].channels[channel]);
            let both: Vec<f32> = main[..frames].iter().zip(&side[..frames]).map(|(a, b)| a * 0.7 + b * 0.3).collect();
            buffers.outputs[0].channels[channel][..frames].copy_from_slice(&both);
            let side = &buffers.inputs[1].channels[channel];
            buffers.outputs[1].channels[channel][..frames].copy_from_slice(&side[..frames]);
        }
        RunStatus::Ok
    }
}

/// Makes nodes anew: plugins, lanes and all.
struct Maker {
    next: u64,
    slots: Vec<Arc<SlotNode>>,
}

impl Maker {
    fn slot(&mut self, kind: u8, amount: u8, cost: u32) -> PlanNode {
        self.next += 1;
        let plain = ports(2, 2);
        let latency = u32::from(amount) * 7;
        let (plugin, ports, latency) = match kind {
            0 => (make(&plain, MAX_BLOCK, Gain(f32::from(amount) / 40.0)), plain, 0),
            1 => (make(&plain, MAX_BLOCK, Filter::new(2, f32::from(amount) / 51.0)), plain, 0),
            2 => (make(&plain, MAX_BLOCK, Delay::new(2, latency as usize)), plain, latency),
            3 => (make(&midi_ports(2, 2), MAX_BLOCK, Octave), midi_ports(2, 2), 0),
            4 => {
                let blocks = u64::from(amount)..=u64::from(amount) + 4;
                (make(&plain, MAX_BLOCK, Bad { bad: f32::NAN, blocks, count: 0 }), plain, 0)
            }
            5 => (make(&wired(ports(2, 2)), MAX_BLOCK, Crossed), wired(ports(2, 2)), 0),
            _ => (make(&plain, MAX_BLOCK * 2, Gain(0.9)), plain, 0),
        };
        let setup = SlotSetup::new(SlotId(self.next), vec![plugin], ports);
        let oversample = if kind == 6 { 2 } else { 1 };
        let setup = SlotSetup { latency, oversample, aux: 4, max_block: MAX_BLOCK, ..setup };
        let node = SlotNode::new(setup);
        node.note_cost(cost);
        node.controls().set_mix(f32::from(amount) / 50.0);
        let mut sent = Slot::new(node.id(), host_core::model::PluginId::clap("any"));
        sent.set_aux(0, Some(1 + amount % 2));
        node.controls().set_aux(&sent);
        self.slots.push(node.clone());
        PlanNode::Slot(node)
    }

    fn lanes(&mut self, split: u8, sends: Option<u8>, lanes: &[(Vec<Made>, u8)]) -> PlanNode {
        let split = match (split, lanes.len()) {
            (1, 2) => Split::MidSide,
            (2, 2) => Split::LeftRight,
            (3, count @ 2..) => Split::Bands((1..count).map(|band| 200.0 * 4_f64.powi(band as i32)).collect()),
            _ => Split::Copy,
        };
        let setup = LanesSetup { channels: 2, max_block: MAX_BLOCK, rate: RATE, fade_in: false };
        let node = LanesNode::new(&split, setup);
        let siblings = split == Split::Copy && lanes.len() > 1;
        let lane = |(place, (nodes, delay)): (usize, &(Vec<Made>, u8))| {
            let node = LaneNode::new(setup, false);
            let sends = sends.is_some_and(|which| usize::from(which) == place);
            node.controls().set_gain(0.3 + place as f32 * 0.21);
            node.controls().set_pan(place as f32 * 0.3 - 0.4);
            node.controls().set_aux(sends.then_some(LaneAux { out: 2, only: place % 2 == 1 }));
            PlanLane { node, delay: u32::from(*delay) * 13, sends, nodes: self.nodes(nodes) }
        };
        let lanes = lanes.iter().enumerate().map(lane).collect();
        PlanNode::Lanes(PlanLanes { node, siblings, lanes })
    }

    fn nodes(&mut self, nodes: &[Made]) -> Vec<PlanNode> {
        let of = |node: &Made| match node {
            Made::Slot { kind, amount, cost } => self.slot(*kind, *amount, *cost),
            Made::Lanes { split, sends, lanes } => self.lanes(*split, *sends, lanes),
        };
        nodes.iter().map(of).collect()
    }
}

/// Everything that a run leaves behind.
#[derive(Debug, PartialEq)]
struct Left {
    main: Vec<Vec<u32>>,
    aux: Vec<Vec<u32>>,
    events: Vec<(usize, u16, Vec<u8>)>,
    faults: Vec<(u64, u8, bool)>,
}

fn bits(sound: Vec<Vec<f32>>) -> Vec<Vec<u32>> {
    sound.into_iter().map(|channel| channel.into_iter().map(f32::to_bits).collect()).collect()
}

/// Runs a chain; with helpers it says how many pieces of work go to them in a block.
fn run(made: &[Made], share: bool, seed: u64) -> (Left, usize) {
    let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 2, aux: 4 });
    rig.max_block = MAX_BLOCK;
    rig.share = share.then(|| POOL.with(Clone::clone));
    let mut maker = Maker { next: 0, slots: Vec::new() };
    let nodes = maker.nodes(made);
    // Where there are some, the last slot hears the first.
    let pair = maker.slots.first().zip(maker.slots.last()).filter(|_| seed.is_multiple_of(3));
    let side = |(first, last): (&Arc<SlotNode>, &Arc<SlotNode>)| PlanSide {
        slot: last.clone(),
        source: SideSource::Slot(first.clone()),
        before: None,
    };
    rig.sides = pair.map(side).into_iter().collect();
    let plan = rig.plan_nodes(nodes);
    let items = plan.sharing().items();
    assert!(rig.controller.send(plan).is_ok());
    let signal = Noise::new(seed).signal(4, FRAMES);
    let mut left = Left { main: vec![], aux: vec![], events: vec![], faults: vec![] };
    let (mut main, mut aux) = (vec![Vec::new(); 2], vec![Vec::new(); 4]);
    let mut at = 0;
    for (number, cut) in cuts(FRAMES, None, MAX_BLOCK as usize, seed).into_iter().enumerate() {
        let mut block: Vec<Vec<f32>> = signal[..2].iter().map(|channel| channel[at..at + cut].to_vec()).collect();
        rig.sidechain = signal[2..].iter().map(|channel| channel[at..at + cut].to_vec()).collect();
        rig.events_in.push((number % cut) as u16, 0, &[0x90, 40 + number as u8 % 40, 100]);
        rig.block(&mut block);
        main.iter_mut().zip(block).for_each(|(all, block)| all.extend(block));
        aux.iter_mut().zip(&rig.aux).for_each(|(all, block)| all.extend(block));
        let events = rig.events_out.iter().map(|(event, bytes)| (at, event.frame, bytes.to_vec()));
        left.events.extend(events);
        let reports = rig.controller.poll();
        left.faults.extend(reports.faults.iter().map(|fault| (fault.slot.0, fault.kind as u8, fault.stopped)));
        at += cut;
    }
    (left.main, left.aux) = (bits(main), bits(aux));
    // By slot: lanes report in their order, but a serial walk reports as it goes.
    left.faults.sort_unstable();
    (left, items)
}

thread_local! {
    static POOL: Arc<host_core::pool::Share> = helpers::share(3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_chains_sound_the_same_with_helpers_and_without(made in nodes(2), seed in 0..1000_u64) {
        let (serial, none) = run(&made, false, seed);
        let (pooled, _) = run(&made, true, seed);
        prop_assert_eq!(none, 0);
        prop_assert!(serial == pooled, "{} frames differ", serial.main[0].iter().zip(&pooled.main[0]).filter(|(a, b)| a != b).count());
    }
}

fn heavy(kind: u8) -> Made {
    Made::Slot { kind, amount: 20, cost: 300_000 }
}

fn cheap() -> Made {
    Made::Slot { kind: 0, amount: 20, cost: 500 }
}

fn copies(lanes: Vec<Vec<Made>>) -> Made {
    Made::Lanes { split: 0, sends: None, lanes: lanes.into_iter().map(|nodes| (nodes, 0)).collect() }
}

fn items(made: &[Made], seed: u64) -> usize {
    let (serial, _) = run(made, false, seed);
    let (pooled, items) = run(made, true, seed);
    assert!(serial == pooled);
    items
}

#[test]
fn heavy_lanes_are_items_short_ones_go_together_and_cheap_ones_stay() {
    assert_eq!(items(&[copies(vec![vec![heavy(1)], vec![heavy(2)]])], 1), 2);
    // Four that are short are one item beside the two.
    let short = || vec![Made::Slot { kind: 0, amount: 20, cost: 8_000 }];
    let lanes = vec![vec![heavy(1)], short(), short(), vec![heavy(3)], short(), short()];
    assert_eq!(items(&[copies(lanes)], 1), 3);
    assert_eq!(items(&[copies(vec![vec![cheap()], vec![cheap()], vec![]])], 1), 0);
    // One heavy lane has nobody to share with.
    assert_eq!(items(&[copies(vec![vec![heavy(1)], vec![cheap()]])], 1), 0);
    assert_eq!(items(&[heavy(1), heavy(2), cheap()], 1), 0);
}

#[test]
fn lanes_in_lanes_are_items_of_the_outer_and_those_behind_a_plugin_of_their_own() {
    let inner = || copies(vec![vec![heavy(1)], vec![heavy(2)]]);
    assert_eq!(items(&[copies(vec![vec![heavy(0)], vec![inner()]])], 1), 3);
    // What stands before the inner lanes keeps them in one piece; yet that piece beside the other is the best there is.
    assert_eq!(items(&[copies(vec![vec![heavy(0), heavy(0)], vec![heavy(0), inner()]])], 1), 2);
    // The outer lanes have one that is worth a helper: the inner ones are shared out by themselves.
    assert_eq!(items(&[copies(vec![vec![], vec![cheap(), inner()]])], 1), 2);
}

#[test]
fn lanes_that_a_sidechain_listens_into_stay_serial() {
    let chain = || vec![copies(vec![vec![heavy(0)], vec![heavy(5)]])];
    assert_eq!(items(&chain(), 1), 2);
    // Here the last slot hears the first.
    assert_eq!(items(&chain(), 3), 0);
}

/// Notes on which threads it is run, and waits until as many as it wants are there.
struct Meets {
    here: Arc<AtomicUsize>,
    wanted: usize,
    seen: Arc<std::sync::Mutex<Vec<ThreadId>>>,
}

impl Work for Meets {
    fn run(&mut self, _buffers: &mut PortBuffers, _block: &mut Block<'_>) -> RunStatus {
        self.here.fetch_add(1, SeqCst);
        while self.here.load(SeqCst) < self.wanted {
            std::thread::yield_now();
        }
        self.seen.lock().unwrap().push(std::thread::current().id());
        RunStatus::Ok
    }
}

#[test]
fn two_lanes_run_at_the_same_time() {
    let (here, seen) = (Arc::new(AtomicUsize::new(0)), Arc::default());
    let mut rig = Rig::new(2);
    rig.share = Some(helpers::share(2));
    let setup = LanesSetup { channels: 2, max_block: 1024, rate: RATE, fade_in: false };
    let lane = |id| {
        let work = Meets { here: here.clone(), wanted: 2, seen: Arc::clone(&seen) };
        let node = SlotNode::new(SlotSetup::new(SlotId(id), vec![make(&ports(2, 2), 1024, work)], ports(2, 2)));
        node.note_cost(300_000);
        PlanLane { node: LaneNode::new(setup, false), delay: 0, sends: false, nodes: vec![PlanNode::Slot(node)] }
    };
    let lanes = vec![lane(1), lane(2)];
    let group = PlanLanes { node: LanesNode::new(&Split::Copy, setup), siblings: true, lanes };
    rig.send_nodes(vec![PlanNode::Lanes(group)]);
    rig.block(&mut [vec![0.0; 64], vec![0.0; 64]]);
    let seen = seen.lock().unwrap();
    assert!(seen.len() == 2 && seen[0] != seen[1], "{seen:?}");
    assert_eq!(rig.share.unwrap().counts().pooled, 1);
}
