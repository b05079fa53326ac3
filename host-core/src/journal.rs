//! The opening journal: which plugin this process is opening, so that one that kills the process is known next time.
//!
//! 1. [`Journal::open`] makes this process's file, `opening/PID` in the state folder `[home]`;
//! 2. [`Journal::note`] before a foreign open, restore or first block: the note stands until its guard is dropped;
//! 3. a process that dies in between leaves the note; [`Journal::left_behind`] finds it at the next start;
//! 4. [`Journal::forget`] once the user decided, or the plugin opened well.
//!
//! A plugin's first block runs on the audio thread, which may not write files: [`Journal::first_block`] notes it beforehand, and
//! the note counts only while its last byte, in memory that is mapped from the file, says that the plugin is being run.
//!
//! A note is one `pwrite` without a sync: the page cache outlives a crash of the process. Notes have fixed places of
//! 1024 bytes; the first place tells which process wrote the file, by start time and boot, since numbers of
//! processes come again.

mod page;

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::model::{Folders, PluginId, SlotId};
use page::Page;

/// Bytes of one note in the file, its end filled with blanks.
const RECORD: usize = 1024;
/// Notes that are kept at once.
const PLACES: usize = 1024;
/// Last byte of the note of a first block that is being run now.
const RUNNING: u8 = b'!';
/// Longest plugin id kept whole in a note, bytes.
const LONGEST: usize = 900;

/// What was being done with a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// It was being opened.
    Open,
    /// Its state was being restored.
    Restore,
    /// Its first block was about to run, or ran.
    FirstBlock,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Open => "while it was opened",
            Self::Restore => "while its state was restored",
            Self::FirstBlock => "in its first block",
        })
    }
}

/// A note that a dead process left: this plugin was the last thing it touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The plugin.
    pub plugin: PluginId,
    /// The slot it was in.
    pub slot: SlotId,
    /// What was being done.
    pub step: Step,
    file: PathBuf,
    place: usize,
}

#[derive(Serialize, Deserialize)]
struct Record {
    plugin: PluginId,
    slot: SlotId,
    step: Step,
}

/// Which process, for ever: a number alone comes again.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Writer {
    pid: u32,
    /// Clock ticks after boot at which it started (proc(5), field 22 of `stat`).
    started: u64,
    boot: String,
}

impl Writer {
    fn of(pid: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The second field is the program's name in brackets and may hold anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        // One that its parent has not asked about yet is dead all the same.
        if matches!(fields.next()?, "Z" | "X") {
            return None;
        }
        let started = fields.nth(18)?.parse().ok()?;
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned();
        Some(Self { pid, started, boot })
    }

    fn lives(&self) -> bool {
        Self::of(self.pid).as_ref() == Some(self)
    }

    /// As part of a file's name.
    fn name(&self) -> String {
        format!("{}-{}-{}", self.boot.get(..8).unwrap_or_default(), self.pid, self.started)
    }
}

/// What this process is called, for ever. `[any but audio]`
pub fn name_of_process() -> Option<String> {
    Writer::of(std::process::id()).map(|writer| writer.name())
}

/// Whether the process that is called so still runs. `[any but audio]`
pub fn is_running(name: &str) -> bool {
    let pid = name.split('-').nth(1).and_then(|pid| pid.parse().ok());
    pid.and_then(Writer::of).is_some_and(|writer| writer.name() == name)
}

/// This process's journal.
#[derive(Clone)]
pub struct Journal {
    inner: Arc<Inner>,
}

struct Inner {
    file: File,
    page: Page,
    path: PathBuf,
    /// Which places are taken; the first is the writer's.
    taken: Mutex<Vec<bool>>,
}

impl Journal {
    /// Makes this process's file. `[home]`
    pub fn open(folders: &Folders) -> io::Result<Self> {
        let folder = folders.opening();
        fs::create_dir_all(&folder)?;
        let path = folder.join(std::process::id().to_string());
        set_aside(&path)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path)?;
        let page = Page::map(&file, PLACES * RECORD)?;
        let writer = Writer::of(std::process::id()).ok_or_else(|| io::Error::other("/proc cannot be read"))?;
        write_record(&file, 0, &serde_json::to_vec(&writer)?)?;
        Ok(Self { inner: Arc::new(Inner { file, page, path, taken: Mutex::new(vec![true]) }) })
    }

    /// Notes that `step` begins for `plugin` in `slot`; erased when the guard is dropped. A note that cannot be written
    /// (a full disk) is no reason not to open the plugin. `[home]`
    pub fn note(&self, plugin: &PluginId, slot: SlotId, step: Step) -> Opening {
        let mut taken = self.inner.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let place = taken.iter().position(|taken| !taken).unwrap_or_else(|| {
            taken.push(false);
            taken.len() - 1
        });
        taken[place] = true;
        drop(taken);
        if plugin.id.len() <= LONGEST
            && let Ok(json) = serde_json::to_vec(&Record { plugin: plugin.clone(), slot, step })
        {
            let _written = write_record(&self.inner.file, place, &json);
        }
        Opening { inner: Arc::clone(&self.inner), place }
    }

    /// Notes that a plugin is to run its first block. It counts between [`FirstBlock::begins`] and [`FirstBlock::ends`].
    /// `[home]`
    pub fn first_block(&self, plugin: &PluginId, slot: SlotId) -> FirstBlock {
        let note = self.note(plugin, slot, Step::FirstBlock);
        let block = FirstBlock { note };
        // Touched now, so that the audio thread does not meet the page for the first time.
        block.ends();
        block
    }

    /// Notes of processes that died with them. They stay until [`Journal::forget`]. `[any but audio]`
    pub fn left_behind(folders: &Folders) -> Vec<Note> {
        let Ok(entries) = fs::read_dir(folders.opening()) else { return Vec::new() };
        let mut notes = Vec::new();
        for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())) {
            let path = entry.path();
            let Some(found) = notes_of_the_dead(&path) else { continue };
            if found.is_empty() {
                // Nothing to tell any more; a file that will not go is looked at again next time.
                let _removed = fs::remove_file(&path);
            }
            notes.extend(found);
        }
        notes
    }

    /// Erases a note: the slot's fate is decided. `[any but audio]`
    pub fn forget(note: &Note) {
        let erased =
            OpenOptions::new().write(true).open(&note.file).and_then(|file| write_record(&file, note.place, b""));
        // No file: another process forgot it first.
        if erased.is_ok() && notes_of_the_dead(&note.file).is_some_and(|notes| notes.is_empty()) {
            let _removed = fs::remove_file(&note.file);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // An empty journal says nothing; one that stays is removed at the next start.
        let _removed = fs::remove_file(&self.path);
    }
}

/// A note that stands. Dropped, it is erased. `Send`: the first block's is dropped when the audio thread's report comes.
#[must_use]
pub struct Opening {
    inner: Arc<Inner>,
    place: usize,
}

impl Drop for Opening {
    fn drop(&mut self) {
        // A note that cannot be erased closes a slot at the next start, which the user opens again.
        let _erased = write_record(&self.inner.file, self.place, b"");
        let mut taken = self.inner.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken[self.place] = false;
    }
}

/// The note of a plugin's first block. Erased when it is dropped, which is home's to do.
#[must_use]
pub struct FirstBlock {
    note: Opening,
}

impl FirstBlock {
    /// The plugin is run now. One store. `[audio]`
    pub fn begins(&self) {
        self.set(RUNNING);
    }

    /// It came back. One store. `[audio]`
    pub fn ends(&self) {
        self.set(b'\n');
    }

    fn set(&self, byte: u8) {
        self.note.inner.page.set(self.note.place * RECORD + RECORD - 1, byte);
    }
}

/// Whether the user asked for every chain to open with its slots closed (`CATENA_SAFE=1`). `[any]`
pub fn safe_mode() -> bool {
    std::env::var_os("CATENA_SAFE").is_some_and(|value| value == "1")
}

fn write_record(file: &File, place: usize, json: &[u8]) -> io::Result<()> {
    let mut record = [b' '; RECORD];
    record[RECORD - 1] = b'\n';
    let room = record.get_mut(..json.len()).filter(|_| json.len() < RECORD);
    room.ok_or_else(|| io::Error::from(ErrorKind::InvalidInput))?.copy_from_slice(json);
    rustix::io::pwrite(file, &record, (place * RECORD) as u64)?;
    Ok(())
}

/// A dead process of our own number may have left its journal under the very name we need.
fn set_aside(path: &Path) -> io::Result<()> {
    if notes_of_the_dead(path).is_none_or(|notes| notes.is_empty()) {
        return Ok(());
    }
    let mut free = (1..).map(|count| path.with_extension(format!("old{count}"))).filter(|name| !name.exists());
    free.next().map_or(Ok(()), |name| fs::rename(path, name))
}

/// The notes in a journal, `None` where its writer lives or it cannot be read.
fn notes_of_the_dead(path: &Path) -> Option<Vec<Note>> {
    let bytes = fs::read(path).ok()?;
    let mut records = bytes.chunks(RECORD);
    let writer: Option<Writer> = records.next().and_then(|first| serde_json::from_slice(first).ok());
    if writer.is_some_and(|writer| writer.lives()) {
        return None;
    }
    let notes = records.enumerate().filter_map(|(index, bytes)| {
        let (state, json) = bytes.split_last()?;
        let Record { plugin, slot, step } = serde_json::from_slice(json).ok()?;
        if step == Step::FirstBlock && *state != RUNNING {
            return None;
        }
        Some(Note { plugin, slot, step, file: path.into(), place: index + 1 })
    });
    Some(notes.collect())
}
