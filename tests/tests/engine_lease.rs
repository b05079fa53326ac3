//! Home plays the audio role where no blocks come, and only there.

use std::time::{Duration, Instant};

use catena_tests::rig::{Rig, sine};
use catena_tests::rust_plugins::{Delay, Gain, make, ports};
use host_core::backend::audio::ParamEvent;
use host_core::engine::{Goal, Route, SlotNode, SlotSetup};
use host_core::model::{Aim, Grid, Law, MacroId, SlotId};

fn slot(latency: u32) -> std::sync::Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Delay::new(2, latency as usize));
    SlotNode::new(SlotSetup { latency, ..SlotSetup::new(SlotId(1), vec![plugin], ports(2, 2)) })
}

#[test]
fn home_gets_it_only_where_no_blocks_come() {
    let mut rig = Rig::new(2);
    rig.send(&[slot(0)]);
    let began = Instant::now();
    rig.sine(0, 1, |_, _| ());
    if rig.controller.lease().is_some() {
        assert!(began.elapsed() >= Duration::from_millis(200));
    }
    std::thread::sleep(Duration::from_millis(250));
    assert!(rig.controller.lease().is_some());
    rig.sine(0, 1, |_, _| ());
    rig.controller.deactivated(true);
    assert!(rig.controller.lease().is_some());
}

#[test]
fn with_it_plans_are_exchanged_and_plugins_come_home() {
    let mut rig = Rig::new(2);
    let a = slot(0);
    rig.send(std::slice::from_ref(&a));
    rig.sine(0, 4, |_, _| ());
    let next = rig.plan(&[]);
    rig.controller.deactivated(true);
    rig.send(std::slice::from_ref(&a));
    let mut lease = rig.controller.lease().expect("deactivated");
    let replaced = lease.exchange(Some(next));
    assert_eq!(replaced.len(), 2);
    drop(lease);
    assert_eq!(a.take().map(|halves| halves.len()), Some(1));
    let heard = rig.sine(0, 4, |_, _| ());
    assert_eq!(heard[255], sine(255));
}

#[test]
fn what_a_macro_sent_to_a_late_slot_is_in_the_slot_when_its_plan_goes() {
    let mut rig = Rig::new(2);
    rig.macros = |slots| {
        let aim = Aim::Param(SlotId(2), "gain".into());
        let route = Route::new(
            MacroId::at(0).unwrap(),
            &aim,
            Law::straight(0.0, 2.0),
            Goal::Slot(slots[1].clone()),
            Some((7, Grid::Free)),
        );
        route.into_iter().collect()
    };
    let gain = make(&ports(2, 2), 1024, Gain(1.0));
    let late = SlotNode::new(SlotSetup::new(SlotId(2), vec![gain], ports(2, 2)));
    rig.send(&[slot(100), late.clone()]);
    rig.processor.set_macro(0, 0, 0.25);
    rig.sine(0, 1, |_, _| ());
    assert!(late.take_params().is_empty(), "it is on its way");
    rig.controller.deactivated(true);
    drop(rig.controller.lease().expect("deactivated").exchange(None));
    assert_eq!(late.take_params(), [ParamEvent { frame: 0, index: 7, value: 0.5 }]);
}

#[test]
fn a_block_that_meets_it_passes_the_delayed_dry() {
    let mut rig = Rig::new(2);
    rig.send(&[slot(100)]);
    let mut heard = rig.sine(0, 10, |_, _| ());
    rig.controller.deactivated(true);
    let mut blocks: Vec<_> = (10..20).map(|b| vec![(0..64).map(|i| sine(b * 64 + i)).collect::<Vec<_>>(); 2]).collect();
    let lease = rig.controller.lease().expect("deactivated");
    for block in &mut blocks {
        let mut main: Vec<&mut [f32]> = block.iter_mut().map(|channel| &mut channel[..]).collect();
        rig.processor.process(&mut host_core::engine::ContainerBlock {
            main: &mut main,
            sidechain: &[],
            aux: &mut [],
            events_in: &mut rig.events_in,
            events_out: &mut rig.events_out,
            transport: None,
            bypass: false,
        });
    }
    drop(lease);
    heard.extend(blocks.into_iter().flat_map(|mut block| block.swap_remove(0)));
    heard.extend(rig.sine(20 * 64, 40, |_, _| ()));
    for (i, x) in heard.iter().enumerate().skip(100) {
        assert!((*x - sine(i - 100)).abs() < 1e-6, "{i}");
    }
}

#[test]
fn parameters_wait_behind_their_plan_and_are_dropped_with_their_slot() {
    let mut rig = Rig::new(2);
    let plugin = || vec![make(&ports(2, 2), 1024, Gain(1.0))];
    let a = SlotNode::new(SlotSetup::new(SlotId(1), plugin(), ports(2, 2)));
    let gone = SlotNode::new(SlotSetup::new(SlotId(2), plugin(), ports(2, 2)));
    rig.send(std::slice::from_ref(&a));
    assert!(rig.controller.param(&a, ParamEvent { frame: 0, index: 0, value: 0.5 }));
    assert!(rig.controller.param(&gone, ParamEvent { frame: 0, index: 0, value: 0.1 }));
    assert!(rig.controller.param(&a, ParamEvent { frame: 70, index: 0, value: 0.25 }));
    let heard = rig.sine(0, 2, |_, _| ());
    assert_eq!((heard[30], heard[100]), (sine(30) * 0.5, sine(100) * 0.25));
}

#[test]
fn nothing_piles_up_where_nobody_polls() {
    let mut rig = Rig::new(2);
    let a = slot(0);
    for _ in 0..5000 {
        let plan = rig.plan(std::slice::from_ref(&a));
        if rig.controller.send(plan).is_err() {
            break;
        }
        rig.sine(0, 1, |_, _| ());
    }
    // The ring home is full: plans wait, sound goes on, and all come back once home looks.
    let heard = rig.sine(0, 1, |_, _| ());
    assert_eq!(heard[33], sine(33));
    assert!(rig.controller.poll().retired.len() >= 4096);
    rig.sine(0, 1, |_, _| ());
    assert!(!rig.controller.poll().retired.is_empty());
}
