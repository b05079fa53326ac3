//! Chain files: packed (`NAME.catena`, a zip), unpacked (`NAME.catena.d`, a folder) and embedded (the packed bytes).

use std::path::Path;

use crate::model::Chain;

/// Why a chain file was not read or written. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: std::path::PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Not a chain, or damaged.
    #[error("{path}: not a Catena chain, or damaged: {reason}")]
    Damaged {
        /// The file, or `the session's data` for embedded bytes.
        path: std::path::PathBuf,
        /// What is wrong with it, with line and column where JSON is.
        reason: String,
    },
    /// Another major version.
    #[error("{path}: made by another version of Catena (schema {found}; this one reads {reads})")]
    Version {
        /// The file.
        path: std::path::PathBuf,
        /// Major found.
        found: u32,
        /// Major read.
        reads: u32,
    },
}

/// Reads a chain, packed or unpacked by what is there.
pub fn read(_path: &Path) -> Result<Chain, StoreError> {
    todo!()
}

/// Writes a chain atomically: packed, or unpacked where `path` ends in `.catena.d` or is a folder.
pub fn write(_path: &Path, _chain: &Chain) -> Result<(), StoreError> {
    todo!()
}

/// The packed bytes; equal chains give equal bytes.
pub fn pack(_chain: &Chain) -> Result<Vec<u8>, StoreError> {
    todo!()
}

/// Reads packed bytes.
pub fn unpack(_bytes: &[u8]) -> Result<Chain, StoreError> {
    todo!()
}
