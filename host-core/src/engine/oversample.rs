//! Runs a plugin at a multiple of the chain's rate, between two resamplers whose delay is a whole number of the chain's frames.
//!
//! The filters are windowed sincs that are evaluated exactly where samples lie (rubato's `Nearest`, which for a whole ratio is
//! polyphase filtering): up to 21 kHz of 48 nothing is lost, from 27 kHz on less than -90 dB is left of what folds back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rubato::audioadapter_buffers::direct::SequentialSlice;
use rubato::{
    Async, FixedAsync, Resampler, Resizable, SincInterpolationParameters, SincInterpolationType, WindowFunction,
};

use super::events::{EVENTS, EventDelay};
use super::kernels;
use super::slot::{Instance, MOST_PARAMS};
use crate::backend::audio::{Block, EventBuffer, ParamEvent, PluginAudio, PortBuffers, RunStatus, Transport};
use crate::model::PortLayout;

/// Frames of the chain's rate that each filter is long.
const LENGTH: u32 = 64;
/// The largest multiple.
const MOST: usize = 8;

/// Delay of the way up to a multiple of the rate, frames of the multiple: what rubato's filter makes of `LENGTH`.
const fn up(factor: u32) -> u32 {
    factor * LENGTH / 2 + 2 * factor - 2
}

/// The same of the way down.
const fn down(factor: u32) -> u32 {
    factor * LENGTH / 2 - 1
}

/// Frames of the chain's rate by which what comes in is late when the plugin hears it.
pub fn before(factor: u32) -> u32 {
    if factor > 1 { up(factor).div_ceil(factor) } else { 0 }
}

/// Latency of a plugin with `plugin` frames of its own at its own rate, frames of the chain's rate.
pub fn latency(factor: u32, plugin: u32) -> u32 {
    if factor > 1 {
        before(factor).saturating_add(plugin.saturating_add(down(factor)).div_ceil(factor))
    } else {
        plugin
    }
}

/// How long it sounds on, where the plugin does so for `plugin` frames of its rate, frames of the chain's rate.
pub fn tail(factor: u32, plugin: u32) -> u32 {
    if factor > 1 { plugin.div_ceil(factor).saturating_add(LENGTH) } else { plugin }
}

/// Frames of the plugin's rate that fill a delay up to whole frames of the chain's.
fn rest(delay: u32, factor: usize) -> usize {
    (delay as usize).next_multiple_of(factor) - delay as usize
}

/// A channel on its way from one rate to the other.
struct Way {
    resampler: Async<f32>,
    factor: usize,
    up: bool,
    chunk: usize,
    /// The last samples of the higher rate.
    past: [f32; MOST],
}

impl Way {
    /// Up, or down again, in blocks of at most `frames` of the chain's rate. `None`: that cannot be. `[home]`
    fn new(factor: usize, up: bool, frames: usize) -> Option<Self> {
        let (ratio, chunk, length, points) = match up {
            true => (factor as f64, frames, LENGTH as usize, factor),
            false => (1.0 / factor as f64, frames * factor, LENGTH as usize * factor, 1),
        };
        let parameters = SincInterpolationParameters::new(length, WindowFunction::BlackmanHarris)
            .f_cutoff(1.0)
            .oversampling_factor(points)
            .interpolation(SincInterpolationType::Nearest);
        let resampler = Async::new_sinc(ratio, 1.0, &parameters, chunk, 1, FixedAsync::Input).ok()?;
        let mut way = Self { resampler, factor, up, chunk, past: [0.0; MOST] };
        way.fill();
        Some(way)
    }

    /// Gives it silence until it gives out as much as comes in. `[any]`
    fn fill(&mut self) {
        let silence = [0.0; MOST];
        let mut out = [0.0; MOST];
        let (chunk, made) = if self.up { (1, self.factor) } else { (self.factor, 1) };
        // Its first two chunks are shorter by what lies between its beginning and its middle.
        for _ in 0..4 {
            self.set_chunk(chunk);
            if self.resampler.output_frames_next() != made {
                self.process(&silence[..chunk], &mut out);
            }
        }
    }

    fn set_chunk(&mut self, chunk: usize) -> bool {
        if chunk == self.chunk {
            return true;
        }
        self.chunk = chunk;
        self.resampler.set_chunk_size(chunk).is_ok()
    }

    fn process(&mut self, from: &[f32], to: &mut [f32]) -> bool {
        let room = to.len();
        let (Ok(from), Ok(mut to)) = (SequentialSlice::new(from, 1, from.len()), SequentialSlice::new_mut(to, 1, room))
        else {
            return false;
        };
        self.resampler.process_into_buffer(&from, &mut to, None).is_ok()
    }

    /// From one rate to the other. `[audio]`
    fn run(&mut self, from: &[f32], to: &mut [f32]) -> bool {
        self.set_chunk(from.len()) && self.resampler.output_frames_next() == to.len() && self.process(from, to)
    }

    /// Makes samples of the higher rate late by less than [`MOST`] of them. `[audio]`
    fn shift(&mut self, samples: &mut [f32], by: usize) {
        let kept = samples.len().min(MOST);
        let mut past = self.past;
        past.rotate_left(kept);
        past[MOST - kept..].copy_from_slice(&samples[samples.len() - kept..]);
        if by > 0 {
            let end = samples.len() - by;
            samples.copy_within(..end, by);
            samples[..by].copy_from_slice(&self.past[MOST - by..]);
        }
        self.past = past;
    }

    /// Forgets what is under way. `[audio]`
    fn reset(&mut self) {
        self.resampler.reset();
        self.chunk = 0;
        self.past = [0.0; MOST];
        self.fill();
    }
}

/// A plugin between two resamplers.
pub struct Oversample {
    inner: Instance,
    buffers: PortBuffers,
    factor: usize,
    /// Latency of the plugin at its own rate, re-blocking included, where it does not tell while it runs.
    told: Arc<AtomicU32>,
    /// By channel, over all buses.
    ups: Vec<Way>,
    downs: Vec<Way>,
    /// Makes events as late as the sound is on its way up.
    delay: EventDelay,
    late: u32,
    came: EventBuffer,
    events: EventBuffer,
    made: EventBuffer,
    params: Vec<ParamEvent>,
}

impl Oversample {
    /// Runs `inner`, which was activated with `factor` (2, 4 or 8) times the rate and `max_block`, at that rate. Gives it back where
    /// there can be no resamplers. `[home]`
    pub fn new(
        inner: Instance,
        factor: u32,
        told: Arc<AtomicU32>,
        ports: &PortLayout,
        max_block: u32,
    ) -> Result<Self, Instance> {
        let buffers = PortBuffers::new(ports, max_block);
        let ways = |buses: &[crate::model::AudioBus], up| -> Option<Vec<Way>> {
            let channels: u16 = buses.iter().map(|bus| bus.channels).sum();
            (0..channels).map(|_| Way::new(factor as usize, up, max_block as usize)).collect()
        };
        let (Some(ups), Some(downs)) = (ways(&ports.inputs, true), ways(&ports.outputs, false)) else {
            return Err(inner);
        };
        Ok(Self {
            inner,
            buffers,
            factor: factor as usize,
            told,
            ups,
            downs,
            delay: EventDelay::new(),
            // What a plugin makes of events leaves as late as they came: where it makes some they are not delayed here.
            late: if ports.midi_out { 0 } else { before(factor) },
            came: EventBuffer::new(EVENTS, true),
            events: EventBuffer::new(EVENTS, true),
            made: EventBuffer::new(EVENTS, true),
            params: Vec::with_capacity(MOST_PARAMS + max_block as usize),
        })
    }

    /// The plugin. `[home]`
    pub fn into_inner(self) -> Instance {
        self.inner
    }

    /// The plugin. `[any]`
    pub fn inner(&mut self) -> &mut Instance {
        &mut self.inner
    }

    fn go_up(&mut self, frames: usize) -> bool {
        let by = rest(up(self.factor as u32), self.factor);
        let to = self.inner.audio().buffers().inputs.iter_mut().flat_map(|bus| &mut bus.channels);
        let from = self.buffers.inputs.iter().flat_map(|bus| &bus.channels);
        let mut fine = true;
        for ((way, from), to) in self.ups.iter_mut().zip(from).zip(to) {
            let to = &mut to[..frames * self.factor];
            fine &= way.run(&from[..frames], to);
            way.shift(to, by);
        }
        fine
    }

    fn go_down(&mut self, frames: usize) -> bool {
        let plugin = self.latency().unwrap_or_else(|| self.told.load(Relaxed));
        let by = rest(plugin.saturating_add(down(self.factor as u32)), self.factor);
        let from = self.inner.audio().buffers().outputs.iter_mut().flat_map(|bus| &mut bus.channels);
        let to = self.buffers.outputs.iter_mut().flat_map(|bus| &mut bus.channels);
        let mut fine = true;
        for ((way, from), to) in self.downs.iter_mut().zip(from).zip(to) {
            let from = &mut from[..frames * self.factor];
            // What is no number would stay in the filter for blocks to come.
            let finite = kernels::all_finite(from);
            if !finite {
                from.fill(0.0);
            }
            way.shift(from, by);
            fine &= way.run(from, &mut to[..frames]);
            if !finite {
                to[0] = f32::NAN;
            }
        }
        fine
    }

    /// What comes in, at the plugin's rate.
    fn take(&mut self, block: &Block<'_>) {
        let factor = self.factor;
        self.came.clear();
        self.came.append(block.events);
        self.delay.run(&mut self.came, self.late, block.frames as usize);
        self.events.clear();
        for (event, bytes) in self.came.iter() {
            self.events.copy(event.frame.saturating_mul(factor as u16), event, bytes);
        }
        self.params.clear();
        let room = self.params.capacity();
        let at_rate = |change: &ParamEvent| ParamEvent { frame: change.frame * factor as u32, ..*change };
        self.params.extend(block.params.iter().take(room).map(at_rate));
        self.made.clear();
    }
}

impl PluginAudio for Oversample {
    fn buffers(&mut self) -> &mut PortBuffers {
        &mut self.buffers
    }

    fn start(&mut self) -> bool {
        self.inner.audio().start()
    }

    fn run(&mut self, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        let factor = self.factor as u32;
        let fine = self.go_up(frames);
        self.take(block);
        let transport = block
            .transport
            .map(|now| Transport { frames: now.frames.map(|frames| frames.saturating_mul(factor.into())), ..*now });
        let status = self.inner.run(&mut Block {
            frames: block.frames * factor,
            steady_time: block.steady_time.saturating_mul(factor.into()),
            grid: block.grid.saturating_mul(factor),
            transport: transport.as_ref(),
            events: &self.events,
            params: &self.params,
            events_out: &mut self.made,
            params_out: block.params_out,
        });
        for (event, bytes) in self.made.iter() {
            block.events_out.copy(event.frame / factor as u16, event, bytes);
        }
        match self.go_down(frames) && fine {
            true => status,
            false => RunStatus::Failed,
        }
    }

    fn reset(&mut self) {
        self.ups.iter_mut().chain(&mut self.downs).for_each(Way::reset);
        self.delay.clear();
        self.inner.reset();
    }

    fn stop(&mut self) {
        self.inner.audio().stop();
    }

    /// At the plugin's own rate.
    fn latency(&self) -> Option<u32> {
        self.inner.latency()
    }

    fn wants_run(&self) -> bool {
        self.inner.wants_run()
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of a channel, in blocks of the lengths `cuts` in turn, with what fills the delay up to whole frames.
    fn there_and_back(factor: usize, signal: &[f32], cuts: &[usize]) -> Vec<f32> {
        let mut ways = [true, false].map(|up| Way::new(factor, up, 512).unwrap());
        let (mut heard, mut at, mut cut) = (Vec::new(), 0, 0);
        while at < signal.len() {
            let count = cuts[cut % cuts.len()].min(signal.len() - at);
            let (mut high, mut out) = (vec![0.0; count * factor], vec![0.0; count]);
            assert!(ways[0].run(&signal[at..at + count], &mut high));
            ways[0].shift(&mut high, rest(up(factor as u32), factor));
            ways[1].shift(&mut high, rest(down(factor as u32), factor));
            assert!(ways[1].run(&high, &mut out));
            heard.extend(out);
            (at, cut) = (at + count, cut + 1);
        }
        heard
    }

    #[test]
    fn there_and_back_is_late_by_whole_frames_and_flat_to_20_khz() {
        for factor in [2, 4, 8] {
            let late = latency(factor, 0) as usize;
            for frequency in [100.0, 1000.0, 10_000.0, 19_999.0] {
                let tone = |i: usize| (i as f64 * frequency / 48_000.0 * std::f64::consts::TAU).sin() as f32 * 0.5;
                let signal: Vec<f32> = (0..4800).map(tone).collect();
                let heard = there_and_back(factor as usize, &signal, &[1, 512, 7, 64]);
                for i in 1000..4800 {
                    let (heard, due) = (heard[i], tone(i - late));
                    // 0.1 dB, with no frame of difference in time: one would be 0.4 at 10 kHz.
                    assert!((heard - due).abs() < 0.006, "{factor} times, {frequency} Hz, frame {i}: {heard}, {due}");
                }
            }
        }
    }

    #[test]
    fn what_lies_above_the_chains_band_is_gone_when_it_comes_down() {
        for factor in [2, 4, 8] {
            for frequency in [27_500.0, 30_000.0, 47_000.0] {
                let mut way = Way::new(factor, false, 480).unwrap();
                let rate = 48_000.0 * factor as f64;
                let tone = |i: usize| (i as f64 * frequency / rate * std::f64::consts::TAU).sin() as f32;
                let high: Vec<f32> = (0..480 * factor).map(tone).collect();
                let mut out = vec![0.0; 480];
                assert!(way.run(&high, &mut out));
                let loudest = out[200..].iter().fold(0.0_f32, |a, b| a.max(b.abs()));
                assert!(loudest < 1e-4, "{factor} times, {frequency} Hz: {loudest}");
            }
        }
    }

    #[test]
    fn what_was_under_way_is_forgotten_and_the_next_sound_as_late_as_the_first() {
        let mut way = Way::new(4, true, 64).unwrap();
        let mut impulse = [0.0; 64];
        impulse[0] = 1.0;
        let mut first = [0.0; 256];
        assert!(way.run(&impulse, &mut first));
        way.reset();
        let mut again = [1.0; 256];
        assert!(way.run(&impulse, &mut again));
        assert_eq!(first, again);
    }
}
