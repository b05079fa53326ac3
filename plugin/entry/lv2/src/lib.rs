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

/// What this library is the entry of.
enum Entry {
    /// Catena's own plugins.
    Ours,
    /// A chain that is a plugin of its own: what lies beside the library.
    Chain(&'static [u8]),
    /// Such a chain, and why it cannot be read.
    Unread(&'static str),
}

/// The name of an exported chain's library, and of what lies beside it.
const LIBRARY: &str = "chain.so";
const CARRIED: &str = "chain.export";

fn entry() -> Entry {
    static CARRIED_HERE: OnceLock<Option<Result<Vec<u8>, String>>> = OnceLock::new();
    let read = || {
        let own = find::own_path()?;
        let file = own.with_file_name(CARRIED);
        match std::fs::read(&file) {
            Ok(bytes) => Some(Ok(bytes)),
            // Another library has none.
            Err(_) if own.file_name().is_none_or(|name| name != LIBRARY) => None,
            Err(error) => Some(Err(format!(
                "this plugin is a chain, and {} cannot be read: {error}. Export it again, or put the file back.",
                file.display()
            ))),
        }
    };
    match CARRIED_HERE.get_or_init(read) {
        None => Entry::Ours,
        Some(Ok(payload)) => Entry::Chain(payload),
        Some(Err(why)) => Entry::Unread(why),
    }
}

/// Why the chain does not run, where it is not the core library's fault.
fn unread() -> Option<&'static str> {
    match entry() {
        Entry::Unread(why) => Some(why),
        Entry::Ours | Entry::Chain(_) => None,
    }
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
    match entry() {
        Entry::Chain(payload) if index == 0 => chain(payload, false).unwrap_or_else(|| dry::descriptor(0)),
        Entry::Unread(_) if index == 0 => dry::descriptor(0),
        Entry::Chain(_) | Entry::Unread(_) => ptr::null(),
        Entry::Ours => core(c"catena_lv2_descriptor", index).unwrap_or_else(|| dry::descriptor(index)),
    }
}

/// The entry of LV2's windows. There are none without the core library.
#[unsafe(no_mangle)]
pub extern "C" fn lv2ui_descriptor(index: u32) -> *const c_void {
    match entry() {
        Entry::Chain(payload) if index == 0 => chain(payload, true).unwrap_or(ptr::null()),
        Entry::Chain(_) | Entry::Unread(_) => ptr::null(),
        Entry::Ours => core(c"catena_lv2ui_descriptor", index).unwrap_or(ptr::null()),
    }
}
