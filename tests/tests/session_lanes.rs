//! Lanes made, filled, changed and taken apart while a chain plays: nothing is heard as a step or a gap, and what is left is what
//! the model says.

use catena_tests::fixtures;
use catena_tests::session_bench::{Player, fixtures_catalog, live, lv2_catalog, session, steepest};
use catena_tests::slow_player::{LEVEL, SlowPlayer, largest_step};
use host_core::model::{LaneDelay, Node, PluginId, SlotId, Split};
use host_core::session::{Command, EditError, LaneEdit, NodeView, SessionHandle};

/// An amplifier, at 0 dB until told otherwise.
const AMP: &str = "http://lv2plug.in/plugins/eg-amp";
/// A limiter that delays and leaves -6 dBFS alone.
const LIMITER: &str = "http://gareus.org/oss/lv2/dpl#stereo";
/// Steepest step between two samples of two copies at [`LEVEL`] that fade in 10 ms, generously.
const STEP: f32 = 0.02;

fn gain(handle: &SessionHandle) -> SlotId {
    let plugin = PluginId::clap(fixtures::clap_id("gain"));
    handle.apply(Command::Add { plugin, index: 99 }).unwrap().unwrap()
}

fn lanes_of(handle: &SessionHandle, group: SlotId) -> Vec<SlotId> {
    handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect()
}

fn parallel(handle: &SessionHandle, slot: SlotId, split: Split) -> (SlotId, Vec<SlotId>) {
    let group = handle.apply(Command::Parallel { from: slot, to: slot, split }).unwrap().unwrap();
    (group, lanes_of(handle, group))
}

/// Level after everything has arrived.
fn level(handle: &SessionHandle, player: &SlowPlayer) -> f32 {
    handle.settle();
    // A slot rises in 10 ms, then its lane in 20 ms: 24 blocks, with a tick of home between.
    player.wait(48);
    player.last()
}

#[test]
fn making_lanes_keeps_the_level_and_each_lane_counts_from_when_it_holds_something() {
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = gain(&handle);
    handle.apply(Command::Param(slot, "100".into(), 0.5)).unwrap();
    let player = SlowPlayer::start(processor);
    let (group, lanes) = parallel(&handle, slot, Split::Copy);
    let heard = |lane: LaneEdit, of: SlotId| {
        handle.apply(Command::Lane(of, lane)).unwrap();
        level(&handle, &player) / LEVEL
    };
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-4, "{a} instead of {b}");
    near(level(&handle, &player) / LEVEL, 0.5);
    near(heard(LaneEdit::Dry(true), lanes[1]), 1.5);
    near(heard(LaneEdit::Gain(-20.0), lanes[1]), 0.6);
    near(heard(LaneEdit::Mute(true), lanes[0]), 0.1);
    near(heard(LaneEdit::Solo(true), lanes[0]), 0.0);
    near(heard(LaneEdit::Mute(false), lanes[0]), 0.5);
    near(heard(LaneEdit::Solo(false), lanes[0]), 0.6);
    handle.apply(Command::LevelLanes(group)).unwrap();
    near(level(&handle, &player) / LEVEL, 0.75);
    near(heard(LaneEdit::Dry(false), lanes[1]), 0.25);
    let plugin = PluginId::clap(fixtures::clap_id("gain"));
    let second = handle.apply(Command::AddInto { plugin, lane: lanes[1], index: 0 }).unwrap().unwrap();
    near(level(&handle, &player) / LEVEL, 0.75);
    handle.apply(Command::MoveInto { node: slot, into: Some(lanes[1]), index: 1 }).unwrap();
    near(level(&handle, &player) / LEVEL, 0.25);
    handle.apply(Command::MoveInto { node: second, into: None, index: 0 }).unwrap();
    near(level(&handle, &player) / LEVEL, 0.25);
    let third = handle.apply(Command::AddLane { group, index: 0 }).unwrap().unwrap();
    near(level(&handle, &player) / LEVEL, 0.25);
    handle.apply(Command::RemoveLane(lanes[1])).unwrap();
    near(level(&handle, &player) / LEVEL, 0.0);
    handle.apply(Command::Lane(third, LaneEdit::Dry(true))).unwrap();
    near(level(&handle, &player) / LEVEL, 1.0);
    handle.apply(Command::Dissolve(group)).unwrap();
    near(level(&handle, &player) / LEVEL, 1.0);
    assert_eq!(handle.chain().unwrap().slots().map(|slot| slot.id).collect::<Vec<_>>(), [second]);
    let (_processor, out) = player.stop();
    let (at, step) = largest_step(&out);
    assert!(step < STEP, "a step of {step} at frame {at}");
}

fn add(handle: &SessionHandle, uri: &str, index: usize) -> SlotId {
    handle.apply(Command::Add { plugin: PluginId::lv2(uri), index }).unwrap().unwrap()
}

#[test]
fn lanes_of_every_kind_come_change_and_go_in_a_sine_without_a_step() {
    let (handle, processor) = session(&lv2_catalog(&["eg-amp.lv2", "dpl.lv2"]));
    let limiter = add(&handle, LIMITER, 0);
    handle.activate(live(64)).unwrap();
    let latency = handle.latency();
    let player = Player::start(processor);
    let bands = |frequencies: &[f64]| Split::Bands(frequencies.to_vec());
    for split in [Split::Copy, Split::MidSide, Split::LeftRight, bands(&[400.0, 4000.0])] {
        let amp = add(&handle, AMP, 0);
        let (group, lanes) = parallel(&handle, amp, split.clone());
        handle.settle();
        handle.apply(Command::Move { slot: limiter, index: 0 }).unwrap();
        handle.apply(Command::Move { slot: group, index: 0 }).unwrap();
        if split.lanes() == Some(3) {
            handle.apply(Command::Split(group, bands(&[200.0, 6000.0]))).unwrap();
            handle.apply(Command::Split(group, bands(&[100.0, 900.0, 6000.0]))).unwrap();
        }
        handle.apply(Command::Lane(lanes[1], LaneEdit::Delay(LaneDelay::Frames(48)))).unwrap();
        handle.apply(Command::Lane(lanes[1], LaneEdit::Delay(LaneDelay::Frames(0)))).unwrap();
        handle.settle();
        handle.apply(Command::Dissolve(group)).unwrap();
        handle.apply(Command::Remove(amp)).unwrap();
        handle.settle();
    }
    // From one kind to another and to a lane within a lane.
    let amp = add(&handle, AMP, 0);
    let (group, lanes) = parallel(&handle, amp, Split::MidSide);
    for split in [Split::LeftRight, bands(&[1000.0]), Split::MidSide] {
        handle.apply(Command::Split(group, split)).unwrap();
        handle.settle();
    }
    let (inner, _) = parallel(&handle, amp, bands(&[500.0]));
    assert_eq!(handle.chain().unwrap().place(inner), Some((Some(lanes[0]), 0)));
    handle.settle();
    handle.apply(Command::Remove(group)).unwrap();
    handle.settle();
    assert_eq!(handle.latency(), latency, "none of these edits changes the latency");
    let (_processor, out) = player.stop();
    let out = &out[latency as usize + 64..];
    let steps = out.windows(2).enumerate().map(|(i, pair)| (i, (pair[1] - pair[0]).abs()));
    let (at, worst) = steps.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!(worst <= 2.0 * steepest(), "a step of {worst} at frame {at}; the sine's own is {}", steepest());
    let silent = out.chunks_exact(64).position(|block| block.iter().all(|sample| sample.abs() < 1e-4));
    assert_eq!(silent, None, "a silent block");
}

#[test]
fn the_longest_lane_is_the_latency_and_lanes_survive_a_save() {
    let (handle, _processor) = session(&lv2_catalog(&["dpl.lv2"]));
    handle.activate(live(64)).unwrap();
    let late = add(&handle, LIMITER, 0);
    handle.settle();
    let (group, lanes) = parallel(&handle, late, Split::Copy);
    handle.settle();
    let alone = handle.latency();
    assert!(alone > 0);
    handle.apply(Command::Lane(lanes[1], LaneEdit::Dry(true))).unwrap();
    handle.apply(Command::Lane(lanes[1], LaneEdit::Pan(-0.25))).unwrap();
    handle.apply(Command::Lane(lanes[0], LaneEdit::Name(Some("Spät".into())))).unwrap();
    handle.apply(Command::Lane(lanes[0], LaneEdit::Colour(Some([255, 128, 0])))).unwrap();
    handle.apply(Command::Lane(lanes[0], LaneEdit::Delay(LaneDelay::Ms(2.5)))).unwrap();
    handle.settle();
    assert_eq!(handle.latency(), alone, "a lane's own delay is none of the chain's latency");
    let saved = handle.save().unwrap();
    let chain = handle.chain().unwrap();
    let (again, _processor) = session(&lv2_catalog(&["dpl.lv2"]));
    again.load(&saved).unwrap();
    assert_eq!(again.chain().unwrap().nodes, chain.nodes);
    assert_eq!(again.save().unwrap(), saved);
    let shown = handle.snapshot();
    let [NodeView::Lanes(view)] = &shown.nodes[..] else { panic!("{:?}", shown.nodes) };
    assert_eq!((view.id, view.lanes[0].title.as_str(), view.lanes[1].heard), (group, "Spät", true));
    assert_eq!(view.lanes[0].nodes, [NodeView::Slot(late)]);
}

#[test]
fn edits_that_cannot_be_say_why_and_change_nothing() {
    let (handle, _processor) = session(&fixtures_catalog());
    let (a, b) = (gain(&handle), gain(&handle));
    let (group, lanes) = parallel(&handle, a, Split::MidSide);
    let before = handle.chain().unwrap();
    let refused = |command: Command| handle.apply(command).unwrap_err();
    assert_eq!(refused(Command::Parallel { from: a, to: b, split: Split::Copy }), EditError::Apart(a, b));
    assert_eq!(refused(Command::AddLane { group, index: 0 }), EditError::FixedLanes(2));
    assert_eq!(refused(Command::RemoveLane(lanes[0])), EditError::FixedLanes(2));
    assert_eq!(refused(Command::Split(group, Split::Bands(vec![500.0, 100.0]))), EditError::Bands);
    assert_eq!(refused(Command::MoveInto { node: group, into: Some(lanes[1]), index: 0 }), EditError::Inside(lanes[1]));
    assert_eq!(refused(Command::Lane(b, LaneEdit::Mute(true))), EditError::NoLane(b));
    assert_eq!(refused(Command::Dissolve(lanes[0])), EditError::NoLanes(lanes[0]));
    assert!(matches!(refused(Command::Lane(lanes[0], LaneEdit::Pan(2.0))), EditError::Range { .. }));
    assert_eq!(handle.chain().unwrap().nodes, before.nodes);
    let mut depth = 1;
    let error = loop {
        match handle.apply(Command::Parallel { from: a, to: a, split: Split::Copy }) {
            Ok(_) => depth += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((depth, error), (16, EditError::Depth));
    assert!(matches!(handle.chain().unwrap().nodes[0], Node::Lanes(_)));
}
