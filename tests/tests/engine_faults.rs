//! What a plugin does wrong stays inside its slot.

use std::sync::Arc;

use catena_tests::rig::{Rig, sine};
use catena_tests::rust_plugins::{Bad, Filter, Gain, Tone, Work, make, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus};
use host_core::engine::{FaultKind, SlotNode, SlotSetup};
use host_core::model::{IfFails, SlotId};

fn bad(value: f32, blocks: std::ops::RangeInclusive<u64>) -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Bad { bad: value, blocks, count: 0 });
    SlotNode::new(SlotSetup::new(SlotId(1), vec![plugin], ports(2, 2)))
}

fn filter() -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Filter::new(2, 0.999));
    SlotNode::new(SlotSetup::new(SlotId(2), vec![plugin], ports(2, 2)))
}

#[test]
fn no_sample_that_is_no_number_leaves_a_slot() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for blocks in [0..=0, 5..=5, 4..=5, 0..=1000] {
            for mix in [1.0, 0.5] {
                let mut rig = Rig::new(2);
                let (a, b) = (bad(value, blocks.clone()), filter());
                a.controls().set_mix(mix);
                rig.send(&[a.clone(), b.clone()]);
                let heard = rig.sine(0, 100, |_, _| ());
                assert!(heard.iter().all(|x| x.is_finite()));
                let reports = rig.controller.poll();
                assert!(reports.faults.iter().all(|f| f.slot == SlotId(1) && f.kind == FaultKind::NonFinite));
                let stops = blocks.clone().count() >= 3;
                assert_eq!(reports.faults.iter().any(|f| f.stopped), stops);
                assert_eq!((a.controls().faulted(), b.controls().faulted()), (stops, false));
            }
        }
    }
}

#[test]
fn a_bad_block_is_the_dry_and_the_slot_comes_back() {
    let mut rig = Rig::new(2);
    let a = bad(f32::NAN, 10..=10);
    rig.send(std::slice::from_ref(&a));
    let heard = rig.sine(0, 100, |_, _| ());
    assert!(heard.iter().enumerate().all(|(i, x)| (*x - sine(i)).abs() < 1e-6));
    assert_eq!((a.meters().faults, a.controls().faulted()), (1, false));
}

#[test]
fn a_stopped_slot_runs_again_when_it_is_tried_again() {
    let mut rig = Rig::new(2);
    let a = bad(f32::NAN, 0..=2);
    rig.send(std::slice::from_ref(&a));
    rig.sine(0, 10, |_, _| ());
    assert!(a.controls().faulted());
    let ran = a.meters().faults;
    a.controls().retry();
    rig.sine(640, 100, |_, _| ());
    assert!(!a.controls().faulted() && a.controls().settled());
    assert_eq!(a.meters().faults, ran);
}

#[test]
fn nobody_is_blamed_for_what_he_was_fed() {
    let mut rig = Rig::new(2);
    let b = filter();
    rig.send(std::slice::from_ref(&b));
    for value in [f32::NAN, f32::INFINITY] {
        let mut block = vec![vec![value; 64]; 2];
        rig.block(&mut block);
        assert!(block.iter().flatten().all(|x| x.is_finite()));
    }
    assert_eq!(b.meters().faults, 0);
}

#[test]
fn a_slot_that_cannot_run_does_what_its_user_chose() {
    for (choice, silent) in [(IfFails::Dry, false), (IfFails::Mute, true), (IfFails::MuteChain, true)] {
        let mut rig = Rig::new(2);
        let a = bad(f32::NAN, 0..=1000);
        a.controls().set_if_fails(choice);
        let tone = make(&ports(0, 2), 1024, Tone(0.25));
        let tone = SlotNode::new(SlotSetup::new(SlotId(3), vec![tone], ports(0, 2)));
        rig.send(&[a, tone]);
        let heard = rig.sine(0, 100, |_, _| ());
        let last = *heard.last().expect("something was run");
        match choice {
            IfFails::Dry => assert_eq!(last, sine(heard.len() - 1) + 0.25),
            IfFails::Mute => assert_eq!(last, 0.25),
            IfFails::MuteChain => assert_eq!(last, 0.0),
        }
        assert_eq!(silent, choice != IfFails::Dry);
    }
}

/// Passes its input, and leaves the processor's floating-point mode at its default.
struct Rude;

impl Work for Rude {
    #[allow(unsafe_code, reason = "a plugin that spoils the floating-point mode")]
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        #[cfg(target_arch = "x86_64")]
        {
            let word = 0x1F80_u32;
            // SAFETY: the value is the register's default, and it is read from this stack frame.
            unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, readonly)) };
        }
        Gain(1.0).run(buffers, block)
    }
}

#[test]
fn a_plugin_that_changes_the_floating_point_mode_harms_nobody() {
    let mut rig = Rig::new(2);
    let slot = |id, plugin| SlotNode::new(SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)));
    rig.send(&[slot(1, make(&ports(2, 2), 1024, Rude)), slot(2, make(&ports(2, 2), 1024, Gain(1e-20)))]);
    let mut block = vec![vec![1e-20; 64]; 2];
    rig.block(&mut block);
    assert!(block.iter().flatten().all(|x| *x == 0.0), "denormals are flushed inside");
    let tiny = std::hint::black_box(f32::MIN_POSITIVE);
    assert!(tiny * 0.5 > 0.0, "the caller's own mode is as it was");
}

/// Passes its input, but for its third block.
struct Panics(u32);

impl Work for Panics {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        self.0 += 1;
        assert!(self.0 != 3, "a fault of the test's own");
        Gain(1.0).run(buffers, block)
    }
}

#[test]
fn a_panic_under_process_leaves_a_chain_that_runs_on() {
    let mut rig = Rig::new(2);
    let a = SlotNode::new(SlotSetup::new(SlotId(1), vec![make(&ports(2, 2), 1024, Panics(0))], ports(2, 2)));
    rig.send(std::slice::from_ref(&a));
    let mut panics = 0;
    for _ in 0..10 {
        let run =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| rig.block(&mut [vec![0.5; 64], vec![0.5; 64]])));
        panics += usize::from(run.is_err());
    }
    assert_eq!(panics, 1);
    let mut block = vec![vec![0.5; 64]; 2];
    rig.block(&mut block);
    assert_eq!(block[0][63], 0.5);
    assert_eq!(a.meters().faults, 0);
}
