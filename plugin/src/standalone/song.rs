//! The song that is played where nobody else gives one: set by the window, read by the audio thread, in single words.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use host_core::backend::audio::Transport;

use crate::cli::{Pace, Signature, TEMPO_RANGE};

/// Tempo, time signature, and whether it plays.
pub struct Song {
    tempo: AtomicU64,
    signature: AtomicU32,
    playing: AtomicBool,
    /// The user pressed play or stop, and the driver was not told yet.
    pressed: AtomicBool,
}

impl Song {
    /// At `pace`.
    pub fn new(pace: Pace, playing: bool) -> Arc<Self> {
        let song = Self {
            tempo: AtomicU64::new(0),
            signature: AtomicU32::new(0),
            playing: AtomicBool::new(playing),
            pressed: AtomicBool::new(playing),
        };
        song.set_pace(pace);
        Arc::new(song)
    }

    /// Tempo and time signature. `[any]`
    pub fn pace(&self) -> Pace {
        let signature = self.signature.load(Relaxed);
        let signature = Signature((signature >> 16) as u16, signature as u16);
        Pace { tempo: f64::from_bits(self.tempo.load(Relaxed)), signature }
    }

    /// Sets them; a tempo out of range is taken as the nearest in it. `[any but audio]`
    pub fn set_pace(&self, pace: Pace) {
        let tempo = pace.tempo.clamp(*TEMPO_RANGE.start(), *TEMPO_RANGE.end());
        let Signature(count, unit) = pace.signature;
        self.tempo.store(tempo.to_bits(), Relaxed);
        self.signature.store(u32::from(count.max(1)) << 16 | u32::from(unit.max(1)), Relaxed);
    }

    /// Whether it plays. `[any]`
    pub fn playing(&self) -> bool {
        self.playing.load(Relaxed)
    }

    /// The user pressed play or stop. `[any but audio]`
    pub fn press(&self, play: bool) {
        self.playing.store(play, Relaxed);
        self.pressed.store(true, Relaxed);
    }

    /// Whether the user pressed play or stop since this was last asked, and which. `[any but audio]`
    pub fn take_press(&self) -> Option<bool> {
        self.pressed.swap(false, Relaxed).then(|| self.playing())
    }

    /// The driver's transport plays or not, whatever was pressed here. `[audio]`
    pub fn follow(&self, playing: bool) {
        if !self.pressed.load(Relaxed) && self.playing() != playing {
            self.playing.store(playing, Relaxed);
        }
    }
}

/// Where a song is that nobody else counts.
#[derive(Default)]
pub struct Counter {
    frames: i64,
    beats: f64,
    was_playing: bool,
}

impl Counter {
    /// The transport of a block of `frames`, and on by as many. It begins anew with each play; a tempo that changes moves it on from where
    /// it is. `[audio]`
    pub fn next(&mut self, song: &Song, frames: usize, rate: f64) -> Transport {
        let (pace, playing) = (song.pace(), song.playing());
        if playing && !self.was_playing {
            (self.frames, self.beats) = (0, 0.0);
        }
        self.was_playing = playing;
        let mut transport = Transport { playing, frames: Some(self.frames), ..Transport::default() };
        pace.place(&mut transport, self.beats);
        if playing && rate > 0.0 {
            self.frames += frames as i64;
            self.beats += frames as f64 / rate * pace.tempo / 60.0;
        }
        transport
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_song_counts_while_it_plays_and_begins_anew() {
        let song = Song::new(Pace { tempo: 60.0, signature: Signature(3, 4) }, false);
        let mut counter = Counter::default();
        assert_eq!(counter.next(&song, 48_000, 48_000.0).beats, Some(0.0));
        song.press(true);
        for second in 0..4 {
            let at = counter.next(&song, 48_000, 48_000.0);
            assert!(at.playing);
            assert_eq!((at.frames, at.beats), (Some(second * 48_000), Some(second as f64)));
            assert_eq!(at.bar, Some(second as i32 / 3));
        }
        song.set_pace(Pace { tempo: 120.0, ..song.pace() });
        assert_eq!(counter.next(&song, 48_000, 48_000.0).beats, Some(4.0));
        assert_eq!(counter.next(&song, 48_000, 48_000.0).beats, Some(6.0));
        song.press(false);
        assert!(!counter.next(&song, 48_000, 48_000.0).playing);
        song.press(true);
        assert_eq!(counter.next(&song, 48_000, 48_000.0).beats, Some(0.0));
    }

    #[test]
    fn what_the_driver_plays_is_shown_unless_the_user_just_pressed() {
        let song = Song::new(Pace::default(), false);
        song.follow(true);
        assert!(song.playing());
        song.press(false);
        song.follow(true);
        assert_eq!((song.playing(), song.take_press(), song.take_press()), (false, Some(false), None));
    }
}
