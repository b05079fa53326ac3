//! Small files of the machine's own among the settings: JSON with a version, written in one step; one that is damaged is put aside
//! by the first change.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{StoreError, atomic, lock};
use crate::model::{Settings, Shelf};

/// No file of ours is longer, bytes.
const LONGEST: u64 = 1 << 20;

/// What such a file holds.
pub trait Kept: Serialize + DeserializeOwned + Default {
    /// The version that is written, and the last that is read.
    const VERSION: u32;

    /// The version that was read.
    fn version(&self) -> u32;
}

impl Kept for Settings {
    const VERSION: u32 = Self::VERSION;

    fn version(&self) -> u32 {
        self.version
    }
}

impl Kept for Shelf {
    const VERSION: u32 = Self::VERSION;

    fn version(&self) -> u32 {
        self.version
    }
}

/// Reads a file; none is as one that says nothing. `[any but audio]`
pub fn read<T: Kept>(path: &Path) -> Result<T, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { path: path.into(), reason };
    match std::fs::metadata(path) {
        Ok(found) if found.len() > LONGEST || !found.is_file() => return Err(damaged("it is no file of ours".into())),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(T::default()),
        _ => {}
    }
    let bytes = std::fs::read(path).map_err(|source| StoreError::io(path, source))?;
    let read: T = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if read.version() > T::VERSION {
        return Err(StoreError::Version { path: path.into(), found: read.version(), reads: T::VERSION });
    }
    Ok(read)
}

/// Changes a file in one step, whoever else changes it meanwhile: `change` gets what it holds now, and answers whether that is another. One that cannot be read is
/// put aside first, under the name that is answered. `[any but audio]`
pub fn change<T: Kept>(path: &Path, change: impl FnOnce(&mut T) -> bool) -> Result<Option<PathBuf>, StoreError> {
    let io = |source| StoreError::io(path, source);
    let _lock = lock::of(path).map_err(io)?;
    let (mut held, broken) = match read(path) {
        Ok(held) => (held, false),
        Err(StoreError::Io { path, source }) => return Err(StoreError::Io { path, source }),
        Err(_) => (T::default(), true),
    };
    if !change(&mut held) {
        return Ok(None);
    }
    let aside = broken.then(|| path.with_extension("json.broken"));
    if let Some(aside) = &aside {
        std::fs::rename(path, aside).map_err(io)?;
    }
    let mut bytes = serde_json::to_vec_pretty(&held).map_err(|error| io(error.into()))?;
    bytes.push(b'\n');
    atomic::write(path, &bytes).map_err(io)?;
    Ok(aside)
}
