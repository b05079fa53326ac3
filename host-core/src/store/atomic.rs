//! Writing in one step: a temporary name in the same folder, synced, then renamed over the old one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes `bytes` to `path`. A symbolic link stays one: what it points to is written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = real(path)?;
    let temporary = Temporary::beside(&target)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary.0)?;
    file.write_all(bytes)?;
    if let Ok(old) = fs::metadata(&target) {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary.0, &target)?;
    sync_folder_of(&target)
}

/// Where `path` points to; itself where there is nothing yet.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_path_buf()),
        Err(error) => Err(error),
    }
}

/// Makes a rename in the folder that holds `path` last. File systems that cannot sync a folder keep it anyway.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    match File::open(folder_of(path)).and_then(|folder| folder.sync_all()) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A name that nothing has yet; what gets it is removed when this is dropped, if it is still there.
pub struct Temporary(pub PathBuf);

impl Temporary {
    /// A free name in the folder that is to hold `target`.
    pub fn beside(target: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "has no file name"))?;
        // Short enough for names that are as long as the file system takes.
        let start: String = name.to_string_lossy().chars().take(20).collect();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let hidden = OsString::from(format!(".{start}.{}-{count}.tmp", std::process::id()));
        let path = folder_of(target).join(hidden);
        // Left by a process of the same number that was killed.
        remove(&path);
        Ok(Self(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

fn remove(path: &Path) {
    // Nearly always it is not there any more; where it cannot be removed there is nothing left to try.
    let _gone = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
}
