//! Where the worker is.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{ChildError, WORKER};

/// The worker of this installation: `$CATENA_WORKER`, else beside the library or program that holds this code, else in
/// the install folders. Never on `PATH`. `[any but audio]`
pub fn find_worker() -> Result<PathBuf, ChildError> {
    if let Some(named) = std::env::var_os("CATENA_WORKER").filter(|named| !named.is_empty()) {
        return Ok(named.into());
    }
    let looked_in = folders(own_file().as_deref(), std::env::var_os("HOME").map(PathBuf::from).as_deref());
    let found = looked_in.iter().map(|folder| folder.join(WORKER)).find(|file| file.is_file());
    found.ok_or(ChildError::Missing { looked_in })
}

/// The program `catena` of this installation. `[any but audio]`
pub fn find_program() -> Option<PathBuf> {
    let own = own_file();
    if let Some(own) = own.as_ref().filter(|own| own.ends_with("catena")) {
        return Some(own.clone());
    }
    let mut looked_in = folders(own.as_deref(), std::env::var_os("HOME").map(PathBuf::from).as_deref());
    looked_in.extend(["/usr/local/bin", "/usr/bin"].map(PathBuf::from));
    looked_in.iter().map(|folder| folder.join("catena")).find(|file| file.is_file())
}

fn folders(own: Option<&Path>, home: Option<&Path>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(folder) = own.and_then(Path::parent) {
        folders.push(folder.to_path_buf());
        // Bundles keep the library in `lib`, cargo keeps test programs in `deps`: the worker is one above.
        let nested = folder.file_name().is_some_and(|name| name == "lib" || name == "deps" || name == "examples");
        folders.extend(folder.parent().filter(|_| nested).map(Path::to_path_buf));
    }
    if let Some(home) = home.filter(|home| home.is_absolute()) {
        folders.extend([home.join(".local/lib/catena"), home.join(".local/bin")]);
    }
    folders.extend(["/usr/local/lib/catena", "/usr/lib/catena"].map(PathBuf::from));
    folders
}

/// The real path of the file that this code was mapped from: `libcatena.so` in a DAW, else the program.
fn own_file() -> Option<PathBuf> {
    let here = own_file as *const () as usize;
    let maps = std::fs::read("/proc/self/maps").ok()?;
    let mapped = maps.split(|byte| *byte == b'\n').find_map(|line| file_mapped_at(line, here))?;
    std::fs::canonicalize(mapped).ok()
}

/// The file of a line of `/proc/self/maps` (see proc(5)) whose range holds `address`.
fn file_mapped_at(line: &[u8], address: usize) -> Option<PathBuf> {
    let dash = line.iter().position(|byte| *byte == b'-')?;
    let space = line.iter().position(|byte| *byte == b' ')?;
    let number = |digits: &[u8]| usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let range = number(&line[..dash])?..number(line.get(dash + 1..space)?)?;
    let path = line.iter().position(|byte| *byte == b'/')?;
    range.contains(&address).then(|| PathBuf::from(std::ffi::OsStr::from_bytes(&line[path..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_program_is_found_as_the_holder_of_this_code() {
        assert_eq!(own_file(), std::env::current_exe().unwrap().canonicalize().ok());
    }

    #[test]
    fn the_worker_is_looked_for_beside_above_lib_and_in_the_install_folders() {
        let found = folders(Some(Path::new("/x/bundled/lib/libcatena.so")), Some(Path::new("/home/ann")));
        let expected = [
            "/x/bundled/lib",
            "/x/bundled",
            "/home/ann/.local/lib/catena",
            "/home/ann/.local/bin",
            "/usr/local/lib/catena",
            "/usr/lib/catena",
        ];
        assert_eq!(found, expected.map(PathBuf::from));
        assert_eq!(
            folders(Some(Path::new("/opt/daw/daw")), None)[..2],
            ["/opt/daw", "/usr/local/lib/catena"].map(PathBuf::from)
        );
    }
}
