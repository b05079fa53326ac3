//! The page of the slot that is selected: its parameters.

use egui::{RichText, Ui};

use crate::host::Host;
use crate::params::{self, Held};
use crate::rack::Act;
use crate::stage::Seen;
use crate::theme;

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct PluginPage {
    held: Option<Held>,
}

impl PluginPage {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        let slot = seen.snapshot.slots.iter().find(|slot| Some(slot.id) == seen.selected);
        let Some(slot) = slot else {
            ui.label(RichText::new("Choose a slot in the rack: what it has to set is shown here.").color(theme::QUIET));
            return;
        };
        ui.label(RichText::new(&slot.title).heading());
        let mut acts = Vec::new();
        params::ui(ui, slot, &mut self.held, &mut acts);
        for (_, act) in acts {
            if let Act::Send(command) = act {
                host.send(command);
            }
        }
    }
}
