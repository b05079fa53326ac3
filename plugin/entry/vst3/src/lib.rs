//! The VST3 module that a DAW scans: finds `libcatena.so` and forwards to it. Where there is none, it offers the same
//! classes, passes audio dry, keeps the chain that the DAW gave, and says what to install.

#![allow(unsafe_code, reason = "a C interface on both sides")]

mod dry;
#[path = "../../find.rs"]
mod find;

use std::ffi::c_void;
use std::io::Write;

/// VST3's entry.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "VST3's own name")]
pub extern "C" fn GetPluginFactory() -> *mut c_void {
    match find::core().ok().and_then(|core| core.symbol(c"catena_get_plugin_factory")) {
        // SAFETY: the symbol has this type in every version of our major.
        Some(factory) => unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> *mut c_void>(factory)() },
        None => dry::factory(),
    }
}

/// Called once when the module is loaded (Linux).
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "VST3's own name")]
pub extern "C" fn ModuleEntry(_handle: *mut c_void) -> bool {
    if find::core().is_err() {
        // Unlike `eprintln!` it does not panic where nobody reads.
        let _unheard = writeln!(std::io::stderr(), "{}", find::told(false));
    }
    true
}

/// Called once before the module is unloaded (Linux).
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "VST3's own name")]
pub extern "C" fn ModuleExit() -> bool {
    true
}
