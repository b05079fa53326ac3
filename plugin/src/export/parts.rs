//! Catena's own parts: core library, worker, and the thin entries.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where a part may be, best first. `inside` is its folder under an installation's root.
fn places(variable: &str, name: &str) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = std::env::var_os(variable).map(PathBuf::from).into_iter().collect();
    for folder in own_folders() {
        for near in ["", "lib", "../lib", "../lib/catena", "../libexec/catena"] {
            places.push(folder.join(near).join(name));
        }
    }
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local"));
    for root in home.into_iter().chain([PathBuf::from("/usr/local"), PathBuf::from("/usr")]) {
        for near in ["lib", "lib/catena", "libexec/catena", "bin"] {
            places.push(root.join(near).join(name));
        }
    }
    places
}

/// The first place where the part is, as one would write it. `[any but audio]`
pub fn found(variable: &str, name: &str) -> Option<PathBuf> {
    let path = places(variable, name).into_iter().find(|path| path.is_file())?;
    Some(std::fs::canonicalize(&path).unwrap_or(path))
}

/// A thin entry of ours, which every exported plugin begins as: as installed, as it lies in a bundle, or as cargo builds it.
pub(super) fn entry(installed: &str, bundled: &str, built: &str) -> Option<PathBuf> {
    let mut places = Vec::new();
    for folder in own_folders() {
        places.extend([folder.join(bundled), folder.join(built), folder.join("../lib").join(installed)]);
        places.push(folder.join("..").join(bundled));
    }
    if let Some(home) = std::env::var_os("HOME") {
        places.push(PathBuf::from(home).join(format!(".{installed}")));
    }
    places.extend(["/usr/local/lib", "/usr/lib"].map(|root| Path::new(root).join(installed)));
    places.into_iter().find(|path| path.is_file())
}

/// Where this program lies, and the core library where a DAW has it.
fn own_folders() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let maps = std::fs::read("/proc/self/maps").unwrap_or_default();
    let core = maps.split(|byte| *byte == b'\n').find_map(|line| {
        let path = line.iter().position(|byte| *byte == b'/')?;
        Some(PathBuf::from(OsStr::from_bytes(&line[path..]))).filter(|path| path.ends_with("libcatena.so"))
    });
    program.iter().chain(&core).filter_map(|path| path.parent()).map(Path::to_path_buf).collect()
}
