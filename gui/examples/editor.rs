//! The editor with a made-up chain, in a window of its own: to look at it without a session.
//!
//! `cargo run -p catena-gui --example editor [empty | lanes] [ZOOM]`

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use catena_gui::Editor;
use common::{Fake, group, lane, param, slot};
use egui_baseview::baseview::dpi::LogicalSize;
use egui_baseview::{App, EguiWindow, EguiWindowSettings, Frame};
use host_core::model::{Aim, Law, MacroId, MidiSettings, SidechainSource, SlotId, Split, Steps};
use host_core::session::{MacroView, NodeView, SlotStatus, TargetView};

struct Window(Editor, f32);

impl App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut Frame) {
        ui.ctx().set_zoom_factor(self.1);
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

/// Lanes in a chain, and lanes in these.
fn lanes() -> Fake {
    let names = [("Gate", 0), ("Comp", 64), ("Saturator", 0), ("Hall", 4800), ("Limiter", 128)];
    let fake = Fake::new((1..).zip(names).map(|(id, (name, latency))| slot(id, name, latency)).collect());
    fake.change(|snapshot| {
        let bands = Split::Bands(vec![200.0, 2500.0]);
        let lanes = vec![lane(21, "Band 1", &[3]), lane(22, "Band 2", &[]), lane(23, "Band 3", &[])];
        let inner = group(20, bands, lanes);
        let mut wet = lane(12, "Room", &[]);
        wet.nodes = vec![NodeView::Lanes(inner), NodeView::Slot(SlotId(4))];
        wet.heard = true;
        let lanes = vec![lane(11, "Lane 1", &[2]), wet, lane(13, "Lane 3", &[])];
        let outer = group(10, Split::Copy, lanes);
        let slot = |id| NodeView::Slot(SlotId(id));
        snapshot.nodes = vec![slot(1), NodeView::Lanes(outer), slot(5)];
        snapshot.name = "Drums".into();
        snapshot.cost.share = 0.123;
        snapshot.slots[1].mix = 0.4;
        snapshot.slots[1].sidechain = Some(SidechainSource::Output(SlotId(1)));
        snapshot.slots[1].midi = Some(MidiSettings::default());
        snapshot.slots[3].gains = (0.0, -3.5);
        snapshot.slots[3].strip.pan = 0.3;
        snapshot.slots[3].strip.mono = true;
        snapshot.slots[0].params = Arc::new([param("threshold", "Threshold", Steps::Continuous)]);
        snapshot.slots[0].values = vec![2.5];
        let target =
            |aim, title: &str, unit: &str, law| TargetView { aim, title: title.into(), unit: unit.into(), law };
        snapshot.macros = vec![MacroView {
            number: MacroId::new(1).unwrap(),
            name: Some("Space".into()),
            title: "Space".into(),
            value: 0.4,
            controller: None,
            targets: vec![
                target(Aim::Mix(SlotId(4)), "Hall: Mix", "%", Law::straight(0.0, 0.5)),
                target(Aim::LaneGain(SlotId(12)), "Room: Gain", "dB", Law::straight(-24.0, 0.0)),
            ],
        }];
    });
    fake
}

fn main() {
    let fake = match std::env::args().nth(1).as_deref() {
        Some("empty") => Fake::new(vec![]),
        Some("lanes") => lanes(),
        _ => chain(),
    };
    let zoom = std::env::args().nth(2).and_then(|zoom| zoom.parse().ok()).unwrap_or(1.0);
    let window = Window(Editor::with_host(Box::new(fake)), zoom);
    let (width, height) = (860.0 * f64::from(zoom), 560.0 * f64::from(zoom));
    let settings = EguiWindowSettings::new().with_title("Catena").with_size(LogicalSize { width, height });
    EguiWindow::create(settings, window).unwrap().run_until_closed().unwrap();
}
