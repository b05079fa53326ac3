//! ALSA: the sound card by cpal, MIDI by the sequencer.

mod midi;
mod stream;

use ::alsa::Output;
use cpal::traits::{DeviceTrait, HostTrait};
use cpal::{Device, HostId};

pub use stream::open;

/// The device that sound would go to, as shown.
pub fn device() -> Result<String, String> {
    // The library writes to standard error on its own; what matters is told by us.
    let _quiet = Output::local_error_handler();
    let device = find(None)?;
    device.default_output_config().map_err(|error| format!("ALSA: the sound card cannot be used: {error}"))?;
    Ok(name_of(&device))
}

fn find(name: Option<&str>) -> Result<Device, String> {
    let host = cpal::host_from_id(HostId::Alsa).map_err(|error| format!("ALSA: {error}"))?;
    let Some(name) = name else {
        return host.default_output_device().ok_or_else(|| "ALSA: there is no sound card".to_owned());
    };
    let mut devices = host.devices().map_err(|error| format!("ALSA: {error}"))?;
    let found = devices.find(|device| {
        let id = device.id().map(|id| id.to_string()).unwrap_or_default();
        id == name || id.strip_prefix("alsa:") == Some(name) || name_of(device) == name
    });
    found.ok_or_else(|| format!("ALSA: there is no device \"{name}\"; `aplay -L` lists them"))
}

fn name_of(device: &Device) -> String {
    device.description().map_or_else(|_| "the default device".into(), |description| description.to_string())
}
