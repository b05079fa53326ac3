//! The library: what every chain file in some folders says of itself, to be searched.
//!
//! What was read is kept in a cache beside each file's size and time, so that a look reads only what is new or changed. Of a file
//! `chain.json` alone is read: whether its states are whole shows when it is opened. One that cannot be read is listed with the reason.
//!
//! Favourites are the user's own and in no chain: a file with a path a line.

pub mod favourites;
mod peek;
mod walk;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::atomic;
use crate::model::{About, Folders, PluginId, Words};
use walk::{Found, Stamp};

/// What this version keeps.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");
/// Threads that read files at once.
const AT_ONCE: usize = 4;
/// So few files are read faster without further threads.
const FEW: usize = 32;

/// A plugin of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Which plugin.
    pub plugin: PluginId,
    /// What the slot is called: the user's own name for it, else the plugin's.
    pub name: String,
    /// The plugin's maker, empty where none is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub vendor: String,
}

/// What a chain file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// The chain's name, else the file's.
    pub name: String,
    /// What is said of it.
    #[serde(default)]
    pub about: About,
    /// Its plugins, those in lanes too.
    #[serde(default)]
    pub members: Vec<Member>,
    /// Why it cannot be read, or not whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A chain file of the library.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The file, or the folder of an unpacked chain.
    pub path: PathBuf,
    /// What it says of itself.
    #[serde(flatten)]
    pub sheet: Sheet,
    /// The user wants it at hand.
    pub favourite: bool,
    /// All that is searched, in lower case, the name first.
    #[serde(skip)]
    folded: String,
}

impl Entry {
    fn new(path: PathBuf, sheet: Sheet, favourite: bool) -> Self {
        let Sheet { name, about: About { tags, authors, licence, notes, extra: _ }, members, problem: _ } = &sheet;
        let texts = [name, licence, notes].into_iter().chain(tags).chain(authors).map(String::as_str);
        let plugins = members.iter().flat_map(|member| [member.name.as_str(), &member.vendor, &member.plugin.id]);
        let folded = Words::folded(texts.chain(plugins));
        Self { path, sheet, favourite, folded }
    }

    /// The name in lower case.
    fn folded_name(&self) -> &str {
        self.folded.lines().next().unwrap_or_default()
    }
}

/// All chain files of some folders.
#[derive(Clone, Debug, Default)]
pub struct Library {
    entries: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    path: PathBuf,
    stamp: Stamp,
    sheet: Sheet,
}

#[derive(Serialize, Deserialize)]
struct Cache {
    version: String,
    files: Vec<Kept>,
}

impl Library {
    /// The user's chains and those that were installed. `[any but audio and home]`
    pub fn of(folders: &Folders) -> Self {
        Self::look(&folders.preset_folders(), &folders.library_cache(), &folders.favourites())
    }

    /// The chain files in `folders`, at any depth. What was read is kept in `cache`. `[any but audio and home]`
    pub fn look(folders: &[PathBuf], cache: &Path, favourites: &Path) -> Self {
        let found = walk::files(folders);
        let mut known: HashMap<PathBuf, Kept> =
            read_cache(cache).into_iter().map(|kept| (kept.path.clone(), kept)).collect();
        let before = known.len();
        let mut sheets: Vec<Option<Sheet>> = found
            .iter()
            .map(|file| {
                // What could not be read may be readable now: a permission changes no stamp.
                let same = |kept: &Kept| kept.stamp == file.stamp && kept.sheet.problem.is_none();
                known.remove(&file.path).filter(same).map(|kept| kept.sheet)
            })
            .collect();
        let fresh = read_missing(&found, &mut sheets);
        let favourites = favourites::ids(favourites);
        let sheets = sheets.into_iter().map(Option::unwrap_or_default);
        if fresh > 0 || before != found.len() {
            let kept = found.iter().zip(sheets.clone()).map(|(file, sheet)| Kept {
                path: file.path.clone(),
                stamp: file.stamp,
                sheet,
            });
            write_cache(cache, kept.filter(|kept| kept.path.to_str().is_some()).collect());
        }
        let entry = |(file, sheet): (Found, Sheet)| {
            let favourite = favourites.contains(&file.id);
            Entry::new(file.path, sheet, favourite)
        };
        Self::sorted(found.into_iter().zip(sheets).map(entry).collect())
    }

    /// Chains of which everything is known: where they lie, what they say of themselves, and whether they are favourites.
    pub fn known(chains: impl IntoIterator<Item = (PathBuf, Sheet, bool)>) -> Self {
        Self::sorted(chains.into_iter().map(|(path, sheet, favourite)| Entry::new(path, sheet, favourite)).collect())
    }

    fn sorted(mut entries: Vec<Entry>) -> Self {
        entries.sort_by(|a, b| (&a.folded, &a.path).cmp(&(&b.folded, &b.path)));
        Self { entries }
    }

    /// All, by name.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Those that have all words in their name, tags, authors, licence, notes, or in their plugins' names, makers and ids:
    /// favourites first, then those whose name has them all, then by name. `[any but audio]`
    pub fn search(&self, words: &Words) -> Vec<&Entry> {
        let rank = |entry: &Entry| (!entry.favourite, !words.are_in(entry.folded_name()));
        let mut found: Vec<_> = self.entries.iter().filter(|entry| words.are_in(&entry.folded)).collect();
        // Stable: they are in the order of their names.
        found.sort_by_cached_key(|entry| rank(entry));
        found
    }
}

/// Reads the files of which nothing is known; how many.
fn read_missing(found: &[Found], sheets: &mut [Option<Sheet>]) -> usize {
    let mut missing: Vec<_> = found.iter().zip(sheets.iter_mut()).filter(|(_, sheet)| sheet.is_none()).collect();
    let count = missing.len();
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(AT_ONCE);
    let each = if count <= FEW { count } else { count.div_ceil(cores) };
    let read = |part: &mut [(&Found, &mut Option<Sheet>)]| {
        part.iter_mut().for_each(|(file, sheet)| **sheet = Some(peek::sheet(&file.path, file.stamp.size)));
    };
    std::thread::scope(|scope| {
        let mut parts = missing.chunks_mut(each.max(1));
        let own = parts.next();
        for part in parts {
            scope.spawn(move || read(part));
        }
        own.into_iter().for_each(read);
    });
    count
}

fn read_cache(path: &Path) -> Vec<Kept> {
    let read = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Cache>(&bytes).ok());
    read.filter(|cache| cache.version == VERSION).map(|cache| cache.files).unwrap_or_default()
}

/// What cannot be kept is read again the next time.
fn write_cache(path: &Path, files: Vec<Kept>) {
    let Ok(bytes) = serde_json::to_vec(&Cache { version: VERSION.into(), files }) else { return };
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let _not_kept = made.and_then(|()| atomic::write(path, &bytes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Chain;

    #[test]
    fn favourites_come_first_then_names() {
        let entry = |name: &str, notes: &str, favourite| {
            let about = About { notes: notes.into(), ..About::default() };
            Entry::new(name.into(), Sheet { name: name.into(), about, ..Sheet::default() }, favourite)
        };
        let library =
            Library { entries: vec![entry("a", "warm", false), entry("Warm b", "", false), entry("c", "Warm", true)] };
        let names: Vec<_> = library.search(&Words::new("WARM")).iter().map(|entry| entry.sheet.name.clone()).collect();
        assert_eq!(names, ["c", "Warm b", "a"]);
        assert!(library.search(&Words::new("warm cold")).is_empty());
    }

    #[test]
    fn a_cache_of_another_version_or_none_at_all_is_made_again() {
        let root = tempfile::tempdir().unwrap();
        let (chains, cache) = (root.path().join("chains"), root.path().join("cache/library.json"));
        std::fs::create_dir(&chains).unwrap();
        super::super::write(&chains.join("a.catena"), &Chain { name: "A".into(), ..Chain::default() }).unwrap();
        let look = || Library::look(std::slice::from_ref(&chains), &cache, Path::new("/none"));
        for bytes in [&b""[..], b"{", b"{\"version\":\"9\",\"files\":[]}", b"\xff"] {
            let _folder = std::fs::create_dir_all(cache.parent().unwrap());
            std::fs::write(&cache, bytes).unwrap();
            assert_eq!(look().entries()[0].sheet.name, "A");
            assert_eq!(read_cache(&cache).len(), 1);
        }
    }
}
