//! `clap.audio-ports-config`: layouts that a plugin offers by name.

use clack_extensions::audio_ports_config::{AudioPortsConfigBuffer, HostAudioPortsConfigImpl, PluginAudioPortsConfig};

use crate::backend::clap::host::HomeSide;
use crate::backend::clap::main::ClapMain;
use crate::backend::clap::requests::Ask;

/// Most layouts looked at.
const MOST: u32 = 256;

impl HostAudioPortsConfigImpl for HomeSide {
    fn rescan(&self) {
        self.common.expect_home();
        self.common.ask(Ask::Ports);
    }
}

impl ClapMain {
    /// Selects the first layout with such main buses. False: it offers none. `[home & !active]`
    pub(in crate::backend::clap) fn select_config(&mut self, inputs: u16, outputs: u16) -> bool {
        let Some(plugin) = self.instance.inactive_plugin_handle() else { return false };
        let Some(extension) = plugin.get_extension::<PluginAudioPortsConfig>() else { return false };
        let fitting = (0..extension.count(&plugin).min(MOST)).find_map(|index| {
            let mut buffer = AudioPortsConfigBuffer::new();
            let config = extension.get(&plugin, index, &mut buffer)?;
            let channels = |port: &Option<clack_extensions::audio_ports_config::MainPortInfo<'_>>| {
                port.as_ref().map_or(0, |port| port.channel_count)
            };
            let fits = channels(&config.main_input) == u32::from(inputs)
                && channels(&config.main_output) == u32::from(outputs);
            fits.then_some(config.id)
        });
        fitting.is_some_and(|id| extension.select(&plugin, id).is_ok())
    }
}
