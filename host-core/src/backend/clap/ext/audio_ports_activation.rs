//! `clap.audio-ports-activation`: every port is used, as 32-bit floats; said anew before each activation, since an instance
//! may have been told otherwise by a state.

use clack_extensions::audio_ports_activation::{PluginAudioPortsActivation, SampleSize};

use crate::backend::clap::main::ClapMain;

impl ClapMain {
    /// Tells the plugin that all its ports are used. `[home & !active]`
    pub(in crate::backend::clap) fn activate_ports(&mut self) {
        let (inputs, outputs) = (self.layout.inputs.len() as u32, self.layout.outputs.len() as u32);
        let Some(mut plugin) = self.instance.inactive_plugin_handle() else { return };
        let Some(extension) = plugin.get_extension::<PluginAudioPortsActivation>() else { return };
        for (is_input, count) in [(true, inputs), (false, outputs)] {
            for index in 0..count {
                extension.set_active_audio_inactive(&mut plugin, is_input, index, true, SampleSize::Float32);
            }
        }
    }
}
