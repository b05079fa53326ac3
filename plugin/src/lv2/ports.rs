//! The ports of a plugin, in the one order that the Turtle tells and the host's indices follow: every parameter, a
//! bypass last among them; `freeWheeling`; latency; audio in, sidechains, audio out, auxiliary outs; atoms in and out.

use std::ops::Range;

use nice_plug::prelude::{AudioIOLayout, NonZeroU32};

/// Indices of a plugin's ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ports {
    /// Control ports of parameters, which are the first.
    pub params: usize,
    /// `lv2:freeWheeling`.
    pub free_wheeling: usize,
    /// `lv2:reportsLatency`.
    pub latency: usize,
    /// Channels of the main input.
    pub inputs: Range<usize>,
    /// Channels of each sidechain.
    pub sidechains: Vec<Range<usize>>,
    /// Channels of the main output.
    pub outputs: Range<usize>,
    /// Channels of each auxiliary output.
    pub aux: Vec<Range<usize>>,
    /// MIDI and the song's position.
    pub atoms_in: usize,
    /// MIDI, and that the state has changed.
    pub atoms_out: usize,
}

impl Ports {
    /// The ports of a plugin with `params` parameters and the channels of `layout`. `[any but audio]`
    pub fn new(params: usize, layout: &AudioIOLayout) -> Self {
        let mut next = params + 2;
        let mut range = |channels: u32| {
            let from = next;
            next += channels as usize;
            from..next
        };
        let inputs = range(layout.main_input_channels.map_or(0, NonZeroU32::get));
        let sidechains = layout.aux_input_ports.iter().map(|port| range(port.get())).collect();
        let outputs = range(layout.main_output_channels.map_or(0, NonZeroU32::get));
        let aux = layout.aux_output_ports.iter().map(|port| range(port.get())).collect();
        Self {
            params,
            free_wheeling: params,
            latency: params + 1,
            inputs,
            sidechains,
            outputs,
            aux,
            atoms_in: next,
            atoms_out: next + 1,
        }
    }

    /// How many there are. `[any]`
    pub fn count(&self) -> usize {
        self.atoms_out + 1
    }
}
