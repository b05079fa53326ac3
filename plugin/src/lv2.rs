//! LV2: a wrapper for any nice-plug `Plugin`, which nice-plug itself does not have. Nothing in here knows Catena: what
//! nice-plug lacks a word for is [`Lv2Plugin`] and [`Lv2Core`].
//!
//! 1. [`Export::of`] makes of a Plugin type what a host finds in the library: a descriptor of the plugin and one of its
//!    window, and [`turtle`] the files that describe both to a host which has not opened the library yet. Ports and their
//!    symbols come from the Plugin's parameters and layout, in one order ([`ports`]), so that the two cannot differ;
//! 2. the host instantiates (`ffi::instance`), connects ports, restores state (`ffi::state`), activates;
//! 3. `run` (`ffi::run`) takes changed control ports into the parameters, events out of the atom port, cuts the block at
//!    the announced maximum and at changes of the song's position ([`time`]), and hands it to the Plugin in buffers of
//!    its own: a host may give one buffer for several ports, or none. What a block without frames brings is kept for
//!    the next one ([`early`]);
//! 4. the window (`ffi::ui`) is the Plugin's editor. What it asks of the host waits in a queue for the host's `idle`,
//!    since the window has a thread of its own.
//!
//! Every function that a host calls runs inside [`guard`](crate::guard::guard): a panic is heard as the dry signal, and
//! that instance runs no more.
//!
//! | what | thread |
//! |---|---|
//! | instantiate, activate, deactivate, cleanup, options | host's main thread, not beside `run` |
//! | save, restore | host's main thread, beside `run` |
//! | run, connect_port | audio |
//! | the window's functions | host's UI thread |
//!
//! What a host hears when something fails; the log line names the file or the plugin inside that is to blame.
//!
//! | call | answer | why |
//! |---|---|---|
//! | instantiate | null | a rate that is no number above 0, or a panic |
//! | save, restore | `ERR_NO_FEATURE` | the host offers no `urid:map`: no key to store under |
//! | restore | `ERR_NO_PROPERTY` | nothing is stored under the key |
//! | restore | `ERR_BAD_TYPE` | a path without an end |
//! | restore | `ERR_UNKNOWN` | a file that cannot be read; bytes that are no state, which the plugin may keep |
//! | options | `ERR_BAD_KEY` | an option that is not about blocks or the sample rate |
//! | run | none; the dry signal from then on | a panic in the plugin |
//! | the window's instantiate | null | no parent, no instance access, a window that is open already, no X server |

mod atoms;
mod context;
mod early;
mod ffi;
mod ports;
mod time;
pub mod turtle;
mod variant;
mod words;
mod x11;

use std::sync::Arc;

use nice_plug::prelude::{AudioIOLayout, Plugin};

pub use ffi::{Export, IN_PLACE, set_bool};
pub use variant::{Variant, VariantParam};
pub use words::{quoted, symbol};

/// What an LV2 plugin has and nice-plug's `Plugin` does not say.
pub trait Lv2Plugin: Plugin {
    /// The plugin's URI, fixed for ever.
    const LV2_URI: &'static str;
    /// Local names of LV2's classes, beside `Plugin`.
    const LV2_CLASSES: &'static [&'static str];
    /// Its channels: an LV2 plugin has the same ports in every host.
    const LV2_LAYOUT: AudioIOLayout;
    /// Key under which the state is stored. Plugins with one key read each other's.
    const LV2_STATE: &'static str;
    /// One line on what it does.
    const LV2_COMMENT: &'static str;
    /// Largest latency it may ever report, frames: hosts size their delay lines by it.
    const LV2_MAX_LATENCY: u32;

    /// What the wrapper asks beside `Plugin`.
    type Core: Lv2Core;

    /// The same for as long as the plugin lives. `[main]`
    fn lv2_core(&self) -> Arc<Self::Core>;
}

/// Takes one MIDI message: a frame of the block and its bytes.
pub type TakeEvent<'a> = &'a mut dyn FnMut(u32, &[u8]);

/// What the wrapper asks of a plugin beside nice-plug's `Plugin`. Everything has an answer that leaves the matter to
/// nice-plug, which `()` gives.
pub trait Lv2Core: Send + Sync + 'static {
    /// The state is [`Lv2Core::save`]'s bytes. Otherwise it is nice-plug's parameters and fields.
    const OWN_STATE: bool = false;
    /// MIDI passes through [`Lv2Core::events_in`] and [`Lv2Core::events_out`], byte for byte. Otherwise it passes as
    /// nice-plug's note events.
    const OWN_EVENTS: bool = false;

    /// The state, whole; `None` where there is nothing to save. Beside `run`. `[main]`
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Takes a state; returns when it holds. False: it is none of ours. Beside `run`. `[main]`
    fn load(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// The plugin was just made as `variant`, whose state it takes. `[main]`
    fn become_variant(&self, _variant: &Variant) {}

    /// A block of `frames` frames begins; `fill` gives its events, in the host's order. `[audio]`
    fn events_in(&self, _frames: u32, _fill: &mut dyn FnMut(TakeEvent<'_>)) {}

    /// What the block just run sends, in order. `[audio]`
    fn events_out(&self, _take: TakeEvent<'_>) {}

    /// The latency to report, frames; `None` for what the plugin told nice-plug's contexts. `[audio]`
    fn latency(&self) -> Option<u32> {
        None
    }

    /// Whether something that a save would write has changed by other ways than the host's own; answered once.
    /// `[audio]`
    fn take_dirty(&self) -> bool {
        false
    }

    /// Notes whether the host renders offline. `[audio]`
    fn set_offline(&self, _offline: bool) {}

    /// Lines for the host's log; taken once. `[main]`
    fn take_notices(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Lv2Core for () {}

#[cfg(test)]
mod tests;
