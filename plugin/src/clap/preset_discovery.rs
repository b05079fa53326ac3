//! The preset-discovery factory: chain files in the user's library and the installed ones, as presets of our plugins.

use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use clap_sys::factory::preset_discovery::*;
use clap_sys::universal_plugin_id::clap_universal_plugin_id;
use clap_sys::version::CLAP_VERSION;
use host_core::model::Folders;
use host_core::session::presets;

use crate::container::{ClapEffect, ClapInstrument, Flavour};
use crate::guard::guard;

pub(super) static FACTORY: clap_preset_discovery_factory =
    clap_preset_discovery_factory { count: Some(count), get_descriptor: Some(get_descriptor), create: Some(create) };

const ID: &CStr = c"catena-audio.chains";

/// The descriptor of the one provider.
struct Descriptor(clap_preset_discovery_provider_descriptor);

// SAFETY: the pointers are to static text.
unsafe impl Sync for Descriptor {}

static DESCRIPTOR: Descriptor = Descriptor(clap_preset_discovery_provider_descriptor {
    clap_version: CLAP_VERSION,
    id: ID.as_ptr(),
    name: c"Catena chains".as_ptr(),
    vendor: c"Catena".as_ptr(),
});

/// A provider as the host holds it. The first field must stay first.
#[repr(C)]
struct Provider {
    provider: clap_preset_discovery_provider,
    indexer: *const clap_preset_discovery_indexer,
}

unsafe extern "C" fn count(_factory: *const clap_preset_discovery_factory) -> u32 {
    1
}

unsafe extern "C" fn get_descriptor(
    _factory: *const clap_preset_discovery_factory,
    index: u32,
) -> *const clap_preset_discovery_provider_descriptor {
    if index == 0 { &raw const DESCRIPTOR.0 } else { ptr::null() }
}

unsafe extern "C" fn create(
    _factory: *const clap_preset_discovery_factory,
    indexer: *const clap_preset_discovery_indexer,
    id: *const c_char,
) -> *const clap_preset_discovery_provider {
    // SAFETY: null or a C string of the host's.
    if indexer.is_null() || id.is_null() || unsafe { CStr::from_ptr(id) } != ID {
        return ptr::null();
    }
    let provider = clap_preset_discovery_provider {
        desc: &raw const DESCRIPTOR.0,
        provider_data: ptr::null_mut(),
        init: Some(init),
        destroy: Some(destroy),
        get_metadata: Some(get_metadata),
        get_extension: Some(get_extension),
    };
    Box::into_raw(Box::new(Provider { provider, indexer })).cast_const().cast()
}

/// # Safety
/// `provider` is null or came from `create` and was not destroyed.
unsafe fn of<'a>(provider: *const clap_preset_discovery_provider) -> Option<&'a Provider> {
    // SAFETY: the caller's word; the first field of a `repr(C)` Provider.
    unsafe { provider.cast::<Provider>().as_ref() }
}

unsafe extern "C" fn init(provider: *const clap_preset_discovery_provider) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it; the indexer outlives the provider (CLAP `preset-discovery.h`).
        let Some(indexer) = (unsafe { of(provider).and_then(|this| this.indexer.as_ref()) }) else { return false };
        let (Some(filetype), Some(location)) = (indexer.declare_filetype, indexer.declare_location) else {
            return false;
        };
        let kind = clap_preset_discovery_filetype {
            name: c"Catena chain".as_ptr(),
            description: c"A chain of plugins".as_ptr(),
            file_extension: c"catena".as_ptr(),
        };
        // SAFETY: the indexer's own functions; it copies what it is told.
        unsafe {
            if !filetype(indexer, &raw const kind) {
                return false;
            }
            for (place, folder) in Folders::from_env().preset_folders().into_iter().enumerate() {
                let (Ok(path), true) = (CString::new(folder.as_os_str().as_bytes()), folder.is_dir()) else { continue };
                let told = clap_preset_discovery_location {
                    flags: if place == 0 {
                        CLAP_PRESET_DISCOVERY_IS_USER_CONTENT
                    } else {
                        CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT
                    },
                    name: if place == 0 { c"Own chains".as_ptr() } else { c"Installed chains".as_ptr() },
                    kind: CLAP_PRESET_DISCOVERY_LOCATION_FILE,
                    location: path.as_ptr(),
                };
                if !location(indexer, &raw const told) {
                    return false;
                }
            }
        }
        true
    })
}

unsafe extern "C" fn destroy(provider: *const clap_preset_discovery_provider) {
    if !provider.is_null() {
        // SAFETY: the host passes what `create` leaked, once.
        drop(unsafe { Box::from_raw(provider.cast::<Provider>().cast_mut()) });
    }
}

unsafe extern "C" fn get_metadata(
    _provider: *const clap_preset_discovery_provider,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    receiver: *const clap_preset_discovery_metadata_receiver,
) -> bool {
    guard(false, || {
        // SAFETY: the host passes null or its own, valid over the call.
        let Some(receiver) = (unsafe { receiver.as_ref() }) else { return false };
        if location.is_null() || kind != CLAP_PRESET_DISCOVERY_LOCATION_FILE {
            return false;
        }
        // SAFETY: not null, a C string of the host's.
        let path = Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(location) }.to_bytes()));
        let about = match presets::about(path) {
            Ok(about) => about,
            Err(text) => {
                let text = CString::new(text).unwrap_or_default();
                if let Some(on_error) = receiver.on_error {
                    // SAFETY: the receiver's own function; the text lives over the call.
                    unsafe { on_error(receiver, 0, text.as_ptr()) };
                }
                return false;
            }
        };
        let text = |text: &str| CString::new(text.replace('\0', " ")).unwrap_or_default();
        let (name, description) = (text(&about.name), text(&about.description));
        let id = text(if about.instrument { ClapInstrument::CLAP_ID } else { ClapEffect::CLAP_ID });
        let id = clap_universal_plugin_id { abi: c"clap".as_ptr(), id: id.as_ptr() };
        // SAFETY: the receiver's own functions; all texts live over the calls.
        unsafe {
            let Some(begin) = receiver.begin_preset else { return false };
            if !begin(receiver, name.as_ptr(), ptr::null()) {
                return false;
            }
            if let Some(add) = receiver.add_plugin_id {
                add(receiver, &raw const id);
            }
            if let Some(set) = receiver.set_description {
                set(receiver, description.as_ptr());
            }
        }
        true
    })
}

unsafe extern "C" fn get_extension(
    _provider: *const clap_preset_discovery_provider,
    _id: *const c_char,
) -> *const c_void {
    ptr::null()
}
