//! `clap.tail`.

use clap_sys::ext::tail::clap_plugin_tail;
use clap_sys::plugin::clap_plugin;

use super::instance;
use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_tail = clap_plugin_tail { get: Some(get) };

/// Frames; from `i32::MAX` on it means for ever (CLAP `ext/tail.h`), as `u32::MAX` does with us.
unsafe extern "C" fn get(plugin: *const clap_plugin) -> u32 {
    // SAFETY: the host passes a plugin of ours that it has not destroyed.
    guard(0, || unsafe { instance::of(plugin) }.map_or(0, |this| this.shared.tail()))
}
