//! Presets of members that Catena keeps, and what the user has plugins begin with. Each is a chain file of one slot: it holds
//! state, values and files as every chain does, is written in one step, and is read like any.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::model::{Bytes, Chain, Folders, Format, Node, PluginId, Preset, PresetFrom, Slot, SlotId};
use crate::session::owner::Owner;
use crate::session::{EditError, SlotStatus};
use crate::store::{self, export};

/// What the URI of a preset that Catena keeps begins with; its file follows.
pub(super) const SCHEME: &str = "catena-preset:";
/// How the name of its file ends.
pub(super) const SUFFIX: &str = ".catena";
/// More are not listed.
const MOST: usize = 10_000;

/// What a preset is kept as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresetForm {
    /// A bundle that every LV2 host lists; of LV2 plugins.
    Lv2,
    /// A file of Catena's; of any plugin.
    Catena,
}

impl PresetForm {
    /// What serves a plugin's users best.
    pub fn of(plugin: &PluginId) -> Self {
        match plugin.format {
            Format::Lv2 => Self::Lv2,
            Format::Clap => Self::Catena,
        }
    }
}

/// A preset that is to be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavePreset {
    /// What it is called.
    pub name: String,
    /// What it is kept as.
    pub form: PresetForm,
    /// The folder to put it in; `None`: where it is looked for.
    pub folder: Option<PathBuf>,
    /// Takes the place of one that is there.
    pub force: bool,
}

/// The folder of the presets of `plugin`.
pub(super) fn folder_of(folders: &Folders, plugin: &PluginId) -> PathBuf {
    folders.presets().join(export::slug(&plugin.to_string()))
}

/// What the user has `plugin` begin with, where that is anything: its file.
pub fn default_file(folders: &Folders, plugin: &PluginId) -> PathBuf {
    folders.defaults().join(format!("{}{SUFFIX}", export::slug(&plugin.to_string())))
}

/// The presets of `plugin` that Catena keeps, by name. `[any but audio]`
pub fn kept(folders: &Folders, plugin: &PluginId) -> Vec<Preset> {
    let entries = std::fs::read_dir(folder_of(folders, plugin)).into_iter().flatten().flatten();
    let preset = |entry: std::fs::DirEntry| {
        let path = entry.path();
        let name = entry.file_name().to_str()?.strip_suffix(SUFFIX)?.to_owned();
        let shown = !name.starts_with('.') && path.is_file();
        shown.then(|| Preset { name, uri: format!("{SCHEME}{}", path.display()), from: PresetFrom::Catena })
    };
    let mut presets: Vec<_> = entries.filter_map(preset).take(MOST).collect();
    presets.sort_by(|a, b| a.name.cmp(&b.name));
    presets
}

/// What a preset that Catena keeps holds, or why it cannot be read; `None`: the plugin itself knows it.
pub(in crate::session) fn read_kept(preset: &Preset, plugin: &PluginId) -> Option<Result<Slot, String>> {
    preset.uri.strip_prefix(SCHEME).map(|path| read_slot(Path::new(path), plugin))
}

/// What the user has `plugin` begin with, or why that cannot be read. `[any but audio]`
pub fn default_of(folders: &Folders, plugin: &PluginId) -> Result<Option<Slot>, String> {
    let path = default_file(folders, plugin);
    if std::fs::symlink_metadata(&path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Ok(None);
    }
    read_slot(&path, plugin).map(Some)
}

/// Has `plugin` begin as it is made. False: it did. `[any but audio]`
pub fn forget_default(folders: &Folders, plugin: &PluginId) -> Result<bool, String> {
    let path = default_file(folders, plugin);
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

fn read_slot(path: &Path, plugin: &PluginId) -> Result<Slot, String> {
    let opened = store::open(path).map_err(|error| error.to_string())?;
    if let Some(lost) = opened.lost.first() {
        return Err(format!("{}: damaged: {lost}", path.display()));
    }
    let slot = opened.chain.slots().find(|slot| slot.plugin == *plugin);
    slot.cloned().ok_or_else(|| format!("{}: holds no preset of {plugin}", path.display()))
}

/// What a slot's plugin is, without what the slot is beside it.
fn chain_of(slot: &Slot, name: &str) -> Chain {
    let id = SlotId(1);
    let plain = Slot {
        identity: slot.identity.clone(),
        params: slot.params.clone(),
        state: slot.state.clone(),
        ..Slot::new(id, slot.plugin.clone())
    };
    Chain { name: name.into(), next_slot: id.0 + 1, nodes: vec![Node::Slot(Box::new(plain))], ..Chain::default() }
}

/// Writes what a slot's plugin is to `path`, in one step.
pub(in crate::session) fn write(path: &Path, slot: &Slot, name: &str, force: bool) -> Result<(), EditError> {
    let failed = |error: store::StoreError| EditError::PresetFile(error.to_string());
    export::file(path, &store::pack(&chain_of(slot, name)).map_err(failed)?, force).map_err(failed)
}

/// A slot whose plugin is to be kept, and the files of an LV2 preset where one was asked for.
pub(in crate::session) type Taken = (Slot, PresetFiles);

/// The files of an LV2 preset by name; none for a preset of Catena's.
pub(in crate::session) type PresetFiles = Option<BTreeMap<String, Bytes>>;

impl Owner {
    /// A slot with its plugin's state as it is now; as an LV2 preset, too, where `save` is one.
    pub(in crate::session) fn take_preset(
        &mut self,
        id: SlotId,
        save: Option<&SavePreset>,
    ) -> Result<Taken, EditError> {
        self.follow_macros();
        self.flush_params();
        let slot = self.chain.slot_mut(id).ok_or(EditError::NoSlot(id))?;
        let live = self.lives.get_mut(&id).filter(|live| live.status != SlotStatus::Loading);
        let live = live.ok_or_else(|| EditError::Busy(format!("{} is still being opened", slot.title())))?;
        live.save_into(slot);
        let plugin = slot.plugin.clone();
        let Some(save) = save.filter(|save| save.form == PresetForm::Lv2) else {
            let holds = slot.state.is_some() || !slot.params.is_empty();
            let empty = || EditError::PresetFile(format!("{}: there is no state of it to keep", slot.title()));
            return holds.then(|| (slot.clone(), None)).ok_or_else(empty);
        };
        let main = live.mains.first_mut().ok_or_else(|| EditError::NoPlugin(plugin.clone()))?;
        match main.preset_files(&save.uri(&plugin), &save.name) {
            Ok(Some(files)) => Ok((slot.clone(), Some(files))),
            Ok(None) => Err(EditError::PresetFile(format!("{plugin} is no LV2 plugin: keep it as a preset of Catena"))),
            Err(error) => Err(EditError::PresetFile(error.to_string())),
        }
    }

    /// All that a slot's plugin can be loaded with.
    pub(in crate::session) fn presets_of(&mut self, id: SlotId) -> Result<(PluginId, Vec<Preset>), EditError> {
        let plugin = self.chain.slot(id).ok_or(EditError::NoSlot(id))?.plugin.clone();
        let live = self.lives.get_mut(&id);
        Ok((plugin, live.and_then(|live| live.mains.first_mut()).map(|main| main.presets()).unwrap_or_default()))
    }

    /// A bundle of presets for `plugin` was written.
    pub(in crate::session) fn read_presets_again(&mut self, plugin: &PluginId, bundle: &Path) {
        let all = self.lives.values_mut().chain(&mut self.playing.leaving).flat_map(|live| &mut live.mains);
        all.filter(|main| main.id() == plugin).for_each(|main| main.read_presets_again(bundle));
    }

    /// What the user has `plugin` begin with, for the edit that comes next.
    pub(in crate::session) fn know_default(&mut self, plugin: PluginId, own: Result<Option<Slot>, String>) {
        match own.transpose() {
            Some(own) => drop(self.defaults.insert(plugin, own)),
            None => drop(self.defaults.remove(&plugin)),
        }
    }

    /// Has a new slot begin as the user wants it. Where that cannot be read it begins as it is made, and the fault is told.
    pub(in crate::session) fn begin_as_wanted(&mut self, slot: &mut Slot) {
        match self.defaults.get(&slot.plugin) {
            Some(Ok(own)) => {
                slot.params.clone_from(&own.params);
                slot.state.clone_from(&own.state);
            }
            Some(Err(fault)) => {
                let plugin = &slot.plugin;
                let text =
                    format!("{fault}: {plugin} begins as it is made; `catena presets forget {plugin}` ends this");
                self.default_fault = Some(text);
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PluginState;

    fn folders(root: &Path) -> Folders {
        let sub = |name: &str| root.join(name);
        Folders { data: sub("data"), cache: sub("cache"), config: sub("config"), state: sub("state") }
    }

    #[test]
    fn a_state_is_kept_byte_for_byte_and_is_nobody_elses() {
        let root = tempfile::tempdir().unwrap();
        let folders = folders(root.path());
        let plugin = PluginId::clap("org.example.a");
        let state =
            PluginState { bytes: b"\x00\xffstate"[..].into(), assets: [("a/b.wav".into(), b"wav"[..].into())].into() };
        let slot = Slot { state: Some(state), mix: 0.5, ..Slot::new(SlotId(7), plugin.clone()) };
        let save = |name: &str| SavePreset { name: name.into(), form: PresetForm::Catena, folder: None, force: false };
        let path = folder_of(&folders, &plugin).join("Голос.catena");
        write(&path, &slot, "Голос", false).unwrap();
        assert!(write(&path, &slot, "Голос", false).unwrap_err().to_string().contains("--force"));
        write(&path, &slot, "Голос", true).unwrap();
        let listed = kept(&folders, &plugin);
        assert_eq!((listed.len(), listed[0].name.as_str(), listed[0].from), (1, "Голос", PresetFrom::Catena));
        assert_eq!(kept(&folders, &PluginId::lv2("org.example.a")), []);
        let back = read_kept(&listed[0], &plugin).unwrap().unwrap();
        assert_eq!((back.state, back.mix), (slot.state.clone(), 1.0), "the slot's own settings are not the plugin's");
        let other = read_kept(&listed[0], &PluginId::clap("org.example.b")).unwrap().unwrap_err();
        assert!(other.contains("Голос.catena") && other.contains("org.example.b"), "{other}");
        assert_ne!(save("a b").uri(&plugin), save("a-b").uri(&plugin));
    }

    #[test]
    fn a_default_is_read_forgotten_and_where_it_is_damaged_named() {
        let root = tempfile::tempdir().unwrap();
        let folders = folders(root.path());
        let plugin = PluginId::clap("org.example.a");
        assert_eq!(default_of(&folders, &plugin), Ok(None));
        let slot = Slot { params: [("gain".into(), 0.25)].into(), ..Slot::new(SlotId(7), plugin.clone()) };
        let path = default_file(&folders, &plugin);
        write(&path, &slot, "", true).unwrap();
        assert_eq!(default_of(&folders, &plugin).unwrap().unwrap().params["gain"], 0.25);
        assert_eq!(forget_default(&folders, &plugin), Ok(true));
        assert_eq!((forget_default(&folders, &plugin), default_of(&folders, &plugin)), (Ok(false), Ok(None)));
        std::fs::write(&path, "no chain").unwrap();
        let fault = default_of(&folders, &plugin).unwrap_err();
        assert!(fault.contains(&*path.to_string_lossy()), "{fault}");
    }
}
