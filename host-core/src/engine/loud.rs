//! The level guard: what is louder than +18 dBFS for 20 ms is no music, and mutes the container until its user lets it sound again.
//!
//! What the container gives is scanned for its meters anyway, so a block that is not that loud costs one comparison. The time
//! is counted in pieces of [`PIECE`] seconds whatever the block's length: up where one is too loud, down where it is not. So a low
//! tone counts although it crosses zero, and clicks do not.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32};

/// +18 dBFS, linear.
pub const TOO_LOUD: f32 = 7.943_282;
/// How long it takes to be too much, seconds.
const LIMIT: f64 = 0.020;
/// What is judged together, seconds: 64 frames at 48 kHz.
const PIECE: f64 = 1.0 / 750.0;

/// What comes of too loud an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum LevelGuard {
    /// Nothing.
    #[default]
    Off,
    /// It is counted.
    Report,
    /// It is counted, and mutes the container; offline it is only counted.
    Mute,
}

/// What home and the audio thread share of the guard: single words.
#[derive(Default)]
pub struct Loud {
    kind: AtomicU8,
    muted: AtomicBool,
    times: AtomicU32,
}

impl Loud {
    /// What comes of it from now on. `[home]`
    pub fn set(&self, kind: LevelGuard) {
        self.kind.store(kind as u8, Relaxed);
        if kind != LevelGuard::Mute {
            self.muted.store(false, Relaxed);
        }
    }

    /// Lets the container sound again. `[home]`
    pub fn reopen(&self) {
        self.muted.store(false, Relaxed);
    }

    /// Whether the container is muted. `[any]`
    #[inline]
    pub fn muted(&self) -> bool {
        self.muted.load(Relaxed)
    }

    /// How often it was too loud. `[any]`
    pub fn times(&self) -> u32 {
        self.times.load(Relaxed)
    }

    fn kind(&self) -> LevelGuard {
        [LevelGuard::Off, LevelGuard::Report, LevelGuard::Mute][usize::from(self.kind.load(Relaxed).min(2))]
    }
}

/// The audio thread's end.
#[derive(Default)]
pub struct Watch {
    /// Frames that were too loud, less those that were not.
    over: usize,
    /// Frames for which the last sample that was too loud still counts: a tone is not above its peak all the time.
    hold: usize,
}

impl Watch {
    /// Whether a block of this peak is to be looked at. `[audio]`
    #[inline]
    pub fn wants(&self, peak: f32) -> bool {
        peak > TOO_LOUD || self.over > 0
    }

    /// Looks at a block. `[audio]`
    #[cold]
    pub fn look(&mut self, loud: &Loud, channels: &[&mut [f32]], rate: f64, offline: bool) {
        let kind = loud.kind();
        if kind == LevelGuard::Off || loud.muted() {
            self.forget();
            return;
        }
        let limit = ((rate * LIMIT) as usize).max(1);
        let frames = channels.iter().map(|channel| channel.len()).min().unwrap_or(0);
        let whole = ((rate * PIECE) as usize).max(1);
        for at in (0..frames).step_by(whole) {
            let piece = at..(at + whole).min(frames);
            let is_loud = |channel: &&mut [f32]| channel[piece.clone()].iter().any(|x| x.abs() > TOO_LOUD);
            let passed = piece.len();
            if channels.iter().any(is_loud) {
                self.hold = whole;
            }
            self.over = match self.hold > 0 {
                true => self.over + passed,
                false => self.over.saturating_sub(passed),
            };
            self.hold = self.hold.saturating_sub(passed);
            if self.over >= limit {
                self.over = 0;
                loud.times.fetch_add(1, Relaxed);
                if kind == LevelGuard::Mute && !offline {
                    loud.muted.store(true, Relaxed);
                    return;
                }
            }
        }
    }

    /// Nothing of the chain is heard: what was counted is of before. `[audio]`
    #[inline]
    pub fn forget(&mut self) {
        (self.over, self.hold) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often a signal is too loud, in blocks of a length.
    fn times(signal: impl Fn(usize) -> f32, block: usize) -> u32 {
        let (loud, mut watch) = (Loud::default(), Watch::default());
        loud.set(LevelGuard::Report);
        let mut at = 0;
        while at < 48_000 {
            let mut samples: Vec<f32> = (at..at + block).map(&signal).collect();
            let peak = samples.iter().fold(0.0, |peak: f32, x| peak.max(x.abs()));
            if watch.wants(peak) {
                watch.look(&loud, &[&mut samples], 48_000.0, false);
            }
            at += block;
        }
        loud.times()
    }

    #[test]
    fn long_and_loud_counts_in_blocks_of_any_length_and_clicks_do_not() {
        let tone =
            |hz: f32, peak: f32| move |at: usize| (at as f32 * hz * std::f32::consts::TAU / 48_000.0).sin() * peak;
        for block in [1, 64, 100, 1024, 8192] {
            assert_eq!(times(tone(1000.0, 7.9), block), 0, "just below");
            assert!(times(tone(1000.0, 8.1), block) > 10, "just above, blocks of {block}");
            assert!(times(tone(30.0, 20.0), block) > 5, "a low tone, blocks of {block}");
            assert_eq!(times(|at| if at % 4800 < 20 { 100.0 } else { 0.5 }, block), 0, "clicks, blocks of {block}");
            assert!(times(|_| f32::INFINITY, block) > 10);
        }
    }
}
