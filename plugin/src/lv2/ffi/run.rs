//! `run`. `[audio]` all through.

use std::slice;
use std::sync::atomic::Ordering;

use lv2_raw::sys::{LV2_Atom, LV2_Handle};
use nice_plug::prelude::{NoteEvent, PluginNoteEvent};

use super::super::atoms::{Event, Events, Writer};
use super::super::context::Processing;
use super::super::{Lv2Core, Lv2Plugin};
use super::instance::{Audio, Instance, Port, of};
use super::shared::Common;
use crate::guard::{guard, injected};

/// `run`. A panic in the plugin is heard as the dry signal, in this block and all that follow. `[audio]`
pub unsafe extern "C" fn run<P: Lv2Plugin>(handle: LV2_Handle, frames: u32) {
    guard((), || {
        // SAFETY: the host passes what `instantiate` gave it.
        let Some(this) = (unsafe { of::<P>(handle) }) else { return };
        let ran = guard(false, || this.run(frames, this.broken.load(Ordering::Relaxed)));
        if !ran {
            // A panic left the plugin in an unknown state: dry from here on. Nothing was written over the inputs of the
            // part that failed.
            this.broken.store(true, Ordering::Relaxed);
            this.run(frames, true);
        }
    });
}

impl<P: Lv2Plugin> Instance<P> {
    /// Runs the block; where it is `broken` the plugin itself is not called, and nothing is late. True: it is done.
    fn run(&self, frames: u32, broken: bool) -> bool {
        // A host that calls beside `activate` breaks its word; it hears what its buffers hold.
        let Ok(mut audio) = self.audio.try_borrow_mut() else { return true };
        let audio = &mut *audio;
        let wet = !broken && audio.active;
        if wet {
            audio.take_controls(&self.common);
        }
        // SAFETY: the host's ports, connected to what the Turtle says they are, valid over the call.
        let (events, mut out) = unsafe { audio.atom_ports(&self.common) };
        if wet {
            injected("lv2 run");
        }
        let mut start = 0;
        while start < frames {
            start += audio.part(&self.common, events, out.as_mut(), start, frames, wet);
        }
        if frames == 0 {
            // A host asks so for what the outputs say, or tells what is before the first frame: the plugin has a look at what is new.
            if wet {
                audio.keep(&self.common, events);
            }
            audio.part(&self.common, events, out.as_mut(), 0, 0, wet);
        }
        if self.common.take_dirty() && !out.is_some_and(|mut out| out.state_changed(frames.saturating_sub(1))) {
            self.common.dirty.store(true, Ordering::Relaxed);
        }
        if let Some(latency) = audio.connected.get(audio.ports.latency) {
            // SAFETY: as above.
            unsafe { latency.write(if broken { 0.0 } else { self.common.latency() as f32 }) };
        }
        true
    }
}

impl Port {
    /// The value of a control port.
    ///
    /// # Safety
    /// The port is null or connected to a float that is valid over the call.
    unsafe fn read(self) -> Option<f32> {
        // SAFETY: the caller's word.
        unsafe { self.0.cast::<f32>().cast_const().as_ref() }.copied()
    }

    /// Sets a control port.
    ///
    /// # Safety
    /// As [`Port::read`].
    unsafe fn write(self, value: f32) {
        // SAFETY: the caller's word.
        if let Some(to) = unsafe { self.0.cast::<f32>().as_mut() } {
            *to = value;
        }
    }

    /// Samples of an audio input.
    ///
    /// # Safety
    /// The port is null or connected to as many samples as the block has, which nobody writes while the slice lives.
    unsafe fn samples<'a>(self, start: u32, frames: u32) -> Option<&'a [f32]> {
        let from = self.0.cast::<f32>().cast_const();
        // SAFETY: the caller's word.
        (!from.is_null()).then(|| unsafe { slice::from_raw_parts(from.add(start as usize), frames as usize) })
    }

    /// Copies to an audio output.
    ///
    /// # Safety
    /// As [`Port::samples`], to be written.
    unsafe fn copy_from(self, start: u32, from: &[f32]) {
        let to = self.0.cast::<f32>();
        if !to.is_null() {
            // SAFETY: the caller's word; `from` is the plugin's own memory.
            unsafe { to.add(start as usize).copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        }
    }
}

/// The block's frame that an event is played at: hosts may be off at both ends.
fn frame_of(event: &Event<'_>, frames: u32) -> u32 {
    event.frame.clamp(0, i64::from(frames.saturating_sub(1))) as u32
}

impl<P: Lv2Plugin> Audio<P> {
    /// Takes what the host has set since the last block.
    fn take_controls(&mut self, common: &Common<P>) {
        for (index, port) in self.connected.iter().enumerate().take(self.ports.params) {
            // SAFETY: a parameter's port: null or a float.
            let Some(value) = (unsafe { port.read() }) else { continue };
            if common.seen.take(index, value) {
                common.params.set_port(index, value);
                common.params.smooth(index, common.rate as f32, false);
            }
        }
        // SAFETY: as above.
        if let Some(value) = unsafe { self.connected[self.ports.free_wheeling].read() } {
            common.core.set_offline(value > 0.5);
        }
    }

    /// The events that come in and the port they go out by. A host that gives one buffer for both gets nothing out.
    ///
    /// # Safety
    /// The ports are null or connected to atoms: a sequence in, as long as its size says, and a chunk out, whose size is
    /// its room; both valid over the call.
    unsafe fn atom_ports<'a>(&self, common: &Common<P>) -> (Events<'a>, Option<Writer<'a>>) {
        let (from, to) = (self.connected[self.ports.atoms_in].0, self.connected[self.ports.atoms_out].0);
        if common.types.sequence == 0 {
            return (Events::new(&[]), None);
        }
        // SAFETY: the caller's word.
        let atom = |at: *mut std::ffi::c_void| unsafe { at.cast::<LV2_Atom>().cast_const().as_ref() }.copied();
        let bytes: &[u8] = match atom(from).filter(|atom| atom.type_ == common.types.sequence) {
            // SAFETY: the caller's word: the body follows the head.
            Some(head) => unsafe { slice::from_raw_parts(from.cast::<u8>().add(8), head.size as usize) },
            None => &[],
        };
        let out = atom(to).filter(|_| from != to).and_then(|head| {
            // SAFETY: as above.
            let room = unsafe { slice::from_raw_parts_mut(to.cast::<u8>(), 8 + head.size as usize) };
            Writer::new(room, common.types)
        });
        (Events::new(bytes), out)
    }

    /// Keeps the messages of a block without frames for the next frame there is.
    fn keep(&mut self, common: &Common<P>, events: Events<'_>) {
        for event in events.filter(|event| event.kind == common.types.midi) {
            // What finds no room is lost; there is nobody to tell.
            let _no_room = self.early.push(event.body);
        }
    }

    /// Takes the positions told at frame `at`. Answers the frame of the next one.
    fn take_positions(&mut self, common: &Common<P>, events: Events<'_>, at: u32, frames: u32) -> Option<u32> {
        let mut next = None;
        for event in events {
            // The usual event is MIDI.
            if event.kind == common.types.midi {
                continue;
            }
            let Some(position) = common.types.position(&event) else { continue };
            match frame_of(&event, frames) {
                frame if frame == at => self.clock.take(&position),
                frame if frame > at => next = Some(next.map_or(frame, |next: u32| next.min(frame))),
                _ => {}
            }
        }
        next
    }

    /// Runs the part of the block that begins at `start` and ends where the buffers do, or the song's position changes.
    /// Answers its length.
    fn part(
        &mut self,
        common: &Common<P>,
        events: Events<'_>,
        out: Option<&mut Writer<'_>>,
        start: u32,
        frames: u32,
        wet: bool,
    ) -> u32 {
        let cut = self.take_positions(common, events, start, frames).unwrap_or(frames);
        let count = self.longest.max(1).min(cut - start);
        let (connected, ports) = (&self.connected, &self.ports);
        let buffers = &mut self.buffers;
        let side = ports.sidechains.first().map_or(0, |first| first.start);
        // SAFETY: audio ports of the host's, null or valid over the call; what is read here is written by nobody before
        // `load` has copied it.
        let input = |port: usize| unsafe { connected.get(port).copied().and_then(|port| port.samples(start, count)) };
        buffers.load(count as usize, |channel| input(ports.inputs.start + channel), |channel| input(side + channel));
        if wet {
            let mine = events.filter(|event| event.kind == common.types.midi).filter_map(|event| {
                let frame = frame_of(&event, frames);
                (start..start + count).contains(&frame).then(|| (frame - start, event.body))
            });
            let first = start == 0 && count > 0;
            let early = self.early.iter().take_while(|_| first).map(|message| (0, message));
            let mine = early.chain(mine);
            if P::Core::OWN_EVENTS {
                let mut mine = mine;
                common.core.events_in(count, &mut |take| {
                    mine.by_ref().for_each(|(frame, bytes)| take(frame, bytes));
                });
            } else {
                gather::<P>(mine, &mut self.events);
            }
            if first {
                self.early.clear();
            }
            let (plugin, note_events, transport) = (&mut self.plugin, &mut self.events, self.clock.transport());
            let mut out = out;
            buffers.with(count as usize, |main, aux| {
                let out = out.as_deref_mut();
                let mut context = Processing { common, transport, events: note_events, out, start, frames: count };
                plugin.process(main, aux, &mut context)
            });
            if P::Core::OWN_EVENTS
                && let Some(out) = out
            {
                // What finds no room is lost; there is nobody to tell.
                common.core.events_out(&mut |frame, bytes| {
                    let _no_room = out.midi(start + frame.min(count.saturating_sub(1)), bytes);
                });
            }
        }
        for (channel, port) in ports.outputs.clone().enumerate() {
            if let (Some(from), Some(port)) = (buffers.main(channel, count as usize), connected.get(port)) {
                // SAFETY: an audio output of the host's, null or valid over the call.
                unsafe { port.copy_from(start, from) };
            }
        }
        for (channel, port) in ports.aux.iter().cloned().flatten().enumerate() {
            if let (Some(from), Some(port)) = (buffers.aux(channel, count as usize), connected.get(port)) {
                // SAFETY: as above.
                unsafe { port.copy_from(start, from) };
            }
        }
        self.clock.advance(count);
        count
    }
}

/// MIDI as nice-plug's events; what it has no event for is left out.
fn gather<'a, P: Lv2Plugin>(
    midi: impl Iterator<Item = (u32, &'a [u8])>,
    events: &mut std::collections::VecDeque<PluginNoteEvent<P>>,
) {
    events.clear();
    for (frame, bytes) in midi {
        if events.len() < events.capacity()
            && let Ok(event) = NoteEvent::from_midi(frame, bytes)
        {
            events.push_back(event);
        }
    }
}
