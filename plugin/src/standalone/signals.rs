//! Signals: none is handled, some are waited for.

use nix::sys::signal::{SigSet, Signal};

/// Lets a write past the file size limit fail with an error instead of ending the program. `[main, before any thread]`
pub fn block_file_limit() {
    let mut set = SigSet::empty();
    set.add(Signal::SIGXFSZ);
    let _as_before = set.thread_block();
}

/// The wish of terminal or system that the program end; and the one by which a chain that its level guard has muted is told to
/// sound again (SIGUSR1).
#[derive(Clone, Copy)]
pub struct Stop(SigSet);

impl Stop {
    /// Takes the signals out of their usual way, for this thread and those it makes.
    pub fn prepare() -> Self {
        let mut set = SigSet::empty();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGUSR1] {
            set.add(signal);
        }
        let _as_before = set.thread_block();
        Self(set)
    }

    /// Waits for one of those that end, and calls `reopen` at each of the other.
    pub fn wait(self, reopen: impl Fn()) {
        loop {
            match self.0.wait() {
                Ok(Signal::SIGUSR1) => reopen(),
                Ok(_) => return,
                Err(_) => {}
            }
        }
    }
}
