//! A slot's channel strip by the session's commands: what is heard, shown, saved and refused.

use catena_tests::fixtures;
use catena_tests::session_bench::{add, block, fixtures_catalog, live, session};
use host_core::engine::Processor;
use host_core::model::{IfFails, Phase, PluginId, Sleep, SlotId, Split, Strip};
use host_core::session::{Command, EditError, LaneEdit, SessionHandle, SlotView, StripEdit};

/// Left and right in the end, for 0.4 and -0.2.
fn heard(handle: &SessionHandle, processor: &mut Processor) -> [f32; 2] {
    let mut last = [0.0; 2];
    for at in 0..120 {
        if at % 40 == 0 {
            // Home has ticked meanwhile.
            handle.settle();
        }
        let (mut left, mut right) = ([0.4; 64], [-0.2; 64]);
        block(processor, &mut left, &mut right);
        last = [left[63], right[63]];
    }
    last
}

fn near(is: [f32; 2], due: [f32; 2], what: &str) {
    assert!((is[0] - due[0]).abs() < 1e-5 && (is[1] - due[1]).abs() < 1e-5, "{what}: {is:?}, not {due:?}");
}

fn view(handle: &SessionHandle, slot: SlotId) -> SlotView {
    handle.settle();
    handle.snapshot().slots.iter().find(|view| view.id == slot).unwrap().clone()
}

fn gain(handle: &SessionHandle, gain: f64) -> SlotId {
    let slot = add(handle, "gain");
    handle.apply(Command::Param(slot, "100".into(), gain)).unwrap();
    slot
}

fn solo(handle: &SessionHandle, slot: SlotId, on: bool) {
    handle.apply(Command::Strip(slot, StripEdit::Solo(on))).unwrap();
}

#[test]
fn a_soloed_slot_is_heard_alone_among_the_nodes_beside_it() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let (a, b, c) = (gain(&handle, 0.5), gain(&handle, 0.25), gain(&handle, 1.5));
    let late = add(&handle, "delay");
    handle.apply(Command::Param(late, "100".into(), 480.0)).unwrap();
    let group = handle.apply(Command::Parallel { from: b, to: b, split: Split::Copy }).unwrap().unwrap();
    let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    handle.apply(Command::Lane(lanes[1], LaneEdit::Dry(true))).unwrap();
    let plugin = PluginId::clap(fixtures::clap_id("gain"));
    let beside = handle.apply(Command::AddInto { plugin, lane: lanes[0], index: 1 }).unwrap().unwrap();
    handle.apply(Command::Param(beside, "100".into(), 2.0)).unwrap();
    handle.activate(live(64)).unwrap();
    let times = |x: f32| [0.4 * x, -0.2 * x];
    near(heard(&handle, &mut processor), times(0.5 * 1.5 * 1.5), "all");
    assert_eq!(handle.latency(), 480);
    solo(&handle, a, true);
    near(heard(&handle, &mut processor), times(0.5), "the first alone: past the lanes too");
    assert_eq!(handle.latency(), 480);
    assert_eq!([a, b, beside, c, late].map(|slot| view(&handle, slot).aside), [false, true, true, true, true]);
    solo(&handle, c, true);
    near(heard(&handle, &mut processor), times(0.5 * 1.5), "two of them");
    let saved = handle.save().unwrap();
    solo(&handle, a, false);
    solo(&handle, c, false);
    near(heard(&handle, &mut processor), times(0.5 * 1.5 * 1.5), "all again");
    // In a lane it is alone in that lane, and the other lanes and all else sound on.
    solo(&handle, beside, true);
    near(heard(&handle, &mut processor), times(0.5 * 3.0 * 1.5), "in a lane");
    handle.apply(Command::Remove(beside)).unwrap();
    near(heard(&handle, &mut processor), times(0.5 * 1.25 * 1.5), "who is gone is not soloed");
    // What was saved is heard from its first block on.
    let (again, mut processor) = session(&fixtures_catalog());
    again.load(&saved).unwrap();
    again.activate(live(64)).unwrap();
    let mut out = Vec::new();
    for _ in 0..20 {
        let (mut left, mut right) = ([0.4; 64], [-0.2; 64]);
        block(&mut processor, &mut left, &mut right);
        out.extend(left);
    }
    assert!(out[..480].iter().all(|x| *x == 0.0));
    let wrong = out[480..].iter().position(|x| (x - 0.4 * 0.75).abs() > 1e-5);
    assert_eq!(wrong, None, "soloed from the first block on");
}

#[test]
fn a_strip_is_shown_saved_and_heard_again() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let slot = gain(&handle, 0.5);
    handle.activate(live(64)).unwrap();
    near(heard(&handle, &mut processor), [0.2, -0.1], "at rest");
    let bare = handle.save().unwrap();
    let text = serde_json::to_string(&handle.chain().unwrap()).unwrap();
    assert!(!["\"pan\"", "\"mute\"", "\"sleep\""].iter().any(|field| text.contains(field)), "{text}");
    for edit in [
        StripEdit::Pan(-0.5),
        StripEdit::Phase(Phase::Left),
        StripEdit::Idle(true),
        StripEdit::Sleep(Sleep::After(2.5)),
        StripEdit::Solo(true),
    ] {
        handle.apply(Command::Strip(slot, edit)).unwrap();
    }
    handle.apply(Command::IfFails(slot, IfFails::Mute)).unwrap();
    near(heard(&handle, &mut processor), [-0.2, -0.05], "panned and turned");
    let strip =
        Strip { pan: -0.5, phase: Phase::Left, idle: true, sleep: Sleep::After(2.5), solo: true, ..Strip::default() };
    assert_eq!((view(&handle, slot).strip, view(&handle, slot).if_fails), (strip, IfFails::Mute));
    let saved = handle.save().unwrap();
    assert_ne!(saved, bare);
    let (again, mut processor) = session(&fixtures_catalog());
    again.load(&saved).unwrap();
    again.activate(live(64)).unwrap();
    assert_eq!(again.chain().unwrap().slot(slot).unwrap().strip, strip);
    near(heard(&again, &mut processor), [-0.2, -0.05], "after a load");
    assert_eq!(again.save().unwrap(), saved);
    again.apply(Command::Strip(slot, StripEdit::Mono(true))).unwrap();
    near(heard(&again, &mut processor), [-0.15, -0.075], "mono too");
    again.apply(Command::Strip(slot, StripEdit::Delta(true))).unwrap();
    near(heard(&again, &mut processor), [-0.55, 0.125], "delta");
    again.apply(Command::Strip(slot, StripEdit::Mute(true))).unwrap();
    near(heard(&again, &mut processor), [0.0, 0.0], "mute");
}

#[test]
fn what_a_strip_cannot_be_is_refused_by_name() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = gain(&handle, 1.0);
    let refused = |edit| handle.apply(Command::Strip(slot, edit)).unwrap_err();
    assert!(matches!(refused(StripEdit::Pan(1.5)), EditError::Range { max: 1.0, .. }));
    assert!(matches!(refused(StripEdit::Pan(f64::NAN)), EditError::Range { .. }));
    assert!(matches!(refused(StripEdit::Sleep(Sleep::After(-1.0))), EditError::Range { .. }));
    let gone = Command::Strip(SlotId(99), StripEdit::Mute(true));
    assert_eq!(handle.apply(gone).unwrap_err(), EditError::NoSlot(SlotId(99)));
    assert_eq!(handle.chain().unwrap().slot(slot).unwrap().strip, Strip::default());
}
