//! The chains that the user wants at hand.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::atomic;
use crate::store::lock;

/// No file of ours is longer, bytes.
const LONGEST: u64 = 16 << 20;

/// The favourites that `file` names, those that are not there too; none where there is no such file. `[any but audio]`
pub fn read(file: &Path) -> Vec<PathBuf> {
    let ours = std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.len() <= LONGEST);
    let bytes = if ours { std::fs::read(file).unwrap_or_default() } else { Vec::new() };
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| PathBuf::from(OsStr::from_bytes(line))).collect()
}

/// Makes a chain a favourite, or no more, whoever else changes the file meanwhile. False: it was so. `[any but audio]`
pub fn set(file: &Path, chain: &Path, on: bool) -> io::Result<bool> {
    let chain = std::fs::canonicalize(chain)?;
    if chain.as_os_str().as_bytes().contains(&b'\n') {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "cannot name a file that has a line break in its name",
        ));
    }
    let _lock = lock::of(file)?;
    // What cannot be read is not replaced.
    match std::fs::read(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(bytes) if bytes.len() as u64 > LONGEST => return Err(io::ErrorKind::FileTooLarge.into()),
        _ => {}
    }
    let mut all = read(file);
    if all.contains(&chain) == on {
        return Ok(false);
    }
    match on {
        true => all.push(chain),
        false => all.retain(|other| *other != chain),
    }
    let mut bytes = Vec::new();
    for path in all {
        bytes.extend_from_slice(path.as_os_str().as_bytes());
        bytes.push(b'\n');
    }
    atomic::write(file, &bytes).map(|()| true)
}

/// What tells each of them from every other file.
pub(super) fn ids(file: &Path) -> HashSet<(u64, u64)> {
    read(file).iter().filter_map(|path| std::fs::metadata(path).ok()).map(|meta| (meta.dev(), meta.ino())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_make_favourites_at_once_are_all_there() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("data/favourites");
        let chain = |number: usize| root.path().join(format!("{number}.catena"));
        (0..16).for_each(|number| std::fs::write(chain(number), "").unwrap());
        // Each opens the lock for itself, as processes do.
        std::thread::scope(|scope| {
            for number in 0..16 {
                let (file, chain) = (&file, chain(number));
                scope.spawn(move || assert!(set(file, &chain, true).unwrap()));
            }
        });
        assert_eq!(read(&file).len(), 16);
    }
}
