//! `clap.timer-support`: timers are served from home's tick. They may be added and taken away inside a timer's call.

use std::time::{Duration, Instant};

use clack_extensions::timer::{HostTimerImpl, PluginTimer, TimerId};
use clack_host::prelude::HostError;

use crate::backend::clap::host::HomeSide;
use crate::backend::clap::main::ClapMain;

/// Shortest period given, milliseconds: four times as often as the 30 Hz that a host owes.
const SHORTEST: u32 = 8;
/// Most timers of one plugin.
const MOST: usize = 256;

/// The timers of one plugin.
#[derive(Default)]
pub struct Timers {
    running: Vec<Timer>,
    next_id: u32,
}

#[derive(Clone, Copy)]
struct Timer {
    id: TimerId,
    period: Duration,
    due: Instant,
}

impl Timers {
    /// When the next is due.
    pub fn deadline(&self) -> Option<Instant> {
        self.running.iter().map(|timer| timer.due).min()
    }

    /// Timers due at `now`; each is set to its next time. One that fell behind is not made up for.
    fn due(&mut self, now: Instant) -> Vec<TimerId> {
        let due = self.running.iter_mut().filter(|timer| timer.due <= now);
        due.map(|timer| {
            timer.due = (timer.due + timer.period).max(now);
            timer.id
        })
        .collect()
    }

    fn has(&self, id: TimerId) -> bool {
        self.running.iter().any(|timer| timer.id == id)
    }
}

impl HostTimerImpl for HomeSide {
    fn register_timer(&self, period_ms: u32) -> Result<TimerId, HostError> {
        if !self.common.expect_home() {
            return Err(HostError::Message("timers are made on the main thread"));
        }
        let mut timers = self.timers.borrow_mut();
        if timers.running.len() >= MOST {
            return Err(HostError::Message("too many timers"));
        }
        let id = TimerId(timers.next_id);
        timers.next_id = timers.next_id.wrapping_add(1);
        let period = Duration::from_millis(period_ms.max(SHORTEST).into());
        timers.running.push(Timer { id, period, due: Instant::now() + period });
        Ok(id)
    }

    fn unregister_timer(&self, id: TimerId) -> Result<(), HostError> {
        if !self.common.expect_home() {
            return Err(HostError::Message("timers are ended on the main thread"));
        }
        let mut timers = self.timers.borrow_mut();
        let before = timers.running.len();
        timers.running.retain(|timer| timer.id != id);
        if timers.running.len() < before { Ok(()) } else { Err(HostError::Message("no such timer")) }
    }
}

impl ClapMain {
    /// Calls the plugin for each timer that is due. `[home]`
    pub(in crate::backend::clap) fn serve_timers(&mut self, now: Instant) {
        let due = self.instance.access_handler(|home| home.timers.borrow_mut().due(now));
        if due.is_empty() {
            return;
        }
        let Some(timer) = self.instance.plugin_handle().get_extension::<PluginTimer>() else { return };
        for id in due {
            // An earlier call may have ended this one.
            if self.instance.access_handler(|home| home.timers.borrow().has(id)) {
                timer.on_timer(&self.instance.plugin_handle(), id);
            }
        }
    }
}
