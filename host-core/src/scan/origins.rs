//! Where plugins come from: the hash of a plugin's file, and the package that brought it, as dpkg, pacman or rpm know it.
//!
//! Looked up by whoever may read files, and kept: in the process for those that may not, and in a cache file for the next process.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::cache;
use super::paths::{Stamp, stamp};
use crate::model::lanes::for_each_slot;
use crate::model::{Catalog, Chain, Folders, Package, PluginEntry, PluginLocation};

/// Files larger than this are not hashed, bytes.
const LARGEST: u64 = 512 << 20;

/// What is known of a plugin's file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// SHA-256 in hexadecimal; empty where it could not be read.
    pub hash: String,
    /// The package that brought it.
    pub package: Option<Package>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    stamp: Stamp,
    origin: Origin,
}

type Origins = BTreeMap<PathBuf, Known>;

/// What this process knows.
static KNOWN: Mutex<Origins> = Mutex::new(BTreeMap::new());

fn known() -> std::sync::MutexGuard<'static, Origins> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What [`find_origins`] found of a plugin; reads no file. `[any but audio]`
pub fn origin(entry: &PluginEntry) -> Option<Origin> {
    known().get(entry.location.path()).map(|known| known.origin.clone())
}

/// Finds out where these plugins come from. `[jobs]`
pub fn find_origins<'a>(entries: impl Iterator<Item = &'a PluginEntry>, folders: &Folders) {
    // What was measured of them is kept by the same hashes, and wanted by the same asker.
    super::qualify::read(folders);
    let mut wanted: BTreeMap<&Path, (&PluginLocation, Stamp)> = BTreeMap::new();
    for entry in entries {
        let path = entry.location.path();
        wanted.entry(path).or_insert_with(|| (&entry.location, stamp(path)));
    }
    let is_known = |all: &Origins, path: &Path, stamp: &Stamp| all.get(path).is_some_and(|known| known.stamp == *stamp);
    {
        let here = known();
        wanted.retain(|path, (_, stamp)| !is_known(&here, path, stamp));
    }
    if wanted.is_empty() {
        return;
    }
    let file = folders.cache.join("origins.json");
    let mut kept: Origins = cache::read_json(&file).unwrap_or_default();
    let new: Vec<_> = wanted.iter().filter(|(path, (_, stamp))| !is_known(&kept, path, stamp)).collect();
    if !new.is_empty() {
        let files: Vec<Vec<PathBuf>> = new.iter().map(|(_, (location, _))| binaries(location)).collect();
        let firsts: Vec<_> = files.iter().filter_map(|files| files.first().cloned()).collect();
        let packages = packages(&firsts);
        let mut found = Origins::new();
        for ((path, (_, stamp)), files) in new.iter().zip(&files) {
            let package = files.first().and_then(|first| packages.get(first)).cloned();
            let origin = Origin { hash: hash(files), package };
            found.insert(path.to_path_buf(), Known { stamp: *stamp, origin });
        }
        // What cannot be kept is found again.
        let _kept = cache::lock(folders, "origins.lock").and_then(|_lock| keep(&file, &found));
        kept.extend(found);
    }
    let mut here = known();
    let found = wanted.keys().filter_map(|path| Some((path.to_path_buf(), kept.get(*path)?.clone())));
    found.for_each(|(path, one)| drop(here.insert(path, one)));
}

/// Adds what was found to what is kept by now: another process may have found something meanwhile.
fn keep(file: &Path, found: &Origins) -> std::io::Result<()> {
    let mut all: Origins = cache::read_json(file).unwrap_or_default();
    all.extend(found.clone());
    cache::write_json(file, &all)
}

/// Writes into a chain where its plugins come from, as far as they are here. `[jobs]`
pub fn note_origins(chain: &mut Chain, catalog: &Catalog, folders: &Folders) {
    find_origins(chain.slots().filter_map(|slot| catalog.find(&slot.plugin)), folders);
    for_each_slot(&mut chain.nodes, &mut |slot| {
        if let Some(Origin { hash, package }) = catalog.find(&slot.plugin).and_then(origin) {
            (slot.identity.hash, slot.identity.package) = (hash, package);
        }
    });
}

/// The files that are a plugin's code, in order.
fn binaries(location: &PluginLocation) -> Vec<PathBuf> {
    let PluginLocation::Lv2(bundles) = location else { return vec![location.path().into()] };
    let entries = bundles.first().and_then(|bundle| fs::read_dir(bundle).ok());
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let (mut code, text): (Vec<_>, Vec<_>) =
        paths.filter(|path| path.is_file()).partition(|path| path.extension().is_some_and(|end| end == "so"));
    code.sort();
    // A bundle may have its library elsewhere.
    let text = text.into_iter().filter(|path| path.file_name().is_some_and(|name| name == "manifest.ttl"));
    if code.is_empty() { text.collect() } else { code }
}

fn hash(files: &[PathBuf]) -> String {
    let mut hasher = Sha256::new();
    for file in files {
        let small = fs::metadata(file).is_ok_and(|data| data.len() <= LARGEST);
        let Some(bytes) = small.then(|| fs::read(file).ok()).flatten() else { return String::new() };
        hasher.update(bytes);
    }
    if files.is_empty() {
        return String::new();
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The packages of these files.
fn packages(files: &[PathBuf]) -> BTreeMap<PathBuf, Package> {
    // What a user put somewhere is in no package, and there is much to read before one knows it.
    let of_system = |(_, real): &(&PathBuf, PathBuf)| ["/usr", "/opt"].iter().any(|root| real.starts_with(root));
    let files: Vec<_> = files.iter().zip(really(files)).filter(of_system).map(|(file, _)| file.clone()).collect();
    if files.is_empty() {
        return BTreeMap::new();
    }
    let root = Path::new("/");
    let mut found = dpkg(root, &files);
    found.extend(pacman(root, &files));
    if found.is_empty() && ["/var/lib/rpm", "/usr/lib/sysimage/rpm"].iter().any(|path| Path::new(path).is_dir()) {
        found.extend(files.iter().filter_map(|file| Some((file.clone(), rpm(Path::new("rpm"), file)?))));
    }
    found
}

/// Lines of `list` that are one of `files`, or where one of them really lies.
fn listed<'a>(list: &str, files: &'a [PathBuf], real: &[PathBuf]) -> Vec<&'a PathBuf> {
    let lines: BTreeSet<&str> = list.lines().map(|line| line.trim_start_matches('/')).collect();
    let has = |path: &Path| path.to_str().is_some_and(|path| lines.contains(path.trim_start_matches('/')));
    files.iter().zip(real).filter(|(file, real)| has(file) || has(real)).map(|(file, _)| file).collect()
}

fn really(files: &[PathBuf]) -> Vec<PathBuf> {
    files.iter().map(|file| fs::canonicalize(file).unwrap_or_else(|_| file.clone())).collect()
}

/// Debian's and Ubuntu's: a list of paths for each package, and their versions in one file.
fn dpkg(root: &Path, files: &[PathBuf]) -> BTreeMap<PathBuf, Package> {
    let folder = root.join("var/lib/dpkg");
    let real = really(files);
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder.join("info")).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".list"));
        let (Some(name), Ok(list)) = (name, fs::read_to_string(&path)) else { continue };
        // Of several architectures: `name:amd64`.
        let name = name.split(':').next().unwrap_or(name);
        for file in listed(&list, files, &real) {
            let package = Package { by: "dpkg".into(), name: name.into(), version: String::new() };
            found.insert(file.clone(), package);
        }
        if found.len() == files.len() {
            break;
        }
    }
    if !found.is_empty() {
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let versions: BTreeMap<_, _> =
            status.split("\n\n").filter_map(|one| Some((field(one, "Package: ")?, field(one, "Version: ")?))).collect();
        for package in found.values_mut() {
            package.version = versions.get(package.name.as_str()).copied().unwrap_or_default().into();
        }
    }
    found
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name))
}

/// Arch's: a folder for each package, named after it with its version.
fn pacman(root: &Path, files: &[PathBuf]) -> BTreeMap<PathBuf, Package> {
    let real = really(files);
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root.join("var/lib/pacman/local")).into_iter().flatten().flatten() {
        let Ok(list) = fs::read_to_string(entry.path().join("files")) else { continue };
        let folder = entry.file_name().to_string_lossy().into_owned();
        // NAME-VERSION-RELEASE: neither of the last two has a dash in it.
        let mut dashes = folder.rmatch_indices('-').map(|(at, _)| at);
        let Some(at) = dashes.nth(1) else { continue };
        let package = Package { by: "pacman".into(), name: folder[..at].into(), version: folder[at + 1..].into() };
        listed(&list, files, &real).into_iter().for_each(|file| drop(found.insert(file.clone(), package.clone())));
    }
    found
}

/// Fedora's and others': only its own program reads what it keeps.
fn rpm(program: &Path, file: &Path) -> Option<Package> {
    let mut command = Command::new(program);
    command.args(["-qf", "--qf", "%{NAME} %{VERSION}-%{RELEASE}\n"]).arg(file).env("LC_ALL", "C");
    let answer =
        command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok().filter(|said| said.status.success())?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let (name, version) = text.lines().next()?.split_once(' ')?;
    Some(Package { by: "rpm".into(), name: name.into(), version: version.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_process_found_meanwhile_is_kept() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("origins.json");
        let found = |name: &str| {
            let known = Known { stamp: stamp(root.path()), origin: Origin { hash: name.into(), package: None } };
            Origins::from([(PathBuf::from(name), known)])
        };
        ["a", "b"].into_iter().for_each(|name| keep(&file, &found(name)).unwrap());
        let all: Origins = cache::read_json(&file).unwrap();
        assert_eq!(all.keys().collect::<Vec<_>>(), [Path::new("a"), Path::new("b")]);
    }

    /// A stand-in that answers as rpm 4 does: it is asked by its words, and says a file's name where it knows none.
    #[test]
    fn packages_are_found_that_rpm_tells_of() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("rpm");
        let script = "#!/bin/sh\n[ \"$1 $2\" = '-qf --qf' ] || exit 2\ncase \"$4\" in\n\
                      */x.so) printf \"$(printf %s \"$3\" | sed 's/%{NAME}/x-plugins/; s/%{VERSION}/1.2/; s/%{RELEASE}/3.fc40/')\";;\n\
                      *) echo \"file $4 is not owned by any package\"; exit 1;;\nesac\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let known = Package { by: "rpm".into(), name: "x-plugins".into(), version: "1.2-3.fc40".into() };
        assert_eq!(rpm(&program, Path::new("/usr/lib64/lv2/x.lv2/x.so")), Some(known));
        assert_eq!(rpm(&program, Path::new("/usr/lib64/lv2/own.lv2/own.so")), None);
        assert_eq!(rpm(&root.path().join("none"), Path::new("/usr/lib64/lv2/x.lv2/x.so")), None);
    }

    #[test]
    fn packages_are_found_where_dpkg_and_pacman_keep_them() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("var/lib/dpkg/info/x-plugins:amd64.list", "/.\n/usr/lib/lv2\n/usr/lib/lv2/x.lv2/x.so\n");
        write("var/lib/dpkg/info/other.list", "/usr/lib/lv2/x.lv2/x.so.old\n");
        write("var/lib/dpkg/status", "Package: other\nVersion: 9\n\nPackage: x-plugins\nStatus: ok\nVersion: 1.2-3\n");
        write("var/lib/pacman/local/y-plugins-lv2-2.0-1/files", "%FILES%\nusr/\nusr/lib/lv2/y.lv2/y.so\n");
        let files =
            ["/usr/lib/lv2/x.lv2/x.so", "/usr/lib/lv2/y.lv2/y.so", "/usr/lib/lv2/z.lv2/z.so"].map(PathBuf::from);
        let package =
            |by: &str, name: &str, version: &str| Package { by: by.into(), name: name.into(), version: version.into() };
        let wanted = [(files[0].clone(), package("dpkg", "x-plugins", "1.2-3"))];
        assert_eq!(dpkg(root.path(), &files), BTreeMap::from(wanted));
        let wanted = [(files[1].clone(), package("pacman", "y-plugins-lv2", "2.0-1"))];
        assert_eq!(pacman(root.path(), &files), BTreeMap::from(wanted));
    }
}
