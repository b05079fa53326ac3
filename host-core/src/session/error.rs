//! Why a session does not do what it was asked to.

use crate::model::lanes::{MAX_DEPTH, MAX_LANES};
use crate::model::places::PlaceError;
use crate::model::{Letter, MACROS, MAX_BANDS, MacroId, PluginId, SlotId};
use crate::store::clipboard::ClipError;

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
    /// A snapshot that holds nothing.
    #[error("snapshot {0} holds nothing yet; store it first")]
    NoSnapshot(Letter),
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
    /// The plugin is the one that was saved.
    #[error("nothing is asked of {0}: its plugin is the one that was saved")]
    NoDoubt(String),
    /// Nothing to match a slot to.
    #[error("{slot} cannot be matched: {why}")]
    NoMatch {
        /// The slot's title.
        slot: String,
        /// Why.
        why: String,
    },
    /// The plugin's own window cannot be opened.
    #[error("the window of {slot} cannot be opened: {why}")]
    NoWindow {
        /// The slot's title.
        slot: String,
        /// Why.
        why: String,
    },
    /// No such preset.
    #[error("{plugin} has no preset \"{name}\"; `catena presets {plugin}` lists what there is")]
    NoPreset {
        /// The plugin.
        plugin: PluginId,
        /// What was asked for.
        name: String,
    },
    /// A preset could not be saved.
    #[error("{0}")]
    PresetFile(String),
    /// What is on the clipboard, or was to go there.
    #[error("{0}")]
    Clipboard(#[from] ClipError),
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
