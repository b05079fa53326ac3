//! Chains out of the files of other programs: Carla's projects and presets, MOD's pedalboards, bundles of LV2 presets.
//!
//! What cannot be taken is named, a line each; a plugin that is not installed becomes a placeholder with everything kept. No plugin is
//! opened here and nothing is written. A stranger's file harms nobody: sizes, counts and depth are bounded, XML with entities of its
//! own is refused, and of the files that a state names only those in the project's own folder are read, unless the user wants all.

mod carla;
mod files;
mod lanes;
mod lv2;
mod pedalboard;
mod presets;
mod series;
mod turtle;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use files::Files;

use crate::model::{Catalog, Chain, Node, PluginId, Slot};

/// Plugins that are taken into one chain.
const MAX_SLOTS: usize = 4096;

/// Why nothing was taken. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Nothing that is known here.
    #[error("{path}: neither a Carla project, nor a MOD pedalboard, nor LV2 presets: {reason}")]
    Unknown {
        /// The file or folder.
        path: PathBuf,
        /// What is the matter.
        reason: String,
    },
    /// It holds nothing that a chain can have.
    #[error("{path}: nothing in it can be taken: {}", untaken.join("; "))]
    Nothing {
        /// The file or folder.
        path: PathBuf,
        /// A sentence for each thing.
        untaken: Vec<String>,
    },
    /// Made to harm.
    #[error("{path}: refused: {reason}")]
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// What is in it.
        reason: String,
    },
}

/// One chain of those that were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The chain, with its name.
    pub chain: Chain,
    /// What a file of it may be called.
    pub file_name: String,
    /// A sentence for each thing that was not taken.
    pub untaken: Vec<String>,
}

/// The texts of a project or bundle, by their path in it.
pub type Texts = BTreeMap<String, Vec<u8>>;

/// Reads a file or folder. `anywhere`: files that states name are taken in wherever they lie. `[any but audio]`
pub fn read(path: &Path, catalog: &Catalog, anywhere: bool) -> Result<Vec<Imported>, ImportError> {
    let kind = std::fs::metadata(path).map_err(|source| ImportError::Io { path: path.into(), source })?;
    let turtle = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ttl"));
    let mut found = match (kind.is_dir(), path.parent()) {
        (true, _) => bundles(path, catalog, anywhere)?,
        (false, Some(folder)) if turtle => bundles(files::or_here(folder), catalog, anywhere)?,
        _ => vec![project(path, catalog, anywhere)?],
    };
    let mut untaken: Vec<_> =
        found.extract_if(.., |one| one.chain.nodes.is_empty()).flat_map(|one| one.untaken).collect();
    match found.first_mut() {
        Some(first) => first.untaken.append(&mut untaken),
        None => return Err(ImportError::Nothing { path: path.into(), untaken }),
    }
    Ok(found)
}

fn project(path: &Path, catalog: &Catalog, anywhere: bool) -> Result<Imported, ImportError> {
    let text = files::text(path)?;
    let folder = files::or_here(path.parent().unwrap_or(Path::new("")));
    let mut found = carla(&text, catalog, &mut Files::of(folder, anywhere)).map_err(|wrong| wrong.of(path))?;
    found.file_name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    found.chain.name.clone_from(&found.file_name);
    Ok(found)
}

fn bundles(path: &Path, catalog: &Catalog, anywhere: bool) -> Result<Vec<Imported>, ImportError> {
    let (mut found, mut other, mut refused) = (Vec::new(), None, Vec::new());
    for bundle in &files::bundles(path)? {
        let read = files::texts(bundle).and_then(|texts| {
            turtle(&texts, catalog, &mut Files::of(bundle, anywhere)).map_err(|wrong| wrong.of(bundle))
        });
        match read {
            Ok(some) => found.extend(some),
            // A folder of bundles holds others, too.
            Err(error @ ImportError::Unknown { .. }) => drop(other.get_or_insert(error)),
            Err(error) => refused.push(error),
        }
    }
    match found.first_mut() {
        Some(first) => first.untaken.extend(refused.iter().map(ToString::to_string)),
        None => return Err(refused.into_iter().next().or(other).unwrap_or_else(|| nothing(path))),
    }
    Ok(found)
}

fn nothing(path: &Path) -> ImportError {
    ImportError::Nothing { path: path.into(), untaken: Vec::new() }
}

/// What is wrong with a file whose name is known elsewhere.
#[derive(Debug, PartialEq)]
pub enum Wrong {
    /// It is something else.
    Unknown(String),
    /// It is made to harm.
    Refused(String),
}

impl Wrong {
    fn of(self, path: &Path) -> ImportError {
        let path = path.into();
        match self {
            Self::Unknown(reason) => ImportError::Unknown { path, reason },
            Self::Refused(reason) => ImportError::Refused { path, reason },
        }
    }
}

/// A Carla project or preset. `[any but audio]`
pub fn carla(text: &[u8], catalog: &Catalog, files: &mut Files) -> Result<Imported, Wrong> {
    carla::read(text, catalog, files)
}

/// A pedalboard, or the presets of a bundle. `[any but audio]`
pub fn turtle(texts: &Texts, catalog: &Catalog, files: &mut Files) -> Result<Vec<Imported>, Wrong> {
    let (graph, wrong) = turtle::Graph::read(texts)?;
    let mut found = match pedalboard::read(&graph, texts, catalog, files)? {
        Some(board) => vec![board],
        None => presets::read(&graph, catalog, files),
    };
    match found.first_mut() {
        Some(first) => first.untaken.extend(wrong),
        None if !wrong.is_empty() => return Err(Wrong::Unknown(wrong.join("; "))),
        None => return Err(Wrong::Unknown("no preset and no pedalboard is described in it".into())),
    }
    Ok(found)
}

/// A slot for a plugin that is called `name` where it comes from.
fn slot(chain: &mut Chain, id: PluginId, name: &str, catalog: &Catalog, untaken: &mut Vec<String>) -> Slot {
    let mut slot = Slot::new(chain.fresh_id(), id);
    match catalog.find(&slot.plugin) {
        Some(entry) => {
            slot.identity = entry.identity();
            slot.name = Some(name.to_owned()).filter(|name| !name.is_empty() && *name != entry.name);
        }
        None => {
            slot.identity.name = name.into();
            untaken.push(format!(
                "{} ({}) is not installed: it is a placeholder with all its settings",
                slot.title(),
                slot.plugin
            ));
        }
    }
    slot
}

/// Puts a slot at the end of the chain.
fn push(chain: &mut Chain, slot: Slot) {
    chain.nodes.push(Node::Slot(Box::new(slot)));
}

/// All in one chain, one after the other. `[any]`
pub fn together(found: Vec<Imported>, name: &str) -> Imported {
    let mut all = Imported { file_name: name.into(), ..Imported::default() };
    all.chain.name = name.into();
    for one in found {
        all.untaken.extend(one.untaken);
        for mut slot in one.chain.slots().cloned() {
            slot.id = all.chain.fresh_id();
            push(&mut all.chain, slot);
        }
    }
    all
}
