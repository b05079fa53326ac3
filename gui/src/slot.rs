//! One slot of the rack.

use egui::{
    Align, Button, Color32, CornerRadius, Frame, Layout, Margin, Rect, Response, RichText, Role, Sense, Stroke, Ui,
    UiBuilder, WidgetInfo, vec2,
};
use host_core::model::SlotId;
use host_core::session::{Command, MeterView, SlotStatus, SlotView, Snapshot, WindowOffer};

use crate::editor::RackState;
use crate::foreseen::Foreseen;
use crate::rack::Act;
use crate::{params, theme, words};

/// Draws slot number `place`; what the user did to it goes into `acts`. The response is the whole slot's.
pub(crate) fn ui(
    ui: &mut Ui,
    slot: &SlotView,
    place: usize,
    snapshot: &Snapshot,
    state: &mut RackState,
    acts: &mut Vec<(usize, Act)>,
) -> Response {
    let last = place + 1 == snapshot.slots.len();
    // An id of the slot itself, so that the focus goes with it when it is moved.
    let id = ui.scope_id().with(("slot", slot.id.0));
    let builder = UiBuilder::new().scope_id(id).sense(Sense::click_and_drag());
    let response = ui
        .scope_builder(builder, |ui| {
            let response = ui.response();
            let stroke = if response.has_focus() {
                Stroke::new(2.0, theme::ACCENT)
            } else if state.selected == Some(slot.id) {
                Stroke::new(1.0, theme::ACCENT)
            } else {
                Stroke::new(1.0, Color32::TRANSPARENT)
            };
            let frame = Frame::new().fill(theme::CARD).stroke(stroke).corner_radius(CornerRadius::same(6));
            frame.inner_margin(Margin::symmetric(10, 8)).show(ui, |ui| {
                line(ui, slot, (place, last), snapshot.rate, &state.foreseen, acts);
                trouble(ui, slot, place, acts);
                params::ui(ui, slot, place, &mut state.held, acts);
            });
        })
        .response;
    let name = format!("Slot {}: {}, {}", place + 1, slot.title, words::status(slot));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    response.dnd_set_drag_payload(slot.id);
    if response.dnd_hover_payload::<SlotId>().is_some_and(|other| *other != slot.id) {
        ui.painter().rect_stroke(response.rect, 6.0, Stroke::new(2.0, theme::ACCENT), egui::StrokeKind::Outside);
    }
    if let Some(other) = response.dnd_release_payload::<SlotId>() {
        acts.push((place, Act::Dropped(*other)));
    }
    response
}

fn line(
    ui: &mut Ui,
    slot: &SlotView,
    (place, last): (usize, bool),
    rate: f64,
    foreseen: &Foreseen,
    acts: &mut Vec<(usize, Act)>,
) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{}", place + 1)).color(theme::QUIET).monospace());
        meters(ui, slot, place, acts);
        // The buttons first, from the right, so that a long name is cut and never covers them.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, slot, (place, last), foreseen, acts);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                let title = RichText::new(&slot.title).strong();
                let title = if slot.bypass { title.color(theme::QUIET) } else { title };
                ui.add(egui::Label::new(title).truncate().selectable(false));
                ui.add(egui::Label::new(details(slot, rate)).truncate().selectable(false));
            });
        });
    });
}

fn details(slot: &SlotView, rate: f64) -> RichText {
    let mut parts = Vec::new();
    if !slot.vendor.is_empty() {
        parts.push(slot.vendor.clone());
    }
    parts.push(slot.plugin.format.to_string());
    match slot.status {
        SlotStatus::Loading => parts.push("opening…".to_owned()),
        _ => parts.push(format!("latency {}", words::latency(slot.latency, rate))),
    }
    if slot.bypass {
        parts.push("bypassed".to_owned());
    }
    if slot.cost.share > 0.0 {
        parts.push(format!("{:.1} % of the block", slot.cost.share * 100.0));
    }
    RichText::new(parts.join(" · ")).small().color(theme::QUIET)
}

fn buttons(
    ui: &mut Ui,
    slot: &SlotView,
    (place, last): (usize, bool),
    foreseen: &Foreseen,
    acts: &mut Vec<(usize, Act)>,
) {
    let title = &slot.title;
    let mut remove = named(ui, true, "Remove", &format!("Remove {title}"));
    if remove.hovered() {
        acts.push((place, Act::ForeseeRemoval));
    }
    if let Some(change) = foreseen.of(slot.id) {
        remove = remove.on_hover_text(change.to_string());
    }
    if remove.clicked() {
        acts.push((place, Act::Remove));
    }
    if named(ui, !last, "Down", &format!("Move {title} down")).clicked() {
        acts.push((place, Act::MoveTo(place + 1)));
    }
    if named(ui, place > 0, "Up", &format!("Move {title} up")).clicked() {
        acts.push((place, Act::MoveTo(place.saturating_sub(1))));
    }
    if switch(ui, slot.bypass, "Bypass", &format!("Bypass {title}"), words::BYPASS).clicked() {
        acts.push((place, Act::Send(Command::Bypass(slot.id, !slot.bypass))));
    }
    if let Some(command) = window(slot)
        && switch(ui, slot.window.open, "Window", &format!("Window of {title}"), words::WINDOW).clicked()
    {
        acts.push((place, Act::Send(command)));
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

/// A button with a short text to see and a whole name to hear.
fn named(ui: &mut Ui, enabled: bool, text: &str, name: &str) -> Response {
    let response = ui.add_enabled(enabled, Button::new(text));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response
}

fn trouble(ui: &mut Ui, slot: &SlotView, place: usize, acts: &mut Vec<(usize, Act)>) {
    if let Some((text, remedy)) = words::trouble(slot) {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(text).color(theme::TROUBLE));
            if named(ui, true, remedy, &format!("{remedy}: {}", slot.title)).clicked() {
                acts.push((place, Act::Send(Command::Retry(slot.id))));
            }
        });
    }
    if let Some(text) = words::no_window(slot) {
        ui.label(RichText::new(text).color(theme::QUIET));
    }
    if !slot.notice.is_empty() {
        ui.label(RichText::new(&slot.notice).color(theme::QUIET));
    }
}

/// What goes into the slot and what comes out of it. A click resets what is held.
fn meters(ui: &mut Ui, slot: &SlotView, place: usize, acts: &mut Vec<(usize, Act)>) {
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, 34.0), Sense::click());
    let (input, output) = (rect.with_max_x(rect.left() + 5.0), rect.with_min_x(rect.right() - 5.0));
    meter(ui, input, &slot.input);
    meter(ui, output, &slot.output);
    let name = format!("Levels of {}: {}", slot.title, words::levels(slot));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let text = format!("{}\nClick to reset", words::levels(slot));
    if response.on_hover_text(text).clicked() {
        acts.push((place, Act::Send(Command::ResetMeters)));
    }
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
