//! MIDI 1.0 bytes to CLAP's note events and back, for ports that do not speak MIDI. Pure; nothing allocates.
//!
//! What CLAP's notes cannot say (program change, most controllers, system messages) is left out there: such a port
//! declared that it does not take it.

use clap_sys::events::*;

/// A CLAP note event without its frame and port.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Note {
    /// On, off or choke (the CLAP event type), channel, key (-1: all), velocity 0..1.
    Key(u16, i16, i16, f64),
    /// An expression (the CLAP expression id), channel, key (-1: all), value.
    Expression(i32, i16, i16, f64),
}

/// Semitones that a whole pitch bend stands for (MIDI's default).
const BEND_RANGE: f64 = 2.0;

/// What `bytes` say in CLAP's words. `[any]`
pub fn to_note(bytes: &[u8]) -> Option<Note> {
    let (status, channel) = (bytes.first()? & 0xF0, i16::from(bytes.first()? & 0x0F));
    let data = |index: usize| bytes.get(index).map(|byte| byte & 0x7F);
    let unit = |index: usize| data(index).map(|byte| f64::from(byte) / 127.0);
    let key = || data(1).map(i16::from);
    Some(match status {
        0x90 if data(2)? > 0 => Note::Key(CLAP_EVENT_NOTE_ON, channel, key()?, unit(2)?),
        0x80 | 0x90 => Note::Key(CLAP_EVENT_NOTE_OFF, channel, key()?, unit(2)?),
        0xA0 => Note::Expression(CLAP_NOTE_EXPRESSION_PRESSURE, channel, key()?, unit(2)?),
        0xD0 => Note::Expression(CLAP_NOTE_EXPRESSION_PRESSURE, channel, -1, unit(1)?),
        0xE0 => {
            let bend = i32::from(data(1)?) + (i32::from(data(2)?) << 7) - 0x2000;
            Note::Expression(CLAP_NOTE_EXPRESSION_TUNING, channel, -1, f64::from(bend) / 8192.0 * BEND_RANGE)
        }
        0xB0 => match data(1)? {
            120 => Note::Key(CLAP_EVENT_NOTE_CHOKE, channel, -1, 0.0),
            123..=127 => Note::Key(CLAP_EVENT_NOTE_OFF, channel, -1, 0.0),
            1 => Note::Expression(CLAP_NOTE_EXPRESSION_VIBRATO, channel, -1, unit(2)?),
            11 => Note::Expression(CLAP_NOTE_EXPRESSION_EXPRESSION, channel, -1, unit(2)?),
            74 => Note::Expression(CLAP_NOTE_EXPRESSION_BRIGHTNESS, channel, -1, unit(2)?),
            _ => return None,
        },
        _ => return None,
    })
}

/// What a CLAP note event says in MIDI. `None`: nothing. `[any]`
pub fn to_midi(note: Note) -> Option<[u8; 3]> {
    let seven = |value: f64| (value.clamp(0.0, 1.0) * 127.0).round() as u8;
    let channel = |channel: i16| channel.clamp(0, 15) as u8;
    let all = |key: i16, one: [u8; 3], all: [u8; 3]| if (0..128).contains(&key) { one } else { all };
    Some(match note {
        Note::Key(CLAP_EVENT_NOTE_ON, ch, key @ 0..=127, velocity) => {
            [0x90 | channel(ch), key as u8, seven(velocity).max(1)]
        }
        Note::Key(CLAP_EVENT_NOTE_OFF, ch, key, velocity) => {
            let ch = channel(ch);
            all(key, [0x80 | ch, key as u8 & 0x7F, seven(velocity)], [0xB0 | ch, 123, 0])
        }
        Note::Key(CLAP_EVENT_NOTE_CHOKE, ch, key, _) => {
            let ch = channel(ch);
            all(key, [0x80 | ch, key as u8 & 0x7F, 0], [0xB0 | ch, 120, 0])
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_go_there_and_back() {
        for bytes in [[0x93, 60, 100], [0x83, 60, 64], [0xBF, 120, 0], [0xB2, 123, 0]] {
            assert_eq!(to_midi(to_note(&bytes).unwrap()), Some(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn a_note_on_without_velocity_is_a_note_off() {
        assert_eq!(to_note(&[0x90, 60, 0]), Some(Note::Key(CLAP_EVENT_NOTE_OFF, 0, 60, 0.0)));
    }

    #[test]
    fn a_bend_is_in_semitones_and_cut_messages_are_nothing() {
        assert_eq!(to_note(&[0xE0, 0, 0]), Some(Note::Expression(CLAP_NOTE_EXPRESSION_TUNING, 0, -1, -2.0)));
        assert_eq!(to_note(&[0xE0, 0, 64]), Some(Note::Expression(CLAP_NOTE_EXPRESSION_TUNING, 0, -1, 0.0)));
        for bytes in [&[][..], &[0x90], &[0x90, 60], &[0xC0, 1], &[0xF8]] {
            assert_eq!(to_note(bytes), None);
        }
    }
}
