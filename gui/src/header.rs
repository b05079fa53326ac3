//! The line above the rack: the chain's name, its latency, its bypass, and what there is to say of the whole chain.

use egui::{Align, Button, Layout, RichText, Role, ScrollArea, TextEdit, Ui, WidgetInfo};
use host_core::model::{Letter, MacroId};
use host_core::session::{Command, HistoryView, MacroEdit, NodeView, Snapshot, SnapshotEdit, SnapshotsView, StepView};

use crate::clipboard::Clipboard;
use crate::host::Host;
use crate::outline::{Item, Outline};
use crate::{theme, words};

/// What the header remembers between frames.
#[derive(Default)]
pub(crate) struct Header {
    /// The name while it is being typed.
    name: Option<String>,
    /// The chain on its way to the clipboard.
    clipboard: Clipboard,
    /// The latency that the DAW was told last, frames; `None`: there is no DAW.
    pub told: Option<u32>,
}

impl Header {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, (snapshot, outline): (&Snapshot, &Outline), macros: &mut bool, host: &dyn Host) {
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let label = ui.label(text!("header-chain"));
            self.name(ui, snapshot, host, label.id);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let toggle =
                    ui.add(Button::selectable(snapshot.bypass, text!("header-bypass-chain")).frame_when_inactive(true));
                toggle.widget_info(|| {
                    WidgetInfo::selected(Role::CheckBox, true, snapshot.bypass, text!("header-bypass-chain"))
                });
                if toggle.on_hover_text(text!("header-lets-sound-pass-every-slot")).clicked() {
                    host.send(Command::BypassChain(!snapshot.bypass));
                }
                let panic = ui.button(text!("header-panic")).on_hover_text(text!("header-panic-why"));
                if panic.clicked() {
                    host.send(Command::Panic);
                }
                let mut hold = snapshot.hold_latency;
                let why = text!("header-hold-why");
                if ui.checkbox(&mut hold, text!("header-hold")).on_hover_text(why).changed() {
                    host.send(Command::HoldLatency(hold));
                }
                latency(ui, snapshot, outline);
                self.told(ui, snapshot);
            });
        });
        ui.horizontal(|ui| {
            history(ui, &snapshot.history, host);
            ui.separator();
            snapshots(ui, &snapshot.snapshots, host);
            ui.separator();
            let toggle = ui.add(Button::selectable(*macros, text!("header-macros")).frame_when_inactive(true));
            toggle
                .widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, *macros, text!("header-macros")));
            if toggle.on_hover_text(text!("header-macros-why")).clicked() {
                *macros = !*macros;
            }
            learn(ui, snapshot, host);
            self.copy(ui, snapshot, host);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| load(ui, snapshot));
        });
        if !snapshot.notice.is_empty() {
            ui.label(RichText::new(&snapshot.notice).color(theme::TROUBLE));
        }
        if snapshot.guard.muted {
            ui.horizontal_wrapped(|ui| {
                let why = text!("header-guard-muted");
                ui.label(RichText::new(why).color(theme::TROUBLE));
                if ui.button(text!("header-reopen")).on_hover_text(text!("header-lets-the-chain-sound-again")).clicked()
                {
                    host.send(Command::Reopen);
                }
            });
        }
        if let Some(change) = snapshot.held {
            ui.horizontal_wrapped(|ui| {
                ui.label(text!("header-waits-for-the-stop", change));
                if ui.button(text!("header-now")).on_hover_text(text!("header-the-daw-may-make-a-short")).clicked() {
                    host.send(Command::ApplyHeld);
                }
            });
        }
        if snapshot.bypass {
            ui.label(RichText::new(text!("header-the-chain-is-bypassed-sound-passes")).color(theme::QUIET));
        }
        ui.add_space(4.0);
    }

    /// What the DAW counts on, where that is not what the chain delays.
    fn told(&self, ui: &mut Ui, snapshot: &Snapshot) {
        // Until it is active nothing of it is known, and the DAW has asked for nothing.
        let Some(told) = self.told.filter(|told| *told != snapshot.latency && snapshot.rate > 0.0) else { return };
        let text = text!("header-daw-was-told", latency = words::latency(told, snapshot.rate));
        ui.label(RichText::new(text).small().color(theme::TROUBLE)).on_hover_text(text!("header-daw-was-told-why"));
    }

    /// Puts all slots and lanes on the clipboard.
    fn copy(&mut self, ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
        self.clipboard.settle(ui, host);
        let nodes: Vec<_> = snapshot
            .nodes
            .iter()
            .filter_map(|node| match node {
                NodeView::Slot(id) => Some(*id),
                NodeView::Lanes(group) => Some(group.id),
                NodeView::Unknown => None,
            })
            .collect();
        let button = ui.add_enabled(!nodes.is_empty(), Button::new(text!("header-copy")));
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, text!("header-copy-the-chain")));
        let why = text!("header-all-slots-and-lanes-for-another");
        if button.on_hover_text(why).clicked() {
            self.clipboard.copy(ui, nodes, false, host);
        }
    }

    fn name(&mut self, ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host, label: egui::Id) {
        let mut text = self.name.clone().unwrap_or_else(|| snapshot.name.clone());
        let field = TextEdit::singleline(&mut text).hint_text(text!("header-unnamed")).desired_width(180.0);
        let response = ui.add(field).labelled_by(label);
        if response.changed() {
            self.name = Some(text);
        } else if response.lost_focus()
            && let Some(name) = self.name.take()
            && !ui.input(|input| input.key_pressed(egui::Key::Escape))
            && name != snapshot.name
        {
            host.send(Command::RenameChain(name));
        }
    }
}

/// Maps the first macro that holds nothing to what is touched next.
fn learn(ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
    let free = |number: &MacroId| snapshot.macros.iter().all(|held| held.number != *number);
    let number = snapshot.learning.or_else(|| MacroId::all().find(free));
    let learns = snapshot.learning.is_some();
    let text = if learns { text!("header-touch-a-control") } else { text!("header-learn") };
    let button = ui.add_enabled(number.is_some(), Button::selectable(learns, text).frame_when_inactive(true));
    button
        .widget_info(|| WidgetInfo::selected(Role::CheckBox, true, learns, text!("header-learn-the-next-free-macro")));
    let why = text!("header-maps-the-first-free-macro");
    if button.on_hover_text(why).clicked() {
        number.into_iter().for_each(|number| host.send(Command::Macro(number, MacroEdit::Learn(!learns))));
    }
}

/// Undo and redo, each naming what it would do.
fn history(ui: &mut Ui, history: &HistoryView, host: &dyn Host) {
    ui.horizontal(|ui| {
        for (name, nothing, step, command) in [
            (text!("header-undo"), text!("header-nothing-to-undo"), history.undo(), Command::Undo),
            (text!("header-redo"), text!("header-nothing-to-redo"), history.redo(), Command::Redo),
        ] {
            let label = |step: &StepView| format!("{name}: {}", step.label);
            let button = ui.add_enabled(step.is_some(), Button::new(name));
            let button = button.on_hover_text(step.map_or_else(String::new, label));
            if button.on_disabled_hover_text(nothing).clicked() {
                host.send(command);
            }
        }
        let menu = ui.menu_button(text!("header-history"), |ui| steps(ui, history, host));
        menu.response.on_hover_text(text!("header-history-why"));
    });
}

/// What the DAW is told, to be copied by a click, and what it is made of.
fn latency(ui: &mut Ui, snapshot: &Snapshot, outline: &Outline) {
    let text = text!("header-latency", latency = words::latency(snapshot.latency, snapshot.rate));
    let parts = outline.rows.iter().filter(|row| row.on_path && row.latency > 0);
    let parts = parts.filter_map(|row| match row.item {
        Item::Slot(slot) => {
            Some(format!("\n{} {}: {}", row.number, slot.title, words::latency(row.latency, snapshot.rate)))
        }
        _ => None,
    });
    let made: String = parts.collect();
    let why = text!("header-latency-why");
    let button = ui.add(Button::new(&text).frame_when_inactive(false));
    if button.on_hover_text(format!("{why}{made}")).clicked() {
        ui.ctx().copy_text(snapshot.latency.to_string());
    }
}

/// How much of a block's own time the chain takes.
fn load(ui: &mut Ui, snapshot: &Snapshot) {
    if let Some(lufs) = snapshot.output.short_term {
        let text = if lufs.is_finite() {
            text!("header-lufs", lufs = format!("{lufs:.1}"))
        } else {
            text!("header-silent").to_owned()
        };
        let why = text!("header-lufs-why");
        ui.label(RichText::new(text).small().color(theme::QUIET)).on_hover_text(why);
    }
    let share = snapshot.cost.share;
    if share <= 0.0 {
        return;
    }
    let text = RichText::new(text!("header-load", share = format!("{:.1}", share * 100.0))).small();
    let text = text.color(if share > 0.7 { theme::TROUBLE } else { theme::QUIET });
    ui.label(text).on_hover_text(text!("header-load-why"));
}

/// All steps, the newest at the bottom; a click goes to where that one is the last that is done.
fn steps(ui: &mut Ui, history: &HistoryView, host: &dyn Host) {
    ui.set_min_width(220.0);
    if history.steps.is_empty() {
        ui.label(RichText::new(text!("header-nothing-was-changed-yet")).color(theme::QUIET));
        return;
    }
    ScrollArea::vertical().max_height(320.0).stick_to_bottom(true).show(ui, |ui| {
        let labels = history.steps.iter().map(|step| step.label.as_str());
        for (done, label) in std::iter::once(text!("header-as-it-was-at-the-beginning")).chain(labels).enumerate() {
            let text = RichText::new(label);
            let text = if done > history.at { text.color(theme::QUIET) } else { text };
            if ui.selectable_label(done == history.at, text).clicked() {
                host.send(Command::GoTo(done));
                ui.close();
            }
        }
    });
}

/// A to D: one that holds nothing is stored by a click, the others are recalled by one and stored with Shift held.
fn snapshots(ui: &mut Ui, shown: &SnapshotsView, host: &dyn Host) {
    for (letter, stored) in Letter::ALL.into_iter().zip(shown.stored) {
        let current = shown.current == Some(letter);
        let text = RichText::new(letter.to_string());
        let text = if stored { text } else { text.color(theme::QUIET) };
        let button = ui.add(Button::selectable(current, text).frame_when_inactive(true));
        button.widget_info(|| WidgetInfo::selected(Role::Button, true, current, text!("header-snapshot", letter)));
        let words = match stored {
            true => text!("header-recalls-snapshot-with-shift-held", letter),
            false => text!("header-stores-the-chain-as-snapshot", letter),
        };
        if button.on_hover_text(words).clicked() {
            let store = !stored || ui.input(|input| input.modifiers.shift);
            host.send(Command::Snapshot(letter, if store { SnapshotEdit::Store } else { SnapshotEdit::Recall }));
        }
    }
    if let Some(letter) = shown.getting_ready {
        ui.label(text!("header-getting-ready", letter));
    }
}
