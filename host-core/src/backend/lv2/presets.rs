//! `presets`: the list of a plugin's presets, and the bundles they lie in.

use std::path::{Path, PathBuf};

use super::ffi::lilv::{Node, Plugin};
use super::{patch, uri};
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

/// Every bundle that says something of the plugin, its own first. `[home]`
pub fn bundles(plugin: Plugin<'_>, own: &Path) -> Vec<PathBuf> {
    let world = plugin.world;
    let of_presets = plugin.related(uri::PRESET);
    let files = of_presets.iter().flat_map(|node| world.find(node, uri::SEE_ALSO)).filter_map(|file| file.path());
    let spaces: Vec<_> = patch::specifications(plugin).iter().filter_map(|space| world.uri(space)).collect();
    let specs = spaces.iter().flat_map(|space| world.find(space, uri::SEE_ALSO)).filter_map(|file| file.path());
    let mut others: Vec<PathBuf> =
        plugin.data_files().into_iter().chain(files).chain(specs).filter_map(|file| bundle_of(&file)).collect();
    others.sort();
    others.dedup();
    let own = own.to_path_buf();
    others.retain(|bundle| !same(bundle, &own));
    std::iter::once(own).chain(others).collect()
}

fn same(a: &Path, b: &Path) -> bool {
    // Components ignore a slash at the end.
    a.components().eq(b.components())
}

/// The nearest folder above `file` with a manifest.
fn bundle_of(file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).take(4).find(|folder| folder.join("manifest.ttl").is_file()).map(Path::to_path_buf)
}
