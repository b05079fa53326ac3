//! The editor with a made-up chain, in a window of its own: to look at it without a session.
//!
//! `cargo run -p catena-gui --example editor [empty]`

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use catena_gui::Editor;
use common::{Fake, param, slot};
use egui_baseview::baseview::dpi::LogicalSize;
use egui_baseview::{App, EguiWindow, EguiWindowSettings, Frame};
use host_core::model::Steps;
use host_core::session::SlotStatus;

struct Window(Editor);

impl App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut Frame) {
        self.0.ui(ui);
    }
}

fn chain() -> Fake {
    let names = [("Gate", 0), ("Equalizer with a rather long name of its own", 64), ("Comp", 0), ("Hall", 4800)];
    let slots = (1..).zip(names).map(|(id, (name, latency))| slot(id, name, latency)).collect();
    let fake = Fake::new(slots);
    fake.change(|snapshot| {
        snapshot.name = "Vocals".into();
        snapshot.slots[0].params = Arc::new([
            param("threshold", "Threshold", Steps::Continuous),
            param("listen", "Listen", Steps::Toggle),
            param("knee", "Knee", Steps::Named(vec![(0.0, "Soft".into()), (10.0, "Hard".into())])),
        ]);
        snapshot.slots[0].values = vec![2.5, 10.0, 0.0];
        snapshot.slots[1].bypass = true;
        snapshot.slots[2].status = SlotStatus::Missing;
        snapshot.slots[3].status = SlotStatus::Faulted("three blocks running held values that are no numbers".into());
    });
    fake
}

fn main() {
    let fake = if std::env::args().any(|arg| arg == "empty") { Fake::new(vec![]) } else { chain() };
    let editor = Editor::with_host(Box::new(fake));
    let settings =
        EguiWindowSettings::new().with_title("Catena").with_size(LogicalSize { width: 860.0, height: 560.0 });
    EguiWindow::create(settings, Window(editor)).unwrap().run_until_closed().unwrap();
}
