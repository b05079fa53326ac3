//! Finding plugins: paths, a cache, and probes in a child process, so that no plugin's fault is ours.
//!
//! 1. [`SearchPaths::from_env`] says where to look;
//! 2. [`scan()`] walks there; what did not change since the last scan comes from the cache, the rest is looked at in
//!    `catena-worker` children, two at once (CLAP file by file, LV2 bundles all together, since they speak of each other, less those that do not come through);
//! 3. [`cached`] is the result for everybody who only wants to know, without a look at any plugin;
//! 4. [`probe()`] runs a plugin in a child before its first use here, and remembers what came of it; [`measure`] tells there what a
//!    plugin delays, and [`qualify()`] what kind of plugin it is;
//! 5. [`find_origins`] finds out which package brought a plugin's file.
//!
//! What children are asked and answer is in [`protocol`].

mod cache;
mod elf;
mod foreign;
mod lv2;
mod origins;
mod paths;
mod probe;
pub mod protocol;
mod qualify;
mod work;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::child::{ChildError, ask, find_worker};
use crate::model::{BadFile, Catalog, Folders, PluginEntry};

pub use foreign::foreign;
pub use origins::{Origin, find_origins, note_origins, origin};
pub use paths::{SearchPaths, Trace};
pub use protocol::Measured;
use protocol::{Reply, Request};
pub use qualify::{Cost, Gain, Qualified, qualified, qualify};

/// How long one child may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

/// How far a scan is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Files and bundles done.
    pub done: usize,
    /// All of them.
    pub total: usize,
    /// What is being looked at.
    pub current: String,
}

/// Why a scan could not be made at all.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// It was stopped.
    #[error("the search was stopped")]
    Stopped,
    /// The child program is missing or of another version.
    #[error("{0}")]
    Worker(String),
    /// The cache could not be written.
    #[error("{path}: {source}")]
    Cache {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl From<ChildError> for ScanError {
    fn from(error: ChildError) -> Self {
        Self::Worker(error.to_string())
    }
}

/// Scans: files that did not change since the cache was written are taken from it, the others are probed in
/// children, two at once, 30 s each at most. Writes the cache. `force` probes everything, known bad files too. `[jobs]`
pub fn scan(
    paths: &SearchPaths,
    folders: &Folders,
    force: bool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Catalog, ScanError> {
    scan_within(TIME_LIMIT, paths, folders, force, progress)
}

/// [`scan()`] with another time limit for each child.
pub fn scan_within(
    limit: Duration,
    paths: &SearchPaths,
    folders: &Folders,
    force: bool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Catalog, ScanError> {
    Scan { limit, force, ..Scan::default() }.run(paths, folders, progress)
}

/// How a scan is made.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    /// Time for one child.
    pub limit: Duration,
    /// Everything is looked at, known bad files too.
    pub force: bool,
    /// This one is looked at though it did not change.
    pub again: Option<&'a BadFile>,
    /// Ends it early: nothing of it is kept.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for Scan<'_> {
    fn default() -> Self {
        Self { limit: TIME_LIMIT, force: false, again: None, stop: None }
    }
}

impl Scan<'_> {
    /// Scans. `[jobs]`
    pub fn run(
        self,
        paths: &SearchPaths,
        folders: &Folders,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Catalog, ScanError> {
        let scan_error = |source| ScanError::Cache { path: folders.scan_cache(), source };
        // Held to the end: a second scan waits here and then finds everything done.
        let _lock = cache::lock(folders, "scan.lock").map_err(scan_error)?;
        let mut old = if self.force { cache::Cache::default() } else { cache::read(folders).unwrap_or_default() };
        if let Some(bad) = self.again {
            old.forget(&bad.path);
        }
        let new = work::scan(&work::Job { limit: self.limit, paths, folders, old: &old, stop: self.stop }, progress)?;
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(ScanError::Stopped);
        }
        if self.force {
            probe::forget_all(folders).map_err(scan_error)?;
        }
        if let Some(plugin) = self.again.and_then(|bad| bad.plugin.as_ref()) {
            probe::forget(plugin, folders).map_err(scan_error)?;
        }
        if new != old || self.again.is_some() {
            cache::write(folders, &new).map_err(scan_error)?;
        }
        Ok(probe::applied(new, folders))
    }
}

/// The cache as it is; `None` where there is none or another version wrote it. Takes at most milliseconds.
/// `[any but audio]`
pub fn cached(folders: &Folders) -> Option<Catalog> {
    Some(probe::applied(cache::read(folders)?, folders))
}

/// Probes a plugin before its first use (open, a few blocks, close) in a child, and notes the result: smallest safe
/// block, ports, a reason where it cannot be used. Done already: returns at once. `[jobs]`
pub fn probe(entry: &PluginEntry, folders: &Folders) -> Result<PluginEntry, String> {
    probe_within(TIME_LIMIT, entry, folders)
}

/// [`probe()`] with another time limit for each child.
pub fn probe_within(limit: Duration, entry: &PluginEntry, folders: &Folders) -> Result<PluginEntry, String> {
    let stamp = paths::stamp(entry.location.path());
    if let Some(known) = probe::known(entry, stamp, folders) {
        return known;
    }
    let worker = find_worker().map_err(|error| error.to_string())?;
    let result = probe::run(&worker, limit, entry, folders).map_err(|error| error.to_string())?;
    // A result that cannot be kept is found again next time.
    let _kept = probe::keep(entry, stamp, &result, folders);
    probe::with_result(entry, &result)
}

/// What a plugin says of its latency and what it delays at these rates, by running it in a child. `[jobs]`
pub fn measure(entry: &PluginEntry, rates: &[u32], folders: &Folders) -> Result<Vec<Measured>, String> {
    let worker = find_worker().map_err(|error| error.to_string())?;
    let entry = PluginEntry { params: vec![], presets: vec![], ..entry.clone() };
    let id = entry.id.clone();
    let request = Request::Measure { entry: Box::new(entry), rates: rates.into(), assets: folders.assets() };
    let answer = ask(&worker, &work::line(&request), TIME_LIMIT).map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    for reply in protocol::replies(&answer.lines) {
        match reply {
            Reply::Measured(one) => all.push(one),
            Reply::Failed(reason) => return Err(format!("{id}: {reason}")),
            Reply::Done => return Ok(all),
            _ => {}
        }
    }
    Err(format!("{id}: {}", work::why(&answer)))
}
