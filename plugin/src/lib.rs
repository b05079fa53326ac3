//! Catena as DAWs see it: the container, its parameters and editor, and the CLAP, LV2 and VST3 sides of it.
//!
//! This crate builds `libcatena.so`, the one library that holds everything and exists once in a process. The entry
//! libraries that a DAW scans (`plugin/entry`) find it, open it and forward their format's symbols to the ones
//! below.

mod clap;
mod container;
mod editor;
pub mod export;
mod exported;
pub mod guard;
mod keys;
mod lv2;
mod params;
pub mod present;
pub mod presets;
pub mod rooms;

mod vst3;

use std::sync::OnceLock;

pub use lv2::turtle::File;

/// The LV2 plugins, in the order in which a host finds them.
fn lv2_exports() -> &'static [lv2::Export] {
    static EXPORTS: OnceLock<[lv2::Export; 4]> = OnceLock::new();
    EXPORTS.get_or_init(container::lv2_exports)
}

/// The Turtle of the LV2 bundle whose library is called `binary`. `[main]`
pub fn lv2_bundle(binary: &str) -> Vec<File> {
    let plugins: Vec<_> = lv2_exports().iter().map(lv2::Export::describe).collect();
    lv2::turtle::bundle(&plugins, binary)
}

/// The Turtle of the LV2 bundle of a chain that is a plugin of its own, whose library is called `binary`. `[main]`
pub fn lv2_chain_bundle(exported: &host_core::model::Exported, binary: &str) -> Vec<File> {
    exported::bundle(exported, binary)
}

#[expect(unsafe_code, reason = "symbols with fixed names, for the entry libraries")]
mod exports {
    use std::ffi::{c_char, c_void};

    use std::ptr;

    use clap_sys::entry::clap_plugin_entry;

    use crate::guard::guard;
    use crate::lv2::Export;

    /// This library's version, `MAJOR.MINOR.PATCH`, ended by a zero byte. An entry of another major leaves it alone.
    #[unsafe(no_mangle)]
    extern "C" fn catena_core_version() -> *const c_char {
        // The mark lets `catena doctor` read the version from the file, without loading it.
        const MARK: &str = "catena-core-version:";
        const MARKED: &str = concat!("catena-core-version:", env!("CARGO_PKG_VERSION"), "\0");
        MARKED[MARK.len()..].as_ptr().cast()
    }

    /// What a CLAP file calls `clap_entry`.
    #[unsafe(no_mangle)]
    static catena_clap_entry: clap_plugin_entry = crate::clap::ENTRY;

    /// What an LV2 library calls `lv2_descriptor`.
    #[unsafe(no_mangle)]
    extern "C" fn catena_lv2_descriptor(index: u32) -> *const c_void {
        guard(ptr::null(), || crate::lv2_exports().get(index as usize).map_or(ptr::null(), Export::descriptor))
    }

    /// What an LV2 library calls `lv2ui_descriptor`.
    #[unsafe(no_mangle)]
    extern "C" fn catena_lv2ui_descriptor(index: u32) -> *const c_void {
        guard(ptr::null(), || crate::lv2_exports().get(index as usize).map_or(ptr::null(), Export::window))
    }

    /// What a CLAP file that carries a chain asks for: the factory of the plugin that these bytes are; null where they are none. The
    /// number is this call's version: another meaning gets another name.
    ///
    /// # Safety
    /// `payload` points to `len` bytes that live over the call.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn catena_clap_export_1(payload: *const u8, len: usize) -> *const c_void {
        // SAFETY: the caller's word.
        guard(ptr::null(), || crate::clap::chain_factory(unsafe { std::slice::from_raw_parts(payload, len) }))
    }

    /// The same for an LV2 library: the descriptor of the plugin, or of its window.
    ///
    /// # Safety
    /// As above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn catena_lv2_export_1(payload: *const u8, len: usize, window: bool) -> *const c_void {
        guard(ptr::null(), || {
            // SAFETY: the caller's word.
            let export = crate::exported::lv2(unsafe { std::slice::from_raw_parts(payload, len) });
            export.map_or(ptr::null(), |export| if window { export.window() } else { export.descriptor() })
        })
    }

    /// What a VST3 module calls `GetPluginFactory`.
    #[unsafe(no_mangle)]
    extern "C" fn catena_get_plugin_factory() -> *mut c_void {
        crate::vst3::factory()
    }
}
