//! The LV2 library that a DAW opens: finds `libcatena.so` and forwards to it. Where there is none, it offers the same
//! plugins, passes audio dry, keeps the chain that the DAW gave, and says what to install.

#![allow(unsafe_code, reason = "a C interface on both sides")]

mod dry;
#[path = "../../find.rs"]
mod find;
mod keep;

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::OnceLock;

/// The core library's answer to `index`, or `None` without a core library.
fn core(name: &CStr, index: u32) -> Option<*const c_void> {
    let address = find::core().ok()?.symbol(name)?;
    // SAFETY: both symbols have this type in every version of our major.
    let descriptor = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn(u32) -> *const c_void>(address) };
    Some(descriptor(index))
}

/// The chain that lies beside this library, where it is that of a chain which is a plugin of its own.
fn carried() -> Option<&'static [u8]> {
    static CARRIED: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let read = || std::fs::read(find::own_path()?.with_file_name("chain.export")).ok();
    CARRIED.get_or_init(read).as_deref()
}

/// The core library's answer for that chain, or `None` where it knows none.
fn chain(payload: &'static [u8], window: bool) -> Option<*const c_void> {
    let address = find::core().ok()?.symbol(c"catena_lv2_export_1")?;
    type Call = unsafe extern "C" fn(*const u8, usize, bool) -> *const c_void;
    // SAFETY: the symbol has this type in every version that has it.
    let call = unsafe { std::mem::transmute::<*mut c_void, Call>(address) };
    // SAFETY: the bytes live as long as the process.
    let answer = unsafe { call(payload.as_ptr(), payload.len(), window) };
    (!answer.is_null()).then_some(answer)
}

/// LV2's entry.
#[unsafe(no_mangle)]
pub extern "C" fn lv2_descriptor(index: u32) -> *const c_void {
    match carried() {
        Some(payload) if index == 0 => chain(payload, false).unwrap_or_else(|| dry::descriptor(0)),
        Some(_) => ptr::null(),
        None => core(c"catena_lv2_descriptor", index).unwrap_or_else(|| dry::descriptor(index)),
    }
}

/// The entry of LV2's windows. There are none without the core library.
#[unsafe(no_mangle)]
pub extern "C" fn lv2ui_descriptor(index: u32) -> *const c_void {
    match carried() {
        Some(payload) if index == 0 => chain(payload, true).unwrap_or(ptr::null()),
        Some(_) => ptr::null(),
        None => core(c"catena_lv2ui_descriptor", index).unwrap_or(ptr::null()),
    }
}
