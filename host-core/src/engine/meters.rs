//! What the audio thread notes of a slot and home reads: single words, one writer.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::cpu;
use super::kernels::Level;
use super::messages::FaultKind;

/// Written by the audio thread, read by home. Every word stands for itself, so relaxed order is enough.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Meters {
    peak: AtomicU32,
    power: AtomicU32,
    ticks: AtomicU64,
    blocks: AtomicU64,
    longest: AtomicU64,
    faults: AtomicU32,
    last_fault: AtomicU8,
    /// What home has read of `ticks` and `blocks`; home's alone.
    read_ticks: AtomicU64,
    read_blocks: AtomicU64,
}

/// A slot's meters since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeterReading {
    /// Largest absolute sample of the slot's output.
    pub peak: f32,
    /// Root of the mean square of the slot's output, over the last block.
    pub rms: f32,
    /// Blocks run.
    pub blocks: u64,
    /// Average time of a block, nanoseconds.
    pub average_nanos: u32,
    /// Longest time of a block, nanoseconds.
    pub max_nanos: u32,
    /// Faults since the slot was made.
    pub faults: u32,
    /// The kind of the last of them.
    pub last_fault: Option<FaultKind>,
}

impl Meters {
    /// Notes a block: its time, and its sound with `share` = 1 / samples. `[audio]`
    #[inline]
    pub(super) fn note(&self, ticks: u64, level: Level, share: f32) {
        let peak = level.peak;
        if peak > f32::from_bits(self.peak.load(Relaxed)) {
            self.peak.store(peak.to_bits(), Relaxed);
        }
        self.power.store((level.energy * share).to_bits(), Relaxed);
        self.ticks.store(self.ticks.load(Relaxed).wrapping_add(ticks), Relaxed);
        self.blocks.store(self.blocks.load(Relaxed).wrapping_add(1), Relaxed);
        if ticks > self.longest.load(Relaxed) {
            self.longest.store(ticks, Relaxed);
        }
    }

    /// Counts a fault. `[audio]`
    pub(super) fn fault(&self, kind: FaultKind) {
        self.faults.store(self.faults.load(Relaxed).wrapping_add(1), Relaxed);
        self.last_fault.store(kind as u8 + 1, Relaxed);
    }

    /// Reads, and begins anew with peak and times. `[home]`
    pub fn read(&self) -> MeterReading {
        let (ticks, blocks) = (self.ticks.load(Relaxed), self.blocks.load(Relaxed));
        let passed = ticks.wrapping_sub(self.read_ticks.swap(ticks, Relaxed));
        let ran = blocks.wrapping_sub(self.read_blocks.swap(blocks, Relaxed));
        let nanos = cpu::nanos_per_tick();
        MeterReading {
            peak: f32::from_bits(self.peak.swap(0, Relaxed)),
            rms: f32::from_bits(self.power.load(Relaxed)).max(0.0).sqrt(),
            blocks: ran,
            average_nanos: (passed as f64 * nanos / ran.max(1) as f64) as u32,
            max_nanos: (self.longest.swap(0, Relaxed) as f64 * nanos) as u32,
            faults: self.faults.load(Relaxed),
            last_fault: FaultKind::from_number(self.last_fault.load(Relaxed)),
        }
    }
}
