//! The presets of the selected slot's plugin.

use egui::{RichText, Ui};

use crate::host::Host;
use crate::stage::Seen;
use crate::theme;

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct Presets;

impl Presets {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, _seen: Seen<'_>, _host: &dyn Host) {
        ui.label(RichText::new("Choose a slot to see its presets.").color(theme::QUIET));
    }
}
