//! Audio files: wav, flac and ogg in, wav out. Samples pass as interleaved `f32`.

mod read;
mod resample;
mod temp;
mod write;

pub use read::Source;
pub use resample::Resampled;
pub use write::{Sink, WavFormat};

/// Shape of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Sample rate, Hz.
    pub rate: u32,
    /// Channels.
    pub channels: u16,
}
