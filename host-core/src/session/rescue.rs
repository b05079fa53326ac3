//! What is kept of a session that may end without a word: its chain, written into the state folder some seconds after a change.
//!
//! 1. A change is noted; when nothing changed for [`QUIET`], or [`LATEST`] after the first, plugins that may differ from what is
//!    kept of them are asked for their state, one a tick, so that home is never held longer than one of them takes `[home]`;
//! 2. the chain is encoded and written, in one step, by a thread of its own `[job]`;
//! 3. a session that ends well takes its file along; so does a load, and whoever saved it says so;
//! 4. what a dead process left is found by [`left_behind`] `[any but audio]`, and stays until somebody takes or discards it. Only
//!    where there are more than [`MOST`] does the writer let those go that are older than [`OLD`] `[job]`.
//!
//! It is a chain file like any other. A DAW's own save is the DAW's: nothing here comes into a session by itself.

use std::collections::VecDeque;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::owner::Owner;
use super::{CatalogSource, Purpose, SessionConfig};
use crate::home::ResidentId;
use crate::journal::{is_running, name_of_process};
use crate::model::{Chain, Folders, SlotId};
use crate::store;

/// So long nothing more changes before the chain is written.
const QUIET: Duration = Duration::from_secs(3);
/// So long after the first change it is written all the same.
const LATEST: Duration = Duration::from_secs(15);
/// Chains of dead processes that are kept however old they are.
const MOST: usize = 50;
/// Of more than those, what is older than this goes.
const OLD: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A session's file, and what it does not hold yet.
#[derive(Default)]
pub(super) struct Rescue {
    file: Option<Arc<RescueFile>>,
    /// When something changed that is not in it: first, and last.
    changed: Option<(Instant, Instant)>,
    /// Plugins to be asked before it is written; `None`: it is not about to be.
    asking: Option<VecDeque<SlotId>>,
    /// What there is to say of other processes' chains; empty for nothing.
    pub(super) notice: String,
}

struct RescueFile {
    path: PathBuf,
    writing: AtomicBool,
    /// It is not to be there any more.
    over: AtomicBool,
    /// Why it could not be written.
    failed: Mutex<Option<String>>,
}

/// While it is written; the end of that, however it comes.
struct Writing<'a>(&'a RescueFile);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.writing.store(false, Ordering::SeqCst);
        if self.0.over.load(Ordering::SeqCst) {
            self.0.remove();
        }
    }
}

impl RescueFile {
    fn new(path: PathBuf) -> Self {
        Self { path, writing: AtomicBool::new(false), over: AtomicBool::new(false), failed: Mutex::default() }
    }

    /// `[job]`
    fn write(&self, chain: &Chain) {
        let _writing = Writing(self);
        // States may hold what is nobody else's business.
        let made =
            self.path.parent().map_or(Ok(()), |folder| DirBuilder::new().recursive(true).mode(0o700).create(folder));
        let folder = |error: std::io::Error| error.to_string();
        let kept =
            made.map_err(folder).and_then(|()| store::write(&self.path, chain).map_err(|error| error.to_string()));
        if let Err(error) = kept {
            self.fail(error);
        }
        if let Some(folder) = self.path.parent() {
            let_old_go(folder);
        }
    }

    fn fail(&self, error: String) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    fn take_failure(&self) -> Option<String> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn remove(&self) {
        let _gone = std::fs::remove_file(&self.path);
    }

    /// It is over; whoever writes it this moment removes it.
    fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
        if !self.writing.load(Ordering::SeqCst) {
            self.remove();
        }
    }
}

impl Rescue {
    /// Sessions that only render, and those over a given catalog, keep nothing.
    pub(super) fn new(id: ResidentId, config: &SessionConfig) -> Self {
        let daw = config.purpose == Purpose::Daw && matches!(config.catalog, CatalogSource::Cache);
        let (true, Some(process)) = (daw || config.purpose == Purpose::Standalone, name_of_process()) else {
            return Self::default();
        };
        let folders = Folders::from_env();
        // A chain exported with the engine brings another of these libraries into the process, which numbers its sessions anew.
        static ENGINE: u8 = 0;
        let engine = std::ptr::from_ref(&ENGINE).addr();
        let path = folders.recovery().join(format!("{process}-{id}_{engine:x}.catena"));
        let file = RescueFile::new(path);
        let notice = match left_behind(&folders).len() {
            0 => String::new(),
            1 => "a chain of a program that ended unexpectedly is kept: `catena recover` lists it".into(),
            count => {
                format!("{count} chains of programs that ended unexpectedly are kept: `catena recover` lists them")
            }
        };
        Self { file: Some(Arc::new(file)), changed: None, asking: None, notice }
    }

    /// The chain is another.
    pub(super) fn note_change(&mut self) {
        let now = Instant::now();
        let first = self.changed.map_or(now, |(first, _)| first);
        self.changed = Some((first, now));
    }

    /// The chain is saved as it was then: what changed since is still to be kept.
    pub(super) fn saved(&mut self, then: Instant) {
        match self.changed {
            Some((_, last)) if last > then => self.changed = Some((last, last)),
            _ => self.forget(),
        }
    }

    /// The chain is another: there is nothing to be rescued.
    pub(super) fn forget(&mut self) {
        (self.changed, self.asking) = (None, None);
        if let Some(file) = &self.file {
            file.end();
        }
    }

    fn is_due(&self, now: Instant) -> bool {
        self.changed.is_some_and(|(first, last)| {
            now.saturating_duration_since(last) >= QUIET || now.saturating_duration_since(first) >= LATEST
        })
    }
}

impl Drop for Rescue {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            file.end();
        }
    }
}

impl Owner {
    /// Writes the chain where it is due.
    pub(super) fn look_at_rescue(&mut self, now: Instant) {
        let Some(file) = self.rescue.file.clone() else { return };
        if let Some(error) = file.take_failure() {
            // Music goes on; it is tried again in a while.
            self.rescue.changed = Some((now, now + LATEST));
            self.rescue.notice = format!("the chain cannot be kept against a crash ({}): {error}", file.path.display());
            self.news = true;
        }
        if !self.rescue.is_due(now) || self.kept.is_some() || !self.to_open.is_empty() {
            return;
        }
        if file.writing.load(Ordering::SeqCst) {
            return;
        }
        if self.rescue.asking.is_none() {
            let touched = self.lives.iter().filter(|(_, live)| live.touched).map(|(id, _)| *id);
            self.rescue.asking = Some(touched.collect());
        }
        if let Some(id) = self.rescue.asking.as_mut().and_then(VecDeque::pop_front) {
            if let (Some(live), Some(slot)) = (self.lives.get_mut(&id), self.chain.slot_mut(id)) {
                live.save_into(slot);
                self.mirror_stale = true;
            }
            return;
        }
        (self.rescue.changed, self.rescue.asking) = (None, None);
        file.over.store(false, Ordering::SeqCst);
        file.writing.store(true, Ordering::SeqCst);
        let (chain, job) = (self.chain.clone(), file.clone());
        let spawned = std::thread::Builder::new().name("catena-job".into()).spawn(move || job.write(&chain));
        if let Err(error) = spawned {
            file.writing.store(false, Ordering::SeqCst);
            file.fail(error.to_string());
        }
    }
}

/// A chain that a process left that ended without a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftBehind {
    /// A chain file like any other.
    pub path: PathBuf,
    /// When it was written.
    pub written: SystemTime,
}

/// What dead processes left, the newest first. `[any but audio]`
pub fn left_behind(folders: &Folders) -> Vec<LeftBehind> {
    left_in(&folders.recovery())
}

fn left_in(folder: &Path) -> Vec<LeftBehind> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let of = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        let process = name.strip_suffix(".catena")?.rsplit_once('-')?.0;
        let written = path.metadata().and_then(|data| data.modified()).ok()?;
        (!is_running(process)).then(|| LeftBehind { path: path.clone(), written })
    };
    let mut found: Vec<_> = entries.flatten().filter_map(|entry| of(entry.path())).collect();
    found.sort_by_key(|left| (std::cmp::Reverse(left.written), left.path.clone()));
    found
}

/// Lets go of what lies in `folder` since so long that nobody wants it, and of what a killed writer left half done. `[job]`
fn let_old_go(folder: &Path) {
    let old = |path: &Path, age: Duration| {
        let written = path.metadata().and_then(|data| data.modified()).ok();
        written.and_then(|written| written.elapsed().ok()).is_some_and(|since| since > age)
    };
    for left in left_in(folder).iter().skip(MOST).filter(|left| old(&left.path, OLD)) {
        let _gone = std::fs::remove_file(&left.path);
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let half = path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.starts_with('.') && name.ends_with(".tmp")
        });
        // No write takes a day.
        if half && old(&path, Duration::from_secs(24 * 60 * 60)) {
            let _gone = std::fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(state: &Path) -> Folders {
        Folders { state: state.into(), ..Folders::from_env() }
    }

    #[test]
    fn only_what_dead_processes_left_is_found_and_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let folders = folders(folder.path());
        std::fs::create_dir_all(folders.recovery()).unwrap();
        let mine = name_of_process().unwrap();
        let write = |name: String| std::fs::write(folders.recovery().join(name), b"x").unwrap();
        write(format!("{mine}-1.catena"));
        write("notes.txt".into());
        assert_eq!(left_behind(&folders), []);
        // The same number of another boot, and one that never was.
        let (_, rest) = mine.split_once('-').unwrap();
        write(format!("00000000-{rest}-1.catena"));
        assert_eq!(left_behind(&folders).len(), 1);
        (0..60).for_each(|number| write(format!("00000000-1-1-{number}.catena")));
        write(".half.1-0.tmp".into());
        // Nobody has been offered these yet: none goes, whoever looks and however many there are.
        let_old_go(&folders.recovery());
        assert_eq!(left_behind(&folders).len(), 61);
        // A month later the oldest do, and what was left half done.
        let then = SystemTime::now() - OLD - Duration::from_secs(60);
        for entry in std::fs::read_dir(folders.recovery()).unwrap() {
            std::fs::File::options().append(true).open(entry.unwrap().path()).unwrap().set_modified(then).unwrap();
        }
        let_old_go(&folders.recovery());
        assert_eq!(left_behind(&folders).len(), MOST);
        // This process's own, and the notes.
        assert_eq!(std::fs::read_dir(folders.recovery()).unwrap().count(), MOST + 2);
    }

    #[test]
    fn a_file_that_is_over_while_it_is_written_does_not_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/one.catena");
        let file = RescueFile::new(path.clone());
        file.write(&Chain::default());
        assert!(path.exists());
        file.writing.store(true, Ordering::SeqCst);
        file.end();
        assert!(path.exists(), "its writer removes it");
        file.write(&Chain::default());
        assert!(!path.exists());
    }

    #[test]
    fn what_cannot_be_written_says_why_and_only_its_user_may_look_at_the_rest() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = RescueFile::new(folder.path().join("deep/one.catena"));
        file.write(&Chain::default());
        assert_eq!(file.take_failure(), None);
        let mode = folder.path().join("deep").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
        std::fs::write(folder.path().join("flat"), b"no folder").unwrap();
        let file = RescueFile::new(folder.path().join("flat/one.catena"));
        file.writing.store(true, Ordering::SeqCst);
        file.write(&Chain::default());
        assert!(file.take_failure().is_some());
        assert!(!file.writing.load(Ordering::SeqCst), "the next may try");
    }
}
