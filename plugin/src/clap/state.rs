//! `clap.state`: the packed chain as it is, without nice-plug's JSON, base64 and limit.

use clap_sys::ext::state::clap_plugin_state;
use clap_sys::plugin::clap_plugin;
use clap_sys::stream::{clap_istream, clap_ostream};

use super::instance;
use crate::guard::{guard, injected};

pub(super) static EXTENSION: clap_plugin_state = clap_plugin_state { save: Some(save), load: Some(load) };

/// Bytes asked for at once.
const PIECE: usize = 256 * 1024;

unsafe extern "C" fn save(plugin: *const clap_plugin, stream: *const clap_ostream) -> bool {
    guard(false, || {
        // SAFETY: the host passes a plugin of ours that it has not destroyed.
        let Some(this) = (unsafe { instance::of(plugin) }) else { return false };
        this.meet_bypass();
        injected("clap save");
        let bytes = this.shared.save();
        this.log();
        // SAFETY: `stream` is valid over the call (CLAP `ext/state.h`).
        bytes.is_some_and(|bytes| unsafe { write(stream, &bytes) })
    })
}

unsafe extern "C" fn load(plugin: *const clap_plugin, stream: *const clap_istream) -> bool {
    guard(false, || {
        // SAFETY: the host passes a plugin of ours that it has not destroyed.
        let Some(this) = (unsafe { instance::of(plugin) }) else { return false };
        // SAFETY: `stream` is valid over the call (CLAP `ext/state.h`).
        let bytes = unsafe { read(stream) };
        injected("clap load");
        // No bytes are no state: nothing to keep, and the chain stays.
        let loaded = bytes.filter(|bytes| !bytes.is_empty()).is_some_and(|bytes| this.shared.load(&bytes));
        this.meet_bypass();
        this.log();
        loaded
    })
}

/// Writes all of `bytes`; the host may take them in pieces.
///
/// # Safety
/// `stream` is null or valid over the call.
unsafe fn write(stream: *const clap_ostream, mut bytes: &[u8]) -> bool {
    // SAFETY: the caller's word.
    let Some(write) = unsafe { stream.as_ref() }.and_then(|stream| stream.write) else { return false };
    while !bytes.is_empty() {
        // SAFETY: the stream's own function; `bytes` is readable for its length.
        let written = unsafe { write(stream, bytes.as_ptr().cast(), bytes.len() as u64) };
        match usize::try_from(written) {
            Ok(written @ 1..) => bytes = bytes.get(written..).unwrap_or_default(),
            _ => return false,
        }
    }
    true
}

/// Reads to the end; the host may give it in pieces.
///
/// # Safety
/// `stream` is null or valid over the call.
unsafe fn read(stream: *const clap_istream) -> Option<Vec<u8>> {
    // SAFETY: the caller's word.
    let read = unsafe { stream.as_ref() }?.read?;
    let mut bytes = Vec::new();
    loop {
        let at = bytes.len();
        bytes.resize(at + PIECE, 0);
        // SAFETY: the stream's own function; there is room for PIECE bytes from `at`.
        let got = unsafe { read(stream, bytes[at..].as_mut_ptr().cast(), PIECE as u64) };
        let got = usize::try_from(got).ok()?;
        bytes.truncate(at + got.min(PIECE));
        if got == 0 {
            return Some(bytes);
        }
    }
}
