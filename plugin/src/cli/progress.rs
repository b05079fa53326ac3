//! A progress bar, or a sign of life where no end is known, for what takes longer than a second; on a terminal only.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::out;

/// Nothing is shown before this much time has passed.
const QUIET: Duration = Duration::from_millis(700);
/// How often it is drawn.
const REFRESH: Duration = Duration::from_millis(100);

/// How far the work is, and what is worked on.
#[derive(Clone, Default)]
struct At {
    done: u64,
    total: u64,
    current: String,
}

/// Shows that work goes on, from a thread of its own: what takes long may tell nothing meanwhile.
pub struct Progress {
    at: Arc<Mutex<At>>,
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// For work that tells how far it is, with [`Progress::set`].
    pub fn new(label: &'static str) -> Self {
        Self::begin(move || {
            let style = ProgressStyle::with_template("{prefix} {bar:30} {percent:>3} % {eta:>4} {wide_msg}");
            let bar = ProgressBar::with_draw_target(Some(1), out::bar_target());
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(label);
            bar
        })
    }

    /// For work whose end nobody knows.
    pub fn waiting(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::begin(move || {
            let bar = ProgressBar::with_draw_target(None, out::bar_target());
            bar.set_style(ProgressStyle::default_spinner());
            bar.set_message(text);
            bar
        })
    }

    fn begin(make: impl FnOnce() -> ProgressBar + Send + 'static) -> Self {
        let at = Arc::<Mutex<At>>::default();
        if !out::is_terminal() {
            return Self { at, shown: None };
        }
        let (ends, ended) = channel();
        let seen = at.clone();
        let thread = std::thread::Builder::new().name("catena-progress".into());
        let thread = thread.spawn(move || show(&seen, &ended, make));
        // Where there is no thread, nothing is shown.
        Self { at, shown: thread.ok().map(|thread| (ends, thread)) }
    }

    /// `done` of `total`, and what is worked on.
    pub fn set(&mut self, done: u64, total: u64, current: &str) {
        if self.shown.is_some() {
            *self.at.lock().unwrap_or_else(PoisonError::into_inner) = At { done, total, current: current.into() };
        }
    }
}

fn show(at: &Mutex<At>, ended: &Receiver<()>, make: impl FnOnce() -> ProgressBar) {
    let mut pause = QUIET;
    let (mut make, mut bar) = (Some(make), None);
    while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = REFRESH;
        let bar = bar.get_or_insert_with(|| make.take().map_or_else(ProgressBar::hidden, |make| make()));
        let At { done, total, current } = at.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if total > 0 {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(current);
        }
        bar.tick();
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((ends, thread)) = self.shown.take() {
            drop(ends);
            let _panicked = thread.join();
        }
    }
}
