//! MIDI 2.0's packets and CLAP's expressions as MIDI 1.0, and MIDI 1.0 in packets. Pure; nothing allocates.
//!
//! Scaling down takes the upper bits (M2-115-U, "MIDI 2.0 Bit Scaling and Resolution"). What MIDI 1.0 has no word for (per-note
//! controllers, bend and management) is left out.

use super::events::{Expression, Kind};

/// Semitones that a whole pitch bend stands for (MIDI's default).
const BEND_RANGE: f64 = 2.0;

/// Words of a packet, by its message type (M2-104-UM, table 4). `[any]`
pub fn packet_words(head: u32) -> usize {
    match head >> 28 {
        0x0..=0x2 | 0x6 | 0x7 => 1,
        0x3 | 0x4 | 0x8..=0xA => 2,
        0xB | 0xC => 3,
        _ => 4,
    }
}

/// The words of a packet's bytes; those that are not there are 0. `[any]`
pub fn words(bytes: &[u8]) -> [u32; 4] {
    let mut words = [0; 4];
    for (word, four) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_ne_bytes([four[0], four[1], four[2], four[3]]);
    }
    words
}

/// The bytes of a packet's words, as an event holds them. `[any]`
pub fn bytes(words: [u32; 4]) -> ([u8; 16], usize) {
    let mut bytes = [0; 16];
    for (four, word) in bytes.chunks_exact_mut(4).zip(words) {
        four.copy_from_slice(&word.to_ne_bytes());
    }
    (bytes, packet_words(words[0]) * 4)
}

/// Hands out what an event says in MIDI 1.0: nothing, or one to four messages. `[audio]`
pub fn to_midi_1(kind: Kind, bytes: &[u8], each: &mut dyn FnMut(&[u8])) {
    match kind {
        Kind::Midi => each(bytes),
        Kind::Ump => packet(words(bytes), each),
        Kind::Expression => {
            if let Some(expression) = Expression::from_bytes(bytes) {
                expressed(expression, each);
            }
        }
    }
}

fn packet([head, value, ..]: [u32; 4], each: &mut dyn FnMut(&[u8])) {
    let [_, status, one, two] = head.to_be_bytes();
    let (one, two) = (one & 0x7F, two & 0x7F);
    match head >> 28 {
        1 | 2 => match message_len(status) {
            0 => {}
            len => each(&[status, one, two][..len]),
        },
        4 => voice(status, one, head as u8, value, each),
        _ => {}
    }
}

/// A channel voice message of MIDI 2.0; `index` and `data` are the bytes after its status.
fn voice(status: u8, index: u8, data: u8, value: u32, each: &mut dyn FnMut(&[u8])) {
    let channel = status & 0x0F;
    let (top, fine) = ((value >> 25) as u8, (value >> 18) as u8 & 0x7F);
    match status & 0xF0 {
        0x80 => each(&[status, index, top]),
        // A velocity of 0 is a note like any other there, and a note's end here.
        0x90 => each(&[status, index, top.max(1)]),
        0xA0 | 0xB0 => each(&[status, index, top]),
        0xC0 => {
            if data & 1 != 0 {
                let [_, _, high, low] = value.to_be_bytes();
                each(&[0xB0 | channel, 0, high & 0x7F]);
                each(&[0xB0 | channel, 32, low & 0x7F]);
            }
            each(&[status, (value >> 24) as u8 & 0x7F]);
        }
        0xD0 => each(&[status, top]),
        0xE0 => each(&[status, fine, top]),
        // Registered and assignable controllers: number high, number low, value high, value low.
        0x20 | 0x30 => {
            let first = if status & 0xF0 == 0x20 { 101 } else { 99 };
            for (number, value) in [(first, index), (first - 1, data & 0x7F), (6, top), (38, fine)] {
                each(&[0xB0 | channel, number, value]);
            }
        }
        _ => {}
    }
}

/// Pressure and tuning are what both know.
fn expressed(expression: Expression, each: &mut dyn FnMut(&[u8])) {
    let Expression { id, channel, key, value } = expression;
    let channels = if channel < 0 { 0..=15 } else { channel as u8 & 15..=channel as u8 & 15 };
    for channel in channels {
        match (id, key) {
            (6, 0..) => each(&[0xA0 | channel, key as u8, seven(value)]),
            (6, _) => each(&[0xD0 | channel, seven(value)]),
            (2, i8::MIN..=-1) => {
                let bend = ((value / BEND_RANGE + 1.0) * 8192.0).round().clamp(0.0, 16383.0) as u16;
                each(&[0xE0 | channel, bend as u8 & 0x7F, (bend >> 7) as u8]);
            }
            _ => {}
        }
    }
}

fn seven(unit: f64) -> u8 {
    (unit.clamp(0.0, 1.0) * 127.0).round() as u8
}

/// Hands out a MIDI 1.0 message in packets: one, or for a system-exclusive message as many as it needs. `[audio]`
pub fn from_midi_1(message: &[u8], each: &mut dyn FnMut([u32; 4])) {
    let at = |index: usize| u32::from(message.get(index).copied().unwrap_or(0));
    match message.first() {
        None | Some(0..=0x7F | 0xF7) => {}
        Some(0xF0) => {
            let body = message.strip_prefix(&[0xF0]).unwrap_or(message);
            exclusive(body.strip_suffix(&[0xF7]).unwrap_or(body), each);
        }
        Some(status) => {
            let kind = if *status >= 0xF0 { 1 } else { 2 };
            each([kind << 28 | at(0) << 16 | (at(1) & 0x7F) << 8 | at(2) & 0x7F, 0, 0, 0]);
        }
    }
}

/// Six bytes a packet: whole, or beginning, middle and end.
fn exclusive(body: &[u8], each: &mut dyn FnMut([u32; 4])) {
    let count = body.len().div_ceil(6).max(1);
    for number in 0..count {
        let part = &body[number * 6..(number * 6 + 6).min(body.len())];
        let status = match (number, number + 1 == count) {
            (0, true) => 0,
            (0, false) => 1,
            (_, false) => 2,
            (_, true) => 3,
        };
        let at = |index: usize| u32::from(part.get(index).copied().unwrap_or(0));
        let head = 3 << 28 | status << 20 | (part.len() as u32) << 16 | at(0) << 8 | at(1);
        each([head, at(2) << 24 | at(3) << 16 | at(4) << 8 | at(5), 0, 0]);
    }
}

/// Bytes that a MIDI 1.0 message with this status has; 0 for none (data bytes, sysex). `[any]`
pub fn message_len(status: u8) -> usize {
    match status {
        0x00..=0x7F | 0xF0 | 0xF7 => 0,
        0xC0..=0xDF | 0xF1 | 0xF3 => 2,
        0xF4..=0xF6 | 0xF8..=0xFF => 1,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(head: u32, value: u32) -> Vec<Vec<u8>> {
        let (bytes, len) = bytes([head, value, 0, 0]);
        let mut said = Vec::new();
        to_midi_1(Kind::Ump, &bytes[..len], &mut |message| said.push(message.to_vec()));
        said
    }

    #[test]
    fn midi_1_goes_into_packets_and_comes_out_as_it_was() {
        for message in [&[0x93, 60, 100][..], &[0xC5, 7], &[0xF8], &[0xF2, 1, 2], &[0xE0, 0x7F, 0x40]] {
            let mut packets = Vec::new();
            from_midi_1(message, &mut |packet| packets.push(packet));
            let [packet] = packets[..] else { panic!("{packets:?}") };
            assert_eq!(said(packet[0], 0), [message], "{packet:x?}");
        }
    }

    #[test]
    fn midi_2_loses_its_lower_bits_and_no_note() {
        assert_eq!(said(0x4093_3C00, 0x8000_0000), [[0x93, 60, 64]]);
        assert_eq!(said(0x4093_3C00, 0), [[0x93, 60, 1]]);
        assert_eq!(said(0x4083_3C00, 0xFFFF_0000), [[0x83, 60, 127]]);
        assert_eq!(said(0x40E1_0000, 0x8000_0000), [[0xE1, 0, 64]]);
        assert_eq!(said(0x40C1_0001, 0x0500_0203), [&[0xB1, 0, 2][..], &[0xB1, 32, 3], &[0xC1, 5]]);
        assert_eq!(said(0x4020_0001, 0xFFFF_FFFF), [[0xB0, 101, 0], [0xB0, 100, 1], [0xB0, 6, 127], [0xB0, 38, 127]]);
        assert!(said(0x4063_3C00, 9).is_empty());
    }

    #[test]
    fn a_long_message_is_cut_into_sixes() {
        let message: Vec<u8> = [0xF0].into_iter().chain(1..=13).chain([0xF7]).collect();
        let mut packets = Vec::new();
        from_midi_1(&message, &mut |packet| packets.push([packet[0], packet[1]]));
        assert_eq!(packets, [[0x3016_0102, 0x0304_0506], [0x3026_0708, 0x090A_0B0C], [0x3031_0D00, 0]]);
    }
}
