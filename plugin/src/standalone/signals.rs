//! Signals: none is handled, some are waited for.

use nix::sys::signal::{SigSet, Signal};

/// Lets a write past the file size limit fail with an error instead of ending the program. `[main, before any thread]`
pub fn block_file_limit() {
    let mut set = SigSet::empty();
    set.add(Signal::SIGXFSZ);
    let _as_before = set.thread_block();
}

/// The wish of terminal or system that the program end.
#[derive(Clone, Copy)]
pub struct Stop(SigSet);

impl Stop {
    /// Takes the signals out of their usual way, for this thread and those it makes.
    pub fn prepare() -> Self {
        let mut set = SigSet::empty();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            set.add(signal);
        }
        let _as_before = set.thread_block();
        Self(set)
    }

    /// Waits for one of them.
    pub fn wait(self) {
        while self.0.wait().is_err() {}
    }
}
