//! Putting what was made in its place.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::super::StoreError;
use super::super::atomic::{self, Temporary};
use super::super::folder as chain_folder;
use crate::model::Bytes;

/// Writes one file in one step. One that is there is replaced where `force` says so. `[any but audio]`
pub fn file(path: &Path, bytes: &[u8], force: bool) -> Result<(), StoreError> {
    let done = free(path, force, fs::Metadata::is_file, "a file").and_then(|()| {
        make_parent(path)?;
        atomic::write(path, bytes)
    });
    done.map_err(|source| StoreError::Io { path: path.into(), source })
}

/// Writes a folder of files in one step. One that is there is replaced where `force` says so and it holds `of_ours`. Programs and
/// libraries may be run. `[any but audio]`
pub fn folder(path: &Path, files: &BTreeMap<String, Bytes>, of_ours: &str, force: bool) -> Result<(), StoreError> {
    let kind = |meta: &fs::Metadata| meta.is_dir() && path.join(of_ours).is_file();
    let done = free(path, force, kind, "a folder that Catena made").and_then(|()| {
        make_parent(path)?;
        let temporary = Temporary::beside(path)?;
        chain_folder::fill(&temporary.0, files)?;
        for name in files.keys().filter(|name| name.ends_with(".so") || name.ends_with("catena-worker")) {
            fs::set_permissions(temporary.0.join(name), fs::Permissions::from_mode(0o755))?;
        }
        chain_folder::swap(&temporary.0, path)?;
        chain_folder::keep_foreign(&temporary.0, path);
        atomic::sync_folder_of(path)
    });
    done.map_err(|source| StoreError::Io { path: path.into(), source })
}

/// Whether a file, or a folder that holds `of_ours`, may be written to `path`; its parent is made. `[any but audio]`
pub fn check(path: &Path, of_ours: Option<&str>, force: bool) -> Result<(), StoreError> {
    let kind = |meta: &fs::Metadata| match of_ours {
        None => meta.is_file(),
        Some(inside) => meta.is_dir() && path.join(inside).is_file(),
    };
    let done = free(path, force, kind, "one that Catena made").and_then(|()| make_parent(path));
    done.map_err(|source| StoreError::Io { path: path.into(), source })
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), fs::create_dir_all)
}

fn free(path: &Path, force: bool, ours: impl Fn(&fs::Metadata) -> bool, what: &str) -> io::Result<()> {
    let there = |text: String| Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) if !force => there("is there already; choose another name, or replace it with --force".into()),
        Ok(meta) if !ours(&meta) => there(format!("is there and is not {what}; choose another name")),
        Ok(_) => Ok(()),
    }
}
