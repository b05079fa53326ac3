//! A number that the user sets, as a small field or a knob: dragged, turned by the wheel, stepped by arrows, typed, reset by a
//! double click. With Shift held all of it is ten times finer.

mod wheel;

use std::ops::RangeInclusive;

use egui::accesskit::{Action, ActionData};
use egui::{
    Align2, Color32, Context, Event, EventFilter, Id, Key, Modifiers, Rect, Response, Sense, Stroke, TextEdit,
    TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use host_core::session::Command;

use crate::theme::{self, Tone};
use crate::unit::Unit;
pub(crate) use wheel::{look_at_wheel, wheel};

/// Seconds for which a value just set is shown in place of the session's, which is a few frames behind.
pub(crate) const HOLD: f64 = 0.4;
/// Steps for each point that the pointer is dragged.
const DRAG: f64 = 0.25;

/// What the user's hand did to a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turned {
    /// The new value, where it is another.
    pub value: Option<f64>,
    /// A hand takes hold of it now (true), or lets go.
    pub hand: Option<bool>,
}

impl Turned {
    /// Sends it: what is set between taking hold and letting go is one step of undo.
    pub fn send(self, mut send: impl FnMut(Command), edit: impl FnOnce(f64) -> Command) {
        if self.hand == Some(true) {
            send(Command::Gesture(true));
        }
        if let Some(value) = self.value {
            send(edit(value));
        }
        if self.hand == Some(false) {
            send(Command::Gesture(false));
        }
    }
}

/// What a number looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Its label and its value in a line.
    Field,
    /// An arc, with its label under it.
    Knob,
}

/// A number to be set.
pub(crate) struct Value<'a> {
    /// Its own, wherever it is drawn.
    pub id: Id,
    /// What stands beside it, short.
    pub label: &'a str,
    /// What it is called.
    pub name: &'a str,
    /// Where it stands.
    pub now: f64,
    /// Smallest and largest.
    pub range: RangeInclusive<f64>,
    /// Where a double click brings it.
    pub rest: f64,
    /// How it is written and stepped.
    pub unit: Unit,
    /// How it is drawn.
    pub look: Look,
}

/// Text being typed into one.
#[derive(Clone)]
struct Typed {
    text: String,
    fresh: bool,
}

/// A value that was set a moment ago.
#[derive(Clone, Copy)]
struct Set {
    value: f64,
    until: f64,
}

/// Whether a value that is turned, not typed, had the keys in this picture: space is nothing to it.
pub(crate) fn has_keys(context: &Context) -> bool {
    let last = context.data(|data| data.get_temp(has_keys_id()));
    last == Some(context.cumulative_pass_nr())
}

fn has_keys_id() -> Id {
    Id::unique("a value has the keys")
}

impl Value<'_> {
    /// Draws it and says what was done to it.
    pub fn ui(&self, ui: &mut Ui) -> Turned {
        let now = ui.input(|input| input.time);
        let set = ui.data(|data| data.get_temp::<Set>(self.id)).filter(|set| now < set.until);
        let shown = set.map_or(self.now, |set| set.value);
        let size = self.size(ui);
        let typed = ui.data(|data| data.get_temp::<Typed>(self.id));
        let mut turned = match typed {
            Some(typed) => self.typing(ui, size, typed),
            None => self.turning(ui, size, shown),
        };
        turned.value = turned.value.map(|value| value.clamp(*self.range.start(), *self.range.end()));
        turned.value = turned.value.filter(|value| *value != shown);
        if let Some(value) = turned.value {
            ui.data_mut(|data| data.insert_temp(self.id, Set { value, until: now + HOLD }));
        }
        turned
    }

    fn size(&self, ui: &Ui) -> Vec2 {
        if self.look == Look::Knob {
            return vec2(78.0, 64.0);
        }
        let font = TextStyle::Small.resolve(ui.style());
        let text = format!("{}  {}", self.label, self.unit.longest());
        let width = ui.painter().layout_no_wrap(text, font, Color32::WHITE).size().x;
        vec2(width + 14.0, 20.0)
    }

    fn typing(&self, ui: &mut Ui, size: Vec2, mut typed: Typed) -> Turned {
        let size = if self.look == Look::Knob { vec2(size.x, 20.0) } else { size };
        let field = TextEdit::singleline(&mut typed.text).id(self.id.with("text")).font(TextStyle::Small);
        let response = ui.add_sized(size, field);
        let name = self.name.to_owned();
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(name));
        if std::mem::take(&mut typed.fresh) {
            response.request_focus();
            select_all(ui, response.id, &typed.text);
        }
        if !response.lost_focus() {
            ui.data_mut(|data| data.insert_temp(self.id, typed));
            return Turned::default();
        }
        ui.data_mut(|data| data.remove::<Typed>(self.id));
        let (escape, enter) = ui.input(|input| (input.key_pressed(Key::Escape), input.key_pressed(Key::Enter)));
        if escape || enter {
            ui.memory_mut(|memory| memory.request_focus(self.id));
        }
        let value = if escape { None } else { self.unit.read(&typed.text) };
        Turned { value, hand: None }
    }

    fn begin_typing(&self, ui: &Ui, text: String, fresh: bool) {
        ui.data_mut(|data| data.insert_temp(self.id, Typed { text, fresh }));
        if !fresh {
            let id = self.id.with("text");
            ui.memory_mut(|memory| memory.request_focus(id));
            caret_to_end(ui, id);
        }
        ui.ctx().request_repaint();
    }

    fn turning(&self, ui: &mut Ui, size: Vec2, shown: f64) -> Turned {
        let rect = ui.allocate_exact_size(size, Sense::hover()).0;
        let response = ui.interact(rect, self.id, Sense::click_and_drag());
        if response.has_focus() {
            let picture = ui.ctx().cumulative_pass_nr();
            ui.data_mut(|data| data.insert_temp(has_keys_id(), picture));
        }
        let fine = ui.input(|input| input.modifiers.shift);
        let mut turned = Turned::default();
        if response.drag_started() {
            turned.hand = Some(true);
            ui.data_mut(|data| data.insert_temp(self.id, shown));
            response.request_focus();
        }
        if response.dragged() {
            let delta = response.drag_delta();
            let from = ui.data(|data| data.get_temp::<f64>(self.id)).unwrap_or(shown);
            let to = self.unit.moved(from, f64::from(delta.x - delta.y) * DRAG * if fine { 0.1 } else { 1.0 });
            let to = to.clamp(*self.range.start(), *self.range.end());
            ui.data_mut(|data| data.insert_temp(self.id, to));
            turned.value = Some(self.unit.rounded(to, fine));
        }
        if response.drag_stopped() {
            turned.hand = Some(false);
        }
        let typing = ui.input(|input| input.modifiers.command);
        if response.double_clicked() {
            turned.value = Some(self.rest);
        } else if response.clicked_by(egui::PointerButton::Primary) && !typing {
            response.request_focus();
        } else if response.clicked() && !ui.input(|input| input.key_pressed(Key::Space)) {
            // By Enter: space is the DAW's.
            self.begin_typing(ui, self.unit.text(shown), true);
        }
        let steps = self.steps(ui, &response) + wheel(ui, &response);
        if steps != 0.0 {
            turned.value = Some(self.unit.rounded(self.unit.moved(shown, steps), fine || steps.abs() < 1.0));
        }
        turned.value = self.told(ui, &response).or(turned.value);
        self.draw(ui, &response, turned.value.unwrap_or(shown));
        self.describe(ui, response, turned.value.unwrap_or(shown));
        turned
    }

    /// Steps that keys ask for; a digit begins to type a value.
    fn steps(&self, ui: &Ui, response: &Response) -> f64 {
        if !response.has_focus() {
            return 0.0;
        }
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let begins = |text: &str| text.len() == 1 && text.contains(|c: char| c.is_ascii_digit() || "-+.,".contains(c));
        let (steps, begun) = ui.input_mut(|input| {
            let mut count = |modifiers, key| input.count_and_consume_key(modifiers, key) as f64;
            let fine = count(Modifiers::SHIFT, Key::ArrowRight) - count(Modifiers::SHIFT, Key::ArrowLeft);
            let whole = count(Modifiers::NONE, Key::ArrowRight) - count(Modifiers::NONE, Key::ArrowLeft);
            let text = input.events.iter().find_map(|event| match event {
                Event::Text(text) if begins(text) => Some(text.clone()),
                _ => None,
            });
            if text.is_some() {
                // What began a value is no key of the DAW's.
                input.events.retain(|event| match event {
                    Event::Text(text) => !begins(text),
                    Event::Key { key, pressed: true, .. } => !begins(key.symbol_or_name()),
                    _ => true,
                });
            }
            (whole + fine * 0.1, text)
        });
        if let Some(text) = begun {
            self.begin_typing(ui, text, false);
        }
        steps
    }

    /// What a screen reader or the like sets.
    fn told(&self, ui: &Ui, response: &Response) -> Option<f64> {
        ui.input(|input| {
            let set = input.accesskit_action_requests(response.id, Action::SetValue).last();
            let value = set.and_then(|request| match &request.data {
                Some(ActionData::NumericValue(value)) => Some(*value),
                Some(ActionData::Value(text)) => self.unit.read(text),
                _ => None,
            });
            let count = |action| input.num_accesskit_action_requests(response.id, action) as f64;
            let steps = count(Action::Increment) - count(Action::Decrement);
            value.or_else(|| (steps != 0.0).then(|| self.unit.rounded(self.unit.moved(self.now, steps), false)))
        })
    }

    fn describe(&self, ui: &Ui, response: Response, shown: f64) {
        let text = self.unit.text(shown);
        response.widget_info(|| WidgetInfo::slider(true, shown, self.name));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_value(text.clone());
            node.set_min_numeric_value(*self.range.start());
            node.set_max_numeric_value(*self.range.end());
            node.add_action(Action::SetValue);
            node.add_action(Action::Increment);
            node.add_action(Action::Decrement);
        });
        if !response.dragged() {
            let how = text!("value-how-to-turn");
            response.on_hover_text(format!("{}: {text}\n{how}", self.name));
        }
    }

    fn draw(&self, ui: &Ui, response: &Response, shown: f64) {
        let place = |value: f64| self.unit.place(value, &self.range) as f32;
        match self.look {
            Look::Field => self.draw_field(ui, response, shown, (place(self.rest), place(shown))),
            Look::Knob => self.draw_knob(ui, response, shown, (place(self.rest), place(shown))),
        }
    }

    fn draw_field(&self, ui: &Ui, response: &Response, shown: f64, (rest, at): (f32, f32)) {
        let (painter, rect) = (ui.painter(), response.rect);
        let lit = response.hovered() || response.dragged();
        painter.rect_filled(rect, 3.0, if lit { theme::FIELD_LIT } else { theme::FIELD });
        if response.has_focus() {
            painter.rect_stroke(rect, 3.0, Stroke::new(1.5, theme::ACCENT), egui::StrokeKind::Inside);
        }
        let track = Rect::from_x_y_ranges(rect.x_range().shrink(4.0), rect.bottom() - 3.0..=rect.bottom() - 1.5);
        let x = |at: f32| track.left() + track.width() * at;
        let (from, to) = (x(rest.min(at)), x(rest.max(at)));
        if to > from {
            painter.rect_filled(Rect::from_x_y_ranges(from..=to, track.y_range()), 1.0, theme::ACCENT);
        }
        let font = TextStyle::Small.resolve(ui.style());
        let middle = rect.center().y - 1.0;
        painter.text(
            pos2(rect.left() + 5.0, middle),
            Align2::LEFT_CENTER,
            self.label,
            font.clone(),
            theme::QUIET.into(),
        );
        let colour = if shown == self.rest { theme::QUIET } else { theme::TEXT };
        painter.text(
            pos2(rect.right() - 5.0, middle),
            Align2::RIGHT_CENTER,
            self.unit.text(shown),
            font,
            colour.into(),
        );
    }

    fn draw_knob(&self, ui: &Ui, response: &Response, shown: f64, (_, at): (f32, f32)) {
        let (painter, rect) = (ui.painter(), response.rect);
        let (centre, radius) = (pos2(rect.center().x, rect.top() + 18.0), 15.0);
        if response.has_focus() {
            painter.rect_stroke(rect, 4.0, Stroke::new(1.5, theme::ACCENT), egui::StrokeKind::Inside);
        }
        let lit = response.hovered() || response.dragged();
        painter.circle_filled(centre, radius - 4.0, if lit { theme::FIELD_LIT } else { theme::FIELD });
        let angle = |at: f32| (0.75 + 1.5 * at) * std::f32::consts::PI;
        let point = |at: f32, radius: f32| centre + Vec2::angled(angle(at)) * radius;
        let arc = |from: f32, to: f32, colour: Tone| {
            let points = (0..=24).map(|step| point(from + (to - from) * step as f32 / 24.0, radius)).collect();
            painter.add(egui::Shape::line(points, Stroke::new(2.5, colour)));
        };
        arc(0.0, 1.0, theme::FIELD);
        arc(0.0, at, theme::ACCENT);
        painter.line_segment([point(at, 4.0), point(at, radius - 5.0)], Stroke::new(2.0, theme::TEXT));
        let font = TextStyle::Small.resolve(ui.style());
        let clip = painter.with_clip_rect(rect.shrink2(vec2(2.0, 0.0)));
        let line = |y: f32, text: &str, colour: Tone| {
            let galley = clip.layout_no_wrap(text.to_owned(), font.clone(), colour.into());
            // What is too long begins at its beginning.
            let x = (rect.center().x - galley.size().x / 2.0).max(rect.left() + 3.0);
            clip.galley(pos2(x, y), galley, colour.into());
        };
        line(rect.top() + 37.0, self.label, theme::TEXT);
        line(rect.top() + 50.0, &self.unit.text(shown), theme::QUIET);
    }
}

fn select_all(ui: &Ui, id: Id, text: &str) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let range = CCursorRange::two(CCursor::default(), CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(range));
    state.store(ui.ctx(), id);
}

fn caret_to_end(ui: &Ui, id: Id) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(1))));
    state.store(ui.ctx(), id);
}
