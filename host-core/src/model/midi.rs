//! Which MIDI a slot's plugin hears, and as what.

use serde::{Deserialize, Serialize};

/// Where a slot's MIDI comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MidiSource {
    /// The stream as the slots before it leave it.
    #[default]
    Previous,
    /// What the DAW gives the container.
    Container,
    /// Both; what is in both is heard once.
    Merge,
    /// Nothing.
    None,
}

/// Routing and filter of a slot's MIDI. It bears on what the plugin hears alone: the stream past a plugin that makes no MIDI is
/// the same with or without it, so that two slots in a row can share a keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct MidiSettings {
    /// Where it comes from.
    pub source: MidiSource,
    /// Channels that pass: bit 0 is channel 1.
    pub channels: u16,
    /// Lowest and highest key that passes, 0..127, as played (before `transpose`).
    pub keys: (u8, u8),
    /// Lowest and highest velocity of a note that passes, 1..127.
    pub velocity: (u8, u8),
    /// Semitones that keys are moved by. A key moved out of 0..127 does not pass.
    pub transpose: i8,
}

impl Default for MidiSettings {
    fn default() -> Self {
        Self { source: MidiSource::Previous, channels: u16::MAX, keys: (0, 127), velocity: (1, 127), transpose: 0 }
    }
}

impl MidiSettings {
    /// Whether nothing was set: everything before the slot passes as it is.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The same with every range in order and within MIDI's own.
    #[must_use]
    pub fn clamped(self) -> Self {
        let range = |(low, high): (u8, u8), least: u8| {
            let (low, high) = (low.clamp(least, 127), high.clamp(least, 127));
            (low.min(high), low.max(high))
        };
        Self {
            keys: range(self.keys, 0),
            velocity: range(self.velocity, 1),
            transpose: self.transpose.max(-127),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_written_is_the_default_and_ranges_are_put_in_order() {
        assert!(serde_json::from_str::<MidiSettings>("{}").unwrap().is_default());
        let some: MidiSettings = serde_json::from_str(r#"{"source":"merge","keys":[72,36],"transpose":-12}"#).unwrap();
        let some = some.clamped();
        assert_eq!((some.source, some.keys, some.transpose, some.channels), (MidiSource::Merge, (36, 72), -12, 0xFFFF));
    }
}
