//! What the engine asks of the processor itself: flush-to-zero, and a counter that costs a few nanoseconds.
#![expect(unsafe_code, reason = "the floating-point control register and the cycle counter have no safe access")]

use std::sync::OnceLock;
use std::time::Instant;

#[cfg(target_arch = "x86_64")]
mod arch {
    use core::arch::asm;

    /// Flush-to-zero and denormals-are-zero.
    const FLUSH: u32 = 0x8040;

    pub fn mode() -> u32 {
        let mut word = 0u32;
        // SAFETY: stmxcsr writes four bytes to `word`, which lives on this stack frame; nothing else is touched.
        unsafe { asm!("stmxcsr [{}]", in(reg) &mut word, options(nostack, preserves_flags)) };
        word
    }

    pub fn set_mode(word: u32) {
        // SAFETY: `word` was read by `mode` or is that with the two flush bits set, so no reserved bit is set and no
        // exception is unmasked that the thread's owner had masked.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, preserves_flags, readonly)) };
    }

    pub fn flushing(word: u32) -> u32 {
        word | FLUSH
    }

    /// Whether results too small for a normal number become 0, and such operands count as 0. Two products tell it in a tenth
    /// of the time that reading the control register takes.
    #[inline(always)]
    pub fn flushes() -> bool {
        let (result, operand): (f32, f32);
        // SAFETY: two multiplications in registers; nothing else is touched but the sticky flags of the control register.
        unsafe {
            asm!(
                "mulss {result}, {half}",
                "mulss {operand}, {large}",
                result = inout(xmm_reg) f32::MIN_POSITIVE => result,
                operand = inout(xmm_reg) f32::from_bits(1) => operand,
                half = in(xmm_reg) 0.5_f32,
                large = in(xmm_reg) 1e30_f32,
                options(nomem, nostack, preserves_flags)
            );
        }
        (result.to_bits() | operand.to_bits()) == 0
    }

    pub fn ticks() -> u64 {
        // SAFETY: every x86-64 processor has the time stamp counter, and Linux leaves it open to programs.
        unsafe { core::arch::x86_64::_rdtsc() }
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use core::arch::asm;

    /// Flush-to-zero.
    const FLUSH: u32 = 1 << 24;

    pub fn mode() -> u32 {
        let word: u64;
        // SAFETY: reads the floating-point control register of this thread; nothing else is touched.
        unsafe { asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word as u32
    }

    pub fn set_mode(word: u32) {
        // SAFETY: `word` was read by `mode` or is that with the flush bit set.
        unsafe { asm!("msr fpcr, {}", in(reg) u64::from(word), options(nomem, nostack, preserves_flags)) };
    }

    pub fn flushing(word: u32) -> u32 {
        word | FLUSH
    }

    /// Whether results and operands too small for a normal number become 0.
    #[inline(always)]
    pub fn flushes() -> bool {
        mode() & FLUSH == FLUSH
    }

    pub fn ticks() -> u64 {
        let ticks: u64;
        // SAFETY: Linux leaves the virtual counter open to programs on every aarch64 processor.
        unsafe { asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack, preserves_flags)) };
        ticks
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch {
    pub fn mode() -> u32 {
        0
    }

    pub fn set_mode(_word: u32) {}

    pub fn flushing(word: u32) -> u32 {
        word
    }

    pub fn flushes() -> bool {
        true
    }

    pub fn ticks() -> u64 {
        super::base().0.elapsed().as_nanos() as u64
    }
}

/// Flush-to-zero for as long as it lives; then the thread's own mode again.
pub struct FlushToZero {
    /// The mode to return to; `None` where the thread flushes of its own, as those of most hosts do.
    own: Option<u32>,
}

impl FlushToZero {
    /// Switches it on for this thread. `[audio]`
    #[inline]
    pub fn on() -> Self {
        if arch::flushes() {
            return Self { own: None };
        }
        let own = arch::mode();
        arch::set_mode(arch::flushing(own));
        Self { own: Some(own) }
    }

    /// Switches it on again where a plugin switched it off. `[audio]`
    #[inline]
    pub fn reassert(&self) {
        if !arch::flushes() {
            arch::set_mode(arch::flushing(self.own.unwrap_or_else(arch::mode)));
        }
    }
}

impl Drop for FlushToZero {
    fn drop(&mut self) {
        if let Some(own) = self.own {
            arch::set_mode(own);
        }
    }
}

/// Switches it on for this thread for good: a helper of ours.
pub fn flush_to_zero() {
    std::mem::forget(FlushToZero::on());
}

/// A counter of steady pace, in ticks of its own. `[any]`
pub fn ticks() -> u64 {
    arch::ticks()
}

fn base() -> &'static (Instant, u64) {
    static BASE: OnceLock<(Instant, u64)> = OnceLock::new();
    BASE.get_or_init(|| {
        (Instant::now(), if cfg!(target_arch = "x86_64") || cfg!(target_arch = "aarch64") { arch::ticks() } else { 0 })
    })
}

/// Notes when the counter began to be compared with the clock. `[home]`
pub fn calibrate() {
    base();
}

/// Nanoseconds in one tick, from all the time since [`calibrate`]. `[home]`
pub fn nanos_per_tick() -> f64 {
    let (began, first) = base();
    let passed = began.elapsed().as_nanos() as f64;
    let counted = arch::ticks().saturating_sub(*first) as f64;
    if counted > 0.0 { passed / counted } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denormals_are_flushed_inside_and_the_mode_is_as_before_afterwards() {
        // Without the flags of what has happened, which are no part of the mode.
        let mode = || arch::mode() & !0x3F;
        let before = mode();
        let tiny = std::hint::black_box(f32::MIN_POSITIVE);
        {
            let guard = FlushToZero::on();
            assert_eq!(std::hint::black_box(tiny) * 0.25, 0.0);
            arch::set_mode(before);
            assert!(!arch::flushes());
            guard.reassert();
            assert!(arch::flushes());
            assert_eq!(std::hint::black_box(tiny) * 0.25, 0.0);
            // On a thread that flushes already nothing is to be restored, but what a plugin switches off is switched on.
            let inner = FlushToZero::on();
            arch::set_mode(before);
            inner.reassert();
            drop(inner);
            assert!(arch::flushes());
        }
        assert_eq!(mode(), before);
        assert!(std::hint::black_box(tiny) * 0.25 > 0.0);
    }

    #[test]
    fn ticks_turn_into_the_clocks_nanoseconds() {
        calibrate();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let (clock, first) = (Instant::now(), ticks());
        std::thread::sleep(std::time::Duration::from_millis(20));
        let told = (ticks() - first) as f64 * nanos_per_tick();
        let ratio = told / clock.elapsed().as_nanos() as f64;
        assert!((0.5..2.0).contains(&ratio), "{ratio}");
    }
}
