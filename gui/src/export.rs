//! The dialog that makes something of the chain for others: presets, a plugin of its own, a file.

use egui::{Align2, Grid, RichText, TextEdit, Ui, Window};
use host_core::model::{Category, ExportTask, ExportTo, Shape};
use host_core::session::{Answer, Errand, Snapshot};

use crate::controls::{choice, named};
use crate::errands::{Said, Waiting};
use crate::host::Host;
use crate::theme;

/// Each kind, its name, and who sees it.
const KINDS: [(ExportTo, &str, &str); 6] = [
    (
        ExportTo::Lv2Preset,
        "Preset for LV2 hosts",
        "Ardour, jalv and every LV2 host list it with the presets of Catena.",
    ),
    (ExportTo::ClapPreset, "Preset for CLAP hosts", "It is a chain of the library, which CLAP hosts list."),
    (ExportTo::Vst3Preset, "Preset for VST3 hosts", "VST3 hosts list it with the presets of Catena."),
    (
        ExportTo::Plugin,
        "Plugin of its own",
        "CLAP and LV2 hosts list it beside other plugins; its mapped macros are its parameters.",
    ),
    (ExportTo::Pack, "Chain in one file", "With all states and samples in it."),
    (ExportTo::Unpack, "Chain as a folder", "It goes well with version control."),
];

/// What the dialog remembers between frames.
#[derive(Default)]
pub(crate) struct Export {
    open: bool,
    task: ExportTask,
    /// The name while it is another than the chain's.
    name: Option<String>,
    folder: String,
    waiting: Waiting,
    said: Said,
}

impl Export {
    /// Opens it, or closes it.
    pub fn toggle(&mut self) {
        self.open = !self.open;
        self.said = Said::default();
    }

    /// Draws it where it is open.
    pub fn ui(&mut self, ui: &Ui, snapshot: &Snapshot, host: &dyn Host) {
        match self.waiting.take() {
            Some(Ok(Answer::Done(lines))) => self.said = Said::done(lines),
            Some(Ok(_)) => self.said = Said::default(),
            Some(Err(why)) => self.said = Said::failed(why),
            None => {}
        }
        if !self.open {
            return;
        }
        let mut open = true;
        let window = Window::new("Export this chain").open(&mut open).collapsible(false).resizable(false);
        window.pivot(Align2::CENTER_CENTER).default_pos(ui.ctx().content_rect().center()).show(ui.ctx(), |ui| {
            ui.set_width(360.0);
            self.body(ui, snapshot, host);
        });
        self.open &= open;
    }

    fn body(&mut self, ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
        let mut name = self.name.clone().unwrap_or_else(|| snapshot.name.clone());
        Grid::new("export").num_columns(2).spacing([8.0, 6.0]).show(ui, |ui| {
            ui.label("What");
            let kinds = KINDS.map(|(kind, name, _)| (kind, name.to_owned()));
            if let Some(kind) = choice(ui, ("export", 0), "What to make of the chain", 220.0, &kinds, &self.task.to) {
                self.task.to = kind;
                self.said = Said::default();
            }
            ui.end_row();
            if text(ui, "Called", &mut name, "As the chain") {
                self.name = Some(name.clone());
            }
            text(ui, "Folder", &mut self.folder, "Where hosts look for it");
            if self.task.to == ExportTo::Plugin {
                self.plugin(ui);
            }
        });
        if let Some((.., who)) = KINDS.iter().find(|(kind, ..)| *kind == self.task.to) {
            ui.label(RichText::new(*who).small().color(theme::QUIET));
        }
        match self.task.to {
            ExportTo::Plugin => self.switches(ui),
            ExportTo::Pack | ExportTo::Unpack => {
                ui.checkbox(&mut self.task.beside, "Large samples lie beside it");
            }
            _ => {}
        }
        ui.checkbox(&mut self.task.replace, "Replace what is there");
        ui.horizontal(|ui| {
            let busy = self.waiting.is_waiting();
            let ready = !busy && !snapshot.nodes.is_empty();
            if named(ui, ready, "Export", "Make the export").clicked() {
                self.task.name = name;
                self.task.out =
                    Some(self.folder.trim()).filter(|folder| !folder.is_empty()).map(super::library::at_home);
                self.said = Said::default();
                self.waiting.ask(Errand::Export(self.task.clone()), host);
            }
            if named(ui, true, "Close", "Close the export dialog").clicked() {
                self.open = false;
            }
        });
        self.said.ui(ui, self.waiting.is_waiting().then_some("Exporting"));
    }

    fn plugin(&mut self, ui: &mut Ui) {
        let own = &mut self.task.plugin;
        text(ui, "Maker", &mut own.maker, "Catena");
        text(ui, "Id", &mut own.id, "Made of the name");
        ui.label("Listed as");
        let mut categories = vec![(None, "as what it is".to_owned())];
        categories.extend(Category::all().map(|(category, name)| (Some(category), name.to_owned())));
        if let Some(category) = choice(ui, ("export", 1), "Where hosts list it", 160.0, &categories, &own.category) {
            own.category = category;
        }
        ui.end_row();
        ui.label("Ports");
        let shapes = [
            (None, "as the chain's first plugin"),
            (Some(Shape::Effect), "stereo effect"),
            (Some(Shape::Mono), "mono effect"),
            (Some(Shape::Surround), "eight channels"),
            (Some(Shape::Instrument), "instrument"),
        ];
        let shapes = shapes.map(|(shape, name)| (shape, name.to_owned()));
        if let Some(shape) = choice(ui, ("export", 2), "Which ports it has", 160.0, &shapes, &own.shape) {
            own.shape = shape;
        }
        ui.end_row();
    }

    fn switches(&mut self, ui: &mut Ui) {
        let own = &mut self.task.plugin;
        ui.checkbox(&mut own.with_engine, "For computers without Catena")
            .on_hover_text("Puts the engine beside it; its plugins must be installed there all the same");
        ui.checkbox(&mut own.plain, "Without event ports in LV2")
            .on_hover_text("For tools that know audio alone: its plugins hear neither MIDI nor the tempo");
        ui.checkbox(&mut own.new_ports, "Other parameters under the same id")
            .on_hover_text("Sessions that know it may find its automation elsewhere");
    }
}

/// A line with a field. True: it was changed.
fn text(ui: &mut Ui, what: &str, text: &mut String, hint: &str) -> bool {
    let label = ui.label(what);
    let response = ui.add(TextEdit::singleline(text).hint_text(hint).desired_width(220.0)).labelled_by(label.id);
    ui.end_row();
    response.changed()
}
