//! The song as a slot sees it whose sound is late: the host's position minus that latency, at this block's tempo, and play, record and
//! loop as they were when the slot's sound came in. `[audio]` all through.

use std::collections::VecDeque;

use super::plan::shift;
use crate::backend::audio::Transport;

/// Changes that are kept: a host makes a few a second, and the longest delay is some seconds.
const CHANGES: usize = 256;

/// What is delayed whole.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Flags {
    playing: bool,
    recording: bool,
    looping: Option<(f64, f64)>,
}

impl Flags {
    fn of(transport: &Transport) -> Self {
        Self { playing: transport.playing, recording: transport.recording, looping: transport.looping }
    }
}

/// What the host's transport did, back as far as a slot may be late.
pub struct Timeline {
    /// Time of the first frame of the block that is run, frames.
    now: i64,
    /// What held before the oldest change that is kept.
    first: Option<Flags>,
    changes: VecDeque<(i64, Flags)>,
}

impl Timeline {
    /// Nothing known yet. `[home]`
    pub fn new() -> Self {
        Self { now: 0, first: None, changes: VecDeque::with_capacity(CHANGES) }
    }

    /// A block begins with this transport.
    #[inline]
    pub fn note(&mut self, transport: Option<&Transport>) {
        match transport {
            Some(transport) => self.note_flags(Flags::of(transport)),
            None => self.first = None,
        }
    }

    fn note_flags(&mut self, flags: Flags) {
        let Some(first) = self.first else {
            // What the host did before it spoke is not known: as if it always had.
            self.changes.clear();
            self.first = Some(flags);
            return;
        };
        if self.changes.back().map_or(first, |(_, last)| *last) == flags {
            return;
        }
        if self.changes.len() == CHANGES
            && let Some((_, oldest)) = self.changes.pop_front()
        {
            self.first = Some(oldest);
        }
        self.changes.push_back((self.now, flags));
    }

    /// The block is over.
    #[inline]
    pub fn pass(&mut self, frames: usize) {
        self.now += frames as i64;
    }

    /// The transport `now` for a slot with `before` frames of latency before it.
    pub fn seen(&self, now: &Transport, before: u32, rate: f64) -> Transport {
        let before = i64::from(before);
        // A song that stands still does so for the slot once the last of what was played has come to it.
        let behind = if now.playing { before } else { before - self.stopped_for().min(before) };
        let mut then = shift(now, -behind, rate);
        if let Some(Flags { playing, recording, looping }) = self.at(self.now - before) {
            (then.playing, then.recording, then.looping) = (playing, recording, looping);
        }
        then
    }

    fn at(&self, time: i64) -> Option<Flags> {
        let change = self.changes.iter().rev().find(|(at, _)| *at <= time);
        change.map(|(_, flags)| *flags).or(self.first)
    }

    /// Frames since the host stopped, where it did.
    fn stopped_for(&self) -> i64 {
        let mut since = None;
        for (at, flags) in self.changes.iter().rev() {
            if flags.playing {
                break;
            }
            since = Some(*at);
        }
        let always = since == self.changes.front().map(|(at, _)| *at) && self.first.is_some_and(|first| !first.playing);
        since.filter(|_| !always).map_or(i64::MAX, |since| self.now - since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48_000.0;

    fn song(playing: bool, beats: f64) -> Transport {
        Transport { playing, beats: Some(beats), tempo: Some(120.0), ..Transport::default() }
    }

    /// Blocks of half a beat, for a slot that is a whole beat late.
    fn seen(line: &mut Timeline, now: Transport) -> (bool, f64) {
        line.note(Some(&now));
        let then = line.seen(&now, 24_000, RATE);
        line.pass(12_000);
        (then.playing, then.beats.unwrap())
    }

    #[test]
    fn play_and_stop_come_late_and_the_song_rolls_on_until_its_sound_is_over() {
        let mut line = Timeline::new();
        assert_eq!(seen(&mut line, song(false, 8.0)), (false, 8.0));
        assert_eq!(seen(&mut line, song(false, 8.0)), (false, 8.0));
        assert_eq!(seen(&mut line, song(true, 8.0)), (false, 7.0));
        assert_eq!(seen(&mut line, song(true, 8.5)), (false, 7.5));
        assert_eq!(seen(&mut line, song(true, 9.0)), (true, 8.0));
        assert_eq!(seen(&mut line, song(true, 9.5)), (true, 8.5));
        assert_eq!(seen(&mut line, song(false, 10.0)), (true, 9.0));
        assert_eq!(seen(&mut line, song(false, 10.0)), (true, 9.5));
        assert_eq!(seen(&mut line, song(false, 10.0)), (false, 10.0));
        assert_eq!(seen(&mut line, song(false, 10.0)), (false, 10.0));
    }

    #[test]
    fn a_host_that_rolls_from_the_start_is_taken_to_have_rolled_before() {
        let mut line = Timeline::new();
        assert_eq!(seen(&mut line, song(true, 10.0)), (true, 9.0));
    }

    #[test]
    fn loops_come_late_whole_and_old_changes_make_room() {
        let mut line = Timeline::new();
        let now = song(true, 4.0);
        line.note(Some(&now));
        for number in 0..600 {
            let looping = Some((0.0, f64::from(number)));
            let now = Transport { looping, ..now };
            line.note(Some(&now));
            let due = (number >= 5).then(|| (0.0, f64::from(number - 5)));
            assert_eq!(line.seen(&now, 320, RATE).looping, due, "{number}");
            line.pass(64);
        }
    }
}
