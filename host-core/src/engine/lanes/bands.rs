//! Bands that sum flat: Linkwitz-Riley crossovers of the fourth order. `[audio]` all through.
//!
//! Each half of such a crossover is a second-order Butterworth filter run twice; the two halves sum to a second-order allpass
//! of the same frequency and damping (S. Lipshitz and J. Vanderkooy, "In-Phase Crossover Network Design", JAES 1986). A band
//! that was split off before another crossover passes through that crossover's allpass, so that the sum of all bands is the
//! product of all allpasses, whose magnitude is 1. The filters are state variable filters by the trapezoidal rule (A. Simper,
//! "Solving the continuous SVF equations", 2013), which bear moving frequencies; in double precision, since at low
//! frequencies single precision would show.

use crate::backend::audio::Bus;
use crate::model::MAX_BANDS;

/// Frequencies at which bands meet, at most.
pub const CROSSOVERS: usize = MAX_BANDS - 1;
/// Damping of a Butterworth filter of the second order.
const DAMPING: f64 = std::f64::consts::SQRT_2;

/// A frequency as the filters take it: `tan(pi f / rate)`, moved to its target in a straight line.
#[derive(Clone, Copy)]
struct Pitch {
    now: f64,
    target: f64,
    step: f64,
    left: u32,
}

impl Pitch {
    fn next(&mut self) -> f64 {
        if self.left > 0 {
            self.left -= 1;
            self.now = if self.left == 0 { self.target } else { self.now + self.step };
        }
        self.now
    }
}

/// One filter's memory.
#[derive(Clone, Copy, Default)]
struct Filter {
    first: f64,
    second: f64,
}

/// What a filter makes of a sample.
struct Made {
    low: f64,
    high: f64,
    all: f64,
}

/// A frequency's factors, shared by all filters at it.
#[derive(Clone, Copy)]
struct Factors {
    a1: f64,
    a2: f64,
    a3: f64,
}

impl Factors {
    #[inline(always)]
    fn of(g: f64) -> Self {
        let a1 = 1.0 / (1.0 + g * (g + DAMPING));
        Self { a1, a2: g * a1, a3: g * g * a1 }
    }
}

impl Filter {
    #[inline(always)]
    fn run(&mut self, x: f64, by: Factors) -> Made {
        let v3 = x - self.second;
        let v1 = by.a1 * self.first + by.a2 * v3;
        let v2 = self.second + by.a2 * self.first + by.a3 * v3;
        self.first = 2.0 * v1 - self.first;
        self.second = 2.0 * v2 - self.second;
        Made { low: v2, high: x - DAMPING * v1 - v2, all: x - 2.0 * DAMPING * v1 }
    }
}

/// The filters of one channel at one crossover.
#[derive(Clone, Copy, Default)]
struct Crossover {
    both: Filter,
    low: Filter,
    high: Filter,
    /// The allpass of each band that was split off before.
    before: [Filter; CROSSOVERS],
}

impl Crossover {
    /// Splits `x`; what is below and what is above.
    #[inline(always)]
    fn split(&mut self, x: f64, by: Factors) -> (f64, f64) {
        let made = self.both.run(x, by);
        (self.low.run(made.low, by).low, self.high.run(made.high, by).high)
    }
}

/// A signal's bands.
pub struct Bands {
    channels: Vec<[Crossover; CROSSOVERS]>,
    pitches: [Pitch; CROSSOVERS],
    factors: Vec<[Factors; CROSSOVERS]>,
    rate: f64,
    fresh: bool,
}

impl Bands {
    /// For `channels` in blocks of at most `max_block` at `rate` Hz. `[home]`
    pub fn new(channels: usize, max_block: u32, rate: f64) -> Self {
        let still = Pitch { now: 0.1, target: 0.1, step: 0.0, left: 0 };
        Self {
            channels: vec![[Crossover::default(); CROSSOVERS]; channels],
            pitches: [still; CROSSOVERS],
            factors: vec![[Factors::of(0.1); CROSSOVERS]; max_block as usize],
            rate,
            fresh: true,
        }
    }

    /// Goes to other frequencies, Hz, within `frames`; at once where nothing was heard yet.
    pub fn go(&mut self, crossovers: &[f32], frames: u32) {
        for (pitch, &frequency) in self.pitches.iter_mut().zip(crossovers) {
            // Above that the filters could not tell the frequency from half the rate.
            let frequency = f64::from(frequency).clamp(1.0, 0.49 * self.rate);
            let target = (std::f64::consts::PI * frequency / self.rate).tan();
            if self.fresh {
                *pitch = Pitch { now: target, target, step: 0.0, left: 0 };
            } else if target != pitch.target {
                let left = frames.max(1);
                *pitch = Pitch { now: pitch.now, target, step: (target - pitch.now) / f64::from(left), left };
            }
        }
        self.fresh = false;
    }

    /// Begins anew: nothing of it is heard.
    pub fn restart(&mut self) {
        self.clear();
        self.fresh = true;
    }

    /// Forgets what sounds.
    pub fn clear(&mut self) {
        self.channels.fill([Crossover::default(); CROSSOVERS]);
    }

    /// Splits `input` into as many bands as there are `outputs`, lowest first.
    pub fn run(&mut self, input: &Bus, outputs: &mut [Bus], frames: usize) {
        let count = outputs.len().saturating_sub(1).min(CROSSOVERS);
        self.prepare(count, frames);
        for (c, filters) in self.channels.iter_mut().enumerate() {
            let Some(from) = input.channels.get(c) else { continue };
            for (i, (&x, factors)) in from[..frames].iter().zip(&self.factors).enumerate() {
                let mut bands = [0.0; MAX_BANDS];
                let mut rest = f64::from(x);
                for (k, filter) in filters.iter_mut().enumerate().take(count) {
                    for (band, all) in bands.iter_mut().zip(&mut filter.before).take(k) {
                        *band = all.run(*band, factors[k]).all;
                    }
                    (bands[k], rest) = filter.split(rest, factors[k]);
                }
                bands[count] = rest;
                for (output, band) in outputs.iter_mut().zip(bands) {
                    output.channels[c][i] = band as f32;
                }
            }
        }
    }

    /// Works the factors of each frame out, once for all channels.
    fn prepare(&mut self, count: usize, frames: usize) {
        for (k, pitch) in self.pitches.iter_mut().enumerate().take(count) {
            if pitch.left == 0 {
                let still = Factors::of(pitch.now);
                self.factors[..frames].iter_mut().for_each(|factors| factors[k] = still);
            } else {
                self.factors[..frames].iter_mut().for_each(|factors| factors[k] = Factors::of(pitch.next()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Magnitude of the sum of all bands at `frequency`, in dB, by a Fourier sum over the impulse response.
    fn magnitude(crossovers: &[f32], frequency: f64, rate: f64) -> f64 {
        const BLOCK: usize = 512;
        let mut bands = Bands::new(1, BLOCK as u32, rate);
        bands.go(crossovers, 1);
        let mut outputs: Vec<Bus> = (0..=crossovers.len()).map(|_| Bus::new(1, BLOCK)).collect();
        let (mut re, mut im) = (0.0, 0.0);
        for block in 0..256 {
            let mut input = Bus::new(1, BLOCK);
            input.channels[0][0] = if block == 0 { 1.0 } else { 0.0 };
            bands.run(&input, &mut outputs, BLOCK);
            for i in 0..BLOCK {
                let sum: f64 = outputs.iter().map(|band| f64::from(band.channels[0][i])).sum();
                let angle = std::f64::consts::TAU * frequency / rate * (block * BLOCK + i) as f64;
                (re, im) = (re + sum * angle.cos(), im - sum * angle.sin());
            }
        }
        10.0 * (re * re + im * im).log10()
    }

    #[test]
    fn two_to_five_bands_sum_flat_to_a_hundredth_of_a_decibel() {
        let all = [80.0, 400.0, 2500.0, 9000.0];
        for count in 1..=4 {
            for frequency in [30.0, 80.0, 150.0, 400.0, 1000.0, 2500.0, 5000.0, 9000.0, 15_000.0, 20_000.0] {
                for rate in [44_100.0, 96_000.0] {
                    let db = magnitude(&all[..count], frequency, rate);
                    assert!(db.abs() < 0.01, "{count} crossovers at {frequency} Hz, {rate}: {db} dB");
                }
            }
        }
    }
}
