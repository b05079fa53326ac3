//! Hosting LV2 plugins, through lilv.
//!
//! 1. [`describe_bundles`] lists what bundles describe; no plugin's code is loaded;
//! 2. [`open`] reads the description of one plugin again, from the bundles its entry names and no others, loads its
//!    library for good, and gives out its home half;
//! 3. an instance is made when it is first needed, for a state or for [`PluginMain::activate`], and made anew with
//!    its state when the rate or the largest block changes;
//! 4. the audio half owns the memory of all ports; they are connected once.
//!
//! One file is one feature of the specification, named as that names it. `unsafe` is in `ffi` alone.

mod assets;
mod atom;
mod atom_urids;
#[deny(clippy::disallowed_types, clippy::disallowed_macros)]
mod audio;
mod audio_changes;
mod audio_setup;
mod buf_size;
mod bundles;
mod describe;
mod ffi;
mod main;
mod main_state;
mod main_values;
mod options;
mod patch;
mod port_groups;
mod presets;
mod resize_port;
mod shared;
mod state;
mod text;
mod time;
mod ui;
mod units;
mod uri;
mod urid;
#[deny(clippy::disallowed_types, clippy::disallowed_macros)]
mod wires;

use std::path::PathBuf;
use std::rc::Rc;

use super::{Described, HostContext, OpenError, PluginMain};
use crate::model::{BadFile, PluginEntry, PluginId, PluginLocation};
use describe::Description;
use ffi::lilv::World;

/// The world of this process. Home alone has one; it lives as long as the process.
fn world() -> Option<&'static World> {
    thread_local! {
        static WORLD: Option<&'static World> = World::new().map(|world| &*Box::leak(Box::new(world)));
    }
    WORLD.with(|world| *world)
}

/// Opens an LV2 plugin. `[home]`
pub fn open(entry: &PluginEntry, host: &Rc<HostContext>) -> Result<Box<dyn PluginMain>, OpenError> {
    let id = entry.id.clone();
    let refused = |reason: &str| OpenError::Refused { id: entry.id.clone(), reason: reason.into() };
    let path = entry.location.path().to_path_buf();
    let PluginLocation::Lv2(bundles) = &entry.location else {
        return Err(refused("its entry names no LV2 bundle"));
    };
    let world = world().ok_or_else(|| refused("lilv has no memory"))?;
    for bundle in bundles {
        world.load_bundle(bundle);
    }
    let plugin = world.plugin(&id.id).ok_or_else(|| OpenError::NotInside { path: path.clone(), id: id.clone() })?;
    for space in patch::specifications(plugin).iter().filter_map(|space| world.uri(space)) {
        world.load_resource(&space);
    }
    let about = Description::read(plugin);
    if let Some(feature) = about.unknown_feature().or(about.unknown_port()) {
        return Err(OpenError::Feature { id, feature: feature.into() });
    }
    let Some(library) = &about.library else {
        return Err(OpenError::Library { path, reason: "its description names no library".into() });
    };
    urid::known();
    ffi::library::keep_open(library).map_err(|reason| OpenError::Library { path: library.clone(), reason })?;
    Ok(Box::new(main::Main::new(entry, host, plugin, about)))
}

/// Lists every LV2 plugin of `bundles` from its description; no library is loaded. Plugins that cannot be used are
/// listed with the reason. `begins` is told of the bundles that are about to be read, the one that asks for it first: should lilv
/// not come back, it was with them. Meant for a process of its own: what lilv reads takes some 100 MB. `[home]`
pub fn describe_bundles(bundles: &[PathBuf], begins: &mut dyn FnMut(&[PathBuf])) -> Result<Described, OpenError> {
    let Some(world) = World::new() else {
        let path = bundles.first().cloned().unwrap_or_default();
        return Err(OpenError::Library { path, reason: "lilv has no memory".into() });
    };
    for bundle in bundles {
        begins(std::slice::from_ref(bundle));
        world.load_bundle(bundle);
    }
    for space in world.of_type(uri::SPECIFICATION) {
        begins(&bundles::of_specification(&world, &space));
        world.load_resource(&space);
    }
    world.load_plugin_classes();
    let (mut entries, mut bad) = (Vec::new(), Vec::new());
    for plugin in world.plugins() {
        begins(&bundles::about_to_be_read(plugin));
        let about = Description::read(plugin);
        match flaw(&about) {
            None => {
                let bundles = bundles::all(plugin, &about.bundle);
                entries.push(about.entry(bundles, presets::list(plugin)));
            }
            Some(reason) => {
                let plugin = Some(PluginId::lv2(&about.uri));
                bad.push(BadFile { path: about.bundle.clone(), plugin, reason });
            }
        }
    }
    Ok((entries, bad))
}

/// Why a plugin cannot be used, as far as its description shows.
fn flaw(about: &Description) -> Option<String> {
    if let Some(feature) = about.unknown_feature() {
        return Some(format!("{} needs {feature}, which Catena does not offer", about.uri));
    }
    if let Some(port) = about.unknown_port() {
        return Some(format!("{} has a port of the type {port}, which Catena does not know", about.uri));
    }
    match &about.library {
        None => Some(format!("{} names no library", about.uri)),
        Some(library) if !library.is_file() => Some(format!("{}: the library is not there", library.display())),
        Some(_) if about.ports.is_empty() => Some(format!("{} describes no ports", about.uri)),
        Some(_) => None,
    }
}
