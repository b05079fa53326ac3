//! Damaged chains are put aside before something takes their place.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{atomic, hashes};

/// Copies what is at `path` to `NAME.damaged`, `NAME.damaged-2` and so on; answers where.
pub fn copy(path: &Path) -> io::Result<PathBuf> {
    let real = atomic::real(path)?;
    let free = |number: u32| {
        let mut name = OsString::from(&real);
        name.push(if number == 1 { ".damaged".to_owned() } else { format!(".damaged-{number}") });
        PathBuf::from(name)
    };
    let aside = (1..).map(free).find(|aside| fs::symlink_metadata(aside).is_err()).unwrap_or_else(|| free(1));
    copy_all(&real, &aside)?;
    Ok(aside)
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        // A folder that was read as a chain holds files and folders.
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
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
