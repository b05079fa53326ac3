//! How far the window is with closing. The window system's own button cannot be refused: the window goes, and comes back to ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const NOT: u8 = 0;
const ASKS: u8 = 1;
const AGREED: u8 = 2;

/// All clones are one.
#[derive(Clone, Default)]
pub struct Closing(Arc<AtomicU8>);

impl Closing {
    /// The user is asked what is to become of what is not saved.
    pub fn ask(&self) {
        self.0.store(ASKS, Ordering::Release);
    }

    /// Whether that question is open.
    pub fn asks(&self) -> bool {
        self.0.load(Ordering::Acquire) == ASKS
    }

    /// The chain is saved, or the user lets it go.
    pub fn agree(&self) {
        self.0.store(AGREED, Ordering::Release);
    }

    /// Whether it is.
    pub fn agreed(&self) -> bool {
        self.0.load(Ordering::Acquire) == AGREED
    }

    /// The user goes on with the chain.
    pub fn forget(&self) {
        self.0.store(NOT, Ordering::Release);
    }
}
