//! Audio buses and event ports of a plugin or of a container.

use serde::{Deserialize, Serialize};

/// What a bus is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BusRole {
    /// The signal itself.
    Main,
    /// A second input that steers the plugin.
    Sidechain,
    /// A further output or input (multi-out instruments).
    Aux,
    /// Control voltage: audio-rate values that are no sound.
    Cv,
}

/// One audio bus: channels that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AudioBus {
    /// The bus's name, as the plugin gives it.
    pub name: String,
    /// How many channels it has, at least 1.
    pub channels: u16,
    /// What it is for.
    pub role: BusRole,
}

/// All audio buses and event ports of a plugin, in the plugin's own order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortLayout {
    /// Audio inputs.
    pub inputs: Vec<AudioBus>,
    /// Audio outputs.
    pub outputs: Vec<AudioBus>,
    /// Whether MIDI or notes go in.
    pub midi_in: bool,
    /// Whether MIDI or notes come out.
    pub midi_out: bool,
}

impl PortLayout {
    /// Index of the first bus with `role` among `buses`.
    pub fn find(buses: &[AudioBus], role: BusRole) -> Option<usize> {
        buses.iter().position(|bus| bus.role == role)
    }

    /// Channels of the main input, 0 where there is none.
    pub fn main_inputs(&self) -> u16 {
        Self::find(&self.inputs, BusRole::Main).map_or(0, |bus| self.inputs[bus].channels)
    }

    /// Channels of the main output, 0 where there is none.
    pub fn main_outputs(&self) -> u16 {
        Self::find(&self.outputs, BusRole::Main).map_or(0, |bus| self.outputs[bus].channels)
    }

    /// Whether something beside the main input can steer the plugin.
    pub fn has_sidechain(&self) -> bool {
        Self::find(&self.inputs, BusRole::Sidechain).is_some()
    }

    /// Whether the plugin makes sound from notes alone.
    pub fn is_instrument(&self) -> bool {
        self.midi_in && self.main_inputs() == 0 && self.main_outputs() > 0
    }
}
