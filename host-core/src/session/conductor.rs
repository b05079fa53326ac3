//! The session's end of the engine: plans on their way, and the audio role where no blocks come. All `[home]`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::backend::audio::ParamEvent;
use crate::engine::{ContainerReading, Controller, Heard, LevelGuard, Plan, Reports, SlotNode};
use crate::home;
use crate::pool::Class;

/// How long a save waits for the audio thread to take the last parameter changes.
const FLUSH_LIMIT: Duration = Duration::from_millis(300);

/// A [`Controller`] and the count of plans that the audio thread has not taken yet.
pub(super) struct Conductor {
    controller: Controller,
    in_flight: usize,
    deactivated: bool,
}

impl Conductor {
    pub(super) fn new(controller: Controller) -> Self {
        Self { controller, in_flight: 0, deactivated: true }
    }

    /// The host activates or deactivates the container.
    pub(super) fn set_deactivated(&mut self, deactivated: bool) {
        self.deactivated = deactivated;
        self.controller.deactivated(deactivated);
    }

    /// Whether no blocks come: the host stopped calling us.
    pub(super) fn is_idle(&mut self) -> bool {
        self.deactivated || !self.controller.runs()
    }

    /// Puts a plan in place at once, or none. False: a block is running.
    pub(super) fn install(&mut self, plan: Option<Box<Plan>>) -> bool {
        let Some(mut lease) = self.controller.lease() else { return false };
        drop(lease.exchange(plan));
        self.in_flight = 0;
        true
    }

    /// Sends a plan. False: there is no room; it is dropped.
    pub(super) fn send(&mut self, plan: Box<Plan>) -> bool {
        let sent = self.controller.send(plan).is_ok();
        self.in_flight += usize::from(sent);
        sent
    }

    /// Whether the audio thread still holds the plan before the last.
    pub(super) fn plan_in_flight(&self) -> bool {
        self.in_flight > 0
    }

    /// Sends a parameter change. False: there is no room now.
    pub(super) fn param(&mut self, node: &Arc<SlotNode>, event: ParamEvent) -> bool {
        self.controller.param(node, event)
    }

    /// Ends every note and forgets all that sounds. False: there is no room now.
    pub(super) fn panic(&mut self) -> bool {
        self.controller.panic()
    }

    /// What the audio thread reported. Replaced plans are freed here.
    pub(super) fn poll(&mut self) -> Reports {
        let mut reports = self.controller.poll();
        self.in_flight = self.in_flight.saturating_sub(reports.retired.len());
        reports.retired.clear();
        reports
    }

    /// Where no blocks come: takes what waits for the audio thread, and lets `deliver` carry out the parameter changes that the
    /// slots hold by then.
    pub(super) fn serve_idle(&mut self, deliver: impl FnOnce()) {
        if self.in_flight == 0 && self.controller.all_taken() {
            return;
        }
        if let Some(mut lease) = self.controller.lease() {
            let replaced = lease.drain();
            deliver();
            drop(lease);
            self.in_flight = self.in_flight.saturating_sub(replaced.len());
        }
    }

    /// Does `work` in the audio thread's place. False: blocks come, and nothing was done.
    pub(super) fn alone(&mut self, work: impl FnOnce()) -> bool {
        let lease = self.controller.lease();
        let alone = lease.is_some();
        if alone {
            work();
        }
        alone
    }

    /// What came into the container and left it since the last call.
    pub(super) fn meters(&self) -> ContainerReading {
        self.controller.meters()
    }

    /// Begins to listen to what comes in and what goes out.
    pub(super) fn open_tap(&self, channels: usize, frames: usize) -> Option<Heard> {
        self.controller.open_tap(channels, frames)
    }

    /// Listens no more.
    pub(super) fn close_tap(&self) {
        self.controller.close_tap();
    }

    /// What comes of too loud an output.
    pub(super) fn set_level_guard(&self, kind: LevelGuard) {
        self.controller.set_level_guard(kind);
    }

    /// Ends the mute of the level guard.
    pub(super) fn reopen(&self) {
        self.controller.reopen();
    }

    /// Whether the level guard has muted the chain, and how often the output was too loud.
    pub(super) fn loud(&self) -> (bool, u32) {
        self.controller.loud()
    }

    /// Whether the host's transport rolled in the last block.
    pub(super) fn rolls(&self) -> bool {
        self.controller.rolls()
    }

    /// Asks of which scheduling class the audio thread is.
    pub(super) fn ask_class(&self) {
        self.controller.ask_class();
    }

    /// The answer; `None`: not yet.
    pub(super) fn class(&self) -> Option<Class> {
        self.controller.class()
    }

    /// Whether the last block was rendered offline.
    pub(super) fn offline(&self) -> bool {
        self.controller.offline()
    }

    /// The next reset belongs to a restart that our own latency change asks for.
    pub(super) fn expect_own_restart(&self) {
        self.controller.expect_own_restart();
    }

    /// Waits until the audio thread has taken and run everything that was sent, so that a save holds it; not for long.
    pub(super) fn flush(&mut self) {
        let start = Instant::now();
        while !self.is_idle() && !self.controller.all_taken() && start.elapsed() < FLUSH_LIMIT {
            home::wait(Duration::from_millis(1));
        }
    }
}
