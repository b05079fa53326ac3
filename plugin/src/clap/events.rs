//! The host's event lists and the engine's: MIDI byte for byte, CLAP notes as MIDI, everything else left to
//! nice-plug.

use clap_sys::events::*;
use clap_sys::process::clap_process;
use host_core::backend::audio::{EventBuffer, Expression, Kind, packet, packet_bytes};

use super::params::{MacroIds, param_move};
use crate::container::{HostEvents, MacroMove, clamp_frame};

/// Adds what is ours of the host's list to `out`, in the list's order: notes, MIDI and moves of macros. `kept` gets the places of
/// what is nice-plug's. `[audio]`
///
/// # Safety
/// `list` is null or a list that is valid over the call, with events as long as their type says.
pub unsafe fn gather(list: *const clap_input_events, ids: &MacroIds, out: &mut HostEvents, kept: &mut Vec<u32>) {
    kept.clear();
    let mut sort = |at, event: *const clap_event_header| {
        // SAFETY: `each` gives events of the list.
        let kind = unsafe { (*event).type_ };
        if !matches!(kind, CLAP_EVENT_PARAM_VALUE | CLAP_EVENT_PARAM_MOD | CLAP_EVENT_TRANSPORT) {
            // SAFETY: as above.
            return unsafe { gather_one(event, &mut out.input) };
        }
        // SAFETY: as above.
        match unsafe { param_move(event, ids) } {
            Some((frame, index, value)) => out.move_macro(MacroMove { frame, index, value }),
            None if kept.len() < kept.capacity() => kept.push(at),
            None => {}
        }
    };
    // SAFETY: the caller's word.
    unsafe { each(list, &mut sort) };
}

/// Calls `f` with the place of every core event of the host's list, and the event. `[any]`
///
/// # Safety
/// `list` is null or a list that is valid over the call.
pub unsafe fn each(list: *const clap_input_events, mut f: impl FnMut(u32, *const clap_event_header)) {
    // SAFETY: the caller's word.
    let Some(events) = (unsafe { list.as_ref() }) else { return };
    let (Some(size), Some(get)) = (events.size, events.get) else { return };
    // SAFETY: the list's own functions on the list.
    for index in 0..unsafe { size(list) } {
        // SAFETY: as above; null or an event that lives over the call.
        let header = unsafe { get(list, index) };
        // SAFETY: as above.
        if unsafe { header.as_ref() }.is_some_and(|header| header.space_id == CLAP_CORE_EVENT_SPACE_ID) {
            f(index, header);
        }
    }
}

/// A list of the host's without the events that are ours.
pub struct Filtered<'a> {
    host: *const clap_input_events,
    /// Places in the host's list, in its order.
    kept: &'a [u32],
}

impl<'a> Filtered<'a> {
    /// Of `host`, what is at the places `kept`. `[any]`
    pub fn new(host: *const clap_input_events, kept: &'a [u32]) -> Self {
        Self { host, kept }
    }

    /// The list for a call. Valid while `self` is neither moved nor changed, and the host's list lives. `[any]`
    pub fn list(&self) -> clap_input_events {
        clap_input_events {
            ctx: std::ptr::from_ref(self).cast_mut().cast(),
            size: Some(kept_size),
            get: Some(kept_get),
        }
    }
}

unsafe extern "C" fn kept_size(list: *const clap_input_events) -> u32 {
    // SAFETY: `ctx` is the `Filtered` that made the list, which outlives the call that the list is for.
    unsafe { &*(*list).ctx.cast::<Filtered<'_>>() }.kept.len() as u32
}

unsafe extern "C" fn kept_get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    // SAFETY: as above.
    let filtered = unsafe { &*(*list).ctx.cast::<Filtered<'_>>() };
    // SAFETY: `kept` has places only where the host's list is there and has them.
    let get = unsafe { filtered.host.as_ref() }.and_then(|host| host.get);
    match (filtered.kept.get(index as usize), get) {
        // SAFETY: as above.
        (Some(&at), Some(get)) => unsafe { get(filtered.host, at) },
        _ => std::ptr::null(),
    }
}

/// The event that says where a parameter is now, at the first frame. `[any]`
pub fn value_event(id: u32, value: f64) -> clap_event_param_value {
    clap_event_param_value {
        header: clap_event_header {
            size: size_of::<clap_event_param_value>() as u32,
            time: 0,
            space_id: CLAP_CORE_EVENT_SPACE_ID,
            type_: CLAP_EVENT_PARAM_VALUE,
            flags: CLAP_EVENT_IS_LIVE,
        },
        param_id: id,
        cookie: std::ptr::null_mut(),
        note_id: -1,
        port_index: -1,
        channel: -1,
        key: -1,
        value,
    }
}

/// # Safety
/// `header` begins a core event that is as long as its type says.
unsafe fn gather_one(header: *const clap_event_header, out: &mut EventBuffer) {
    // SAFETY: the caller's word. In the casts below the type says which struct the header begins (CLAP `events.h`).
    let (kind, frame) = unsafe { ((*header).type_, clamp_frame((*header).time)) };
    match kind {
        CLAP_EVENT_NOTE_ON | CLAP_EVENT_NOTE_OFF | CLAP_EVENT_NOTE_CHOKE => {
            // SAFETY: see above.
            let note = unsafe { &*header.cast::<clap_event_note>() };
            push_note(note, kind, frame, out);
        }
        CLAP_EVENT_NOTE_EXPRESSION => {
            // SAFETY: see above.
            let expression = unsafe { &*header.cast::<clap_event_note_expression>() };
            let place = |number: i16, end: i16| if (0..end).contains(&number) { number as i8 } else { -1 };
            let (channel, key) = (place(expression.channel, 16), place(expression.key, 128));
            // One that names its note by number alone finds none here: notes are MIDI inside.
            if let (Ok(id), true) = (u8::try_from(expression.expression_id), key >= 0 || expression.note_id < 0)
                && expression.value.is_finite()
            {
                let said = Expression { id, channel, key, value: expression.value };
                out.push_as(frame, port(expression.port_index), Kind::Expression, &said.to_bytes());
            }
        }
        CLAP_EVENT_MIDI2 => {
            // SAFETY: see above.
            let midi = unsafe { &*header.cast::<clap_event_midi2>() };
            let (bytes, len) = packet_bytes(midi.data);
            out.push_as(frame, midi.port_index as u8, Kind::Ump, &bytes[..len]);
        }
        CLAP_EVENT_MIDI => {
            // SAFETY: see above.
            let midi = unsafe { &*header.cast::<clap_event_midi>() };
            let bytes = &midi.data[..midi_len(midi.data[0])];
            out.push(frame, midi.port_index as u8, bytes);
        }
        CLAP_EVENT_MIDI_SYSEX => {
            // SAFETY: see above.
            let sysex = unsafe { &*header.cast::<clap_event_midi_sysex>() };
            if !sysex.buffer.is_null() {
                // SAFETY: `buffer` holds `size` bytes over the call (CLAP `events.h`).
                let bytes = unsafe { std::slice::from_raw_parts(sysex.buffer, sysex.size as usize) };
                out.push(frame, sysex.port_index as u8, bytes);
            }
        }
        _ => {}
    }
}

/// Adds a CLAP note as MIDI. -1 means all: of keys it becomes "all notes off", of channels all sixteen.
fn push_note(note: &clap_event_note, kind: clap_event_type, frame: u16, out: &mut EventBuffer) {
    let channels = if note.channel < 0 && kind != CLAP_EVENT_NOTE_ON {
        0..=15
    } else {
        channel(note.channel)..=channel(note.channel)
    };
    for channel in channels {
        let port = port(note.port_index);
        match (kind, u8::try_from(note.key).ok().filter(|key| *key < 128)) {
            (CLAP_EVENT_NOTE_ON, Some(key)) => {
                out.push(frame, port, &[0x90 | channel, key, seven(note.velocity).max(1)])
            }
            (CLAP_EVENT_NOTE_OFF, Some(key)) => out.push(frame, port, &[0x80 | channel, key, seven(note.velocity)]),
            (CLAP_EVENT_NOTE_CHOKE, Some(key)) => out.push(frame, port, &[0x80 | channel, key, 0]),
            (CLAP_EVENT_NOTE_CHOKE, None) => out.push(frame, port, &[0xB0 | channel, 120, 0]),
            (CLAP_EVENT_NOTE_OFF, None) => out.push(frame, port, &[0xB0 | channel, 123, 0]),
            _ => false,
        };
    }
}

fn channel(number: i16) -> u8 {
    number.clamp(0, 15) as u8
}

fn port(number: i16) -> u8 {
    number.clamp(0, 255) as u8
}

/// 0..1 as seven bits.
fn seven(value: f64) -> u8 {
    (value * 127.0).round().clamp(0.0, 127.0) as u8
}

/// Bytes of a short message, by its status (MIDI 1.0, table 1).
fn midi_len(status: u8) -> usize {
    match status {
        0xC0..=0xDF | 0xF1 | 0xF3 => 2,
        0xF4..=0xFF => 1,
        _ => 3,
    }
}

/// Gives every event of `events` to the host, in order. What it has no room for is lost. `[audio]`
///
/// # Safety
/// `list` is null or valid over the call.
pub unsafe fn emit(list: *const clap_output_events, events: &EventBuffer) {
    // SAFETY: the caller's word.
    let Some(push) = unsafe { list.as_ref() }.and_then(|list| list.try_push) else { return };
    for (event, bytes) in events.iter() {
        let header = |size: usize, type_| clap_event_header {
            size: size as u32,
            time: event.frame.into(),
            space_id: CLAP_CORE_EVENT_SPACE_ID,
            type_,
            flags: 0,
        };
        if event.kind() == Kind::Ump {
            let header = header(size_of::<clap_event_midi2>(), CLAP_EVENT_MIDI2);
            let midi = clap_event_midi2 { header, port_index: 0, data: packet(bytes) };
            // SAFETY: the list's own function; it copies the event (CLAP `events.h`).
            unsafe { push(list, &midi.header) };
        } else if let (Kind::Expression, Some(said)) = (event.kind(), Expression::from_bytes(bytes)) {
            let expression = clap_event_note_expression {
                header: header(size_of::<clap_event_note_expression>(), CLAP_EVENT_NOTE_EXPRESSION),
                expression_id: said.id.into(),
                note_id: -1,
                port_index: 0,
                channel: said.channel.into(),
                key: said.key.into(),
                value: said.value,
            };
            // SAFETY: as above.
            unsafe { push(list, &expression.header) };
        } else if bytes.len() <= 3 && bytes.first() != Some(&0xF0) {
            let mut data = [0; 3];
            data[..bytes.len()].copy_from_slice(bytes);
            let header = header(size_of::<clap_event_midi>(), CLAP_EVENT_MIDI);
            let midi = clap_event_midi { header, port_index: 0, data };
            // SAFETY: the list's own function; it copies the event (CLAP `events.h`).
            unsafe { push(list, &midi.header) };
        } else {
            let header = header(size_of::<clap_event_midi_sysex>(), CLAP_EVENT_MIDI_SYSEX);
            let (buffer, size) = (bytes.as_ptr(), bytes.len() as u32);
            let sysex = clap_event_midi_sysex { header, port_index: 0, buffer, size };
            // SAFETY: as above, bytes too.
            unsafe { push(list, &sysex.header) };
        }
    }
}

/// Whether every port has its channels: nice-plug reads them without asking. `[audio]`
///
/// # Safety
/// `block`'s pointers are valid or null.
pub unsafe fn buffers_there(block: &clap_process) -> bool {
    let ports = |ports: *const clap_sys::audio_buffer::clap_audio_buffer, count: u32| {
        count == 0
            || !ports.is_null()
                && (0..count as usize).all(|index| {
                    // SAFETY: the caller's word: `count` ports of `channel_count` channels.
                    let port = unsafe { &*ports.add(index) };
                    port.channel_count == 0
                        || !port.data32.is_null()
                            && (0..port.channel_count as usize)
                                // SAFETY: as above.
                                .all(|channel| !unsafe { *port.data32.add(channel) }.is_null())
                })
    };
    ports(block.audio_inputs, block.audio_inputs_count)
        && ports(block.audio_outputs.cast_const(), block.audio_outputs_count)
}
