//! CLAP: our own entry and our own half of every plugin, in front of nice-plug's wrapper.
//!
//! nice-plug makes the plugin, its parameters, ports, layouts and window. Ours in front of it are the events (from
//! the host's list straight into the engine's buffer), latency, state, tail, note ports, the dirty mark, and a guard
//! against panics round each function. One file per CLAP extension, as the specification names them.
//!
//! What the host holds is [`instance::Instance`]'s `clap_plugin`: nice-plug's own with our functions in it, and
//! nice-plug's `plugin_data` kept, so that nice-plug's extensions work on it as they are.

#![expect(unsafe_code, reason = "the CLAP entry: a C interface by definition")]

mod entry;
mod events;
mod exported;
mod host;
mod instance;
mod latency;
mod note_ports;
mod params;
mod preset_discovery;
mod preset_load;
mod remote_controls;
mod render;
mod state;
mod tail;

pub use entry::ENTRY;
pub use exported::factory as chain_factory;

#[cfg(test)]
mod tests;
