//! The event lists of a process or flush call. Room is made once; nothing here allocates, waits or logs.
#![expect(unsafe_code, reason = "CLAP's event lists are C callbacks on structures of many types")]

use std::ffi::c_void;
use std::ptr::NonNull;

use clap_sys::events::*;

use super::ext::params::Link;
use super::layout::Dialect;
use super::midi::{self, Note};
use super::requests::Wrong;
use crate::backend::audio::{EventBuffer, ParamEvent, ParamQueue};

/// One event to the plugin; every kind we send starts with its header.
#[derive(Clone, Copy)]
#[repr(C)]
union Slot {
    header: clap_event_header,
    note: clap_event_note,
    expression: clap_event_note_expression,
    param: clap_event_param_value,
    midi: clap_event_midi,
    sysex: clap_event_midi_sysex,
}

fn header<T>(time: u32, type_: u16) -> clap_event_header {
    clap_event_header { size: size_of::<T>() as u32, time, space_id: CLAP_CORE_EVENT_SPACE_ID, type_, flags: 0 }
}

/// Events to the plugin, sorted by frame.
pub struct Input {
    slots: Vec<Slot>,
    dropped: bool,
}

impl Input {
    /// Room for `capacity` events. `[home]`
    pub fn new(capacity: usize) -> Self {
        Self { slots: Vec::with_capacity(capacity), dropped: false }
    }

    /// Forgets all events. `[audio]`
    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// How many events it takes. `[any]`
    pub fn room(&self) -> usize {
        self.slots.capacity()
    }

    /// Whether events found no room since this was last asked. `[audio]`
    pub fn take_dropped(&mut self) -> bool {
        std::mem::take(&mut self.dropped)
    }

    fn push(&mut self, slot: Slot) {
        if self.slots.len() < self.slots.capacity() {
            self.slots.push(slot);
        } else {
            self.dropped = true;
        }
    }

    /// A value for the parameter `link`. `[audio]`
    pub fn push_param(&mut self, frame: u32, link: Link, value: f64) {
        let param = clap_event_param_value {
            header: header::<clap_event_param_value>(frame, CLAP_EVENT_PARAM_VALUE),
            param_id: link.id,
            cookie: std::ptr::with_exposed_provenance_mut(link.cookie),
            note_id: -1,
            port_index: -1,
            channel: -1,
            key: -1,
            value,
        };
        self.push(Slot { param });
    }

    /// One MIDI message in the port's dialect. `bytes` must stay where they are until the call is over. `[audio]`
    fn push_midi(&mut self, frame: u32, port: u8, bytes: &[u8], dialects: &[Dialect]) {
        match dialects.get(usize::from(port)) {
            Some(Dialect::Midi) if bytes.first() == Some(&0xF0) => {
                let sysex = clap_event_midi_sysex {
                    header: header::<clap_event_midi_sysex>(frame, CLAP_EVENT_MIDI_SYSEX),
                    port_index: port.into(),
                    buffer: bytes.as_ptr(),
                    size: bytes.len() as u32,
                };
                self.push(Slot { sysex });
            }
            Some(Dialect::Midi) if bytes.len() <= 3 => {
                let mut data = [0; 3];
                data[..bytes.len()].copy_from_slice(bytes);
                let header = header::<clap_event_midi>(frame, CLAP_EVENT_MIDI);
                self.push(Slot { midi: clap_event_midi { header, port_index: port.into(), data } });
            }
            Some(Dialect::Clap) => {
                if let Some(note) = midi::to_note(bytes) {
                    self.push_note(frame, port.into(), note);
                }
            }
            _ => {}
        }
    }

    fn push_note(&mut self, frame: u32, port_index: i16, note: Note) {
        self.push(match note {
            Note::Key(type_, channel, key, velocity) => Slot {
                note: clap_event_note {
                    header: header::<clap_event_note>(frame, type_),
                    note_id: -1,
                    port_index,
                    channel,
                    key,
                    velocity,
                },
            },
            Note::Expression(expression_id, channel, key, value) => Slot {
                expression: clap_event_note_expression {
                    header: header::<clap_event_note_expression>(frame, CLAP_EVENT_NOTE_EXPRESSION),
                    expression_id,
                    note_id: -1,
                    port_index,
                    channel,
                    key,
                    value,
                },
            },
        });
    }

    /// Both lists merged by frame, a value before a message of the same frame; frames past the block are its last. `[audio]`
    pub fn fill(
        &mut self,
        frames: u32,
        params: &[ParamEvent],
        links: &[Link],
        midi: &EventBuffer,
        dialects: &[Dialect],
    ) {
        let last = frames.saturating_sub(1);
        let mut params = params.iter().peekable();
        for (event, bytes) in midi.iter() {
            let frame = u32::from(event.frame).min(last);
            while let Some(param) = params.next_if(|param| param.frame.min(last) <= frame) {
                self.push_indexed(param, last, links);
            }
            self.push_midi(frame, event.port, bytes, dialects);
        }
        params.for_each(|param| self.push_indexed(param, last, links));
    }

    fn push_indexed(&mut self, param: &ParamEvent, last: u32, links: &[Link]) {
        if let Some(link) = links.get(param.index as usize) {
            self.push_param(param.frame.min(last), *link, param.value);
        }
    }

    /// The list for a call. Valid while `self` is neither moved nor changed. `[audio]`
    pub fn raw(&self) -> clap_input_events {
        clap_input_events { ctx: std::ptr::from_ref(self).cast_mut().cast(), size: Some(size), get: Some(get) }
    }
}

unsafe fn input<'a>(list: *const clap_input_events) -> &'a Input {
    // SAFETY: the plugin passes the list it was given; `ctx` leads to the `Input` that made it, which `raw`'s caller
    // leaves alone until the call is over.
    unsafe { &*(*list).ctx.cast::<Input>() }
}

unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
    // SAFETY: see `input`.
    unsafe { input(list) }.slots.len() as u32
}

unsafe extern "C" fn get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    // SAFETY: see `input`.
    let slot = unsafe { input(list) }.slots.get(index as usize);
    // From the slot's own pointer, so that the plugin may read past the header.
    slot.map_or(std::ptr::null(), |slot| std::ptr::from_ref(slot).cast())
}

/// Takes the events of the plugin, translating each as it comes.
pub struct Output {
    /// Parameter ids with their indices, by id.
    index_of: Box<[(u32, u32)]>,
    midi: Option<NonNull<EventBuffer>>,
    params: Option<NonNull<ParamQueue>>,
    last_frame: u32,
    newest: u32,
    unsorted: bool,
    wrongs: u32,
}

impl Output {
    /// For a plugin with these parameters. `[home]`
    pub fn new(links: &[Link]) -> Self {
        let mut index_of: Box<[_]> = links.iter().zip(0..).map(|(link, index)| (link.id, index)).collect();
        index_of.sort_unstable();
        let (midi, params) = (None, None);
        Self { index_of, midi, params, last_frame: 0, newest: 0, unsorted: false, wrongs: 0 }
    }

    /// Before a call: where its events go. Both must stay reachable until [`Output::end`]. `[audio]`
    pub fn begin(&mut self, frames: u32, midi: Option<&mut EventBuffer>, params: &mut ParamQueue) {
        self.midi = midi.map(NonNull::from);
        self.params = Some(NonNull::from(params));
        self.last_frame = frames.saturating_sub(1);
        self.newest = 0;
    }

    /// After a call: lets go of the buffers. The set of [`Wrong`]s of the call, and whether MIDI came unsorted. `[audio]`
    pub fn end(&mut self) -> (u32, bool) {
        (self.midi, self.params) = (None, None);
        (std::mem::take(&mut self.wrongs), std::mem::take(&mut self.unsorted))
    }

    /// The list for a call. Valid while `self` is not moved, and not touched but through it. `[audio]`
    pub fn raw(&mut self) -> clap_output_events {
        clap_output_events { ctx: std::ptr::from_mut(self).cast::<c_void>(), try_push: Some(try_push) }
    }

    fn frame(&mut self, time: u32) -> u32 {
        if time > self.last_frame || time < self.newest {
            self.wrongs |= Wrong::EventOrder as u32;
            self.unsorted = true;
        }
        self.newest = time.min(self.last_frame);
        self.newest
    }

    fn push_midi(&mut self, time: u32, port: i32, bytes: &[u8]) -> bool {
        let frame = self.frame(time);
        let Some(mut midi) = self.midi else { return false };
        // SAFETY: `begin`'s caller keeps the buffer reachable and untouched until `end`, which takes this pointer back.
        let midi = unsafe { midi.as_mut() };
        let taken = midi.push(frame as u16, port.clamp(0, 255) as u8, bytes);
        if !taken {
            self.wrongs |= Wrong::EventsOut as u32;
        }
        taken
    }

    fn push_param(&mut self, event: &clap_event_param_value) -> bool {
        let frame = event.header.time.min(self.last_frame);
        let Ok(place) = self.index_of.binary_search_by_key(&event.param_id, |(id, _)| *id) else {
            self.wrongs |= Wrong::UnknownParam as u32;
            return true;
        };
        if !event.value.is_finite() {
            return true;
        }
        let Some(mut params) = self.params else { return false };
        // SAFETY: as for MIDI above.
        let taken =
            unsafe { params.as_mut() }.push(ParamEvent { frame, index: self.index_of[place].1, value: event.value });
        if !taken {
            self.wrongs |= Wrong::EventsOut as u32;
        }
        taken
    }
}

impl Output {
    fn push_gesture(&mut self, id: u32, begin: bool) -> bool {
        let Ok(place) = self.index_of.binary_search_by_key(&id, |(id, _)| *id) else {
            self.wrongs |= Wrong::UnknownParam as u32;
            return true;
        };
        let Some(mut params) = self.params else { return false };
        // SAFETY: as for MIDI above.
        let taken = unsafe { params.as_mut() }.push_gesture(self.index_of[place].1, begin);
        if !taken {
            self.wrongs |= Wrong::EventsOut as u32;
        }
        taken
    }
}

unsafe extern "C" fn try_push(list: *const clap_output_events, event: *const clap_event_header) -> bool {
    if event.is_null() {
        return false;
    }
    // SAFETY: the plugin passes the list it was given; `ctx` leads to the `Output` that made it, which nobody else
    // touches until the call is over.
    let output = unsafe { &mut *(*list).ctx.cast::<Output>() };
    // SAFETY: not null; by the specification an event starts with its header.
    let header = unsafe { *event };
    // Events of other spaces and of kinds that nobody here reads are taken and forgotten.
    if header.space_id != CLAP_CORE_EVENT_SPACE_ID {
        return true;
    }
    // SAFETY: `take` reads a type only where the header's type and size are that type's own.
    unsafe { take(output, &header, event) }
}

/// Whether an event is as large as `T` says.
fn is<T>(header: &clap_event_header) -> bool {
    header.size as usize >= size_of::<T>()
}

/// # Safety
/// `event` leads to `header.size` bytes of the event that `header` starts.
unsafe fn take(output: &mut Output, header: &clap_event_header, event: *const clap_event_header) -> bool {
    let time = header.time;
    match header.type_ {
        CLAP_EVENT_PARAM_VALUE if is::<clap_event_param_value>(header) => {
            // SAFETY: type and size are this event's (the caller's promise).
            output.push_param(unsafe { &*event.cast() })
        }
        CLAP_EVENT_PARAM_GESTURE_BEGIN | CLAP_EVENT_PARAM_GESTURE_END if is::<clap_event_param_gesture>(header) => {
            // SAFETY: as above.
            let gesture = unsafe { &*event.cast::<clap_event_param_gesture>() };
            output.push_gesture(gesture.param_id, header.type_ == CLAP_EVENT_PARAM_GESTURE_BEGIN)
        }
        CLAP_EVENT_MIDI if is::<clap_event_midi>(header) => {
            // SAFETY: as above.
            let midi = unsafe { &*event.cast::<clap_event_midi>() };
            match midi::message_len(midi.data[0]) {
                0 => true,
                len => output.push_midi(time, midi.port_index.into(), &midi.data[..len]),
            }
        }
        CLAP_EVENT_MIDI_SYSEX if is::<clap_event_midi_sysex>(header) => {
            // SAFETY: as above.
            let sysex = unsafe { &*event.cast::<clap_event_midi_sysex>() };
            if sysex.buffer.is_null() || sysex.size == 0 {
                return true;
            }
            // SAFETY: not null; the plugin vouches for that many bytes for the length of this call. They are copied.
            let bytes = unsafe { std::slice::from_raw_parts(sysex.buffer, sysex.size as usize) };
            output.push_midi(time, sysex.port_index.into(), bytes)
        }
        CLAP_EVENT_NOTE_ON | CLAP_EVENT_NOTE_OFF | CLAP_EVENT_NOTE_CHOKE if is::<clap_event_note>(header) => {
            // SAFETY: as above.
            let note = unsafe { &*event.cast::<clap_event_note>() };
            let said = Note::Key(header.type_, note.channel, note.key, note.velocity);
            push_note(output, time, note.port_index, said)
        }
        CLAP_EVENT_NOTE_EXPRESSION if is::<clap_event_note_expression>(header) => {
            // SAFETY: as above.
            let note = unsafe { &*event.cast::<clap_event_note_expression>() };
            let said = Note::Expression(note.expression_id, note.channel, note.key, note.value);
            push_note(output, time, note.port_index, said)
        }
        _ => true,
    }
}

fn push_note(output: &mut Output, time: u32, port: i16, note: Note) -> bool {
    match midi::to_midi(note) {
        Some(bytes) => output.push_midi(time, port.into(), &bytes),
        None => true,
    }
}
