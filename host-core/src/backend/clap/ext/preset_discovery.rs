//! The preset-discovery factory: lists the presets that a file's providers know.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clack_extensions::preset_discovery::prelude::*;
use clack_host::prelude::{HostError, HostInfo, PluginEntry};
use serde::{Deserialize, Serialize};

use super::text;
use crate::model::{Preset, PresetFrom};

/// Most presets listed of one plugin.
const MOST: usize = 10_000;
/// Most files looked at below one location.
const MOST_FILES: usize = 20_000;
/// Deepest folder below a location.
const DEEPEST: usize = 8;

/// Where a preset lies; what [`Preset::uri`] holds, as JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file; `None`: inside the plugin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Which preset there, where it holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl Place {
    /// Reads what [`Place::write`] wrote.
    pub fn parse(uri: &str) -> Option<Self> {
        serde_json::from_str(uri.strip_prefix("clap-preset:")?).ok()
    }

    fn write(&self) -> String {
        // Strings and options of strings always serialise.
        format!("clap-preset:{}", serde_json::to_string(self).unwrap_or_default())
    }
}

/// What a provider declares.
#[derive(Default)]
struct Index {
    extensions: Vec<String>,
    /// Presets lie in the plugin itself, and whose they are.
    inside: Option<PresetFrom>,
    paths: Vec<(PathBuf, PresetFrom)>,
}

/// Whose presets are, by flags.
fn whose(flags: Flags) -> PresetFrom {
    if flags.contains(Flags::IS_USER_CONTENT) { PresetFrom::User } else { PresetFrom::Factory }
}

impl IndexerImpl for Index {
    fn declare_filetype(&mut self, file_type: FileType<'_>) -> Result<(), HostError> {
        let extension = file_type.file_extension.map_or(String::new(), |text| text.to_string_lossy().into_owned());
        self.extensions.push(extension);
        Ok(())
    }

    fn declare_location(&mut self, location: LocationInfo<'_>) -> Result<(), HostError> {
        let from = whose(location.flags);
        match location.location {
            Location::Plugin => self.inside = Some(from),
            Location::File { path } => {
                self.paths.push((Path::new(std::ffi::OsStr::from_bytes(path.to_bytes())).into(), from));
            }
        }
        Ok(())
    }

    fn declare_soundpack(&mut self, _pack: Soundpack<'_>) -> Result<(), HostError> {
        Ok(())
    }
}

/// Presets of one location, as a provider tells them.
struct Found<'a> {
    plugin: &'a CStr,
    file: Option<String>,
    /// Whose they are where they do not say.
    from: PresetFrom,
    presets: &'a mut Vec<Preset>,
    current: Option<Current>,
}

/// The preset being told of.
struct Current {
    preset: Preset,
    /// Some plugin was named for it.
    named: bool,
    /// Ours was.
    ours: bool,
}

impl Found<'_> {
    fn finish(&mut self) {
        let Some(current) = self.current.take() else { return };
        if (current.ours || !current.named) && self.presets.len() < MOST {
            self.presets.push(current.preset);
        }
    }
}

impl MetadataReceiverImpl for Found<'_> {
    fn on_error(&mut self, _code: i32, _message: Option<&CStr>) {
        self.current = None;
    }

    fn begin_preset(&mut self, name: Option<&CStr>, key: Option<&CStr>) -> Result<(), HostError> {
        self.finish();
        if self.presets.len() >= MOST {
            return Err(HostError::Message("too many presets"));
        }
        let read = |text_: &CStr| text(text_.to_bytes());
        let file_name =
            || self.file.as_deref().and_then(|file| Path::new(file).file_stem()).map(|s| s.to_string_lossy());
        let name = name.map(read).or_else(|| file_name().map(Into::into)).unwrap_or_default();
        let place = Place { file: self.file.clone(), key: key.map(|key| key.to_string_lossy().into_owned()) };
        let preset = Preset { name, uri: place.write(), from: self.from };
        self.current = Some(Current { preset, named: false, ours: false });
        Ok(())
    }

    fn add_plugin_id(&mut self, id: UniversalPluginId<'_>) {
        // A preset may fit several plugins.
        if let Some(current) = &mut self.current {
            current.named = true;
            current.ours |= id.abi == c"clap" && id.id == self.plugin;
        }
    }

    fn set_soundpack_id(&mut self, _id: &CStr) {}
    fn set_flags(&mut self, flags: Flags) {
        if let Some(current) = &mut self.current {
            current.preset.from = whose(flags);
        }
    }

    fn add_creator(&mut self, _creator: &CStr) {}
    fn set_description(&mut self, _text: &CStr) {}
    fn set_timestamps(&mut self, _made: Option<Timestamp>, _changed: Option<Timestamp>) {}
    fn add_feature(&mut self, _feature: &CStr) {}
    fn add_extra_info(&mut self, _key: &CStr, _value: &CStr) {}
}

/// Presets for `plugin` that the providers of `entry` know. `[home]`
pub fn list(entry: &PluginEntry, host: &HostInfo, plugin: &CStr) -> Vec<Preset> {
    let mut presets = Vec::new();
    let Some(factory) = entry.get_factory::<PresetDiscoveryFactory<'_>>() else { return presets };
    for descriptor in factory.provider_descriptors().take(64) {
        let Some(id) = descriptor.id() else { continue };
        let Ok(mut provider) = Provider::instantiate(Index::default(), entry, id, host) else { continue };
        if let Some(from) = provider.indexer().inside {
            ask(&mut provider, None, from, plugin, &mut presets);
        }
        let index = provider.indexer();
        let mut files = Vec::new();
        for (path, from) in &index.paths {
            let mut below = Vec::new();
            collect(path, &index.extensions, DEEPEST, &mut below);
            files.extend(below.into_iter().take(MOST_FILES - files.len()).map(|file| (file, *from)));
        }
        for (file, from) in files {
            ask(&mut provider, Some(&file), from, plugin, &mut presets);
        }
    }
    presets
}

fn ask(
    provider: &mut Provider<Index>,
    file: Option<&Path>,
    from: PresetFrom,
    plugin: &CStr,
    presets: &mut Vec<Preset>,
) {
    let path = file.and_then(|file| CString::new(file.as_os_str().as_bytes()).ok());
    if file.is_some() && path.is_none() {
        return;
    }
    let location = path.as_deref().map_or(Location::Plugin, |path| Location::File { path });
    let file = file.map(|file| file.to_string_lossy().into_owned());
    let mut found = Found { plugin, file, from, presets, current: None };
    provider.get_metadata(location, &mut found);
    found.finish();
}

/// Files below `path` that end in one of `extensions` (any file where none was declared), sorted.
fn collect(path: &Path, extensions: &[String], depth: usize, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        let extension = path.extension().map_or(String::new(), |text| text.to_string_lossy().into_owned());
        let wanted = extensions.is_empty() || extensions.iter().any(|one| one.is_empty() || *one == extension);
        if wanted && files.len() < MOST_FILES {
            files.push(path.into());
        }
        return;
    }
    let Ok(entries) = path.read_dir() else { return };
    let mut inside: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    if depth > 0 {
        inside.iter().for_each(|path| collect(path, extensions, depth - 1, files));
    }
}
