//! Where plugins lie: the standards' folders, the files in them, and a stamp that changes with a file.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Folders below a search path are followed to this depth.
const MAX_DEPTH: usize = 32;

/// Where plugins are looked for: the standards' own folders, or what `CLAP_PATH` and `LV2_PATH` say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchPaths {
    /// Folders that hold `.clap` files, at any depth.
    pub clap: Vec<PathBuf>,
    /// Folders that hold LV2 bundles.
    pub lv2: Vec<PathBuf>,
}

impl SearchPaths {
    /// The paths of this process's environment. `[any but audio]`
    pub fn from_env() -> Self {
        Self::resolve(|name| std::env::var(name).ok())
    }

    /// CLAP (entry.h): `CLAP_PATH` is searched in addition to the default folders, before them. LV2 (lilv): `LV2_PATH`
    /// replaces them. Debian's lilv looks in the multiarch folder too.
    fn resolve(var: impl Fn(&str) -> Option<String>) -> Self {
        let home = var("HOME").filter(|home| Path::new(home).is_absolute());
        let split = |text: String| split(&text, home.as_deref());
        let of = |name: &str| defaults(name, home.as_deref());
        let mut clap = var("CLAP_PATH").map(split).unwrap_or_default();
        clap.extend(of("clap"));
        let lv2 = var("LV2_PATH").filter(|path| !path.is_empty()).map(split).unwrap_or_else(|| of("lv2"));
        Self { clap: once_each(clap), lv2: once_each(lv2) }
    }

    /// These, and the user's own folders behind them. `[any but audio]`
    pub fn and(mut self, clap: &[PathBuf], lv2: &[PathBuf]) -> Self {
        self.clap.extend_from_slice(clap);
        self.lv2.extend_from_slice(lv2);
        Self { clap: once_each(self.clap), lv2: once_each(self.lv2) }
    }

    /// Another one whenever any file in the folders is. `[jobs]`
    pub fn trace(&self) -> Trace {
        let of = |paths: Vec<PathBuf>| paths.iter().map(|path| stamp(path)).collect();
        Trace { clap: of(self.clap_files()), lv2: of(self.lv2_bundles()) }
    }

    /// Every `.clap` file, in the order of the search paths; each real file once.
    pub(super) fn clap_files(&self) -> Vec<PathBuf> {
        Found::all(&self.clap, Kind::File("clap"))
    }

    /// Every LV2 bundle, in the order of the search paths.
    pub(super) fn lv2_bundles(&self) -> Vec<PathBuf> {
        let mut bundles = Vec::new();
        for folder in &self.lv2 {
            bundles.extend(sorted(folder).into_iter().filter(|path| path.join("manifest.ttl").is_file()));
        }
        bundles
    }
}

/// Folders in their order, each real one once: on many systems `/usr/lib64` is `/usr/lib`.
fn once_each(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    folders
        .into_iter()
        .filter(|folder| seen.insert(fs::canonicalize(folder).unwrap_or_else(|_| folder.clone())))
        .collect()
}

/// What all files in the folders were at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    clap: Vec<Stamp>,
    lv2: Vec<Stamp>,
}

/// The folders of a text like `CLAP_PATH`.
fn split(text: &str, home: Option<&str>) -> Vec<PathBuf> {
    let expand = |text: &str| match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Path::new(home).join(rest),
        _ => PathBuf::from(text),
    };
    text.split(':').filter(|part| !part.is_empty()).map(expand).collect()
}

/// Where plugins of a format lie by its standard.
fn defaults(name: &str, home: Option<&str>) -> Vec<PathBuf> {
    let multiarch = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    let system = ["/usr/local/lib", "/usr/lib", "/usr/local/lib64", "/usr/lib64", &multiarch];
    let system = system.map(|folder| format!("{folder}/{name}"));
    split(&format!("~/.{name}:{}", system.join(":")), home)
}

/// The folders of another format: what its variable says, else those of its standard.
pub(super) fn standard_folders(variable: &str, names: &[&str]) -> Vec<PathBuf> {
    let home = std::env::var("HOME").ok().filter(|home| Path::new(home).is_absolute());
    let said = std::env::var(variable).ok().filter(|text| !text.is_empty());
    let all = || names.iter().flat_map(|name| defaults(name, home.as_deref())).collect();
    once_each(said.map_or_else(all, |text| split(&text, home.as_deref())))
}

/// What is looked for, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file.
    File(&'static str),
    /// A file, or a folder that stands for one.
    Bundle(&'static str),
}

impl Kind {
    fn is(self, path: &Path) -> bool {
        let (Self::File(end) | Self::Bundle(end)) = self;
        let named = path.extension().is_some_and(|extension| extension == end);
        named && (path.is_file() || matches!(self, Self::Bundle(_)) && path.is_dir())
    }
}

pub(super) struct Found {
    kind: Kind,
    files: Vec<PathBuf>,
    seen: HashSet<(u64, u64)>,
}

impl Found {
    /// All of a kind in `folders`, at any depth.
    pub fn all(folders: &[PathBuf], kind: Kind) -> Vec<PathBuf> {
        let mut found = Self { kind, files: Vec::new(), seen: HashSet::new() };
        folders.iter().for_each(|folder| found.walk(folder, 0));
        found.files
    }

    /// Links are followed after everything else in their folder; each file and folder is visited once, so that loops end and a
    /// file goes by its own path rather than by one through a link beside it.
    fn walk(&mut self, folder: &Path, depth: usize) {
        if !self.is_new(folder) || depth > MAX_DEPTH {
            return;
        }
        let (links, own): (Vec<_>, Vec<_>) = sorted(folder).into_iter().partition(|path| path.is_symlink());
        let (files, others): (Vec<_>, Vec<_>) = own.into_iter().chain(links).partition(|path| self.kind.is(path));
        for path in files {
            if self.is_new(&path) {
                self.files.push(path);
            }
        }
        others.iter().filter(|path| path.is_dir()).for_each(|path| self.walk(path, depth + 1));
    }

    fn is_new(&mut self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|found| self.seen.insert((found.dev(), found.ino())))
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Changes when a file or any file of a bundle changes: size and a sum over names, sizes and times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    size: u64,
    sum: u64,
}

/// The stamp of a file or bundle; that of nothing where there is none.
pub(super) fn stamp(path: &Path) -> Stamp {
    let mut stamp = Stamp::default();
    add(&mut stamp, path, 0);
    stamp
}

fn add(stamp: &mut Stamp, path: &Path, depth: usize) {
    let Ok(found) = fs::metadata(path) else { return };
    stamp.add(path, &found);
    if found.is_dir() && depth < 4 {
        sorted(path).iter().for_each(|path| add(stamp, path, depth + 1));
    }
}

impl Stamp {
    fn add(&mut self, path: &Path, found: &Metadata) {
        let size = if found.is_file() { found.len() } else { 0 };
        self.size = self.size.wrapping_add(size);
        let mut mix = |bytes: &[u8]| {
            // FNV-1a, 64 bit (Fowler, Noll, Vo).
            for byte in bytes {
                self.sum = (self.sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            }
        };
        mix(path.as_os_str().as_encoded_bytes());
        mix(&size.to_le_bytes());
        mix(&found.mtime().to_le_bytes());
        mix(&found.mtime_nsec().to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(vars: &[(&str, &str)]) -> SearchPaths {
        let find = |name: &str| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        SearchPaths::resolve(find)
    }

    #[test]
    fn clap_path_comes_before_the_defaults_and_lv2_path_replaces_them() {
        let home = ("HOME", "/home/ann");
        let plain = paths(&[home]);
        assert_eq!(plain.clap[0], Path::new("/home/ann/.clap"));
        assert_eq!(plain.lv2[0], Path::new("/home/ann/.lv2"));
        for folder in ["/usr/lib/clap", "/usr/local/lib/clap"] {
            assert!(plain.clap.contains(&folder.into()), "{folder}");
        }
        for folder in ["/usr/lib/lv2", "/usr/local/lib/lv2"] {
            assert!(plain.lv2.contains(&folder.into()), "{folder}");
        }
        let set = paths(&[home, ("CLAP_PATH", "/a::/b"), ("LV2_PATH", "/x:~/y")]);
        assert_eq!(set.clap[..3], ["/a", "/b", "/home/ann/.clap"].map(PathBuf::from));
        assert_eq!(set.lv2, ["/x", "/home/ann/y"].map(PathBuf::from));
    }

    #[test]
    fn files_are_found_at_any_depth_once_and_loops_end() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("maker/more");
        fs::create_dir_all(&deep).unwrap();
        for file in [root.path().join("z.clap"), deep.join("a.clap"), deep.join("readme.txt")] {
            fs::write(file, "x").unwrap();
        }
        std::os::unix::fs::symlink(root.path(), deep.join("loop")).unwrap();
        std::os::unix::fs::symlink(root.path().join("z.clap"), root.path().join("same.clap")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.path().join("dead.clap")).unwrap();
        let paths = SearchPaths { clap: vec![root.path().into()], lv2: vec![] };
        assert_eq!(paths.clap_files(), [root.path().join("z.clap"), deep.join("a.clap")]);
    }

    #[test]
    fn a_stamp_changes_with_any_file_of_a_bundle() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.ttl"), "x").unwrap();
        let first = stamp(root.path());
        assert_eq!(stamp(root.path()), first);
        fs::write(root.path().join("a.ttl"), "xy").unwrap();
        let second = stamp(root.path());
        assert_ne!(second, first);
        fs::write(root.path().join("b.ttl"), "").unwrap();
        assert_ne!(stamp(root.path()), second);
    }
}
