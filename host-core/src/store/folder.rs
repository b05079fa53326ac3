//! The unpacked form: a folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::atomic::{self, Temporary};
use super::tree::Files;
use super::{StoreError, names};

/// Depth to which folders are read.
const MAX_DEPTH: usize = 32;

/// Reads all files of a folder. Hidden ones are not part of the chain; links are refused.
pub fn read(path: &Path) -> Result<Files, StoreError> {
    let mut files = Files::new();
    read_into(path, path, "", 0, &mut files)?;
    Ok(files)
}

fn read_into(root: &Path, folder: &Path, prefix: &str, depth: usize, files: &mut Files) -> Result<(), StoreError> {
    let refused = |reason: String| StoreError::Refused { path: root.into(), reason };
    let entries = fs::read_dir(folder).map_err(|source| StoreError::io(folder, source))?;
    for entry in entries {
        let entry = entry.map_err(|source| StoreError::io(folder, source))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            return Err(refused(format!("the file name {name:?} is no UTF-8")));
        };
        if depth == 0 && name.starts_with('.') {
            continue;
        }
        let inner = format!("{prefix}{name}");
        if !names::is_inside(&inner) || depth > MAX_DEPTH {
            return Err(refused(format!("{inner:?} is no name inside a chain")));
        }
        let path = entry.path();
        let kind = entry.file_type().map_err(|source| StoreError::io(&path, source))?;
        if kind.is_dir() {
            read_into(root, &path, &format!("{inner}/"), depth + 1, files)?;
        } else if kind.is_file() {
            let bytes = fs::read(&path).map_err(|source| StoreError::io(&path, source))?;
            files.insert(inner, bytes.into());
        } else {
            return Err(refused(format!("{inner:?} is no plain file inside the chain")));
        }
    }
    Ok(())
}

/// Writes files as a folder, in place of the chain that is there.
pub fn write(path: &Path, files: &Files) -> io::Result<()> {
    let target = atomic::real(path)?;
    check_replaceable(&target)?;
    let temporary = Temporary::beside(&target)?;
    fill(&temporary.0, files)?;
    swap(&temporary.0, &target)?;
    // The old folder now has the temporary name: what is not the chain's moves back, the rest goes with it.
    keep_foreign(&temporary.0, &target);
    atomic::sync_folder_of(&target)
}

/// A folder that holds something else than a chain is never replaced.
fn check_replaceable(target: &Path) -> io::Result<()> {
    let mut entries = match fs::read_dir(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    if entries.next().is_none() || target.join("chain.json").is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "is a folder that holds no chain; choose another name"))
}

/// Writes files into a fresh folder.
pub fn fill(folder: &Path, files: &Files) -> io::Result<()> {
    fs::create_dir(folder)?;
    for (name, bytes) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = File::create_new(&path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        atomic::sync_folder_of(&path)?;
    }
    Ok(())
}

/// Puts `new` in the place of `target`; what was there gets the name `new`.
pub fn swap(new: &Path, target: &Path) -> io::Result<()> {
    if !target.exists() {
        return fs::rename(new, target);
    }
    match renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {
            swap_in_steps(new, target)
        }
        Err(error) => Err(error.into()),
    }
}

/// For file systems that cannot exchange two names: for a moment there is no `target`.
fn swap_in_steps(new: &Path, target: &Path) -> io::Result<()> {
    let aside = Temporary::beside(target)?;
    fs::rename(target, &aside.0)?;
    if let Err(error) = fs::rename(new, target) {
        if fs::rename(&aside.0, target).is_err() {
            // The old chain is worth more than a tidy folder.
            std::mem::forget(aside);
        }
        return Err(error);
    }
    fs::rename(&aside.0, new)
}

/// Moves hidden files (`.git` and the like) from the old folder to the new one.
pub fn keep_foreign(old: &Path, new: &Path) {
    let Ok(entries) = fs::read_dir(old) else { return };
    for name in entries.flatten().map(|entry| entry.file_name()) {
        if name.as_encoded_bytes().starts_with(b".") && !new.join(&name).exists() {
            // The chain itself is written: a hidden file that will not move is no reason to fail.
            let _moved = fs::rename(old.join(&name), new.join(&name));
        }
    }
}
