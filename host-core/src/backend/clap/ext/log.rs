//! `clap.log`: lines go into the queue of [`crate::backend::log`]; from any thread, without waiting.
#![expect(unsafe_code, reason = "clack's own wrapper allocates for text that is no UTF-8, and takes null for a string")]

use std::ffi::{CStr, c_char};

use clack_host::extensions::prelude::*;
use clap_sys::ext::log::*;

use crate::backend::clap::host::Handlers;
use crate::backend::log::{self, Level};

/// The host side of `clap.log`.
#[derive(Clone, Copy)]
pub struct HostLog;

// SAFETY: CLAP_EXT_LOG names clap_host_log; the type holds nothing, so any pointer of that side may make it.
unsafe impl Extension for HostLog {
    const IDENTIFIERS: &[&CStr] = &[CLAP_EXT_LOG];
    type ExtensionSide = HostExtensionSide;

    unsafe fn from_raw(_raw: RawExtension<Self::ExtensionSide>) -> Self {
        Self
    }
}

// SAFETY: clap_host_log is the structure that CLAP_EXT_LOG names on the host's side.
unsafe impl ExtensionImplementation<Handlers> for HostLog {
    const IMPLEMENTATION: RawExtensionImplementation =
        RawExtensionImplementation::new(&clap_host_log { log: Some(say) });
}

unsafe extern "C" fn say(host: *const clap_host, severity: clap_log_severity, text: *const c_char) {
    if text.is_null() {
        return;
    }
    // SAFETY: not null, so by the specification a C string for the length of this call.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    // SAFETY: `host` is the pointer this instance was given (clack checks it for null).
    unsafe {
        HostWrapper::<Handlers>::handle(host, |wrapper| {
            queue(&wrapper.shared().0.name, severity, text);
            Ok(())
        });
    }
}

/// `NAME: TEXT`, put together on the stack: this may be the audio thread.
fn queue(name: &str, severity: clap_log_severity, text: &[u8]) {
    let level = match severity {
        CLAP_LOG_DEBUG => Level::Debug,
        CLAP_LOG_INFO => Level::Info,
        CLAP_LOG_ERROR | CLAP_LOG_FATAL => Level::Error,
        _ => Level::Warning,
    };
    let mut line = [0; 240];
    let mut len = 0;
    for byte in name.bytes().take(64).chain(*b": ").chain(text.iter().copied()) {
        let Some(place) = line.get_mut(len) else { break };
        *place = byte;
        len += 1;
    }
    log::push(level, &line[..len]);
}
