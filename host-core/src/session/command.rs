//! Edits that a session takes, and why it does not take them.

use crate::model::{Adapt, Aim, IfFails, LatencyMode, Law, MacroId, MidiSettings, PluginId, SlotId};

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
    /// Takes a slot out.
    Remove(SlotId),
    /// Moves a slot with its state.
    Move {
        /// Which slot.
        slot: SlotId,
        /// Its new place among the nodes.
        index: usize,
    },
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
    /// Channel adaptation.
    Adapt(SlotId, Adapt),
    /// What the slot does when it cannot run.
    IfFails(SlotId, IfFails),
    /// Which MIDI a slot's plugin hears.
    Midi(SlotId, MidiSettings),
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
    /// The container's own bypass.
    BypassChain(bool),
    /// Takes all slots out.
    Clear,
    /// Ends every note and forgets all that sounds. Changes no setting.
    Panic,
    /// An edit of a macro.
    Macro(MacroId, MacroEdit),
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
}

/// Why an edit was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// No such slot.
    #[error("there is no slot {0} in this chain")]
    NoSlot(SlotId),
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
    /// The macro does not move that.
    #[error("macro {0} is not mapped to that; `catena show` lists what it moves")]
    NotMapped(MacroId),
    /// Nothing of this chain that a macro could move.
    #[error("a macro cannot be mapped to that")]
    NoTarget,
    /// No such preset.
    #[error("{plugin} has no preset \"{name}\"")]
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
