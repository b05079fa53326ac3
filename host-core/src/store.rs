//! Chain files: packed (`NAME.catena`, a zip), unpacked (`NAME.catena.d`, a folder) and embedded (the packed bytes).
//!
//! The three hold the same files, and equal chains give equal bytes:
//! - `chain.json`: the [`Chain`] without what plugins wrote;
//! - `state/SLOT`: a plugin's own state, byte for byte;
//! - `assets/SLOT/NAME`: a file that this state refers to.
//!
//! Anything else came from a newer version and is kept as it is. Everything written goes to a temporary name in the
//! same folder first and takes its place in one step, so there is never half a chain. `chain.json` has the SHA-256 of every
//! other file, and its fields in the order of their names. `bundles/chain.schema.json` describes it.
//!
//! An asset may lie beside the chain file, which then names it by a path from its own folder ([`write_referring`]); embedded bytes
//! hold all of theirs.
//!
//! [`open`] gives what can be saved of a damaged chain and says what was lost; [`read`] and [`unpack`] take whole ones alone. What
//! is made to harm (paths that lead out, links, two files of one name, bombs) is refused whole by all of them.

mod aside;
mod atomic;
pub mod clipboard;
pub mod controllers;
pub mod export;
mod folder;
mod hashes;
pub mod import;
pub mod kept;
mod lenient;
pub mod library;
mod lock;
mod names;
mod packed;
mod references;
mod salvage;
mod tree;

use std::path::{Path, PathBuf};

use crate::model::Chain;

/// What messages call bytes that came from no file.
const EMBEDDED: &str = "the session's data";
/// How the name of an unpacked chain ends.
const FOLDER_SUFFIX: &str = ".catena.d";

/// Why a chain file was not read or written. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Not a chain, or damaged.
    #[error("{path}: not a Catena chain, or damaged: {reason}")]
    Damaged {
        /// The file, or `the session's data` for embedded bytes.
        path: PathBuf,
        /// What is wrong with it, with line and column where JSON is.
        reason: String,
    },
    /// Made to harm, or by a program that is not ours: nothing of it is taken.
    #[error("{path}: refused, since no Catena writes such a chain: {reason}")]
    Refused {
        /// The file, or `the session's data` for embedded bytes.
        path: PathBuf,
        /// What is in it.
        reason: String,
    },
    /// Another major version.
    #[error("{path}: made by another version of Catena (schema {found}; this one reads {reads})")]
    Version {
        /// The file.
        path: PathBuf,
        /// Major found.
        found: u32,
        /// Major read.
        reads: u32,
    },
}

impl StoreError {
    fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}

/// A chain, and what was lost of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// What could be read.
    pub chain: Chain,
    /// One sentence for each thing that could not; none for a chain that is whole.
    pub lost: Vec<String>,
}

impl Opened {
    fn whole(self, path: &Path) -> Result<Chain, StoreError> {
        match self.lost.into_iter().next() {
            None => Ok(self.chain),
            Some(reason) => Err(StoreError::Damaged { path: path.into(), reason }),
        }
    }
}

/// Opens a chain, packed or unpacked by what is there, damaged or not. `[any but audio]`
pub fn open(path: &Path) -> Result<Opened, StoreError> {
    let kind = std::fs::metadata(path).map_err(|source| StoreError::io(path, source))?;
    if kind.is_dir() {
        return tree::open(folder::read(path)?, Vec::new(), path, true);
    }
    let (files, lost) = packed::read(&file(path, &kind)?, path)?;
    tree::open(files, lost, path, true)
}

fn file(path: &Path, kind: &std::fs::Metadata) -> Result<Vec<u8>, StoreError> {
    if !kind.is_file() {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "is neither a file nor a folder");
        return Err(StoreError::io(path, source));
    }
    std::fs::read(path).map_err(|source| StoreError::io(path, source))
}

/// Opens packed bytes, damaged or not. `[any but audio]`
pub fn open_bytes(bytes: &[u8]) -> Result<Opened, StoreError> {
    let path = Path::new(EMBEDDED);
    let (files, lost) = packed::read(bytes, path)?;
    tree::open(files, lost, path, false)
}

/// Reads a chain that is whole, packed or unpacked by what is there. `[any but audio]`
pub fn read(path: &Path) -> Result<Chain, StoreError> {
    let kind = std::fs::metadata(path).map_err(|source| StoreError::io(path, source))?;
    if kind.is_dir() {
        return tree::read(folder::read(path)?, path, true);
    }
    tree::read(whole(&file(path, &kind)?, path)?, path, true)
}

/// The files of a zip that is whole.
fn whole(bytes: &[u8], path: &Path) -> Result<tree::Files, StoreError> {
    let (files, lost) = packed::read(bytes, path)?;
    let Some(lost) = lost.into_iter().next() else { return Ok(files) };
    let reason = lost.name.map_or(lost.reason.clone(), |name| format!("{name} {}", lost.reason));
    Err(StoreError::Damaged { path: path.into(), reason })
}

/// Writes a chain atomically: packed, or unpacked where `path` ends in `.catena.d` or is a folder. `[any but audio]`
pub fn write(path: &Path, chain: &Chain) -> Result<(), StoreError> {
    let files = tree::write(chain, path, true)?;
    if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(FOLDER_SUFFIX.as_bytes()) {
        return folder::write(path, &files).map_err(|source| StoreError::io(path, source));
    }
    let bytes = packed::write(&files, path)?;
    atomic::write(path, &bytes).map_err(|source| StoreError::io(path, source))
}

/// The same; assets of at least `least` bytes are written beside it (`NAME.assets`) and referred to. A chain that was read with
/// references keeps them wherever it is written beside the same files. `[any but audio]`
pub fn write_referring(path: &Path, chain: &Chain, least: usize) -> Result<(), StoreError> {
    write(path, &references::place(path, chain, least)?)
}

/// The same as [`write()`], with all its assets in it. `[any but audio]`
pub fn write_whole(path: &Path, chain: &Chain) -> Result<(), StoreError> {
    write(path, &references::without(chain))
}

/// The same as [`write()`]; a damaged chain that is there is put aside first, and where is answered. `[any but audio]`
pub fn write_over(path: &Path, chain: &Chain) -> Result<Option<PathBuf>, StoreError> {
    // What is named again is not lost by this.
    let damaged = open(path).is_ok_and(|old| old.lost.len() > references::named_still(&old.chain, chain));
    let aside = damaged.then(|| aside::copy(path).map_err(|source| StoreError::io(path, source))).transpose()?;
    write(path, chain)?;
    Ok(aside)
}

/// Whether files that lie beside the chain's own were not there when it was opened. `[any]`
pub fn misses_files(chain: &Chain) -> bool {
    references::misses_files(chain)
}

/// Keeps damaged bytes that came from no file in `folder`, under a name made of them; answers where. `[any but audio]`
pub fn keep_damaged(bytes: &[u8], folder: &Path) -> Result<PathBuf, StoreError> {
    aside::keep(bytes, folder).map_err(|source| StoreError::io(folder, source))
}

/// The packed bytes; equal chains give equal bytes. `[any but audio]`
pub fn pack(chain: &Chain) -> Result<Vec<u8>, StoreError> {
    let path = Path::new(EMBEDDED);
    packed::write(&tree::write(chain, path, false)?, path)
}

/// Reads packed bytes of a whole chain. `[any but audio]`
pub fn unpack(bytes: &[u8]) -> Result<Chain, StoreError> {
    let path = Path::new(EMBEDDED);
    tree::read(whole(bytes, path)?, path, false)
}
