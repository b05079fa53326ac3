//! The CLAP file that a DAW scans: finds `libcatena.so` and forwards to it. Where there is none, it offers the same
//! plugins, passes audio dry, keeps the chain that the DAW gave, and says what to install.

#![allow(unsafe_code, reason = "a C interface on both sides")]

mod abi;
mod carried;
mod dry;
#[path = "../../find.rs"]
mod find;

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

/// CLAP's entry.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "CLAP's own name")]
pub static clap_entry: abi::Entry = abi::Entry { version: abi::VERSION, init, deinit, get_factory };

/// The core library's entry.
fn core() -> Option<&'static abi::Entry> {
    let address = find::core().ok()?.symbol(c"catena_clap_entry")?;
    // SAFETY: the symbol is a static of this type, and the library is never closed.
    Some(unsafe { &*address.cast::<abi::Entry>() })
}

unsafe extern "C" fn init(path: *const c_char) -> bool {
    // SAFETY: the host's own argument.
    core().is_none_or(|core| unsafe { (core.init)(path) })
}

unsafe extern "C" fn deinit() {
    if let Some(core) = core() {
        // SAFETY: after `init`, as the host calls it.
        unsafe { (core.deinit)() }
    }
}

/// The factory of the chain that this file carries, or `None` where the core library knows none.
fn chain(payload: &'static [u8]) -> Option<*const c_void> {
    let address = find::core().ok()?.symbol(c"catena_clap_export_1")?;
    type Call = unsafe extern "C" fn(*const u8, usize) -> *const c_void;
    // SAFETY: the symbol has this type in every version that has it.
    let call = unsafe { std::mem::transmute::<*mut c_void, Call>(address) };
    // SAFETY: the bytes live as long as the process.
    let answer = unsafe { call(payload.as_ptr(), payload.len()) };
    (!answer.is_null()).then_some(answer)
}

unsafe extern "C" fn get_factory(id: *const c_char) -> *const c_void {
    if let Some(payload) = carried::payload() {
        // SAFETY: the host passes a C string or null.
        let plugins = !id.is_null() && unsafe { CStr::from_ptr(id) } == abi::PLUGIN_FACTORY;
        return match plugins {
            true => chain(payload).unwrap_or(ptr::from_ref(&dry::FACTORY).cast()),
            false => ptr::null(),
        };
    }
    if let Some(core) = core() {
        // SAFETY: the host's own argument.
        return unsafe { (core.get_factory)(id) };
    }
    // SAFETY: the host passes a C string or null.
    if !id.is_null() && unsafe { CStr::from_ptr(id) } == abi::PLUGIN_FACTORY {
        return ptr::from_ref(&dry::FACTORY).cast();
    }
    ptr::null()
}
