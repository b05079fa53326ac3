//! `time`: the host's song, which it tells when it is not where the last position leads.

use nice_plug::prelude::Transport;

/// One `time:Position`; what the host leaves out is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// Frames since the song's start.
    pub frame: Option<i64>,
    /// 0 while stopped, 1 while rolling.
    pub speed: Option<f64>,
    /// Number of the bar, first is 0.
    pub bar: Option<i64>,
    /// Beats since the bar began.
    pub bar_beat: Option<f64>,
    /// Beats since the song's start.
    pub beat: Option<f64>,
    /// The note that is one beat.
    pub beat_unit: Option<i64>,
    /// Beats in a bar.
    pub beats_per_bar: Option<f64>,
    /// `beatsPerMinute`, taken as quarter notes a minute. LV2 means beats of the metre's unit; but Ardour 7 (`lv2_plugin.cc`)
    /// sends notes of the tempo's own kind at a block's first frame, and quarter notes at a mark inside the block. The
    /// tempo's kind is a quarter note in every metre unless the user chose another, and no position says which. jalv hands
    /// on what JACK's timebase master says, which Ardour, where it is that, gives in the tempo's kind too.
    pub tempo: Option<f64>,
}

/// Where the song is now.
pub struct Clock {
    rate: f64,
    told: bool,
    playing: bool,
    tempo: Option<f64>,
    signature: Option<(f64, i64)>,
    frame: Option<i64>,
    /// In quarter notes, as all below.
    beats: Option<f64>,
    bar_start: Option<f64>,
    bar: Option<i64>,
}

impl Clock {
    /// Nothing told yet, at `rate` Hz. `[main]`
    pub fn new(rate: f64) -> Self {
        Self {
            rate,
            told: false,
            playing: false,
            tempo: None,
            signature: None,
            frame: None,
            beats: None,
            bar_start: None,
            bar: None,
        }
    }

    /// Takes what the host tells. `[audio]`
    pub fn take(&mut self, position: &Position) {
        self.told = true;
        if let Some(speed) = position.speed {
            self.playing = speed != 0.0;
        }
        self.tempo = position.tempo.filter(|tempo| tempo.is_finite() && *tempo > 0.0).or(self.tempo);
        let unit = position.beat_unit.filter(|unit| *unit > 0).or(self.signature.map(|(_, unit)| unit));
        let per_bar = position.beats_per_bar.filter(|beats| *beats > 0.0).or(self.signature.map(|(beats, _)| beats));
        self.signature = per_bar.zip(unit.or(per_bar.map(|_| 4)));
        self.frame = position.frame.or(self.frame);
        let quarters = 4.0 / unit.unwrap_or(4) as f64;
        let in_bar = position.bar_beat.map(|beats| beats * quarters);
        let from_bars = position.bar.zip(self.bar_length()).map(|(bar, length)| bar as f64 * length);
        let whole = position.beat.map(|beats| beats * quarters);
        let start = match (whole, in_bar) {
            (Some(beats), Some(in_bar)) => Some(beats - in_bar),
            _ => from_bars,
        };
        if whole.is_some() || start.is_some() {
            self.beats = whole.or(start.map(|start| start + in_bar.unwrap_or(0.0)));
            self.bar_start = start;
        }
        self.bar = position.bar.or(self.bar);
    }

    /// Quarter notes in a bar.
    fn bar_length(&self) -> Option<f64> {
        self.signature.map(|(beats, unit)| beats * 4.0 / unit as f64)
    }

    /// `frames` frames have passed. `[audio]`
    pub fn advance(&mut self, frames: u32) {
        if !self.playing {
            return;
        }
        self.frame = self.frame.map(|frame| frame.saturating_add(frames.into()));
        let (Some(beats), Some(tempo)) = (self.beats, self.tempo) else { return };
        let beats = beats + f64::from(frames) / self.rate * tempo / 60.0;
        self.beats = Some(beats);
        let (Some(start), Some(length)) = (self.bar_start, self.bar_length()) else { return };
        let bars = ((beats - start) / length).floor();
        if bars >= 1.0 {
            self.bar_start = Some(start + bars * length);
            self.bar = self.bar.map(|bar| bar + bars as i64);
        }
    }

    /// The position as nice-plug has it. `[audio]`
    pub fn transport(&self) -> Transport {
        let mut transport = Transport::new(self.rate as f32);
        if self.told {
            transport.playing = self.playing;
            transport.tempo = self.tempo;
            transport.time_sig_numerator = self.signature.map(|(beats, _)| beats.round() as i32);
            transport.time_sig_denominator = self.signature.map(|(_, unit)| unit as i32);
            transport.pos_samples = self.frame;
            transport.pos_beats = self.beats;
            transport.bar_start_pos_beats = self.bar_start;
            transport.bar_number = self.bar.map(|bar| bar as i32);
        }
        transport
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four_four(frame: i64, bar: i64, bar_beat: f64) -> Position {
        Position {
            frame: Some(frame),
            speed: Some(1.0),
            bar: Some(bar),
            bar_beat: Some(bar_beat),
            beat_unit: Some(4),
            beats_per_bar: Some(4.0),
            tempo: Some(120.0),
            beat: None,
        }
    }

    #[test]
    fn a_rolling_song_goes_on_from_what_was_told_over_bars() {
        let mut clock = Clock::new(48_000.0);
        clock.take(&four_four(0, 2, 3.5));
        let now = clock.transport();
        assert_eq!((now.pos_beats, now.bar_start_pos_beats, now.bar_number), (Some(11.5), Some(8.0), Some(2)));
        clock.advance(24_000);
        let now = clock.transport();
        assert_eq!((now.pos_samples, now.pos_beats), (Some(24_000), Some(12.5)));
        assert_eq!((now.bar_start_pos_beats, now.bar_number), (Some(12.0), Some(3)));
    }

    #[test]
    fn eighths_are_counted_in_quarters() {
        let mut clock = Clock::new(48_000.0);
        let eighths = Position { beat_unit: Some(8), beats_per_bar: Some(6.0), ..four_four(0, 1, 3.0) };
        clock.take(&eighths);
        let now = clock.transport();
        assert_eq!((now.pos_beats, now.bar_start_pos_beats), (Some(4.5), Some(3.0)));
        assert_eq!((now.time_sig_numerator, now.time_sig_denominator), (Some(6), Some(8)));
    }

    #[test]
    fn a_stopped_song_stays_and_a_partial_position_keeps_the_rest() {
        let mut clock = Clock::new(48_000.0);
        clock.take(&four_four(960, 0, 1.0));
        clock.take(&Position { speed: Some(0.0), ..Position::default() });
        clock.advance(512);
        let now = clock.transport();
        assert!(!now.playing);
        assert_eq!((now.pos_samples, now.pos_beats, now.tempo), (Some(960), Some(1.0), Some(120.0)));
    }

    #[test]
    fn nothing_told_is_nothing_known() {
        let now = Clock::new(48_000.0).transport();
        assert_eq!((now.pos_samples, now.tempo, now.playing), (None, None, false));
    }
}
