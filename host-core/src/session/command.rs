//! Edits that a session takes.

use crate::model::places::Container;
use crate::model::{
    Adapt, Aim, Controller, Helpers, IfFails, LaneAux, LaneDelay, LatencyMode, Law, Letter, Macro, MacroId,
    MidiSettings, Node, Phase, PluginId, SidechainSource, Sleep, SlotId, Split,
};

/// An edit. Each is one step of undo, but for those that change no setting; each names what it changes by id.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Puts a plugin in at a place among the nodes (the end where it is past it).
    Add {
        /// Which plugin.
        plugin: PluginId,
        /// Place among the nodes.
        index: usize,
    },
    /// Puts a plugin in at a place in a lane (the end where it is past it).
    AddInto {
        /// Which plugin.
        plugin: PluginId,
        /// Which lane.
        lane: SlotId,
        /// Place among the lane's nodes.
        index: usize,
    },
    /// Puts copied nodes in at a place, one after the other, under ids of their own, with their settings and states.
    Paste {
        /// What was copied.
        nodes: Vec<Node>,
        /// The macros that move it. They take numbers that are free.
        macros: Vec<Macro>,
        /// The lane; `None`: the chain itself.
        into: Container,
        /// Place of the first among the nodes there (the end where it is past it).
        index: usize,
    },
    /// Takes a slot out, or lanes with all that they hold.
    Remove(SlotId),
    /// Another plugin, or the same in the other format, takes the place of a slot's: the slot keeps its id, place, settings, routing
    /// and macros. The other format, and what stands in for a plugin that is missing, gets the values too. What could not be taken
    /// over is said in the notice. Nothing where the plugin cannot be opened.
    Replace {
        /// Which slot.
        slot: SlotId,
        /// Its new plugin.
        plugin: PluginId,
    },
    /// Puts a copy of a slot right behind it, with its state as it is; macros stay with the first.
    Duplicate(SlotId),
    /// Moves a slot with its state, or lanes with all that they hold, within the chain or the lane that it is in.
    Move {
        /// Which slot or group of lanes.
        slot: SlotId,
        /// Its new place among the nodes.
        index: usize,
    },
    /// Moves a slot or lanes into a lane, or out to the chain itself.
    MoveInto {
        /// Which slot or group of lanes.
        node: SlotId,
        /// The lane; `None`: the chain itself.
        into: Container,
        /// Its new place among the nodes there.
        index: usize,
    },
    /// Makes lanes round nodes that stand side by side: the first lane holds them. Copies get a second lane, silent until it
    /// holds something; other splits as many as they make.
    Parallel {
        /// The first of them.
        from: SlotId,
        /// The last.
        to: SlotId,
        /// How what comes in is shared.
        split: Split,
    },
    /// Takes lanes apart: what they hold stands in series in their place, lane after lane.
    Dissolve(SlotId),
    /// Another split. Where it makes fewer lanes, those that fall away must be empty.
    Split(SlotId, Split),
    /// Renames lanes; `None`: no name of their own.
    RenameLanes(SlotId, Option<String>),
    /// Puts an empty lane in at a place among the copies of a group.
    AddLane {
        /// Which group.
        group: SlotId,
        /// Place among its lanes.
        index: usize,
    },
    /// Takes a lane out with all that it holds.
    RemoveLane(SlotId),
    /// Moves a lane within its group.
    MoveLane {
        /// Which lane.
        lane: SlotId,
        /// Its new place among the lanes.
        index: usize,
    },
    /// Changes a lane's own settings.
    Lane(SlotId, LaneEdit),
    /// Sets each lane of a group that is not empty to 1/n of the level, n being their number.
    LevelLanes(SlotId),
    /// Bypasses a slot or ends it.
    Bypass(SlotId, bool),
    /// Sets a parameter by key, in the plugin's own unit.
    Param(SlotId, String, f64),
    /// Wet share, 0..1.
    Mix(SlotId, f64),
    /// Gain before the plugin, dB.
    InputGain(SlotId, f64),
    /// Gain after the plugin, dB.
    OutputGain(SlotId, f64),
    /// Changes a slot's own channel strip.
    Strip(SlotId, StripEdit),
    /// Channel adaptation.
    Adapt(SlotId, Adapt),
    /// What the slot does when it cannot run.
    IfFails(SlotId, IfFails),
    /// Which MIDI a slot's plugin hears.
    Midi(SlotId, MidiSettings),
    /// What a slot's sidechain hears.
    Sidechain(SlotId, SidechainSource),
    /// How many times the chain's rate a slot's plugin runs at: 1, 2, 4 or 8. It is activated anew, with its state.
    Oversample(SlotId, u32),
    /// Sends a slot's further output, from 0, to an auxiliary output, from 1, or to none.
    Aux(SlotId, usize, Option<u8>),
    /// Whether MIDI that a slot's plugin makes joins what it was given (true) or takes its place.
    MergeMidi(SlotId, bool),
    /// Renames a slot; `None` goes back to the plugin's name.
    Rename(SlotId, Option<String>),
    /// Loads a preset of the plugin by its name or URI.
    Preset(SlotId, String),
    /// Tries a slot again that is missing, faulted or kept closed.
    Retry(SlotId),
    /// Takes the plugin of a slot as it is, although it is another than the one that was saved: [`super::SlotView::doubts`].
    Accept(SlotId),
    /// Closes such a slot: what was saved of it is kept as it came.
    Close(SlotId),
    /// Renames the chain.
    RenameChain(String),
    /// The latency mode.
    Latency(LatencyMode),
    /// Whether edits that would change what the DAW is told wait until its transport stops.
    HoldLatency(bool),
    /// Whether the chain may use several cores: lanes, and plugins that ask for it, are run side by side where that is faster.
    Cores(bool),
    /// Whether a slot's plugin gets helper threads where it asks for them.
    Helpers(SlotId, Helpers),
    /// Frames of the grid on which LV2 plugins hear their control inputs change, 1 to 8192, counted from the stream's start.
    Grid(u32),
    /// Lets edits that wait for that be heard now. Changes no setting.
    ApplyHeld,
    /// The container's own bypass.
    BypassChain(bool),
    /// Takes all slots out.
    Clear,
    /// Ends every note and forgets all that sounds. Changes no setting.
    Panic,
    /// Whether the level guard mutes the chain when its output is above +18 dBFS for 20 ms; `None`: in the standalone program
    /// alone.
    Guard(Option<bool>),
    /// Ends the mute of the level guard. Changes no setting.
    Reopen,
    /// Listens to a slot for 3 s (to the last 3 s, where it was listened to before) and then sets its output gain so that its
    /// plugin's sound is as loud as the dry. What becomes of it is [`super::SlotView::matched`].
    Match(SlotId),
    /// Opens the plugin's own window, or brings it to the front. Changes no setting, but the chain keeps where windows stand.
    OpenWindow(SlotId),
    /// Closes it; one that an editor has room for goes back there.
    CloseWindow(SlotId),
    /// Takes a window that floats off the screen, for an editor to show it inside.
    PutBack(SlotId),
    /// The editor shows this slot beside the rack, its window or its parameters; none: it shows something else. Changes no setting;
    /// the chain keeps it, for the next editor.
    Show {
        /// The slot.
        slot: Option<SlotId>,
        /// Its parameters rather than its window.
        parameters: bool,
    },
    /// Begins anew with all that meters count and hold. Changes no setting.
    ResetMeters,
    /// A hand in an editor takes hold of something (true) or lets go of it: all values in between are one step of undo. Without it
    /// those of one thing are that come quickly one after another.
    Gesture(bool),
    /// Takes the last step back. Nothing where there is none.
    Undo,
    /// Does the last step again that was taken back. Nothing where there is none.
    Redo,
    /// Takes steps back or does them again until so many of [`Snapshot::history`](super::Snapshot::history) are done.
    GoTo(usize),
    /// Stores, recalls, copies or clears one of the snapshots A to D.
    Snapshot(Letter, SnapshotEdit),
    /// An edit of a macro.
    Macro(MacroId, MacroEdit),
    /// Maps one of the [pages](super::SlotView::pages) that a slot's plugin offers to eight macros in a row, in the page's order: each
    /// gets the control's name where it has none. All of it, or nothing. Changes no sound.
    MapPage {
        /// Which slot.
        slot: SlotId,
        /// Which of its pages, first is 0.
        page: usize,
        /// The macro of the page's first control; `None`: the first eight, from 1, 9, 17 and so on, that hold nothing.
        first: Option<MacroId>,
    },
    /// Several edits as one step of undo, made one after the other; a drag on several is one step too. Of these what cannot be made
    /// is left out and said in the notice. What is no step, and presets, come first and by themselves.
    Many(Vec<Command>),
}

impl Command {
    /// The edits that it is made of: itself, but for several at once.
    pub fn parts(&self) -> Vec<&Command> {
        match self {
            Self::Many(all) => all.iter().flat_map(Self::parts).collect(),
            one => vec![one],
        }
    }
}

/// What is done to a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotEdit {
    /// It is the nodes and macros as they are now, with the plugins' states.
    Store,
    /// Nodes and macros are as it has them. Plugins that have to be opened for that are made ready beside what sounds.
    Recall,
    /// Another one is the same.
    CopyTo(Letter),
    /// It holds nothing.
    Clear,
}

/// An edit of a macro. Only [`MacroEdit::Value`] is heard.
#[derive(Clone, Debug, PartialEq)]
pub enum MacroEdit {
    /// Lets it move something, within a range in that thing's own unit or all of it. Where it is mapped already the range is
    /// another. The first target brings the macro to where it is itself; others stay until the macro moves.
    Map {
        /// What it is to move.
        aim: Aim,
        /// Values at both ends of the macro.
        range: Option<(f64, f64)>,
    },
    /// Says how a target follows.
    Shape {
        /// Which target.
        aim: Aim,
        /// How it follows.
        law: Law,
    },
    /// Lets go of one target, or of all.
    Unmap(Option<Aim>),
    /// Renames it; `None` goes back to its first target's name.
    Name(Option<String>),
    /// Moves it, 0..1, and its targets with it.
    Value(f64),
    /// Maps it to the parameter that the user touches next, or waits for that no more. Not an edit of the chain yet.
    Learn(bool),
    /// Has a controller move it.
    Assign(Assignment),
    /// Has the controller move it that comes next, or waits for that no more. Of 14 bits where both halves come.
    LearnController {
        /// Whether it waits.
        on: bool,
        /// The chain is to keep it, else this machine.
        in_chain: bool,
    },
}

/// What is to move a macro beside the DAW. A controller moves one macro of a chain and one of the machine; it is passed on to the
/// plugins all the same. The macro follows once the controller has come to where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// A controller of this machine, whatever chain is loaded. No edit of the chain.
    Machine(Controller),
    /// A controller that the chain keeps, which comes before the machine's.
    Chain(Controller),
    /// None, here and there.
    Nothing,
}

/// A change of a slot's own channel strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StripEdit {
    /// Balance of the wet, -1 (left) to 1 (right).
    Pan(f64),
    /// Which channels of the wet are turned upside down.
    Phase(Phase),
    /// Both channels of the wet are the mean of both.
    Mono(bool),
    /// Nothing comes out.
    Mute(bool),
    /// The nodes beside it are passed by, but for those with this.
    Solo(bool),
    /// What comes out is what the slot changes.
    Delta(bool),
    /// The plugin is not run while the slot is bypassed.
    Idle(bool),
    /// When the plugin is not run because there is nothing to hear.
    Sleep(Sleep),
}

/// A change of a lane's own settings.
#[derive(Clone, Debug, PartialEq)]
pub enum LaneEdit {
    /// Gain, dB.
    Gain(f64),
    /// Balance, -1 (left) to 1 (right).
    Pan(f64),
    /// Not heard.
    Mute(bool),
    /// Heard alone, with the others that are.
    Solo(bool),
    /// Delay by the user's will.
    Delay(LaneDelay),
    /// The auxiliary output that it is heard on.
    Aux(Option<LaneAux>),
    /// Passes what it is given while it holds nothing.
    Dry(bool),
    /// The user's own name; `None` goes back to that of its split.
    Name(Option<String>),
    /// The user's colour.
    Colour(Option<[u8; 3]>),
}
