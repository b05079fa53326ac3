//! Files that a state names: they travel with the chain under relative names, and come back into a folder named
//! after their content.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ffi::state::Paths;
use crate::backend::StateError;
use crate::model::{Bytes, PluginId};

/// Before the name of a file that belongs to the plugin's own bundle: it does not travel.
const BUNDLE: &str = "@bundle";

/// The files of one instance's state.
#[derive(Clone, Debug)]
pub struct Assets {
    /// The plugin's bundle.
    bundle: PathBuf,
    /// Where the plugin makes files.
    scratch: PathBuf,
    /// Files by the name they travel under.
    files: BTreeMap<String, PathBuf>,
    /// Names that the state being written uses.
    used: BTreeMap<String, PathBuf>,
}

impl Assets {
    /// None yet.
    pub fn new(bundle: &Path, scratch: &Path) -> Self {
        Self { bundle: bundle.into(), scratch: scratch.into(), files: BTreeMap::new(), used: BTreeMap::new() }
    }

    /// The files called `names`, that lie in `folder`: a path from where the state is.
    pub fn lying_in<'a>(bundle: &Path, folder: &Path, names: impl Iterator<Item = &'a String>) -> Self {
        let files = names.map(|name| (name.clone(), folder.join(name))).collect();
        Self { files, ..Self::new(bundle, Path::new("")) }
    }

    /// Forgets which names the last state used.
    pub fn begin(&mut self) {
        self.used.clear();
    }

    /// Reads the files that the state just written names.
    pub fn collect(&self) -> Result<BTreeMap<String, Bytes>, StateError> {
        let read = |(name, path): (&String, &PathBuf)| match std::fs::read(path) {
            Ok(bytes) => Ok((name.clone(), Bytes::from(bytes))),
            Err(source) => Err(StateError::File { path: path.clone(), source }),
        };
        self.used.iter().map(read).collect()
    }

    /// Writes the files of a state below `folder`, each in a folder named after its content.
    pub fn restore(&mut self, id: &PluginId, files: &BTreeMap<String, Bytes>, folder: &Path) -> Result<(), StateError> {
        for (name, bytes) in files {
            let relative = Path::new(name);
            if name.is_empty() || !relative.components().all(|part| matches!(part, Component::Normal(_))) {
                let reason = format!("\"{name}\" is no name for a file");
                return Err(StateError::Damaged { id: id.clone(), reason });
            }
            let path = folder.join(hex(&Sha256::digest(bytes)[..16])).join(relative);
            place(&path, bytes).map_err(|source| StateError::File { path: path.clone(), source })?;
            self.files.insert(name.clone(), path);
        }
        Ok(())
    }

    /// A name for `path` that no other file has.
    fn name_for(&self, path: &Path) -> String {
        if let Some((name, _)) = self.files.iter().find(|(_, known)| *known == path) {
            return name.clone();
        }
        let base = path.file_name().map_or("file".into(), |name| name.to_string_lossy().into_owned());
        let free =
            |name: &String| self.used.get(name).is_none_or(|other| other == path) && !self.files.contains_key(name);
        let numbered = |number: u32| match base.rsplit_once('.') {
            Some((stem, end)) if !stem.is_empty() => format!("{stem}-{number}.{end}"),
            _ => format!("{base}-{number}"),
        };
        let mut name = base.clone();
        for number in 2.. {
            if free(&name) {
                break;
            }
            name = numbered(number);
        }
        name
    }
}

impl Paths for Assets {
    fn to_name(&mut self, path: &Path) -> PathBuf {
        if let Ok(inside) = path.strip_prefix(&self.bundle) {
            return Path::new(BUNDLE).join(inside);
        }
        if !path.is_absolute() || !path.is_file() {
            return path.into();
        }
        let name = match path.strip_prefix(&self.scratch) {
            Ok(inside) => inside.to_string_lossy().into_owned(),
            Err(_) => self.name_for(path),
        };
        self.used.insert(name.clone(), path.into());
        name.into()
    }

    fn to_path(&mut self, name: &Path) -> PathBuf {
        if let Ok(inside) = name.strip_prefix(BUNDLE) {
            return self.bundle.join(inside);
        }
        let known = name.to_str().and_then(|name| self.files.get(name));
        known.cloned().unwrap_or_else(|| name.into())
    }
}

/// Writes a file unless it is there already; whole or not at all.
fn place(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.metadata().is_ok_and(|data| data.is_file() && data.len() == bytes.len() as u64) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)?;
    let draft = folder.join(format!(".draft-{}", std::process::id()));
    std::fs::write(&draft, bytes).and_then(|()| std::fs::rename(&draft, path)).inspect_err(|_| {
        let _gone = std::fs::remove_file(&draft);
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
