//! The way round a group of lanes: what comes in, as late as the longest lane. `[audio]` all through.

use crate::backend::audio::{Bus, Samples};
use crate::engine::delay::DelayLine;
use crate::engine::ramp::Ramp;

/// The way round, which costs nothing while nobody takes it.
pub struct Around {
    line: DelayLine,
    late: Bus,
    /// Share of what goes round.
    share: Ramp,
    amount: Samples,
    /// Frames that the line was fed since it was last left alone.
    fed: u32,
    /// Delay asked for by the plan, frames.
    wanted: u32,
    fresh: bool,
    fade: u32,
}

impl Around {
    /// `fade_in`: the chain is heard already. `[home]`
    pub fn new(line: DelayLine, channels: usize, max_block: u32, fade: u32, fade_in: bool) -> Self {
        Self {
            line,
            late: Bus::new(channels, max_block as usize),
            share: Ramp::new(0.0),
            amount: Samples::new(max_block as usize),
            fed: 0,
            wanted: 0,
            fresh: !fade_in,
            fade,
        }
    }

    /// A plan begins. Longest delay of the line from now on, frames.
    pub fn enter(&mut self, wanted: u32, spare: &mut Option<DelayLine>) -> u32 {
        if let Some(spare) = spare {
            self.line.grow(spare);
        }
        self.wanted = wanted;
        self.line.aim(wanted);
        self.line.longest()
    }

    /// Forgets what sounds.
    pub fn clear(&mut self) {
        self.line.clear();
    }

    /// Puts what goes round in the place of the lanes' sum, where it is asked for and as far as it is there.
    pub fn run(&mut self, aside: bool, input: &Bus, sum: &mut Bus, frames: usize) {
        let fresh = std::mem::take(&mut self.fresh);
        if !aside && self.share.is(0.0) {
            self.fed = 0;
            return;
        }
        if fresh {
            (self.share, self.fed) = (Ramp::new(1.0), u32::MAX);
            self.line.jump(self.wanted);
        } else if self.share.is(0.0) && self.fed == 0 {
            // Nobody hears the line before it is full anew.
            self.line.jump(self.wanted);
        }
        let from = self.line.through(input, &mut self.late, frames);
        self.share.go(f32::from(aside && self.fed >= self.wanted), self.fade);
        self.fed = self.fed.saturating_add(frames as u32);
        let amount = &mut self.amount[..frames];
        self.share.fill(amount);
        for (to, from) in sum.channels.iter_mut().zip(&from.channels) {
            for ((to, &from), &amount) in to[..frames].iter_mut().zip(&from[..frames]).zip(&*amount) {
                *to = if amount == 1.0 { from } else { *to + (from - *to) * amount };
            }
        }
    }
}
