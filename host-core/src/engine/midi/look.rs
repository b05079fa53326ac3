//! What an event says, as far as filters and tables of notes must know. Pure.

use crate::backend::audio::{EventBuffer, Expression, Kind};

/// Controllers that hold notes: sustain, sostenuto, hold 2.
pub const PEDALS: [u8; 3] = [64, 66, 69];

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A note begins: key, velocity 1..127.
    On(u8, u8),
    /// A note ends.
    Off(u8),
    /// Something of one key.
    Key(u8),
    /// A pedal of [`PEDALS`], by its place there, is down or up.
    Pedal(usize, bool),
    /// Ends every note of a channel.
    AllOff,
    /// Puts every controller of a channel back, pedals too.
    Reset,
    /// Something else of a channel.
    Channel,
    /// Of no channel.
    System,
}

/// Channel (0..15) and what it says; [`What::System`] for what has no channel or is cut off. `[audio]`
pub fn look(kind: Kind, bytes: &[u8]) -> (u8, What) {
    match kind {
        Kind::Midi => midi(bytes.first().copied().unwrap_or(0), byte(bytes, 1), byte(bytes, 2)),
        Kind::Ump => ump(word(bytes, 0), word(bytes, 1)),
        Kind::Expression => match Expression::from_bytes(bytes) {
            Some(Expression { channel: channel @ 0..=15, key: key @ 0.., .. }) => (channel as u8, What::Key(key as u8)),
            Some(Expression { channel: channel @ 0..=15, .. }) => (channel as u8, What::Channel),
            _ => (0, What::System),
        },
    }
}

/// Whether one of `events` ends notes or lets go of a pedal. `[audio]`
pub fn ends_something(events: &EventBuffer) -> bool {
    events.iter().any(|(event, bytes)| {
        matches!(look(event.kind(), bytes).1, What::Off(_) | What::Pedal(_, false) | What::AllOff | What::Reset)
    })
}

/// A controller that is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Channel, 0..15.
    pub channel: u8,
    /// Which controller.
    pub number: u8,
    /// 0..1.
    pub value: f64,
    /// The message has 32 bits, not seven.
    pub fine: bool,
}

/// The turn of a controller that an event is. `[audio]`
pub fn turn(kind: Kind, bytes: &[u8]) -> Option<Turn> {
    let seven = |status: u8, number: u8, value: u8| {
        let value = f64::from(value & 0x7F) / 127.0;
        (status & 0xF0 == 0xB0).then_some(Turn { channel: status & 0x0F, number, value, fine: false })
    };
    match kind {
        Kind::Midi if bytes.len() == 3 => seven(bytes[0], byte(bytes, 1), byte(bytes, 2)),
        Kind::Ump => {
            let (head, value) = (word(bytes, 0), word(bytes, 1));
            let (status, number) = ((head >> 16) as u8, (head >> 8) as u8 & 0x7F);
            match head >> 28 {
                2 => seven(status, number, head as u8),
                4 if status & 0xF0 == 0xB0 => {
                    let value = f64::from(value) / f64::from(u32::MAX);
                    Some(Turn { channel: status & 0x0F, number, value, fine: true })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0) & 0x7F
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at * 4..at * 4 + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_ne_bytes)
}

fn midi(status: u8, one: u8, two: u8) -> (u8, What) {
    let what = match status & 0xF0 {
        0x90 if two > 0 => What::On(one, two),
        0x80 | 0x90 => What::Off(one),
        0xA0 => What::Key(one),
        0xB0 => controller(one, two >= 64),
        0xC0 | 0xD0 | 0xE0 => What::Channel,
        _ => return (0, What::System),
    };
    (status & 0x0F, what)
}

fn controller(number: u8, high: bool) -> What {
    match number {
        120 | 123..=127 => What::AllOff,
        121 => What::Reset,
        _ => match PEDALS.iter().position(|pedal| *pedal == number) {
            Some(pedal) => What::Pedal(pedal, high),
            None => What::Channel,
        },
    }
}

/// MIDI 2.0's channel voice messages (type 4) and MIDI 1.0's in a packet (type 2); M2-104-UM, tables of message types.
fn ump(head: u32, value: u32) -> (u8, What) {
    let (status, key) = ((head >> 16) as u8, (head >> 8) as u8 & 0x7F);
    match head >> 28 {
        2 => return midi(status, key, head as u8 & 0x7F),
        4 => {}
        _ => return (0, What::System),
    }
    let what = match status & 0xF0 {
        0x90 => What::On(key, ((value >> 25) as u8).max(1)),
        0x80 => What::Off(key),
        // Per-note controllers, bend and management, and pressure.
        0x00 | 0x10 | 0x60 | 0xA0 | 0xF0 => What::Key(key),
        0xB0 => controller(key, value >> 31 == 1),
        _ => What::Channel,
    };
    (status & 0x0F, what)
}

/// `bytes` with another key, where they are of one; in `room`. `[audio]`
pub fn with_key<'a>(kind: Kind, bytes: &[u8], key: u8, room: &'a mut [u8; 16]) -> &'a [u8] {
    let len = bytes.len().min(room.len());
    room[..len].copy_from_slice(&bytes[..len]);
    match kind {
        Kind::Midi => room[1] = key,
        Kind::Ump => room[..4].copy_from_slice(&(word(bytes, 0) & !0x7F00 | u32::from(key) << 8).to_ne_bytes()),
        Kind::Expression => room[2] = key,
    }
    &room[..len]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn midi_1_and_2_say_the_same() {
        for (old, new) in [
            (vec![0x93, 60, 100], packet(&[0x4093_3C00, 0xC9FF_0000])),
            (vec![0x93, 60, 0], packet(&[0x4083_3C00, 0])),
            (vec![0xB3, 64, 127], packet(&[0x40B3_4000, u32::MAX])),
            (vec![0xB3, 123, 0], packet(&[0x2FB3_7B00])),
            (vec![0xF8], packet(&[0x10F8_0000])),
        ] {
            assert_eq!(look(Kind::Midi, &old), look(Kind::Ump, &new), "{old:?}");
        }
        assert_eq!(look(Kind::Midi, &[0x93, 60, 100]), (3, What::On(60, 100)));
    }

    #[test]
    fn a_key_is_put_where_the_kind_has_it() {
        let mut room = [0; 16];
        assert_eq!(with_key(Kind::Midi, &[0xA1, 60, 9], 61, &mut room), [0xA1, 61, 9]);
        assert_eq!(with_key(Kind::Ump, &packet(&[0x4093_3C01, 7]), 61, &mut room), packet(&[0x4093_3D01, 7]));
    }
}
