//! When a plugin is not run: idle while sound passes by its slot, asleep while there is nothing to hear. `[audio]` all through.
//!
//! A plugin sleeps when all that it is given has been silent for its latency and its tail, it gives silence itself, no note sounds in
//! it, and the song neither jumps nor changes its pace. Then it would go on giving silence, if it keeps its word: its output is
//! taken as silent without asking. One without an input may make sound by itself, so it sleeps only while the song stands; one that
//! makes MIDI never does. A plugin that is told something, a note or a value, is run for that block whatever it does otherwise.

use super::midi::Ear;
use super::path::Path;
use super::run::Moment;
use super::{Held, SlotNode};
use crate::backend::audio::{Bus, Transport};
use crate::engine::kernels;

/// Frames of silence that are counted at most.
const LONG: u32 = 1 << 30;
/// Beats that a song may be off its pace in one block without having jumped.
const PACE: f64 = 1e-3;

/// Why a plugin is not run in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Sound passes by it.
    Idle,
    /// It would be silent.
    Asleep,
}

/// What the audio thread keeps of that.
pub struct Rest {
    /// Frames of silence after which the plugin sleeps; `u32::MAX`: never; [`LONG`] to that: on its own word alone.
    pub after: u32,
    /// It was not run while sound passed by it, or only to be told something: what sounds in it is old.
    pub idle: bool,
    /// It has run since it came here: what it tells while it runs is known.
    pub known: bool,
    /// It said that it need not be run until something comes in.
    pub says_quiet: bool,
    asleep: bool,
    /// Frames of silence that it was given.
    quiet: u32,
    /// The song as it was seen last, and for how many frames.
    song: Option<(Transport, usize)>,
}

impl Rest {
    /// A plugin that has not run yet. `[home]`
    pub fn new(after: u32) -> Self {
        Self { after, idle: false, known: false, says_quiet: false, asleep: false, quiet: 0, song: None }
    }

    /// Whether it is to be watched for silence.
    pub fn watches(&self) -> bool {
        self.after != u32::MAX
    }

    /// It is run again.
    pub fn wake(&mut self) {
        (self.idle, self.asleep, self.quiet) = (false, false, 0);
    }

    /// Whether the song does anything but stand or go on.
    fn song_jumps(&mut self, now: Option<&Transport>, frames: usize) -> bool {
        match (std::mem::replace(&mut self.song, now.map(|now| (*now, frames))), now) {
            (None, None) => false,
            (Some((then, passed)), Some(now)) => !goes_on(&then, now, passed),
            _ => true,
        }
    }
}

/// Whether `now` is `passed` frames after `then` and nothing else differs.
fn goes_on(then: &Transport, now: &Transport, passed: usize) -> bool {
    let whole = |one: &Transport| (one.playing, one.offline, one.tempo, one.time_signature, one.looping);
    if whole(then) != whole(now) {
        return false;
    }
    let passed = if now.playing { passed as i64 } else { 0 };
    match (then.frames, now.frames, then.beats, now.beats) {
        (Some(then), Some(now), ..) => now == then + passed,
        (_, _, Some(then), Some(before)) if passed == 0 => (before - then).abs() < PACE,
        // Without frames the rate is not known here; a block is less than a beat, and never goes back.
        (_, _, Some(then), Some(now)) => (0.0..1.0).contains(&(now - then)),
        _ => true,
    }
}

impl SlotNode {
    /// Whether the plugin, which was fed, is not to be run in this block.
    pub(super) fn rests(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>, ear: Ear) -> Option<Pause> {
        if path.steady {
            return None;
        }
        let pause = if path.rest.known { self.pause(path, held, moment, ear) } else { None };
        self.controls.note_resting(pause.is_some());
        if pause.is_some() {
            path.drop_params(0, moment.frames as u32);
        }
        pause
    }

    fn pause(&self, path: &mut Path, held: &mut Held, moment: &Moment<'_>, ear: Ear) -> Option<Pause> {
        let frames = moment.frames;
        let told = path.params.first().is_some_and(|change| (change.frame as usize) < frames)
            || match ear {
                Ear::Nothing => false,
                Ear::Stream => !moment.scratch.stream.is_empty(),
                Ear::Own => !moment.scratch.heard.is_empty(),
            };
        if path.settings.is_idle() && path.wet.is(0.0) && !told {
            path.rest.wake();
            path.rest.idle = true;
            return Some(Pause::Idle);
        }
        if !path.rest.watches() {
            // What was known of its silence is old when it may sleep again.
            (path.rest.asleep, path.rest.quiet) = (false, 0);
            return None;
        }
        let song = moment.late.as_ref().or(moment.transport);
        let plays_itself = self.main_in.is_none() && song.is_some_and(|song| song.playing);
        let mut inputs = held.instances.iter_mut().flat_map(|instance| &mut instance.audio().buffers().inputs);
        let heard = !inputs.all(|bus| is_silent(bus, frames));
        let jumps = path.rest.song_jumps(song, frames);
        let asked = held.instances.iter_mut().any(|instance| instance.audio().wants_run());
        let awake = told || plays_itself || heard || jumps || asked || path.midi.sounds() || self.midi_out;
        if awake {
            let idle = path.rest.idle;
            path.rest.wake();
            path.rest.idle = idle;
            return None;
        }
        path.rest.quiet = path.rest.quiet.saturating_add(frames as u32).min(LONG);
        path.rest.asleep.then_some(Pause::Asleep)
    }

    /// The plugin has run: from the next block on it may sleep.
    pub(super) fn look_for_sleep(&self, path: &mut Path, held: &mut Held, moment: &Moment<'_>) {
        if !path.rest.watches() {
            return;
        }
        let rest = &mut path.rest;
        let said = rest.says_quiet && rest.quiet >= self.latency();
        if !said && rest.quiet < rest.after {
            return;
        }
        let frames = moment.frames;
        let mut outputs = held.instances.iter_mut().flat_map(|instance| &mut instance.audio().buffers().outputs);
        if outputs.all(|bus| is_silent(bus, frames)) {
            // What is read from now on, in blocks of any length.
            let outputs = held.instances.iter_mut().flat_map(|instance| &mut instance.audio().buffers().outputs);
            outputs.flat_map(|bus| &mut bus.channels).for_each(|channel| channel.fill(0.0));
            rest.asleep = true;
        }
    }
}

fn is_silent(bus: &Bus, frames: usize) -> bool {
    kernels::is_silent(bus.channels.iter().map(|channel| &channel[..frames]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_song_that_stands_or_goes_on_wakes_nobody_and_one_that_jumps_does() {
        let at = |frames, playing| Transport { frames: Some(frames), playing, ..Transport::default() };
        let mut rest = Rest::new(u32::MAX);
        assert!(!rest.song_jumps(None, 64));
        assert!(rest.song_jumps(Some(&at(0, false)), 64), "there is one now");
        assert!(!rest.song_jumps(Some(&at(0, false)), 64));
        assert!(rest.song_jumps(Some(&at(0, true)), 64), "it begins to play");
        assert!(!rest.song_jumps(Some(&at(64, true)), 32));
        assert!(!rest.song_jumps(Some(&at(96, true)), 32));
        assert!(rest.song_jumps(Some(&at(500, true)), 32), "a jump");
        assert!(rest.song_jumps(Some(&Transport { tempo: Some(90.0), ..at(532, true) }), 32), "another tempo");
        assert!(rest.song_jumps(None, 64));
    }
}
