//! A song where no DAW gives one: a tempo, a time signature, and a position that rolls.

use host_core::backend::audio::Transport;

/// Quarter notes a minute that a song may have.
pub const TEMPO_RANGE: std::ops::RangeInclusive<f64> = 10.0..=999.0;

/// Beats in a bar, and the note that is one beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature(pub u16, pub u16);

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

/// What a song is played at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Quarter notes a minute.
    pub tempo: f64,
    /// The time signature.
    pub signature: Signature,
}

impl Default for Pace {
    fn default() -> Self {
        Self { tempo: 120.0, signature: Signature(4, 4) }
    }
}

impl Pace {
    /// Fills in what a transport that knows its frame alone does not say. `[any]`
    pub fn fill(&self, transport: &mut Transport, rate: f64) {
        let Some(frames) = transport.frames.filter(|_| rate > 0.0) else { return };
        self.place(transport, frames as f64 / rate * self.tempo / 60.0);
    }

    /// Tempo, signature and everything that `beats` quarter notes since the song's start say. `[any]`
    pub fn place(&self, transport: &mut Transport, beats: f64) {
        let Signature(count, unit) = self.signature;
        let bar = f64::from(count) * 4.0 / f64::from(unit);
        let number = (beats / bar).floor();
        transport.tempo = Some(self.tempo);
        transport.time_signature = Some((count, unit));
        transport.beats = Some(beats);
        transport.bar_start = Some(number * bar);
        transport.bar = Some(number as i32);
    }
}

/// Quarter notes a minute.
pub fn tempo(text: &str) -> Result<f64, String> {
    let (min, max) = (TEMPO_RANGE.start(), TEMPO_RANGE.end());
    match super::numbers::number(text) {
        Ok(tempo) if TEMPO_RANGE.contains(&tempo) => Ok(tempo),
        Ok(_) => Err(format!("a tempo is {min} to {max} quarter notes a minute")),
        Err(reason) => Err(reason),
    }
}

/// A time signature as 3/4.
pub fn signature(text: &str) -> Result<Signature, String> {
    let wrong = || "write a time signature as 3/4: 1 to 64 beats of a 1st to 64th note".to_owned();
    let (count, unit) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|n| (1..=64).contains(n)).ok_or_else(wrong);
    let (count, unit) = (number(count)?, number(unit)?);
    if unit.is_power_of_two() { Ok(Signature(count, unit)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_becomes_bar_and_beat_at_the_songs_own_pace() {
        let pace = Pace { tempo: 90.0, signature: Signature(6, 8) };
        let mut at = Transport { frames: Some(48_000 * 4), ..Transport::default() };
        pace.fill(&mut at, 48_000.0);
        assert_eq!((at.beats, at.bar_start, at.bar), (Some(6.0), Some(6.0), Some(2)));
        assert_eq!((at.tempo, at.time_signature), (Some(90.0), Some((6, 8))));
    }

    #[test]
    fn tempos_and_signatures_are_read_and_nonsense_is_refused_with_the_range() {
        assert_eq!((tempo("97.5"), signature("7/8")), (Ok(97.5), Ok(Signature(7, 8))));
        for text in ["9", "1000", "nan", "fast", "120,5"] {
            assert!(tempo(text).is_err(), "{text}");
        }
        for text in ["4", "0/4", "4/3", "65/4", "a/b", "4/0"] {
            assert!(signature(text).unwrap_err().contains("3/4"), "{text}");
        }
    }
}
