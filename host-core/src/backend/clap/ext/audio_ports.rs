//! `clap.audio-ports`: read while inactive. Buffers of input and output are always apart, which suits every
//! `in_place_pair`, and 32-bit floats, which every port takes by the specification.

use clack_extensions::audio_ports::{
    AudioPortFlags, AudioPortInfoBuffer, AudioPortRescanFlags, HostAudioPortsImpl, PluginAudioPorts,
};
use clack_host::prelude::PluginMainThreadHandle;

use super::text;
use crate::backend::clap::host::HomeSide;
use crate::backend::clap::layout::{Layout, MAX_BUSES, MAX_CHANNELS};
use crate::backend::clap::requests::Ask;
use crate::model::{AudioBus, BusRole};

impl HostAudioPortsImpl for HomeSide {
    fn is_rescan_flag_supported(&self, _flag: AudioPortRescanFlags) -> bool {
        true
    }

    fn rescan(&self, _flags: AudioPortRescanFlags) {
        self.common.expect_home();
        self.common.ask(Ask::Ports);
    }
}

/// Reads all buses into `layout`. The error says what is wrong with them. `[home & !active]`
pub fn read(plugin: &PluginMainThreadHandle<'_>, layout: &mut Layout) -> Result<(), String> {
    let Some(extension) = plugin.get_extension::<PluginAudioPorts>() else { return Ok(()) };
    (layout.inputs, layout.ports.inputs) = read_side(&extension, plugin, true)?;
    (layout.outputs, layout.ports.outputs) = read_side(&extension, plugin, false)?;
    Ok(())
}

type Side = (Vec<u16>, Vec<AudioBus>);

fn read_side(ports: &PluginAudioPorts, plugin: &PluginMainThreadHandle<'_>, input: bool) -> Result<Side, String> {
    let side = if input { "inputs" } else { "outputs" };
    let count = ports.count(plugin, input);
    if count > MAX_BUSES {
        return Err(format!("it counts {count} audio {side}; Catena takes at most {MAX_BUSES}"));
    }
    let mut all = Vec::new();
    let mut buses: Vec<(AudioBus, bool)> = Vec::new();
    for index in 0..count {
        // A fresh buffer for each: a plugin that fills in nothing must not be given the one before.
        let mut buffer = AudioPortInfoBuffer::new();
        let Some(info) = ports.get(plugin, index, input, &mut buffer) else {
            all.push(0);
            continue;
        };
        if info.channel_count > MAX_CHANNELS {
            let channels = info.channel_count;
            return Err(format!(
                "one of its audio {side} has {channels} channels; Catena takes at most {MAX_CHANNELS}"
            ));
        }
        let channels = info.channel_count as u16;
        all.push(channels);
        if channels > 0 {
            let name = text(info.name);
            buses.push((AudioBus { name, channels, role: BusRole::Aux }, info.flags.contains(AudioPortFlags::IS_MAIN)));
        }
    }
    Ok((all, roles(buses, input)))
}

/// The first bus flagged main is the main one, else the first of all; the next input after it is the sidechain.
fn roles(buses: Vec<(AudioBus, bool)>, input: bool) -> Vec<AudioBus> {
    let main = buses.iter().position(|(_, main)| *main).unwrap_or(0);
    let mut sidechain = !input;
    let role = |index: usize, sidechain: &mut bool| match index {
        _ if index == main => BusRole::Main,
        _ if *sidechain => BusRole::Aux,
        _ => {
            *sidechain = true;
            BusRole::Sidechain
        }
    };
    let named = buses.into_iter().enumerate();
    named.map(|(index, (bus, _))| AudioBus { role: role(index, &mut sidechain), ..bus }).collect()
}
