//! Chain files as presets: what a host is told of one, and one put into a session.

use std::path::Path;
use std::sync::Arc;

use super::{SessionHandle, SlotReport};
use crate::model::Bytes;
use crate::store;

/// What a host is told of a chain file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The chain's name, else the file's.
    pub name: String,
    /// Its plugins, in one line.
    pub description: String,
    /// It makes its sound of notes.
    pub instrument: bool,
}

/// What is in a chain file, or why it is none. `[any but audio]`
pub fn about(path: &Path) -> Result<About, String> {
    let chain = store::open(path).map_err(|error| error.to_string())?.chain;
    let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let titles: Vec<_> = chain.slots().map(|slot| slot.title().to_owned()).collect();
    Ok(About {
        name: Some(chain.name.clone()).filter(|name| !name.is_empty()).unwrap_or_else(stem),
        description: titles.join(", "),
        instrument: chain.slots().next().is_some_and(|slot| slot.identity.ports.is_instrument()),
    })
}

/// Bytes of a chain file, as a session takes them. `[any but audio]`
pub fn bytes(path: &Path) -> Result<Bytes, String> {
    // Opened first: what is no chain leaves the one that plays.
    let opened = store::open(path).map_err(|error| error.to_string())?;
    // What is damaged goes as it is: the session says what was lost, and keeps it. All else goes with what lies beside it.
    if path.is_file() && !opened.lost.is_empty() {
        return std::fs::read(path).map(Arc::from).map_err(|error| format!("{}: {error}", path.display()));
    }
    if let Some(lost) = opened.lost.first() {
        return Err(format!("{}: {lost}", path.display()));
    }
    store::pack(&opened.chain).map(Arc::from).map_err(|error| error.to_string())
}

impl SessionHandle {
    /// Replaces the chain by the one in a file, as [`SessionHandle::load`] does; a file that is no chain changes nothing.
    /// `[any but audio]`
    pub fn load_file(&self, path: &Path) -> Result<Vec<SlotReport>, String> {
        self.load(&bytes(path)?).map_err(|error| error.to_string())
    }
}
