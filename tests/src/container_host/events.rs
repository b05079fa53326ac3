//! Events into a plugin and out of it, in the host's terms and in CLAP's.

use std::cell::RefCell;
use std::ptr;

use clap_sys::events::*;

/// An event for or from a plugin.
#[derive(Clone, Debug, PartialEq)]
pub enum HostEvent {
    /// MIDI bytes; long ones and those that begin with F0 go as sysex.
    Midi(u32, Vec<u8>),
    /// A CLAP note on (true) or off: frame, channel, key, velocity.
    Note(u32, bool, i16, i16, f64),
    /// A parameter's value: frame, id, value.
    Param(u32, u32, f64),
    /// A gesture's begin (true) or end: frame, id.
    Gesture(u32, u32, bool),
    /// A packet of MIDI 2.0.
    Packet(u32, [u32; 4]),
    /// A note expression: frame, which, channel, key, value.
    Expression(u32, i32, i16, i16, f64),
}

/// Structs that event lists point into.
pub(super) enum Raw {
    Midi(clap_event_midi),
    Sysex(clap_event_midi_sysex),
    Note(clap_event_note),
    Param(clap_event_param_value),
    Gesture(clap_event_param_gesture),
    Packet(clap_event_midi2),
    Expression(clap_event_note_expression),
}

fn header<T>(time: u32, type_: u16) -> clap_event_header {
    clap_event_header { size: size_of::<T>() as u32, time, space_id: CLAP_CORE_EVENT_SPACE_ID, type_, flags: 0 }
}

impl Raw {
    pub(super) fn new(event: &HostEvent) -> Self {
        match event {
            HostEvent::Midi(time, bytes) if bytes.len() <= 3 && bytes[0] != 0xF0 => {
                let mut data = [0; 3];
                data[..bytes.len()].copy_from_slice(bytes);
                let header = header::<clap_event_midi>(*time, CLAP_EVENT_MIDI);
                Self::Midi(clap_event_midi { header, port_index: 0, data })
            }
            HostEvent::Midi(time, bytes) => {
                let header = header::<clap_event_midi_sysex>(*time, CLAP_EVENT_MIDI_SYSEX);
                let (buffer, size) = (bytes.as_ptr(), bytes.len() as u32);
                Self::Sysex(clap_event_midi_sysex { header, port_index: 0, buffer, size })
            }
            HostEvent::Note(time, on, channel, key, velocity) => {
                let type_ = if *on { CLAP_EVENT_NOTE_ON } else { CLAP_EVENT_NOTE_OFF };
                Self::Note(clap_event_note {
                    header: header::<clap_event_note>(*time, type_),
                    note_id: -1,
                    port_index: 0,
                    channel: *channel,
                    key: *key,
                    velocity: *velocity,
                })
            }
            HostEvent::Packet(time, data) => {
                let header = header::<clap_event_midi2>(*time, CLAP_EVENT_MIDI2);
                Self::Packet(clap_event_midi2 { header, port_index: 0, data: *data })
            }
            HostEvent::Expression(time, which, channel, key, value) => Self::Expression(clap_event_note_expression {
                header: header::<clap_event_note_expression>(*time, CLAP_EVENT_NOTE_EXPRESSION),
                expression_id: *which,
                note_id: -1,
                port_index: 0,
                channel: *channel,
                key: *key,
                value: *value,
            }),
            HostEvent::Param(time, id, value) => Self::Param(clap_event_param_value {
                header: header::<clap_event_param_value>(*time, CLAP_EVENT_PARAM_VALUE),
                param_id: *id,
                cookie: ptr::null_mut(),
                note_id: -1,
                port_index: -1,
                channel: -1,
                key: -1,
                value: *value,
            }),
            HostEvent::Gesture(time, id, begin) => {
                let type_ = if *begin { CLAP_EVENT_PARAM_GESTURE_BEGIN } else { CLAP_EVENT_PARAM_GESTURE_END };
                let header = header::<clap_event_param_gesture>(*time, type_);
                Self::Gesture(clap_event_param_gesture { header, param_id: *id })
            }
        }
    }

    fn header(&self) -> *const clap_event_header {
        match self {
            Self::Midi(event) => &event.header,
            Self::Sysex(event) => &event.header,
            Self::Note(event) => &event.header,
            Self::Param(event) => &event.header,
            Self::Gesture(event) => &event.header,
            Self::Packet(event) => &event.header,
            Self::Expression(event) => &event.header,
        }
    }
}

/// The list that a plugin reads its events from.
pub(super) fn list_in(raw: &Vec<Raw>) -> clap_input_events {
    clap_input_events { ctx: ptr::from_ref(raw).cast_mut().cast(), size: Some(events_size), get: Some(events_get) }
}

/// The list that a plugin sends its events to.
pub(super) fn list_out(sent: &RefCell<Vec<HostEvent>>) -> clap_output_events {
    clap_output_events { ctx: ptr::from_ref(sent).cast_mut().cast(), try_push: Some(events_push) }
}

unsafe extern "C" fn events_size(list: *const clap_input_events) -> u32 {
    // SAFETY: `ctx` is the `Vec` that `list_in` put there.
    unsafe { &*(*list).ctx.cast::<Vec<Raw>>() }.len() as u32
}

unsafe extern "C" fn events_get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    // SAFETY: as above.
    unsafe { &*(*list).ctx.cast::<Vec<Raw>>() }.get(index as usize).map_or(ptr::null(), Raw::header)
}

unsafe extern "C" fn events_push(list: *const clap_output_events, event: *const clap_event_header) -> bool {
    // SAFETY: `ctx` is the cell that `list_out` put there; the type says which struct the header begins.
    unsafe {
        let out = &*(*list).ctx.cast::<RefCell<Vec<HostEvent>>>();
        let time = (*event).time;
        let event = match (*event).type_ {
            CLAP_EVENT_MIDI => HostEvent::Midi(time, (*event.cast::<clap_event_midi>()).data.to_vec()),
            CLAP_EVENT_MIDI_SYSEX => {
                let sysex = &*event.cast::<clap_event_midi_sysex>();
                HostEvent::Midi(time, std::slice::from_raw_parts(sysex.buffer, sysex.size as usize).to_vec())
            }
            CLAP_EVENT_PARAM_VALUE => {
                let param = &*event.cast::<clap_event_param_value>();
                HostEvent::Param(time, param.param_id, param.value)
            }
            kind @ (CLAP_EVENT_PARAM_GESTURE_BEGIN | CLAP_EVENT_PARAM_GESTURE_END) => {
                let gesture = &*event.cast::<clap_event_param_gesture>();
                HostEvent::Gesture(time, gesture.param_id, kind == CLAP_EVENT_PARAM_GESTURE_BEGIN)
            }
            CLAP_EVENT_MIDI2 => HostEvent::Packet(time, (*event.cast::<clap_event_midi2>()).data),
            CLAP_EVENT_NOTE_EXPRESSION => {
                let said = &*event.cast::<clap_event_note_expression>();
                HostEvent::Expression(time, said.expression_id, said.channel, said.key, said.value)
            }
            _ => return true,
        };
        out.borrow_mut().push(event);
    }
    true
}
