//! Presets of members: listed, saved, and what the user has a plugin begin with. Files are written on the caller's thread.

use std::path::PathBuf;

use super::SessionHandle;
use crate::home::PATIENCE;
use crate::model::{Chain, Folders, PluginId, Preset, Slot, SlotId};
use crate::session::presets::{self, PresetFiles, SavePreset, Taken};
use crate::session::{EditError, LoadError, SlotReport, catalog};
use crate::store::export;

/// The file that shows that a bundle is a preset's.
const OF_A_PRESET: &str = crate::backend::PRESET_FILE;

impl SessionHandle {
    /// All presets of a slot's plugin, by name: those that come with it, and the user's, which hosts of its format or Catena alone
    /// keep. Each is loaded by [`Command::Preset`](crate::session::Command::Preset). `[any but audio]`
    pub fn presets(&self, slot: SlotId) -> Result<Vec<Preset>, EditError> {
        let answer = self.ask(PATIENCE, move |owner| owner.presets_of(slot));
        let (plugin, mut all) = answer.map_err(|error| EditError::Busy(error.to_string()))??;
        all.extend(presets::kept(&Folders::from_env(), &plugin));
        all.sort_by_cached_key(|preset| preset.name.to_lowercase());
        Ok(all)
    }

    /// Keeps a slot's plugin as it is now as a preset; answers where. `[any but audio]`
    pub fn save_preset(&self, slot: SlotId, save: SavePreset) -> Result<PathBuf, EditError> {
        let (taken, files, save, path) = self.placed_preset(slot, save)?;
        self.write_preset(taken, files, &save, path)
    }

    /// The same; where one of that name is there and is not to be replaced, its place is the answer's error and nothing is done.
    /// `[any but audio]`
    pub(in crate::session) fn save_preset_or_tell(
        &self,
        slot: SlotId,
        save: SavePreset,
    ) -> Result<Result<PathBuf, PathBuf>, EditError> {
        let (taken, files, save, path) = self.placed_preset(slot, save)?;
        if !save.force && std::fs::symlink_metadata(&path).is_ok() {
            return Ok(Err(path));
        }
        self.write_preset(taken, files, &save, path).map(Ok)
    }

    fn placed_preset(
        &self,
        slot: SlotId,
        save: SavePreset,
    ) -> Result<(Slot, PresetFiles, SavePreset, PathBuf), EditError> {
        let save = SavePreset { name: save.name.trim().to_owned(), ..save };
        if save.name.is_empty() {
            return Err(EditError::PresetFile("a preset needs a name".into()));
        }
        let (taken, files) = self.take_preset(slot, Some(save.clone()))?;
        let title = if taken.identity.name.is_empty() { &taken.plugin.id } else { &taken.identity.name };
        let path = save.path(&taken.plugin, title)?;
        Ok((taken, files, save, path))
    }

    fn write_preset(
        &self,
        taken: Slot,
        files: PresetFiles,
        save: &SavePreset,
        path: PathBuf,
    ) -> Result<PathBuf, EditError> {
        let Some(files) = files else {
            return presets::write(&path, &taken, &save.name, save.force).map(|()| path);
        };
        let failed = |error: crate::store::StoreError| EditError::PresetFile(error.to_string());
        export::folder(&path, &files, OF_A_PRESET, save.force).map_err(failed)?;
        self.read_bundles_again(&taken.plugin, [path.clone()]);
        Ok(path)
    }

    /// Bundles of presets of a plugin were written or are gone.
    pub(in crate::session) fn read_bundles_again<const N: usize>(&self, plugin: &PluginId, bundles: [PathBuf; N]) {
        let plugin = plugin.clone();
        self.tell(move |owner| bundles.iter().for_each(|bundle| owner.read_presets_again(&plugin, bundle)));
    }

    /// Has a slot's plugin begin as it is now wherever it is inserted from now on; answers the file. Chains that hold it, and steps that
    /// are undone, keep their own. `[any but audio]`
    pub fn save_default(&self, slot: SlotId) -> Result<PathBuf, EditError> {
        let (taken, _) = self.take_preset(slot, None)?;
        let path = presets::default_file(&Folders::from_env(), &taken.plugin);
        presets::write(&path, &taken, "", true).map(|()| path)
    }

    /// Puts a chain, a preset called `name`, in the place of this one as one step of undo: what sounds goes on until what is new is
    /// ready. What could not be opened is in the answer. A chain that is opened as such is given to
    /// [`SessionHandle::load_chain`], which forgets the steps. `[any but audio]`
    pub fn load_as_step(&self, chain: Chain, name: &str) -> Result<Vec<SlotReport>, LoadError> {
        self.learn(catalog::wanted(&chain));
        let label = format!("Load \"{name}\"");
        self.load_with(move |owner| {
            owner.follow_macros();
            owner.bring_chain(chain, label);
            Ok(())
        })
    }

    fn take_preset(&self, slot: SlotId, save: Option<SavePreset>) -> Result<Taken, EditError> {
        self.settle();
        let answer = self.ask(PATIENCE, move |owner| owner.take_preset(slot, save.as_ref()));
        answer.map_err(|error| EditError::Busy(error.to_string()))?
    }

    /// Reads what the user has `plugin` begin with, off home, for the edit that comes next.
    pub(super) fn learn_default(&self, plugin: &PluginId) {
        let own = presets::default_of(&Folders::from_env(), plugin);
        let plugin = plugin.clone();
        self.tell(move |owner| owner.know_default(plugin, own));
    }
}
