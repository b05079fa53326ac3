//! `clap.render`: nice-plug's, which asks for a restart so that the chain hears of it in `activate`; the flag goes
//! into each block's transport at once.

use clap_sys::ext::render::{CLAP_EXT_RENDER, CLAP_RENDER_OFFLINE, clap_plugin_render, clap_plugin_render_mode};
use clap_sys::plugin::clap_plugin;

use super::instance;
use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_render =
    clap_plugin_render { has_hard_realtime_requirement: Some(has_hard_realtime_requirement), set: Some(set) };

unsafe extern "C" fn has_hard_realtime_requirement(_plugin: *const clap_plugin) -> bool {
    false
}

unsafe extern "C" fn set(plugin: *const clap_plugin, mode: clap_plugin_render_mode) -> bool {
    guard(false, || {
        // SAFETY: the host passes a plugin of ours that it has not destroyed.
        let Some(this) = (unsafe { instance::of(plugin) }) else { return false };
        this.shared.set_offline(mode == CLAP_RENDER_OFFLINE);
        let Some(get) = this.inner().get_extension else { return false };
        // SAFETY: nice-plug's own functions on a plugin with nice-plug's own data; it answers this id with this struct.
        let render = unsafe { get(plugin, CLAP_EXT_RENDER.as_ptr()).cast::<clap_plugin_render>().as_ref() };
        // SAFETY: as above.
        render.and_then(|render| render.set).is_some_and(|set| unsafe { set(plugin, mode) })
    })
}
