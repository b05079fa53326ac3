//! What of the chain's output is kept: where it begins, and where it ends after the input did.

use crate::cli::numbers::TailLength;

/// Below this, sound counts as silence: -90 dBFS.
const SILENCE: f32 = 3.162_277_7e-5;
/// An automatic tail ends at the latest after this time, seconds.
const MAX_AUTO: u64 = 60;

/// Cuts a stream of blocks.
pub struct Cutter {
    channels: usize,
    rate: u64,
    /// Frames still to be dropped at the start.
    pub skip: u64,
    length: TailLength,
    /// Frames the chain itself says it sounds on; a lower limit.
    pub at_least: u64,
    /// Frames kept so far, without those waiting.
    kept: u64,
    /// Quiet samples after the input's end, kept only if sound follows.
    waiting: Vec<f32>,
    /// Whole length of the input once it is known, frames.
    input: Option<u64>,
    ended: bool,
}

impl Cutter {
    /// Keeps `length` after the input.
    pub fn new(channels: u16, rate: u32, length: TailLength) -> Self {
        Self {
            channels: channels.into(),
            rate: rate.into(),
            skip: 0,
            length,
            at_least: 0,
            kept: 0,
            waiting: Vec::new(),
            input: None,
            ended: false,
        }
    }

    /// The input is over; it had `frames`.
    pub fn input_ended(&mut self, frames: u64) {
        self.input = Some(frames);
    }

    /// Nothing more is wanted.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Frames kept.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Takes interleaved samples and hands on what is kept.
    pub fn push<E>(&mut self, samples: &[f32], mut keep: impl FnMut(&[f32]) -> Result<(), E>) -> Result<(), E> {
        let frames = (samples.len() / self.channels) as u64;
        let skipped = self.skip.min(frames);
        self.skip -= skipped;
        let mut rest = &samples[skipped as usize * self.channels..];
        let before_end = self.input.map_or(u64::MAX, |input| input.saturating_sub(self.position()));
        let direct = before_end.min((rest.len() / self.channels) as u64);
        let (now, after) = rest.split_at(direct as usize * self.channels);
        self.kept += direct;
        keep(now)?;
        rest = after;
        for frame in rest.chunks_exact(self.channels) {
            if self.ended {
                break;
            }
            self.tail_frame(frame, &mut keep)?;
        }
        Ok(())
    }

    /// Frames seen after the skipped ones.
    fn position(&self) -> u64 {
        self.kept + (self.waiting.len() / self.channels) as u64
    }

    fn tail_frame<E>(&mut self, frame: &[f32], keep: &mut impl FnMut(&[f32]) -> Result<(), E>) -> Result<(), E> {
        let after = self.position() - self.input.unwrap_or(0);
        let (least, most) = match self.length {
            TailLength::Seconds(seconds) => {
                let frames = (seconds * self.rate as f64).round() as u64;
                (frames, frames)
            }
            TailLength::Auto => {
                let most = MAX_AUTO * self.rate;
                (self.at_least.min(most), most)
            }
        };
        let quiet = frame.iter().all(|sample| sample.abs() < SILENCE);
        let silent_for = (self.waiting.len() / self.channels) as u64;
        if after >= most || (after >= least && quiet && silent_for >= self.rate) {
            self.ended = true;
        } else if after >= least && quiet {
            self.waiting.extend_from_slice(frame);
        } else {
            keep(&self.waiting)?;
            keep(frame)?;
            self.kept += silent_for + 1;
            self.waiting.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Length of what is kept of `sound` followed by silence without end, `input` frames of it being the input.
    fn kept(cutter: &mut Cutter, sound: &[f32], input: usize) -> Vec<f32> {
        let mut out = Vec::new();
        let mut keep = |samples: &[f32]| -> Result<(), ()> {
            out.extend_from_slice(samples);
            Ok(())
        };
        cutter.push(&sound[..input], &mut keep).unwrap();
        cutter.input_ended(input as u64);
        cutter.push(&sound[input..], &mut keep).unwrap();
        while !cutter.ended() {
            cutter.push(&[0.0; 64], &mut keep).unwrap();
        }
        assert_eq!(cutter.kept(), out.len() as u64);
        out
    }

    #[test]
    fn a_tail_ends_with_its_last_sound() {
        let mut sound = vec![0.5; 150];
        sound.extend([0.0; 900]);
        sound.push(0.1);
        let cut = kept(&mut Cutter::new(1, 1000, TailLength::Auto), &sound, 100);
        assert_eq!(cut, sound);
        assert_eq!(kept(&mut Cutter::new(1, 1000, TailLength::Auto), &[0.5; 100], 100).len(), 100);
    }

    #[test]
    fn a_tail_is_as_long_as_the_chain_says_and_no_longer_than_a_minute() {
        let mut cutter = Cutter::new(1, 1000, TailLength::Auto);
        cutter.at_least = 2500;
        assert_eq!(kept(&mut cutter, &[0.5; 100], 100).len(), 2600);
        let mut endless = Cutter::new(1, 1000, TailLength::Auto);
        assert_eq!(kept(&mut endless, &vec![0.5; 70_100], 100).len(), 60_100);
    }

    #[test]
    fn seconds_are_kept_to_the_frame_and_the_latency_is_dropped() {
        let mut cutter = Cutter::new(1, 1000, TailLength::Seconds(0.0));
        cutter.skip = 30;
        let sound: Vec<f32> = (0..130).map(|n| n as f32).collect();
        let cut = kept(&mut cutter, &sound, 100);
        assert_eq!((cut.len(), cut[0]), (100, 30.0));
        assert_eq!(kept(&mut Cutter::new(1, 1000, TailLength::Seconds(0.25)), &sound, 100).len(), 350);
    }
}
