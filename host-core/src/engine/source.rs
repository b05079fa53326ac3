//! What every slot may ask of the container's own block: its MIDI as it came.

use super::midi::History;

/// The container's block as slots see it, each at its own place in time.
pub struct Source {
    /// What MIDI came.
    pub events: History,
}

impl Source {
    /// Nothing came yet. `[home]`
    pub fn new() -> Self {
        Self { events: History::new() }
    }

    /// A block is over. `[audio]`
    #[inline]
    pub fn pass(&mut self, frames: usize) {
        self.events.pass(frames);
    }
}
