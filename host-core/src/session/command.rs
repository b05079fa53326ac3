//! Edits that a session takes, and why it does not take them.

use crate::model::lanes::{MAX_DEPTH, MAX_LANES};
use crate::model::places::{Container, PlaceError};
use crate::model::{
    Adapt, Aim, Controller, IfFails, LaneAux, LaneDelay, LatencyMode, Law, MACROS, MAX_BANDS, MacroId, MidiSettings,
    Phase, PluginId, SidechainSource, Sleep, SlotId, Split,
};

/// An edit. Each is one step of undo later on; each names what it changes by id.
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
    /// Takes a slot out, or lanes with all that they hold.
    Remove(SlotId),
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
    /// Renames the chain.
    RenameChain(String),
    /// The latency mode.
    Latency(LatencyMode),
    /// Whether edits that would change what the DAW is told wait until its transport stops.
    HoldLatency(bool),
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
    /// Begins anew with all that meters count and hold. Changes no setting.
    ResetMeters,
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

/// Why an edit was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// No such slot.
    #[error("there is no slot {0} in this chain")]
    NoSlot(SlotId),
    /// No such slot or group of lanes.
    #[error("there is neither a slot nor lanes with the id {0} in this chain")]
    NoNode(SlotId),
    /// No such group of lanes.
    #[error("there are no lanes with the id {0} in this chain")]
    NoLanes(SlotId),
    /// No such lane.
    #[error("there is no lane {0} in this chain")]
    NoLane(SlotId),
    /// Nodes that are to share a lane do not stand side by side.
    #[error("{0} and {1} are not in one lane or chain, so no lanes can be made round them")]
    Apart(SlotId, SlotId),
    /// A lane is moved into itself.
    #[error("the lane {0} is part of what is to be moved into it")]
    Inside(SlotId),
    /// Too deep.
    #[error("lanes can be nested {MAX_DEPTH} deep, and this would be deeper")]
    Depth,
    /// The split says how many lanes there are.
    #[error("this split has {0} lanes, no more and no less; lanes can be added to and taken from copies")]
    FixedLanes(usize),
    /// Too many lanes.
    #[error("there can be {MAX_LANES} lanes side by side")]
    ManyLanes,
    /// The last lane.
    #[error("this is the only lane of its group; remove or dissolve the group instead")]
    LastLane,
    /// A lane that would fall away holds something.
    #[error("lane {0} would fall away and is not empty; move or remove what it holds first")]
    LaneInUse(SlotId),
    /// Bands that cannot be.
    #[error("bands are 2 to {MAX_BANDS}, and meet at rising frequencies of 20 to 20000 Hz")]
    Bands,
    /// No such plugin on this machine.
    #[error("{0} is not installed; `catena scan` looks for new plugins")]
    NoPlugin(PluginId),
    /// No such parameter.
    #[error("{plugin} has no parameter \"{key}\"; `catena info {plugin}` lists them")]
    NoParam {
        /// The plugin.
        plugin: PluginId,
        /// What was asked for.
        key: String,
    },
    /// A value outside the range.
    #[error("{what}: {value} is outside {min} to {max}")]
    Range {
        /// What was to be set.
        what: String,
        /// The value given.
        value: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// No controller moves the macro.
    #[error("no controller moves macro {0}")]
    NoController(MacroId),
    /// The machine's settings could not be written.
    #[error("{0}")]
    Settings(String),
    /// The macro does not move that.
    #[error("macro {0} is not mapped to that; `catena show` lists what it moves")]
    NotMapped(MacroId),
    /// The plugin has no such page.
    #[error("{slot} has no page {page} of controls, it has {count}; `catena info` lists them")]
    NoPage {
        /// The slot's title.
        slot: String,
        /// What was asked for, 1 is the first.
        page: usize,
        /// How many there are.
        count: usize,
    },
    /// A macro that a page would be mapped to moves something else.
    #[error("macro {0} moves something else; name other macros for the page, or unmap it first")]
    MacroTaken(MacroId),
    /// A page would go past the last macro.
    #[error("the page would go past macro {MACROS}; begin it with an earlier one")]
    PastMacros,
    /// No room for a page.
    #[error("no eight macros in a row hold nothing; name the macro that the page is to begin with")]
    NoFreeMacros,
    /// Nothing of this chain that a macro could move.
    #[error("a macro cannot be mapped to that")]
    NoTarget,
    /// The plugin listens to nothing beside its input.
    #[error("{0} has no sidechain input")]
    NoSidechain(String),
    /// No such multiple.
    #[error("a plugin runs at 1, 2, 4 or 8 times the chain's rate; {0} times is not offered")]
    Oversampling(u32),
    /// No such output.
    #[error("{slot} has {has} outputs beside its main one, and no number {}", output + 1)]
    NoOutput {
        /// The slot.
        slot: String,
        /// How many it has.
        has: usize,
        /// Which was asked for, from 0.
        output: usize,
    },
    /// No such place in the chain.
    #[error("there is neither a slot nor a lane nor lanes with the id {0} in this chain")]
    NoPoint(SlotId),
    /// A source that is no earlier than what would hear it.
    #[error("{slot} cannot hear {heard}, whose sound is not there yet when {slot} is run; move {slot} behind it")]
    SourceBehind {
        /// The slot.
        slot: String,
        /// What it was to hear.
        heard: String,
    },
    /// Nothing to match a slot to.
    #[error("{slot} cannot be matched: {why}")]
    NoMatch {
        /// The slot's title.
        slot: String,
        /// Why.
        why: String,
    },
    /// No such preset.
    #[error("{plugin} has no preset \"{name}\"; `catena info {plugin}` lists what it has")]
    NoPreset {
        /// The plugin.
        plugin: PluginId,
        /// What was asked for.
        name: String,
    },
    /// The plugin would not open, start or load.
    #[error("{0}")]
    Plugin(String),
    /// Home did not answer in time.
    #[error("{0}")]
    Busy(String),
}

/// Why a chain was not saved or loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// The bytes are no chain of ours. They are kept and written back by the next save.
    #[error("this is not a Catena chain, or it is damaged: {0}")]
    Damaged(String),
    /// Another major version wrote it. The bytes are kept and written back by the next save.
    #[error(
        "this chain was made by a version of Catena that this one cannot read (schema {found}, this one reads {reads})"
    )]
    Version {
        /// Major found.
        found: u32,
        /// Major read by this version.
        reads: u32,
    },
    /// Home did not answer in time.
    #[error("{0}")]
    Busy(String),
}

impl From<PlaceError> for EditError {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::NoNode(id) => Self::NoNode(id),
            PlaceError::NoLane(id) => Self::NoLane(id),
            PlaceError::Inside(id) => Self::Inside(id),
            PlaceError::Depth => Self::Depth,
        }
    }
}
