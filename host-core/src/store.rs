//! Chain files: packed (`NAME.catena`, a zip), unpacked (`NAME.catena.d`, a folder) and embedded (the packed bytes).
//!
//! The three hold the same files, and equal chains give equal bytes:
//! - `chain.json`: the [`Chain`] without what plugins wrote;
//! - `state/SLOT`: a plugin's own state, byte for byte;
//! - `assets/SLOT/NAME`: a file that this state refers to.
//!
//! Anything else came from a newer version and is kept as it is. Everything written goes to a temporary name in the
//! same folder first and takes its place in one step, so there is never half a chain.

mod atomic;
pub mod controllers;
mod folder;
mod names;
mod packed;
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

/// Reads a chain, packed or unpacked by what is there. `[any but audio]`
pub fn read(path: &Path) -> Result<Chain, StoreError> {
    let kind = std::fs::metadata(path).map_err(|source| StoreError::io(path, source))?;
    if kind.is_dir() {
        return tree::read(folder::read(path)?, path);
    }
    if !kind.is_file() {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "is neither a file nor a folder");
        return Err(StoreError::io(path, source));
    }
    let bytes = std::fs::read(path).map_err(|source| StoreError::io(path, source))?;
    tree::read(packed::read(&bytes, path)?, path)
}

/// Writes a chain atomically: packed, or unpacked where `path` ends in `.catena.d` or is a folder. `[any but audio]`
pub fn write(path: &Path, chain: &Chain) -> Result<(), StoreError> {
    let files = tree::write(chain, path)?;
    if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(FOLDER_SUFFIX.as_bytes()) {
        return folder::write(path, &files).map_err(|source| StoreError::io(path, source));
    }
    let bytes = packed::write(&files, path)?;
    atomic::write(path, &bytes).map_err(|source| StoreError::io(path, source))
}

/// The packed bytes; equal chains give equal bytes. `[any but audio]`
pub fn pack(chain: &Chain) -> Result<Vec<u8>, StoreError> {
    let path = Path::new(EMBEDDED);
    packed::write(&tree::write(chain, path)?, path)
}

/// Reads packed bytes. `[any but audio]`
pub fn unpack(bytes: &[u8]) -> Result<Chain, StoreError> {
    let path = Path::new(EMBEDDED);
    tree::read(packed::read(bytes, path)?, path)
}
