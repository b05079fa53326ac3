//! Home listens to a slot: what goes into it, what its plugin makes of that, and what comes out.

use std::sync::atomic::Ordering::Relaxed;

use super::SlotNode;
use crate::backend::audio::Bus;
use crate::engine::taps;

/// What of a slot is listened to; the number of its ring.
#[derive(Clone, Copy)]
pub(super) enum Heard {
    /// What goes into it, before its input gain.
    In,
    /// What its plugin makes, before output gain and mix; silence where it does not run.
    Wet,
    /// What comes out.
    Out,
}

impl SlotNode {
    /// Begins to listen: what goes in, what the plugin makes, and what comes out, with room for `frames` of each. `None`: the
    /// audio thread is here this moment. `[home]`
    pub fn open_tap(&self, frames: usize) -> Option<taps::Heard> {
        let heard = self.tap.open(3, self.shape.channels, frames)?;
        self.heard.store(true, Relaxed);
        Some(heard)
    }

    /// Listens no more. `[home]`
    pub fn close_tap(&self) {
        self.heard.store(false, Relaxed);
        // Where the audio thread is here this moment, the rings are freed with the node or by the next that listens.
        let _freed = self.tap.close();
    }

    /// Whether home listens. `[audio]`
    #[inline]
    pub(super) fn is_heard(&self) -> bool {
        self.heard.load(Relaxed)
    }

    /// Lets home hear a block. What goes in is the first of it. `[audio]`
    #[inline]
    pub(super) fn let_hear(&self, what: Heard, bus: &Bus, frames: usize) {
        if self.is_heard() {
            if matches!(what, Heard::In) {
                self.tap.begin(frames);
            }
            self.tap.give(what as usize, &bus.channels, 0, frames);
        }
    }

    /// Ends a block for home's ears. `[audio]`
    #[inline]
    pub(super) fn hush(&self, frames: usize) {
        if self.is_heard() {
            self.tap.end(frames);
        }
    }
}
