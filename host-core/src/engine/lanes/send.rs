//! A lane's sound on its way to an auxiliary output, beside the sum or in its place. `[audio]` all through.

use super::controls::{Kind, LaneSettings};
use crate::backend::audio::{Bus, Samples};
use crate::engine::aux::Route;
use crate::engine::delay::DelayLine;
use crate::engine::kernels;
use crate::engine::ramp::Ramp;

/// What becomes of it between two blocks.
pub struct Send {
    /// Delays it to the container's end.
    pub line: DelayLine,
    late: Bus,
    route: Route,
    out: u8,
    /// Share of it that goes into the sum.
    kept: Ramp,
    keeps: bool,
    muted: bool,
    factor: Samples,
    /// Frames of silence that went into the line last.
    quiet: u32,
    /// Frames until the line is full.
    wait: u32,
}

impl Send {
    /// `[home]`
    pub fn new(line: DelayLine, channels: usize, max_block: u32) -> Self {
        Self {
            line,
            late: Bus::new(channels, max_block as usize),
            route: Route::new(0),
            out: 0,
            kept: Ramp::new(1.0),
            keeps: true,
            muted: false,
            factor: Samples::new(max_block as usize),
            quiet: u32::MAX,
            wait: 0,
        }
    }

    /// A plan begins in which the container's end is `wanted` frames late.
    pub fn enter(&mut self, wanted: u32, spare: &mut Option<DelayLine>) {
        if let Some(spare) = spare {
            self.line.grow(spare);
        }
        match self.route.is(0) {
            // Nobody hears it yet.
            true => {
                self.line.jump(wanted);
                self.wait = wanted;
            }
            false => self.line.aim(wanted),
        }
    }

    /// Other settings. A group that is as if it were not there sends nothing anywhere.
    pub fn set(&mut self, settings: LaneSettings, kind: Kind, fresh: bool) {
        let there = kind != Kind::Thru;
        (self.out, self.keeps) = (if there { settings.out } else { 0 }, settings.kept || !there || settings.out == 0);
        self.muted = settings.gains == [0.0; 2];
        if fresh {
            self.wait = 0;
            self.route = Route::new(self.out);
            self.kept.jump(f32::from(self.keeps));
        }
    }

    /// Goes where it is wanted.
    pub fn follow(&mut self, smooth: u32) {
        if self.wait == 0 {
            self.route.aim(self.out, smooth);
            self.kept.go(f32::from(self.keeps), smooth);
        }
    }

    /// Whether it is where it is wanted; and, of a lane that is heard no more, whether all of it has been heard there.
    pub fn settled(&self) -> bool {
        let heard = !self.muted || self.out == 0 || self.quiet >= self.line.delay();
        self.route.is(self.out) && self.kept.settled() && heard
    }

    pub fn clear(&mut self) {
        self.line.clear();
        self.quiet = u32::MAX;
    }

    /// Gives what a lane adds to the sum, `own`, to the sum and to the auxiliary outputs. `silent`: it is nothing.
    pub fn run(&mut self, own: &Bus, (sum, aux): (&mut Bus, &mut Bus), frames: usize, first: bool, silent: bool) {
        self.quiet = if silent { self.quiet.saturating_add(frames as u32) } else { 0 };
        self.wait = self.wait.saturating_sub(frames as u32);
        let factor = &mut self.factor[..frames];
        let kept = !self.kept.is(1.0);
        if kept {
            self.kept.fill(factor);
        }
        for (to, from) in sum.channels.iter_mut().zip(&own.channels) {
            let (to, from) = (&mut to[..frames], &from[..frames]);
            match (first, kept) {
                (true, _) => to.copy_from_slice(from),
                (false, false) => kernels::add(to, from),
                (false, true) => {
                    to.iter_mut().zip(from).zip(&*factor).for_each(|((to, from), share)| *to += from * share)
                }
            }
            if first && kept {
                kernels::scale_in_place(to, factor);
            }
        }
        self.line.write(own, frames);
        let mut from = own;
        if !self.line.idle() {
            self.line.read(&mut self.late, frames);
            from = &self.late;
        }
        self.route.add(&from.channels, aux, factor);
    }
}
