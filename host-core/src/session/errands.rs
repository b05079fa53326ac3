//! What an editor asks for that takes its time: presets of a plugin, the library of chains, files that are opened. Each is done on the
//! thread of who asks, which is never an editor's own, and answered in lines for the user.

mod chains;
mod members;

use std::path::PathBuf;
use std::sync::Arc;

use super::SessionHandle;
use crate::model::{About, ExportTask, PluginId, Preset, SlotId};
pub use crate::store::library::{Entry, Library, Sheet};

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Errand {
    /// All presets of a slot's plugin: [`Answer::Presets`].
    Presets(SlotId),
    /// Keeps a slot's plugin as it is as a preset, an LV2 plugin's for every LV2 host. [`Answer::Taken`] where one of that name is there
    /// and is not to be replaced.
    SavePreset {
        /// Which slot.
        slot: SlotId,
        /// What it is called.
        name: String,
        /// One of that name is replaced.
        replace: bool,
    },
    /// Calls a preset of the user's otherwise.
    RenamePreset {
        /// A slot of its plugin.
        slot: SlotId,
        /// Which one.
        preset: Preset,
        /// Its new name.
        name: String,
    },
    /// Takes a preset of the user's away.
    DeletePreset {
        /// A slot of its plugin.
        slot: SlotId,
        /// Which one.
        preset: Preset,
    },
    /// Has a slot's plugin begin as it is now wherever it is added from now on.
    SaveDefault(SlotId),
    /// Has a plugin begin as it is made.
    ForgetDefault(PluginId),
    /// All chains of the library: [`Answer::Library`].
    Library,
    /// Puts a chain file in the place of the chain, or what another program wrote, as one step of undo.
    Open(PathBuf),
    /// Keeps the chain as it is now in the library. [`Answer::Taken`] where one of that name is there and is not to be replaced.
    SaveChain {
        /// What it is called.
        name: String,
        /// Words to find it by.
        tags: Vec<String>,
        /// One of that name is replaced.
        replace: bool,
    },
    /// Says something else of a chain of the user's.
    Describe {
        /// Its file.
        path: PathBuf,
        /// Its name.
        name: String,
        /// What is said of it.
        about: About,
    },
    /// Has a chain at hand, or ends that.
    Favourite(PathBuf, bool),
    /// Takes a chain of the user's away.
    DeleteChain(PathBuf),
    /// Makes something of the chain for others, by what [`SessionHandle::set_exporter`] was given.
    Export(ExportTask),
}

/// What comes of an errand.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is done; what there is to say.
    Done(Vec<String>),
    /// A plugin's presets.
    Presets(Presets),
    /// The library.
    Library(Arc<Library>),
    /// Something of that name is there: this file.
    Taken(PathBuf),
}

/// Makes what a task says of a session's chain; the lines say where it lies and what there is to know of it.
pub type Exporter = fn(&SessionHandle, &ExportTask) -> Result<Vec<String>, String>;

/// The presets of a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct Presets {
    /// Whose.
    pub plugin: PluginId,
    /// By name, whoever keeps them.
    pub all: Vec<Preset>,
    /// The user has the plugin begin with something.
    pub has_default: bool,
}

impl SessionHandle {
    /// Does it, and waits for it; the error is a sentence for the user. `[any but audio and home]`
    pub fn run(&self, errand: Errand) -> Result<Answer, String> {
        match errand {
            Errand::Presets(slot) => self.list_presets(slot),
            Errand::SavePreset { slot, name, replace } => self.keep_preset(slot, name, replace),
            Errand::RenamePreset { slot, preset, name } => self.rename_preset(slot, &preset, &name),
            Errand::DeletePreset { slot, preset } => self.delete_preset(slot, &preset),
            Errand::SaveDefault(slot) => self.keep_default(slot),
            Errand::ForgetDefault(plugin) => members::forget(&plugin),
            Errand::Library => Ok(Answer::Library(Arc::new(chains::library()))),
            Errand::Open(path) => self.open_step(&path),
            Errand::SaveChain { name, tags, replace } => self.keep_chain(&name, tags, replace),
            Errand::Describe { path, name, about } => chains::describe(&path, &name, about),
            Errand::Favourite(path, on) => chains::favourite(&path, on),
            Errand::DeleteChain(path) => chains::delete(&path),
            Errand::Export(task) => match self.exporter() {
                Some(export) => export(self, &task).map(Answer::Done),
                None => Err("nothing can be exported from here".into()),
            },
        }
    }
}

fn done(line: String) -> Result<Answer, String> {
    Ok(Answer::Done(vec![line]))
}
