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
}

impl Header {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, (snapshot, outline): (&Snapshot, &Outline), macros: &mut bool, host: &dyn Host) {
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let label = ui.label("Chain");
            self.name(ui, snapshot, host, label.id);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let toggle = ui.add(Button::selectable(snapshot.bypass, "Bypass chain").frame_when_inactive(true));
                toggle.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, snapshot.bypass, "Bypass chain"));
                if toggle.on_hover_text("Lets sound pass every slot unchanged, at the same latency").clicked() {
                    host.send(Command::BypassChain(!snapshot.bypass));
                }
                let panic = ui.button("Panic").on_hover_text("Ends every note and every echo; changes no setting");
                if panic.clicked() {
                    host.send(Command::Panic);
                }
                let mut hold = snapshot.hold_latency;
                let why = "Edits that would change the latency wait until the DAW's transport stops: it makes a gap where one changes";
                if ui.checkbox(&mut hold, "Hold").on_hover_text(why).changed() {
                    host.send(Command::HoldLatency(hold));
                }
                latency(ui, snapshot, outline);
            });
        });
        ui.horizontal(|ui| {
            history(ui, &snapshot.history, host);
            ui.separator();
            snapshots(ui, &snapshot.snapshots, host);
            ui.separator();
            let toggle = ui.add(Button::selectable(*macros, "Macros").frame_when_inactive(true));
            toggle.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, *macros, "Macros"));
            if toggle.on_hover_text("Knobs that move what you map to them; the DAW automates them").clicked() {
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
                let why = "Muted: the output was above +18 dBFS for 20 ms.";
                ui.label(RichText::new(why).color(theme::TROUBLE));
                if ui.button("Reopen").on_hover_text("Lets the chain sound again").clicked() {
                    host.send(Command::Reopen);
                }
            });
        }
        if let Some(change) = snapshot.held {
            ui.horizontal_wrapped(|ui| {
                ui.label(format!("Waits for the stop: {change}"));
                if ui.button("Now").on_hover_text("The DAW may make a short gap").clicked() {
                    host.send(Command::ApplyHeld);
                }
            });
        }
        if snapshot.bypass {
            ui.label(RichText::new("The chain is bypassed: sound passes unchanged.").color(theme::QUIET));
        }
        ui.add_space(4.0);
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
        let button = ui.add_enabled(!nodes.is_empty(), Button::new("Copy"));
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Copy the chain"));
        let why = "All slots and lanes, for another chain: there Ctrl+V in the rack";
        if button.on_hover_text(why).clicked() {
            self.clipboard.copy(ui, nodes, false, host);
        }
    }

    fn name(&mut self, ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host, label: egui::Id) {
        let mut text = self.name.clone().unwrap_or_else(|| snapshot.name.clone());
        let field = TextEdit::singleline(&mut text).hint_text("Unnamed").desired_width(180.0);
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
    let text = if learns { "Touch a control…" } else { "Learn" };
    let button = ui.add_enabled(number.is_some(), Button::selectable(learns, text).frame_when_inactive(true));
    button.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, learns, "Learn the next free macro"));
    let why = "Maps the first free macro to what you touch next, here or in a plugin's own window";
    if button.on_hover_text(why).clicked() {
        number.into_iter().for_each(|number| host.send(Command::Macro(number, MacroEdit::Learn(!learns))));
    }
}

/// Undo and redo, each naming what it would do.
fn history(ui: &mut Ui, history: &HistoryView, host: &dyn Host) {
    ui.horizontal(|ui| {
        for (name, step, command) in [("Undo", history.undo(), Command::Undo), ("Redo", history.redo(), Command::Redo)]
        {
            let label = |step: &StepView| format!("{name}: {}", step.label);
            let button = ui.add_enabled(step.is_some(), Button::new(name));
            let button = button.on_hover_text(step.map_or_else(String::new, label));
            if button.on_disabled_hover_text(format!("There is nothing to {}", name.to_lowercase())).clicked() {
                host.send(command);
            }
        }
        let menu = ui.menu_button("History", |ui| steps(ui, history, host));
        menu.response.on_hover_text("All steps; click one to go back or forth to it");
    });
}

/// What the DAW is told, to be copied by a click, and what it is made of.
fn latency(ui: &mut Ui, snapshot: &Snapshot, outline: &Outline) {
    let text = format!("Latency {}", words::latency(snapshot.latency, snapshot.rate));
    let parts = outline.rows.iter().filter(|row| row.on_path && row.latency > 0);
    let parts = parts.filter_map(|row| match row.item {
        Item::Slot(slot) => {
            Some(format!("\n{} {}: {}", row.number, slot.title, words::latency(row.latency, snapshot.rate)))
        }
        _ => None,
    });
    let made: String = parts.collect();
    let why = "What Catena tells the DAW, so that it can line the tracks up. Click to copy the samples.";
    let button = ui.add(Button::new(&text).frame_when_inactive(false));
    if button.on_hover_text(format!("{why}{made}")).clicked() {
        ui.ctx().copy_text(snapshot.latency.to_string());
    }
}

/// How much of a block's own time the chain takes.
fn load(ui: &mut Ui, snapshot: &Snapshot) {
    if let Some(lufs) = snapshot.output.short_term {
        let text = if lufs.is_finite() { format!("{lufs:.1} LUFS") } else { "silent".to_owned() };
        let why = "How loud the chain is: the last 3 s, by ITU-R BS.1770";
        ui.label(RichText::new(text).small().color(theme::QUIET)).on_hover_text(why);
    }
    let share = snapshot.cost.share;
    if share <= 0.0 {
        return;
    }
    let text = RichText::new(format!("Load {:.1} %", share * 100.0)).small();
    let text = text.color(if share > 0.7 { theme::TROUBLE } else { theme::QUIET });
    ui.label(text).on_hover_text("How much of each block's own time the chain takes on the audio thread");
}

/// All steps, the newest at the bottom; a click goes to where that one is the last that is done.
fn steps(ui: &mut Ui, history: &HistoryView, host: &dyn Host) {
    ui.set_min_width(220.0);
    if history.steps.is_empty() {
        ui.label(RichText::new("Nothing was changed yet").color(theme::QUIET));
        return;
    }
    ScrollArea::vertical().max_height(320.0).stick_to_bottom(true).show(ui, |ui| {
        let labels = history.steps.iter().map(|step| step.label.as_str());
        for (done, label) in std::iter::once("As it was at the beginning").chain(labels).enumerate() {
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
        button.widget_info(|| WidgetInfo::selected(Role::Button, true, current, format!("Snapshot {letter}")));
        let words = match stored {
            true => format!("Recalls snapshot {letter}; with Shift held, stores the chain in it"),
            false => format!("Stores the chain as snapshot {letter}"),
        };
        if button.on_hover_text(words).clicked() {
            let store = !stored || ui.input(|input| input.modifiers.shift);
            host.send(Command::Snapshot(letter, if store { SnapshotEdit::Store } else { SnapshotEdit::Recall }));
        }
    }
    if let Some(letter) = shown.getting_ready {
        ui.label(format!("getting {letter} ready"));
    }
}
