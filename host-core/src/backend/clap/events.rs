//! The event lists of a process or flush call. Room is made once; nothing here allocates, waits or logs.
#![expect(unsafe_code, reason = "CLAP's event lists are C callbacks on structures of many types")]

use std::ffi::c_void;
use std::ptr::NonNull;

use clap_sys::events::*;

use super::ext::params::Link;
use super::layout::Dialect;
use super::midi::{self, Note};
use super::requests::Wrong;
use crate::backend::audio::{
    Event, EventBuffer, Expression, Kind, ParamEvent, ParamQueue, from_midi_1, message_len, packet, packet_bytes,
    to_midi_1,
};

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
    midi2: clap_event_midi2,
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

    /// One event, as it is where the port takes that, else in words that it knows. `bytes` must stay where they are until the call is
    /// over. `[audio]`
    fn push_event(&mut self, frame: u32, event: &Event, bytes: &[u8], dialects: &[Dialect]) {
        let Some(dialect) = dialects.get(usize::from(event.port)) else { return };
        let port = event.port;
        match event.kind() {
            Kind::Midi => self.push_midi(frame, port, bytes, *dialect),
            Kind::Ump if dialect.midi2 => self.push_packet(frame, port, packet(bytes)),
            Kind::Expression if dialect.clap => {
                if let Some(Expression { id, channel, key, value }) = Expression::from_bytes(bytes) {
                    self.push_note(frame, port.into(), Note::Expression(id.into(), channel.into(), key.into(), value));
                }
            }
            kind => to_midi_1(kind, bytes, &mut |short| self.push_midi(frame, port, short, *dialect)),
        }
    }

    fn push_midi(&mut self, frame: u32, port: u8, bytes: &[u8], dialect: Dialect) {
        let port_index = port.into();
        if dialect.midi && bytes.first() == Some(&0xF0) {
            let header = header::<clap_event_midi_sysex>(frame, CLAP_EVENT_MIDI_SYSEX);
            let (buffer, size) = (bytes.as_ptr(), bytes.len() as u32);
            self.push(Slot { sysex: clap_event_midi_sysex { header, port_index, buffer, size } });
        } else if dialect.midi && bytes.len() <= 3 {
            let mut data = [0; 3];
            data[..bytes.len()].copy_from_slice(bytes);
            let header = header::<clap_event_midi>(frame, CLAP_EVENT_MIDI);
            self.push(Slot { midi: clap_event_midi { header, port_index, data } });
        } else if dialect.midi2 && !dialect.midi {
            from_midi_1(bytes, &mut |packet| self.push_packet(frame, port, packet));
        } else if dialect.clap
            && let Some(note) = midi::to_note(bytes)
        {
            self.push_note(frame, port.into(), note);
        }
    }

    fn push_packet(&mut self, frame: u32, port: u8, data: [u32; 4]) {
        let header = header::<clap_event_midi2>(frame, CLAP_EVENT_MIDI2);
        self.push(Slot { midi2: clap_event_midi2 { header, port_index: port.into(), data } });
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
            self.push_event(frame, event, bytes, dialects);
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
        self.push_as(time, port, Kind::Midi, bytes)
    }

    fn push_as(&mut self, time: u32, port: i32, kind: Kind, bytes: &[u8]) -> bool {
        let frame = self.frame(time);
        let Some(mut midi) = self.midi else { return false };
        // SAFETY: `begin`'s caller keeps the buffer reachable and untouched until `end`, which takes this pointer back.
        let midi = unsafe { midi.as_mut() };
        let taken = midi.push_as(frame as u16, port.clamp(0, 255) as u8, kind, bytes);
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
            match message_len(midi.data[0]) {
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
        CLAP_EVENT_MIDI2 if is::<clap_event_midi2>(header) => {
            // SAFETY: as above.
            let midi = unsafe { &*event.cast::<clap_event_midi2>() };
            let (bytes, len) = packet_bytes(midi.data);
            output.push_as(time, midi.port_index.into(), Kind::Ump, &bytes[..len])
        }
        CLAP_EVENT_NOTE_EXPRESSION if is::<clap_event_note_expression>(header) => {
            // SAFETY: as above.
            let note = unsafe { &*event.cast::<clap_event_note_expression>() };
            match expression(note.expression_id, note.channel, note.key, note.note_id, note.value) {
                Some(said) => output.push_as(time, note.port_index.into(), Kind::Expression, &said.to_bytes()),
                None => true,
            }
        }
        _ => true,
    }
}

/// An expression as the engine's events hold it. `None`: it names its note by number alone, which no event here has, or its value is no
/// number. `[audio]`
pub fn expression(id: i32, channel: i16, key: i16, note: i32, value: f64) -> Option<Expression> {
    let place = |number: i16, end: i16| if (0..end).contains(&number) { number as i8 } else { -1 };
    let (channel, key) = (place(channel, 16), place(key, 128));
    let named = key >= 0 || note < 0;
    Some(Expression { id: u8::try_from(id).ok()?, channel, key, value }).filter(|_| named && value.is_finite())
}

fn push_note(output: &mut Output, time: u32, port: i16, note: Note) -> bool {
    match midi::to_midi(note) {
        Some(bytes) => output.push_midi(time, port.into(), &bytes),
        None => true,
    }
}
