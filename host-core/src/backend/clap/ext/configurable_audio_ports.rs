//! `clap.configurable-audio-ports`: asks for channel counts outright.

use clack_extensions::configurable_audio_ports::{
    AudioPortRequest, AudioPortRequestDetails, PluginConfigurableAudioPorts,
};

use crate::backend::clap::main::ClapMain;
use crate::model::{AudioBus, BusRole, PortLayout};

fn details(channels: u16) -> AudioPortRequestDetails<'static> {
    match channels {
        1 => AudioPortRequestDetails::mono(),
        2 => AudioPortRequestDetails::stereo(),
        other => AudioPortRequestDetails::untyped(other.into()),
    }
}

/// The plugin's own index of its main bus: the model leaves out buses without channels.
fn main_index(all: &[u16], buses: &[AudioBus]) -> Option<u32> {
    let nth = PortLayout::find(buses, BusRole::Main)?;
    let mut shown = all.iter().enumerate().filter(|(_, channels)| **channels > 0);
    shown.nth(nth).map(|(index, _)| index as u32)
}

impl ClapMain {
    /// Asks for main buses of that many channels. False: it does not take them. `[home & !active]`
    pub(in crate::backend::clap) fn request_channels(&mut self, inputs: u16, outputs: u16) -> bool {
        let sides = [
            (true, inputs, main_index(&self.layout.inputs, &self.layout.ports.inputs)),
            (false, outputs, main_index(&self.layout.outputs, &self.layout.ports.outputs)),
        ];
        let requests: Vec<_> = sides
            .iter()
            .filter_map(|&(input, channels, index)| Some(AudioPortRequest::new(input, index?, details(channels))))
            .collect();
        let Some(mut plugin) = self.instance.inactive_plugin_handle() else { return false };
        let Some(extension) = plugin.get_extension::<PluginConfigurableAudioPorts>() else { return false };
        !requests.is_empty()
            && extension.can_apply_configuration(&mut plugin, &requests)
            && extension.apply_configuration(&mut plugin, &requests)
    }
}
