//! A progress bar for what takes longer than a second; on a terminal only.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::out;

/// Nothing is shown before this much time has passed.
const QUIET: Duration = Duration::from_millis(700);

/// A bar that appears only if it is worth it.
pub struct Progress {
    began: Instant,
    label: &'static str,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar with a word in front of it.
    pub fn new(label: &'static str) -> Self {
        Self { began: Instant::now(), label, bar: None }
    }

    /// `done` of `total`, and what is worked on.
    pub fn set(&mut self, done: u64, total: u64, current: &str) {
        if self.bar.is_none() {
            if self.began.elapsed() < QUIET || !out::is_terminal() {
                return;
            }
            self.bar = Some(self.make(total));
        }
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(current.to_owned());
        }
    }

    fn make(&self, total: u64) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(total), out::bar_target());
        let style = ProgressStyle::with_template("{prefix} {bar:30} {percent:>3} % {eta:>4} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(self.label);
        bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
