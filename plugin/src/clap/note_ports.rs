//! `clap.note-ports`: one in, one out. In, hosts may send CLAP notes, MIDI and MIDI 2 and should prefer MIDI, which passes byte for
//! byte; out come notes as MIDI, packets of MIDI 2 and note expressions as they came in or a plugin made them.

use clap_sys::ext::note_ports::{
    CLAP_NOTE_DIALECT_CLAP, CLAP_NOTE_DIALECT_MIDI, CLAP_NOTE_DIALECT_MIDI2, clap_note_port_info,
    clap_plugin_note_ports,
};
use clap_sys::plugin::clap_plugin;

use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_note_ports = clap_plugin_note_ports { count: Some(count), get: Some(get) };

unsafe extern "C" fn count(_plugin: *const clap_plugin, _is_input: bool) -> u32 {
    1
}

unsafe extern "C" fn get(
    _plugin: *const clap_plugin,
    index: u32,
    is_input: bool,
    info: *mut clap_note_port_info,
) -> bool {
    guard(false, || {
        // SAFETY: null or the host's to be written; any bytes are a valid value of this struct.
        let Some(info) = (unsafe { info.as_mut() }) else { return false };
        if index != 0 {
            return false;
        }
        info.id = if is_input { 0 } else { 1 };
        info.preferred_dialect = CLAP_NOTE_DIALECT_MIDI;
        info.supported_dialects = CLAP_NOTE_DIALECT_MIDI | CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI2;
        info.name.fill(0);
        let name: &[u8] = if is_input { b"MIDI in" } else { b"MIDI out" };
        for (to, from) in info.name.iter_mut().zip(name) {
            *to = from.cast_signed();
        }
        true
    })
}
