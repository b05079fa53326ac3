//! The cache files: written in one step, so that readers never see half of one.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{FlockOperation, flock};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::paths::Stamp;
use crate::model::{BadFile, Catalog, Folders, PluginEntry};

/// Version of these files: another one is not read. The second number moves when their form does.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/2");

/// What the last scan found, file by file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    /// CLAP files in the order of the search paths: of two plugins with one id the first is meant.
    pub clap: Vec<ClapFile>,
    /// All LV2 bundles.
    pub lv2: Lv2,
}

/// What one CLAP file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClapFile {
    /// The file.
    pub path: PathBuf,
    /// What it was when it was looked at.
    pub stamp: Stamp,
    /// Its plugins.
    pub plugins: Vec<PluginEntry>,
    /// What cannot be used in it.
    pub bad: Vec<BadFile>,
}

/// What the LV2 bundles hold, described together since they speak of each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lv2 {
    /// What the bundles were when they were looked at.
    pub bundles: BTreeMap<PathBuf, Stamp>,
    /// Their plugins.
    pub plugins: Vec<PluginEntry>,
    /// What cannot be used.
    pub bad: Vec<BadFile>,
    /// Bundles that kill or hold up whoever reads them.
    pub guilty: Vec<BadFile>,
}

impl Cache {
    /// Knows nothing any more of a file or bundle.
    pub fn forget(&mut self, path: &Path) {
        self.clap.retain(|file| file.path != path);
        self.lv2.bundles.remove(path);
        self.lv2.guilty.retain(|bad| bad.path != path);
    }

    /// The catalog: each id once.
    pub fn into_catalog(self) -> Catalog {
        let mut seen = HashSet::new();
        let mut catalog = Catalog::default();
        let (plugins, bad): (Vec<_>, Vec<_>) = self.clap.into_iter().map(|file| (file.plugins, file.bad)).unzip();
        let plugins = plugins.into_iter().flatten().chain(self.lv2.plugins);
        catalog.plugins = plugins.filter(|entry| seen.insert(entry.id.clone())).collect();
        catalog.bad = bad.into_iter().flatten().chain(self.lv2.bad).chain(self.lv2.guilty).collect();
        catalog.sort();
        catalog
    }
}

#[derive(Deserialize)]
struct Head {
    version: String,
}

/// The scan cache, `None` where there is none that this version reads.
pub fn read(folders: &Folders) -> Option<Cache> {
    read_json(&folders.scan_cache())
}

/// Writes the scan cache.
pub fn write(folders: &Folders, cache: &Cache) -> io::Result<()> {
    write_json(&folders.scan_cache(), cache)
}

/// Reads a cache file. `None`: none, damaged, or of another version; all mean that it is made again.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let bytes = fs::read(path).ok()?;
    // The version line comes first, the content after it, so that reading one does not go through the other.
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
    if head.version != VERSION {
        return None;
    }
    serde_json::from_slice(&bytes[end..]).ok()
}

/// Writes a cache file in one step. Not synced: what a power cut takes is found again.
pub fn write_json<T: Serialize>(path: &Path, content: &T) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut bytes = serde_json::to_vec(&serde_json::json!({ "version": VERSION }))?;
    bytes.push(b'\n');
    serde_json::to_writer(&mut bytes, content)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("{}-{count}.tmp", std::process::id()));
    let written = fs::write(&temporary, &bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Nothing half-written stays; where this fails too there is nothing to be done.
        let _removed = fs::remove_file(&temporary);
    }
    written
}

/// Waits for and takes a lock of this user; released when the file is dropped or the process ends.
pub fn lock(folders: &Folders, name: &str) -> io::Result<File> {
    fs::create_dir_all(&folders.cache)?;
    let file = File::options().create(true).truncate(false).write(true).open(folders.cache.join(name))?;
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Err(rustix::io::Errno::INTR) => {}
            // Some network file systems have no locks: writes are still in one step.
            Ok(()) | Err(rustix::io::Errno::NOTSUP | rustix::io::Errno::NOLCK) => return Ok(file),
            Err(error) => return Err(error.into()),
        }
    }
}
