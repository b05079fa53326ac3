//! The machine's settings and what the user thinks of plugins, once for all sessions of a process.
//!
//! A change is seen at once and written by a job; what another process writes is seen within a second, where somebody looks.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::model::{Desk, DeskEdit, Folders, Settings, Shelf};
use crate::scan::SearchPaths;
use crate::store::kept;

/// Between two looks at the files.
pub(super) const PAUSE: Duration = Duration::from_secs(1);

/// When both files were written.
type Times = [Option<SystemTime>; 2];

/// What was read last.
struct Held {
    files: [PathBuf; 2],
    times: Times,
    looked: Instant,
    desk: Arc<Desk>,
    /// Changes that are shown and not written yet.
    waiting: Vec<DeskEdit>,
}

static HELD: Mutex<Option<Held>> = Mutex::new(None);
/// Held while the files are changed.
static WRITING: Mutex<()> = Mutex::new(());

fn held() -> MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn files() -> [PathBuf; 2] {
    let folders = Folders::from_env();
    [folders.settings(), folders.shelf()]
}

fn times(files: &[PathBuf; 2]) -> Times {
    [0, 1].map(|index| std::fs::metadata(&files[index]).and_then(|data| data.modified()).ok())
}

fn read(files: &[PathBuf; 2]) -> Desk {
    let mut desk = Desk::default();
    match kept::read::<Settings>(&files[0]) {
        Ok(settings) => desk.settings = settings,
        Err(error) => desk.trouble = error.to_string(),
    }
    match kept::read::<Shelf>(&files[1]) {
        Ok(shelf) => desk.shelf = shelf,
        Err(error) => desk.trouble = error.to_string(),
    }
    desk
}

impl Held {
    fn fresh(files: [PathBuf; 2]) -> Self {
        let (times, desk) = (times(&files), Arc::new(read(&files)));
        Self { files, times, looked: Instant::now(), desk, waiting: Vec::new() }
    }

    /// Reads again what somebody else wrote.
    fn look(&mut self) {
        if self.looked.elapsed() < PAUSE || !self.waiting.is_empty() {
            return;
        }
        self.looked = Instant::now();
        let times = times(&self.files);
        if times != self.times {
            self.times = times;
            self.desk = Arc::new(read(&self.files));
        }
    }
}

/// The settings and the shelf. Two short files are read where they changed. `[any but audio]`
pub(super) fn desk() -> Arc<Desk> {
    let mut held = held();
    let files = files();
    let fits = held.as_ref().is_some_and(|held| held.files == files);
    if !fits {
        *held = Some(Held::fresh(files));
    }
    let Some(held) = held.as_mut() else { return Arc::default() };
    held.look();
    held.desk.clone()
}

/// Changes either: shown from now on, and written by a job. `[any but audio]`
pub(super) fn change(edit: DeskEdit) {
    let edit = match edit {
        DeskEdit::Folder(format, path, more) => DeskEdit::Folder(format, from_home(path), more),
        edit => edit,
    };
    desk();
    if let Some(held) = held().as_mut() {
        let mut desk = Desk::clone(&held.desk);
        if !edit.set(&mut desk.settings) && !edit.shelve(&mut desk.shelf) {
            return;
        }
        held.desk = Arc::new(desk);
        held.waiting.push(edit);
    }
    if std::thread::Builder::new().name("catena-settings".into()).spawn(write).is_err() {
        write();
    }
}

/// A path that begins with `~` as it is meant.
fn from_home(path: PathBuf) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    }
}

/// Writes what waits.
fn write() {
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((files, edits)) = held().as_ref().map(|held| (held.files.clone(), held.waiting.clone())) else { return };
    if edits.is_empty() {
        return;
    }
    let settings =
        kept::change(&files[0], |held: &mut Settings| edits.iter().fold(false, |other, edit| edit.set(held) | other));
    let shelf =
        kept::change(&files[1], |held: &mut Shelf| edits.iter().fold(false, |other, edit| edit.shelve(held) | other));
    let trouble = |result: Result<Option<PathBuf>, crate::store::StoreError>| match result {
        Ok(None) => None,
        Ok(Some(aside)) => Some(format!("the settings could not be read and are kept in {}", aside.display())),
        Err(error) => Some(format!("this cannot be kept: {error}")),
    };
    let trouble = trouble(settings).or(trouble(shelf));
    let mut held = held();
    if let Some(held) = held.as_mut().filter(|held| held.files == files) {
        held.waiting.drain(..edits.len());
        held.times = times(&files);
        let trouble = trouble.unwrap_or_default();
        if held.desk.trouble != trouble {
            held.desk = Arc::new(Desk { trouble, ..Desk::clone(&held.desk) });
        }
    }
}

/// Where plugins are looked for: the standards' folders, and those of the settings. `[any but audio]`
pub fn search_paths() -> SearchPaths {
    let desk = desk();
    SearchPaths::from_env().and(&desk.settings.clap_folders, &desk.settings.lv2_folders)
}
