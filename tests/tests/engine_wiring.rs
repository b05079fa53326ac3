//! Channels, sidechain, auxiliary outputs, instruments and MIDI find their way.

use std::sync::Arc;

use catena_tests::rig::{Rig, sine};
use catena_tests::rust_plugins::{Delay, Echo, Gain, Tone, Work, make, midi_ports, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus};
use host_core::engine::{EngineConfig, SlotNode, SlotSetup, instances_needed};
use host_core::model::{Adapt, AudioBus, BusRole, PortLayout, SlotId};

fn delay(channels: u16, frames: u32) -> Arc<SlotNode> {
    let layout = ports(channels, channels);
    let plugin = make(&layout, 1024, Delay::new(channels.into(), frames as usize));
    SlotNode::new(SlotSetup { latency: frames, channels, ..SlotSetup::new(SlotId(90), vec![plugin], layout) })
}

/// Output channel `o` is the sum of all inputs plus `o`.
struct Sum;

impl Work for Sum {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let inputs = &buffers.inputs;
        for (o, out) in buffers.outputs[0].channels.iter_mut().enumerate() {
            for i in 0..block.frames as usize {
                out[i] = o as f32 + inputs.iter().flat_map(|bus| &bus.channels).map(|channel| channel[i]).sum::<f32>();
            }
        }
        RunStatus::Ok
    }
}

fn heard(inputs: u16, outputs: u16, adapt: Adapt, chain: &[f32]) -> Vec<f32> {
    let channels = chain.len() as u16;
    let layout = ports(inputs, outputs);
    let count = instances_needed(&layout, adapt, channels);
    let instances = (0..count).map(|_| make(&layout, 1024, Sum)).collect();
    let slot = SlotNode::new(SlotSetup { adapt, channels, ..SlotSetup::new(SlotId(1), instances, layout) });
    let mut rig = Rig::new(channels);
    rig.send(&[slot]);
    let mut block: Vec<Vec<f32>> = chain.iter().map(|x| vec![*x; 64]).collect();
    rig.block(&mut block);
    block.iter().map(|channel| channel[63]).collect()
}

#[test]
fn no_layout_is_refused() {
    assert_eq!(heard(1, 1, Adapt::Auto, &[1.0, 2.0]), [1.0, 2.0]);
    assert_eq!(heard(1, 1, Adapt::Sum, &[1.0, 2.0]), [1.5, 1.5]);
    assert_eq!(heard(1, 1, Adapt::Map, &[1.0, 2.0]), [1.0, 2.0]);
    assert_eq!(heard(1, 2, Adapt::Auto, &[1.0, 2.0]), [1.5, 2.5]);
    assert_eq!(heard(2, 2, Adapt::Auto, &[3.0]), [6.5]);
    assert_eq!(heard(2, 1, Adapt::Auto, &[1.0, 2.0]), [3.0, 3.0]);
    assert_eq!(heard(1, 4, Adapt::Auto, &[2.0, 2.0]), [3.0, 4.0]);
    assert_eq!(heard(2, 2, Adapt::Auto, &[1.0, 2.0, 3.0, 4.0]), [3.0, 4.0, 7.0, 8.0]);
    assert_eq!(heard(1, 1, Adapt::Map, &[5.0, 2.0, 7.0]), [5.0, 2.0, 7.0]);
}

#[test]
fn a_sidechain_is_late_by_the_latency_before_its_slot() {
    let bus = |role| AudioBus { name: String::new(), channels: 2, role };
    let layout = PortLayout { inputs: vec![bus(BusRole::Main), bus(BusRole::Sidechain)], ..ports(2, 2) };
    let slot = SlotNode::new(SlotSetup::new(SlotId(1), vec![make(&layout, 1024, Sum)], layout));
    let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 2, aux: 0 });
    rig.send(&[delay(2, 100), slot]);
    let mut all = Vec::new();
    for b in 0..5 {
        let at = |i: usize| if b * 64 + i == 10 { 1.0 } else { 0.0 };
        rig.sidechain = vec![(0..64).map(at).collect(), vec![0.0; 64]];
        let mut block = vec![vec![0.0; 64]; 2];
        rig.block(&mut block);
        all.extend(block.swap_remove(0));
    }
    assert_eq!(all.iter().position(|x| *x != 0.0), Some(110));
}

#[test]
fn an_instrument_adds_and_its_further_outputs_reach_the_containers_aligned() {
    let bus = |role| AudioBus { name: String::new(), channels: 2, role };
    let layout = PortLayout { outputs: vec![bus(BusRole::Main), bus(BusRole::Aux)], ..midi_ports(0, 2) };
    let slot =
        SlotNode::new(SlotSetup { aux: 2, ..SlotSetup::new(SlotId(1), vec![make(&layout, 1024, Tone(0.25))], layout) });
    let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 0, aux: 2 });
    rig.send(&[slot.clone(), delay(2, 100)]);
    let mut aux = Vec::new();
    let heard = rig.sine(0, 5, |rig, _| aux.extend(rig.aux[0].clone()));
    assert_eq!(heard[300], sine(200) + 0.25);
    assert_eq!((aux[99], aux[100]), (0.0, 0.25));
    slot.controls().set_bypass(true);
    let heard = rig.sine(320, 40, |_, _| ());
    assert_eq!(heard[2000], sine(2320 - 100));
}

fn events(rig: &mut Rig, blocks: usize) -> Vec<(usize, Vec<u8>)> {
    let mut all = Vec::new();
    for b in 0..blocks {
        if b == 0 {
            rig.events_in.push(40, 0, &[0x90, 60, 1]);
            rig.events_in.push(3, 0, &[0x90, 61, 1]);
            rig.events_in.push(40, 0, &[0xF0; 700]);
        }
        rig.block(&mut vec![vec![0.0; 64]; 2]);
        all.extend(rig.events_out.iter().map(|(event, bytes)| (b * 64 + usize::from(event.frame), bytes.to_vec())));
    }
    all
}

#[test]
fn midi_passes_sorted_and_leaves_at_the_reported_latency() {
    for latency in [0, 1, 63, 200] {
        let mut rig = Rig::new(2);
        rig.send(&[delay(2, latency)]);
        let at = latency as usize;
        let due = [(3 + at, vec![0x90, 61, 1]), (40 + at, vec![0x90, 60, 1]), (40 + at, vec![0xF0; 700])];
        assert_eq!(events(&mut rig, 6), due);
    }
}

#[test]
fn midi_that_a_plugin_makes_replaces_or_joins_what_it_was_given() {
    for merge in [false, true] {
        let mut rig = Rig::new(2);
        let layout = midi_ports(2, 2);
        let echo = SlotNode::new(SlotSetup::new(SlotId(1), vec![make(&layout, 1024, Echo)], layout));
        echo.controls().set_merge_midi(merge);
        rig.send(&[delay(2, 30), echo]);
        let heard = events(&mut rig, 3);
        let first: Vec<_> = heard.iter().map(|(at, bytes)| (*at, bytes[0])).collect();
        let echoed = [(33, 0x91), (70, 0x91), (70, 0xF1)];
        let joined = [(33, 0x90), (33, 0x91), (70, 0x90), (70, 0xF0), (70, 0x91), (70, 0xF1)];
        assert_eq!(first, if merge { joined.to_vec() } else { echoed.to_vec() });
    }
}

#[test]
fn events_of_a_block_that_is_cut_keep_their_frames() {
    let mut rig = Rig::new(2);
    rig.max_block = 50;
    let gain = SlotNode::new(SlotSetup {
        max_block: 50,
        ..SlotSetup::new(SlotId(1), vec![make(&ports(2, 2), 50, Gain(1.0))], ports(2, 2))
    });
    rig.send(&[gain]);
    for frame in [0, 49, 50, 120, 199] {
        rig.events_in.push(frame, 0, &[0x90, 1, 1]);
    }
    rig.block(&mut vec![vec![0.0; 200]; 2]);
    let frames: Vec<_> = rig.events_out.iter().map(|(event, _)| event.frame).collect();
    assert_eq!(frames, [0, 49, 50, 120, 199]);
}
