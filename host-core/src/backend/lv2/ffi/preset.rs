//! `presets`: a state as a preset, written by lilv, as jalv and Ardour have it written. lilv asks an instance for the state; here
//! it asks what stands in for one, so that the state is the one that was saved and no plugin is called.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use lilv_sys as sys;

use super::lilv::Plugin;
use super::spec::{self, Feature, Handle, StateInterface, StateStore};
use super::state::{Property, map_for_lilv};
use crate::backend::lv2::{uri, urid};

/// What is in a preset.
pub struct Preset<'a> {
    /// Its URI.
    pub uri: &'a str,
    /// What hosts call it.
    pub name: &'a str,
    /// Values of control inputs by symbol.
    pub ports: &'a BTreeMap<String, f32>,
    /// What the plugin stored; files by their path from the preset's folder.
    pub properties: &'a [Property],
}

/// Writes `file`, and a manifest that names it, into `folder`. False: lilv did not. `[home]`
pub fn write(plugin: Plugin<'_>, preset: &Preset<'_>, folder: &Path, file: &str) -> bool {
    let text = |text: &OsStr| CString::new(text.as_bytes()).ok();
    let texts = (text(preset.uri.as_ref()), text(preset.name.as_ref()), text(folder.as_os_str()), text(file.as_ref()));
    let (Some(uri), Some(name), Some(folder), Some(file)) = texts else { return false };
    let mut map = lv2_raw::LV2UridMap { handle: std::ptr::null_mut(), map: map_for_lilv };
    let mut unmap = super::urid::unmap();
    let descriptor = lv2_raw::LV2Descriptor {
        uri: uri.as_ptr(),
        instantiate: no_instance,
        connect_port: no_port,
        activate: None,
        run: no_run,
        deactivate: None,
        cleanup: no_more,
        extension_data: Some(extension),
    };
    let given = std::ptr::from_ref(preset).cast_mut().cast();
    let mut instance =
        sys::LilvInstance { lv2_descriptor: &descriptor, lv2_handle: given, pimpl: std::ptr::null_mut() };
    let none = std::ptr::null();
    // SAFETY: everything pointed to is alive over the calls. Of the instance lilv uses the state interface alone, whose handle is
    // the preset; the state is freed once.
    unsafe {
        let state = sys::lilv_state_new_from_instance(
            plugin.as_ptr(),
            &mut instance,
            &mut map,
            none,
            none,
            none,
            none,
            Some(value_of),
            given,
            spec::STATE_IS_POD | spec::STATE_IS_PORTABLE,
            std::ptr::null(),
        );
        if state.is_null() {
            return false;
        }
        sys::lilv_state_set_label(state, name.as_ptr());
        let world = plugin.world.as_ptr();
        let unmap = std::ptr::from_mut(&mut unmap).cast();
        let refused = sys::lilv_state_save(world, &mut map, unmap, state, uri.as_ptr(), folder.as_ptr(), file.as_ptr());
        sys::lilv_state_free(state);
        refused == 0
    }
}

/// A control input's value, or null.
unsafe extern "C" fn value_of(
    symbol: *const c_char,
    preset: *mut c_void,
    size: *mut u32,
    kind: *mut u32,
) -> *const c_void {
    // SAFETY: lilv passes a symbol that ends in NUL, our preset, and places for the answers.
    unsafe {
        let preset = &*preset.cast::<Preset<'_>>();
        let value = CStr::from_ptr(symbol).to_str().ok().and_then(|symbol| preset.ports.get(symbol));
        (*size, *kind) = (4, urid::known().atom_float);
        value.map_or(std::ptr::null(), |value| std::ptr::from_ref(value).cast())
    }
}

extern "C" fn extension(uri: *const c_char) -> *const c_void {
    static STATE: StateInterface = StateInterface { save: Some(save), restore: None };
    // SAFETY: lilv passes a URI that ends in NUL.
    match unsafe { CStr::from_ptr(uri) }.to_bytes() == uri::STATE_INTERFACE.as_bytes() {
        true => std::ptr::from_ref(&STATE).cast(),
        false => std::ptr::null(),
    }
}

unsafe extern "C" fn save(
    preset: Handle,
    store: StateStore,
    to: *mut c_void,
    _flags: u32,
    _features: *const *const Feature,
) -> u32 {
    // SAFETY: the handle is the preset of the call under way.
    let preset = unsafe { &*preset.cast::<Preset<'_>>() };
    for one in preset.properties {
        // SAFETY: lilv's own callback with its own handle; it copies the value.
        unsafe {
            store(to, one.key, one.value.as_ptr().cast(), one.value.len(), one.kind, one.flags | spec::STATE_IS_POD)
        };
    }
    spec::STATE_SUCCESS
}

// What lilv never calls.
extern "C" fn no_instance(
    _: *const lv2_raw::LV2Descriptor,
    _: f64,
    _: *const c_char,
    _: *const *const Feature,
) -> Handle {
    std::ptr::null_mut()
}
extern "C" fn no_port(_: Handle, _: u32, _: *mut c_void) {}
extern "C" fn no_run(_: Handle, _: u32) {}
extern "C" fn no_more(_: Handle) {}
