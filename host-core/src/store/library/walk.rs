//! Chain files below folders. Links are followed, each file and folder once, so that loops end.

use std::collections::HashSet;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Folders are followed to this depth.
const MAX_DEPTH: usize = 16;
/// More files are not listed.
const MAX_FILES: usize = 200_000;
/// How the names of chain files end, and of folders that are one.
const PACKED: &str = ".catena";
const UNPACKED: &str = ".catena.d";

/// Changes with a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Bytes.
    pub size: u64,
    seconds: i64,
    nanoseconds: i64,
}

/// A chain file.
pub(super) struct Found {
    pub path: PathBuf,
    /// Of the file, or of what describes the chain in a folder.
    pub stamp: Stamp,
    /// What tells it from every other file.
    pub id: (u64, u64),
}

/// All chain files below `folders`.
pub(super) fn files(folders: &[PathBuf]) -> Vec<Found> {
    let mut walk = Walk::default();
    folders.iter().for_each(|folder| walk.folder(folder, 0));
    walk.found
}

#[derive(Default)]
struct Walk {
    found: Vec<Found>,
    seen: HashSet<(u64, u64)>,
}

impl Walk {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let is_new = std::fs::metadata(folder).is_ok_and(|meta| self.seen.insert(id(&meta)));
        if !is_new || depth > MAX_DEPTH {
            return;
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut entries: Vec<_> = entries.map(|entry| (entry.path(), entry.file_type())).collect();
        // A file goes by its own path rather than by a link beside it.
        entries
            .sort_by_cached_key(|(path, kind)| (kind.as_ref().is_ok_and(std::fs::FileType::is_symlink), path.clone()));
        for (path, kind) in entries {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let is = |end: &str| name.ends_with(end.as_bytes());
            let (packed, unpacked) = (is(PACKED), is(UNPACKED));
            if name.starts_with(b".") || is(".assets") || self.found.len() >= MAX_FILES {
                continue;
            }
            if !packed && kind.is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            let Ok(meta) = std::fs::metadata(&path) else { continue };
            match (meta.is_dir(), packed || unpacked) {
                (true, true) => self.chain(path, &meta, true),
                (true, false) => self.folder(&path, depth + 1),
                (false, _) if packed => self.chain(path, &meta, false),
                (false, _) => {}
            }
        }
    }

    fn chain(&mut self, path: PathBuf, meta: &Metadata, folder: bool) {
        if !self.seen.insert(id(meta)) {
            return;
        }
        let of = if folder { std::fs::symlink_metadata(path.join("chain.json")).ok() } else { Some(meta.clone()) };
        let stamp = of.map_or_else(Stamp::default, |meta| Stamp {
            size: meta.len(),
            seconds: meta.mtime(),
            nanoseconds: meta.mtime_nsec(),
        });
        self.found.push(Found { path, stamp, id: id(meta) });
    }
}

fn id(meta: &Metadata) -> (u64, u64) {
    (meta.dev(), meta.ino())
}
