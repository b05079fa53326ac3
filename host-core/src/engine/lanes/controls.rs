//! What home may set on lanes at any time: single words that the audio thread reads at each block.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32};

use super::bands::CROSSOVERS;
use crate::engine::slot::balance;
use crate::model::{AUX_OUTS, LaneAux, Split};

/// How a group of lanes is fed, as the engine knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// As if it were not there: the first lane gets everything.
    Thru,
    /// Each lane gets everything.
    Copy,
    /// Middle and sides.
    MidSide,
    /// Left and right.
    LeftRight,
    /// Bands.
    Bands,
}

impl Kind {
    /// Of a split.
    pub fn of(split: &Split) -> Self {
        match split {
            Split::Copy => Self::Copy,
            Split::MidSide => Self::MidSide,
            Split::LeftRight => Self::LeftRight,
            Split::Bands(_) => Self::Bands,
        }
    }

    fn from_number(number: u8) -> Self {
        [Self::Thru, Self::Copy, Self::MidSide, Self::LeftRight, Self::Bands]
            .get(usize::from(number))
            .copied()
            .unwrap_or(Self::Copy)
    }
}

/// A group's settings. Home writes; the audio thread follows them without a click.
pub struct GroupControls {
    generation: AtomicU32,
    settled: AtomicU32,
    kind: AtomicU8,
    aside: AtomicBool,
    crossovers: [AtomicU32; CROSSOVERS],
}

/// The settings as the audio thread took them.
#[derive(Clone, Copy)]
pub(super) struct GroupSettings {
    pub generation: u32,
    pub kind: Kind,
    pub crossovers: [f32; CROSSOVERS],
}

impl GroupControls {
    pub(super) fn new(split: &Split) -> Self {
        let new = Self {
            generation: AtomicU32::new(0),
            settled: AtomicU32::new(0),
            kind: AtomicU8::new(Kind::Thru as u8),
            aside: AtomicBool::new(false),
            crossovers: Default::default(),
        };
        new.set_split(split);
        new
    }

    /// Another split, faded to in 10 ms, or other frequencies, moved to in 20 ms. `[home]`
    pub fn set_split(&self, split: &Split) {
        if let Split::Bands(crossovers) = split {
            for (word, frequency) in self.crossovers.iter().zip(crossovers) {
                word.store((*frequency as f32).to_bits(), Relaxed);
            }
        }
        self.set_kind(Kind::of(split));
    }

    /// Makes ready to be taken out of the chain: all that comes in goes through the first lane. `[home]`
    pub fn set_thru(&self) {
        self.set_kind(Kind::Thru);
    }

    /// A slot beside the lanes is soloed: what comes in passes by them, as late as the longest, 10 ms. `[home]`
    pub fn set_aside(&self, aside: bool) {
        self.aside.store(aside, Relaxed);
    }

    /// Whether it passes by them. `[any]`
    pub(super) fn aside(&self) -> bool {
        self.aside.load(Relaxed)
    }

    fn set_kind(&self, kind: Kind) {
        self.kind.store(kind as u8, Relaxed);
        // Release: whoever sees the new generation sees what was set before it.
        self.generation.fetch_add(1, Release);
    }

    /// Whether the last change was heard and its fade is done. `[home]`
    pub fn settled(&self) -> bool {
        self.settled.load(Acquire) == self.generation.load(Relaxed)
    }

    /// The kind asked for. `[any]`
    pub(super) fn kind(&self) -> Kind {
        Kind::from_number(self.kind.load(Relaxed))
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation.load(Acquire)
    }

    pub(super) fn note_settled(&self, generation: u32, done: bool) {
        if done && self.settled.load(Relaxed) != generation {
            self.settled.store(generation, Release);
        }
    }

    pub(super) fn read(&self) -> GroupSettings {
        GroupSettings {
            generation: self.generation(),
            kind: self.kind(),
            crossovers: std::array::from_fn(|i| f32::from_bits(self.crossovers[i].load(Relaxed))),
        }
    }
}

/// A lane's settings. Home writes; the audio thread follows them within 20 ms.
pub struct LaneControls {
    generation: AtomicU32,
    settled: AtomicU32,
    heard: AtomicBool,
    /// Twice the auxiliary output, and one more where it goes there alone.
    aux: AtomicU8,
    mute: AtomicBool,
    gain: AtomicU32,
    pan: AtomicU32,
}

/// The settings as the audio thread took them.
#[derive(Clone, Copy)]
pub(super) struct LaneSettings {
    pub generation: u32,
    pub gains: [f32; 2],
    /// The auxiliary output, 0 for none.
    pub out: u8,
    /// It goes into the sum.
    pub kept: bool,
}

impl Default for LaneControls {
    fn default() -> Self {
        Self {
            generation: AtomicU32::new(1),
            settled: AtomicU32::new(0),
            heard: AtomicBool::new(true),
            aux: AtomicU8::new(0),
            mute: AtomicBool::new(false),
            gain: AtomicU32::new(1.0_f32.to_bits()),
            pan: AtomicU32::new(0),
        }
    }
}

impl LaneControls {
    /// The user's mute. `[home | audio]`
    pub fn set_mute(&self, mute: bool) {
        if self.mute.swap(mute, Relaxed) != mute {
            self.generation.fetch_add(1, Release);
        }
    }

    /// Whether the lane is heard at all, by all but its own mute. `[home]`
    pub fn set_heard(&self, heard: bool) {
        if self.heard.load(Relaxed) != heard {
            self.heard.store(heard, Relaxed);
            self.generation.fetch_add(1, Release);
        }
    }

    /// Whether it is to be heard. `[any]`
    pub fn heard(&self) -> bool {
        self.heard.load(Relaxed)
    }

    /// Gain, linear. `[home | audio]`
    pub fn set_gain(&self, gain: f32) {
        self.set(&self.gain, if gain.is_finite() { gain } else { 1.0 });
    }

    /// Balance, -1 (left) to 1 (right): the other side gets quieter. `[home]`
    pub fn set_pan(&self, pan: f32) {
        self.set(&self.pan, if pan.is_finite() { pan.clamp(-1.0, 1.0) } else { 0.0 });
    }

    /// The auxiliary output that it is heard on, faded to in 20 ms. The plan must [send](super::super::PlanLane::sends) it. `[home]`
    pub fn set_aux(&self, aux: Option<LaneAux>) {
        let word = aux.map_or(0, |aux| aux.out.min(AUX_OUTS) << 1 | u8::from(aux.only));
        if self.aux.swap(word, Relaxed) != word {
            self.generation.fetch_add(1, Release);
        }
    }

    fn set(&self, word: &AtomicU32, value: f32) {
        if word.swap(value.to_bits(), Relaxed) != value.to_bits() {
            self.generation.fetch_add(1, Release);
        }
    }

    /// Whether the last change was heard to its end. `[home]`
    pub fn settled(&self) -> bool {
        self.settled.load(Acquire) == self.generation.load(Relaxed)
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation.load(Acquire)
    }

    pub(super) fn note_settled(&self, generation: u32) {
        self.settled.store(generation, Release);
    }

    pub(super) fn read(&self) -> LaneSettings {
        let generation = self.generation();
        let heard = self.heard() && !self.mute.load(Relaxed);
        let gain = if heard { f32::from_bits(self.gain.load(Relaxed)) } else { 0.0 };
        let pan = f32::from_bits(self.pan.load(Relaxed));
        let aux = self.aux.load(Relaxed);
        let gains = balance(pan).map(|side| gain * side);
        LaneSettings { generation, gains, out: aux >> 1, kept: aux & 1 == 0 }
    }
}
