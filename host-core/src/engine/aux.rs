//! A sound on its way to one of the container's auxiliary outputs.

use super::kernels;
use super::ramp::Ramp;
use crate::backend::audio::{Bus, Samples};

/// Which auxiliary output a sound goes to. Another one cross-fades with the one before. `[audio]`
pub(super) struct Route {
    /// Counted from 1; 0: to none.
    now: u8,
    was: u8,
    share: Ramp,
}

impl Route {
    /// Goes to `out` from the first frame on.
    pub fn new(out: u8) -> Self {
        Self { now: out, was: out, share: Ramp::new(1.0) }
    }

    /// Asks for another; while one fade runs the next waits.
    pub fn aim(&mut self, out: u8, fade: u32) {
        if out != self.now && self.share.settled() {
            (self.was, self.now) = (self.now, out);
            self.share.jump(0.0);
            self.share.go(1.0, fade);
        }
    }

    /// Whether it goes to `out` and nowhere else.
    pub fn is(&self, out: u8) -> bool {
        self.now == out && self.share.settled()
    }

    /// Adds a sound to where it goes, one channel to both sides of it; `factor` is room to work in.
    pub fn add(&mut self, from: &[Samples], aux: &mut Bus, factor: &mut [f32]) {
        if self.share.settled() {
            return each(self.now, from, aux, factor.len(), kernels::add);
        }
        let frames = factor.len();
        self.share.fill(factor);
        let rising = |to: &mut [f32], from: &[f32]| add_times(to, from, factor, |share| share);
        each(self.now, from, aux, frames, rising);
        let falling = |to: &mut [f32], from: &[f32]| add_times(to, from, factor, |share| 1.0 - share);
        each(self.was, from, aux, frames, falling);
    }
}

fn each(out: u8, from: &[Samples], aux: &mut Bus, frames: usize, add: impl Fn(&mut [f32], &[f32])) {
    let Some(pair) = usize::from(out).checked_sub(1) else { return };
    for (side, to) in aux.channels.iter_mut().skip(pair * 2).take(2).enumerate() {
        if let Some(from) = from.get(side).or(from.first()) {
            add(&mut to[..frames], &from[..frames]);
        }
    }
}

fn add_times(to: &mut [f32], from: &[f32], shares: &[f32], of: impl Fn(f32) -> f32) {
    for ((to, from), share) in to.iter_mut().zip(from).zip(shares) {
        *to += from * of(*share);
    }
}
