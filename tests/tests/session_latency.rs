//! The latency that a DAW is told follows what the plugins tell, and an impulse lands where it says.

use catena_tests::fixtures;
use catena_tests::session_bench::{
    add as add_fixture, block, fixtures_catalog, live, lv2_catalog, roll, session, sine, until,
};
use host_core::engine::Processor;
use host_core::model::{LatencyMode, PluginId, SlotId, Split};
use host_core::session::{Command, LaneEdit, LatencyChange, SessionHandle};

/// A look-ahead limiter: delays, and tells by how much on its latency port.
const LIMITER: &str = "http://gareus.org/oss/lv2/dpl#stereo";

/// Frame at which an impulse, sent at frame `at`, comes out.
fn impulse_lands(processor: &mut Processor, at: usize) -> usize {
    let mut out = Vec::new();
    while out.len() < at + 20_000 {
        let mut left = [0.0; 256];
        if (out.len()..out.len() + 256).contains(&at) {
            left[at - out.len()] = 0.25;
        }
        let mut right = left;
        block(processor, &mut left, &mut right);
        out.extend_from_slice(&left);
    }
    (0..out.len()).max_by(|a, b| out[*a].abs().total_cmp(&out[*b].abs())).unwrap()
}

fn add(handle: &SessionHandle, uri: &str) {
    handle.apply(Command::Add { plugin: PluginId::lv2(uri), index: 99 }).unwrap();
}

#[test]
fn the_report_is_where_an_impulse_lands() {
    let (handle, mut processor) = session(&lv2_catalog(&["dpl.lv2"]));
    add(&handle, LIMITER);
    add(&handle, LIMITER);
    handle.activate(live(256)).unwrap();
    let slot = handle.snapshot().slots[0].latency;
    assert!(slot > 0, "the limiter delays");
    assert_eq!(handle.latency(), 2 * slot);
    assert!(handle.take_outbox().latency);
    assert!(!handle.take_outbox().latency, "an errand is given once");
    let lands = impulse_lands(&mut processor, 1000);
    assert_eq!(lands as u32, 1000 + handle.latency());
    let first = handle.snapshot().slots[0].id;
    handle.apply(Command::Bypass(first, true)).unwrap();
    assert_eq!(handle.latency(), 2 * slot, "bypass changes no latency");
    handle.apply(Command::Remove(first)).unwrap();
    assert_eq!(handle.latency(), slot);
    assert!(handle.take_outbox().latency);
}

/// Rolls on until `done`.
fn roll_until(processor: &mut Processor, from: &mut usize, playing: bool, done: impl Fn() -> bool) -> Vec<f32> {
    let mut heard = Vec::new();
    let came = until(|| {
        heard.extend(roll(processor, from, 4, playing));
        done()
    });
    assert!(came, "it never came");
    heard
}

fn delay(handle: &SessionHandle, frames: f64) -> SlotId {
    let id = add_fixture(handle, "latency-jump");
    handle.apply(Command::Param(id, "100".into(), frames)).unwrap();
    id
}

#[test]
fn an_edit_says_what_it_does_to_the_latency_before_it_is_done() {
    fixtures::worker();
    let (handle, _processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let [first, second, third] = [64.0, 512.0, 100.0].map(|frames| delay(&handle, frames));
    assert!(until(|| handle.latency() == 676));
    let group = handle.apply(Command::Parallel { from: second, to: second, split: Split::Copy }).unwrap().unwrap();
    let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    let lie = PluginId::clap(fixtures::clap_id("latency-lie"));
    let commands = [
        (Command::Remove(first), 612),
        (Command::Remove(group), 164),
        (Command::MoveInto { node: third, into: Some(lanes[1]), index: 0 }, 576),
        (Command::Move { slot: first, index: 9 }, 676),
        (Command::Bypass(first, true), 676),
        (Command::Mix(first, 0.5), 676),
        (Command::Latency(LatencyMode::Live), 0),
        (Command::Latency(LatencyMode::Constant(20.0)), 960),
        (Command::Add { plugin: lie.clone(), index: 0 }, 708),
        (Command::AddInto { plugin: lie, lane: lanes[1], index: 0 }, 676),
        (Command::Clear, 0),
    ];
    let nodes = handle.chain().unwrap().nodes;
    for (command, after) in commands {
        let change = handle.preview(command.clone()).unwrap();
        assert_eq!(change, Some(LatencyChange { before: 676, after }), "{command:?}");
        assert_eq!(handle.latency(), 676, "nothing is done");
    }
    assert_eq!(handle.chain().unwrap().nodes, nodes, "nothing is done");
    assert_eq!(handle.preview(Command::Param(first, "100".into(), 9.0)).unwrap(), None, "the plugin's own secret");
    assert!(handle.preview(Command::Remove(SlotId(99))).is_err());
    handle.apply(Command::MoveInto { node: third, into: Some(lanes[1]), index: 0 }).unwrap();
    assert_eq!(handle.latency(), 576);
    let dissolved = handle.preview(Command::Dissolve(group)).unwrap().unwrap();
    assert_eq!(dissolved.to_string(), "latency 576 -> 676 samples (+100)");
    handle.apply(Command::Dissolve(group)).unwrap();
    assert_eq!(handle.latency(), 676);
}

#[test]
fn an_edit_that_changes_the_latency_waits_for_the_stop_where_the_user_wants_that() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let late = delay(&handle, 512.0);
    let gain = add_fixture(&handle, "gain");
    assert!(until(|| handle.latency() == 512));
    handle.apply(Command::HoldLatency(true)).unwrap();
    handle.take_outbox();
    let mut at = 0;
    let steady = |heard: &[f32], from: usize| {
        let odd = (0..heard.len()).find(|i| (heard[*i] - sine(from + i - 512)).abs() > 1e-4);
        assert_eq!(odd, None, "the sound goes on as it was");
    };
    roll(&mut processor, &mut at, 100, true);
    handle.apply(Command::Remove(late)).unwrap();
    let from = at;
    steady(&roll(&mut processor, &mut at, 100, true), from);
    assert!(until(|| handle.snapshot().held == Some(LatencyChange { before: 512, after: 0 })));
    assert_eq!((handle.latency(), handle.take_outbox().latency), (512, false), "the DAW hears nothing of it yet");
    assert_eq!(handle.chain().unwrap().slots().count(), 1, "what is saved is the edit");
    // Settings of slots are heard all the same.
    handle.apply(Command::OutputGain(gain, -6.0206)).unwrap();
    let heard = roll_until(&mut processor, &mut at, true, || handle.snapshot().held.is_some());
    let heard = [heard, roll(&mut processor, &mut at, 60, true)].concat();
    let peak = heard[heard.len() - 960..].iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    assert!((peak - 0.25).abs() < 1e-3, "{peak}");
    // The song stops: it is done.
    roll_until(&mut processor, &mut at, false, || handle.latency() == 0);
    handle.settle();
    assert!(handle.take_outbox().latency && handle.snapshot().held.is_none());
    // And once more, by force.
    let lane = handle.apply(Command::Parallel { from: gain, to: gain, split: Split::Copy }).unwrap().unwrap();
    roll_until(&mut processor, &mut at, true, || handle.snapshot().held.is_none());
    let lane = handle.chain().unwrap().group(lane).unwrap().lanes[1].id;
    handle.apply(Command::Lane(lane, LaneEdit::Dry(true))).unwrap();
    let lie = PluginId::clap(fixtures::clap_id("latency-lie"));
    handle.apply(Command::AddInto { plugin: lie, lane, index: 0 }).unwrap();
    roll_until(&mut processor, &mut at, true, || handle.snapshot().held.is_some());
    assert_eq!(handle.latency(), 0);
    handle.apply(Command::ApplyHeld).unwrap();
    roll_until(&mut processor, &mut at, true, || handle.latency() == 32);
    // Without the setting nothing waits.
    handle.apply(Command::HoldLatency(false)).unwrap();
    handle.send(Command::RemoveLane(lane));
    roll_until(&mut processor, &mut at, true, || handle.latency() == 0);
}

#[test]
fn a_plugin_that_changes_its_latency_while_it_plays_disturbs_nobody() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let jumps = delay(&handle, 0.0);
    let beside = add_fixture(&handle, "gain");
    let group = handle.apply(Command::Parallel { from: jumps, to: jumps, split: Split::Copy }).unwrap().unwrap();
    let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    handle.apply(Command::MoveInto { node: beside, into: Some(lanes[1]), index: 0 }).unwrap();
    handle.settle();
    let mut at = 0;
    let mut heard = roll(&mut processor, &mut at, 100, true);
    for frames in [480.0, 100.0, 4800.0, 0.0] {
        handle.send(Command::Param(jumps, "100".into(), frames));
        heard.extend(roll_until(&mut processor, &mut at, true, || handle.latency() == frames as u32));
        heard.extend(roll_until(&mut processor, &mut at, true, || {
            handle.snapshot().slots.iter().all(|slot| slot.latency == 0 || slot.latency == frames as u32)
        }));
        // Delay lines fill, lanes fade in: then both lanes are the same sound again.
        heard.extend(roll(&mut processor, &mut at, 200, true));
        let late = heard.len() - 960 - frames as usize;
        let both = &heard[heard.len() - 960..];
        let odd = (0..960).find(|i| (both[*i] - 2.0 * sine(late + i)).abs() > 1e-3);
        assert_eq!(
            odd,
            None,
            "after {frames}: {} and not {}",
            both[odd.unwrap_or(0)],
            2.0 * sine(late + odd.unwrap_or(0))
        );
    }
    // The lane beside was heard all the time: no block is silent, and nothing jumps by more than a fade does.
    for (number, block) in heard.chunks_exact(64).enumerate().skip(1) {
        assert!(block.iter().any(|x| x.abs() > 0.2), "block {number} is silent");
    }
    let steepest = 2.0 * catena_tests::session_bench::steepest();
    let jump = heard.windows(2).enumerate().find(|(_, pair)| (pair[1] - pair[0]).abs() > 2.0 * steepest);
    assert!(jump.is_none(), "{jump:?}");
}

#[test]
fn a_plugin_that_lies_about_its_latency_misaligns_itself_alone() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(256)).unwrap();
    // It says 32 and delays by nothing.
    let lies = add_fixture(&handle, "latency-lie");
    let honest = delay(&handle, 100.0);
    let beside = add_fixture(&handle, "gain");
    assert!(until(|| handle.latency() == 132));
    let group = handle.apply(Command::Parallel { from: lies, to: lies, split: Split::Copy }).unwrap().unwrap();
    let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    handle.apply(Command::MoveInto { node: beside, into: Some(lanes[1]), index: 0 }).unwrap();
    handle.settle();
    assert_eq!(handle.latency(), 132);
    let mut impulse_of = |mute: Option<SlotId>| {
        for lane in &lanes {
            handle.apply(Command::Lane(*lane, LaneEdit::Mute(Some(*lane) == mute))).unwrap();
        }
        impulse_lands(&mut processor, 5000);
        impulse_lands(&mut processor, 5000)
    };
    assert_eq!(impulse_of(Some(lanes[0])), 5132, "the lane beside is where the DAW expects it");
    assert_eq!(impulse_of(Some(lanes[1])), 5100, "the liar is early by what it lied");
    handle.apply(Command::Bypass(honest, true)).unwrap();
    assert_eq!(impulse_of(Some(lanes[0])), 5132);
    handle.apply(Command::Bypass(lies, true)).unwrap();
    assert_eq!(impulse_of(Some(lanes[1])), 5132, "bypassed, it is late by what it said");
}
