//! `clap.latency`: a value of our own. nice-plug's is set too late (after the instance counts as active), which costs
//! a second restart at each change.

use clap_sys::ext::latency::clap_plugin_latency;
use clap_sys::plugin::clap_plugin;

use super::instance;
use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_latency = clap_plugin_latency { get: Some(get) };

unsafe extern "C" fn get(plugin: *const clap_plugin) -> u32 {
    // SAFETY: the host passes a plugin of ours that it has not destroyed.
    guard(0, || unsafe { instance::of(plugin) }.map_or(0, |this| this.shared.latency_told()))
}
