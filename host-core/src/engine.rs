//! The real-time engine: walks a plan, block by block.

use crate::backend::audio::{EventBuffer, Transport};

/// What a container gives the engine for one block.
pub struct ContainerBlock<'a, 'b> {
    /// The main signal, in place: one slice per channel, all of one length (1 to 8192 frames; longer blocks
    /// are cut by the engine).
    pub main: &'a mut [&'b mut [f32]],
    /// The container's sidechain; fewer channels than the engine was made for are taken as silent.
    pub sidechain: &'a [&'b [f32]],
    /// Auxiliary outputs, two channels each, written by the engine.
    pub aux: &'a mut [&'b mut [f32]],
    /// MIDI from the host, any order; frames are counted from the start of this block.
    pub events_in: &'a mut EventBuffer,
    /// MIDI to the host.
    pub events_out: &'a mut EventBuffer,
    /// The host's transport.
    pub transport: Option<Transport>,
    /// The container's own bypass as the host wants it now.
    pub bypass: bool,
}

/// The audio thread's end of a chain. Owned by the container.
pub struct Processor {
    _todo: (),
}

impl Processor {
    pub(crate) fn new() -> Self {
        Self { _todo: () }
    }

    /// Runs one block. Passes the delayed input where the chain cannot run. `[audio]`
    pub fn process(&mut self, _block: &mut ContainerBlock<'_, '_>) {}

    /// Forgets everything that still sounds: the host asked for it. A reset that belongs to a restart which our
    /// own latency change asked for is ignored. `[audio]`
    pub fn reset(&mut self) {}

    /// Frames the chain sounds on after silence: latency plus the longest path's tails; `u32::MAX` for ever. `[audio]`
    pub fn tail(&self) -> u32 {
        0
    }
}
