//! What is kept of a session that may end without a word: its chain, written into the state folder some seconds after a change.
//!
//! 1. A change is noted; when nothing changed for [`QUIET`], or [`LATEST`] after the first, plugins that may differ from what is
//!    kept of them are asked for their state, one a tick, so that home is never held longer than one of them takes `[home]`;
//! 2. the chain is encoded and written, in one step, by a thread of its own `[job]`;
//! 3. a session that ends well takes its file along; so does a load, and whoever saved it says so;
//! 4. what a dead process left is found by [`left_behind`] `[any but audio]`.
//!
//! It is a chain file like any other. A DAW's own save is the DAW's: nothing here comes into a session by itself.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
/// Chains of dead processes that are kept; of more, the oldest go.
const MOST: usize = 50;

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
}

impl RescueFile {
    /// `[job]`
    fn write(&self, chain: &Chain) {
        let folder = self.path.parent().map_or(Ok(()), std::fs::create_dir_all);
        // A full disk is no reason to trouble whoever makes music: the next change tries again.
        let _kept = folder.is_ok() && store::write(&self.path, chain).is_ok();
        self.writing.store(false, Ordering::SeqCst);
        if self.over.load(Ordering::SeqCst) {
            self.remove();
        }
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
        let path = folders.recovery().join(format!("{process}-{id}.catena"));
        let file = RescueFile { path, writing: AtomicBool::new(false), over: AtomicBool::new(false) };
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

    /// The chain is saved, or another: there is nothing to be rescued.
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
        if spawned.is_err() {
            file.writing.store(false, Ordering::SeqCst);
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
    let Ok(entries) = std::fs::read_dir(folders.recovery()) else { return Vec::new() };
    let of = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        let process = name.strip_suffix(".catena")?.rsplit_once('-')?.0;
        let written = path.metadata().and_then(|data| data.modified()).ok()?;
        (!is_running(process)).then(|| LeftBehind { path: path.clone(), written })
    };
    let mut found: Vec<_> = entries.flatten().filter_map(|entry| of(entry.path())).collect();
    found.sort_by_key(|left| (std::cmp::Reverse(left.written), left.path.clone()));
    for old in found.split_off(found.len().min(MOST)) {
        let _gone = std::fs::remove_file(&old.path);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

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
        assert_eq!(left_behind(&folders).len(), MOST);
        assert_eq!(std::fs::read_dir(folders.recovery()).unwrap().count(), MOST + 2);
    }

    #[test]
    fn a_file_that_is_over_while_it_is_written_does_not_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/one.catena");
        let file = RescueFile { path: path.clone(), writing: AtomicBool::new(true), over: AtomicBool::new(false) };
        file.write(&Chain::default());
        assert!(path.exists());
        file.writing.store(true, Ordering::SeqCst);
        file.end();
        assert!(path.exists(), "its writer removes it");
        file.write(&Chain::default());
        assert!(!path.exists());
    }
}
