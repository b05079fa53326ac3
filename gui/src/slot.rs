//! One slot of the rack.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Button, Layout, Margin, Response, RichText, Role, TextStyle, Ui, WidgetInfo, vec2};
use host_core::model::SlotId;
use host_core::session::{Command, SlotStatus, SlotView, Snapshot, WindowOffer};

use crate::browser::Wish;
use crate::controls::{framed, named};
use crate::editor::RackState;
use crate::foreseen::Foreseen;
use crate::meters::levels;
use crate::outline::{Outline, Row};
use crate::rack::Act;
use crate::{controls, strip, theme, words};

/// A slot's line that is wider has all its buttons, points.
const ROOMY: f32 = 420.0;

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
    let look = (theme::CARD.into(), Margin::symmetric(10, 8));
    let response = framed(ui, slot.id, look, state, |ui, state| {
        line(ui, slot, around, &state.foreseen, acts);
        let marks = strip::marks(slot, around.outline);
        if !marks.is_empty() {
            ui.add(egui::Label::new(RichText::new(marks).small().color(theme::ACCENT)).truncate().selectable(false));
        }
        trouble(ui, slot, acts);
        strip::ui(ui, slot, around.outline, state, acts);
    });
    let name = text!("slot-slot-number", number = around.row.number, title = slot.title, status = words::status(slot));
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
                ui.add(egui::Label::new(title).truncate().selectable(false)).on_hover_text(text!("slot-keys"));
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
        SlotStatus::Loading => parts.push((text!("slot-opening").to_owned(), theme::QUIET)),
        _ => {
            let latency = words::latency(slot.latency, around.snapshot.rate);
            parts.push(match marked {
                true => (text!("slot-latency-longest", latency), theme::ACCENT),
                false => (text!("slot-latency", latency), theme::QUIET),
            });
        }
    }
    let clips = slot.input.since.clips + slot.output.since.clips;
    if slot.bypass {
        parts.push((text!("slot-bypassed").to_owned(), theme::QUIET));
    }
    if clips > 0 {
        parts.push((words::clips(clips), theme::TROUBLE));
    }
    if slot.cost.share > 0.0 {
        parts.push((text!("slot-of-the-block", share = format!("{:.1}", slot.cost.share * 100.0)), theme::QUIET));
    }
    // In a narrow window these are what may be cut.
    parts.extend(Some((slot.vendor.clone(), theme::QUIET)).filter(|(vendor, _)| !vendor.is_empty()));
    parts.push((slot.plugin.format.to_string(), theme::QUIET));
    let font = TextStyle::Small.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (index, (part, colour)) in parts.iter().enumerate() {
        let dot = if index == 0 { "" } else { " · " };
        job.append(dot, 0.0, TextFormat::simple(font.clone(), theme::QUIET.into()));
        job.append(part, 0.0, TextFormat::simple(font.clone(), (*colour).into()));
    }
    job
}

fn buttons(ui: &mut Ui, slot: &SlotView, outline: &Outline, foreseen: &Foreseen, acts: &mut Vec<(SlotId, Act)>) {
    let (title, roomy) = (&slot.title, ui.available_width() > ROOMY);
    ui.spacing_mut().item_spacing.x = 4.0;
    let add = icon(ui, true, "+", &text!("slot-add-after", title));
    if add.on_hover_text(text!("slot-finds-a-plugin-and-puts")).clicked() {
        acts.push((slot.id, Act::Find(Wish::Add)));
    }
    let mut remove = icon(ui, true, "×", &text!("slot-remove", title));
    if remove.hovered() {
        acts.push((slot.id, Act::ForeseeRemoval));
    }
    remove = remove.on_hover_text(text!("slot-removes-it-delete"));
    if let Some(change) = foreseen.of(slot.id) {
        remove = remove.on_hover_text(change.to_string());
    }
    if remove.clicked() {
        acts.push((slot.id, Act::RemoveAlone));
    }
    // Where there is little room the name needs it more: a drag and Alt with the arrows move it as well.
    for (down, name, why) in [
        (true, text!("slot-move-down", title), text!("slot-moves-it-down")),
        (false, text!("slot-move-up", title), text!("slot-moves-it-up")),
    ]
    .into_iter()
    .filter(|_| roomy)
    {
        let enabled = outline.step(slot.id, down).is_some();
        let button = icon(ui, enabled, "", &name);
        controls::arrow(ui, &button, down, if enabled { theme::TEXT } else { theme::FIELD_LIT });
        if button.on_hover_text(why).clicked() {
            acts.push((slot.id, Act::Step(down)));
        }
    }
    let replace = named(ui, true, text!("slot-replace"), &text!("slot-replace-title", title));
    if replace.on_hover_text(text!("slot-finds-another-plugin-for-this")).clicked() {
        acts.push((slot.id, Act::Find(Wish::Instead(slot.id))));
    }
    if switch(ui, slot.bypass, text!("slot-bypass"), &text!("slot-bypass-title", title), text!("words-bypass-why"))
        .clicked()
    {
        acts.push((slot.id, Act::Send(Command::Bypass(slot.id, !slot.bypass))));
    }
    if let Some(command) = window(slot)
        && switch(
            ui,
            slot.window.open,
            text!("slot-window"),
            &text!("slot-window-of", title),
            text!("words-window-why"),
        )
        .clicked()
    {
        acts.push((slot.id, Act::Send(command)));
    }
}

/// A button with one sign on it.
fn icon(ui: &mut Ui, enabled: bool, sign: &str, name: &str) -> Response {
    let response = ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = 2.0;
        ui.add_enabled(enabled, Button::new(sign).min_size(vec2(22.0, 22.0)))
    });
    let response = response.inner;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response
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
            ui.label(RichText::new(text!("slot-it-is-here-as", format, plugin)).color(theme::QUIET));
            if *plugin != slot.plugin
                && named(ui, true, text!("slot-use-it"), &text!("slot-use-format", format, title = slot.title))
                    .clicked()
            {
                acts.push((slot.id, Act::Send(Command::Replace { slot: slot.id, plugin: plugin.clone() })));
            }
        });
    }
    if !slot.doubts.is_empty() {
        ui.horizontal_wrapped(|ui| {
            let text = text!("slot-not-the-one-that-was-saved", what = slot.doubts.join("; "));
            ui.label(RichText::new(text).color(theme::TROUBLE));
            if named(ui, true, text!("slot-take-it"), &text!("slot-take-it-title", title = slot.title)).clicked() {
                acts.push((slot.id, Act::Send(Command::Accept(slot.id))));
            }
            if named(ui, true, text!("slot-close-it"), &text!("slot-close-it-title", title = slot.title)).clicked() {
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
