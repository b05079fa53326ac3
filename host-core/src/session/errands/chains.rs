//! Errands about chain files: the library, and files that are opened.

use std::path::{Path, PathBuf};

use super::{Answer, Library, done};
use crate::model::{About, Chain, Folders};
use crate::scan;
use crate::session::{LoadError, SessionHandle, presets};
use crate::store::{self, StoreError, export, import, library::favourites};

/// The file that a folder which is a chain has.
const CHAIN: &str = "chain.json";

fn said(error: StoreError) -> String {
    error.to_string()
}

impl SessionHandle {
    /// Puts what is in a file in the chain's place. What a chain file lost, what was not taken of another program's, and which plugins
    /// could not be opened is said.
    pub(super) fn open_step(&self, path: &Path) -> Result<Answer, String> {
        let (chain, name, mut lines) = if is_chain(path) {
            let (chain, lost) = presets::open(path)?;
            let name = presets::name_of(&chain, path);
            (chain, name, lost)
        } else {
            self.imported(path)?
        };
        let wrong = self.load_as_step(chain, &name).map_err(|error: LoadError| error.to_string())?;
        lines.extend(wrong.into_iter().map(|report| format!("{}: {}", report.title, report.problem)));
        Ok(Answer::Done(lines))
    }

    /// What another program wrote, as one chain.
    fn imported(&self, path: &Path) -> Result<(Chain, String, Vec<String>), String> {
        let mut found = import::read(path, &self.catalog(), false).map_err(|error| error.to_string())?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let one = if found.len() == 1 { found.remove(0) } else { import::together(found, &name) };
        let name = presets::name_of(&one.chain, path);
        Ok((one.chain, name, one.untaken.into_iter().map(|line| format!("not taken: {line}")).collect()))
    }

    pub(super) fn keep_chain(&self, name: &str, tags: Vec<String>, replace: bool) -> Result<Answer, String> {
        let name = name.trim();
        if name.is_empty() {
            return Err("a chain of the library needs a name".into());
        }
        let folders = Folders::from_env();
        let path = folders.chains().join(format!("{}.catena", export::file_name(name)));
        if !replace && std::fs::symlink_metadata(&path).is_ok() {
            return Ok(Answer::Taken(path));
        }
        let mut chain = self.chain_to_save().map_err(|error| error.to_string())?;
        name.clone_into(&mut chain.name);
        chain.about.tags = tags;
        scan::note_origins(&mut chain, &self.catalog(), &folders);
        export::file(&path, &store::pack(&chain).map_err(said)?, replace).map_err(said)?;
        done(format!("Kept in {}", path.display()))
    }
}

/// Whether a path is a chain's: by its name, or by what is in a folder.
fn is_chain(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    [".catena", ".catena.d"].iter().any(|end| name.ends_with(end.as_bytes())) || path.join(CHAIN).is_file()
}

pub(super) fn library() -> Library {
    Library::of(&Folders::from_env())
}

/// Those alone are changed that lie among the user's own.
fn own(path: &Path) -> Result<PathBuf, String> {
    let chains = Folders::from_env().chains();
    let real = std::fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let inside = path.starts_with(&chains) && is_chain(path) && real != chains;
    let foreign = || format!("{}: is none of your own chains; load it and save it under another name", path.display());
    inside.then(|| path.to_path_buf()).ok_or_else(foreign)
}

pub(super) fn describe(path: &Path, name: &str, about: About) -> Result<Answer, String> {
    let path = own(path)?;
    let before = store::open(&path).map_err(said)?.chain;
    let name = name.trim();
    if name.is_empty() {
        return Err("a chain of the library needs a name".into());
    }
    let extra = before.about.extra.clone();
    let after = Chain { name: name.into(), about: About { extra, ..about }, ..before.clone() };
    if after == before {
        return Ok(Answer::Done(Vec::new()));
    }
    let aside = store::write_over(&path, &after).map_err(said)?;
    let aside = aside.map(|aside| format!("It was damaged; what it held is kept in {}", aside.display()));
    Ok(Answer::Done(aside.into_iter().collect()))
}

pub(super) fn favourite(path: &Path, on: bool) -> Result<Answer, String> {
    let file = Folders::from_env().favourites();
    favourites::set(&file, path, on).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Answer::Done(Vec::new()))
}

pub(super) fn delete(path: &Path) -> Result<Answer, String> {
    let path = own(path)?;
    let linked = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink());
    let gone = if path.is_dir() && !linked { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
    gone.map_err(|error| format!("{}: {error}", path.display()))?;
    done(format!("{} is gone", path.display()))
}
