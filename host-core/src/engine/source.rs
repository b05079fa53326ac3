//! What every slot may ask of the container's own block, each at its own place in time.

use super::midi::History;
use super::timeline::Timeline;

/// The container's blocks as slots see them.
pub struct Source {
    /// What MIDI came.
    pub events: History,
    /// What the host's transport did.
    pub song: Timeline,
}

impl Source {
    /// Nothing came yet. `[home]`
    pub fn new() -> Self {
        Self { events: History::new(), song: Timeline::new() }
    }

    /// A block is over. `[audio]`
    #[inline]
    pub fn pass(&mut self, frames: usize) {
        self.events.pass(frames);
        self.song.pass(frames);
    }
}
