//! `presets`: the list of a plugin's presets, and a state as one more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::assets::Assets;
use super::bundles::further_files;
use super::ffi::lilv::{Node, Plugin};
use super::ffi::preset;
use super::main::Main;
use super::state::Doc;
use super::{uri, urid};
use crate::backend::{PRESET_FILE, StateError};
use crate::model::{Bytes, Preset, PresetFrom};

/// Folder in a preset's bundle for the files that its state names.
const FILES: &str = "files";

/// What stands for a character until lilv has written, and what is written then. With a quote or a line break serd 0.30 makes a long
/// literal, in which it reads no escape behind a quote. No text has what stands here.
const ESCAPES: [(char, &str, &str); 4] = [
    ('\\', "\u{10FFF0}", "\\\\"),
    ('"', "\u{10FFF1}", "\\\""),
    ('\n', "\u{10FFF2}", "\\n"),
    ('\r', "\u{10FFF3}", "\\r"),
];

fn plain(text: &str) -> String {
    ESCAPES.iter().fold(text.to_owned(), |text, (own, stands, _)| text.replace(*own, stands))
}

fn escaped(text: &str) -> String {
    ESCAPES.iter().fold(text.to_owned(), |text, (_, stands, escape)| text.replace(stands, escape))
}

/// A plugin's presets, sorted by name. Files of presets whose name the manifest does not give are read for it. `[home]`
pub fn list(plugin: Plugin<'_>) -> Vec<Preset> {
    let world = plugin.world;
    let name = |node: &Node<'_>| {
        world.text(node, uri::LABEL).or_else(|| {
            world.load_resource(node);
            world.text(node, uri::LABEL)
        })
    };
    let (home, own) = (std::env::var_os("HOME").map(PathBuf::from), plugin.bundle());
    let is_users = |file: &Path| {
        home.as_ref().is_some_and(|home| file.starts_with(home))
            && !own.as_ref().is_some_and(|own| file.starts_with(own))
    };
    let mut presets: Vec<_> = plugin
        .related(uri::PRESET)
        .iter()
        .map(|node| {
            let uri = node.text();
            let name = name(node).unwrap_or_else(|| uri.rsplit(['#', '/', ':']).next().unwrap_or(&uri).into());
            let users = further_files(world, node).any(|file| is_users(&file));
            Preset { name, uri, from: if users { PresetFrom::User } else { PresetFrom::Factory } }
        })
        .collect();
    presets.sort_by(|a, b| (&a.name, &a.uri).cmp(&(&b.name, &b.uri)));
    presets.dedup_by(|a, b| a.uri == b.uri);
    presets
}

impl Main {
    /// The state now as the files of a preset's bundle. Files that the state names are among them; those of the plugin's own bundle
    /// stay where they are.
    pub(super) fn write_preset(&mut self, uri: &str, name: &str) -> Result<BTreeMap<String, Bytes>, StateError> {
        let state = self.save_state()?;
        let damaged = |reason| StateError::Damaged { id: self.id.clone(), reason };
        let doc = Doc::from_bytes(&state.bytes).map_err(damaged)?;
        let mut beside = Assets::lying_in(&self.about.bundle, Path::new(FILES), state.assets.keys());
        let mut properties = doc.to_properties(&mut beside).map_err(damaged)?;
        for one in properties.iter_mut().filter(|one| one.kind == urid::known().atom_string) {
            if let Ok(text) = std::str::from_utf8(&one.value) {
                one.value = plain(text).into_bytes();
            }
        }
        let name = &plain(name);
        let folder =
            self.host.assets.join(format!("preset-{}-{}", std::process::id(), std::ptr::from_ref(self).addr()));
        let preset = preset::Preset { uri, name, ports: &doc.ports, properties: &properties };
        let written = std::fs::create_dir_all(&folder)
            .map_err(|source| StateError::File { path: folder.clone(), source })
            .and_then(|()| match preset::write(self.plugin, &preset, &folder, PRESET_FILE) {
                true => read(&folder),
                false => Err(StateError::SaveFailed(self.id.clone())),
            });
        let _gone = std::fs::remove_dir_all(&folder);
        let mut files = written?;
        files.extend(state.assets.into_iter().map(|(name, bytes)| (format!("{FILES}/{name}"), bytes)));
        Ok(files)
    }
}

fn read(folder: &Path) -> Result<BTreeMap<String, Bytes>, StateError> {
    let file = |name: &str| {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).map_err(|source| StateError::File { path, source })?;
        Ok((name.to_owned(), escaped(&text).into_bytes().into()))
    };
    ["manifest.ttl", PRESET_FILE].into_iter().map(file).collect()
}
