//! What the audio thread notes of the sound at each point of a chain and of the time that it takes, and home reads: single
//! words, one writer and one reader.
//!
//! A slot notes what comes out of it, in the pass that copies it on and looks for samples that are no numbers; what goes into it is
//! what came out before it, so that nothing is scanned for that.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use super::cpu;
use super::kernels::Level;
use super::messages::FaultKind;
use super::slot::{count_clips, scan};
use crate::backend::audio::Bus;

/// The sound at one point since home last asked. Each word stands for itself: a reading between two of them mixes two blocks.
#[derive(Default)]
#[repr(C)]
pub(super) struct Point {
    /// Rises with every reading; home's.
    asked: AtomicU32,
    /// The last of these that was seen: the sums begin anew with another. Sums that went on for ever would lose what is quiet.
    seen: AtomicU32,
    peak: AtomicU32,
    clips: AtomicU32,
    energy: AtomicU64,
    samples: AtomicU64,
}

/// The sound at one point since it was last read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointReading {
    /// Largest absolute sample.
    pub peak: f32,
    /// Samples beyond -1 to 1.
    pub clips: u32,
    /// Sum of squares.
    pub energy: f64,
    /// Samples of all channels together.
    pub samples: u64,
}

impl Point {
    /// Notes a block of `samples` of all channels together. True: it is the first since home last asked. `[audio]`
    #[inline]
    pub fn note(&self, level: Level, samples: u32) -> bool {
        let asked = self.asked.load(Relaxed);
        let (energy, samples) = (f64::from(level.energy), u64::from(samples));
        if asked != self.seen.load(Relaxed) {
            self.peak.store(level.peak.to_bits(), Relaxed);
            self.clips.store(0, Relaxed);
            self.energy.store(energy.to_bits(), Relaxed);
            self.samples.store(samples, Relaxed);
            self.seen.store(asked, Release);
            return true;
        }
        if level.peak > f32::from_bits(self.peak.load(Relaxed)) {
            self.peak.store(level.peak.to_bits(), Relaxed);
        }
        self.energy.store((f64::from_bits(self.energy.load(Relaxed)) + energy).to_bits(), Relaxed);
        self.samples.store(self.samples.load(Relaxed).wrapping_add(samples), Relaxed);
        false
    }

    /// Notes samples beyond -1 to 1 of the block that was noted last. `[audio]`
    #[cold]
    pub fn clip(&self, clips: u32) {
        self.clips.store(self.clips.load(Relaxed).wrapping_add(clips), Relaxed);
    }

    /// Notes what a bus holds. `[audio]`
    pub fn note_bus(&self, bus: &Bus, frames: usize) {
        let level = scan(bus, frames);
        self.note(level, (frames * bus.channels.len()) as u32);
        if level.peak > 1.0 {
            self.clip(count_clips(bus, level, frames));
        }
    }

    /// What was noted since the last call; `None` where that is nothing. `[home]`
    pub fn read(&self) -> Option<PointReading> {
        let asked = self.asked.load(Relaxed);
        if self.seen.load(Acquire) != asked {
            return None;
        }
        let energy = f64::from_bits(self.energy.load(Relaxed));
        let reading = PointReading {
            peak: f32::from_bits(self.peak.load(Relaxed)),
            clips: self.clips.load(Relaxed),
            energy: if energy.is_finite() { energy } else { 0.0 },
            samples: self.samples.load(Relaxed),
        };
        self.asked.store(asked.wrapping_add(1), Relaxed);
        Some(reading)
    }
}

/// What comes out of a slot, or of the container, and what it costs, in one cache line.
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct Meters {
    output: Point,
    ticks: AtomicU64,
    longest: AtomicU64,
    blocks: AtomicU32,
    faults: AtomicU32,
    last_fault: AtomicU8,
}

/// A slot's meters, or the container's, since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeterReading {
    /// What came out; `None` where nothing was run.
    pub output: Option<PointReading>,
    /// Blocks run.
    pub blocks: u32,
    /// Time of all of them, nanoseconds.
    pub nanos: u64,
    /// Longest time of a block, nanoseconds.
    pub max_nanos: u32,
    /// Faults since the slot was made.
    pub faults: u32,
    /// The kind of the last of them.
    pub last_fault: Option<FaultKind>,
}

/// The container's meters since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContainerReading {
    /// What came in.
    pub input: Option<PointReading>,
    /// What went out, and the time of the whole.
    pub all: MeterReading,
}

/// A lane's meters since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaneReading {
    /// What the split gave it.
    pub input: Option<PointReading>,
    /// What it adds to the sum, gain and pan included.
    pub output: Option<PointReading>,
}

impl Meters {
    /// Notes a block: its time, and its sound of `samples` of all channels together. `[audio]`
    #[inline]
    pub fn note(&self, ticks: u64, level: Level, samples: u32) {
        if self.output.note(level, samples) {
            self.ticks.store(ticks, Relaxed);
            self.longest.store(ticks, Relaxed);
            self.blocks.store(1, Relaxed);
            return;
        }
        self.ticks.store(self.ticks.load(Relaxed).wrapping_add(ticks), Relaxed);
        self.blocks.store(self.blocks.load(Relaxed).wrapping_add(1), Relaxed);
        if ticks > self.longest.load(Relaxed) {
            self.longest.store(ticks, Relaxed);
        }
    }

    /// Notes samples beyond -1 to 1 of the block that was noted last. `[audio]`
    #[cold]
    pub fn clip(&self, clips: u32) {
        self.output.clip(clips);
    }

    /// Counts a fault. `[audio]`
    pub fn fault(&self, kind: FaultKind) {
        self.faults.store(self.faults.load(Relaxed).wrapping_add(1), Relaxed);
        self.last_fault.store(kind as u8 + 1, Relaxed);
    }

    /// What was noted since the last call. `[home]`
    pub fn read(&self) -> MeterReading {
        let (ticks, longest, blocks) =
            (self.ticks.load(Relaxed), self.longest.load(Relaxed), self.blocks.load(Relaxed));
        let faults = MeterReading {
            faults: self.faults.load(Relaxed),
            last_fault: FaultKind::from_number(self.last_fault.load(Relaxed)),
            ..MeterReading::default()
        };
        let Some(output) = self.output.read() else { return faults };
        let nanos = cpu::nanos_per_tick();
        MeterReading {
            output: Some(output),
            blocks,
            nanos: (ticks as f64 * nanos) as u64,
            max_nanos: (longest as f64 * nanos) as u32,
            ..faults
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_audio_thread_writes_lies_in_one_cache_line() {
        assert_eq!(std::mem::size_of::<Meters>(), 64);
    }

    #[test]
    fn a_reading_is_what_came_since_the_last() {
        let meters = Meters::default();
        meters.read();
        meters.note(5, Level { peak: 1.5, energy: 3.0 }, 8);
        meters.clip(2);
        meters.note(7, Level { peak: 1.25, energy: 1.0 }, 8);
        meters.clip(1);
        let read = meters.read();
        assert_eq!(read.output, Some(PointReading { peak: 1.5, clips: 3, energy: 4.0, samples: 16 }));
        assert_eq!(read.blocks, 2);
        assert_eq!(meters.read(), MeterReading::default());
        // What was loud beyond measure is past with the next reading.
        meters.note(1, Level { peak: 3e18, energy: f32::INFINITY }, 4);
        meters.clip(1);
        assert_eq!(meters.read().output, Some(PointReading { peak: 3e18, clips: 1, energy: 0.0, samples: 4 }));
        meters.note(1, Level { peak: 0.25, energy: 0.5 }, 4);
        assert_eq!(meters.read().output, Some(PointReading { peak: 0.25, clips: 0, energy: 0.5, samples: 4 }));
    }
}
