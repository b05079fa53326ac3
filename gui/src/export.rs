//! The dialog that makes something of the chain for others: presets, a plugin of its own, a file.

use egui::{Align2, Grid, RichText, TextEdit, Ui, Window};
use host_core::model::{Category, ExportTask, ExportTo, Shape};
use host_core::session::{Answer, Errand, Snapshot};

use crate::controls::{choice, named};
use crate::errands::{Said, Waiting};
use crate::host::Host;
use crate::theme;

/// Each kind, its name, and who sees it.
fn kinds() -> [(ExportTo, &'static str, &'static str); 6] {
    [
        (ExportTo::Lv2Preset, text!("export-preset-for-lv2-hosts"), text!("export-ardour-jalv-and-every-lv2-host")),
        (ExportTo::ClapPreset, text!("export-preset-for-clap-hosts"), text!("export-it-is-a-chain-of-the-library")),
        (ExportTo::Vst3Preset, text!("export-preset-for-vst3-hosts"), text!("export-vst3-hosts-list-it")),
        (ExportTo::Plugin, text!("export-plugin-of-its-own"), text!("export-clap-and-lv2-hosts-list-it")),
        (ExportTo::Pack, text!("export-chain-in-one-file"), text!("export-with-all-states-and-samples")),
        (ExportTo::Unpack, text!("export-chain-as-a-folder"), text!("export-it-goes-well-with-version-control")),
    ]
}

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
        let window = Window::new(text!("export-export-this-chain")).open(&mut open).collapsible(false).resizable(false);
        window.pivot(Align2::CENTER_CENTER).default_pos(ui.ctx().content_rect().center()).show(ui.ctx(), |ui| {
            ui.set_width(360.0);
            self.body(ui, snapshot, host);
        });
        self.open &= open;
    }

    fn body(&mut self, ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
        let mut name = self.name.clone().unwrap_or_else(|| snapshot.name.clone());
        Grid::new("export").num_columns(2).spacing([8.0, 6.0]).show(ui, |ui| {
            ui.label(text!("export-what"));
            let kinds = kinds().map(|(kind, name, _)| (kind, name.to_owned()));
            if let Some(kind) =
                choice(ui, ("export", 0), text!("export-what-to-make-of-the-chain"), 220.0, &kinds, &self.task.to)
            {
                self.task.to = kind;
                self.said = Said::default();
            }
            ui.end_row();
            if text(ui, text!("export-called"), &mut name, text!("export-as-the-chain")) {
                self.name = Some(name.clone());
            }
            text(ui, text!("export-folder"), &mut self.folder, text!("export-where-hosts-look-for"));
            if self.task.to == ExportTo::Plugin {
                self.plugin(ui);
            }
        });
        if let Some((.., who)) = kinds().iter().find(|(kind, ..)| *kind == self.task.to) {
            ui.label(RichText::new(*who).small().color(theme::QUIET));
        }
        match self.task.to {
            ExportTo::Plugin => self.switches(ui),
            ExportTo::Pack | ExportTo::Unpack => {
                ui.checkbox(&mut self.task.beside, text!("export-large-samples-lie-beside"));
            }
            _ => {}
        }
        ui.checkbox(&mut self.task.replace, text!("export-replace-what-is-there"));
        ui.horizontal(|ui| {
            let busy = self.waiting.is_waiting();
            let ready = !busy && !snapshot.nodes.is_empty();
            if named(ui, ready, text!("export-export"), text!("export-make-the-export")).clicked() {
                self.task.name = name;
                self.task.out =
                    Some(self.folder.trim()).filter(|folder| !folder.is_empty()).map(super::library::at_home);
                self.said = Said::default();
                self.waiting.ask(Errand::Export(self.task.clone()), host);
            }
            if named(ui, true, text!("export-close"), text!("export-close-the-export-dialog")).clicked() {
                self.open = false;
            }
        });
        self.said.ui(ui, self.waiting.is_waiting().then_some(text!("export-exporting")));
    }

    fn plugin(&mut self, ui: &mut Ui) {
        let own = &mut self.task.plugin;
        text(ui, text!("export-maker"), &mut own.maker, text!("export-catena"));
        text(ui, text!("export-id"), &mut own.id, text!("export-made-of-the-name"));
        ui.label(text!("export-listed-as"));
        let mut categories = vec![(None, text!("export-as-what-it-is").to_owned())];
        categories.extend(Category::all().map(|(category, name)| (Some(category), name.to_owned())));
        if let Some(category) =
            choice(ui, ("export", 1), text!("export-where-hosts-list-it"), 160.0, &categories, &own.category)
        {
            own.category = category;
        }
        ui.end_row();
        ui.label(text!("export-ports"));
        let shapes = [
            (None, text!("export-as-the-chains-first-plugin")),
            (Some(Shape::Effect), text!("export-stereo-effect")),
            (Some(Shape::Mono), text!("export-mono-effect")),
            (Some(Shape::Surround), text!("export-eight-channels")),
            (Some(Shape::Instrument), text!("export-instrument")),
        ];
        let shapes = shapes.map(|(shape, name)| (shape, name.to_owned()));
        if let Some(shape) = choice(ui, ("export", 2), text!("export-which-ports-it-has"), 160.0, &shapes, &own.shape) {
            own.shape = shape;
        }
        ui.end_row();
    }

    fn switches(&mut self, ui: &mut Ui) {
        let own = &mut self.task.plugin;
        ui.checkbox(&mut own.with_engine, text!("export-for-computers-without-catena"))
            .on_hover_text(text!("export-puts-the-engine-beside-it-its"));
        ui.checkbox(&mut own.plain, text!("export-without-event-ports-in-lv2"))
            .on_hover_text(text!("export-for-tools-that-know-audio-alone"));
        ui.checkbox(&mut own.new_ports, text!("export-other-parameters-under-the-same-id"))
            .on_hover_text(text!("export-sessions-that-know-it-may-find"));
    }
}

/// A line with a field. True: it was changed.
fn text(ui: &mut Ui, what: &str, text: &mut String, hint: &str) -> bool {
    let label = ui.label(what);
    let response = ui.add(TextEdit::singleline(text).hint_text(hint).desired_width(220.0)).labelled_by(label.id);
    ui.end_row();
    response.changed()
}
