//! Damaged chains are put aside before something takes their place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::atomic::{self, Temporary};
use super::hashes;

/// Copies what is at `path` to `NAME.damaged`, `NAME.damaged-2` and so on, whole or not at all; answers where.
pub fn copy(path: &Path) -> io::Result<PathBuf> {
    let real = atomic::real(path)?;
    let free = |number: u32| {
        let mut name = OsString::from(&real);
        name.push(if number == 1 { ".damaged".to_owned() } else { format!(".damaged-{number}") });
        PathBuf::from(name)
    };
    let aside = (1..).map(free).find(|aside| fs::symlink_metadata(aside).is_err()).unwrap_or_else(|| free(1));
    let temporary = Temporary::beside(&aside)?;
    copy_all(&real, &temporary.0, true)?;
    fs::rename(&temporary.0, &aside)?;
    atomic::sync_folder_of(&aside)?;
    Ok(aside)
}

fn copy_all(from: &Path, to: &Path, top: bool) -> io::Result<()> {
    let kind = fs::symlink_metadata(from)?;
    if kind.is_file() {
        fs::copy(from, to)?;
        return File::open(to)?.sync_all();
    }
    // A link or a socket is no part of a chain.
    if !kind.is_dir() {
        return Ok(());
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        // `.git` and the like stay where they are: they are no part of it either.
        if !(top && name.as_encoded_bytes().starts_with(b".")) {
            copy_all(&from.join(&name), &to.join(&name), false)?;
        }
    }
    File::open(to)?.sync_all()
}

/// Keeps `bytes` in `folder` under a name of their own, once.
pub fn keep(bytes: &[u8], folder: &Path) -> io::Result<PathBuf> {
    let path = folder.join(format!("{}.catena", &hashes::hex(bytes)[..16]));
    if !path.is_file() {
        fs::create_dir_all(folder)?;
        atomic::write(&path, bytes)?;
    }
    Ok(path)
}
