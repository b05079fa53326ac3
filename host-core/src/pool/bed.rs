//! Where a helper sleeps.

use super::sync::{Futex, Ordering};

const AWAKE: u32 = 0;
const ASLEEP: u32 = 1;

/// One helper's. It alone sleeps there; any thread wakes it.
pub struct Bed(Futex);

impl Bed {
    pub fn new() -> Self {
        Self(Futex::new(AWAKE))
    }

    /// Sleeps until somebody wakes it, or not at all where `wanted` says that it is wanted. It may wake for no reason.
    pub fn sleep(&self, wanted: impl Fn() -> bool) {
        // Both exchange the word, and whoever comes second sees what the first wrote before: either this thread sees that it is
        // wanted, or whoever wants it that it sleeps.
        self.0.word.swap(ASLEEP, Ordering::AcqRel);
        if !wanted() {
            self.0.wait(ASLEEP);
        }
        self.0.word.swap(AWAKE, Ordering::AcqRel);
    }

    /// Wakes it where it sleeps. What it is to see was written before. `[audio]`
    pub fn wake(&self) {
        if self.0.word.swap(AWAKE, Ordering::AcqRel) == ASLEEP {
            self.0.wake();
        }
    }
}
