//! Four samples as one vector of the processor's smallest instruction set.
//!
//! The compiler turns most loops of the engine into vector code by itself. It may not reorder a sum of floats, and guesses
//! badly where a loop keeps several, so that one loop is told.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the processor's vector instructions count as unsafe, part of every x86-64 as they are")]
mod lanes {
    use std::arch::x86_64::{__m128, _mm_add_ps, _mm_and_ps, _mm_max_ps, _mm_mul_ps};

    /// Four samples.
    #[derive(Clone, Copy)]
    pub struct Quad(__m128);

    impl From<[f32; 4]> for Quad {
        #[inline(always)]
        fn from(samples: [f32; 4]) -> Self {
            Self(bytemuck::cast(samples))
        }
    }

    impl Quad {
        #[inline(always)]
        pub fn to_array(self) -> [f32; 4] {
            bytemuck::cast(self.0)
        }

        #[inline(always)]
        pub fn abs(self) -> Self {
            let mask: __m128 = bytemuck::cast([0x7FFF_FFFF_u32; 4]);
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_and_ps(self.0, mask) })
        }

        /// The larger of each pair; `other`'s where `self`'s is no number.
        #[inline(always)]
        pub fn max(self, other: Self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        pub fn mul(self, other: Self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        pub fn add(self, other: Self) -> Self {
            // SAFETY: SSE is part of every x86-64 processor, and the function touches no memory.
            Self(unsafe { _mm_add_ps(self.0, other.0) })
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod lanes {
    /// Four samples.
    #[derive(Clone, Copy)]
    pub struct Quad([f32; 4]);

    impl From<[f32; 4]> for Quad {
        #[inline(always)]
        fn from(samples: [f32; 4]) -> Self {
            Self(samples)
        }
    }

    impl Quad {
        #[inline(always)]
        pub fn to_array(self) -> [f32; 4] {
            self.0
        }

        #[inline(always)]
        pub fn abs(self) -> Self {
            Self(self.0.map(f32::abs))
        }

        /// The larger of each pair; `other`'s where `self`'s is no number.
        #[inline(always)]
        pub fn max(self, other: Self) -> Self {
            self.pairs(other, |a, b| if a > b { a } else { b })
        }

        #[inline(always)]
        pub fn mul(self, other: Self) -> Self {
            self.pairs(other, |a, b| a * b)
        }

        #[inline(always)]
        pub fn add(self, other: Self) -> Self {
            self.pairs(other, |a, b| a + b)
        }

        #[inline(always)]
        fn pairs(self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
            Self(std::array::from_fn(|i| of(self.0[i], other.0[i])))
        }
    }
}

pub use lanes::Quad;
