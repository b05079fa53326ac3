//! `clap.note-ports`: each input gets MIDI 1.0, MIDI 2.0 and CLAP's own events as they are where it takes them, else in the words that
//! it knows.
#![expect(
    unsafe_code,
    reason = "the host side in clack-extensions 0.2.0 gives out a pointer to a pointer: a plugin that calls it crashes"
)]

use std::ffi::CStr;

use clack_extensions::note_ports::{NoteDialects, NotePortInfoBuffer, PluginNotePorts};
use clack_host::extensions::prelude::*;
use clap_sys::ext::note_ports::{CLAP_EXT_NOTE_PORTS, clap_host_note_ports};

use crate::backend::clap::host::Handlers;
use crate::backend::clap::layout::{Dialect, Layout};
use crate::backend::clap::requests::Ask;

/// Most note ports of one direction that are used.
const MOST: u32 = 64;

/// The host side of `clap.note-ports`.
#[derive(Clone, Copy)]
pub struct HostNotePorts;

// SAFETY: CLAP_EXT_NOTE_PORTS names clap_host_note_ports; the type holds nothing, so any pointer of that side may make
// it.
unsafe impl Extension for HostNotePorts {
    const IDENTIFIERS: &[&CStr] = &[CLAP_EXT_NOTE_PORTS];
    type ExtensionSide = HostExtensionSide;

    unsafe fn from_raw(_raw: RawExtension<Self::ExtensionSide>) -> Self {
        Self
    }
}

// SAFETY: clap_host_note_ports is the structure that CLAP_EXT_NOTE_PORTS names on the host's side.
unsafe impl ExtensionImplementation<Handlers> for HostNotePorts {
    const IMPLEMENTATION: RawExtensionImplementation = RawExtensionImplementation::new(&clap_host_note_ports {
        supported_dialects: Some(supported_dialects),
        rescan: Some(rescan),
    });
}

unsafe extern "C" fn supported_dialects(_host: *const clap_host) -> u32 {
    NoteDialects::all().bits()
}

unsafe extern "C" fn rescan(host: *const clap_host, _flags: u32) {
    // SAFETY: `host` is the pointer this instance was given (clack checks it for null).
    unsafe {
        HostWrapper::<Handlers>::handle(host, |wrapper| {
            let common = &wrapper.shared().0;
            common.expect_home();
            common.ask(Ask::Ports);
            Ok(())
        });
    }
}

fn dialect(supported: NoteDialects) -> Dialect {
    Dialect {
        midi: supported.intersects(NoteDialects::MIDI | NoteDialects::MIDI_MPE),
        midi2: supported.contains(NoteDialects::MIDI2),
        clap: supported.contains(NoteDialects::CLAP),
    }
}

/// Reads the note ports into `layout`. `[home & !active]`
pub fn read(plugin: &PluginMainThreadHandle<'_>, layout: &mut Layout) {
    let Some(extension) = plugin.get_extension::<PluginNotePorts>() else { return };
    layout.notes = (0..extension.count(plugin, true).min(MOST))
        .map(|index| {
            let mut buffer = NotePortInfoBuffer::new();
            let info = extension.get(plugin, index, true, &mut buffer);
            info.map_or(Dialect::default(), |info| dialect(info.supported_dialects))
        })
        .collect();
    layout.ports.midi_in = layout.notes.iter().any(|dialect| *dialect != Dialect::default());
    layout.ports.midi_out = extension.count(plugin, false) > 0;
}
