//! Looking for plugins from an editor: a job, one in a process, whose children look at what changed. What it found is read by all
//! sessions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{CatalogSource, SessionHandle, search_paths};
use crate::child;
use crate::model::{BadFile, Folders, Foreign};
use crate::scan::{self, Progress, Scan, ScanError, SearchPaths};

/// Between two looks whether folders changed.
const PAUSE: Duration = Duration::from_secs(5);
/// Between two looks at the cache.
const LOOK: Duration = Duration::from_secs(1);
/// What our other threads have.
const STACK: usize = 512 * 1024;

/// What is to be looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// What changed in the folders, if anything did: may be asked for with every picture.
    Changed,
    /// What could not be used.
    Again(BadFile),
    /// Everything.
    All,
}

/// How a look for plugins fares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScanView {
    /// One is under way, and how far.
    pub progress: Option<Progress>,
    /// Why the last one could not be made; empty for nothing.
    pub problem: String,
    /// Plugins that exist here only in formats that Catena does not host.
    pub foreign: Arc<Vec<Foreign>>,
}

struct State {
    view: ScanView,
    running: bool,
    looked: Option<Instant>,
    /// The folders as they were at the last look.
    seen: Option<(SearchPaths, scan::Trace)>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);
static STOP: AtomicBool = AtomicBool::new(false);

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    let mut state: MutexGuard<'_, Option<State>> = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    work(state.get_or_insert_with(|| State { view: ScanView::default(), running: false, looked: None, seen: None }))
}

impl SessionHandle {
    /// How a look for plugins fares. May be asked with every picture: what a look of another session, or of `catena scan` in a
    /// terminal, found is read within a second. `[any but audio]`
    pub fn scans(&self) -> ScanView {
        if self.is_news() {
            let session = self.clone();
            let reading = std::thread::Builder::new().name("catena-catalog".into()).stack_size(STACK);
            // It waits for home, which an editor never does.
            let _no_thread = reading.spawn(move || session.refresh_catalog());
        }
        with(|state| state.view.clone())
    }

    /// Looks for plugins beside everything else, where no other look is under way. `[any but audio]`
    pub fn look_for_plugins(&self, what: Look) {
        let given = matches!(self.config().catalog, CatalogSource::Given(_));
        if given || child::is_inside() {
            return;
        }
        let begins = with(|state| {
            let soon = what == Look::Changed && state.looked.is_some_and(|at| at.elapsed() < PAUSE);
            if state.running || soon {
                return false;
            }
            state.looked = Some(Instant::now());
            state.running = true;
            true
        });
        if !begins {
            return;
        }
        STOP.store(false, Ordering::Relaxed);
        let session = self.clone();
        let job = std::thread::Builder::new().name("catena-scan".into()).stack_size(STACK);
        if job.spawn(move || session.scan_now(&what)).is_err() {
            with(|state| state.running = false);
        }
    }

    /// Ends the look that is under way; nothing of it is kept. `[any but audio]`
    pub fn stop_looking(&self) {
        STOP.store(true, Ordering::Relaxed);
    }

    /// Whether the cache is another than at the last look.
    fn is_news(&self) -> bool {
        if matches!(self.config().catalog, CatalogSource::Given(_)) {
            return false;
        }
        self.shared().cache_seen(LOOK, || {
            std::fs::metadata(Folders::from_env().scan_cache()).and_then(|data| data.modified()).ok()
        })
    }

    fn scan_now(&self, what: &Look) {
        let (paths, folders) = (search_paths(), Folders::from_env());
        let seen = (paths.clone(), paths.trace());
        let changed = with(|state| state.seen.as_ref() != Some(&seen));
        let mut problem = None;
        if changed || *what != Look::Changed {
            let mut tell = |at: &Progress| with(|state| state.view.progress = Some(at.clone()));
            let again = match what {
                Look::Again(bad) => Some(bad),
                _ => None,
            };
            let scan = Scan { force: *what == Look::All, again, stop: Some(&STOP), ..Scan::default() };
            match scan.run(&paths, &folders, &mut tell) {
                Ok(catalog) => {
                    let foreign = Arc::new(scan::foreign(&catalog));
                    with(|state| state.view.foreign = foreign);
                    self.refresh_catalog();
                }
                Err(ScanError::Stopped) => {}
                Err(error) => problem = Some(error.to_string()),
            }
        }
        with(|state| {
            state.view.progress = None;
            if changed || *what != Look::Changed {
                state.view.problem = problem.unwrap_or_default();
            }
            state.seen = Some(seen);
            state.running = false;
        });
    }
}
