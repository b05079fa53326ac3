//! A source at another sample rate, with the resampler's own delay taken out.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Indexing, Resampler};

use super::{Shape, Source};
use crate::cli::Failure;

/// Frames that go into the resampler at once.
const CHUNK: usize = 4096;

/// A file's samples at a wanted rate.
pub struct Resampled {
    source: Source,
    /// Rate and channels of what comes out.
    pub shape: Shape,
    engine: Option<Engine>,
}

struct Engine {
    fft: Fft<f64>,
    waiting: Vec<f64>,
    made: Vec<f64>,
    out: Vec<f32>,
    /// Frames of delay still to be dropped.
    skip: usize,
    given: u64,
    ended: bool,
    from: u64,
    to: u64,
}

impl Resampled {
    /// `source` at `rate`; unchanged where that is its own.
    pub fn new(source: Source, rate: u32) -> Result<Self, Failure> {
        let Shape { rate: from, channels } = source.shape;
        let engine = if from == rate { None } else { Some(Engine::new(from, rate, channels)?) };
        Ok(Self { shape: Shape { rate, channels }, source, engine })
    }

    /// The file behind it.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The next samples, interleaved; none at the end.
    pub fn next(&mut self) -> Result<Option<&[f32]>, Failure> {
        let Some(engine) = &mut self.engine else { return self.source.next() };
        let channels = usize::from(self.shape.channels);
        loop {
            let need = engine.fft.input_frames_next() * channels;
            while engine.waiting.len() < need && !engine.ended {
                match self.source.next()? {
                    Some(samples) => engine.waiting.extend(samples.iter().map(|sample| f64::from(*sample))),
                    None => engine.ended = true,
                }
            }
            let total = engine.length(self.source.read);
            if engine.ended && engine.given >= total {
                return Ok(None);
            }
            let limit = if engine.ended { total } else { u64::MAX };
            engine.step(channels, limit)?;
            if !engine.out.is_empty() {
                break;
            }
        }
        Ok(self.engine.as_ref().map(|engine| &engine.out[..]))
    }
}

impl Engine {
    fn new(from: u32, to: u32, channels: u16) -> Result<Self, Failure> {
        let fft = Fft::new(from as usize, to as usize, CHUNK, channels.into(), FixedSync::Input)
            .map_err(|error| Failure::failed(format!("{from} Hz cannot be brought to {to} Hz: {error}")))?;
        let made = vec![0.0; fft.output_frames_max() * usize::from(channels)];
        let skip = fft.output_delay();
        let (from, to) = (from.into(), to.into());
        Ok(Self { fft, waiting: Vec::new(), made, out: Vec::new(), skip, given: 0, ended: false, from, to })
    }

    /// Frames that come out of `frames`; exact, so that a second stays a second.
    fn length(&self, frames: u64) -> u64 {
        (u128::from(frames) * u128::from(self.to)).div_ceil(self.from.into()) as u64
    }

    /// Turns one chunk over; past the source's end it is filled up with silence.
    fn step(&mut self, channels: usize, limit: u64) -> Result<(), Failure> {
        let frames = self.fft.input_frames_next();
        let have = (self.waiting.len() / channels).min(frames);
        let indexing = Indexing::new().partial_len(have);
        let room = self.made.len() / channels;
        let failed =
            |error: &dyn std::fmt::Display| Failure::failed(format!("the sample rate conversion failed: {error}"));
        let input = InterleavedSlice::new(&self.waiting[..have * channels], channels, have).map_err(|e| failed(&e))?;
        let mut output = InterleavedSlice::new_mut(&mut self.made[..], channels, room).map_err(|e| failed(&e))?;
        let partial = (have < frames).then_some(&indexing);
        let (_, made) = self.fft.process_into_buffer(&input, &mut output, partial).map_err(|e| failed(&e))?;
        self.waiting.drain(..have * channels);
        let skipped = self.skip.min(made);
        self.skip -= skipped;
        let keep = ((made - skipped) as u64).min(limit.saturating_sub(self.given)) as usize;
        let kept = &self.made[skipped * channels..(skipped + keep) * channels];
        self.out.clear();
        self.out.extend(kept.iter().map(|sample| *sample as f32));
        self.given += keep as u64;
        Ok(())
    }
}
