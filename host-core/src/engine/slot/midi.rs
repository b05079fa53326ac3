//! A slot's MIDI: what its plugin hears, what passes on, and the notes that both began. `[audio]` all through.
//!
//! A slot that is heard hands on. One that is bypassed, on its way out, or wanted at home begins no note, and ends those that it
//! began: in its plugin, and past it.

use super::SlotNode;
use super::controls::Settings;
use super::path::Path;
use super::run::{Moment, Scratch};
use crate::backend::audio::{EventBuffer, Kind};
use crate::engine::midi::{Filter, History, Notes, pack, silence, unpack};
use crate::model::{MidiSettings, MidiSource};

/// Where a plugin's MIDI of this block lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ear {
    /// It takes none.
    Nothing,
    /// The stream as it is.
    Stream,
    /// Its own, in `heard`.
    Own,
}

/// What a slot keeps of MIDI from block to block.
pub struct SlotMidi {
    /// What the plugin hears, and the notes that sound in it.
    filter: Filter,
    /// Notes that sound past a plugin that makes MIDI: its own, and those that passed it.
    past: Option<Box<[Notes; 2]>>,
    /// The settings as one word, and the generation of the controls they were read with.
    word: u64,
    generation: u32,
    /// A block without an event needs no look.
    quick: bool,
    /// What sounds in the plugin is to be ended.
    end: bool,
    /// The plugin is to be told that nothing sounds, on every channel.
    silence: bool,
    /// What makes MIDI before the slot, as a number of the plan.
    feeder: Option<u64>,
    /// Up to when the container's stream was heard.
    until: Option<i64>,
}

impl SlotMidi {
    /// `[home]`
    pub fn new(makes: bool) -> Self {
        Self {
            filter: Filter::new(),
            past: makes.then(|| Box::new([Notes::new(), Notes::new()])),
            word: pack(MidiSettings::default()),
            generation: 0,
            quick: false,
            end: false,
            silence: false,
            feeder: None,
            until: None,
        }
    }

    /// The plan that begins says what makes MIDI before the slot: where that is another, what it began is not ended by it.
    pub fn fed_by(&mut self, feeder: u64) {
        let before = self.feeder.replace(feeder);
        let bears = matches!(self.filter.set.source, MidiSource::Previous | MidiSource::Merge);
        if bears && before.is_some_and(|before| before != feeder) {
            self.end();
        }
    }

    /// What sounds in the plugin is ended before it hears anything else.
    pub fn end(&mut self) {
        self.end = true;
        self.quick = false;
    }

    /// The plugin is told that nothing sounds.
    pub fn panic(&mut self) {
        self.end();
        self.silence = true;
        self.past.iter_mut().flat_map(|both| both.iter_mut()).for_each(Notes::forget);
    }

    /// Whether a note sounds in the plugin or a pedal is down.
    pub fn sounds(&self) -> bool {
        !self.filter.notes.is_empty()
    }

    /// The plugin did not hear this block.
    fn missed(&mut self) {
        self.until = None;
        if !self.filter.notes.is_empty() {
            self.end();
        }
    }

    fn follow(&mut self, settings: &Settings) {
        self.generation = settings.generation;
        let open = is_heard(settings);
        if settings.midi != self.word {
            let set = unpack(settings.midi);
            if set.source != self.filter.set.source {
                self.end = true;
                self.until = None;
            }
            (self.word, self.filter.set) = (settings.midi, set);
        }
        self.end |= self.filter.open && !open;
        self.filter.open = open;
    }

    fn hear(&mut self, scratch: &mut Scratch, source: &History, before: u32, frames: usize) -> Ear {
        // A note that was moved is still to be ended where it was moved to.
        let plain = self.filter.open && self.filter.set.is_default() && !self.filter.notes.any_moved();
        self.quick = plain && !self.end && !self.silence;
        if self.quick {
            self.filter.notes.note_all(&scratch.stream);
            return Ear::Stream;
        }
        let heard = &mut scratch.heard;
        heard.clear();
        if std::mem::take(&mut self.end) {
            // What finds no room is ended in the next block.
            self.end = !self.filter.notes.end_all(0, heard);
        }
        if std::mem::take(&mut self.silence) {
            silence(0, heard);
        }
        let kind = self.filter.set.source;
        if matches!(kind, MidiSource::Previous | MidiSource::Merge) {
            for (event, bytes) in scratch.stream.iter() {
                self.filter.pass(event.frame, event.port, (event.kind(), bytes), heard);
            }
        }
        if matches!(kind, MidiSource::Container | MidiSource::Merge) {
            let known = if kind == MidiSource::Merge { Some(&scratch.stream) } else { None };
            self.hear_container(source, (before, frames), known, heard);
        }
        Ear::Own
    }

    /// The container's stream, late by the latency before the slot; what is in `known` was heard already.
    fn hear_container(
        &mut self,
        source: &History,
        (before, frames): (u32, usize),
        known: Option<&EventBuffer>,
        heard: &mut EventBuffer,
    ) {
        let start = source.now() - i64::from(before);
        let until = start + frames as i64;
        // Another latency before the slot neither loses an event nor gives one twice.
        let from = self.until.replace(until.max(self.until.unwrap_or(start))).unwrap_or(start);
        let last = frames.saturating_sub(1) as i64;
        source.read(from, until, |at, port, kind, bytes| {
            let frame = (at - start).clamp(0, last) as u16;
            if !known.is_some_and(|known| contains(known, frame, kind, bytes)) {
                self.filter.pass(frame, port, (kind, bytes), heard);
            }
        });
        if known.is_some() {
            heard.sort();
        }
    }

    /// Takes down what goes on, and ends what one of the two that go on began where it does so no more.
    fn hand_on(&mut self, scratch: &mut Scratch, makes: bool, passes: bool) {
        let Some(past) = &mut self.past else { return };
        let [made, passed] = past.as_mut();
        let ends = |notes: &Notes, goes_on: bool| !goes_on && !notes.is_empty();
        if ends(made, makes) || ends(passed, passes) {
            let heard = &mut scratch.heard;
            heard.clear();
            for (notes, goes_on) in [(&mut *made, makes), (&mut *passed, passes)] {
                if ends(notes, goes_on) {
                    notes.end_all(0, heard);
                }
            }
            heard.append(&scratch.stream);
            std::mem::swap(heard, &mut scratch.stream);
        }
    }

    fn note_past(&mut self, events: &EventBuffer, made: bool) {
        if let (Some(past), false) = (&mut self.past, events.is_empty()) {
            past[usize::from(!made)].note_all(events);
        }
    }
}

/// Whether a slot with these settings begins notes.
fn is_heard(settings: &Settings) -> bool {
    settings.present && !settings.passes_by() && settings.park.is_multiple_of(2)
}

fn contains(events: &EventBuffer, frame: u16, kind: Kind, bytes: &[u8]) -> bool {
    events.iter().any(|(event, other)| event.frame == frame && event.kind() == kind && other == bytes)
}

impl SlotNode {
    /// Where the plugin's MIDI of this block lies.
    #[inline]
    pub(super) fn listen(&self, path: &mut Path, moment: &mut Moment<'_>) -> Ear {
        if !self.midi_in {
            return Ear::Nothing;
        }
        let midi = &mut path.midi;
        if midi.quick && midi.generation == path.settings.generation && moment.scratch.stream.is_empty() {
            return Ear::Stream;
        }
        if midi.generation != path.settings.generation {
            midi.follow(&path.settings);
        }
        midi.hear(moment.scratch, &moment.source.events, moment.before, moment.frames)
    }

    /// The MIDI stream after the slot, late by the slot's latency.
    #[inline]
    pub(super) fn pass_events(&self, path: &mut Path, moment: &mut Moment<'_>, ran: bool) {
        let scratch = &mut *moment.scratch;
        if !ran {
            path.midi.missed();
        }
        if self.midi_out {
            self.pass_made(path, scratch, ran);
        }
        path.events.run(&mut scratch.stream, path.lines.dry.delay(), moment.frames);
    }

    fn pass_made(&self, path: &mut Path, scratch: &mut Scratch, ran: bool) {
        let makes = ran && is_heard(&path.settings);
        let passes = !makes || path.settings.merge_midi;
        if makes && !passes {
            std::mem::swap(&mut scratch.stream, &mut scratch.made);
        }
        if passes {
            path.midi.note_past(&scratch.stream, false);
        }
        if makes {
            let made = if passes { &scratch.made } else { &scratch.stream };
            path.midi.note_past(made, true);
            if passes {
                scratch.stream.append(&scratch.made);
            }
            scratch.stream.sort();
        }
        path.midi.hand_on(scratch, makes, passes);
    }
}
