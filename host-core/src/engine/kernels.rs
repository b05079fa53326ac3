//! The loops over samples. Plain slices of equal length, written so that they compile to vector code.

use super::vector::{Vector, Work, wide};

/// Vectors taken at once, so that sums do not wait for each other.
const ABREAST: usize = 4;

/// Peak and energy of samples that were scanned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Level {
    /// Largest absolute value; samples that are no number count as 0.
    pub peak: f32,
    /// Sum of squares. Not finite where a sample was not, or where samples are beyond 1e18.
    pub energy: f32,
}

impl Level {
    /// Of these samples and of `more`. `[audio]`
    pub fn and(self, more: Self) -> Self {
        Self { peak: larger(self.peak, more.peak), energy: self.energy + more.energy }
    }

    /// Samples beyond -1 to 1 in `channels`, whose level this is: a second look, where there are any. `[audio]`
    #[inline]
    pub fn clips<'a>(self, channels: impl Iterator<Item = &'a [f32]>) -> u32 {
        if self.peak > 1.0 { clips(channels) } else { 0 }
    }
}

#[cold]
fn clips<'a>(channels: impl Iterator<Item = &'a [f32]>) -> u32 {
    channels.map(|channel| channel.iter().map(|x| u32::from(x.abs() > 1.0)).sum::<u32>()).sum()
}

/// A scan under way: vectors that do not wait for each other, brought together once at the end.
struct Scan<V> {
    peak: [V; ABREAST],
    energy: [V; ABREAST],
    /// Of the samples left over after the last whole vector.
    rest: Level,
}

impl<V: Vector> Scan<V> {
    #[inline(always)]
    fn new() -> Self {
        Self { peak: [V::zero(); ABREAST], energy: [V::zero(); ABREAST], rest: Level::default() }
    }

    #[inline(always)]
    fn take(&mut self, place: usize, x: V) {
        self.peak[place] = x.abs().max(self.peak[place]);
        self.energy[place] = x.mul(x).add(self.energy[place]);
    }

    #[inline(always)]
    fn take_one(&mut self, x: f32) {
        self.rest.peak = larger(x.abs(), self.rest.peak);
        self.rest.energy += x * x;
    }

    #[inline(always)]
    fn level(self) -> Level {
        let [a, b, c, d] = self.peak;
        let peak = a.max(b).max(c.max(d)).largest();
        let [a, b, c, d] = self.energy;
        let energy = a.add(b).add(c.add(d)).sum();
        Level { peak: larger(peak, self.rest.peak), energy: energy + self.rest.energy }
    }
}

/// The larger; `b` where `a` is no number.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

struct CopyScan<I>(I);

impl<'a, I: Iterator<Item = (&'a mut [f32], &'a [f32])>> Work for CopyScan<I> {
    type Found = Level;

    #[inline(always)]
    fn run<V: Vector>(self) -> Level {
        let mut scan = Scan::<V>::new();
        for (to, from) in self.0 {
            let (mut to, mut from) = (to.chunks_exact_mut(V::LEN * ABREAST), from.chunks_exact(V::LEN * ABREAST));
            for (to, from) in to.by_ref().zip(from.by_ref()) {
                for place in 0..ABREAST {
                    let x = V::load(&from[place * V::LEN..]);
                    x.store(&mut to[place * V::LEN..]);
                    scan.take(place, x);
                }
            }
            let (mut to, mut from) =
                (to.into_remainder().chunks_exact_mut(V::LEN), from.remainder().chunks_exact(V::LEN));
            for (to, from) in to.by_ref().zip(from.by_ref()) {
                let x = V::load(from);
                x.store(to);
                scan.take(0, x);
            }
            for (to, &x) in to.into_remainder().iter_mut().zip(from.remainder()) {
                *to = x;
                scan.take_one(x);
            }
        }
        scan.level()
    }
}

/// Copies each pair's samples, which are equally many, and scans them in the same pass. `[audio]`
#[inline(always)]
pub fn copy_scan<'a>(channels: impl Iterator<Item = (&'a mut [f32], &'a [f32])>) -> Level {
    wide(CopyScan(channels))
}

struct CopyFinite<I>(I);

impl<'a, I: Iterator<Item = (&'a mut [f32], &'a [f32])>> Work for CopyFinite<I> {
    type Found = bool;

    #[inline(always)]
    fn run<V: Vector>(self) -> bool {
        // A finite sample times 0 is 0, and any other is no number.
        let mut sums = [V::zero(); ABREAST];
        let mut rest = 0.0;
        for (to, from) in self.0 {
            let (mut to, mut from) = (to.chunks_exact_mut(V::LEN * ABREAST), from.chunks_exact(V::LEN * ABREAST));
            for (to, from) in to.by_ref().zip(from.by_ref()) {
                for (place, sum) in sums.iter_mut().enumerate() {
                    let x = V::load(&from[place * V::LEN..]);
                    x.store(&mut to[place * V::LEN..]);
                    *sum = x.mul(V::zero()).add(*sum);
                }
            }
            for (to, &x) in to.into_remainder().iter_mut().zip(from.remainder()) {
                *to = x;
                rest += x * 0.0;
            }
        }
        let [a, b, c, d] = sums;
        a.add(b).add(c.add(d)).sum() + rest == 0.0
    }
}

/// Copies each pair's samples, which are equally many. Whether all of them are finite. `[audio]`
#[inline(always)]
pub fn copy_finite<'a>(channels: impl Iterator<Item = (&'a mut [f32], &'a [f32])>) -> bool {
    wide(CopyFinite(channels))
}

struct Copy<I>(I);

impl<'a, I: Iterator<Item = (&'a mut [f32], &'a [f32])>> Work for Copy<I> {
    type Found = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for (to, from) in self.0 {
            let (mut to, mut from) = (to.chunks_exact_mut(V::LEN * ABREAST), from.chunks_exact(V::LEN * ABREAST));
            for (to, from) in to.by_ref().zip(from.by_ref()) {
                for place in 0..ABREAST {
                    V::load(&from[place * V::LEN..]).store(&mut to[place * V::LEN..]);
                }
            }
            let (to, from) = (to.into_remainder(), from.remainder());
            if !from.is_empty() {
                to.copy_from_slice(from);
            }
        }
    }
}

/// Copies each pair's samples, which are equally many: for blocks so short that a call of `memcpy` counts. `[audio]`
#[inline(always)]
pub fn copy<'a>(channels: impl Iterator<Item = (&'a mut [f32], &'a [f32])>) {
    wide(Copy(channels));
}

struct AddScan<I>(I);

impl<'a, I: Iterator<Item = (&'a mut [f32], (&'a [f32], &'a [f32]))>> Work for AddScan<I> {
    type Found = Level;

    #[inline(always)]
    fn run<V: Vector>(self) -> Level {
        let mut scan = Scan::<V>::new();
        for (out, (dry, wet)) in self.0 {
            let step = V::LEN * ABREAST;
            let (mut out, mut dry, mut wet) =
                (out.chunks_exact_mut(step), dry.chunks_exact(step), wet.chunks_exact(step));
            for ((out, dry), wet) in out.by_ref().zip(dry.by_ref()).zip(wet.by_ref()) {
                for place in 0..ABREAST {
                    let at = place * V::LEN;
                    let x = V::load(&dry[at..]).add(V::load(&wet[at..]));
                    x.store(&mut out[at..]);
                    scan.take(place, x);
                }
            }
            let rest = out.into_remainder().iter_mut().zip(dry.remainder()).zip(wet.remainder());
            for ((out, dry), wet) in rest {
                *out = dry + wet;
                scan.take_one(*out);
            }
        }
        scan.level()
    }
}

/// `out = dry + wet` for each three, which are equally long, and a scan of what comes out in the same pass. `[audio]`
#[inline(always)]
pub fn add_scan<'a>(channels: impl Iterator<Item = (&'a mut [f32], (&'a [f32], &'a [f32]))>) -> Level {
    wide(AddScan(channels))
}

struct ScanAll<I>(I);

impl<'a, I: Iterator<Item = &'a [f32]>> Work for ScanAll<I> {
    type Found = Level;

    #[inline(always)]
    fn run<V: Vector>(self) -> Level {
        let mut scan = Scan::<V>::new();
        for channel in self.0 {
            let mut chunks = channel.chunks_exact(V::LEN * ABREAST);
            for chunk in chunks.by_ref() {
                for place in 0..ABREAST {
                    scan.take(place, V::load(&chunk[place * V::LEN..]));
                }
            }
            let mut rest = chunks.remainder().chunks_exact(V::LEN);
            rest.by_ref().for_each(|chunk| scan.take(0, V::load(chunk)));
            rest.remainder().iter().for_each(|x| scan.take_one(*x));
        }
        scan.level()
    }
}

/// Scans alone. `[audio]`
pub fn scan<'a>(channels: impl Iterator<Item = &'a [f32]>) -> Level {
    wide(ScanAll(channels))
}

/// Whether every sample is 0. `[audio]`
pub fn is_silent<'a>(mut channels: impl Iterator<Item = &'a [f32]>) -> bool {
    channels.all(|channel| channel.iter().fold(0, |bits, x| bits | x.to_bits() << 1) == 0)
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

/// `dst -= src * gain`. `[audio]`
pub fn take_away(dst: &mut [f32], src: &[f32], gain: &[f32]) {
    for ((dst, &src), &gain) in dst.iter_mut().zip(src).zip(gain) {
        *dst -= src * gain;
    }
}

/// Makes of a pair of channels what `[left from left, left from right, right from left, right from right]` say. `[audio]`
pub fn turn(left: &mut [f32], right: &mut [f32], [ll, lr, rl, rr]: [&[f32]; 4]) {
    let factors = ll.iter().zip(lr).zip(rl.iter().zip(rr));
    for ((left, right), ((ll, lr), (rl, rr))) in left.iter_mut().zip(right).zip(factors) {
        (*left, *right) = (ll * *left + lr * *right, rl * *left + rr * *right);
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
            assert_eq!(level.clips(std::iter::once(&dst[..])) as usize, len.saturating_sub(2));
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
    fn a_copy_finds_every_sample_that_is_no_number() {
        for len in [1, 31, 32, 33, 100] {
            let src: Vec<f32> =
                (0..len).map(|i| f32::MAX * (i as f32 - 3.0)).map(|x| x.clamp(-f32::MAX, f32::MAX)).collect();
            let mut dst = vec![9.0; len];
            assert!(copy_finite(std::iter::once((&mut dst[..], &src[..]))));
            assert_eq!(dst, src);
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                for at in 0..len {
                    let mut src = src.clone();
                    src[at] = bad;
                    assert!(!copy_finite(std::iter::once((&mut dst[..], &src[..]))), "{bad} at {at} of {len}");
                }
            }
        }
    }

    #[test]
    fn a_sum_that_is_scanned_is_the_mix_with_nothing_turned_down() {
        for len in [1, 15, 31, 64, 100] {
            let dry: Vec<f32> = (0..len).map(|i| 0.3 * i as f32 - 7.0).collect();
            let wet: Vec<f32> = (0..len).map(|i| 1.0 / (i as f32 + 0.7)).collect();
            let (mut out, mut mixed) = (vec![9.0; len], vec![9.0; len]);
            let level = add_scan(std::iter::once((&mut out[..], (&dry[..], &wet[..]))));
            mix(&mut mixed, &dry, &wet, &vec![1.0; len], &vec![1.0; len]);
            assert_eq!(out, mixed);
            assert_eq!(level.peak, scan(std::iter::once(&mixed[..])).peak);
            let mut bad = wet.clone();
            bad[len / 2] = f32::NAN;
            assert!(!add_scan(std::iter::once((&mut out[..], (&dry[..], &bad[..])))).energy.is_finite());
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
