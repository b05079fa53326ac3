//! How a lane's sound goes into the sum: delayed to the longest lane's end, with its gain. `[audio]` all through.

use super::controls::{Kind, LaneControls, LaneSettings};
use super::send::Send;
use super::split::matrix;
use crate::backend::audio::{Bus, EventBuffer, Samples};
use crate::engine::delay::DelayLine;
use crate::engine::events::EventDelay;
use crate::engine::kernels;
use crate::engine::ramp::Ramp;

/// A lane between two blocks.
pub struct MixPath {
    settings: LaneSettings,
    kind: Kind,
    /// Left from left, left from right, right from left, right from right.
    factors: [Ramp; 4],
    pub line: DelayLine,
    pub events: EventDelay,
    late: Bus,
    /// What goes into the sum, where that is another than what came.
    made: Bus,
    pub send: Send,
    factor: [Samples; 4],
    fresh: bool,
    /// Delay asked for by the plan, frames.
    wanted: u32,
    smooth: u32,
}

impl MixPath {
    /// One that nobody hears yet. `[home]`
    pub fn new(line: DelayLine, aux: DelayLine, channels: usize, max_block: u32, smooth: u32) -> Self {
        let factor = || Samples::new(max_block as usize);
        Self {
            settings: LaneSettings { generation: 0, gains: [0.0; 2], out: 0, kept: true },
            kind: Kind::Copy,
            factors: [Ramp::new(0.0); 4],
            line,
            events: EventDelay::new(),
            late: Bus::new(channels, max_block as usize),
            made: Bus::new(channels, max_block as usize),
            send: Send::new(aux, channels, max_block),
            factor: [factor(), factor(), factor(), factor()],
            fresh: true,
            wanted: 0,
            smooth,
        }
    }

    /// A plan begins. `start`: how a lane that was not there begins; `None`: as if it had always been. `[audio]`
    pub fn enter(&mut self, wanted: u32, start: Option<[f32; 4]>) {
        self.wanted = wanted;
        if !self.fresh {
            return;
        }
        match start {
            Some(start) => {
                self.fresh = false;
                for (ramp, value) in self.factors.iter_mut().zip(start) {
                    ramp.jump(value);
                }
            }
            None => self.line.jump(wanted),
        }
    }

    /// Forgets what sounds.
    pub fn clear(&mut self) {
        self.line.clear();
        self.send.clear();
        self.events.clear();
    }

    /// Adds the lane's block to `sum`, or writes it there where it is the first. What was added; `None`: silence.
    pub fn run<'a>(
        &'a mut self,
        (controls, kind, lane): (&LaneControls, Kind, usize),
        input: &'a Bus,
        sum: &mut Bus,
        frames: usize,
        first: bool,
    ) -> Option<&'a Bus> {
        self.follow(controls, kind, lane);
        self.send.follow(self.smooth);
        let from = self.line.through(input, &mut self.late, frames);
        let made = if self.factors.iter().zip([1.0, 0.0, 0.0, 1.0]).all(|(ramp, value)| ramp.is(value)) {
            Some(from)
        } else if self.factors.iter().all(|ramp| ramp.is(0.0)) {
            None
        } else {
            for (ramp, factor) in self.factors.iter_mut().zip(&mut self.factor) {
                ramp.fill(&mut factor[..frames]);
            }
            for (to, from) in self.made.channels.chunks_mut(2).zip(from.channels.chunks(2)) {
                make_pair(to, from, &self.factor, frames);
            }
            Some(&self.made)
        };
        match made {
            Some(made) => {
                let channels = sum.channels.iter_mut().zip(&made.channels);
                match first {
                    true => kernels::copy(channels.map(|(to, from)| (&mut to[..frames], &from[..frames]))),
                    false => channels.for_each(|(to, from)| kernels::add(&mut to[..frames], &from[..frames])),
                }
            }
            None if first => sum.channels.iter_mut().for_each(|channel| channel[..frames].fill(0.0)),
            None => {}
        }
        if self.factors.iter().all(Ramp::settled) && self.line.settled() && self.send.settled() {
            controls.note_settled(self.settings.generation);
        }
        made
    }

    /// Gives what it added to `own` to the sum and to the auxiliary outputs.
    pub fn give(&mut self, own: &Bus, outs: (&mut Bus, &mut Bus), frames: usize, first: bool) {
        let silent = self.factors.iter().all(|ramp| ramp.is(0.0));
        self.send.run(own, outs, frames, first, silent);
    }

    fn follow(&mut self, controls: &LaneControls, kind: Kind, lane: usize) {
        let fresh = std::mem::take(&mut self.fresh);
        // A group that is as if it were not there delays nothing.
        self.line.aim(if kind == Kind::Thru { 0 } else { self.wanted });
        if !fresh && controls.generation() == self.settings.generation && kind == self.kind {
            return;
        }
        self.settings = controls.read();
        self.kind = kind;
        self.send.set(self.settings, kind, fresh);
        let [left, right] = if kind == Kind::Thru { [1.0; 2] } else { self.settings.gains };
        let [a, b, c, d] = matrix(kind, lane);
        for (ramp, target) in self.factors.iter_mut().zip([a * left, b * left, c * right, d * right]) {
            if fresh {
                ramp.jump(target);
            } else {
                ramp.go(target, self.smooth);
            }
        }
    }

    /// The lane's MIDI, late as its sound is.
    pub fn run_events(&mut self, events: &mut EventBuffer, frames: usize) {
        self.events.run(events, self.line.delay(), frames);
    }
}

/// Makes a pair of channels, or one that has no other.
fn make_pair(to: &mut [Samples], from: &[Samples], factor: &[Samples; 4], frames: usize) {
    let [ll, lr, rl, rr] = factor;
    match (to, from) {
        ([left, right], [from_left, from_right]) => {
            for i in 0..frames {
                let (l, r) = (from_left[i], from_right[i]);
                left[i] = ll[i] * l + lr[i] * r;
                right[i] = rl[i] * l + rr[i] * r;
            }
        }
        ([only], [from]) => {
            for i in 0..frames {
                // A channel alone is left and right in one.
                only[i] = (ll[i] + lr[i]) * from[i];
            }
        }
        _ => {}
    }
}
