//! The page Settings: of this chain, and of this computer.

use std::path::PathBuf;

use egui::{Id, RichText, ScrollArea, TextEdit, Ui};
use host_core::model::{DeskEdit, Format, LatencyMode, Settings, Theme};
use host_core::session::{Command, Look, Snapshot};

use crate::controls::{choice, named};
use crate::host::Host;
use crate::report::Report;
use crate::stage::Seen;
use crate::theme;
use crate::unit::Unit;
use crate::value::{Look as Drawn, Value};

/// What a constant latency begins with, and the longest, ms.
const USUAL: f64 = 20.0;
const LONGEST: f64 = 1000.0;

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct SettingsPage {
    /// A folder that is being typed.
    typed: String,
    kind: Option<Format>,
    report: Report,
}

impl SettingsPage {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        let settings = &seen.desk.settings;
        ScrollArea::vertical().id_salt("settings").auto_shrink(false).show(ui, |ui| {
            if !seen.desk.trouble.is_empty() {
                ui.label(RichText::new(&seen.desk.trouble).color(theme::TROUBLE));
            }
            heading(ui, text!("settings-this-chain"), text!("settings-kept-with-the-chain"));
            latency(ui, seen.snapshot, host);
            cores(ui, seen.snapshot, host);
            heading(ui, text!("settings-look"), text!("settings-kept-on-this-computer-as-all"));
            look(ui, settings, host);
            heading(ui, text!("settings-meters"), "");
            meters(ui, settings, host);
            heading(ui, text!("settings-plugins"), "");
            self.plugins(ui, settings, host);
            heading(ui, text!("settings-help"), "");
            self.report.ui(ui, host);
            ui.add_space(8.0);
        });
    }

    fn plugins(&mut self, ui: &mut Ui, settings: &Settings, host: &dyn Host) {
        host.look(Look::Changed);
        let scans = host.scans();
        let formats = [(Format::Clap, Format::Clap.to_string()), (Format::Lv2, Format::Lv2.to_string())];
        ui.horizontal(|ui| {
            ui.label(text!("settings-where-there-are-both"));
            if let Some(format) = choice(
                ui,
                ("default", 0),
                text!("settings-format-where-there-are-both"),
                70.0,
                &formats,
                &settings.format,
            ) {
                host.set(DeskEdit::Format(format));
            }
        });
        ui.label(text!("settings-folders-that-are-searched-beside"));
        let mut any = false;
        for (format, folder) in
            formats.iter().flat_map(|(format, _)| settings.folders(*format).iter().map(|f| (*format, f)))
        {
            any = true;
            ui.horizontal(|ui| {
                if named(
                    ui,
                    true,
                    text!("settings-remove"),
                    &text!("settings-remove-folder", folder = folder.display()),
                )
                .clicked()
                {
                    host.set(DeskEdit::Folder(format, folder.clone(), false));
                }
                ui.add(egui::Label::new(format!("{format}: {}", folder.display())).truncate());
            });
        }
        if !any {
            ui.label(RichText::new(text!("settings-none")).color(theme::QUIET));
        }
        self.add_folder(ui, &formats, host);
        ui.horizontal_wrapped(|ui| {
            let free = scans.progress.is_none();
            let again = named(
                ui,
                free,
                text!("settings-look-at-all-plugins-again"),
                text!("settings-look-at-all-plugins-again"),
            );
            if again.on_hover_text(text!("settings-those-that-could-not-be-used")).clicked() {
                host.look(Look::All);
            }
            if let Some(at) = &scans.progress {
                ui.label(
                    RichText::new(text!("settings-done-of-total", done = at.done, total = at.total))
                        .color(theme::QUIET),
                );
                if named(ui, true, text!("settings-stop"), text!("settings-stop-looking-for-plugins")).clicked() {
                    host.stop_looking();
                }
            }
        });
    }

    fn add_folder(&mut self, ui: &mut Ui, formats: &[(Format, String)], host: &dyn Host) {
        ui.horizontal(|ui| {
            let kind = self.kind.unwrap_or(Format::Clap);
            if let Some(format) =
                choice(ui, ("folder", 0), text!("settings-format-of-the-folder"), 56.0, formats, &kind)
            {
                self.kind = Some(format);
            }
            let path = PathBuf::from(self.typed.trim());
            let whole = path.is_absolute() || path.starts_with("~");
            let width = (ui.available_width() - 58.0).max(60.0);
            let field = TextEdit::singleline(&mut self.typed)
                .hint_text(text!("settings-folder-of-plugins"))
                .desired_width(width);
            let response = ui.add(field);
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(text!("settings-folder-to-search")));
            let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let button = named(ui, whole, text!("settings-add"), text!("settings-add-folder"));
            let button = button.on_disabled_hover_text(text!("settings-a-folder-from-the-root-home"));
            if whole && (enter || button.clicked()) {
                host.set(DeskEdit::Folder(kind, path, true));
                self.typed.clear();
            }
        });
    }
}

fn heading(ui: &mut Ui, text: &str, help: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(text).strong());
    if !help.is_empty() {
        ui.label(RichText::new(help).small().color(theme::QUIET));
    }
}

fn latency(ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
    let now = snapshot.latency_mode;
    let constant = match now {
        LatencyMode::Constant(ms) => ms,
        _ => USUAL,
    };
    let options = [
        (LatencyMode::True, text!("settings-as-long-as-it-is").to_owned()),
        (LatencyMode::Constant(constant), text!("settings-always-the-same").to_owned()),
        (LatencyMode::Live, text!("settings-none-told-for-playing-live").to_owned()),
    ];
    ui.horizontal_wrapped(|ui| {
        ui.label(text!("settings-latency"));
        if let Some(mode) =
            choice(ui, ("latency", 0), text!("settings-latency-that-the-daw-is-told"), 170.0, &options, &now)
        {
            host.send(Command::Latency(mode));
        }
        if let LatencyMode::Constant(now) = now {
            let value = Value {
                id: Id::unique("constant latency"),
                label: "",
                name: text!("settings-constant-latency"),
                now,
                range: 0.0..=LONGEST,
                rest: USUAL,
                unit: Unit::Ms,
                look: Drawn::Field,
            };
            value.ui(ui).send(|command| host.send(command), |ms| Command::Latency(LatencyMode::Constant(ms)));
        }
    });
    let why = match now {
        LatencyMode::True => text!("settings-the-daw-is-told"),
        LatencyMode::Constant(_) => text!("settings-plugins-come-and-go-without"),
        LatencyMode::Live => text!("settings-the-daw-is-told-nothing"),
    };
    ui.label(RichText::new(why).small().color(theme::QUIET));
}

fn cores(ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
    let cores = &snapshot.cores;
    let mut on = cores.on;
    let why = text!("settings-parallel-lanes-and-plugins");
    if ui.checkbox(&mut on, text!("settings-use-several-cores")).on_hover_text(why).changed() {
        host.send(Command::Cores(on));
    }
    if cores.on {
        let text = match (cores.why_not.is_empty(), cores.items) {
            (false, _) => cores.why_not.clone(),
            (true, 0) => text!("settings-nothing-in-this-chain-is-worth").to_owned(),
            (true, items) => text!("settings-pieces-of-work-side-by-side", items, threads = cores.threads),
        };
        ui.label(RichText::new(text).small().color(theme::QUIET));
        if cores.late > 0 {
            let text = text!("settings-late-waits", late = cores.late);
            ui.label(RichText::new(text).small().color(theme::TROUBLE))
                .on_hover_text(text!("settings-the-sound-waited-for-another-core"));
        }
    }
}

fn look(ui: &mut Ui, settings: &Settings, host: &dyn Host) {
    let themes = [
        (Theme::Dark, text!("settings-dark")),
        (Theme::Light, text!("settings-light")),
        (Theme::HighContrast, text!("settings-high-contrast")),
    ];
    let themes = themes.map(|(theme, text)| (theme, text.to_owned()));
    ui.horizontal(|ui| {
        ui.label(text!("settings-colours"));
        if let Some(theme) = choice(ui, ("theme", 0), text!("settings-colours"), 130.0, &themes, &settings.theme) {
            host.set(DeskEdit::Theme(theme));
        }
    });
    let scales = [1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0_f32].map(|scale| (Some(scale), format!("{} %", scale * 100.0)));
    let mut scales: Vec<_> =
        std::iter::once((None, text!("settings-as-the-daw-says").to_owned())).chain(scales).collect();
    if !scales.iter().any(|(scale, _)| *scale == settings.scale) {
        scales.extend(settings.scale.map(|scale| (Some(scale), format!("{} %", scale * 100.0))));
    }
    ui.horizontal(|ui| {
        ui.label(text!("settings-size"));
        if let Some(scale) = choice(ui, ("scale", 0), text!("settings-size"), 130.0, &scales, &settings.scale) {
            host.set(DeskEdit::Scale(scale));
        }
    });
}

fn meters(ui: &mut Ui, settings: &Settings, host: &dyn Host) {
    let mut hold = settings.peak_hold;
    if ui
        .checkbox(&mut hold, text!("settings-hold-peaks"))
        .on_hover_text(text!("settings-a-line-at-the-highest-peak"))
        .changed()
    {
        host.set(DeskEdit::PeakHold(hold));
    }
    let mut loudness = settings.loudness;
    let why = text!("settings-shows-how-loud-the-chain");
    if ui.checkbox(&mut loudness, text!("settings-loudness")).on_hover_text(why).changed() {
        host.set(DeskEdit::Loudness(loudness));
    }
}
