//! The chain below the bar.

use egui::{CentralPanel, ScrollArea, Ui};
use host_core::session::{Command, SessionHandle};

/// The chain's slots.
pub struct Editor {
    session: SessionHandle,
}

impl Editor {
    /// The editor of `session`.
    pub fn new(session: SessionHandle) -> Self {
        Self { session }
    }

    /// Draws it.
    pub fn show(&mut self, ui: &mut Ui) {
        let snapshot = self.session.snapshot();
        CentralPanel::default().show(ui, |ui| {
            ScrollArea::vertical().show(ui, |ui| {
                for slot in &snapshot.slots {
                    ui.horizontal(|ui| {
                        let mut on = !slot.bypass;
                        if ui.checkbox(&mut on, slot.title.as_str()).changed() {
                            self.session.send(Command::Bypass(slot.id, !on));
                        }
                        ui.label(format!("{} frames", slot.latency));
                    });
                }
            });
        });
    }
}
