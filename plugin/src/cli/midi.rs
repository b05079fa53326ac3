//! Which MIDI a slot hears, as typed and as shown.

use host_core::model::{MidiSettings, MidiSource};

use super::args::{MidiFrom, MidiWish};

/// `settings` with everything that was typed.
pub fn changed(wish: &MidiWish, settings: MidiSettings) -> MidiSettings {
    let base = if wish.reset { MidiSettings::default() } else { settings };
    MidiSettings {
        source: wish.source.map_or(base.source, |source| match source {
            MidiFrom::Previous => MidiSource::Previous,
            MidiFrom::Container => MidiSource::Container,
            MidiFrom::Merge => MidiSource::Merge,
            MidiFrom::None => MidiSource::None,
        }),
        channels: wish.channels.map_or(base.channels, |Channels(mask)| mask),
        keys: wish.keys.map_or(base.keys, |Span(low, high)| (low, high)),
        velocity: wish.velocity.map_or(base.velocity, |Span(low, high)| (low, high)),
        transpose: wish.transpose.unwrap_or(base.transpose),
    }
}

/// What differs from the default, one phrase each.
pub fn marks(set: &MidiSettings) -> Vec<String> {
    let rest = MidiSettings::default();
    let mut marks = Vec::new();
    match set.source {
        MidiSource::Previous => {}
        MidiSource::Container => marks.push("MIDI from the container".to_owned()),
        MidiSource::Merge => marks.push("MIDI from the container and the slots before".to_owned()),
        MidiSource::None => marks.push("no MIDI".to_owned()),
    }
    if set.channels != rest.channels {
        marks.push(format!("MIDI channels {}", listed(set.channels)));
    }
    if set.keys != rest.keys {
        marks.push(format!("keys {} to {}", set.keys.0, set.keys.1));
    }
    if set.velocity != rest.velocity {
        marks.push(format!("velocity {} to {}", set.velocity.0, set.velocity.1));
    }
    if set.transpose != 0 {
        marks.push(format!("transposed by {:+}", set.transpose));
    }
    marks
}

fn listed(mask: u16) -> String {
    let names: Vec<_> = (0..16).filter(|bit| mask & 1 << bit != 0).map(|bit| (bit + 1).to_string()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(",") }
}

/// MIDI channels, bit 0 for channel 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels(pub u16);

/// A lowest and a highest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub u8, pub u8);

/// `all`, `none`, or numbers and ranges: `1-4,10`.
pub fn channels(text: &str) -> Result<Channels, String> {
    let wrong = || "write MIDI channels as 1-4,10, or all".to_owned();
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|n| (1..=16).contains(n)).ok_or_else(wrong);
    match text.trim() {
        "all" => return Ok(Channels(u16::MAX)),
        "none" => return Ok(Channels(0)),
        _ => {}
    }
    let mut mask = 0;
    for part in text.split(',') {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let (low, high) = (number(low)?, number(high)?);
        (low.min(high)..=low.max(high)).for_each(|channel| mask |= 1 << (channel - 1));
    }
    Ok(Channels(mask))
}

/// Keys: numbers 0 to 127, or names as C4, which is 60.
pub fn keys(text: &str) -> Result<Span, String> {
    span(text, key).ok_or_else(|| "write keys as 36-72 or C2-C5 (C4 is 60)".into())
}

/// Velocities, 1 to 127.
pub fn velocity(text: &str) -> Result<Span, String> {
    let one = |text: &str| text.parse::<u8>().ok().filter(|value| (1..=127).contains(value));
    span(text, one).ok_or_else(|| "write velocities as 1-100; they are 1 to 127".into())
}

/// Semitones.
pub fn transpose(text: &str) -> Result<i8, String> {
    let semitones = text.trim().parse::<i8>().ok().filter(|value| (-127..=127).contains(value));
    semitones.ok_or_else(|| "write whole semitones, -127 to 127".into())
}

/// `LOW-HIGH`, or one value for both. A minus sign may belong to a name (C-1).
fn span(text: &str, one: impl Fn(&str) -> Option<u8>) -> Option<Span> {
    let text = text.trim();
    if let Some(value) = one(text) {
        return Some(Span(value, value));
    }
    text.match_indices('-').find_map(|(at, _)| {
        let (low, high) = (one(text[..at].trim())?, one(text[at + 1..].trim())?);
        (low <= high).then_some(Span(low, high))
    })
}

fn key(text: &str) -> Option<u8> {
    if let Ok(number) = text.parse::<u8>() {
        return (number < 128).then_some(number);
    }
    let mut letters = text.chars();
    let tone = match letters.next()?.to_ascii_uppercase() {
        'C' => 0,
        'D' => 2,
        'E' => 4,
        'F' => 5,
        'G' => 7,
        'A' => 9,
        'B' => 11,
        _ => return None,
    };
    let rest = letters.as_str();
    let (shift, octave) = match (rest.strip_prefix('#'), rest.strip_prefix('b')) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => (0, rest),
    };
    let octave = octave.parse::<i32>().ok().filter(|octave| (-1..=9).contains(octave))?;
    u8::try_from((octave + 1) * 12 + tone + shift).ok().filter(|key| *key < 128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_channels_and_velocities_are_read_and_nonsense_is_refused_with_an_example() {
        assert_eq!(keys("36-72"), Ok(Span(36, 72)));
        assert_eq!(keys("C2-C5"), Ok(Span(36, 72)));
        assert_eq!(keys("c-1 - Bb3"), Ok(Span(0, 58)));
        assert_eq!(keys("60"), Ok(Span(60, 60)));
        assert_eq!(channels("1-4,10"), Ok(Channels(0b10_0000_1111)));
        assert_eq!((channels("all"), channels("none")), (Ok(Channels(u16::MAX)), Ok(Channels(0))));
        assert_eq!(velocity("1-100"), Ok(Span(1, 100)));
        assert_eq!(transpose("-12"), Ok(-12));
        for text in ["", "72-36", "H3", "128", "C10", "-", "1,2"] {
            assert!(keys(text).unwrap_err().contains("36-72"), "{text}");
        }
        for text in ["0", "17", "1-", "left", ""] {
            assert!(channels(text).unwrap_err().contains("1-4,10"), "{text}");
        }
        for text in ["0", "0-5", "128", "loud"] {
            assert!(velocity(text).is_err(), "{text}");
        }
        assert!(transpose("128").is_err());
    }

    #[test]
    fn what_was_typed_changes_and_the_rest_stays() {
        let wish = MidiWish { channels: Some(Channels(1)), ..MidiWish::default() };
        let before = MidiSettings { transpose: 3, ..MidiSettings::default() };
        let after = changed(&wish, before);
        assert_eq!((after.channels, after.transpose), (1, 3));
        assert_eq!(marks(&after), ["MIDI channels 1", "transposed by +3"]);
        assert!(changed(&MidiWish { reset: true, ..MidiWish::default() }, after).is_default());
    }
}
