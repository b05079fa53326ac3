//! How home tells the DAW that there is something to fetch: a call into the DAW, with no lock of ours held.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::home;

/// What is called; it must be safe from any thread and never wait.
pub(super) type Waker = Box<dyn Fn() + Send + Sync>;

/// How long the end waits for a call that is under way: a DAW that holds in that call what its ending thread holds too would
/// otherwise never come out of it.
const PATIENCE: Duration = Duration::from_millis(400);

#[derive(Default)]
struct State {
    waker: Option<Arc<Waker>>,
    ringing: usize,
}

/// The bell and who rings it this moment.
#[derive(Default)]
pub(super) struct DawBell {
    state: Mutex<State>,
    silent: Condvar,
}

impl DawBell {
    pub(super) fn set(&self, waker: Waker) {
        self.lock().waker = Some(Arc::new(waker));
    }

    /// Calls the DAW, outside the lock: it may call back into us.
    pub(super) fn wake(&self) {
        let waker = {
            let mut state = self.lock();
            let Some(waker) = state.waker.clone() else { return };
            state.ringing += 1;
            waker
        };
        let _rings = Ringing(self);
        waker();
    }

    /// When this returns no call begins any more, and none is under way, but the one that it may be made from.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.waker = None;
        // Home alone rings: a call under way there is the one we are inside of.
        if !home::is_home() {
            let ended = self.silent.wait_timeout_while(state, PATIENCE, |state| state.ringing > 0);
            drop(ended.unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call under way; over when dropped, by a panic too.
struct Ringing<'a>(&'a DawBell);

impl Drop for Ringing<'_> {
    fn drop(&mut self) {
        self.0.lock().ringing -= 1;
        self.0.silent.notify_all();
    }
}
