//! `presets`: the list of a plugin's presets.

use super::ffi::lilv::{Node, Plugin};
use super::uri;
use crate::model::Preset;

/// A plugin's presets, sorted by name. Files of presets whose name the manifest does not give are read for it. `[home]`
pub fn list(plugin: Plugin<'_>) -> Vec<Preset> {
    let world = plugin.world;
    let name = |node: &Node<'_>| {
        world.text(node, uri::LABEL).or_else(|| {
            world.load_resource(node);
            world.text(node, uri::LABEL)
        })
    };
    let mut presets: Vec<_> = plugin
        .related(uri::PRESET)
        .iter()
        .map(|node| {
            let uri = node.text();
            let name = name(node).unwrap_or_else(|| uri.rsplit(['#', '/', ':']).next().unwrap_or(&uri).into());
            Preset { name, uri }
        })
        .collect();
    presets.sort_by(|a, b| (&a.name, &a.uri).cmp(&(&b.name, &b.uri)));
    presets.dedup_by(|a, b| a.uri == b.uri);
    presets
}
