//! What leaves the container, and the notes that sound where it goes.

use super::notes::{Notes, silence};
use crate::backend::audio::EventBuffer;

/// The container's own stream as where MIDI comes from, with no plugin in between; a row of plugins is another number.
pub const DRY: u64 = 1;

/// The container's end of the stream.
pub struct Out {
    notes: Notes,
    /// Where what leaves comes from: another number is another source, which does not end what this one began.
    origin: u64,
    end: bool,
    silence: bool,
}

impl Out {
    /// Nothing sounds. `[home]`
    pub fn new() -> Self {
        Self { notes: Notes::new(), origin: DRY, end: false, silence: false }
    }

    /// Ends what sounds, in the next block; `silence`: on all channels, whether something is known to sound or not.
    pub fn end(&mut self, silence: bool) {
        self.end = true;
        self.silence |= silence;
    }

    /// Hands a part of a block that begins at frame `at` of it to the host.
    #[inline]
    pub fn send(&mut self, events: &EventBuffer, origin: u64, at: usize, to: &mut EventBuffer) {
        if origin != self.origin || self.end {
            self.break_off(origin, frame(at, 0), to);
        }
        for (event, bytes) in events.iter() {
            self.notes.note(event.port, event.kind(), bytes);
            to.copy(frame(at, event.frame), event, bytes);
        }
    }

    #[cold]
    fn break_off(&mut self, origin: u64, at: u16, to: &mut EventBuffer) {
        self.origin = origin;
        // What finds no room is ended with the next block.
        self.end = !self.notes.end_all(at, to);
        if std::mem::take(&mut self.silence) {
            silence(at, to);
        }
    }
}

fn frame(at: usize, frame: u16) -> u16 {
    (at + usize::from(frame)).min(u16::MAX.into()) as u16
}
