//! Aligned sample buffers, one per port channel.

use bytemuck::{Pod, Zeroable};
use smallvec::SmallVec;

use crate::model::PortLayout;

/// One cache line of samples.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([f32; 16]);

/// Samples of one channel, 64-byte aligned, of fixed length.
pub struct Samples {
    lines: Box<[Line]>,
    len: usize,
}

impl Samples {
    /// `len` frames of silence. `[home]`
    pub fn new(len: usize) -> Self {
        Self { lines: vec![Line::zeroed(); len.div_ceil(16).max(1)].into(), len }
    }
}

impl std::ops::Deref for Samples {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl std::ops::DerefMut for Samples {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}

/// The channels of one bus. Those of a stereo bus, and a plugin's only bus, lie where it lies itself: the way to the samples is
/// short when the plugin before has emptied the caches.
pub struct Bus {
    /// One buffer per channel; all of one length.
    pub channels: SmallVec<[Samples; 2]>,
}

impl Bus {
    /// A silent bus. `[home]`
    pub fn new(channels: usize, frames: usize) -> Self {
        Self { channels: (0..channels).map(|_| Samples::new(frames)).collect() }
    }
}

/// All audio buffers of a plugin, in the order of its [`PortLayout`].
pub struct PortBuffers {
    /// Inputs; the plugin only reads them.
    pub inputs: SmallVec<[Bus; 1]>,
    /// Outputs; valid after a run for that block's frames.
    pub outputs: SmallVec<[Bus; 1]>,
}

impl PortBuffers {
    /// Buffers for `ports` of `max_block` frames each. `[home]`
    pub fn new(ports: &PortLayout, max_block: u32) -> Self {
        let make = |buses: &[crate::model::AudioBus]| {
            buses.iter().map(|bus| Bus::new(bus.channels.into(), max_block as usize)).collect()
        };
        Self { inputs: make(&ports.inputs), outputs: make(&ports.outputs) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_aligned_and_as_long_as_asked() {
        for len in [1, 15, 16, 17, 8192] {
            let mut samples = Samples::new(len);
            assert_eq!(samples.len(), len);
            assert_eq!(samples.as_ptr() as usize % 64, 0);
            samples[len - 1] = 1.0;
            assert_eq!(samples[len - 1], 1.0);
        }
    }
}
