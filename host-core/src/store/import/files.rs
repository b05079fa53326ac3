//! What is read from the disk, and how much of it at most.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::{ImportError, Texts};
use crate::model::{Bytes, PluginState};

/// The largest project or Turtle file, bytes.
const MAX_TEXT: u64 = 256 << 20;
/// The Turtle files of one bundle together, bytes and number.
const MAX_TEXTS: (u64, usize) = (64 << 20, 2000);
/// Bundles in one folder.
const MAX_BUNDLES: usize = 2000;
/// How deep a bundle's folders are looked into.
const MAX_DEPTH: usize = 3;
/// The files that the states of one project name, bytes.
const MAX_FILES: u64 = 1 << 30;

/// The files that states name.
#[derive(Debug, Default)]
pub struct Files {
    /// The project's or bundle's folder; none: no file is read.
    root: Option<PathBuf>,
    /// Files outside of it are read too.
    anywhere: bool,
    taken: u64,
}

impl Files {
    /// Those in `root`.
    pub fn of(root: &Path, anywhere: bool) -> Self {
        Self { root: Some(root.into()), anywhere, taken: 0 }
    }

    /// Takes one into a state and says under which name. `from`: the folder in the project from which `path` counts. The error is why
    /// not.
    pub fn take(&mut self, state: &mut PluginState, from: &str, path: &str) -> Result<String, String> {
        let bytes = self.read(&Path::new(from).join(path)).map_err(|why| format!("the file {path:?} {why}"))?;
        let last = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or("file");
        if let Some((name, _)) = state.assets.iter().find(|(name, known)| **known == bytes && name.ends_with(last)) {
            return Ok(name.clone());
        }
        let numbered = |number: usize| if number == 1 { last.to_owned() } else { format!("{number}-{last}") };
        let name = (1..).map(numbered).find(|name| !state.assets.contains_key(name)).unwrap_or_default();
        state.assets.insert(name.clone(), bytes);
        Ok(name)
    }

    fn read(&mut self, path: &Path) -> Result<Bytes, String> {
        let Some(root) = &self.root else { return Err("lies in no folder".into()) };
        let told = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => "is not there".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        let climbs = path.components().any(|part| matches!(part, Component::ParentDir));
        let real = fs::canonicalize(root.join(path)).map_err(told)?;
        let inside = !climbs && fs::canonicalize(root).is_ok_and(|root| real.starts_with(root));
        if !inside && !self.anywhere {
            return Err(format!("lies outside of the project, at {}: take it in with --files", real.display()));
        }
        let data = fs::metadata(&real).map_err(told)?;
        if !data.is_file() {
            return Err("is no file".into());
        }
        if data.len() > MAX_FILES - self.taken {
            return Err(format!("would make more than {} MiB of files", MAX_FILES >> 20));
        }
        let bytes = limited(&real, MAX_FILES - self.taken).map_err(told)?;
        self.taken += bytes.len() as u64;
        Ok(bytes.into())
    }
}

/// A file's bytes; an error where there are more.
fn limited(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(io::Error::from(io::ErrorKind::FileTooLarge)) } else { Ok(bytes) }
}

/// A folder's path that is never empty.
pub fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// A project file.
pub fn text(path: &Path) -> Result<Vec<u8>, ImportError> {
    let io = |source| ImportError::Io { path: path.into(), source };
    let data = fs::metadata(path).map_err(io)?;
    if !data.is_file() {
        return Err(io(io::Error::new(io::ErrorKind::InvalidInput, "is neither a file nor a folder")));
    }
    if data.len() > MAX_TEXT {
        let reason = format!("it is {} MiB long; {} are the limit", data.len() >> 20, MAX_TEXT >> 20);
        return Err(ImportError::Refused { path: path.into(), reason });
    }
    limited(path, MAX_TEXT).map_err(io)
}

/// The bundles at `path`: itself, or the folders in it.
pub fn bundles(path: &Path) -> Result<Vec<PathBuf>, ImportError> {
    let entries = sorted(path)?;
    if entries.iter().any(|entry| is_turtle(entry)) {
        return Ok(vec![path.into()]);
    }
    let mut found = Vec::new();
    for folder in entries.into_iter().filter(|entry| entry.is_dir()) {
        if sorted(&folder).is_ok_and(|entries| entries.iter().any(|entry| is_turtle(entry))) {
            found.push(folder);
        }
    }
    if found.len() > MAX_BUNDLES {
        let reason = format!("it holds {} bundles; {MAX_BUNDLES} are the limit", found.len());
        return Err(ImportError::Refused { path: path.into(), reason });
    }
    if found.is_empty() {
        let reason = "no folder in it, nor it itself, holds a Turtle file (.ttl)".into();
        return Err(ImportError::Unknown { path: path.into(), reason });
    }
    Ok(found)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, ImportError> {
    let io = |source| ImportError::Io { path: folder.into(), source };
    let mut found = fs::read_dir(folder).map_err(io)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    found.as_mut().map(|found| found.sort()).ok();
    found.map_err(io)
}

fn is_turtle(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ttl")) && path.is_file()
}

/// The Turtle files of a bundle, and those texts beside them that a pedalboard has.
pub fn texts(bundle: &Path) -> Result<Texts, ImportError> {
    let (mut texts, mut left) = (Texts::new(), MAX_TEXTS.0);
    collect(bundle, "", 0, &mut texts, &mut left)?;
    Ok(texts)
}

fn collect(folder: &Path, before: &str, depth: usize, texts: &mut Texts, left: &mut u64) -> Result<(), ImportError> {
    for path in sorted(folder)? {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let inner = format!("{before}{name}");
        // What is linked to lies elsewhere.
        let linked = fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink());
        if path.is_dir() && depth < MAX_DEPTH && !linked {
            collect(&path, &format!("{inner}/"), depth + 1, texts, left)?;
        } else if is_turtle(&path) || super::pedalboard::BESIDE.contains(&inner.as_str()) {
            let too_much = || ImportError::Refused {
                path: folder.into(),
                reason: format!("more than {} MiB or {} files of text", MAX_TEXTS.0 >> 20, MAX_TEXTS.1),
            };
            let bytes = limited(&path, *left).map_err(|source| match source.kind() {
                io::ErrorKind::FileTooLarge => too_much(),
                _ => ImportError::Io { path: path.clone(), source },
            })?;
            *left -= bytes.len() as u64;
            texts.insert(inner, bytes);
            if texts.len() > MAX_TEXTS.1 {
                return Err(too_much());
            }
        }
    }
    Ok(())
}
