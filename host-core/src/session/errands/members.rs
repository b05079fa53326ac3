//! Errands about the presets of a slot's plugin.

use super::{Answer, Presets, done};
use crate::model::{Folders, PluginId, Preset, SlotId};
use crate::session::presets::{self, PresetForm, SavePreset, default_file, forget_default};
use crate::session::{EditError, SessionHandle};

fn said(error: EditError) -> String {
    error.to_string()
}

impl SessionHandle {
    /// Plugin and title of a slot.
    fn named(&self, slot: SlotId) -> Result<(PluginId, String), String> {
        let snapshot = self.snapshot();
        let view = snapshot.slots.iter().find(|view| view.id == slot);
        let view = view.ok_or_else(|| said(EditError::NoSlot(slot)))?;
        Ok((view.plugin.clone(), view.title.clone()))
    }

    pub(super) fn list_presets(&self, slot: SlotId) -> Result<Answer, String> {
        let (plugin, _) = self.named(slot)?;
        let all = self.presets(slot).map_err(said)?;
        let has_default = default_file(&Folders::from_env(), &plugin).exists();
        Ok(Answer::Presets(Presets { plugin, all, has_default }))
    }

    pub(super) fn keep_preset(&self, slot: SlotId, name: String, replace: bool) -> Result<Answer, String> {
        let (plugin, _) = self.named(slot)?;
        let form = PresetForm::of(&plugin);
        let save = SavePreset { name, form, folder: None, force: replace };
        match self.save_preset_or_tell(slot, save).map_err(said)? {
            Ok(path) => done(format!("Kept in {}", path.display())),
            Err(path) => Ok(Answer::Taken(path)),
        }
    }

    pub(super) fn rename_preset(&self, slot: SlotId, preset: &Preset, name: &str) -> Result<Answer, String> {
        let (plugin, title) = self.named_plugin(slot)?;
        let (old, new) = presets::rename(preset, &plugin, &title, name).map_err(said)?;
        self.read_bundles_again(&plugin, [old, new]);
        done(format!("\"{}\" is called \"{}\" now", preset.name, name.trim()))
    }

    pub(super) fn delete_preset(&self, slot: SlotId, preset: &Preset) -> Result<Answer, String> {
        let (plugin, _) = self.named(slot)?;
        let gone = presets::delete(preset).map_err(said)?;
        self.read_bundles_again(&plugin, [gone]);
        done(format!("The preset \"{}\" is gone", preset.name))
    }

    pub(super) fn keep_default(&self, slot: SlotId) -> Result<Answer, String> {
        let (_, title) = self.named(slot)?;
        self.save_default(slot).map_err(said)?;
        done(format!("{title} begins like this from now on, wherever it is added"))
    }

    /// Plugin of a slot, and what the plugin itself is called.
    fn named_plugin(&self, slot: SlotId) -> Result<(PluginId, String), String> {
        let (plugin, title) = self.named(slot)?;
        let name = self.catalog().find(&plugin).map(|entry| entry.name.clone());
        Ok((plugin, name.unwrap_or(title)))
    }
}

/// Has a plugin begin as it is made.
pub(super) fn forget(plugin: &PluginId) -> Result<Answer, String> {
    forget_default(&Folders::from_env(), plugin)?;
    done("It begins as it is made from now on".into())
}
