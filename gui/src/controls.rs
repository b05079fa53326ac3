//! Pieces that several parts of the editor are made of.

use egui::{
    Align2, Button, Color32, ComboBox, CornerRadius, Frame, Id, Key, Margin, Response, RichText, Role, Sense, Shape,
    Stroke, StrokeKind, TextEdit, TextStyle, TextWrapMode, Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};
use host_core::model::SlotId;

use crate::editor::RackState;
use crate::theme::{self, Tone};

/// The widget of a slot, lanes or a lane as a whole: its own wherever it is moved, so that the focus goes with it.
pub(crate) fn whole(id: SlotId) -> Id {
    Id::unique(("slot", id.0))
}

/// A line of the rack that can have the keys, be selected and be dragged.
pub(crate) fn framed(
    ui: &mut Ui,
    id: SlotId,
    (fill, margin): (Color32, Margin),
    state: &mut RackState,
    contents: impl FnOnce(&mut Ui, &mut RackState),
) -> Response {
    let builder = UiBuilder::new().scope_id(whole(id)).sense(Sense::click_and_drag());
    let scope = ui.scope_builder(builder, |ui| {
        let frame = Frame::new().fill(fill).corner_radius(CornerRadius::same(6)).outer_margin(1).inner_margin(margin);
        let drawn = frame.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            contents(ui, state);
        });
        // Over it, so that nothing moves where it comes and goes.
        let width = match (ui.response().has_focus(), state.is_chosen(id)) {
            (true, _) => 2.0,
            (false, true) => 1.0,
            // In the dark a card stands out by its ground.
            _ if theme::EDGE.colour() == theme::CARD.colour() => return,
            _ => 0.0,
        };
        let ring = drawn.response.rect;
        let stroke = if width > 0.0 { Stroke::new(width, theme::ACCENT) } else { Stroke::new(1.0, theme::EDGE) };
        ui.painter().rect_stroke(ring, 6.0, stroke, StrokeKind::Inside);
    });
    scope.response
}

/// A button with a short text to see and a whole name to hear.
pub(crate) fn named(ui: &mut Ui, enabled: bool, text: &str, name: &str) -> Response {
    // Where it has no room in its line it goes to the next, whole.
    let response = ui.add_enabled(enabled, Button::new(text).wrap_mode(TextWrapMode::Extend));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response
}

/// A triangle on a button, up or down.
pub(crate) fn arrow(ui: &Ui, button: &Response, down: bool, tone: Tone) {
    let (middle, way) = (button.rect.center(), if down { 3.0 } else { -3.0 });
    let points = [vec2(-4.0, -way), vec2(4.0, -way), vec2(0.0, way)].map(|corner| middle + corner).to_vec();
    ui.painter().add(Shape::convex_polygon(points, tone, Stroke::NONE));
}

/// A button with a padding of its own. Where it has no room in its line it goes to the next, whole: in a scope it would not.
fn padded(ui: &mut Ui, padding: Vec2, button: Button<'_>) -> Response {
    let usual = std::mem::replace(&mut ui.spacing_mut().button_padding, padding);
    let response = ui.add(button.wrap_mode(TextWrapMode::Extend));
    ui.spacing_mut().button_padding = usual;
    response
}

/// A small button that is on or off.
pub(crate) fn toggle(ui: &mut Ui, on: bool, text: &str, name: &str, why: &str) -> bool {
    let text = RichText::new(text).small();
    let text = if on { text.color(theme::TEXT) } else { text.color(theme::QUIET) };
    let button = Button::selectable(on, text).frame_when_inactive(true).min_size(vec2(22.0, 20.0));
    let response = padded(ui, vec2(6.0, 2.0), button);
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    response.on_hover_text(format!("{name}\n{why}")).clicked()
}

/// What folds something out.
pub(crate) fn fold(ui: &mut Ui, open: bool, text: &str, name: &str) -> bool {
    // Room for the triangle.
    let text = RichText::new(format!("    {text}")).small().color(theme::QUIET);
    let button = Button::new(text).frame_when_inactive(false).min_size(vec2(0.0, 20.0));
    let response = padded(ui, vec2(3.0, 2.0), button);
    let middle = response.rect.left_center() + vec2(8.0, 0.0);
    let triangle = match open {
        true => [vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 3.0)],
        false => [vec2(-2.0, -4.0), vec2(-2.0, 4.0), vec2(3.0, 0.0)],
    };
    let points = triangle.map(|corner| middle + corner).to_vec();
    ui.painter().add(Shape::convex_polygon(points, theme::QUIET, Stroke::NONE));
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, name));
    response.clicked()
}

/// A menu of values by name. The one that was chosen, where it is another.
pub(crate) fn choice<T: PartialEq + Clone>(
    ui: &mut Ui,
    salt: (&str, u64),
    name: &str,
    width: f32,
    options: &[(T, String)],
    current: &T,
) -> Option<T> {
    let shown = options.iter().find(|(value, _)| value == current).map_or("", |(_, text)| text);
    let mut chosen = None;
    let small = |text: &str| RichText::new(text).small();
    let menu = ComboBox::from_id_salt(salt).width(width).truncate().selected_text(small(shown)).show_ui(ui, |ui| {
        for (value, text) in options {
            if ui.selectable_label(value == current, text).clicked() && value != current {
                chosen = Some(value.clone());
            }
        }
    });
    menu.response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, name);
        info.current_text_value = Some(shown.to_owned());
        info
    });
    menu.response.on_hover_text(format!("{name}: {shown}"));
    chosen
}

/// A field for the name of a slot or a lane. The new one when it was typed, none for that which it has without one.
pub(crate) fn name_field(
    ui: &mut Ui,
    id: SlotId,
    title: &str,
    look: impl FnOnce(TextEdit<'_>) -> TextEdit<'_>,
    state: &mut RackState,
) -> Option<Option<String>> {
    let mine = state.typed.as_ref().filter(|(of, _)| *of == id).map(|(_, text)| text.clone());
    let mut text = mine.unwrap_or_else(|| title.to_owned());
    let response = ui.add(look(TextEdit::singleline(&mut text).font(TextStyle::Small).align(Align2::LEFT_CENTER)));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(text!("controls-name-of", title)));
    if response.changed() {
        state.typed = Some((id, text));
        return None;
    }
    if !response.lost_focus() {
        return None;
    }
    let (_, name) = state.typed.take_if(|(of, _)| *of == id)?;
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    (!escaped).then(|| Some(name).filter(|name| !name.trim().is_empty()))
}
