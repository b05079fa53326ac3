//! Writing wav files.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::Shape;
use super::temp::Unfinished;
use crate::cli::Failure;

/// Bytes of samples that a wav file can hold: its lengths are 32-bit, and its header counts too.
const MAX_BYTES: u64 = u32::MAX as u64 - 4096;

/// How samples are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WavFormat {
    /// 8-bit whole numbers.
    Int8,
    /// 16-bit whole numbers.
    Int16,
    /// 24-bit whole numbers.
    Int24,
    /// 32-bit whole numbers.
    Int32,
    /// 32-bit floating point.
    Float32,
}

impl WavFormat {
    /// Bits of one sample.
    pub fn bits(self) -> u16 {
        match self {
            Self::Int8 => 8,
            Self::Int16 => 16,
            Self::Int24 => 24,
            Self::Int32 | Self::Float32 => 32,
        }
    }

    /// As shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int8 => "8 bit",
            Self::Int16 => "16 bit",
            Self::Int24 => "24 bit",
            Self::Int32 => "32 bit",
            Self::Float32 => "32 bit float",
        }
    }
}

/// A wav file being written. It takes its place only when it is [finished](Sink::finish).
pub struct Sink {
    path: PathBuf,
    file: Unfinished,
    writer: hound::WavWriter<BufWriter<File>>,
    format: WavFormat,
    bytes: u64,
    /// Samples that were too loud for whole numbers, and were cut.
    pub clipped: u64,
    /// Highest level, linear.
    pub peak: f32,
}

impl Sink {
    /// Begins the file that will be `path`.
    pub fn create(path: &Path, shape: Shape, format: WavFormat) -> Result<Self, Failure> {
        let file = Unfinished::create(path).map_err(|error| Failure::io(path, &error))?;
        let shared = file.handle().map_err(|error| Failure::io(path, &error))?;
        let spec = hound::WavSpec {
            channels: shape.channels,
            sample_rate: shape.rate,
            bits_per_sample: format.bits(),
            sample_format: match format {
                WavFormat::Float32 => hound::SampleFormat::Float,
                _ => hound::SampleFormat::Int,
            },
        };
        let writer = hound::WavWriter::new(BufWriter::with_capacity(1 << 18, shared), spec);
        let writer = writer.map_err(|error| refused(path, error))?;
        Ok(Self { path: path.into(), file, writer, format, bytes: 0, clipped: 0, peak: 0.0 })
    }

    /// How its samples are stored.
    pub fn format(&self) -> WavFormat {
        self.format
    }

    /// Adds interleaved samples.
    pub fn write(&mut self, samples: &[f32]) -> Result<(), Failure> {
        self.bytes += samples.len() as u64 * u64::from(self.format.bits() / 8);
        if self.bytes > MAX_BYTES {
            let path = self.path.display();
            return Err(Failure::failed(format!(
                "{path}: would pass 4 GiB, the most a wav file holds; render in parts"
            )));
        }
        for sample in samples {
            self.peak = self.peak.max(sample.abs());
            let written = match self.format {
                WavFormat::Float32 => self.writer.write_sample(*sample),
                format => {
                    let (value, clipped) = whole(*sample, format.bits());
                    self.clipped += u64::from(clipped);
                    self.writer.write_sample(value)
                }
            };
            written.map_err(|error| refused(&self.path, error))?;
        }
        Ok(())
    }

    /// Completes the file and puts it in its place.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { path, file, writer, .. } = self;
        writer.finalize().map_err(|error| refused(&path, error))?;
        file.keep().map_err(|error| Failure::io(&path, &error))
    }
}

/// `sample` as a whole number of `bits`, and whether it was too loud. Full scale is 2^(bits - 1), so a file of whole
/// numbers that passes unchanged keeps its bits.
fn whole(sample: f32, bits: u16) -> (i32, bool) {
    let scale = f64::from(1u32 << (bits - 1));
    let value = (f64::from(sample) * scale).round();
    // Full scale itself is one step too high for the positive side, and not worth a word.
    let clipped = value > scale || value < -scale;
    (value.clamp(-scale, scale - 1.0) as i32, clipped)
}

fn refused(path: &Path, error: hound::Error) -> Failure {
    match error {
        hound::Error::IoError(error) => Failure::io(path, &error),
        other => Failure::failed(format!("{}: {other}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_keep_their_bits_and_too_loud_ones_are_cut() {
        for value in [-32768, -1, 0, 1, 32767] {
            assert_eq!(whole(value as f32 / 32768.0, 16), (value, false));
        }
        assert_eq!(whole(8_388_607.0 / 8_388_608.0, 24), (8_388_607, false));
        assert_eq!(whole(1.0, 16), (32767, false));
        assert_eq!(whole(1.5, 16), (32767, true));
        assert_eq!(whole(-1.5, 16), (-32768, true));
    }
}
