//! What a slot's plugin hears of a stream.

use super::look::{What, look, with_key};
use super::notes::Notes;
use crate::backend::audio::{EventBuffer, Expression, Kind};
use crate::model::{MidiSettings, MidiSource};

/// Settings as one word, so that they can be set while the audio thread reads them. `[home]`
pub fn pack(set: MidiSettings) -> u64 {
    let set = set.clamped();
    let bytes = [set.keys.0, set.keys.1, set.velocity.0, set.velocity.1, set.transpose as u8];
    let low = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    low | u64::from(set.channels) << 40 | (set.source as u64) << 56
}

/// What [`pack`] made.
pub fn unpack(word: u64) -> MidiSettings {
    let byte = |at: u32| (word >> (8 * at)) as u8;
    MidiSettings {
        source: match byte(7) {
            1 => MidiSource::Container,
            2 => MidiSource::Merge,
            3 => MidiSource::None,
            _ => MidiSource::Previous,
        },
        channels: (word >> 40) as u16,
        keys: (byte(0), byte(1)),
        velocity: (byte(2), byte(3)),
        transpose: byte(4) as i8,
    }
}

/// A filter with the notes that it let through.
pub struct Filter {
    pub set: MidiSettings,
    pub notes: Notes,
    /// New notes are let through.
    pub open: bool,
}

impl Filter {
    /// Lets everything through. `[home]`
    pub fn new() -> Self {
        Self { set: MidiSettings::default(), notes: Notes::new(), open: true }
    }

    /// Hands an event on to `out`, changed as the settings ask, or leaves it out. What ends a note is handed on wherever what began it
    /// was, and to the key that it had then.
    pub fn pass(&mut self, frame: u16, port: u8, (kind, bytes): (Kind, &[u8]), out: &mut EventBuffer) {
        let (channel, what) = look(kind, bytes);
        let mut room = [0; 16];
        let bytes = match what {
            What::On(key, velocity) => {
                let Some(moved) = self.key_of_new(channel, key, velocity) else { return };
                if let Some(before) = self.notes.sent(channel, key).filter(|before| *before != moved) {
                    out.push(frame, port, &[0x80 | channel, before, 64]);
                }
                self.notes.begin(channel, key, moved, port);
                with_key(kind, bytes, moved, &mut room)
            }
            What::Off(key) => match self.notes.end(channel, key) {
                Some(sent) => with_key(kind, bytes, sent, &mut room),
                None if self.open && self.set.is_default() => bytes,
                None => return,
            },
            What::Key(key) => match self.notes.sent(channel, key).or_else(|| self.moved(channel, key)) {
                Some(sent) => with_key(kind, bytes, sent, &mut room),
                None => return,
            },
            What::System if kind == Kind::Expression => match self.expression(bytes) {
                true => bytes,
                false => return,
            },
            What::System => bytes,
            whole => {
                if !self.passes_channel(channel, whole) {
                    return;
                }
                self.notes.note_channel(channel, whole);
                bytes
            }
        };
        out.push_as(frame, port, kind, bytes);
    }

    fn has_channel(&self, channel: u8) -> bool {
        self.set.channels & 1 << (channel & 15) != 0
    }

    fn key_of_new(&self, channel: u8, key: u8, velocity: u8) -> Option<u8> {
        let (softest, loudest) = self.set.velocity;
        let moved = self.moved(channel, key)?;
        (self.open && (softest..=loudest).contains(&velocity)).then_some(moved)
    }

    /// Where the filter takes a key; `None`: nowhere.
    fn moved(&self, channel: u8, key: u8) -> Option<u8> {
        let (low, high) = self.set.keys;
        let moved = i16::from(key) + i16::from(self.set.transpose);
        let passes = self.has_channel(channel) && (low..=high).contains(&key) && (0..128).contains(&moved);
        passes.then_some(moved as u8)
    }

    /// What ends something that was let through is let through as well.
    fn passes_channel(&self, channel: u8, what: What) -> bool {
        self.has_channel(channel)
            || match what {
                What::Pedal(pedal, false) => self.notes.pedal_down(channel, pedal),
                What::AllOff => self.notes.sounds_in(channel),
                _ => false,
            }
    }

    /// Whether an expression for all channels passes.
    fn expression(&self, bytes: &[u8]) -> bool {
        Expression::from_bytes(bytes).is_some() && self.set.channels != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(filter: &mut Filter, sent: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut out = EventBuffer::new(64, true);
        sent.iter().for_each(|bytes| filter.pass(0, 0, (Kind::Midi, bytes), &mut out));
        out.iter().map(|(_, bytes)| bytes.to_vec()).collect()
    }

    #[test]
    fn settings_survive_their_word() {
        for source in [MidiSource::Previous, MidiSource::Container, MidiSource::Merge, MidiSource::None] {
            let set = MidiSettings { source, channels: 0x8001, keys: (3, 99), velocity: (1, 127), transpose: -127 };
            assert_eq!(unpack(pack(set)), set);
        }
        assert!(unpack(pack(MidiSettings::default())).is_default());
    }

    #[test]
    fn channels_keys_velocity_and_transpose_filter() {
        let mut filter = Filter::new();
        filter.set =
            MidiSettings { channels: 2, keys: (40, 80), velocity: (10, 100), transpose: 50, ..MidiSettings::default() };
        let sent: &[&[u8]] = &[
            &[0x91, 40, 50],
            &[0x91, 39, 50],
            &[0x91, 78, 50],
            &[0x91, 50, 101],
            &[0x90, 40, 50],
            &[0xA1, 40, 9],
            &[0xC0, 1],
            &[0xC1, 1],
            &[0xF0, 1, 2, 3, 4, 0xF7],
            &[0x81, 40, 0],
            &[0x81, 50, 0],
        ];
        let due: &[&[u8]] = &[&[0x91, 90, 50], &[0xA1, 90, 9], &[0xC1, 1], &[0xF0, 1, 2, 3, 4, 0xF7], &[0x81, 90, 0]];
        assert_eq!(passed(&mut filter, sent), due);
    }

    #[test]
    fn what_ends_a_note_or_lifts_a_pedal_passes_after_the_filter_was_closed_to_it() {
        let mut filter = Filter::new();
        passed(&mut filter, &[&[0x92, 60, 1], &[0xB2, 64, 127], &[0x93, 60, 1]]);
        filter.set = MidiSettings { channels: 1, transpose: 1, ..filter.set };
        let sent: &[&[u8]] =
            &[&[0xA2, 60, 3], &[0x82, 60, 0], &[0x82, 60, 0], &[0xB2, 64, 0], &[0xB3, 123, 0], &[0xB3, 123, 0]];
        let due: &[&[u8]] = &[&[0xA2, 60, 3], &[0x82, 60, 0], &[0xB2, 64, 0], &[0xB3, 123, 0]];
        assert_eq!(passed(&mut filter, sent), due);
        assert!(filter.notes.is_empty());
    }
}
