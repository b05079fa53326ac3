//! The library of chains.

use egui::{RichText, Ui};

use crate::host::Host;
use crate::stage::Seen;
use crate::theme;

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct Library;

impl Library {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, _seen: Seen<'_>, _host: &dyn Host) {
        ui.label(RichText::new("Chains are kept and found here.").color(theme::QUIET));
    }
}
