//! How what comes into lanes is shared among them, and how each lane's channels come back. `[audio]` all through.

use super::bands::Bands;
use super::controls::{GroupControls, GroupSettings, Kind};
use crate::backend::audio::{Bus, EventBuffer, Samples};
use crate::engine::events::{EVENTS, EventDelay};
use crate::engine::kernels;
use crate::engine::ramp::Ramp;

/// A group of lanes between two blocks.
pub struct SplitPath {
    settings: GroupSettings,
    /// What it was before, while it changes to what it is.
    before: Kind,
    /// Share of what it is now.
    now: Ramp,
    bands: Bands,
    scratch: Bus,
    share: Samples,
    /// What came in, for each lane to begin with.
    pub came: EventBuffer,
    /// What the lanes made.
    pub made: EventBuffer,
    /// What came in passes by as late as the sound.
    pub by: EventDelay,
    fade: u32,
    smooth: u32,
}

impl SplitPath {
    /// `[home]`
    pub fn new(kind: Kind, channels: usize, max_block: u32, rate: f64, (fade, smooth): (u32, u32)) -> Self {
        Self {
            settings: GroupSettings { generation: 0, kind, crossovers: Default::default() },
            before: kind,
            now: Ramp::new(1.0),
            bands: Bands::new(channels, max_block, rate),
            scratch: Bus::new(channels, max_block as usize),
            share: Samples::new(max_block as usize),
            came: EventBuffer::new(EVENTS, true),
            made: EventBuffer::new(EVENTS, true),
            by: EventDelay::new(),
            fade,
            smooth,
        }
    }

    /// Forgets what sounds.
    pub fn clear(&mut self) {
        self.bands.clear();
        self.by.clear();
    }

    /// Fills each lane's input.
    pub fn run(&mut self, controls: &GroupControls, input: &Bus, outputs: &mut [Bus], frames: usize) {
        self.follow(controls);
        let changing = !self.now.is(1.0);
        if self.settings.kind == Kind::Bands || (changing && self.before == Kind::Bands) {
            self.bands.run(input, outputs, frames);
        }
        if self.settings.kind != Kind::Bands || changing {
            let share = &mut self.share[..frames];
            self.now.fill(share);
            for (lane, output) in outputs.iter_mut().enumerate() {
                if !changing {
                    feed(self.settings.kind, lane, input, output, frames);
                    continue;
                }
                // What the bands wrote is there already; whichever of the two is no bands is written beside it.
                let (bands_now, other) = match (self.settings.kind, self.before) {
                    (Kind::Bands, before) => (true, before),
                    (now, Kind::Bands) => (false, now),
                    (now, before) => {
                        feed(now, lane, input, output, frames);
                        (true, before)
                    }
                };
                feed(other, lane, input, &mut self.scratch, frames);
                for (to, other) in output.channels.iter_mut().zip(&self.scratch.channels) {
                    for ((x, &other), &share) in to[..frames].iter_mut().zip(&other[..frames]).zip(&*share) {
                        let (new, old) = if bands_now { (*x, other) } else { (other, *x) };
                        *x = if share >= 1.0 { new } else { old + (new - old) * share };
                    }
                }
            }
        }
        controls.note_settled(self.settings.generation, self.now.settled());
    }

    fn follow(&mut self, controls: &GroupControls) {
        if controls.generation() == self.settings.generation || !self.now.settled() {
            return;
        }
        let before = std::mem::replace(&mut self.settings, controls.read());
        let kind = self.settings.kind;
        if kind == Kind::Bands {
            if before.kind != kind {
                self.bands.restart();
            }
            self.bands.go(&self.settings.crossovers, self.smooth);
        }
        if before.kind != kind {
            self.before = before.kind;
            self.now.jump(0.0);
            self.now.go(1.0, self.fade);
        }
    }
}

/// Writes one lane's input, but for bands.
fn feed(kind: Kind, lane: usize, input: &Bus, output: &mut Bus, frames: usize) {
    match (kind, lane) {
        (Kind::Copy, _) | (Kind::Thru, 0) => {
            let channels = output.channels.iter_mut().zip(&input.channels);
            kernels::copy(channels.map(|(to, from)| (&mut to[..frames], &from[..frames])));
        }
        (Kind::MidSide | Kind::LeftRight, 0 | 1) => {
            let (mut to, mut from) = (output.channels.chunks_mut(2), input.channels.chunks(2));
            for (to, from) in to.by_ref().zip(from.by_ref()) {
                match (to, from) {
                    ([a, b], [left, right]) => pair(kind, lane, (left, right), (a, b), frames),
                    ([a], [only]) if lane == 0 => a[..frames].copy_from_slice(&only[..frames]),
                    (to, _) => to.iter_mut().for_each(|channel| channel[..frames].fill(0.0)),
                }
            }
        }
        _ => output.channels.iter_mut().for_each(|channel| channel[..frames].fill(0.0)),
    }
}

fn pair(kind: Kind, lane: usize, (left, right): (&[f32], &[f32]), (a, b): (&mut [f32], &mut [f32]), frames: usize) {
    match (kind, lane) {
        (Kind::MidSide, lane) => {
            let sign = if lane == 0 { 0.5 } else { -0.5 };
            for ((a, &left), &right) in a[..frames].iter_mut().zip(left).zip(right) {
                *a = 0.5 * left + sign * right;
            }
        }
        (_, 0) => a[..frames].copy_from_slice(&left[..frames]),
        _ => a[..frames].copy_from_slice(&right[..frames]),
    }
    b[..frames].copy_from_slice(&a[..frames]);
}

/// How a pair of a lane's channels goes into the sum: left from left, left from right, right from left, right from right.
pub fn matrix(kind: Kind, lane: usize) -> [f32; 4] {
    match (kind, lane) {
        (Kind::Copy | Kind::Bands, _) | (Kind::Thru | Kind::MidSide, 0) => [1.0, 0.0, 0.0, 1.0],
        (Kind::MidSide, 1) => [1.0, 0.0, 0.0, -1.0],
        (Kind::LeftRight, 0) => [0.5, 0.5, 0.0, 0.0],
        (Kind::LeftRight, 1) => [0.0, 0.0, 0.5, 0.5],
        _ => [0.0; 4],
    }
}
