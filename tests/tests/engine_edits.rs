//! Edits while a 1 kHz sine runs: no step beyond twice the sine's own steepest, no silent block.

use std::sync::Arc;

use catena_tests::rig::{Rig, assert_smooth, sine};
use catena_tests::rust_plugins::{Delay, Gain, make, ports};
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::SlotId;

const BLOCKS: usize = 400;

fn slot(id: u64, latency: u32, fade_in: bool) -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Delay::new(2, latency as usize));
    SlotNode::new(SlotSetup { latency, fade_in, ..SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)) })
}

#[test]
fn a_slot_is_added_with_latency_without_silence_or_step() {
    for latency in [0, 1, 63, 512, 4800] {
        let mut rig = Rig::new(2);
        let (a, b) = (slot(1, 100, false), slot(2, latency, true));
        rig.send(std::slice::from_ref(&a));
        let mut heard = rig.sine(0, BLOCKS, |_, _| ());
        rig.send(&[a.clone(), b.clone()]);
        assert!(!b.controls().settled());
        heard.extend(rig.sine(BLOCKS * 64, BLOCKS, |_, _| ()));
        assert!(b.controls().settled());
        assert_smooth(&heard[200..], &format!("latency {latency}"));
        let last = heard.len() - 1;
        assert_eq!(heard[last], sine(last - 100 - latency as usize));
    }
}

#[test]
fn a_slot_is_taken_out_without_silence_or_step() {
    for latency in [0, 63, 4800] {
        let mut rig = Rig::new(2);
        let (a, b) = (slot(1, 100, false), slot(2, latency, false));
        rig.send(&[a.clone(), b.clone()]);
        let mut heard = rig.sine(0, BLOCKS, |_, _| ());
        b.controls().set_present(false);
        heard.extend(rig.sine(BLOCKS * 64, BLOCKS, |_, _| ()));
        assert!(b.controls().settled());
        rig.send(std::slice::from_ref(&a));
        heard.extend(rig.sine(2 * BLOCKS * 64, BLOCKS, |_, _| ()));
        assert_smooth(&heard[5100..], &format!("latency {latency}"));
        let retired = rig.controller.poll().retired;
        assert_eq!(retired.len(), 1);
        assert!(retired[0].holds(&b));
        assert_eq!(b.take().map(|halves| halves.len()), Some(1));
    }
}

#[test]
fn a_plugin_comes_home_and_goes_back_without_silence_or_step() {
    let mut rig = Rig::new(2);
    let a = slot(1, 512, false);
    rig.send(std::slice::from_ref(&a));
    let mut heard = rig.sine(0, BLOCKS, |_, _| ());
    a.controls().set_park(true);
    let mut home = None;
    heard.extend(rig.sine(BLOCKS * 64, BLOCKS, |_, block| {
        if a.controls().parked() && home.is_none() && block < 200 {
            home = a.take();
        }
        if block == 200 {
            assert!(a.put(home.take().expect("parked by now")).is_ok());
            a.controls().set_park(false);
        }
    }));
    assert!(a.controls().settled());
    assert_smooth(&heard[600..], "state into a live slot");
    assert_eq!(a.meters().faults, 0);
}

#[test]
fn bypass_mix_gains_and_the_containers_bypass_are_smooth_and_end_exact() {
    let mut rig = Rig::new(2);
    let plugin = make(&ports(2, 2), 1024, Gain(-0.5));
    let a = SlotNode::new(SlotSetup::new(SlotId(1), vec![plugin], ports(2, 2)));
    let b = slot(2, 63, false);
    rig.send(&[a.clone(), b.clone()]);
    let heard = rig.sine(0, 8 * BLOCKS, |rig, block| match block {
        400 => a.controls().set_bypass(true),
        800 => a.controls().set_mix(0.1),
        1200 => a.controls().set_bypass(false),
        1600 => a.controls().set_input_gain(2.0),
        2000 => a.controls().set_output_gain(0.5),
        2400 => rig.bypass = true,
        2800 => rig.bypass = false,
        _ => (),
    });
    assert_smooth(&heard[200..], "settings");
    let due = |at: usize| sine(at - 63);
    assert_eq!(heard[399 * 64], due(399 * 64) * -0.5);
    assert_eq!(heard[700 * 64], due(700 * 64));
    assert_eq!(heard[2790 * 64], due(2790 * 64));
    let at = 3100 * 64 + 20;
    let mixed = due(at) * 0.9 + due(at) * 2.0 * -0.5 * 0.5 * 0.1;
    assert!((heard[at] - mixed).abs() < 1e-6);
}

#[test]
fn delay_lines_survive_an_edit_elsewhere() {
    let mut rig = Rig::new(2);
    let (a, b) = (slot(1, 4800, false), slot(2, 0, true));
    a.controls().set_bypass(true);
    rig.send(std::slice::from_ref(&a));
    let mut heard = rig.sine(0, 100, |_, _| ());
    rig.send(&[b, a]);
    heard.extend(rig.sine(6400, 100, |_, _| ()));
    for (i, x) in heard.iter().enumerate().skip(4800) {
        assert!((*x - sine(i - 4800)).abs() < 1e-6, "{i}");
    }
}

#[test]
fn a_latency_that_changes_cross_fades_the_dry() {
    let mut rig = Rig::new(2);
    let a = slot(1, 64, false);
    a.controls().set_bypass(true);
    rig.send(std::slice::from_ref(&a));
    let mut heard = rig.sine(0, BLOCKS, |_, _| ());
    a.set_latency(3000);
    assert_eq!(rig.send(std::slice::from_ref(&a)), 3000);
    heard.extend(rig.sine(BLOCKS * 64, BLOCKS, |_, _| ()));
    assert_smooth(&heard[200..], "latency change");
    let last = heard.len() - 1;
    assert_eq!(heard[last], sine(last - 3000));
}
