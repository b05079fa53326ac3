//! A plugin may ask to be restarted at every restart. Then it is restarted once a second, and named.

use std::time::{Duration, Instant};

use super::requests::{Ask, Common};
use crate::backend::log::Level;

/// Restarts granted at once.
const AT_ONCE: u32 = 8;
/// One more each.
const PAUSE: Duration = Duration::from_secs(1);

/// What a plugin has left.
#[derive(Default)]
pub struct Restarts {
    used: u32,
    since: Option<Instant>,
    told: bool,
}

impl Restarts {
    /// Takes `restart` back, to be asked for again later, where the plugin has used up what it may. `[home]`
    pub fn limit(&mut self, restart: &mut bool, now: Instant, common: &Common) {
        let since = *self.since.get_or_insert(now);
        let regained = (now.saturating_duration_since(since).as_secs_f64() / PAUSE.as_secs_f64()) as u32;
        if regained > 0 {
            self.used = self.used.saturating_sub(regained);
            self.since = Some(since + PAUSE * regained);
        }
        if !*restart {
            return;
        }
        if self.used < AT_ONCE {
            self.used += 1;
            return;
        }
        *restart = false;
        common.ask(Ask::Restart);
        if !std::mem::replace(&mut self.told, true) {
            common
                .log(Level::Warning, "asks to be restarted again and again; it is restarted once a second from now on");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restart_loop_is_slowed_and_a_single_restart_is_not() {
        let common = Common::new("looping".into());
        let mut restarts = Restarts::default();
        let start = Instant::now();
        let mut ask = |at: Instant| {
            let mut restart = true;
            restarts.limit(&mut restart, at, &common);
            restart
        };
        let granted = (0..100).filter(|_| ask(start)).count();
        assert_eq!(granted, AT_ONCE as usize);
        assert!(common.take(Ask::Restart), "the request is kept");
        let tick = Duration::from_millis(10);
        let later = (0..500).filter(|n| ask(start + tick * *n)).count();
        assert_eq!(later, 4, "one a second");
        assert!(ask(start + Duration::from_secs(60)));
    }
}
