//! The notes and pedals that are down at one place.

use super::look::{PEDALS, What, look};
use crate::backend::audio::{EventBuffer, Kind};

/// No note.
const NONE: u8 = u8::MAX;
/// Velocity of a note-off that Catena makes: MIDI's own for keys that do not sense it.
const RELEASE: u8 = 64;

/// A note's key as it was handed on, and its port.
#[derive(Clone, Copy)]
struct Sent {
    key: u8,
    port: u8,
}

/// Where no note sounds.
const SILENT: Sent = Sent { key: NONE, port: 0 };

/// Which notes sound, by channel and key as they came.
pub struct Notes {
    sent: Box<[[Sent; 128]; 16]>,
    sounding: u32,
    /// Those of them that were handed on as another key.
    moved: u32,
    /// Channels whose pedal is down, for each of [`PEDALS`].
    pedals: [u16; PEDALS.len()],
}

impl Notes {
    /// None. `[home]`
    pub fn new() -> Self {
        Self { sent: Box::new([[SILENT; 128]; 16]), sounding: 0, moved: 0, pedals: [0; PEDALS.len()] }
    }

    /// Whether nothing sounds and no pedal is down.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.sounding == 0 && self.pedals == [0; PEDALS.len()]
    }

    /// Whether a note sounds as another key than it came as.
    #[inline]
    pub fn any_moved(&self) -> bool {
        self.moved > 0
    }

    /// Puts `sent` at the place of a key; what was there.
    fn put(&mut self, channel: u8, key: u8, sent: Sent) -> Sent {
        let place = &mut self.sent[usize::from(channel & 15)][usize::from(key & 127)];
        let before = std::mem::replace(place, sent);
        let count = |sent: Sent| (u32::from(sent.key != NONE), u32::from(sent.key != NONE && sent.key != key & 127));
        let ((sounded, was_moved), (sounds, is_moved)) = (count(before), count(sent));
        self.sounding = self.sounding + sounds - sounded;
        self.moved = self.moved + is_moved - was_moved;
        before
    }

    /// Forgets all without ending it.
    pub fn forget(&mut self) {
        if !self.is_empty() {
            for channel in 0..16 {
                self.forget_channel(channel);
            }
            self.pedals = [0; PEDALS.len()];
        }
    }

    fn forget_channel(&mut self, channel: u8) {
        for key in 0..128 {
            self.put(channel, key, SILENT);
        }
    }

    /// Takes down what an event that is handed on as it is begins and ends.
    pub fn note(&mut self, port: u8, kind: Kind, bytes: &[u8]) {
        let (channel, what) = look(kind, bytes);
        match what {
            What::On(key, _) => self.begin(channel, key, key, port),
            What::Off(key) => drop(self.end(channel, key)),
            other => self.note_channel(channel, other),
        }
    }

    /// The same for everything in `events`.
    pub fn note_all(&mut self, events: &EventBuffer) {
        events.iter().for_each(|(event, bytes)| self.note(event.port, event.kind(), bytes));
    }

    /// Takes down what is said of a whole channel.
    pub fn note_channel(&mut self, channel: u8, what: What) {
        let bit = 1 << (channel & 15);
        match what {
            What::Pedal(pedal, true) => self.pedals[pedal] |= bit,
            What::Pedal(pedal, false) => self.pedals[pedal] &= !bit,
            What::AllOff => self.forget_channel(channel),
            What::Reset => self.pedals.iter_mut().for_each(|pedal| *pedal &= !bit),
            _ => {}
        }
    }

    /// A note that came as `key` is handed on as `sent`.
    pub fn begin(&mut self, channel: u8, key: u8, sent: u8, port: u8) {
        self.put(channel, key, Sent { key: sent, port });
    }

    /// A note that came as `key` ends: the key it was handed on as.
    pub fn end(&mut self, channel: u8, key: u8) -> Option<u8> {
        let before = self.put(channel, key, SILENT).key;
        (before != NONE).then_some(before)
    }

    /// The key that a sounding note was handed on as.
    pub fn sent(&self, channel: u8, key: u8) -> Option<u8> {
        let sent = self.sent[usize::from(channel & 15)][usize::from(key & 127)].key;
        (sent != NONE).then_some(sent)
    }

    /// Whether a note of this channel sounds.
    pub fn sounds_in(&self, channel: u8) -> bool {
        self.sounding > 0 && self.sent[usize::from(channel & 15)].iter().any(|sent| sent.key != NONE)
    }

    /// Whether a pedal of this channel is down.
    pub fn pedal_down(&self, channel: u8, pedal: usize) -> bool {
        self.pedals[pedal] & 1 << (channel & 15) != 0
    }

    /// Ends everything at `frame`. False: there was no room for all of it; the rest sounds on.
    pub fn end_all(&mut self, frame: u16, out: &mut EventBuffer) -> bool {
        for channel in 0..16_u8 {
            for (pedal, number) in PEDALS.into_iter().enumerate() {
                if self.pedal_down(channel, pedal) {
                    if !out.push(frame, 0, &[0xB0 | channel, number, 0]) {
                        return false;
                    }
                    self.pedals[pedal] &= !(1 << channel);
                }
            }
            if self.sounding == 0 {
                continue;
            }
            for key in 0..128 {
                let Sent { key: sent, port } = self.sent[usize::from(channel)][usize::from(key)];
                if sent == NONE {
                    continue;
                }
                if !out.push(frame, port, &[0x80 | channel, sent, RELEASE]) {
                    return false;
                }
                self.put(channel, key, SILENT);
            }
        }
        true
    }
}

/// On every channel: all sound off, all notes off, pedals up. For who does not know what sounds.
pub fn silence(frame: u16, out: &mut EventBuffer) {
    for channel in 0..16 {
        for number in PEDALS.into_iter().chain([120, 123]) {
            out.push(frame, 0, &[0xB0 | channel, number, 0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_began_is_ended_once_on_its_channel_and_port() {
        let mut notes = Notes::new();
        for (port, bytes) in [
            (0, &[0x90, 60, 1][..]),
            (2, &[0x95, 61, 1]),
            (0, &[0x90, 62, 1]),
            (0, &[0x80, 62, 1]),
            (0, &[0x96, 62, 1]),
            (0, &[0xB6, 123, 0]),
            (0, &[0xB5, 64, 127]),
        ] {
            notes.note(port, Kind::Midi, bytes);
        }
        let mut out = EventBuffer::new(16, false);
        assert!(notes.end_all(9, &mut out) && notes.is_empty());
        let said: Vec<_> = out.iter().map(|(event, bytes)| (event.frame, event.port, bytes.to_vec())).collect();
        assert_eq!(said, [(9, 0, vec![0x80, 60, 64]), (9, 0, vec![0xB5, 64, 0]), (9, 2, vec![0x85, 61, 64])]);
        out.clear();
        assert!(notes.end_all(0, &mut out) && out.is_empty());
    }

    #[test]
    fn what_finds_no_room_sounds_on_and_is_ended_later() {
        let mut notes = Notes::new();
        (0..9).for_each(|key| notes.begin(0, key, key, 0));
        let mut out = EventBuffer::new(5, false);
        assert!(!notes.end_all(0, &mut out));
        out.clear();
        assert!(notes.end_all(0, &mut out));
        assert_eq!(out.len(), 4);
    }
}
