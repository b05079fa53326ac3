//! `clap.render`: tells a plugin that quality may take its time.

use clack_extensions::render::{PluginRender, RenderMode};

use crate::backend::clap::main::ClapMain;

impl ClapMain {
    /// Sets the mode where the plugin has one. A plugin that must run in real time keeps doing so. `[home]`
    pub(in crate::backend::clap) fn set_render(&mut self, offline: bool) {
        let plugin = self.instance.plugin_handle();
        let Some(render) = plugin.get_extension::<PluginRender>() else { return };
        if offline && render.has_realtime_requirement(&plugin) {
            return;
        }
        let mode = if offline { RenderMode::Offline } else { RenderMode::Realtime };
        if render.set(&plugin, mode).is_err() && offline {
            self.common.log(crate::backend::log::Level::Info, "did not take the offline mode");
        }
    }
}
