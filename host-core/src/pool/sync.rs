//! What the protocol stands on. Its model in the tests puts loom's in the place of this file.

pub use std::hint::spin_loop;
pub use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use std::sync::atomic::AtomicU32;

use rustix::thread::futex;

/// A word to sleep on.
pub struct Futex {
    pub word: AtomicU32,
}

impl Futex {
    pub fn new(value: u32) -> Self {
        Self { word: AtomicU32::new(value) }
    }

    /// Sleeps while the word is `expected`; may wake for no reason.
    pub fn wait(&self, expected: u32) {
        let _woken_or_other = futex::wait(&self.word, futex::Flags::PRIVATE, expected, None);
    }

    /// Wakes who sleeps.
    pub fn wake(&self) {
        let _nobody = futex::wake(&self.word, futex::Flags::PRIVATE, 1);
    }
}

/// A cell whose keeper says when it is used, in loom's form.
pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub const fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }

    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}
