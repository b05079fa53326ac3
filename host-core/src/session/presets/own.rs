//! Where the user's own presets lie: found again, renamed and taken away.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::members::{SCHEME, SUFFIX, folder_of};
use super::{PresetForm, SavePreset};
use crate::backend::PRESET_FILE;
use crate::model::{Bytes, Folders, PluginId, Preset, PresetFrom};
use crate::session::EditError;
use crate::store::{self, export};

/// What the URI of an LV2 preset that Catena wrote begins with.
const OURS: &str = "urn:catena-audio:preset:";
/// How the name of its bundle ends.
const BUNDLE: &str = ".preset.lv2";
/// The file that says what is in a bundle.
const MANIFEST: &str = "manifest.ttl";

impl SavePreset {
    /// The URI that an LV2 preset gets: the same name of the same plugin is the same preset.
    pub(in crate::session) fn uri(&self, plugin: &PluginId) -> String {
        format!("{OURS}{}:{}", export::slug(&plugin.id), export::slug(&self.name))
    }

    /// Where it goes, `title` being what its plugin is called.
    pub(in crate::session) fn path(&self, plugin: &PluginId, title: &str) -> Result<PathBuf, EditError> {
        Ok(match (self.form, &self.folder) {
            (PresetForm::Lv2, folder) => {
                let folder = folder.clone().map_or_else(users_bundles, Ok)?;
                bundle_for(&folder, title, &self.name, plugin, &self.uri(plugin))
            }
            (PresetForm::Catena, folder) => {
                let folder = folder.clone().unwrap_or_else(|| folder_of(&Folders::from_env(), plugin));
                folder.join(format!("{}{SUFFIX}", export::file_name(&self.name)))
            }
        })
    }
}

fn users_bundles() -> Result<PathBuf, EditError> {
    let homeless = || EditError::PresetFile("HOME is not set, so there is no folder for LV2 presets".into());
    std::env::var_os("HOME").map(|home| Path::new(&home).join(".lv2")).ok_or_else(homeless)
}

/// The bundle of one preset. Plugins of one title have bundles of their own: the second that comes has its id in the name, too.
fn bundle_for(folder: &Path, title: &str, name: &str, plugin: &PluginId, uri: &str) -> PathBuf {
    let plain = export::file_name(&format!("{title} - {name}"));
    let told_apart = folder.join(format!("{plain} {}{BUNDLE}", export::mark(&plugin.to_string())));
    let plain = folder.join(format!("{plain}{BUNDLE}"));
    let free = fs::symlink_metadata(&plain).is_err();
    if !told_apart.exists() && (free || holds(&plain, uri)) { plain } else { told_apart }
}

/// Whether a bundle is that of the preset `uri`.
fn holds(bundle: &Path, uri: &str) -> bool {
    fs::read_to_string(bundle.join(MANIFEST)).is_ok_and(|text| text.contains(&format!("<{uri}>")))
}

/// Whether Catena made a preset for the user, who may rename it and take it away.
pub fn is_own(preset: &Preset) -> bool {
    match preset.from {
        PresetFrom::Catena => preset.uri.starts_with(SCHEME),
        PresetFrom::User => preset.uri.starts_with(OURS),
        PresetFrom::Factory => false,
    }
}

/// The file or bundle of such a preset.
fn place(preset: &Preset) -> Result<PathBuf, EditError> {
    let none = || EditError::PresetFile(format!("\"{}\" is no preset that Catena keeps for you", preset.name));
    if !is_own(preset) {
        return Err(none());
    }
    if let Some(file) = preset.uri.strip_prefix(SCHEME) {
        return Ok(file.into());
    }
    let entries = fs::read_dir(users_bundles()?).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut bundles = entries.filter(|path| path.as_os_str().as_encoded_bytes().ends_with(BUNDLE.as_bytes()));
    bundles.find(|bundle| holds(bundle, &preset.uri)).ok_or_else(none)
}

fn failed(path: &Path, error: &std::io::Error) -> EditError {
    EditError::PresetFile(format!("{}: {error}", path.display()))
}

/// Takes a preset of the user's away; answers what is gone. `[any but audio]`
pub(in crate::session) fn delete(preset: &Preset) -> Result<PathBuf, EditError> {
    let path = place(preset)?;
    let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    gone.map(|()| path.clone()).map_err(|error| failed(&path, &error))
}

/// Calls a preset of the user's otherwise, `title` being what its plugin is called; answers where it was and where it is.
/// `[any but audio]`
pub(in crate::session) fn rename(
    preset: &Preset,
    plugin: &PluginId,
    title: &str,
    name: &str,
) -> Result<(PathBuf, PathBuf), EditError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(EditError::PresetFile("a preset needs a name".into()));
    }
    let old = place(preset)?;
    let store = |error: store::StoreError| EditError::PresetFile(error.to_string());
    let folder = old.parent().unwrap_or(Path::new("")).to_path_buf();
    if preset.from == PresetFrom::Catena {
        let new = folder.join(format!("{}{SUFFIX}", export::file_name(name)));
        let mut chain = store::read(&old).map_err(store)?;
        name.clone_into(&mut chain.name);
        export::file(&new, &store::pack(&chain).map_err(store)?, false).map_err(store)?;
        fs::remove_file(&old).map_err(|error| failed(&old, &error))?;
        return Ok((old, new));
    }
    let save = SavePreset { name: name.into(), form: PresetForm::Lv2, folder: Some(folder), force: false };
    let (new, uri) = (save.path(plugin, title)?, save.uri(plugin));
    let mut files = BTreeMap::new();
    read_files(&old, Path::new(""), &mut files).map_err(|error| failed(&old, &error))?;
    for file in [MANIFEST, PRESET_FILE] {
        let text = files.get(file).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let text = text.ok_or_else(|| EditError::PresetFile(format!("{}: has no {file}", old.display())))?;
        let text = text.replace(&format!("<{}>", preset.uri), &format!("<{uri}>"));
        let text = text.replace(&label(&preset.name), &label(name));
        files.insert(file.into(), text.into_bytes().into());
    }
    export::folder(&new, &files, PRESET_FILE, false).map_err(store)?;
    fs::remove_dir_all(&old).map_err(|error| failed(&old, &error))?;
    Ok((old, new))
}

/// A name as a bundle of ours says it.
fn label(name: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    format!("rdfs:label \"{name}\"")
}

fn read_files(folder: &Path, inner: &Path, files: &mut BTreeMap<String, Bytes>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder.join(inner))? {
        let entry = entry?;
        let path = inner.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            read_files(folder, &path, files)?;
        } else if let Some(name) = path.to_str() {
            files.insert(name.into(), fs::read(folder.join(&path))?.into());
        } else {
            let name = path.file_name().unwrap_or(OsStr::new("")).display().to_string();
            return Err(std::io::Error::new(
                std::io::ErrorKind::InvalidData,
                format!("{name}: a name that is no text"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_of_one_title_have_bundles_of_their_own_and_older_ones_are_found() {
        let root = tempfile::tempdir().unwrap();
        let [one, two] = ["http://a.org/comp", "http://b.org/comp"].map(PluginId::lv2);
        let save = |name: &str| SavePreset {
            name: name.into(),
            form: PresetForm::Lv2,
            folder: Some(root.path().into()),
            force: true,
        };
        let write = |plugin: &PluginId, name: &str| {
            let (path, uri) = (save(name).path(plugin, "Comp").unwrap(), save(name).uri(plugin));
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(MANIFEST), format!("<{uri}> a pset:Preset .")).unwrap();
            path
        };
        // As an older version called it, too.
        let first = write(&one, "Soft");
        assert_eq!(first, root.path().join("Comp - Soft.preset.lv2"));
        let second = write(&two, "Soft");
        assert_ne!(first, second);
        assert_eq!((write(&one, "Soft"), write(&two, "Soft")), (first.clone(), second.clone()));
        fs::remove_dir_all(&first).unwrap();
        assert_eq!(write(&two, "Soft"), second, "it is one preset still");
        assert_eq!(write(&one, "Soft"), first);
    }
}
