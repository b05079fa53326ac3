//! The loops over samples. Plain slices of equal length, written so that they compile to vector code.

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
    peak: [f32; WIDE],
    energy: [f32; WIDE],
}

impl Scan {
    #[inline(always)]
    fn new() -> Self {
        Self { peak: [0.0; WIDE], energy: [0.0; WIDE] }
    }

    #[inline(always)]
    fn take(&mut self, lane: usize, x: f32) {
        let size = x.abs();
        self.peak[lane] = if size > self.peak[lane] { size } else { self.peak[lane] };
        self.energy[lane] += x * x;
    }

    #[inline(always)]
    fn take_all(&mut self, xs: &[f32; WIDE]) {
        for (lane, &x) in xs.iter().enumerate() {
            self.take(lane, x);
        }
    }

    /// In halves, so that each step is one vector operation.
    #[inline(always)]
    fn level(mut self) -> Level {
        let mut width = WIDE / 2;
        while width > 0 {
            for lane in 0..width {
                let (a, b) = (self.peak[lane], self.peak[lane + width]);
                self.peak[lane] = if a > b { a } else { b };
                self.energy[lane] += self.energy[lane + width];
            }
            width /= 2;
        }
        Level { peak: self.peak[0], energy: self.energy[0] }
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
        for (lane, (to, &from)) in to_rest.iter_mut().zip(from_rest).enumerate() {
            *to = from;
            scan.take(lane, from);
        }
    }
    scan.level()
}

/// Scans alone. `[audio]`
pub fn scan<'a>(channels: impl Iterator<Item = &'a [f32]>) -> Level {
    let mut scan = Scan::new();
    for channel in channels {
        let (chunks, rest) = channel.as_chunks::<WIDE>();
        chunks.iter().for_each(|chunk| scan.take_all(chunk));
        rest.iter().enumerate().for_each(|(lane, &x)| scan.take(lane, x));
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
