//! A slot's sidechain hears any earlier place of the chain, aligned to the slot, and turns from one to another without a step.

use std::sync::Arc;

use catena_tests::rig::{Noise, RATE, Rig, cuts, sine};
use catena_tests::rust_plugins::{Delay, Gain, Work, make, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus};
use host_core::engine::{
    EngineConfig, LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, PlanSide, SideSource, SlotNode,
    SlotSetup,
};
use host_core::model::{AudioBus, BusRole, PortLayout, SlotId, Split};

/// Gives out what its sidechain hears, and nothing else.
struct Ear;

impl Work for Ear {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        for (out, side) in buffers.outputs[0].channels.iter_mut().zip(&buffers.inputs[1].channels) {
            out[..frames].copy_from_slice(&side[..frames]);
        }
        RunStatus::Ok
    }
}

fn ear(id: u64) -> Arc<SlotNode> {
    let bus = |role| AudioBus { name: String::new(), channels: 2, role };
    let layout = PortLayout { inputs: vec![bus(BusRole::Main), bus(BusRole::Sidechain)], ..ports(2, 2) };
    SlotNode::new(SlotSetup::new(SlotId(id), vec![make(&layout, 1024, Ear)], layout))
}

fn delay(id: u64, latency: u32) -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Delay::new(2, latency as usize));
    SlotNode::new(SlotSetup { latency, ..SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)) })
}

fn gain(id: u64, gain: f32) -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Gain(gain));
    SlotNode::new(SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)))
}

fn rig() -> Rig {
    Rig::with(EngineConfig { channels: 2, sidechain: 2, aux: 0 })
}

fn hears(slot: &Arc<SlotNode>, source: SideSource, before: Option<SideSource>) -> Vec<PlanSide> {
    vec![PlanSide { slot: slot.clone(), source, before }]
}

fn nodes(slots: &[&Arc<SlotNode>]) -> Vec<PlanNode> {
    slots.iter().map(|slot| PlanNode::Slot((*slot).clone())).collect()
}

/// Where an impulse at frame 10 comes out, and how large, in blocks of many sizes.
fn impulse(rig: &mut Rig, container: bool) -> Vec<(usize, f32)> {
    let mut signal = vec![vec![0.0; 4000]; 2];
    signal[0][10] = 1.0;
    let mut heard = Vec::new();
    let mut at = 0;
    for cut in cuts(4000, None, 200, 9) {
        let mut block: Vec<Vec<f32>> = signal.iter().map(|channel| channel[at..at + cut].to_vec()).collect();
        rig.sidechain = if container { vec![vec![0.25; cut]; 2] } else { vec![vec![0.0; cut]; 2] };
        rig.block(&mut block);
        heard.extend(block.swap_remove(0));
        at += cut;
    }
    heard.iter().enumerate().filter(|(_, x)| **x != 0.0).map(|(i, x)| (i, *x)).collect()
}

#[test]
fn every_earlier_place_is_heard_at_the_frame_of_the_slots_own_sound() {
    let (first, second, third, listener) = (gain(1, 0.5), delay(2, 100), delay(3, 63), ear(4));
    let chain = nodes(&[&first, &second, &third, &listener, &gain(5, 2.0)]);
    let sources = [
        (SideSource::Input, 1.0),
        (SideSource::Slot(first), 0.5),
        (SideSource::Slot(second), 0.5),
        (SideSource::Slot(third), 0.5),
    ];
    for (source, level) in sources {
        let mut rig = rig();
        rig.sides = hears(&listener, source, None);
        rig.send_nodes(chain.clone());
        listener.controls().set_wet(true);
        // What was heard before is gone: the container's is not heard beside it.
        rig.run(&vec![vec![0.0; 4000]; 2], &[100; 40]);
        assert_eq!(impulse(&mut rig, true), [(173, level * 2.0)], "level {level}");
    }
    let mut rig = rig();
    rig.sides = hears(&listener, SideSource::Silence, None);
    rig.send_nodes(chain.clone());
    rig.run(&vec![vec![0.0; 4000]; 2], &[100; 40]);
    assert_eq!(impulse(&mut rig, true), []);
    // A place that is not there, or not there yet, is silence, never feedback.
    for source in [SideSource::Slot(gain(9, 1.0)), SideSource::Slot(listener.clone())] {
        rig.sides = hears(&listener, source, None);
        rig.send_nodes(chain.clone());
        rig.run(&vec![vec![0.0; 4000]; 2], &[100; 40]);
        assert_eq!(impulse(&mut rig, true), []);
    }
}

fn lane(nodes: Vec<PlanNode>) -> PlanLane {
    let setup = LanesSetup { channels: 2, max_block: 1024, rate: RATE, fade_in: false };
    PlanLane { node: LaneNode::new(setup, false), delay: 0, sends: false, nodes }
}

fn group(lanes: Vec<PlanLane>) -> PlanLanes {
    let setup = LanesSetup { channels: 2, max_block: 1024, rate: RATE, fade_in: false };
    PlanLanes { node: LanesNode::new(&Split::Copy, setup), siblings: true, lanes }
}

#[test]
fn lanes_and_groups_are_heard_as_they_go_into_the_sum() {
    let (quiet, late) = (gain(1, 0.25), delay(2, 300));
    let lanes = group(vec![lane(nodes(&[&quiet])), lane(nodes(&[&late]))]);
    lanes.lanes[0].node.controls().set_gain(0.5);
    let [one, two] = [0, 1].map(|at| SideSource::Lane(lanes.lanes[at].node.clone()));
    let whole = SideSource::Lanes(lanes.node.clone());
    for (source, level) in [(one, 0.125), (two, 1.0), (whole, 1.125), (SideSource::Slot(quiet), 0.25)] {
        let (listener, after) = (ear(4), delay(3, 50));
        let mut rig = rig();
        rig.sides = hears(&listener, source, None);
        let mut chain = vec![PlanNode::Lanes(lanes.clone())];
        chain.extend(nodes(&[&after, &listener]));
        rig.send_nodes(chain);
        assert_eq!(impulse(&mut rig, false), [(360, level)]);
    }
}

#[test]
fn a_lane_hears_another_that_comes_before_it_and_says_by_how_much_it_is_late() {
    for (before, after, late) in [(100, 100, 0), (100, 30, 70), (30, 100, 0)] {
        let (source, own, listener) = (delay(1, before), delay(2, after), ear(3));
        let mut rig = rig();
        rig.sides = hears(&listener, SideSource::Slot(source.clone()), None);
        let first = lane(nodes(&[&source]));
        first.node.controls().set_heard(false);
        let chain = vec![PlanNode::Lanes(group(vec![first, lane(nodes(&[&own, &listener]))]))];
        let plan = rig.plan_nodes(chain.clone());
        assert_eq!(plan.late_sides(), if late > 0 { vec![(SlotId(3), late)] } else { vec![] });
        rig.send_nodes(chain);
        let latency = before.max(after) as usize;
        assert_eq!(impulse(&mut rig, false), [(10 + latency + late as usize, 1.0)], "{before} and {after}");
    }
}

#[test]
fn a_place_that_is_listened_to_sounds_as_it_did() {
    let signal = Noise::new(3).signal(2, 9600);
    let play = |tap: bool| {
        let (first, second, listener) = (gain(1, 0.7), delay(2, 100), ear(4));
        listener.controls().set_bypass(true);
        let lanes = group(vec![lane(nodes(&[&gain(5, 0.3)])), lane(nodes(&[&gain(6, 0.6)]))]);
        lanes.lanes[1].node.controls().set_pan(-0.5);
        let mut rig = rig();
        if tap {
            rig.sides = hears(&listener, SideSource::Slot(first.clone()), None);
            rig.sides.extend(hears(&ear(7), SideSource::Lane(lanes.lanes[0].node.clone()), None));
            rig.sides.extend(hears(&ear(8), SideSource::Lane(lanes.lanes[1].node.clone()), None));
        }
        let mut chain = nodes(&[&first]);
        chain.push(PlanNode::Lanes(lanes));
        chain.extend(nodes(&[&second, &listener]));
        rig.send_nodes(chain);
        rig.run(&signal, &cuts(9600, None, 512, 4))
    };
    assert_eq!(play(true), play(false));
}

#[test]
fn another_source_cross_fades_with_the_one_before_and_keeps_its_own_delay() {
    let (first, second, listener) = (gain(1, 0.5), delay(2, 96), ear(4));
    let chain = nodes(&[&first, &second, &listener]);
    let mut rig = rig();
    rig.sides = hears(&listener, SideSource::Input, None);
    rig.send_nodes(chain.clone());
    let mut heard = rig.sine(0, 40, |rig, _| rig.sidechain = vec![vec![0.0; 64]; 2]);
    let mut turn = |source: SideSource, before: SideSource, heard: &mut Vec<f32>| {
        rig.sides = hears(&listener, source, Some(before));
        rig.send_nodes(chain.clone());
        let from = heard.len();
        heard.extend(rig.sine(from, 40, |_, block| assert!(block < 12 || !listener.controls().side_turns())));
    };
    turn(SideSource::Slot(first.clone()), SideSource::Input, &mut heard);
    assert_eq!(heard[heard.len() - 1], 0.5 * sine(heard.len() - 1 - 96));
    turn(SideSource::Slot(second.clone()), SideSource::Slot(first.clone()), &mut heard);
    turn(SideSource::Input, SideSource::Slot(second), &mut heard);
    assert_eq!(heard[heard.len() - 1], sine(heard.len() - 1 - 96));
    // They are in phase: between the two it is never quieter than the quieter one.
    let loudest = |frames: &[f32]| frames.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
    assert!(heard[200..].chunks_exact(48).all(|period| loudest(period) > 0.249));
    turn(SideSource::Container, SideSource::Input, &mut heard);
    assert_eq!(heard[heard.len() - 1], 0.0);
    turn(SideSource::Input, SideSource::Container, &mut heard);
    let steepest = 0.5 * std::f32::consts::TAU / 48.0;
    for (i, pair) in heard[200..].windows(2).enumerate() {
        assert!((pair[1] - pair[0]).abs() <= 1.1 * steepest, "step from {} to {} at {}", pair[0], pair[1], i + 200);
    }
    listener.controls().set_side(false);
    let from = heard.len();
    let heard = rig.sine(from, 40, |_, _| ());
    assert!(listener.controls().settled());
    assert_eq!(heard[heard.len() - 64..], [0.0; 64]);
}
