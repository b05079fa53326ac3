//! The packed form: a zip whose bytes depend on the chain alone.

use std::io::{Cursor, Read, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::tree::Files;
use super::{StoreError, names};

/// Bytes a zip may always grow to.
const ROOM: u64 = 256 << 20;
/// How many times its own size a larger zip may grow to.
const GROWTH: u64 = 20;
/// Files a chain may have.
const MAX_FILES: usize = 100_000;
/// Files from this size on get a zip64 header.
const LARGE: usize = u32::MAX as usize;

/// Bytes that a zip of `packed` bytes may hold: what is more is a bomb.
fn limit(packed: usize) -> u64 {
    ROOM.max(GROWTH.saturating_mul(packed as u64))
}

/// Packs files.
pub fn write(files: &Files, path: &Path) -> Result<Vec<u8>, StoreError> {
    let total: u64 = files.values().map(|bytes| bytes.len() as u64).sum();
    let packed = write_with(files, CompressionMethod::Deflated, path)?;
    // What would look like a bomb to `read` is written plain.
    if total > limit(packed.len()) { write_with(files, CompressionMethod::Stored, path) } else { Ok(packed) }
}

fn write_with(files: &Files, method: CompressionMethod, path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options.large_file(bytes.len() >= LARGE))
            .map_err(|error| StoreError::io(path, error.into()))?;
        zip.write_all(bytes).map_err(|source| StoreError::io(path, source))?;
    }
    Ok(zip.finish().map_err(|error| StoreError::io(path, error.into()))?.into_inner())
}

/// Unpacks files into memory. Paths that leave the chain, links, encrypted files and bombs are refused.
pub fn read(bytes: &[u8], path: &Path) -> Result<Files, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { path: path.into(), reason };
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(error.to_string()))?;
    if zip.len() > MAX_FILES {
        return Err(damaged(format!("it holds {} files", zip.len())));
    }
    let mut left = limit(bytes.len());
    let mut files = Files::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).map_err(|error| damaged(error.to_string()))?;
        let name = String::from_utf8(file.name_raw().to_vec())
            .map_err(|error| damaged(format!("a file name is no UTF-8: {error}")))?;
        if local_name(bytes, file.header_start()) != Some(file.name_raw()) {
            return Err(damaged(format!("{name:?} has two names")));
        }
        if name.ends_with('/') && file.size() == 0 {
            continue;
        }
        if !names::is_inside(&name) || !file.is_file() {
            return Err(damaged(format!("{name:?} is no plain file inside the chain")));
        }
        let declared = file.size();
        if declared > left {
            return Err(damaged(format!("it would unpack to more than {} MiB", limit(bytes.len()) >> 20)));
        }
        left -= declared;
        let mut data = Vec::new();
        // One byte more than declared, to see that there is more.
        let read = file.by_ref().take(declared.saturating_add(1)).read_to_end(&mut data);
        read.map_err(|error| damaged(format!("{name}: {error}")))?;
        if data.len() as u64 != declared {
            return Err(damaged(format!("{name} is not as long as the zip says")));
        }
        if files.insert(name.clone(), data.into()).is_some() {
            return Err(damaged(format!("{name} is in it twice")));
        }
    }
    Ok(files)
}

/// The name that stands before a file's data; the list at the zip's end has a second copy, and no sum covers either.
fn local_name(zip: &[u8], header: u64) -> Option<&[u8]> {
    let header = zip.get(usize::try_from(header).ok()?..)?;
    let len = u16::from_le_bytes(*header.get(26..)?.first_chunk()?);
    header.get(30..30 + usize::from(len))
}
