//! Controllers that move macros: which move which, and how a knob picks up.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32};

use crate::backend::audio::{Event, EventBuffer};
use crate::engine::midi::{Turn, turn};
use crate::model::{CONTROLLERS, Controller, MACROS, WIDE};

const CHANNELS: usize = 16;
const NUMBERS: usize = 128;
/// In an entry of the table: the macro's place plus one.
const PLACE: u16 = 0xFF;
/// The entry is of the coarse half of 14 bits.
const COARSE: u16 = 1 << 8;
/// The entry is of the fine half of 14 bits.
const FINE: u16 = 1 << 9;
/// In what was learnt: there is something.
const LEARNT: u32 = 1 << 31;
/// Both halves of 14 bits came.
const LEARNT_WIDE: u32 = 1 << 30;

/// Which controllers move which macros. Written at home, read by the audio thread. Wait-free.
pub struct Controllers {
    /// By channel and number; 0: nothing.
    table: [AtomicU16; CHANNELS * NUMBERS],
    /// Something is in the table, or the next controller is to be told.
    awake: AtomicBool,
    /// Rises with every change of the table.
    version: AtomicU32,
    learning: AtomicBool,
    learnt: AtomicU32,
}

impl Default for Controllers {
    fn default() -> Self {
        Self {
            table: [const { AtomicU16::new(0) }; CHANNELS * NUMBERS],
            awake: AtomicBool::new(false),
            version: AtomicU32::new(0),
            learning: AtomicBool::new(false),
            learnt: AtomicU32::new(0),
        }
    }
}

fn place(channel: u8, number: u8) -> usize {
    usize::from(channel & 0x0F) * NUMBERS + usize::from(number & 0x7F)
}

impl Controllers {
    /// Puts `all` (a macro's place, first is 0, and what moves it) in the place of what was there. Of controllers that meet the first
    /// counts. `[home]`
    pub fn set(&self, all: impl Iterator<Item = (usize, Controller)>) {
        let mut table = [0_u16; CHANNELS * NUMBERS];
        for (index, controller) in all.filter(|(index, _)| *index < MACROS) {
            let at = place(controller.channel() - 1, controller.number());
            let fine = controller.wide().then_some(at + usize::from(WIDE));
            if table[at] != 0 || fine.is_some_and(|fine| table[fine] != 0) {
                continue;
            }
            let entry = index as u16 + 1;
            table[at] = entry | if fine.is_some() { COARSE } else { 0 };
            if let Some(fine) = fine {
                table[fine] = entry | FINE;
            }
        }
        let differ = self.table.iter().zip(table).filter(|(old, new)| old.swap(*new, Relaxed) != *new).count() > 0;
        if differ {
            self.version.fetch_add(1, Release);
        }
        self.stir();
    }

    /// Whether the next controller that comes is told by [`Controllers::take_learnt`]. `[home]`
    pub fn learn(&self, on: bool) {
        self.learnt.store(0, Relaxed);
        self.learning.store(on, Release);
        self.stir();
    }

    fn stir(&self) {
        let held = self.table.iter().any(|entry| entry.load(Relaxed) != 0);
        self.awake.store(held || self.learning.load(Relaxed), Release);
    }

    /// The controller that came; soon after it the same once more as one of 14 bits, where its other half came too. `[home]`
    pub fn take_learnt(&self) -> Option<Controller> {
        if self.learnt.load(Relaxed) == 0 {
            return None;
        }
        let word = self.learnt.swap(0, AcqRel);
        Controller::new((word >> 8) as u8 + 1, word as u8, word & LEARNT_WIDE != 0)
    }

    /// Whether controllers matter at all. `[audio]`
    #[inline]
    pub(super) fn awake(&self) -> bool {
        self.awake.load(Relaxed)
    }

    fn entry(&self, channel: u8, number: u8) -> u16 {
        self.table.get(place(channel, number)).map_or(0, |entry| entry.load(Acquire))
    }
}

/// A knob that is turned: where it is, and how far from its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knob {
    /// Place of the macro.
    pub index: usize,
    /// 0..1.
    pub value: f64,
    /// From one of its places to the next.
    pub step: f64,
}

/// What the audio thread keeps of the knobs.
pub(super) struct Hands {
    version: u32,
    /// Coarse halves as last heard.
    coarse: [[u8; WIDE as usize]; CHANNELS],
    /// Where the knob of each macro is; no number where that is not known.
    at: [f64; MACROS],
    /// Where it last put the macro.
    put: [f64; MACROS],
    /// The controller that was learnt just now: its other half may come next.
    first: Option<(u8, u8)>,
}

impl Hands {
    /// `[home]`
    pub fn new() -> Self {
        Self {
            version: 0,
            coarse: [[0; WIDE as usize]; CHANNELS],
            at: [f64::NAN; MACROS],
            put: [f64::NAN; MACROS],
            first: None,
        }
    }

    /// Gives `f` every turn of a knob among `events`, with its frame. `[audio]`
    pub fn hear(&mut self, controllers: &Controllers, events: &EventBuffer, mut f: impl FnMut(u16, Knob)) {
        let version = controllers.version.load(Acquire);
        if version != self.version {
            // Other knobs: where they are is not known.
            self.version = version;
            self.at.fill(f64::NAN);
            self.put.fill(f64::NAN);
        }
        let turns = events.iter().filter_map(|(event, bytes): (&Event, &[u8])| {
            turn(event.kind(), bytes).filter(|turn| turn.number < CONTROLLERS).map(|turn| (event.frame, turn))
        });
        for (frame, turn) in turns {
            self.learn(controllers, &turn);
            if let Some(knob) = self.knob(controllers.entry(turn.channel, turn.number), &turn) {
                f(frame, knob);
            }
        }
    }

    fn learn(&mut self, controllers: &Controllers, turn: &Turn) {
        let (channel, number) = (turn.channel, turn.number);
        if controllers.learning.load(Relaxed) && controllers.learning.swap(false, AcqRel) {
            self.first = Some((channel, number));
            let word = LEARNT | u32::from(channel) << 8 | u32::from(number);
            controllers.learnt.store(word, Release);
        } else if let Some((of, first)) = self.first.take()
            && of == channel
            && first.abs_diff(number) == WIDE
            && first.min(number) < WIDE
        {
            let word = LEARNT | LEARNT_WIDE | u32::from(channel) << 8 | u32::from(first.min(number));
            controllers.learnt.store(word, Release);
        }
    }

    /// What a message says of a macro's knob.
    fn knob(&mut self, entry: u16, turn: &Turn) -> Option<Knob> {
        let index = usize::from(entry & PLACE).checked_sub(1)?;
        if turn.fine {
            return Some(Knob { index, value: turn.value, step: 0.0 });
        }
        let seven = (turn.value * 127.0).round();
        let halves = self.coarse.get_mut(usize::from(turn.channel))?;
        let fourteen = if entry & COARSE != 0 {
            // A coarse half puts the fine one back to 0 (MIDI 1.0, "Control Change").
            *halves.get_mut(usize::from(turn.number))? = seven as u8;
            seven * 128.0
        } else if entry & FINE != 0 {
            f64::from(*halves.get(usize::from(turn.number.checked_sub(WIDE)?))?) * 128.0 + seven
        } else {
            return Some(Knob { index, value: turn.value, step: 1.0 / 127.0 });
        };
        // The largest coarse half alone is the top, for knobs that never send the other.
        let value = if fourteen == 127.0 * 128.0 && entry & COARSE != 0 { 1.0 } else { fourteen / 16_383.0 };
        Some(Knob { index, value, step: 1.0 / 16_383.0 })
    }

    /// Where a knob puts its macro that stands at `now`. `None`: it has not picked it up. It does where it comes to where the macro
    /// stands, or passes it; from then on the macro follows, until something else moves it. `[audio]`
    pub fn pick_up(&mut self, knob: Knob, now: f64) -> Option<f64> {
        let Knob { index, value, step } = knob;
        let (at, put) = (self.at.get_mut(index)?, self.put.get_mut(index)?);
        let before = std::mem::replace(at, value);
        let holds = *put as f32 == now as f32;
        // No number is neither above nor below.
        let passed = before <= now && now <= value || value <= now && now <= before;
        // A little more than half a step, so that a macro halfway between two places is there at both.
        let there = (value - now).abs() <= step * 0.501;
        if !(holds || passed || there) {
            *put = f64::NAN;
            return None;
        }
        *put = value;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::audio::Kind;

    fn knob(value: f64) -> Knob {
        Knob { index: 3, value, step: 1.0 / 127.0 }
    }

    #[test]
    fn a_knob_moves_nothing_until_it_has_come_to_where_the_macro_stands() {
        let mut hands = Hands::new();
        assert_eq!(hands.pick_up(knob(0.2), 0.5), None, "where it was is not known");
        assert_eq!(hands.pick_up(knob(0.4), 0.5), None);
        assert_eq!(hands.pick_up(knob(0.6), 0.5), Some(0.6), "passed from below");
        assert_eq!(hands.pick_up(knob(0.1), 0.6), Some(0.1), "held");
        // Automation takes it away.
        assert_eq!(hands.pick_up(knob(0.2), 0.8), None);
        assert_eq!(hands.pick_up(knob(0.9), 0.8), Some(0.9));
        assert_eq!(hands.pick_up(knob(0.7), 0.2), None);
        assert_eq!(hands.pick_up(knob(0.1), 0.2), Some(0.1), "passed from above");
        assert_eq!(Hands::new().pick_up(knob(0.503), 0.5), Some(0.503), "it is there already");
    }

    fn heard(hands: &mut Hands, controllers: &Controllers, messages: &[(Kind, &[u8])]) -> Vec<(usize, f64)> {
        let mut events = EventBuffer::new(64, true);
        for (kind, bytes) in messages {
            assert!(events.push_as(0, 0, *kind, bytes));
        }
        let mut heard = Vec::new();
        hands.hear(controllers, &events, |_, knob| heard.push((knob.index, knob.value)));
        heard
    }

    #[test]
    fn seven_fourteen_and_thirty_two_bits_are_heard() {
        let (mut hands, controllers) = (Hands::new(), Controllers::default());
        let of = |channel, number, wide| Controller::new(channel, number, wide).unwrap();
        let all = [(0, of(1, 74, false)), (1, of(16, 7, true)), (2, of(16, 39, false)), (3, of(2, 74, false))];
        controllers.set(all.into_iter());
        assert!(controllers.awake());
        let midi = |bytes: &'static [u8]| (Kind::Midi, bytes);
        let messages = [
            midi(&[0xB0, 74, 127]),
            midi(&[0xB2, 74, 1]),
            midi(&[0xBF, 7, 64]),
            midi(&[0xBF, 39, 5]),
            midi(&[0xBF, 7, 127]),
            midi(&[0x90, 74, 1]),
        ];
        let fourteen = |value: f64| (1, value / 16_383.0);
        let expected = [(0, 1.0), fourteen(8192.0), fourteen(8197.0), (1, 1.0)];
        assert_eq!(heard(&mut hands, &controllers, &messages), expected, "39 of channel 16 belongs to 7");
        let packet: Vec<u8> = [0x40B1_4A00_u32, 1 << 31].iter().flat_map(|word| word.to_ne_bytes()).collect();
        let (index, value) = heard(&mut hands, &controllers, &[(Kind::Ump, &packet)])[0];
        assert!(index == 3 && (value - 0.5).abs() < 1e-9, "{value}");
        controllers.set(std::iter::empty());
        assert!(!controllers.awake() && heard(&mut hands, &controllers, &messages).is_empty());
    }

    #[test]
    fn the_next_controller_is_learnt_with_its_other_half() {
        let (mut hands, controllers) = (Hands::new(), Controllers::default());
        let of = |number, wide| Controller::new(3, number, wide);
        let mut hear = |bytes: &[[u8; 3]]| {
            let messages: Vec<_> = bytes.iter().map(|bytes| (Kind::Midi, &bytes[..])).collect();
            heard(&mut hands, &controllers, &messages);
            controllers.take_learnt()
        };
        assert_eq!(hear(&[[0xB2, 20, 1]]), None, "nobody asked");
        controllers.learn(true);
        assert_eq!(hear(&[[0xB2, 123, 0], [0x92, 60, 1], [0xB2, 20, 1], [0xB2, 74, 1]]), of(20, false));
        assert_eq!(hear(&[[0xB2, 52, 1]]), None, "something came between");
        controllers.learn(true);
        assert_eq!(hear(&[[0xB2, 20, 1]]), of(20, false));
        assert_eq!(hear(&[[0xB2, 52, 1]]), of(20, true));
        controllers.learn(true);
        assert_eq!(hear(&[[0xB2, 52, 1], [0xB2, 20, 1]]), of(20, true), "the finer half first");
        controllers.learn(true);
        controllers.learn(false);
        assert_eq!(hear(&[[0xB2, 20, 1]]), None);
    }
}
