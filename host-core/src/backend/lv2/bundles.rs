//! Bundles that say something of a plugin or a specification: not only its own may.

use std::path::{Path, PathBuf};

use super::ffi::lilv::{Node, Plugin, World};
use super::{patch, uri};

/// Every bundle that says something of the plugin, its own first. `[home]`
pub fn all(plugin: Plugin<'_>, own: &Path) -> Vec<PathBuf> {
    let world = plugin.world;
    let spaces: Vec<_> = patch::specifications(plugin).iter().filter_map(|space| world.uri(space)).collect();
    let presets = plugin.related(uri::PRESET);
    let files = spaces.iter().chain(&presets).flat_map(|node| further_files(world, node));
    first_and_others(own, files.chain(plugin.data_files()))
}

/// The bundles that a description of the plugin is about to read files of, as far as is known before that; its own first.
/// `[home]`
pub fn about_to_be_read(plugin: Plugin<'_>) -> Vec<PathBuf> {
    let own = plugin.bundle().unwrap_or_default();
    let (world, uri) = (plugin.world, plugin.world.uri(&plugin.uri()));
    // Not asked of the plugin: that would read its files.
    let presets = uri.iter().flat_map(|uri| world.pointing_at(uri::APPLIES_TO, uri));
    let files = presets.flat_map(|preset| further_files(world, &preset).collect::<Vec<_>>());
    first_and_others(&own, files.chain(plugin.data_files()))
}

/// The bundles that the files of a specification lie in. `[home]`
pub fn of_specification(world: &World, space: &Node<'_>) -> Vec<PathBuf> {
    further_files(world, space).filter_map(|file| bundle_of(&file)).collect()
}

/// The files that a node says more is in. `[home]`
pub fn further_files<'w>(world: &'w World, node: &Node<'_>) -> impl Iterator<Item = PathBuf> + use<'w> {
    world.find(node, uri::SEE_ALSO).into_iter().filter_map(|file| file.path())
}

fn first_and_others(own: &Path, files: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut others: Vec<PathBuf> = files.filter_map(|file| bundle_of(&file)).collect();
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
