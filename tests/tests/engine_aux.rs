//! The container's auxiliary outputs: a plugin's further outputs and lanes come there aligned to what the container reports, and
//! go from one to another, come and go without a step.

use std::sync::Arc;

use catena_tests::rig::{RATE, Rig};
use catena_tests::rust_plugins::{Delay, Gain, Work, make, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus};
use host_core::engine::{
    EngineConfig, LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, SlotNode, SlotSetup,
};
use host_core::model::{AudioBus, BusRole, LaneAux, LatencyMode, PluginId, PortLayout, Slot, SlotId, Split};

/// Its input to the main output, half of it to the second, a quarter to the third.
struct Kit;

impl Work for Kit {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        for (bus, share) in buffers.outputs.iter_mut().zip([1.0, 0.5, 0.25]) {
            for (to, from) in bus.channels.iter_mut().zip(&buffers.inputs[0].channels) {
                to[..frames].iter_mut().zip(&from[..frames]).for_each(|(to, from)| *to = from * share);
            }
        }
        RunStatus::Ok
    }
}

fn kit(id: u64) -> Arc<SlotNode> {
    let bus = |role, channels| AudioBus { name: String::new(), channels, role };
    let outputs = vec![bus(BusRole::Main, 2), bus(BusRole::Aux, 2), bus(BusRole::Aux, 1)];
    let layout = PortLayout { outputs, ..ports(2, 2) };
    SlotNode::new(SlotSetup { aux: 16, ..SlotSetup::new(SlotId(id), vec![make(&layout, 1024, Kit)], layout) })
}

fn delay(id: u64, latency: u32) -> PlanNode {
    let plugin = make(&ports(2, 2), 1024, Delay::new(2, latency as usize));
    PlanNode::Slot(SlotNode::new(SlotSetup { latency, ..SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)) }))
}

fn gain(id: u64, gain: f32) -> PlanNode {
    let plugin = make(&ports(2, 2), 1024, Gain(gain));
    PlanNode::Slot(SlotNode::new(SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2))))
}

fn rig() -> Rig {
    Rig::with(EngineConfig { channels: 2, sidechain: 0, aux: 16 })
}

fn send(slot: &Arc<SlotNode>, outs: &[Option<u8>]) {
    let mut wish = Slot::new(slot.id(), PluginId::clap("any"));
    outs.iter().enumerate().for_each(|(output, out)| wish.set_aux(output, *out));
    slot.controls().set_aux(&wish);
}

/// What comes out, the main output first, of an input that `at` gives.
fn play(rig: &mut Rig, frames: usize, at: impl Fn(usize) -> f32) -> Vec<Vec<f32>> {
    let mut heard = vec![Vec::new(); 18];
    for start in (0..frames).step_by(64) {
        let mut block = vec![(start..start + 64).map(&at).collect::<Vec<_>>(); 2];
        rig.block(&mut block);
        for (all, now) in heard.iter_mut().zip(block.iter().chain(&rig.aux)) {
            all.extend(now);
        }
    }
    heard
}

/// Where an impulse comes out, by output from 0 for the main one: frame and height on both of its channels.
fn impulse(rig: &mut Rig) -> Vec<(usize, usize, [f32; 2])> {
    let heard = play(rig, 2048, |frame| if frame == 10 { 1.0 } else { 0.0 });
    let pairs = heard.chunks(2).enumerate();
    let of = |(out, pair): (usize, &[Vec<f32>])| {
        let at: Vec<_> = (0..2048).filter(|i| pair[0][*i] != 0.0 || pair[1][*i] != 0.0).collect();
        at.into_iter().map(|i| (out, i, [pair[0][i], pair[1][i]])).collect::<Vec<_>>()
    };
    pairs.flat_map(of).collect()
}

/// Steps between neighbours that are larger than a constant of 0.5 makes which fades in 10 ms, on any output.
fn assert_no_step(heard: &[Vec<f32>]) {
    for (channel, samples) in heard.iter().enumerate() {
        for (i, pair) in samples.windows(2).enumerate() {
            let step = (pair[1] - pair[0]).abs();
            assert!(step < 0.0025, "output {}: a step of {step} at frame {i}", channel / 2);
        }
    }
}

#[test]
fn further_outputs_go_where_they_are_sent_at_the_latency_that_is_reported() {
    for (mode, late) in [(LatencyMode::True, 130), (LatencyMode::Constant(10.0), 480)] {
        let kit = kit(1);
        let mut rig = rig();
        rig.mode = mode;
        assert_eq!(rig.send_nodes(vec![delay(2, 30), PlanNode::Slot(kit.clone()), delay(3, 100)]), late);
        let at = 10 + late as usize;
        assert_eq!(impulse(&mut rig), [(0, at, [1.0; 2]), (1, at, [0.5; 2]), (2, at, [0.25; 2])]);
        send(&kit, &[Some(8), None]);
        play(&mut rig, 2048, |_| 0.0);
        assert_eq!(impulse(&mut rig), [(0, at, [1.0; 2]), (8, at, [0.5; 2])]);
        send(&kit, &[Some(3), Some(3)]);
        play(&mut rig, 2048, |_| 0.0);
        assert_eq!(impulse(&mut rig), [(0, at, [1.0; 2]), (3, at, [0.75; 2])]);
    }
}

#[test]
fn a_further_output_is_sent_elsewhere_parked_and_taken_out_without_a_step() {
    let kit = kit(1);
    let mut rig = rig();
    let late = delay(3, 1500);
    rig.send_nodes(vec![PlanNode::Slot(kit.clone()), late.clone()]);
    // Neighbours are compared over the seams too.
    let mut heard = play(&mut rig, 4096, |frame| 0.5 * (frame as f32 / 512.0).min(1.0));
    let mut on = |rig: &mut Rig, frames: usize| {
        for (all, more) in heard.iter_mut().zip(play(rig, frames, |_| 0.5)) {
            all.extend(more);
        }
        [1, 2, 4].map(|out| heard[out * 2].last().copied().unwrap())
    };
    send(&kit, &[Some(4), Some(4)]);
    assert_eq!(on(&mut rig, 4096), [0.0, 0.0, 0.375]);
    // Faster than the fades.
    send(&kit, &[Some(2), Some(1)]);
    on(&mut rig, 128);
    send(&kit, &[Some(1), None]);
    assert_eq!(on(&mut rig, 4096), [0.25, 0.0, 0.0]);
    kit.controls().set_park(true);
    assert_eq!(on(&mut rig, 4096), [0.0; 3]);
    kit.controls().set_park(false);
    assert_eq!(on(&mut rig, 4096), [0.25, 0.0, 0.0]);
    // It is gone only when what it sent is heard to its end.
    kit.controls().set_present(false);
    on(&mut rig, 1024);
    assert!(!kit.controls().settled());
    assert_eq!(on(&mut rig, 4096), [0.0; 3]);
    assert!(kit.controls().settled());
    rig.send_nodes(vec![late]);
    on(&mut rig, 1024);
    assert_no_step(&heard);
}

fn lanes(first: Vec<PlanNode>, second: Vec<PlanNode>, fade_in: bool) -> PlanLanes {
    let setup = LanesSetup { channels: 2, max_block: 1024, rate: RATE, fade_in };
    let lane = |nodes| PlanLane { node: LaneNode::new(setup, false), delay: 0, sends: false, nodes };
    PlanLanes { node: LanesNode::new(&Split::Copy, setup), siblings: true, lanes: vec![lane(first), lane(second)] }
}

#[test]
fn a_lane_is_heard_on_an_auxiliary_output_as_it_goes_into_the_sum_or_in_its_place() {
    let mut group = lanes(vec![gain(1, 0.5)], vec![delay(2, 300), gain(3, 0.25)], false);
    group.lanes[1].node.controls().set_gain(0.5);
    group.lanes[1].node.controls().set_aux(Some(LaneAux { out: 5, only: false }));
    group.lanes[1].sends = true;
    group.lanes[0].node.controls().set_aux(Some(LaneAux { out: 6, only: true }));
    group.lanes[0].sends = true;
    let mut rig = rig();
    assert_eq!(rig.send_nodes(vec![PlanNode::Lanes(group.clone()), delay(4, 100)]), 400);
    assert_eq!(impulse(&mut rig), [(0, 410, [0.125; 2]), (5, 410, [0.125; 2]), (6, 410, [0.5; 2])]);
    // As it goes into the sum: with its balance, and not at all where it is muted.
    group.lanes[0].node.controls().set_pan(-1.0);
    group.lanes[1].node.controls().set_heard(false);
    play(&mut rig, 2048, |_| 0.0);
    assert_eq!(impulse(&mut rig), [(6, 410, [0.5, 0.0])]);
}

#[test]
fn a_lane_comes_to_an_auxiliary_output_and_leaves_it_without_a_step() {
    let mut group = lanes(vec![gain(1, 0.5)], vec![delay(2, 300)], true);
    let mut rig = rig();
    let chain = |group: &PlanLanes| vec![PlanNode::Lanes(group.clone()), delay(4, 700)];
    let nodes = chain(&group);
    rig.send_nodes(nodes.clone());
    let mut heard = play(&mut rig, 4096, |frame| 0.25 * (frame as f32 / 512.0).min(1.0));
    let mut on = |rig: &mut Rig, frames: usize| {
        for (all, more) in heard.iter_mut().zip(play(rig, frames, |_| 0.25)) {
            all.extend(more);
        }
        [0, 3, 7].map(|out| heard[out * 2].last().copied().unwrap())
    };
    let again = |rig: &mut Rig, group: &PlanLanes| {
        let mut nodes = nodes.clone();
        nodes[0] = PlanNode::Lanes(group.clone());
        rig.send_nodes(nodes);
    };
    let controls = group.lanes[0].node.clone();
    group.lanes[0].sends = true;
    controls.controls().set_aux(Some(LaneAux { out: 3, only: false }));
    again(&mut rig, &group);
    assert_eq!(on(&mut rig, 4096), [0.375, 0.125, 0.0]);
    controls.controls().set_aux(Some(LaneAux { out: 7, only: true }));
    assert_eq!(on(&mut rig, 4096), [0.25, 0.0, 0.125]);
    controls.controls().set_aux(None);
    assert_eq!(on(&mut rig, 4096), [0.375, 0.0, 0.0]);
    assert!(controls.controls().settled());
    controls.controls().set_aux(Some(LaneAux { out: 7, only: true }));
    on(&mut rig, 2048);
    // Lanes that are about to be taken out are as if they were not there: nothing is left on the auxiliary output.
    group.node.controls().set_thru();
    assert_eq!(on(&mut rig, 4096), [0.125, 0.0, 0.0]);
    group.node.controls().set_split(&Split::Copy);
    assert_eq!(on(&mut rig, 4096), [0.25, 0.0, 0.125]);
    // A lane that goes is gone when what it sent is heard to its end.
    controls.controls().set_heard(false);
    on(&mut rig, 640);
    assert!(!controls.controls().settled());
    assert_eq!(on(&mut rig, 1024), [0.25, 0.0, 0.0]);
    assert!(controls.controls().settled());
    group.lanes[0].sends = false;
    again(&mut rig, &group);
    on(&mut rig, 512);
    assert_no_step(&heard);
}
