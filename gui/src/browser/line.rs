//! One line of the list: a plugin.

use egui::{
    Align2, Button, CursorIcon, Id, Key, Modifiers, Pos2, Role, Sense, Shape, Stroke, TextStyle, Ui, WidgetInfo,
};
use egui::{Color32, Rect, vec2};
use host_core::model::{PluginEntry, PluginId};

use crate::{theme, words};

/// Height of a line of the list, points.
pub(super) const ROW: f32 = 38.0;
/// Width of the star, and of the switch of formats.
const STAR: f32 = 22.0;
const SWITCH: f32 = 46.0;

/// A plugin that is dragged into the rack.
pub(crate) struct Carried(pub PluginId);

/// What a line shows.
pub(super) struct Line<'a> {
    pub entry: &'a PluginEntry,
    /// It is here in the other format too.
    pub both: bool,
    pub current: bool,
    pub favourite: bool,
    pub hidden: bool,
}

/// What was done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Add,
    Star,
    Hide,
    Switch,
}

impl Line<'_> {
    /// Draws it.
    pub fn ui(&self, ui: &mut Ui) -> Option<Done> {
        let mut done = None;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            if self.star(ui) {
                done = Some(Done::Star);
            }
            let width = ui.available_width() - if self.both { SWITCH } else { 0.0 };
            done = self.name(ui, width).or(done);
            if self.both && self.switch(ui) {
                done = Some(Done::Switch);
            }
        });
        done
    }

    /// A button of two lines: the plugin's name, and below it maker, format and kind.
    fn name(&self, ui: &mut Ui, width: f32) -> Option<Done> {
        let entry = self.entry;
        let byline = words::byline(entry);
        let button = Button::selectable(self.current, "").min_size(vec2(width, ROW)).sense(Sense::click_and_drag());
        let response = ui.add(button);
        let rect = response.rect.shrink2(vec2(6.0, 3.0));
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let (name_font, small_font) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
        painter.text(rect.left_top(), Align2::LEFT_TOP, &entry.name, name_font, theme::TEXT.into());
        painter.text(rect.left_bottom(), Align2::LEFT_BOTTOM, &byline, small_font, theme::QUIET.into());
        let name = text!("browser-add-name", name = entry.name, byline);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, self.current, &name));
        response.dnd_set_drag_payload(Carried(entry.id.clone()));
        if response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        }
        let mut done = None;
        if response.has_focus() {
            let (star, hide) = ui.input_mut(|input| {
                (input.consume_key(Modifiers::NONE, Key::F), input.consume_key(Modifiers::NONE, Key::H))
            });
            done = star.then_some(Done::Star).or(hide.then_some(Done::Hide));
        }
        response.context_menu(|ui| {
            let star = if self.favourite { text!("browser-take-the-star-off-f") } else { text!("browser-favourite-f") };
            let hide = if self.hidden { text!("browser-show-again-h") } else { text!("browser-hide-h") };
            for (text, what) in [(text!("browser-add"), Done::Add), (star, Done::Star), (hide, Done::Hide)] {
                if ui.button(text).clicked() {
                    done = Some(what);
                    ui.close();
                }
            }
        });
        let clicked = response.clicked();
        let help = text!("browser-enter-or-a-click-adds");
        response.on_hover_text(format!("{}\n{}\n{help}", entry.name, entry.id));
        if clicked { Some(Done::Add) } else { done }
    }

    fn star(&self, ui: &mut Ui) -> bool {
        let response = ui.add(Button::new("").frame_when_inactive(false).min_size(vec2(STAR, ROW)));
        let colour = if self.favourite { theme::ACCENT } else { theme::QUIET };
        ui.painter().extend(star(response.rect, self.favourite, colour.into()));
        let name = text!("browser-favourite", name = self.entry.name);
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, self.favourite, &name));
        response.on_hover_text(text!("browser-favourite-f")).clicked()
    }

    fn switch(&self, ui: &mut Ui) -> bool {
        let format = self.entry.id.format.to_string();
        let text = egui::RichText::new(&format).small();
        let response =
            ui.push_id(Id::unique(&self.entry.name), |ui| ui.add(Button::new(text).min_size(vec2(SWITCH - 4.0, 22.0))));
        let response = response.inner;
        let name = text!("browser-format-of", name = self.entry.name, format);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        response.on_hover_text(text!("browser-is-here-as-clap")).clicked()
    }
}

/// A star of five points.
fn star(rect: Rect, filled: bool, colour: Color32) -> Vec<Shape> {
    let middle = rect.center();
    let point = |index: usize| {
        let angle = std::f32::consts::PI * (index as f32 / 5.0 - 0.5);
        let far = if index.is_multiple_of(2) { 6.0 } else { 2.6 };
        middle + vec2(angle.cos(), angle.sin()) * far
    };
    let outline: Vec<Pos2> = (0..10).map(point).collect();
    let mut shapes = vec![Shape::closed_line(outline.clone(), Stroke::new(1.0, colour))];
    if filled {
        // A star is not convex: five points round its middle.
        let tip = |index: usize| [point((index + 9) % 10), point(index), point((index + 1) % 10), middle];
        shapes.extend((0..10).step_by(2).map(|at| Shape::convex_polygon(tip(at).to_vec(), colour, Stroke::NONE)));
    }
    shapes
}
