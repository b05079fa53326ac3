//! Several samples at once: as many as the processor's vectors hold.
//!
//! The compiler turns most loops of the engine into vector code by itself. It may not reorder a sum of floats, and guesses
//! badly where a loop keeps several, so those loops are told. They are written over [`Vector`] and run with the widest
//! kind that the processor has ([`wide`]).

/// Samples in one vector, whatever their number.
pub trait Vector: Copy {
    /// How many.
    const LEN: usize;

    /// Nothing but zeros.
    fn zero() -> Self;
    /// The first samples of `from`, which holds at least [`Vector::LEN`].
    fn load(from: &[f32]) -> Self;
    /// Writes them to the beginning of `to`, which holds at least [`Vector::LEN`].
    fn store(self, to: &mut [f32]);
    /// Without their signs.
    fn abs(self) -> Self;
    /// The larger of each pair; `other`'s where `self`'s is no number.
    fn max(self, other: Self) -> Self;
    /// Their products.
    fn mul(self, other: Self) -> Self;
    /// Their sums.
    fn add(self, other: Self) -> Self;
    /// The largest of all.
    fn largest(self) -> f32;
    /// The sum of all.
    fn sum(self) -> f32;
}

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "vector instructions that not every x86-64 has count as unsafe where nobody has asked for them"
)]
mod lanes {
    use std::arch::x86_64::{
        __m128, __m256, _mm_add_ps, _mm_and_ps, _mm_max_ps, _mm_movehl_ps, _mm_mul_ps, _mm_shuffle_ps, _mm256_add_ps,
        _mm256_and_ps, _mm256_castps256_ps128, _mm256_extractf128_ps, _mm256_max_ps, _mm256_mul_ps,
    };

    use super::Vector;

    /// Four samples: part of every x86-64 processor.
    #[derive(Clone, Copy)]
    pub struct Quad(__m128);

    /// Eight samples, for code that runs under [`wide`].
    #[derive(Clone, Copy)]
    pub struct Oct(__m256);

    fn four(from: &[f32]) -> [f32; 4] {
        from.first_chunk().copied().unwrap_or_default()
    }

    impl Vector for Quad {
        const LEN: usize = 4;

        #[inline(always)]
        fn zero() -> Self {
            Self(bytemuck::Zeroable::zeroed())
        }

        #[inline(always)]
        fn load(from: &[f32]) -> Self {
            Self(bytemuck::cast(four(from)))
        }

        #[inline(always)]
        fn store(self, to: &mut [f32]) {
            to[..4].copy_from_slice(&bytemuck::cast::<_, [f32; 4]>(self.0));
        }

        #[inline(always)]
        fn abs(self) -> Self {
            let mask: __m128 = bytemuck::cast([0x7FFF_FFFF_u32; 4]);
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_and_ps(self.0, mask) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn largest(self) -> f32 {
            let halves = self.max(self.upper());
            first(halves.max(halves.second()))
        }

        #[inline(always)]
        fn sum(self) -> f32 {
            let halves = self.add(self.upper());
            first(halves.add(halves.second()))
        }
    }

    #[inline(always)]
    fn first(quad: Quad) -> f32 {
        bytemuck::cast::<_, [f32; 4]>(quad.0)[0]
    }

    impl Quad {
        /// The last two samples in the place of the first.
        #[inline(always)]
        fn upper(self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_movehl_ps(self.0, self.0) })
        }

        /// The second sample in every place.
        #[inline(always)]
        fn second(self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_shuffle_ps::<0x55>(self.0, self.0) })
        }
    }

    impl Vector for Oct {
        const LEN: usize = 8;

        #[inline(always)]
        fn zero() -> Self {
            Self(bytemuck::Zeroable::zeroed())
        }

        #[inline(always)]
        fn load(from: &[f32]) -> Self {
            let samples: [f32; 8] = from.first_chunk().copied().unwrap_or_default();
            Self(bytemuck::cast(samples))
        }

        #[inline(always)]
        fn store(self, to: &mut [f32]) {
            to[..8].copy_from_slice(&bytemuck::cast::<_, [f32; 8]>(self.0));
        }

        #[inline(always)]
        fn abs(self) -> Self {
            let mask: __m256 = bytemuck::cast([0x7FFF_FFFF_u32; 8]);
            // SAFETY: `wide` lets code with this type run only where the processor has AVX; no memory is touched.
            Self(unsafe { _mm256_and_ps(self.0, mask) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: as in `abs`.
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: as in `abs`.
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: as in `abs`.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn largest(self) -> f32 {
            let [low, high] = self.halves();
            low.max(high).largest()
        }

        #[inline(always)]
        fn sum(self) -> f32 {
            let [low, high] = self.halves();
            low.add(high).sum()
        }
    }

    impl Oct {
        #[inline(always)]
        fn halves(self) -> [Quad; 2] {
            // SAFETY: as in `abs`.
            unsafe { [Quad(_mm256_castps256_ps128(self.0)), Quad(_mm256_extractf128_ps::<1>(self.0))] }
        }
    }

    /// Work over samples that can be done with vectors of any length.
    pub trait Work {
        /// What it finds.
        type Found;
        /// Does it. To be marked `#[inline(always)]`: it becomes part of a function compiled for the vectors it uses.
        fn run<V: Vector>(self) -> Self::Found;
    }

    /// Does `work` with the widest vectors that this processor has.
    #[inline(always)]
    pub fn wide<W: Work>(work: W) -> W::Found {
        if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: the processor has AVX, which is all that the function asks for.
            unsafe { with_avx(work) }
        } else {
            work.run::<Quad>()
        }
    }

    #[target_feature(enable = "avx")]
    fn with_avx<W: Work>(work: W) -> W::Found {
        work.run::<Oct>()
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod lanes {
    use super::Vector;

    /// Four samples, for the compiler to make a vector of.
    #[derive(Clone, Copy)]
    pub struct Quad([f32; 4]);

    impl Quad {
        #[inline(always)]
        fn pairs(self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
            Self(std::array::from_fn(|i| of(self.0[i], other.0[i])))
        }
    }

    fn larger(a: f32, b: f32) -> f32 {
        if a > b { a } else { b }
    }

    impl Vector for Quad {
        const LEN: usize = 4;

        #[inline(always)]
        fn zero() -> Self {
            Self([0.0; 4])
        }

        #[inline(always)]
        fn load(from: &[f32]) -> Self {
            Self(from.first_chunk().copied().unwrap_or_default())
        }

        #[inline(always)]
        fn store(self, to: &mut [f32]) {
            to[..4].copy_from_slice(&self.0);
        }

        #[inline(always)]
        fn abs(self) -> Self {
            Self(self.0.map(f32::abs))
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            self.pairs(other, larger)
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            self.pairs(other, |a, b| a * b)
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            self.pairs(other, |a, b| a + b)
        }

        #[inline(always)]
        fn largest(self) -> f32 {
            larger(larger(self.0[0], self.0[1]), larger(self.0[2], self.0[3]))
        }

        #[inline(always)]
        fn sum(self) -> f32 {
            (self.0[0] + self.0[2]) + (self.0[1] + self.0[3])
        }
    }

    /// Work over samples that can be done with vectors of any length.
    pub trait Work {
        /// What it finds.
        type Found;
        /// Does it.
        fn run<V: Vector>(self) -> Self::Found;
    }

    /// Does `work` with the vectors that every processor of this kind has.
    #[inline(always)]
    pub fn wide<W: Work>(work: W) -> W::Found {
        work.run::<Quad>()
    }
}

pub use lanes::{Work, wide};
