//! Finding plugins: paths, a cache, and probes in a child process, so that no plugin's fault is ours.

use std::path::PathBuf;

use crate::model::{Catalog, Folders, PluginEntry};

/// Where plugins are looked for: the standards' own folders, or what `CLAP_PATH` and `LV2_PATH` say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchPaths {
    /// Folders that hold `.clap` files, at any depth.
    pub clap: Vec<PathBuf>,
    /// Folders that hold LV2 bundles.
    pub lv2: Vec<PathBuf>,
}

impl SearchPaths {
    /// The paths of this process's environment.
    pub fn from_env() -> Self {
        Self { clap: vec![], lv2: vec![] }
    }
}

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

/// Scans: files that did not change since the cache was written are taken from it, the others are probed in
/// children, two at once, 30 s each at most. Writes the cache. `force` probes everything, known bad files too.
pub fn scan(
    _paths: &SearchPaths,
    _folders: &Folders,
    _force: bool,
    _progress: &mut dyn FnMut(&Progress),
) -> Result<Catalog, ScanError> {
    todo!()
}

/// The cache as it is; `None` where there is none or another version wrote it. Takes at most milliseconds.
pub fn cached(_folders: &Folders) -> Option<Catalog> {
    todo!()
}

/// Probes an LV2 plugin before its first use (instantiate, one block, close) in a child, and notes the result in
/// the cache: smallest safe block, ports, a reason where it cannot be used. Done already: returns at once.
pub fn probe(_entry: &PluginEntry, _folders: &Folders) -> Result<PluginEntry, String> {
    todo!()
}
