//! MIDI as the engine looks at it: which notes sound, what a slot's filter lets through, what the container's stream was.
//!
//! Whatever ends a stream (a bypass, another source, a plugin that goes) ends the notes that it began: each place that hands notes
//! on keeps a table of those that sound there ([`Notes`]). Fixed room, nothing allocates. `[audio]` all through.

mod filter;
mod history;
mod look;
mod notes;
mod out;

pub use filter::{Filter, pack, unpack};
pub use history::History;
pub use look::{Turn, ends_something, turn};
pub use notes::{Notes, silence};
pub use out::{DRY, Out};
