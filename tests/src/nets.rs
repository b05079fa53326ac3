//! Nets that catch the audio thread where it allocates, frees, locks or calls the system.
//!
//! 1. [`Counting`], a global allocator that counts per thread;
//! 2. [`syscalls`], a seccomp filter on the audio thread that traps every system call but FUTEX_WAKE;
//! 3. clippy's `disallowed-types` (in `clippy.toml`, denied by the engine's own modules);
//! 4. [`interpose`], stand-ins for C's `malloc`, `free` and `pthread_mutex_lock`, for code that is not Rust.
//!
//! What a plugin does inside its calls is not counted: the engine tells the nets where foreign code begins and ends.
#![allow(unsafe_code, reason = "an allocator, a signal handler and C symbols")]

pub mod guard_pages;
pub mod interpose;
pub mod syscalls;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static FOREIGN: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: Cell<Caught> = const { Cell::new(Caught { allocations: 0, frees: 0, c_allocations: 0, locks: 0 }) };
}

/// What the nets of one thread caught.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caught {
    /// Rust allocations.
    pub allocations: u64,
    /// Rust frees.
    pub frees: u64,
    /// Calls of C's `malloc` family, Rust's own among them.
    pub c_allocations: u64,
    /// Calls of `pthread_mutex_lock`.
    pub locks: u64,
}

/// Begins or ends watching this thread.
pub fn watch(on: bool) {
    WATCHED.set(on);
}

/// What was caught on this thread so far.
pub fn caught() -> Caught {
    CAUGHT.get()
}

/// Tells the engine to say where foreign code begins and ends. Once in a process.
pub fn fence() {
    host_core::engine::foreign::watch(|inside| FOREIGN.set(inside));
}

/// Whether this thread is in code that the nets judge.
pub(crate) fn judged() -> bool {
    // A thread that is going down has no such variables any more, and is not judged.
    WATCHED.try_with(Cell::get).unwrap_or(false) && !FOREIGN.try_with(Cell::get).unwrap_or(true)
}

pub(crate) fn count(change: impl FnOnce(&mut Caught)) {
    if judged() {
        let mut caught = CAUGHT.get();
        change(&mut caught);
        CAUGHT.set(caught);
    }
}

/// The system's allocator, counted per thread.
pub struct Counting;

// SAFETY: every call is handed to the system's allocator unchanged; counting touches a plain thread-local number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(|caught| caught.allocations += 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(|caught| caught.frees += 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(|caught| caught.allocations += 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(at, layout, size) }
    }
}
