//! What a slot's buffers are made for.

use super::FADE_SECONDS;
use crate::engine::delay::DelayLine;

/// One thing per delay line of a slot.
pub struct Lines<T> {
    /// The slot's own dry signal: the slot's latency.
    pub dry: T,
    /// What the slot's sidechain hears: the latency before the slot, less that before the source.
    pub sidechain: T,
    /// The slot's auxiliary outputs: the latency after the slot.
    pub aux: T,
}

/// Sizes that a slot's buffers are made for.
pub struct Shape {
    /// Channels of the chain.
    pub channels: usize,
    /// Channels of what its sidechain may hear, 0 for none.
    pub sidechain: usize,
    /// Channels of the auxiliary outputs, 0 where the plugin has no further outputs.
    pub aux: usize,
    /// How many further outputs the plugin has.
    pub aux_outputs: usize,
    /// Largest block, frames.
    pub max_block: u32,
    /// Sample rate, Hz.
    pub rate: f64,
    /// The plugin makes MIDI.
    pub makes_midi: bool,
}

impl Shape {
    /// A delay line for this shape. `[home]`
    pub fn line(&self, channels: usize, longest: u32) -> DelayLine {
        DelayLine::new(channels, longest, self.max_block, self.frames(FADE_SECONDS))
    }

    /// `[home]`
    pub fn frames(&self, seconds: f64) -> u32 {
        (self.rate * seconds) as u32
    }
}
