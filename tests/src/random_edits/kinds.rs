//! Every kind of edit by name.

use host_core::model::Split;
use host_core::session::{Command, LaneEdit, MacroEdit, SnapshotEdit, StripEdit};

/// Names every kind of edit, and says which kind one is. What a chain is to take from now on stands here too, or this does not
/// compile; and what stands here is drawn, or a test fails.
macro_rules! kinds {
    ($($name:literal: $pattern:pat,)*) => {
        /// Every kind of edit.
        pub const KINDS: &[&str] = &[$($name),*];

        /// The kind of an edit, one of [`KINDS`].
        pub fn kind(command: &Command) -> &'static str {
            match command {
                $($pattern => $name,)*
            }
        }
    };
}

kinds! {
    "add": Command::Add { .. },
    "add into": Command::AddInto { .. },
    "paste": Command::Paste { .. },
    "remove": Command::Remove(_),
    "replace": Command::Replace { .. },
    "duplicate": Command::Duplicate(_),
    "move": Command::Move { .. },
    "move into": Command::MoveInto { .. },
    "parallel": Command::Parallel { split: Split::Copy, .. },
    "parallel mid and side": Command::Parallel { split: Split::MidSide, .. },
    "parallel left and right": Command::Parallel { split: Split::LeftRight, .. },
    "parallel bands": Command::Parallel { split: Split::Bands(_), .. },
    "dissolve": Command::Dissolve(_),
    "split": Command::Split(..),
    "rename lanes": Command::RenameLanes(..),
    "add lane": Command::AddLane { .. },
    "remove lane": Command::RemoveLane(_),
    "move lane": Command::MoveLane { .. },
    "lane gain": Command::Lane(_, LaneEdit::Gain(_)),
    "lane pan": Command::Lane(_, LaneEdit::Pan(_)),
    "lane mute": Command::Lane(_, LaneEdit::Mute(_)),
    "lane solo": Command::Lane(_, LaneEdit::Solo(_)),
    "lane delay": Command::Lane(_, LaneEdit::Delay(_)),
    "lane aux": Command::Lane(_, LaneEdit::Aux(_)),
    "lane dry": Command::Lane(_, LaneEdit::Dry(_)),
    "lane name": Command::Lane(_, LaneEdit::Name(_)),
    "lane colour": Command::Lane(_, LaneEdit::Colour(_)),
    "level lanes": Command::LevelLanes(_),
    "bypass": Command::Bypass(..),
    "parameter": Command::Param(..),
    "mix": Command::Mix(..),
    "input gain": Command::InputGain(..),
    "output gain": Command::OutputGain(..),
    "pan": Command::Strip(_, StripEdit::Pan(_)),
    "phase": Command::Strip(_, StripEdit::Phase(_)),
    "mono": Command::Strip(_, StripEdit::Mono(_)),
    "mute": Command::Strip(_, StripEdit::Mute(_)),
    "solo": Command::Strip(_, StripEdit::Solo(_)),
    "delta": Command::Strip(_, StripEdit::Delta(_)),
    "idle": Command::Strip(_, StripEdit::Idle(_)),
    "sleep": Command::Strip(_, StripEdit::Sleep(_)),
    "adapt": Command::Adapt(..),
    "if it fails": Command::IfFails(..),
    "midi": Command::Midi(..),
    "sidechain": Command::Sidechain(..),
    "oversample": Command::Oversample(..),
    "aux": Command::Aux(..),
    "merge midi": Command::MergeMidi(..),
    "rename": Command::Rename(..),
    "preset": Command::Preset(..),
    "retry": Command::Retry(_),
    "accept": Command::Accept(_),
    "close": Command::Close(_),
    "rename chain": Command::RenameChain(_),
    "latency": Command::Latency(_),
    "hold latency": Command::HoldLatency(_),
    "cores": Command::Cores(_),
    "helpers": Command::Helpers(..),
    "grid": Command::Grid(_),
    "apply held": Command::ApplyHeld,
    "bypass chain": Command::BypassChain(_),
    "clear": Command::Clear,
    "panic": Command::Panic,
    "guard": Command::Guard(_),
    "reopen": Command::Reopen,
    "match": Command::Match(_),
    "open window": Command::OpenWindow(_),
    "close window": Command::CloseWindow(_),
    "put window back": Command::PutBack(_),
    "show": Command::Show { .. },
    "reset meters": Command::ResetMeters,
    "macro map": Command::Macro(_, MacroEdit::Map { .. }),
    "macro shape": Command::Macro(_, MacroEdit::Shape { .. }),
    "macro unmap": Command::Macro(_, MacroEdit::Unmap(_)),
    "macro name": Command::Macro(_, MacroEdit::Name(_)),
    "macro value": Command::Macro(_, MacroEdit::Value(_)),
    "macro learn": Command::Macro(_, MacroEdit::Learn(_)),
    "macro assign": Command::Macro(_, MacroEdit::Assign(_)),
    "macro learn controller": Command::Macro(_, MacroEdit::LearnController { .. }),
    "map page": Command::MapPage { .. },
    "several": Command::Many(_),
    "gesture": Command::Gesture(_),
    "snapshot store": Command::Snapshot(_, SnapshotEdit::Store),
    "snapshot recall": Command::Snapshot(_, SnapshotEdit::Recall),
    "snapshot copy": Command::Snapshot(_, SnapshotEdit::CopyTo(_)),
    "snapshot clear": Command::Snapshot(_, SnapshotEdit::Clear),
    "undo": Command::Undo,
    "redo": Command::Redo,
    "go to": Command::GoTo(_),
}
