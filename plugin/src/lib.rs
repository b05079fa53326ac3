//! Catena as DAWs see it: the container, its parameters and editor, and the CLAP and VST3 sides of it.
//!
//! This crate builds `libcatena.so`, the one library that holds everything and exists once in a process. The entry
//! libraries that a DAW scans (`plugin/entry`) find it, open it and forward their format's symbols to the ones
//! below.

mod clap;
mod container;
mod editor;
mod guard;
mod params;
mod vst3;

#[expect(unsafe_code, reason = "symbols with fixed names, for the entry libraries")]
mod exports {
    use std::ffi::{c_char, c_void};

    use clap_sys::entry::clap_plugin_entry;

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

    /// What a VST3 module calls `GetPluginFactory`.
    #[unsafe(no_mangle)]
    extern "C" fn catena_get_plugin_factory() -> *mut c_void {
        crate::vst3::factory()
    }
}
