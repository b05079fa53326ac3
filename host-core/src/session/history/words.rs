//! What steps are called, in the user's words, and which commands are steps.

use super::{Key, StepView};
use crate::model::{Aim, LatencyMode, Node, SlotId, Split, lanes};
use crate::session::Command;
use crate::session::command::{Assignment, LaneEdit, MacroEdit, SnapshotEdit, StripEdit};
use crate::session::owner::Owner;

/// How a command becomes a step.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::session) enum Kind {
    /// One by itself.
    Once,
    /// One with all values of the same thing that come in one go.
    Turn(Key),
    /// One whose effect on a slot comes later.
    Late(SlotId),
}

/// A step as it is to be.
#[derive(Clone, Debug)]
pub(in crate::session) struct Words {
    pub(super) shown: StepView,
    pub(super) kind: Kind,
}

impl Owner {
    /// What a command is called as a step; `None`: it is none.
    pub(super) fn words(&self, command: &Command) -> Option<Words> {
        use Kind::{Late, Once, Turn};
        let t = |id: &SlotId| self.chain.title_of(*id).unwrap_or_default();
        let on = |what: &str, id: &SlotId, on: bool| format!("{what} {} {}", t(id), if on { "on" } else { "off" });
        let value = |aim: Aim| Turn(Key::Value(aim));
        let (label, id, kind) = match command {
            Command::Add { plugin, .. } | Command::AddInto { plugin, .. } => {
                let name = self.catalog.find(plugin).map_or(&plugin.id, |entry| &entry.name);
                (format!("Add {name}"), None, Once)
            }
            Command::Paste { nodes, .. } => (format!("Paste {}", titles(nodes)), None, Once),
            Command::Remove(id) => (format!("Remove {}", t(id)), Some(id), Once),
            Command::Replace { slot, plugin } => {
                let name = self.catalog.find(plugin).map_or(&plugin.id, |entry| &entry.name);
                (format!("Replace {} by {name}", t(slot)), Some(slot), Once)
            }
            Command::Duplicate(id) => (format!("Duplicate {}", t(id)), Some(id), Once),
            Command::Move { slot: id, .. } | Command::MoveInto { node: id, .. } => {
                (format!("Move {}", t(id)), Some(id), Once)
            }
            Command::Parallel { from, .. } => (format!("Make lanes at {}", t(from)), Some(from), Once),
            Command::Dissolve(id) => (format!("Dissolve {}", t(id)), Some(id), Once),
            Command::Split(id, Split::Bands(_)) => {
                (format!("Bands of {}", t(id)), Some(id), Turn(Key::Of("bands", *id)))
            }
            Command::Split(id, _) => (format!("Split of {}", t(id)), Some(id), Once),
            Command::RenameLanes(id, _) | Command::Rename(id, _) => (format!("Rename {}", t(id)), Some(id), Once),
            Command::AddLane { group, .. } => (format!("Add a lane to {}", t(group)), Some(group), Once),
            Command::RemoveLane(id) => (format!("Remove {}", t(id)), Some(id), Once),
            Command::MoveLane { lane, .. } => (format!("Move {}", t(lane)), Some(lane), Once),
            Command::Lane(id, edit) => return Some(self.lane_words(*id, edit)),
            Command::LevelLanes(id) => (format!("Level {}", t(id)), Some(id), Once),
            Command::Bypass(id, bypass) => (on("Bypass", id, *bypass), Some(id), Once),
            Command::Param(id, key, _) => {
                let param = self.param_index(*id, key).and_then(|at| self.lives.get(id)?.params.get(at));
                let name = param.map_or(key, |param| &param.name);
                (format!("{name} of {}", t(id)), Some(id), value(Aim::Param(*id, key.clone())))
            }
            Command::Mix(id, _) => (format!("Mix of {}", t(id)), Some(id), value(Aim::Mix(*id))),
            Command::InputGain(id, _) => (format!("Input gain of {}", t(id)), Some(id), value(Aim::InputGain(*id))),
            Command::OutputGain(id, _) => (format!("Output gain of {}", t(id)), Some(id), value(Aim::OutputGain(*id))),
            Command::Strip(id, edit) => {
                let (what, kind) = strip_words(*id, edit);
                (format!("{what} of {}", t(id)), Some(id), kind)
            }
            Command::Adapt(id, _) => (format!("Channels of {}", t(id)), Some(id), Once),
            Command::IfFails(id, _) => (format!("If {} fails", t(id)), Some(id), Once),
            Command::Midi(id, _) => (format!("MIDI to {}", t(id)), Some(id), Turn(Key::Of("midi", *id))),
            Command::MergeMidi(id, _) => (format!("MIDI from {}", t(id)), Some(id), Once),
            Command::Sidechain(id, _) => (format!("Sidechain of {}", t(id)), Some(id), Once),
            Command::Oversample(id, _) => (format!("Oversampling of {}", t(id)), Some(id), Once),
            Command::Aux(id, ..) => (format!("Outputs of {}", t(id)), Some(id), Once),
            Command::Preset(id, name) => (format!("Preset \"{name}\" of {}", t(id)), Some(id), Late(*id)),
            Command::RenameChain(_) => ("Rename the chain".into(), None, Once),
            Command::Latency(LatencyMode::Constant(_)) => ("Latency mode".into(), None, Turn(Key::Chain("latency"))),
            Command::Latency(_) => ("Latency mode".into(), None, Once),
            Command::Grid(_) => ("Grid of LV2 plugins".into(), None, Turn(Key::Chain("grid"))),
            Command::Cores(on) => (format!("Several cores {}", if *on { "on" } else { "off" }), None, Once),
            Command::Helpers(id, _) => (format!("Helpers of {}", t(id)), Some(id), Once),
            Command::HoldLatency(_) => ("Hold of latency changes".into(), None, Once),
            Command::BypassChain(on) => (format!("Bypass the chain {}", if *on { "on" } else { "off" }), None, Once),
            Command::Clear => ("Remove everything".into(), None, Once),
            Command::Guard(_) => ("Level guard".into(), None, Once),
            Command::Macro(number, edit) => {
                let what = self.chain.macro_of(*number).and_then(|one| one.name.clone());
                let what = what.map_or_else(|| format!("macro {number}"), |name| format!("macro {number}, {name}"));
                let (label, kind) = match edit {
                    MacroEdit::Map { .. } => (format!("Map {what}"), Once),
                    MacroEdit::Shape { aim, .. } => (format!("Range of {what}"), Turn(Key::Law(*number, aim.clone()))),
                    MacroEdit::Unmap(_) => (format!("Unmap {what}"), Once),
                    MacroEdit::Name(_) => (format!("Rename {what}"), Once),
                    MacroEdit::Value(_) => (format!("Turn {what}"), Turn(Key::Macro(*number))),
                    MacroEdit::Assign(Assignment::Chain(_) | Assignment::Nothing) => {
                        (format!("Controller of {what}"), Once)
                    }
                    // Waiting is no edit, nor is what this machine keeps.
                    MacroEdit::Learn(_) | MacroEdit::LearnController { .. } | MacroEdit::Assign(_) => return None,
                };
                (label, None, kind)
            }
            Command::Many(all) => return self.words_of_many(all),
            Command::MapPage { slot, .. } => (format!("Map a page of {}", t(slot)), Some(slot), Once),
            Command::Snapshot(letter, edit) => {
                let label = match edit {
                    SnapshotEdit::Store => format!("Store snapshot {letter}"),
                    SnapshotEdit::CopyTo(other) => format!("Copy snapshot {letter} to {other}"),
                    SnapshotEdit::Clear => format!("Clear snapshot {letter}"),
                    // By itself, when it is ready.
                    SnapshotEdit::Recall => return None,
                };
                (label, None, Once)
            }
            // None of these changes what a save writes, or they go through the steps themselves; what the user said of a plugin that is
            // not the saved one is no edit of the chain.
            Command::Retry(_)
            | Command::Accept(_)
            | Command::Close(_)
            | Command::ApplyHeld
            | Command::Panic
            | Command::Reopen
            | Command::Match(_)
            | Command::OpenWindow(_)
            | Command::CloseWindow(_)
            | Command::PutBack(_)
            | Command::Show { .. }
            | Command::ResetMeters
            | Command::Gesture(_)
            | Command::Undo
            | Command::Redo
            | Command::GoTo(_) => return None,
        };
        Some(Words { shown: StepView { label, slot: id.copied() }, kind })
    }

    /// Whether an edit can be part of a step with others.
    pub(in crate::session) fn joins(&self, command: &Command) -> bool {
        self.words(command).is_some_and(|words| !matches!(words.kind, Kind::Late(_)))
    }

    /// Several at once are called by the first; values of the same things are one hand's.
    fn words_of_many(&self, all: &[Command]) -> Option<Words> {
        let mut each: Vec<_> = all.iter().filter_map(|command| self.words(command)).collect();
        if each.len() < 2 {
            return each.pop();
        }
        let keys = each.iter().map(|words| if let Kind::Turn(key) = &words.kind { Some(key.clone()) } else { None });
        let kind = keys.collect::<Option<Vec<_>>>().map_or(Kind::Once, |keys| Kind::Turn(Key::Many(keys)));
        let (first, more) = (&each[0].shown, each.len() - 1);
        let shown = StepView { label: format!("{} and {more} more", first.label), slot: first.slot };
        Some(Words { shown, kind })
    }

    fn lane_words(&self, id: SlotId, edit: &LaneEdit) -> Words {
        let (what, kind) = match edit {
            LaneEdit::Gain(_) => ("Gain", Kind::Turn(Key::Value(Aim::LaneGain(id)))),
            LaneEdit::Pan(_) => ("Pan", Kind::Turn(Key::Of("pan", id))),
            LaneEdit::Delay(_) => ("Delay", Kind::Turn(Key::Of("delay", id))),
            LaneEdit::Mute(_) => ("Mute", Kind::Once),
            LaneEdit::Solo(_) => ("Solo", Kind::Once),
            LaneEdit::Aux(_) => ("Output", Kind::Once),
            LaneEdit::Dry(_) => ("Dry", Kind::Once),
            LaneEdit::Name(_) => ("Name", Kind::Once),
            LaneEdit::Colour(_) => ("Colour", Kind::Turn(Key::Of("colour", id))),
        };
        let label = format!("{what} of {}", self.chain.title_of(id).unwrap_or_default());
        Words { shown: StepView { label, slot: Some(id) }, kind }
    }
}

/// What copied nodes are called together.
fn titles(nodes: &[Node]) -> String {
    match lanes::slots(nodes)[..] {
        [one] => one.title().to_owned(),
        ref all => format!("{} slots", all.len()),
    }
}

fn strip_words(id: SlotId, edit: &StripEdit) -> (&'static str, Kind) {
    match edit {
        StripEdit::Pan(_) => ("Pan", Kind::Turn(Key::Value(Aim::Pan(id)))),
        StripEdit::Phase(_) => ("Phase", Kind::Once),
        StripEdit::Mono(_) => ("Mono", Kind::Once),
        StripEdit::Mute(_) => ("Mute", Kind::Once),
        StripEdit::Solo(_) => ("Solo", Kind::Once),
        StripEdit::Delta(_) => ("Delta", Kind::Once),
        StripEdit::Idle(_) => ("Idle in bypass", Kind::Once),
        StripEdit::Sleep(_) => ("Sleep", Kind::Turn(Key::Of("sleep", id))),
    }
}
