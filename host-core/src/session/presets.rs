//! Chain files as presets: what a host is told of one, and what a session is given of it; and [presets of members](SavePreset).

mod members;
mod own;

use std::path::Path;
use std::sync::Arc;

use crate::model::{Bytes, Chain};
use crate::store;

pub(super) use members::{PresetFiles, Taken, read_kept, write};
pub use members::{PresetForm, SavePreset, default_file, default_of, forget_default, kept};
pub use own::is_own;
pub(super) use own::{delete, rename};

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

/// A chain file's chain with its name, else the file's, and what could not be read of it. `[any but audio]`
pub fn open(path: &Path) -> Result<(Chain, Vec<String>), String> {
    let opened = store::open(path).map_err(|error| error.to_string())?;
    let lost = opened.lost.iter().map(|lost| format!("{}: {lost}", path.display())).collect();
    Ok((opened.chain, lost))
}

/// What a chain is called: its name, else its file's. `[any]`
pub fn name_of(chain: &Chain, path: &Path) -> String {
    if !chain.name.trim().is_empty() {
        return chain.name.clone();
    }
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = file.strip_suffix(".d").unwrap_or(&file);
    file.strip_suffix(".catena").unwrap_or(file).to_owned()
}

/// A chain file as a session takes it, with what lies beside it, and what could not be read of it: the file itself stays as it is.
/// `[any but audio]`
pub fn read(path: &Path) -> Result<(Bytes, Vec<String>), String> {
    let (chain, lost) = open(path)?;
    let packed = store::pack(&chain).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((Arc::from(packed), lost))
}
