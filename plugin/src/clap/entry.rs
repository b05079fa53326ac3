//! `clap_entry` and the plugin factory.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::OnceLock;

use clap_sys::entry::clap_plugin_entry;
use clap_sys::factory::plugin_factory::{CLAP_PLUGIN_FACTORY_ID, clap_plugin_factory};
use clap_sys::factory::preset_discovery::{CLAP_PRESET_DISCOVERY_FACTORY_ID, CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT};
use clap_sys::host::clap_host;
use clap_sys::plugin::{clap_plugin, clap_plugin_descriptor};
use clap_sys::version::{CLAP_VERSION, clap_version_is_compatible};
use nice_plug::wrapper::clap::PluginDescriptor;

use super::exported::Carried;
use super::{instance, preset_discovery};
use crate::container::{ClapEffect, ClapInstrument, Container};
use crate::guard::guard;

/// The entry that every CLAP file of ours forwards to.
pub const ENTRY: clap_plugin_entry = clap_plugin_entry {
    clap_version: CLAP_VERSION,
    init: Some(init),
    deinit: Some(deinit),
    get_factory: Some(get_factory),
};

static FACTORY: clap_plugin_factory = clap_plugin_factory {
    get_plugin_count: Some(get_plugin_count),
    get_plugin_descriptor: Some(get_plugin_descriptor),
    create_plugin: Some(create_plugin),
};

/// Makes one of our plugins.
type Make = unsafe fn(*const clap_host, Option<&'static Carried>) -> *const clap_plugin;

/// Every plugin: what it is, and how it is made.
fn plugins() -> &'static [(PluginDescriptor, Make)] {
    static PLUGINS: OnceLock<[(PluginDescriptor, Make); 2]> = OnceLock::new();
    PLUGINS.get_or_init(|| {
        [
            (PluginDescriptor::for_plugin::<Container<ClapEffect>>(), instance::create::<ClapEffect> as Make),
            (PluginDescriptor::for_plugin::<Container<ClapInstrument>>(), instance::create::<ClapInstrument> as Make),
        ]
    })
}

unsafe extern "C" fn init(_path: *const c_char) -> bool {
    true
}

unsafe extern "C" fn deinit() {}

unsafe extern "C" fn get_factory(id: *const c_char) -> *const c_void {
    if id.is_null() {
        return ptr::null();
    }
    // SAFETY: not null, a C string of the host's (CLAP `entry.h`).
    match unsafe { CStr::from_ptr(id) } {
        id if id == CLAP_PLUGIN_FACTORY_ID => ptr::from_ref(&FACTORY).cast(),
        id if id == CLAP_PRESET_DISCOVERY_FACTORY_ID || id == CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT => {
            ptr::from_ref(&preset_discovery::FACTORY).cast()
        }
        _ => ptr::null(),
    }
}

unsafe extern "C" fn get_plugin_count(_factory: *const clap_plugin_factory) -> u32 {
    guard(0, || plugins().len() as u32)
}

unsafe extern "C" fn get_plugin_descriptor(
    _factory: *const clap_plugin_factory,
    index: u32,
) -> *const clap_plugin_descriptor {
    guard(ptr::null(), || {
        plugins().get(index as usize).map_or(ptr::null(), |(descriptor, _)| descriptor.clap_plugin_descriptor())
    })
}

unsafe extern "C" fn create_plugin(
    _factory: *const clap_plugin_factory,
    host: *const clap_host,
    id: *const c_char,
) -> *const clap_plugin {
    guard(ptr::null(), || {
        if host.is_null() || id.is_null() {
            return ptr::null();
        }
        // SAFETY: not null, and the host's for as long as this call takes (CLAP `plugin-factory.h`).
        let (id, version) = unsafe { (CStr::from_ptr(id), (*host).clap_version) };
        let plugin = plugins().iter().find(|(descriptor, _)| descriptor.clap_id() == id);
        match plugin {
            // SAFETY: the host keeps `host` alive until after the plugin's `destroy`.
            Some((_, make)) if clap_version_is_compatible(version) => unsafe { make(host, None) },
            _ => ptr::null(),
        }
    })
}
