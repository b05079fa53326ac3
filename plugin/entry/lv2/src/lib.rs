//! The LV2 library that a DAW opens: finds `libcatena.so` and forwards to it. Where there is none, it offers the same
//! plugins, passes audio dry, keeps the chain that the DAW gave, and says what to install.

#![allow(unsafe_code, reason = "a C interface on both sides")]

mod dry;
#[path = "../../find.rs"]
mod find;
mod keep;

use std::ffi::{CStr, c_void};
use std::ptr;

/// The core library's answer to `index`, or `None` without a core library.
fn core(name: &CStr, index: u32) -> Option<*const c_void> {
    let address = find::core().ok()?.symbol(name)?;
    // SAFETY: both symbols have this type in every version of our major.
    let descriptor = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn(u32) -> *const c_void>(address) };
    Some(descriptor(index))
}

/// LV2's entry.
#[unsafe(no_mangle)]
pub extern "C" fn lv2_descriptor(index: u32) -> *const c_void {
    core(c"catena_lv2_descriptor", index).unwrap_or_else(|| dry::descriptor(index))
}

/// The entry of LV2's windows. There are none without the core library.
#[unsafe(no_mangle)]
pub extern "C" fn lv2ui_descriptor(index: u32) -> *const c_void {
    core(c"catena_lv2ui_descriptor", index).unwrap_or(ptr::null())
}
