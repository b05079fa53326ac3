//! Asking home, with a bound: a DAW's thread never waits for ever.

use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use super::SessionHandle;
use crate::home::{self, Doing, HomeError, LOAD_PATIENCE, PATIENCE, home};
use crate::session::owner::Owner;
use crate::session::{LoadError, SlotReport};

impl SessionHandle {
    /// Waits until no edit, load or fade is under way, at most as long as a load may take. `[any but audio]`
    pub fn settle(&self) {
        let (waiter, done) = sync_channel(1);
        if self.ask(PATIENCE, move |owner| owner.wait(waiter)).is_ok() {
            let _late = self.await_settled(&done, Instant::now());
        }
    }

    /// Waits for an answer, half a minute from `begun` at most; `None`: it did not come. On home itself nobody else would bring
    /// it about: the session is pumped here.
    pub(super) fn await_settled(&self, done: &Receiver<Vec<SlotReport>>, begun: Instant) -> Option<Vec<SlotReport>> {
        if !home::is_home() {
            return done.recv_timeout(LOAD_PATIENCE.saturating_sub(begun.elapsed())).ok();
        }
        while begun.elapsed() < LOAD_PATIENCE {
            if let Ok(reports) = done.try_recv() {
                return Some(reports);
            }
            home::with(self.0.id, |owner: &mut Owner| owner.pump(Instant::now())).ok()?;
            home::wait(Duration::from_millis(1));
        }
        None
    }

    /// Lets `work` at the session on home, and waits for its answer.
    pub(super) fn ask<R: Send + 'static>(
        &self,
        patience: Duration,
        work: impl FnOnce(&mut Owner) -> R + Send + 'static,
    ) -> Result<R, LoadError> {
        self.ask_home(patience, work).map_err(busy)
    }

    pub(super) fn ask_home<R: Send + 'static>(
        &self,
        patience: Duration,
        work: impl FnOnce(&mut Owner) -> R + Send + 'static,
    ) -> Result<R, HomeError> {
        let id = self.0.id;
        let answer = home().and_then(|home| home.ask(patience, move || home::with(id, work))).and_then(|answer| answer);
        if let Err(HomeError::Stuck(doing)) = &answer {
            self.tell_stuck(doing);
        }
        answer
    }

    /// Shows that home does not answer, until it does.
    pub(super) fn tell_stuck(&self, doing: &Doing) {
        if self.0.shared.tell_stuck(self.0.id, doing) {
            self.later(|owner| owner.news = true);
        }
    }

    /// Lets `work` at the session before all that is asked of it after this.
    pub(super) fn tell(&self, work: impl FnOnce(&mut Owner) + Send + 'static) {
        match home::is_home() {
            true => drop(self.ask(PATIENCE, work)),
            false => self.later(work),
        }
    }

    /// Lets `work` at the session when home comes to it.
    pub(super) fn later(&self, work: impl FnOnce(&mut Owner) + Send + 'static) {
        let id = self.0.id;
        if let Ok(home) = home() {
            home.post(move || {
                let _gone = home::with(id, work);
            });
        }
    }
}

pub(super) fn busy(error: HomeError) -> LoadError {
    LoadError::Busy(error.to_string())
}
