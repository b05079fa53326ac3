//! `clap.preset-load`: a chain file from the library into the container.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use clap_sys::ext::preset_load::clap_plugin_preset_load;
use clap_sys::factory::preset_discovery::{CLAP_PRESET_DISCOVERY_LOCATION_FILE, clap_preset_discovery_location_kind};
use clap_sys::plugin::clap_plugin;

use super::instance;
use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_preset_load = clap_plugin_preset_load { from_location: Some(from_location) };

unsafe extern "C" fn from_location(
    plugin: *const clap_plugin,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
) -> bool {
    guard(false, || {
        // SAFETY: the host passes a plugin of ours that it has not destroyed.
        let Some(this) = (unsafe { instance::of(plugin) }) else { return false };
        // SAFETY: null or a C string of the host's.
        let path = (!location.is_null()).then(|| unsafe { CStr::from_ptr(location) });
        let read = match path {
            Some(path) if kind == CLAP_PRESET_DISCOVERY_LOCATION_FILE => {
                this.shared.load_file(Path::new(OsStr::from_bytes(path.to_bytes())))
            }
            _ => Err("Catena's presets are chain files".to_owned()),
        };
        this.params().macros.meet(&this.shared);
        this.meet_bypass();
        this.log();
        let done = read.is_ok();
        let told = read.err().map(|text| CString::new(text).unwrap_or_default());
        // SAFETY: the host's own pointers as it gave them; the text lives over the call.
        unsafe {
            this.host().preset_loaded(kind, location, key, told.as_ref().map_or(ptr::null(), |text| text.as_ptr()))
        };
        done
    })
}
