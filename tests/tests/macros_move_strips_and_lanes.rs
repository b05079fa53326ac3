//! Macros move a slot's pan and mute, and a lane's gain and mute: at their time, and whatever home does meanwhile.

use catena_tests::session_bench::{add, block, fixtures_catalog, live, session};
use host_core::engine::Processor;
use host_core::model::{Aim, Law, MacroId, SlotId, Split};
use host_core::session::{Command, EditError, LaneEdit, MacroEdit, SessionHandle};

fn number(number: usize) -> MacroId {
    MacroId::new(number).unwrap()
}

fn map(handle: &SessionHandle, at: usize, aim: Aim, range: Option<(f64, f64)>) {
    handle.apply(Command::Macro(number(at), MacroEdit::Map { aim, range })).unwrap();
}

/// What comes out for 0.5 on both sides, `blocks` later.
fn heard(processor: &mut Processor, blocks: usize) -> [f32; 2] {
    let mut last = [0.0; 2];
    for _ in 0..blocks {
        let (mut left, mut right) = ([0.5; 64], [0.5; 64]);
        block(processor, &mut left, &mut right);
        last = [left[63], right[63]];
    }
    last
}

fn near(is: [f32; 2], due: [f32; 2], what: &str) {
    assert!((is[0] - due[0]).abs() < 1e-5 && (is[1] - due[1]).abs() < 1e-5, "{what}: {is:?}, not {due:?}");
}

/// A slot of gain 1 in the first of two copies; the second passes.
fn lanes(handle: &SessionHandle) -> (SlotId, Vec<SlotId>) {
    let slot = add(handle, "gain");
    let group = handle.apply(Command::Parallel { from: slot, to: slot, split: Split::Copy }).unwrap().unwrap();
    let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    handle.apply(Command::Lane(lanes[1], LaneEdit::Dry(true))).unwrap();
    (slot, lanes)
}

#[test]
fn gain_and_mute_of_a_lane_and_pan_and_mute_of_a_slot_follow_their_macros() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let (slot, lanes) = lanes(&handle);
    handle.activate(live(64)).unwrap();
    map(&handle, 1, Aim::LaneGain(lanes[1]), Some((-20.0, 0.0)));
    map(&handle, 2, Aim::LaneMute(lanes[0]), None);
    map(&handle, 3, Aim::Pan(slot), None);
    map(&handle, 4, Aim::Mute(slot), None);
    assert_eq!(
        [0, 1, 2, 3].map(|at| handle.macros().value(at)),
        [1.0, 0.0, 0.5, 0.0],
        "mapping moves the macros alone"
    );
    handle.settle();
    let mut moved = |index, x, due, what: &str| {
        processor.set_macro(0, index, x);
        near(heard(&mut processor, 60), due, what);
        // Home brings the model after, and puts nothing back.
        handle.settle();
        near(heard(&mut processor, 60), due, what);
    };
    moved(0, 0.0, [0.55, 0.55], "the second lane at -20 dB");
    moved(1, 1.0, [0.05, 0.05], "the first muted");
    moved(1, 0.0, [0.55, 0.55], "and no more");
    moved(2, 1.0, [0.05, 0.55], "the slot at the right");
    moved(3, 1.0, [0.05, 0.05], "the slot muted");
    let chain = handle.chain().unwrap();
    assert_eq!((chain.lane(lanes[1]).unwrap().gain, chain.lane(lanes[0]).unwrap().mute), (-20.0, false));
    let strip = chain.slot(slot).unwrap().strip;
    assert_eq!((strip.pan, strip.mute), (1.0, true));
    let titles: Vec<_> = handle.snapshot().macros.iter().map(|one| one.title.clone()).collect();
    assert_eq!(titles[..2], ["Lane 2: gain", "Lane 1: mute"]);
    assert!(titles[2].ends_with(": pan") && titles[3].ends_with(": mute"), "{titles:?}");
    // Where no block comes, home does it; and the other way round a hand on the lane moves the macro.
    handle.deactivate();
    handle.apply(Command::Macro(number(1), MacroEdit::Value(0.5))).unwrap();
    assert_eq!(handle.chain().unwrap().lane(lanes[1]).unwrap().gain, -10.0);
    handle.apply(Command::Lane(lanes[1], LaneEdit::Gain(-5.0))).unwrap();
    assert_eq!(handle.macros().value(0), 0.75);
    handle.activate(live(64)).unwrap();
    near(heard(&mut processor, 60), [0.5 * 10_f32.powf(-0.25); 2], "as set");
    // A lane that is gone takes nothing with it.
    handle.apply(Command::RemoveLane(lanes[1])).unwrap();
    handle.apply(Command::Macro(number(1), MacroEdit::Value(0.1))).unwrap();
    let again = Command::Macro(number(5), MacroEdit::Map { aim: Aim::LaneGain(lanes[1]), range: None });
    assert_eq!(handle.apply(again).unwrap_err(), EditError::NoLane(lanes[1]));
}

#[test]
fn a_late_lane_is_moved_where_its_sound_is_whatever_home_does_meanwhile() {
    let (made, _processor) = session(&fixtures_catalog());
    let delay = add(&made, "delay");
    made.apply(Command::Param(delay, "100".into(), 700.0)).unwrap();
    let (slot, lanes) = lanes(&made);
    map(&made, 1, Aim::LaneGain(lanes[1]), None);
    map(&made, 2, Aim::LaneMute(lanes[0]), None);
    // One that is as late as the longest lane beside it: what goes into the sum is moved there.
    let beside = add(&made, "delay");
    made.apply(Command::Param(beside, "100".into(), 500.0)).unwrap();
    made.apply(Command::MoveInto { node: beside, into: Some(lanes[0]), index: 1 }).unwrap();
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.load(&made.save().unwrap()).unwrap();
    handle.activate(live(64)).unwrap();
    assert_eq!(handle.latency(), 1200);
    heard(&mut processor, 60);
    // -24 dB.
    processor.set_macro(0, 0, 0.0);
    processor.set_macro(0, 1, 1.0);
    // 1200 frames are 18 blocks and a part.
    for at in 0..18 {
        near(heard(&mut processor, 1), [1.0, 1.0], &format!("block {at}"));
        handle.settle();
        let chain = handle.chain().unwrap();
        assert_eq!((chain.lane(lanes[1]).unwrap().gain, chain.lane(lanes[0]).unwrap().mute), (-24.0, true));
        // An edit of another thing does not bring it forward.
        handle.apply(Command::Lane(lanes[0], LaneEdit::Pan(0.0))).unwrap();
        handle.apply(Command::Mix(slot, 1.0)).unwrap();
    }
    near(heard(&mut processor, 60), [0.5 * 10_f32.powf(-1.2); 2], "in the end");
}

#[test]
fn lanes_as_targets_survive_a_save() {
    let (handle, _processor) = session(&fixtures_catalog());
    let (slot, lanes) = lanes(&handle);
    map(&handle, 7, Aim::LaneGain(lanes[0]), Some((-60.0, 6.0)));
    map(&handle, 7, Aim::Mute(slot), None);
    let saved = handle.save().unwrap();
    let (again, _processor) = session(&fixtures_catalog());
    again.load(&saved).unwrap();
    assert_eq!(again.save().unwrap(), saved);
    let chain = again.chain().unwrap();
    let targets = &chain.macro_of(number(7)).unwrap().targets;
    assert_eq!(targets[0].aim, Aim::LaneGain(lanes[0]));
    assert_eq!((targets[0].law, targets[1].aim.clone()), (Law::straight(-60.0, 6.0), Aim::Mute(slot)));
}
