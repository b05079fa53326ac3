//! The loops over samples. Plain slices of equal length, written so that they compile to vector code.

use super::quad::Quad;

/// Samples taken at once: four vectors of the smallest instruction set, so that sums do not wait for each other.
const WIDE: usize = 16;

/// Peak and energy of samples that were scanned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Level {
    /// Largest absolute value; samples that are no number count as 0.
    pub peak: f32,
    /// Sum of squares. Not finite where a sample was not, or where samples are beyond 1e18.
    pub energy: f32,
}

/// A scan under way: lanes that do not wait for each other, brought together once at the end.
struct Scan {
    peak: [Quad; 4],
    energy: [Quad; 4],
}

impl Scan {
    #[inline(always)]
    fn new() -> Self {
        let zero = Quad::from([0.0; 4]);
        Self { peak: [zero; 4], energy: [zero; 4] }
    }

    #[inline(always)]
    fn take(&mut self, lane: usize, x: Quad) {
        self.peak[lane] = x.abs().max(self.peak[lane]);
        self.energy[lane] = x.mul(x).add(self.energy[lane]);
    }

    #[inline(always)]
    fn take_all(&mut self, xs: &[f32; WIDE]) {
        let (quads, _) = xs.as_chunks::<4>();
        for (lane, quad) in quads.iter().enumerate() {
            self.take(lane, Quad::from(*quad));
        }
    }

    /// The samples left over after the last whole chunk.
    #[inline(always)]
    fn take_rest(&mut self, xs: &[f32]) {
        let mut last = [0.0; WIDE];
        if !xs.is_empty() {
            last[..xs.len()].copy_from_slice(xs);
            self.take_all(&last);
        }
    }

    #[inline(always)]
    fn level(self) -> Level {
        let [a, b, c, d] = self.peak;
        let peak = a.max(b).max(c.max(d)).to_array();
        let [a, b, c, d] = self.energy;
        let energy = a.add(b).add(c.add(d)).to_array();
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        Level {
            peak: larger(larger(peak[0], peak[1]), larger(peak[2], peak[3])),
            energy: (energy[0] + energy[1]) + (energy[2] + energy[3]),
        }
    }
}

/// Copies `frames` of each channel and scans them in the same pass. `[audio]`
#[inline(always)]
pub fn copy_scan<'a>(channels: impl Iterator<Item = (&'a mut [f32], &'a [f32])>) -> Level {
    let mut scan = Scan::new();
    for (to, from) in channels {
        let (to, to_rest) = to.as_chunks_mut::<WIDE>();
        let (from, from_rest) = from.as_chunks::<WIDE>();
        for (to, from) in to.iter_mut().zip(from) {
            let samples = *from;
            *to = samples;
            scan.take_all(&samples);
        }
        to_rest.copy_from_slice(from_rest);
        scan.take_rest(from_rest);
    }
    scan.level()
}

/// Scans alone. `[audio]`
pub fn scan<'a>(channels: impl Iterator<Item = &'a [f32]>) -> Level {
    let mut scan = Scan::new();
    for channel in channels {
        let (chunks, rest) = channel.as_chunks::<WIDE>();
        chunks.iter().for_each(|chunk| scan.take_all(chunk));
        scan.take_rest(rest);
    }
    scan.level()
}

/// `out = dry * (1 - amount) + wet * gain * amount`. Exactly `wet * gain` where the amount is 1 and exactly `dry` where it
/// is 0. `[audio]`
pub fn blend(out: &mut [f32], dry: &[f32], wet: &[f32], amount: &[f32], gain: &[f32]) {
    for (((out, &dry), &wet), (&amount, &gain)) in out.iter_mut().zip(dry).zip(wet).zip(amount.iter().zip(gain)) {
        *out = dry * (1.0 - amount) + wet * gain * amount;
    }
}

/// `out = dry + wet * gain * amount`: for what adds to the sound before it. `[audio]`
pub fn mix(out: &mut [f32], dry: &[f32], wet: &[f32], amount: &[f32], gain: &[f32]) {
    for (((out, &dry), &wet), (&amount, &gain)) in out.iter_mut().zip(dry).zip(wet).zip(amount.iter().zip(gain)) {
        *out = dry + wet * gain * amount;
    }
}

/// `dst *= gain`. `[audio]`
pub fn scale_in_place(dst: &mut [f32], gain: &[f32]) {
    for (dst, &gain) in dst.iter_mut().zip(gain) {
        *dst *= gain;
    }
}

/// `dst += src`. `[audio]`
pub fn add(dst: &mut [f32], src: &[f32]) {
    for (dst, &src) in dst.iter_mut().zip(src) {
        *dst += src;
    }
}

/// Whether every sample is a finite number. `[audio]`
pub fn all_finite(samples: &[f32]) -> bool {
    samples.iter().all(|x| x.is_finite())
}

/// Puts 0 in place of every sample that is no finite number. `[audio]`
pub fn sanitise(samples: &mut [f32]) {
    for x in samples {
        if !x.is_finite() {
            *x = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_finds_the_peak_and_every_sample_that_is_no_number() {
        for len in [1, 15, 16, 17, 64, 100] {
            let src: Vec<f32> = (0..len).map(|i| -(i as f32)).collect();
            let mut dst = vec![9.0; len];
            let level = copy_scan(std::iter::once((&mut dst[..], &src[..])));
            assert_eq!(dst, src);
            assert_eq!(level.peak, (len - 1) as f32);
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                for at in 0..len {
                    let mut src = src.clone();
                    src[at] = bad;
                    assert!(!copy_scan(std::iter::once((&mut dst[..], &src[..]))).energy.is_finite());
                    assert!(!scan(std::iter::once(&src[..])).energy.is_finite());
                }
            }
        }
    }

    #[test]
    fn a_blend_is_exact_at_both_ends() {
        let (dry, wet) = ([0.1f32, -0.7, 3.3e7], [0.3f32, 1e-9, -5.5]);
        let mut out = [0.0; 3];
        blend(&mut out, &dry, &wet, &[0.0; 3], &[1.0; 3]);
        assert_eq!(out, dry);
        blend(&mut out, &dry, &wet, &[1.0; 3], &[1.0; 3]);
        assert_eq!(out, wet);
    }
}
