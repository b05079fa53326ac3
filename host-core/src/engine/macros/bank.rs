//! Where every macro stands, and who has yet to hear of it.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::Controllers;
use crate::model::MACROS;

/// Macros in one word of marks.
const WORD: usize = 64;

/// One mark for each macro.
#[derive(Default)]
struct Marks([AtomicU64; MACROS / WORD]);

impl Marks {
    fn set(&self, index: usize) {
        self.0[index / WORD].fetch_or(1 << (index % WORD), Release);
    }

    fn any(&self) -> bool {
        self.0.iter().any(|word| word.load(Relaxed) != 0)
    }

    fn take(&self) -> impl Iterator<Item = usize> + use<> {
        let words = self.0.each_ref().map(|word| word.swap(0, AcqRel));
        words.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(at * WORD + bit)
            })
        })
    }
}

/// Where every macro stands, 0..1. Macros are named by their place, first is 0. Wait-free.
pub struct MacroBank {
    values: [AtomicU64; MACROS],
    /// Moved since home last looked.
    moved: Marks,
    /// Set where no block was run: targets have not heard of it.
    waiting: Marks,
    /// Moved by a controller since home last looked.
    turned: Marks,
    /// Which controllers move them.
    pub controllers: Controllers,
}

impl Default for MacroBank {
    fn default() -> Self {
        let (moved, waiting, turned) = Default::default();
        let values = [const { AtomicU64::new(0) }; MACROS];
        Self { values, moved, waiting, turned, controllers: Controllers::default() }
    }
}

impl MacroBank {
    /// Where a macro stands; 0 for one that is not there. `[any]`
    pub fn value(&self, index: usize) -> f64 {
        self.values.get(index).map_or(0.0, |value| f64::from_bits(value.load(Acquire)))
    }

    /// Moves a macro from outside of a block: its targets follow at the start of the next one, or at home where none comes. False:
    /// it stood there. `[any]`
    pub fn tell(&self, index: usize, value: f64) -> bool {
        let moved = self.play(index, value);
        if moved {
            self.waiting.set(index);
        }
        moved
    }

    /// Says where a macro stands without moving it: its targets are there already, or keep what they have. `[home]`
    pub fn place(&self, index: usize, value: f64) {
        if let Some(place) = self.values.get(index) {
            place.store(clean(value).to_bits(), Release);
        }
    }

    /// Which macros moved since the last call; their targets may hear of it a little later. `[home]`
    pub fn take_moved(&self) -> impl Iterator<Item = usize> + use<> {
        self.moved.take()
    }

    /// Which macros have targets that have not heard of their value: whoever takes them tells those. `[home | audio]`
    pub fn take_waiting(&self) -> impl Iterator<Item = usize> + use<> {
        self.waiting.take()
    }

    /// Whether there are any of those. `[any]`
    pub fn waits(&self) -> bool {
        self.waiting.any()
    }

    /// Which macros a controller moved since the last call: the DAW does not know. `[home]`
    pub fn take_turned(&self) -> impl Iterator<Item = usize> + use<> {
        self.turned.take()
    }

    /// Notes that a controller moved a macro. `[audio]`
    pub(super) fn note_turned(&self, index: usize) {
        self.turned.set(index);
    }

    /// Moves a macro whose targets the caller tells. False: it stood there. `[any]`
    pub(super) fn play(&self, index: usize, value: f64) -> bool {
        let Some(place) = self.values.get(index) else { return false };
        let value = clean(value);
        if value as f32 == f64::from_bits(place.load(Acquire)) as f32 {
            return false;
        }
        place.store(value.to_bits(), Release);
        self.moved.set(index);
        true
    }
}

fn clean(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_is_heard_once_and_a_value_that_is_there_is_none() {
        let bank = MacroBank::default();
        assert!(bank.tell(0, 0.3) && bank.tell(127, 2.0) && bank.tell(64, 0.5));
        assert!(!bank.tell(0, f64::from(0.3_f32)), "the same in 32 bits");
        assert!(!bank.tell(128, 0.5));
        assert_eq!(bank.take_moved().collect::<Vec<_>>(), [0, 64, 127]);
        assert_eq!(bank.take_waiting().collect::<Vec<_>>(), [0, 64, 127]);
        assert!(!bank.waits());
        assert_eq!((bank.value(0), bank.value(127), bank.value(128)), (0.3, 1.0, 0.0));
        bank.place(3, 0.7);
        assert_eq!(bank.take_moved().count(), 0);
    }
}
