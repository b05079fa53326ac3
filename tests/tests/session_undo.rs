//! Every edit is one step of undo: taken back, the chain saves to the bytes it had before; done again, to those after it.
//! Whether sound runs, none does, or no block ever came.

use std::collections::BTreeSet;

use catena_tests::random_edits::{KINDS, kind};
use catena_tests::session_bench::{Player, add, fixtures_catalog, live, session};
use host_core::model::{
    Adapt, Aim, Controller, Helpers, IfFails, Lane, LaneAux, LaneDelay, Lanes, LatencyMode, Law, Letter, MacroId,
    MidiSettings, Node, Phase, PluginId, PluginState, SidechainSource, Sleep, Slot, SlotId, Split,
};
use host_core::session::{Assignment, Command, LaneEdit, MacroEdit, NodeView, SessionHandle, SnapshotEdit, StripEdit};

/// What changes no setting, and so is no step.
const NO_STEPS: [&str; 18] = [
    "retry",
    "accept",
    "close",
    "apply held",
    "panic",
    "reopen",
    "match",
    "open window",
    "close window",
    "put window back",
    "show",
    "reset meters",
    "gesture",
    "undo",
    "redo",
    "go to",
    "macro learn",
    "macro learn controller",
];

/// A chain that every edit can be made in.
struct Base {
    gain: SlotId,
    presets: SlotId,
    side: SlotId,
    instrument: SlotId,
    pages: SlotId,
    group: SlotId,
    lanes: [SlotId; 2],
}

fn fixture(name: &str) -> PluginId {
    PluginId::clap(catena_tests::fixtures::clap_id(name))
}

fn number(number: usize) -> MacroId {
    MacroId::new(number).unwrap()
}

impl Base {
    fn make(handle: &SessionHandle) -> Self {
        let [gain, presets, side, instrument, pages] =
            ["gain", "presets", "sidechain", "instrument", "pages"].map(|name| add(handle, name));
        let group = handle.apply(Command::Parallel { from: gain, to: gain, split: Split::Copy }).unwrap().unwrap();
        let shown = handle.snapshot();
        let lanes = shown.nodes.iter().find_map(|node| match node {
            NodeView::Lanes(view) if view.id == group => Some([view.lanes[0].id, view.lanes[1].id]),
            _ => None,
        });
        let lanes = lanes.expect("two lanes");
        for edit in [
            Command::Snapshot(Letter::A, SnapshotEdit::Store),
            Command::AddInto { plugin: fixture("eight"), lane: lanes[1], index: 0 },
            Command::Param(gain, "100".into(), 0.5),
            Command::Macro(number(1), MacroEdit::Map { aim: Aim::Mix(presets), range: None }),
        ] {
            handle.apply(edit).unwrap();
        }
        Self { gain, presets, side, instrument, pages, group, lanes }
    }

    /// One or more of every edit that is a step.
    fn edits(&self) -> Vec<Command> {
        let Self { gain, presets, side, instrument, pages, group, lanes: [one, two] } = *self;
        let bands = Split::Bands(vec![500.0]);
        let law = Law { min: 0.2, max: 0.7, curve: 0.5, inverted: true };
        let mut edits = vec![
            Command::Add { plugin: fixture("delay"), index: 1 },
            Command::AddInto { plugin: fixture("mono"), lane: one, index: 0 },
            Command::Replace { slot: gain, plugin: fixture("mono") },
            Command::Replace { slot: presets, plugin: fixture("latency-jump") },
            Command::Replace { slot: side, plugin: fixture("gain") },
            Command::Duplicate(gain),
            Command::Duplicate(presets),
            Command::Paste { nodes: copied(), macros: vec![], into: None, index: 1 },
            Command::Paste { nodes: copied(), macros: vec![], into: Some(one), index: 9 },
            Command::Remove(gain),
            Command::Remove(presets),
            Command::Remove(group),
            Command::Move { slot: pages, index: 0 },
            Command::MoveInto { node: side, into: Some(two), index: 0 },
            Command::MoveInto { node: gain, into: None, index: 9 },
            Command::Parallel { from: presets, to: side, split: Split::Copy },
            Command::Parallel { from: presets, to: side, split: Split::MidSide },
            Command::Parallel { from: presets, to: side, split: Split::LeftRight },
            Command::Parallel { from: presets, to: side, split: Split::Bands(vec![700.0]) },
            Command::Dissolve(group),
            Command::Split(group, bands),
            Command::Split(group, Split::LeftRight),
            Command::RenameLanes(group, Some("both".into())),
            Command::AddLane { group, index: 1 },
            Command::RemoveLane(two),
            Command::MoveLane { lane: two, index: 0 },
            Command::LevelLanes(group),
            Command::Bypass(gain, true),
            Command::Param(gain, "100".into(), 1.5),
            Command::Mix(presets, 0.25),
            Command::Mix(side, 0.25),
            Command::InputGain(gain, -3.0),
            Command::OutputGain(gain, 6.0),
            Command::Adapt(presets, Adapt::Sum),
            Command::IfFails(gain, IfFails::Mute),
            Command::Midi(instrument, MidiSettings { transpose: 7, ..MidiSettings::default() }),
            Command::Sidechain(side, SidechainSource::None),
            Command::Oversample(presets, 2),
            Command::Aux(instrument, 0, Some(3)),
            Command::MergeMidi(instrument, true),
            Command::Rename(gain, Some("Louder".into())),
            Command::Preset(presets, "Quiet".into()),
            Command::RenameChain("other".into()),
            Command::Latency(LatencyMode::Constant(5.0)),
            Command::Latency(LatencyMode::Live),
            Command::HoldLatency(true),
            Command::Cores(true),
            Command::Helpers(gain, Helpers::Off),
            Command::Grid(128),
            Command::BypassChain(true),
            Command::Clear,
            Command::Guard(Some(true)),
            Command::MapPage { slot: pages, page: 0, first: None },
            Command::Snapshot(Letter::B, SnapshotEdit::Store),
            Command::Snapshot(Letter::A, SnapshotEdit::Recall),
            Command::Snapshot(Letter::A, SnapshotEdit::CopyTo(Letter::C)),
            Command::Snapshot(Letter::A, SnapshotEdit::Clear),
            Command::Many(vec![Command::Bypass(gain, true), Command::Bypass(side, true)]),
            Command::Many(vec![Command::OutputGain(gain, 3.0), Command::OutputGain(side, -3.0)]),
            Command::Many(vec![Command::Remove(gain), Command::Remove(presets), Command::Remove(pages)]),
            Command::Many(vec![Command::Duplicate(gain), Command::Duplicate(presets)]),
            Command::Many(vec![Command::Move { slot: pages, index: 0 }, Command::Move { slot: side, index: 1 }]),
        ];
        let lane_edits = [
            LaneEdit::Gain(-6.0),
            LaneEdit::Pan(0.5),
            LaneEdit::Mute(true),
            LaneEdit::Solo(true),
            LaneEdit::Delay(LaneDelay::Frames(100)),
            LaneEdit::Aux(Some(LaneAux { out: 2, only: false })),
            LaneEdit::Dry(true),
            LaneEdit::Name(Some("dirt".into())),
            LaneEdit::Colour(Some([1, 2, 3])),
        ];
        edits.extend(lane_edits.into_iter().map(|edit| Command::Lane(two, edit)));
        let strip_edits = [
            StripEdit::Pan(0.5),
            StripEdit::Phase(Phase::Left),
            StripEdit::Mono(true),
            StripEdit::Mute(true),
            StripEdit::Solo(true),
            StripEdit::Delta(true),
            StripEdit::Idle(true),
            StripEdit::Sleep(Sleep::After(2.0)),
        ];
        edits.extend(strip_edits.into_iter().map(|edit| Command::Strip(gain, edit)));
        let macro_edits = [
            (1, MacroEdit::Map { aim: Aim::Param(gain, "100".into()), range: None }),
            (2, MacroEdit::Map { aim: Aim::LaneGain(one), range: Some((-12.0, 0.0)) }),
            (1, MacroEdit::Shape { aim: Aim::Mix(presets), law }),
            (1, MacroEdit::Unmap(None)),
            (3, MacroEdit::Name(Some("Drive".into()))),
            (1, MacroEdit::Value(0.4)),
            (1, MacroEdit::Assign(Assignment::Chain(Controller::new(1, 21, false).unwrap()))),
        ];
        edits.extend(macro_edits.into_iter().map(|(at, edit)| Command::Macro(number(at), edit)));
        edits
    }
}

/// A slot with a state and lanes with another, as they come from another chain.
fn copied() -> Vec<Node> {
    let slot = |id, name: &str, value: f64| {
        let state = PluginState { bytes: value.to_le_bytes().into(), ..PluginState::default() };
        Node::Slot(Box::new(Slot { state: Some(state), ..Slot::new(SlotId(id), fixture(name)) }))
    };
    let lanes = vec![Lane { nodes: vec![slot(3, "gain", 0.25)], ..Lane::new(SlotId(2)) }];
    let group = Lanes { id: SlotId(1), name: None, split: Split::Copy, lanes, extra: Default::default() };
    vec![slot(9, "gain", 0.75), Node::Lanes(Box::new(group))]
}

/// Makes each edit of the table by itself, takes it back, does it again, and takes it back once more.
fn each_is_one_step(handle: &SessionHandle, base: &Base, before: &[u8]) {
    for edit in base.edits() {
        handle.apply(edit.clone()).unwrap_or_else(|error| panic!("{edit:?}: {error}"));
        let after = handle.save().unwrap();
        assert!(after != before, "{edit:?} changes something");
        let shown = handle.snapshot().history.clone();
        assert_eq!((shown.steps.len(), shown.at), (1, 1), "{edit:?}");
        assert!(!shown.steps[0].label.is_empty());
        for again in 0..2 {
            handle.apply(Command::Undo).unwrap();
            assert!(handle.save().unwrap() == before, "{edit:?} undone, {again}");
            assert_eq!(handle.snapshot().history.at, 0);
            assert!(handle.reports().is_empty(), "{edit:?} undone: {:?}", handle.reports());
            handle.apply(Command::Redo).unwrap();
            assert!(handle.save().unwrap() == after, "{edit:?} done again, {again}");
            assert_eq!(handle.snapshot().history.at, 1);
        }
        handle.apply(Command::Undo).unwrap();
        handle.load(before).unwrap();
        assert!(handle.snapshot().history.steps.is_empty(), "a load forgets the history");
    }
}

/// What is wrong with the slots.
trait Reports {
    fn reports(&self) -> Vec<String>;
}

impl Reports for SessionHandle {
    fn reports(&self) -> Vec<String> {
        self.snapshot().slots.iter().map(|slot| slot.notice.clone()).filter(|notice| !notice.is_empty()).collect()
    }
}

#[test]
fn the_table_holds_every_edit() {
    let (handle, _processor) = session(&fixtures_catalog());
    let base = Base::make(&handle);
    let mut seen = BTreeSet::from(NO_STEPS);
    seen.extend(base.edits().iter().map(kind));
    let missing: Vec<_> = KINDS.iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// `ready` brings the host where it is to be; what it answers lives until the end.
fn all_are_one_step<T>(handle: &SessionHandle, ready: impl FnOnce() -> T) -> T {
    let base = Base::make(handle);
    let kept = ready();
    let before = handle.save().unwrap();
    handle.load(&before).unwrap();
    each_is_one_step(handle, &base, &before);
    kept
}

#[test]
fn every_edit_undoes_and_does_again_with_no_block_ever() {
    let (handle, _processor) = session(&fixtures_catalog());
    all_are_one_step(&handle, || ());
}

#[test]
fn every_edit_undoes_and_does_again_while_the_host_does_not_process() {
    let (handle, _processor) = session(&fixtures_catalog());
    all_are_one_step(&handle, || {
        handle.activate(live(64)).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(250));
    });
}

#[test]
fn every_edit_undoes_and_does_again_while_sound_runs() {
    let (handle, processor) = session(&fixtures_catalog());
    let player = all_are_one_step(&handle, || {
        handle.activate(live(64)).unwrap();
        Player::start(processor)
    });
    let (_processor, out) = player.stop();
    assert!(out.iter().all(|sample| sample.is_finite()) && out.iter().any(|sample| sample.abs() > 0.1));
}

#[test]
fn what_changes_no_setting_is_no_step_and_drops_no_redo() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    handle.apply(Command::Mix(slot, 0.5)).unwrap();
    handle.apply(Command::Undo).unwrap();
    let shown = handle.snapshot().history.clone();
    for edit in [
        Command::Panic,
        Command::Reopen,
        Command::ResetMeters,
        Command::ApplyHeld,
        Command::Retry(slot),
        Command::Macro(number(1), MacroEdit::Learn(true)),
        Command::Macro(number(1), MacroEdit::Learn(false)),
        Command::Mix(slot, 1.0),
        Command::Rename(slot, None),
        Command::Move { slot, index: 0 },
    ] {
        handle.apply(edit).unwrap();
    }
    assert!(handle.apply(Command::Mix(slot, 7.0)).is_err());
    assert!(handle.apply(Command::Add { plugin: PluginId::clap("no.such"), index: 0 }).is_err());
    assert!(handle.apply(Command::Preset(slot, "none".into())).is_err());
    // Values come to rest before it is known that they changed nothing.
    handle.apply(Command::Mix(slot, 0.25)).unwrap();
    handle.apply(Command::Mix(slot, 1.0)).unwrap();
    handle.apply(Command::Redo).unwrap();
    assert_eq!(handle.snapshot().history.steps, shown.steps);
    assert_eq!(handle.snapshot().slots[0].mix, 0.5);
}
