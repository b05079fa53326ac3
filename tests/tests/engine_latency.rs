//! An impulse lands where the reported latency says.

use std::sync::Arc;

use catena_tests::rig::{Rig, cuts};
use catena_tests::rust_plugins::{Delay, make, ports};
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::{LatencyMode, SlotId};

const FRAMES: usize = 20_000;
const AT: usize = 777;

fn delay(frames: u32) -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Delay::new(2, frames as usize));
    SlotNode::new(SlotSetup { latency: frames, ..SlotSetup::new(SlotId(frames.into()), vec![plugin], ports(2, 2)) })
}

fn delays() -> Vec<Arc<SlotNode>> {
    [0, 1, 63, 512, 4800].map(delay).to_vec()
}

fn lands(rig: &mut Rig, size: Option<usize>) -> Vec<usize> {
    let mut signal = vec![vec![0.0; FRAMES]; 2];
    signal[0][AT] = 1.0;
    signal[1][AT] = 1.0;
    let heard = rig.run(&signal, &cuts(FRAMES, size, 1024, 5));
    assert_eq!(heard[0], heard[1]);
    heard[0].iter().enumerate().filter(|(_, x)| **x != 0.0).map(|(i, _)| i).collect()
}

#[test]
fn an_impulse_lands_where_reported() {
    for size in [Some(1), Some(64), Some(1024), None] {
        let mut rig = Rig::new(2);
        let latency = rig.send(&delays());
        assert_eq!(latency, 5376);
        assert_eq!(lands(&mut rig, size), [AT + latency as usize], "blocks of {size:?}");
    }
}

#[test]
fn bypass_and_mix_neither_change_the_report_nor_shift_the_signal() {
    for way in 0..3 {
        let mut rig = Rig::new(2);
        let slots = delays();
        let latency = rig.send(&slots);
        for (i, slot) in slots.iter().enumerate() {
            match way {
                0 => slot.controls().set_bypass(true),
                1 => slot.controls().set_mix(i as f32 / 4.0),
                _ => slot.controls().set_wet(i % 2 == 0),
            }
        }
        assert_eq!(rig.plan(&slots).latency(), latency);
        assert_eq!(lands(&mut rig, Some(64)), [AT + latency as usize], "way {way}");
    }
}

#[test]
fn the_containers_bypass_is_aligned() {
    let mut rig = Rig::new(2);
    let latency = rig.send(&delays());
    rig.bypass = true;
    assert_eq!(lands(&mut rig, Some(64)), [AT + latency as usize]);
}

#[test]
fn an_empty_slot_passes_its_dry_late_by_its_latency() {
    let mut rig = Rig::new(2);
    let missing = SlotNode::new(SlotSetup { latency: 300, ..SlotSetup::new(SlotId(1), Vec::new(), ports(2, 2)) });
    assert_eq!(rig.send(&[delay(63), missing]), 363);
    assert_eq!(lands(&mut rig, None), [AT + 363]);
}

#[test]
fn constant_pads_exactly_and_live_reports_nothing() {
    let mut rig = Rig::new(2);
    rig.mode = LatencyMode::Constant(200.0);
    assert_eq!(rig.send(&delays()), 9600);
    assert_eq!(lands(&mut rig, Some(64)), [AT + 9600]);
    let mut rig = Rig::new(2);
    rig.mode = LatencyMode::Constant(1.0);
    assert_eq!(rig.send(&delays()), 5376);
    let mut rig = Rig::new(2);
    rig.mode = LatencyMode::Live;
    assert_eq!(rig.send(&delays()), 0);
    assert_eq!(lands(&mut rig, Some(64)), [AT + 5376]);
}

#[test]
fn re_blocking_is_declared() {
    for (size, fixed) in [(Some(1), 64), (Some(64), 100), (None, 256), (Some(1024), 16)] {
        let plugin = make(&ports(2, 2), 1024, Delay::new(2, 10));
        let setup =
            SlotSetup { latency: 10, fixed_block: Some(fixed), ..SlotSetup::new(SlotId(1), vec![plugin], ports(2, 2)) };
        let mut rig = Rig::new(2);
        let latency = rig.send(&[SlotNode::new(setup)]);
        assert_eq!(latency, 10 + fixed);
        assert_eq!(lands(&mut rig, size), [AT + latency as usize], "fixed {fixed}, blocks of {size:?}");
    }
}
