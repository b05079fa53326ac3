//! What a plugin delays: an impulse, or noise where nothing comes of that (a gate), and where in its output it is found.

use host_core::backend::audio::{Block, EventBuffer, ParamQueue, PluginAudio, RunStatus};
use host_core::backend::{Activation, PluginMain};
use host_core::model::{BusRole, GRID, MAX_LATENCY, PortLayout};
use host_core::scan::protocol::Measured;

/// Frames in a block, where the plugin has no wish of its own.
const BLOCK: u32 = 512;
/// The impulse's height.
const IMPULSE: f32 = 0.5;
/// What of it is still an answer: -54 dB.
const FOUND: f32 = IMPULSE / 500.0;
/// Frames of noise.
const NOISE: usize = 16_384;
/// How far noise must stand out where it is found, against all other places.
const CLEAR: f64 = 8.0;

/// Measures at `rate`.
pub fn at(plugin: &mut dyn PluginMain, min_block: u32, rate: u32) -> Measured {
    let mut told = Measured { rate, ..Measured::default() };
    let gathered = if min_block > 1 { min_block } else { 0 };
    let set = plugin.fixed_block().unwrap_or(gathered);
    let block = if set > 0 { set } else { BLOCK };
    let how = Activation { rate: rate.into(), min_block: block, max_block: block.max(BLOCK), offline: true };
    let ports = plugin.ports().clone();
    let mut audio = match plugin.activate(how) {
        Ok(audio) => audio,
        Err(error) => return Measured { problem: Some(error.to_string()), ..told },
    };
    if audio.start() {
        let mut bench = Bench { audio: audio.as_mut(), ports: &ports, block: block as usize, time: 0, failed: false };
        // What an LV2 plugin delays it tells when it runs; and a plugin may fade in.
        bench.run(&[], rate as usize / 4);
        let reported = plugin.latency();
        told.reported = reported.saturating_add(set);
        let longest = (2 * reported as usize).max(rate as usize / 2) + 4096;
        let longest = longest.min(2 * MAX_LATENCY as usize);
        (told.measured, told.by_noise) = find(&mut bench, longest);
        // The plugin alone was run: what sets its block adds what it says.
        told.measured = told.measured.map(|frames| frames.saturating_add(set));
        if bench.failed {
            told.problem = Some("failed while processing".into());
        }
        audio.stop();
    } else {
        told.problem = Some("refused to start processing".into());
    }
    plugin.deactivate(audio);
    told
}

/// A running plugin.
struct Bench<'a> {
    audio: &'a mut dyn PluginAudio,
    ports: &'a PortLayout,
    block: usize,
    time: i64,
    failed: bool,
}

/// Where what goes in comes out, `longest` frames later at most, and whether noise told it.
fn find(bench: &mut Bench<'_>, longest: usize) -> (Option<u32>, bool) {
    let heard = bench.run(&[IMPULSE], longest);
    let loudest = heard.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    if let Some((at, level)) = loudest
        && level.abs() > FOUND
    {
        // Of equals the first.
        let first = heard.iter().position(|x| x.abs() >= level.abs() * 0.999).unwrap_or(at);
        return (Some(first as u32), false);
    }
    let noise = noise();
    let longest = longest.min(2 * NOISE);
    let heard = bench.run(&noise, NOISE + longest);
    (correlate(&noise, &heard, longest), true)
}

/// The lag at which `heard` is most like `sent`.
fn correlate(sent: &[f32], heard: &[f32], longest: usize) -> Option<u32> {
    let like = |lag: usize| -> f64 { sent.iter().zip(&heard[lag..]).map(|(a, b)| f64::from(a * b)).sum::<f64>().abs() };
    let all: Vec<f64> = (0..longest.min(heard.len() - sent.len())).map(like).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let best = all.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    (*best.1 > CLEAR * mean && *best.1 > 1e-6).then_some(best.0 as u32)
}

/// The same in every run.
fn noise() -> Vec<f32> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 40) as f32 / (1 << 24) as f32 - 0.5) * 0.5
    };
    std::iter::repeat_with(next).take(NOISE).collect()
}

impl Bench<'_> {
    /// Puts `sent` and then silence into all channels of the main input, and listens for `frames`, rounded up to whole blocks.
    fn run(&mut self, sent: &[f32], frames: usize) -> Vec<f32> {
        let (events, mut events_out, mut params_out) =
            (EventBuffer::new(16, false), EventBuffer::new(1024, true), ParamQueue::new(1024));
        let input = PortLayout::find(&self.ports.inputs, BusRole::Main);
        let output = PortLayout::find(&self.ports.outputs, BusRole::Main);
        let mut heard = Vec::with_capacity(frames + self.block);
        while heard.len() < frames && !self.failed {
            for (number, bus) in self.audio.buffers().inputs.iter_mut().enumerate() {
                for channel in &mut bus.channels {
                    for (frame, to) in channel[..self.block].iter_mut().enumerate() {
                        let from = if Some(number) == input { sent.get(heard.len() + frame) } else { None };
                        *to = from.copied().unwrap_or(0.0);
                    }
                }
            }
            events_out.clear();
            params_out.clear();
            let mut block = Block {
                frames: self.block as u32,
                steady_time: self.time,
                grid: GRID,
                transport: None,
                events: &events,
                params: &[],
                events_out: &mut events_out,
                params_out: &mut params_out,
            };
            self.failed = self.audio.run(&mut block) == RunStatus::Failed;
            self.time += self.block as i64;
            let made = output.and_then(|bus| self.audio.buffers().outputs.get(bus)).map(|bus| &bus.channels[..]);
            for frame in 0..self.block {
                let made = made.unwrap_or_default();
                let loudest = made.iter().map(|channel| channel[frame]).max_by(|a, b| a.abs().total_cmp(&b.abs()));
                heard.push(loudest.filter(|x| x.is_finite()).unwrap_or(0.0));
            }
        }
        heard
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_found_late_and_quiet_and_nothing_in_silence_or_in_other_noise() {
        let sent = noise();
        let mut heard = vec![0.0; 3 * NOISE];
        for (to, from) in heard[777..].iter_mut().zip(&sent) {
            *to = from * -0.01;
        }
        assert_eq!(correlate(&sent, &heard, 4000), Some(777));
        assert_eq!(correlate(&sent, &vec![0.0; 3 * NOISE], 4000), None);
        let other: Vec<f32> = (0..3 * NOISE).map(|i| ((i * i) as f32 * 0.37).sin() * 0.25).collect();
        assert_eq!(correlate(&sent, &other, 4000), None);
    }
}
