//! One slot of the rack.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Button, Layout, Margin, Rect, Response, RichText, Role, Sense, Stroke, TextStyle, Ui, WidgetInfo, vec2,
};
use host_core::model::SlotId;
use host_core::session::{Command, MeterView, SlotStatus, SlotView, Snapshot, WindowOffer};

use crate::controls::{framed, named};
use crate::editor::RackState;
use crate::foreseen::Foreseen;
use crate::outline::{Outline, Row};
use crate::rack::Act;
use crate::{strip, theme, words};

/// A slot's line that is wider has all its buttons, points.
const ROOMY: f32 = 420.0;

/// What the keys do to a slot that has them.
const KEYS: &str = "Drag it to move it. Keys: Enter shows it, B bypass, E window, M mute, S solo, Ctrl+D a copy,\n\
                    P in parallel, Delete removes, Alt and the arrows move it, also into lanes and out.";

/// What a slot's line needs beside the slot.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub row: &'a Row<'a>,
    pub outline: &'a Outline<'a>,
    pub snapshot: &'a Snapshot,
}

/// Draws a slot; what the user did to it goes into `acts`. The response is the whole slot's.
pub(crate) fn ui(
    ui: &mut Ui,
    slot: &SlotView,
    around: Around,
    state: &mut RackState,
    acts: &mut Vec<(SlotId, Act)>,
) -> Response {
    let look = (theme::CARD, Margin::symmetric(10, 8));
    let response = framed(ui, slot.id, look, state, |ui, state| {
        line(ui, slot, around, &state.foreseen, acts);
        let marks = strip::marks(slot, around.outline);
        if !marks.is_empty() {
            ui.add(egui::Label::new(RichText::new(marks).small().color(theme::ACCENT)).truncate().selectable(false));
        }
        trouble(ui, slot, acts);
        strip::ui(ui, slot, around.outline, state, acts);
    });
    let name = format!("Slot {}: {}, {}", around.row.number, slot.title, words::status(slot));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    response
}

fn line(ui: &mut Ui, slot: &SlotView, around: Around, foreseen: &Foreseen, acts: &mut Vec<(SlotId, Act)>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(&around.row.number).color(theme::QUIET).monospace());
        meters(ui, slot, acts);
        // The buttons first, from the right, so that a long name is cut and never covers them.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, slot, around.outline, foreseen, acts);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                let title = RichText::new(&slot.title).strong();
                let title = if slot.bypass { title.color(theme::QUIET) } else { title };
                ui.add(egui::Label::new(title).truncate().selectable(false)).on_hover_text(KEYS);
                let details = egui::Label::new(details(ui, slot, around)).truncate().selectable(false);
                ui.add(details);
            });
        });
    });
}

/// Latency, cost, maker and format. What the chain's latency is made of stands out where lanes run beside each other.
fn details(ui: &Ui, slot: &SlotView, around: Around) -> LayoutJob {
    let mut parts = Vec::new();
    let marked = around.row.on_path && around.outline.has_lanes;
    match slot.status {
        SlotStatus::Loading => parts.push("opening…".to_owned()),
        _ => {
            let longest = if marked { ", on the longest path" } else { "" };
            parts.push(format!("latency {}{longest}", words::latency(slot.latency, around.snapshot.rate)));
        }
    }
    if slot.bypass {
        parts.push("bypassed".to_owned());
    }
    if slot.cost.share > 0.0 {
        parts.push(format!("{:.1} % of the block", slot.cost.share * 100.0));
    }
    // In a narrow window these are what may be cut.
    parts.extend(Some(slot.vendor.clone()).filter(|vendor| !vendor.is_empty()));
    parts.push(slot.plugin.format.to_string());
    let font = TextStyle::Small.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (index, part) in parts.iter().enumerate() {
        let lit = marked && part.starts_with("latency");
        let colour = if lit { theme::ACCENT } else { theme::QUIET };
        let dot = if index == 0 { "" } else { " · " };
        job.append(dot, 0.0, TextFormat::simple(font.clone(), theme::QUIET));
        job.append(part, 0.0, TextFormat::simple(font.clone(), colour));
    }
    job
}

fn buttons(ui: &mut Ui, slot: &SlotView, outline: &Outline, foreseen: &Foreseen, acts: &mut Vec<(SlotId, Act)>) {
    let (title, roomy) = (&slot.title, ui.available_width() > ROOMY);
    let mut remove = named(ui, true, "Remove", &format!("Remove {title}"));
    if remove.hovered() {
        acts.push((slot.id, Act::ForeseeRemoval));
    }
    if let Some(change) = foreseen.of(slot.id) {
        remove = remove.on_hover_text(change.to_string());
    }
    if remove.clicked() {
        acts.push((slot.id, Act::Remove));
    }
    // Where there is little room the name needs it more: a drag and Alt with the arrows move it as well.
    if roomy {
        if named(ui, outline.step(slot.id, true).is_some(), "Down", &format!("Move {title} down")).clicked() {
            acts.push((slot.id, Act::Step(true)));
        }
        if named(ui, outline.step(slot.id, false).is_some(), "Up", &format!("Move {title} up")).clicked() {
            acts.push((slot.id, Act::Step(false)));
        }
    }
    if switch(ui, slot.bypass, "Bypass", &format!("Bypass {title}"), words::BYPASS).clicked() {
        acts.push((slot.id, Act::Send(Command::Bypass(slot.id, !slot.bypass))));
    }
    if let Some(command) = window(slot)
        && switch(ui, slot.window.open, "Window", &format!("Window of {title}"), words::WINDOW).clicked()
    {
        acts.push((slot.id, Act::Send(command)));
    }
}

/// What opens or closes the window of a slot's plugin; `None`: it has none.
pub(crate) fn window(slot: &SlotView) -> Option<Command> {
    let offered = matches!(slot.window.offer, WindowOffer::Inside | WindowOffer::Floating);
    let command = if slot.window.open { Command::CloseWindow } else { Command::OpenWindow };
    offered.then(|| command(slot.id))
}

/// A button that stays down while `on`.
fn switch(ui: &mut Ui, on: bool, text: &str, name: &str, help: &str) -> Response {
    let response = ui.add(Button::selectable(on, text).frame_when_inactive(true));
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    response.on_hover_text(help)
}

fn trouble(ui: &mut Ui, slot: &SlotView, acts: &mut Vec<(SlotId, Act)>) {
    if let Some((text, remedy)) = words::trouble(slot) {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(text).color(theme::TROUBLE));
            if named(ui, true, remedy, &format!("{remedy}: {}", slot.title)).clicked() {
                acts.push((slot.id, Act::Send(Command::Retry(slot.id))));
            }
        });
    }
    if let Some(text) = words::no_window(slot) {
        ui.label(RichText::new(text).color(theme::QUIET));
    }
    for plugin in &slot.offers {
        let format = plugin.format;
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(format!("It is here as {format}: {plugin}.")).color(theme::QUIET));
            if *plugin != slot.plugin && named(ui, true, "Use it", &format!("Use {format}: {}", slot.title)).clicked() {
                acts.push((slot.id, Act::Send(Command::Replace { slot: slot.id, plugin: plugin.clone() })));
            }
        });
    }
    if !slot.doubts.is_empty() {
        ui.horizontal_wrapped(|ui| {
            let text = format!("This plugin is not the one that was saved: {}.", slot.doubts.join("; "));
            ui.label(RichText::new(text).color(theme::TROUBLE));
            if named(ui, true, "Take it", &format!("Take it: {}", slot.title)).clicked() {
                acts.push((slot.id, Act::Send(Command::Accept(slot.id))));
            }
            if named(ui, true, "Close it", &format!("Close it: {}", slot.title)).clicked() {
                acts.push((slot.id, Act::Send(Command::Close(slot.id))));
            }
        });
    }
    if !slot.notice.is_empty() {
        ui.label(RichText::new(&slot.notice).color(theme::QUIET));
    }
}

/// What goes into the slot and what comes out of it. A click resets what is held.
fn meters(ui: &mut Ui, slot: &SlotView, acts: &mut Vec<(SlotId, Act)>) {
    if levels(ui, 34.0, &slot.title, (&slot.input, &slot.output)) {
        acts.push((slot.id, Act::Send(Command::ResetMeters)));
    }
}

/// Two bars, of what goes into something and what comes out of it. True: they were clicked.
pub(crate) fn levels(ui: &mut Ui, height: f32, title: &str, (input, output): (&MeterView, &MeterView)) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, height), Sense::click());
    meter(ui, rect.with_max_x(rect.left() + 5.0), input);
    meter(ui, rect.with_min_x(rect.right() - 5.0), output);
    let levels = words::levels(input, output);
    let name = format!("Levels of {title}: {levels}");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    response.on_hover_text(format!("{levels}\nClick to reset")).clicked()
}

/// A level, -60 to 0 dBFS, as a bar, with its peak as a line, and a lamp for samples over 0 dBFS.
fn meter(ui: &Ui, rect: Rect, level: &MeterView) {
    let (lamp, bar) = rect.split_top_bottom_at_y(rect.top() + 4.0);
    let painter = ui.painter();
    let lit = if level.since.clips > 0 { theme::TROUBLE } else { theme::GROUND };
    painter.rect_filled(lamp.with_max_y(lamp.bottom() - 1.0), 1.0, lit);
    painter.rect_filled(bar, 2.0, theme::GROUND);
    let height = |peak: f32| bar.bottom() - bar.height() * (1.0 + 20.0 * peak.max(1e-6).log10() / 60.0).clamp(0.0, 1.0);
    let colour = |peak: f32| if peak > 1.0 { theme::TROUBLE } else { theme::ACCENT };
    painter.rect_filled(bar.with_min_y(height(level.peak)), 2.0, colour(level.peak));
    if level.hold > 1e-3 {
        painter.hline(bar.x_range(), height(level.hold), Stroke::new(1.0, colour(level.hold)));
    }
}
