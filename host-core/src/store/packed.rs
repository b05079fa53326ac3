//! The packed form: a zip whose bytes depend on the chain alone.

use std::io::{Cursor, Read, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::salvage::{self, local_name};
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

/// A part of a zip that could not be read.
pub struct Lost {
    /// The file; `None`: the zip itself.
    pub name: Option<String>,
    /// What is wrong.
    pub reason: String,
}

/// What a zip says of one of its files.
pub struct Entry<'a> {
    /// As it is written.
    pub name: &'a [u8],
    /// Bytes when unpacked.
    pub size: u64,
    /// Neither folder nor link.
    pub is_file: bool,
}

/// Files being unpacked.
struct Unpacking<'a> {
    path: &'a Path,
    packed: usize,
    left: u64,
    files: Files,
    lost: Vec<Lost>,
}

/// Unpacks files into memory, as far as they can be read, with what cannot. Paths that leave the chain, links, one name for two
/// files, and bombs are refused, whatever else is damaged.
pub fn read(bytes: &[u8], path: &Path) -> Result<(Files, Vec<Lost>), StoreError> {
    let (lost, left) = (Vec::new(), limit(bytes.len()));
    let mut to = Unpacking { path, packed: bytes.len(), left, files: Files::new(), lost };
    match ZipArchive::new(Cursor::new(bytes)) {
        Ok(zip) => listed(zip, bytes, &mut to)?,
        Err(error) => {
            to.lost.push(Lost { name: None, reason: error.to_string() });
            let mut lost = Vec::new();
            salvage::each(bytes, &mut |entry, data| to.take(&entry, data), &mut lost)?;
            to.lost.extend(lost);
        }
    }
    Ok((to.files, to.lost))
}

fn listed(mut zip: ZipArchive<Cursor<&[u8]>>, bytes: &[u8], to: &mut Unpacking<'_>) -> Result<(), StoreError> {
    if zip.len() > MAX_FILES {
        return Err(to.refused(format!("it holds {} files", zip.len())));
    }
    // Of two entries of one name the zip crate shows the last.
    if salvage::entries(bytes).is_some_and(|entries| entries != zip.len()) {
        return Err(to.refused("one of its files is in it twice".into()));
    }
    for index in 0..zip.len() {
        let listed = zip.name_for_index(index).and_then(|name| Some(name.ok()?.into_owned()));
        let mut file = match zip.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                to.lost.push(Lost { name: listed, reason: format!("cannot be read: {error}") });
                continue;
            }
        };
        let (name, size, is_file) = (file.name_raw().to_vec(), file.size(), file.is_file());
        if local_name(bytes, file.header_start()) != Some(&*name) {
            to.lost.push(Lost { name: listed, reason: "has two names".into() });
            continue;
        }
        to.take(&Entry { name: &name, size, is_file }, &mut file)?;
    }
    Ok(())
}

impl Unpacking<'_> {
    fn refused(&self, reason: String) -> StoreError {
        StoreError::Refused { path: self.path.into(), reason }
    }

    fn take(&mut self, entry: &Entry<'_>, data: &mut dyn Read) -> Result<(), StoreError> {
        let Ok(name) = std::str::from_utf8(entry.name) else {
            return Err(self.refused(format!("the file name {:?} is no UTF-8", String::from_utf8_lossy(entry.name))));
        };
        if name.ends_with('/') && entry.size == 0 {
            return Ok(());
        }
        if !names::is_inside(name) || !entry.is_file {
            return Err(self.refused(format!("{name:?} is no plain file inside the chain")));
        }
        if entry.size > self.left || self.files.len() >= MAX_FILES {
            return Err(self.refused(format!("it would unpack to more than {} MiB", limit(self.packed) >> 20)));
        }
        if self.files.contains_key(name) {
            return Err(self.refused(format!("{name} is in it twice")));
        }
        self.left -= entry.size;
        let mut bytes = Vec::new();
        // One byte more than declared, to see that there is more.
        let read = data.take(entry.size.saturating_add(1)).read_to_end(&mut bytes);
        let reason = match read {
            Ok(_) if bytes.len() as u64 == entry.size => {
                self.files.insert(name.into(), bytes.into());
                return Ok(());
            }
            Ok(_) => "is not as long as the zip says".to_owned(),
            Err(error) => format!("is damaged: {error}"),
        };
        self.lost.push(Lost { name: Some(name.into()), reason });
        Ok(())
    }
}
