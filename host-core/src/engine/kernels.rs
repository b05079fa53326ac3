//! The loops over samples. Plain slices of equal length, written so that they compile to vector code.

/// Samples taken at once: four vectors of the smallest instruction set, so that sums do not wait for each other.
const WIDE: usize = 16;

/// Peak and energy of what was scanned so far, one value per lane until [`Scan::peak`] asks.
#[derive(Clone, Copy)]
pub struct Scan {
    peak: [f32; WIDE],
    energy: [f32; WIDE],
}

impl Default for Scan {
    fn default() -> Self {
        Self { peak: [0.0; WIDE], energy: [0.0; WIDE] }
    }
}

impl Scan {
    /// Largest absolute value; samples that are no number count as 0. `[audio]`
    pub fn peak(&self) -> f32 {
        self.peak.iter().fold(0.0, |most, &x| if x > most { x } else { most })
    }

    /// Sum of squares. Not finite where a sample was not, or where samples are beyond 1e18. `[audio]`
    pub fn energy(&self) -> f32 {
        self.energy.iter().sum()
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
}

/// Copies and scans in one pass. `[audio]`
pub fn copy_scan(dst: &mut [f32], src: &[f32], scan: &mut Scan) {
    let mut local = *scan;
    let (to, to_rest) = dst.as_chunks_mut::<WIDE>();
    let (from, from_rest) = src.as_chunks::<WIDE>();
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
        local.take_all(from);
    }
    for (lane, (to, &from)) in to_rest.iter_mut().zip(from_rest).enumerate() {
        *to = from;
        local.take(lane, from);
    }
    *scan = local;
}

/// Scans alone. `[audio]`
pub fn scan(samples: &[f32], scan: &mut Scan) {
    for (i, &x) in samples.iter().enumerate() {
        scan.take(i % WIDE, x);
    }
}

/// `out = dry * (1 - amount) + wet * gain * amount`, scanned. Exactly `wet * gain` where the amount is 1 and exactly `dry`
/// where it is 0. `[audio]`
pub fn blend_scan(out: &mut [f32], dry: &[f32], wet: &[f32], amount: &[f32], gain: &[f32], scan: &mut Scan) {
    for (i, (((out, &dry), &wet), (&amount, &gain))) in
        out.iter_mut().zip(dry).zip(wet).zip(amount.iter().zip(gain)).enumerate()
    {
        *out = dry * (1.0 - amount) + wet * gain * amount;
        scan.take(i % WIDE, *out);
    }
}

/// `out = dry + wet * gain * amount`, scanned: for what adds to the sound before it. `[audio]`
pub fn add_scan(out: &mut [f32], dry: &[f32], wet: &[f32], amount: &[f32], gain: &[f32], scan: &mut Scan) {
    for (i, (((out, &dry), &wet), (&amount, &gain))) in
        out.iter_mut().zip(dry).zip(wet).zip(amount.iter().zip(gain)).enumerate()
    {
        *out = dry + wet * gain * amount;
        scan.take(i % WIDE, *out);
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
            let mut scan = Scan::default();
            copy_scan(&mut dst, &src, &mut scan);
            assert_eq!(dst, src);
            assert_eq!(scan.peak(), (len - 1) as f32);
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                for at in 0..len {
                    let mut src = src.clone();
                    src[at] = bad;
                    let mut scan = Scan::default();
                    copy_scan(&mut dst, &src, &mut scan);
                    assert!(!scan.energy().is_finite());
                }
            }
        }
    }

    #[test]
    fn a_blend_is_exact_at_both_ends() {
        let (dry, wet) = ([0.1f32, -0.7, 3.3e7], [0.3f32, 1e-9, -5.5]);
        let mut out = [0.0; 3];
        let mut scan = Scan::default();
        blend_scan(&mut out, &dry, &wet, &[0.0; 3], &[1.0; 3], &mut scan);
        assert_eq!(out, dry);
        blend_scan(&mut out, &dry, &wet, &[1.0; 3], &[1.0; 3], &mut scan);
        assert_eq!(out, wet);
    }
}
