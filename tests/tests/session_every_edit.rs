//! Whatever kind of edit is made while a sine is played, it leaves no step in it; and no silence either, but where silence is what
//! the edit is for. What a chain is to take from now on has to be tried here too: the list of all kinds says so.

use std::collections::BTreeSet;

use catena_tests::fixtures::clap_id;
use catena_tests::random_edits::{KINDS, kind};
use catena_tests::session_bench::{Player, fixtures_catalog, live, session, steepest};
use host_core::model::{
    Adapt, Aim, Controller, Helpers, IfFails, LaneAux, LaneDelay, LatencyMode, Law, Letter, MacroId, MidiSettings,
    Node, Phase, PluginId, SidechainSource, Sleep, SlotId, Split,
};
use host_core::session::{Assignment, Command, LaneEdit, MacroEdit, SessionHandle, SnapshotEdit, StripEdit};

/// A chain over a sine that is played all the time.
struct Stage {
    handle: SessionHandle,
    tried: BTreeSet<&'static str>,
}

impl Stage {
    fn edit(&mut self, command: Command) -> SlotId {
        self.tried.insert(kind(&command));
        let what = format!("{command:?}");
        let id = self.handle.apply(command).unwrap_or_else(|error| panic!("{what}: {error}"));
        self.handle.settle();
        id.unwrap_or(SlotId(0))
    }

    fn add(&mut self, name: &str) -> SlotId {
        self.edit(Command::Add { plugin: PluginId::clap(clap_id(name)), index: 99 })
    }

    fn strip(&mut self, slot: SlotId, edit: StripEdit) {
        self.edit(Command::Strip(slot, edit));
    }

    fn lane(&mut self, lane: SlotId, edit: LaneEdit) {
        self.edit(Command::Lane(lane, edit));
    }

    fn lanes(&self, group: SlotId) -> Vec<SlotId> {
        self.handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect()
    }
}

/// Plays over what `edits` does; what comes out.
fn played(edits: impl FnOnce(&mut Stage)) -> (Vec<f32>, BTreeSet<&'static str>) {
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    let mut stage = Stage { handle, tried: BTreeSet::new() };
    edits(&mut stage);
    let (_processor, out) = player.stop();
    (out, stage.tried)
}

fn assert_no_step(out: &[f32]) {
    let steps = out.windows(2).enumerate().map(|(at, pair)| (at, (pair[1] - pair[0]).abs()));
    let (at, worst) = steps.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!(worst <= 2.0 * steepest(), "a step of {worst} at frame {at}; the sine's own is {}", steepest());
}

fn assert_no_silence(out: &[f32]) {
    let silent = out.chunks_exact(64).position(|block| block.iter().all(|sample| sample.abs() < 1e-4));
    assert_eq!(silent, None, "a silent block");
}

/// Everything that lets sound through.
fn loud(stage: &mut Stage) {
    let gain = stage.add("gain");
    let presets = stage.add("presets");
    let side = stage.add("sidechain");
    // Far from each other, so that a hard switch of what follows is a step that shows.
    stage.edit(Command::Preset(presets, "Quiet".into()));
    stage.edit(Command::Preset(presets, "Loud".into()));
    stage.edit(Command::OutputGain(presets, -5.0));
    stage.edit(Command::OutputGain(gain, -14.0));
    stage.edit(Command::Param(gain, "100".into(), 0.95));
    stage.edit(Command::Move { slot: side, index: 0 });
    stage.edit(Command::Bypass(gain, true));
    stage.edit(Command::Bypass(gain, false));
    stage.edit(Command::Mix(gain, 0.5));
    stage.edit(Command::InputGain(gain, -3.0));
    stage.edit(Command::OutputGain(gain, -11.0));
    stage.edit(Command::Adapt(gain, Adapt::Multi));
    stage.edit(Command::IfFails(gain, IfFails::Mute));
    stage.edit(Command::Midi(gain, MidiSettings { transpose: 2, ..MidiSettings::default() }));
    stage.edit(Command::MergeMidi(gain, true));
    stage.edit(Command::Sidechain(side, SidechainSource::None));
    stage.edit(Command::Helpers(gain, Helpers::On));
    stage.edit(Command::Oversample(gain, 4));
    stage.edit(Command::Oversample(gain, 1));
    stage.edit(Command::Rename(gain, Some("another".into())));
    for edit in [Command::Gesture(true), Command::Gesture(false), Command::Undo, Command::Redo] {
        stage.edit(edit);
    }
    stage.edit(Command::Snapshot(Letter::A, SnapshotEdit::Store));
    stage.edit(Command::Mix(gain, 0.7));
    stage.edit(Command::Snapshot(Letter::A, SnapshotEdit::CopyTo(Letter::B)));
    stage.edit(Command::Snapshot(Letter::A, SnapshotEdit::Recall));
    stage.edit(Command::Snapshot(Letter::A, SnapshotEdit::Clear));
    let at = stage.handle.snapshot().history.at;
    stage.edit(Command::GoTo(at - 2));
    stage.edit(Command::GoTo(at));
    stage.edit(Command::Retry(gain));
    stage.edit(Command::Match(gain));
    stage.strip(gain, StripEdit::Pan(-0.4));
    stage.strip(gain, StripEdit::Mono(true));
    stage.strip(gain, StripEdit::Solo(true));
    stage.strip(gain, StripEdit::Solo(false));
    stage.strip(gain, StripEdit::Idle(true));
    stage.strip(gain, StripEdit::Sleep(Sleep::Tail));
    // Far from the dry, so that a plugin that is put in hard is a step that shows.
    for plugin in ["mono", "presets", "gain"] {
        stage.edit(Command::Replace { slot: presets, plugin: PluginId::clap(clap_id(plugin)) });
    }
    stage.edit(Command::Many(vec![
        Command::Mix(gain, 0.4),
        Command::OutputGain(presets, -9.0),
        Command::Strip(gain, StripEdit::Pan(0.2)),
        Command::Move { slot: side, index: 1 },
    ]));
    let copy = stage.edit(Command::Duplicate(gain));
    stage.edit(Command::Remove(copy));
    let nodes = stage.handle.chain().unwrap().slot(gain).cloned().map(|slot| Node::Slot(Box::new(slot)));
    let pasted =
        stage.edit(Command::Paste { nodes: nodes.into_iter().collect(), macros: vec![], into: None, index: 1 });
    stage.edit(Command::Remove(pasted));
    let eight = stage.add("widens");
    stage.edit(Command::Bypass(eight, true));
    stage.edit(Command::Remove(eight));
    let number = MacroId::at(0).unwrap();
    let aim = Aim::Mix(gain);
    let law = Law { min: 0.2, max: 0.9, curve: 0.3, inverted: false };
    for edit in [
        MacroEdit::Map { aim: aim.clone(), range: Some((0.0, 1.0)) },
        MacroEdit::Value(0.9),
        MacroEdit::Shape { aim: aim.clone(), law },
        MacroEdit::Value(0.1),
        MacroEdit::Name(Some("knob".into())),
        MacroEdit::Learn(true),
        MacroEdit::Learn(false),
        MacroEdit::Assign(Assignment::Chain(Controller::new(1, 20, false).unwrap())),
        MacroEdit::LearnController { on: true, in_chain: true },
        MacroEdit::LearnController { on: false, in_chain: true },
        MacroEdit::Unmap(Some(aim)),
    ] {
        stage.edit(Command::Macro(number, edit));
    }
    let pages = stage.edit(Command::Add { plugin: PluginId::clap(clap_id("pages")), index: 0 });
    stage.edit(Command::MapPage { slot: pages, page: 0, first: None });
    lanes(stage, gain);
    stage.edit(Command::Latency(LatencyMode::Constant(5.0)));
    stage.edit(Command::Latency(LatencyMode::Live));
    stage.edit(Command::Latency(LatencyMode::True));
    stage.edit(Command::Cores(true));
    stage.edit(Command::Cores(false));
    stage.edit(Command::HoldLatency(true));
    stage.edit(Command::ApplyHeld);
    stage.edit(Command::Grid(16));
    stage.edit(Command::RenameChain("another".into()));
    stage.edit(Command::Guard(Some(true)));
    stage.edit(Command::Reopen);
    stage.edit(Command::ResetMeters);
    stage.edit(Command::Clear);
    stage.handle.save().unwrap();
}

fn lanes(stage: &mut Stage, gain: SlotId) {
    let group = stage.edit(Command::Parallel { from: gain, to: gain, split: Split::Copy });
    let of = stage.lanes(group);
    stage.lane(of[0], LaneEdit::Gain(-6.0));
    let plugin = PluginId::clap(clap_id("gain"));
    stage.lane(of[1], LaneEdit::Gain(-20.0));
    let second = stage.edit(Command::AddInto { plugin, lane: of[1], index: 0 });
    stage.edit(Command::LevelLanes(group));
    stage.edit(Command::MoveInto { node: second, into: Some(of[0]), index: 0 });
    stage.lane(of[0], LaneEdit::Pan(0.3));
    stage.lane(of[0], LaneEdit::Delay(LaneDelay::Frames(30)));
    stage.lane(of[0], LaneEdit::Solo(true));
    stage.lane(of[1], LaneEdit::Mute(true));
    stage.lane(of[1], LaneEdit::Dry(true));
    stage.lane(of[1], LaneEdit::Aux(Some(LaneAux { out: 1, only: false })));
    stage.lane(of[1], LaneEdit::Name(Some("beside".into())));
    stage.lane(of[1], LaneEdit::Colour(Some([1, 2, 3])));
    let third = stage.edit(Command::AddLane { group, index: 9 });
    stage.edit(Command::MoveLane { lane: third, index: 0 });
    stage.edit(Command::RemoveLane(third));
    stage.edit(Command::Split(group, Split::LeftRight));
    stage.edit(Command::Split(group, Split::Copy));
    stage.edit(Command::RenameLanes(group, Some("both".into())));
    stage.edit(Command::Dissolve(group));
    for split in [Split::MidSide, Split::LeftRight, Split::Bands(vec![500.0, 3000.0])] {
        let group = stage.edit(Command::Parallel { from: gain, to: gain, split });
        stage.edit(Command::Dissolve(group));
    }
}

/// What may fall silent, or pass through zero on its way upside down.
fn quiet(stage: &mut Stage) {
    let gain = stage.add("gain");
    for edit in [StripEdit::Mute(true), StripEdit::Mute(false), StripEdit::Delta(true), StripEdit::Delta(false)] {
        stage.strip(gain, edit);
    }
    stage.strip(gain, StripEdit::Phase(Phase::Both));
    stage.edit(Command::BypassChain(true));
    stage.edit(Command::BypassChain(false));
}

#[test]
fn no_edit_leaves_a_step_in_a_sine_or_silence() {
    let (out, mut tried) = played(loud);
    assert_no_step(&out[64..]);
    assert_no_silence(&out[64..]);
    let (out, silent) = played(quiet);
    assert_no_step(&out[64..]);
    tried.extend(silent);
    // It ends every echo, and so the sound; a slot's further outputs and windows are not heard here, and nothing is asked of these
    // plugins.
    let elsewhere = ["panic", "aux", "accept", "close", "open window", "close window", "put window back", "show"];
    let missing: Vec<_> = KINDS.iter().filter(|kind| !tried.contains(*kind) && !elsewhere.contains(*kind)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
