//! `clap.note-ports`: each input gets MIDI 1.0 where it takes that (nothing is lost so), else CLAP's own notes.

use clack_extensions::note_ports::{
    HostNotePortsImpl, NoteDialects, NotePortInfoBuffer, NotePortRescanFlags, PluginNotePorts,
};
use clack_host::prelude::PluginMainThreadHandle;

use crate::backend::clap::host::HomeSide;
use crate::backend::clap::layout::{Dialect, Layout};
use crate::backend::clap::requests::Ask;

/// Most note ports of one direction that are used.
const MOST: u32 = 64;

impl HostNotePortsImpl for HomeSide {
    fn supported_dialects(&self) -> NoteDialects {
        NoteDialects::MIDI | NoteDialects::CLAP | NoteDialects::MIDI_MPE
    }

    fn rescan(&self, _flags: NotePortRescanFlags) {
        self.common.expect_home();
        self.common.ask(Ask::Ports);
    }
}

fn dialect(supported: NoteDialects) -> Dialect {
    if supported.intersects(NoteDialects::MIDI | NoteDialects::MIDI_MPE) {
        Dialect::Midi
    } else if supported.contains(NoteDialects::CLAP) {
        Dialect::Clap
    } else {
        Dialect::None
    }
}

/// Reads the note ports into `layout`. `[home & !active]`
pub fn read(plugin: &PluginMainThreadHandle<'_>, layout: &mut Layout) {
    let Some(extension) = plugin.get_extension::<PluginNotePorts>() else { return };
    layout.notes = (0..extension.count(plugin, true).min(MOST))
        .map(|index| {
            let mut buffer = NotePortInfoBuffer::new();
            let info = extension.get(plugin, index, true, &mut buffer);
            info.map_or(Dialect::None, |info| dialect(info.supported_dialects))
        })
        .collect();
    layout.ports.midi_in = layout.notes.iter().any(|dialect| *dialect != Dialect::None);
    layout.ports.midi_out = extension.count(plugin, false) > 0;
}
