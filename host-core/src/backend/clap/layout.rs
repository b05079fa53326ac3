//! All ports of a plugin: as the model shows them, and as its process call wants them.

use crate::model::PortLayout;

/// Most buses of one direction. A plugin with more is refused by name: it must be given every bus it counts.
pub const MAX_BUSES: u32 = 64;
/// Most channels of one bus.
pub const MAX_CHANNELS: u32 = 64;

/// What an event port takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// MIDI 1.0 bytes.
    pub midi: bool,
    /// MIDI 2.0 packets.
    pub midi2: bool,
    /// CLAP's own note events.
    pub clap: bool,
}

/// The ports of a plugin.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// As the model shows them. Buses without channels are left out.
    pub ports: PortLayout,
    /// Channels of every input bus the plugin counts, 0 where it has none.
    pub inputs: Vec<u16>,
    /// The same for outputs.
    pub outputs: Vec<u16>,
    /// What each note input takes.
    pub notes: Vec<Dialect>,
}
