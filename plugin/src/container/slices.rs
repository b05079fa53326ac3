//! One part of a host's block, of at most 8192 frames, as the engine takes it.

use std::ops::Range;

use host_core::backend::audio::{Event, EventBuffer, Transport};
use host_core::engine::{ContainerBlock, Processor};
use nice_plug::prelude::AuxiliaryBuffers;

use super::{EVENTS, Flavour, clamp_frame};

/// Most channels of the main signal.
const MAIN: usize = 8;
/// Most channels of all sidechains.
const SIDECHAIN: usize = 2;
/// Most channels of all auxiliary outputs.
const AUX: usize = 16;

/// The part of a call that is run at once.
pub struct Part<'a, 'b, 'c> {
    /// The main signal of the whole call, in place.
    pub main: &'a mut [&'b mut [f32]],
    /// Sidechain and auxiliary outputs of the whole call.
    pub aux: &'a mut AuxiliaryBuffers<'c>,
    /// The part's frames in the call.
    pub range: Range<usize>,
    /// The transport at the part's first frame.
    pub transport: Option<Transport>,
    /// The container's bypass.
    pub bypass: bool,
}

/// Event buffers of one part.
pub struct Slices {
    input: EventBuffer,
    output: EventBuffer,
}

impl Slices {
    /// Buffers with room for a block's events. `[any but audio]`
    pub fn new() -> Self {
        Self { input: EventBuffer::new(EVENTS, true), output: EventBuffer::new(EVENTS, true) }
    }

    /// Runs the engine over `part`. `events` are the call's, `emit` takes what comes out, with frames counted from
    /// the call's start. `[audio]`
    pub fn run<F: Flavour>(
        &mut self,
        processor: &mut Processor,
        part: &mut Part<'_, '_, '_>,
        events: &EventBuffer,
        emit: &mut impl FnMut(u32, &Event, &[u8]),
    ) {
        let range = part.range.clone();
        self.input.clear();
        self.output.clear();
        for (event, bytes) in events.iter() {
            let frame = usize::from(event.frame);
            if range.contains(&frame) {
                self.input.copy(clamp_frame((frame - range.start) as u32), event, bytes);
            }
        }
        let channels = part.main.len().min(MAIN);
        let mut main = part.main.iter_mut();
        let mut main: [&mut [f32]; MAIN] =
            std::array::from_fn(|_| main.next().map_or(&mut [][..], |channel| &mut channel[range.clone()]));

        let mut sidechain = part.aux.inputs.iter_mut().flat_map(|port| port.as_slice_immutable().iter());
        let mut sidechains = 0;
        let sidechain: [&[f32]; SIDECHAIN] = std::array::from_fn(|_| {
            sidechain.next().map_or(&[][..], |channel| {
                sidechains += 1;
                &channel[range.clone()]
            })
        });

        let mut outs = part.aux.outputs.iter_mut().flat_map(|port| port.as_slice().iter_mut());
        let mut aux_channels = 0;
        let mut aux: [&mut [f32]; AUX] = std::array::from_fn(|_| {
            outs.next().map_or(&mut [][..], |channel| {
                aux_channels += 1;
                &mut channel[range.clone()]
            })
        });

        F::run(
            processor,
            &mut ContainerBlock {
                main: &mut main[..channels],
                sidechain: &sidechain[..sidechains],
                aux: &mut aux[..aux_channels],
                events_in: &mut self.input,
                events_out: &mut self.output,
                transport: part.transport,
                bypass: part.bypass,
            },
        );
        for (event, bytes) in self.output.iter() {
            emit(range.start as u32 + u32::from(event.frame), event, bytes);
        }
    }
}

/// Readies the main signal where outputs are more than inputs: a mono input goes to all, no input is silence. `[audio]`
pub fn spread_mono(main: &mut [&mut [f32]], inputs: u16) {
    match (inputs, main) {
        (0, main) => main.iter_mut().for_each(|channel| channel.fill(0.0)),
        (1, [first, rest @ ..]) => rest.iter_mut().for_each(|channel| channel.copy_from_slice(first)),
        _ => {}
    }
}
