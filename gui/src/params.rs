//! A slot's parameters, for every plugin alike.

use egui::{Align, CollapsingHeader, ComboBox, Layout, RichText, Role, ScrollArea, Slider, Ui, WidgetInfo};
use host_core::model::{ParamInfo, SlotId, Steps};
use host_core::session::{Command, SlotView};

use crate::rack::Act;
use crate::theme;

/// Seconds for which a value just set is shown in place of the session's, which is a few frames behind.
const HOLD: f64 = 0.4;

/// A value that the user changed a moment ago.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    slot: SlotId,
    index: usize,
    value: f64,
    until: f64,
}

/// Draws the parameters, folded away until the user opens them.
pub(crate) fn ui(ui: &mut Ui, slot: &SlotView, place: usize, held: &mut Option<Held>, acts: &mut Vec<(usize, Act)>) {
    let shown: Vec<_> = slot.params.iter().enumerate().filter(|(_, param)| is_shown(param)).collect();
    if shown.is_empty() {
        return;
    }
    let title = RichText::new(format!("Parameters ({})", shown.len())).small().color(theme::QUIET);
    let header = CollapsingHeader::new(title).id_salt(("params", slot.id.0)).show(ui, |ui| {
        let row = ui.spacing().interact_size.y;
        let area = ScrollArea::vertical().id_salt(("list", slot.id.0)).max_height(260.0);
        area.show_rows(ui, row, shown.len(), |ui, visible| {
            for (index, param) in visible.filter_map(|line| shown.get(line)) {
                let value = slot.values.get(*index).copied().unwrap_or(param.default);
                let now = ui.input(|input| input.time);
                let current = held
                    .filter(|held| held.slot == slot.id && held.index == *index && now < held.until)
                    .map_or(value, |held| held.value);
                let (value, hand) = parameter(ui, slot, param, current);
                if hand == Some(true) {
                    acts.push((place, Act::Send(Command::Gesture(true))));
                }
                if let Some(value) = value {
                    *held = Some(Held { slot: slot.id, index: *index, value, until: now + HOLD });
                    acts.push((place, Act::Send(Command::Param(slot.id, param.key.clone(), value))));
                }
                if hand == Some(false) {
                    acts.push((place, Act::Send(Command::Gesture(false))));
                }
            }
        });
    });
    let name = format!("Parameters of {}", slot.title);
    let open = header.openness > 0.5;
    header.header_response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, &name));
}

fn is_shown(param: &ParamInfo) -> bool {
    !param.hidden && !param.read_only && !param.is_bypass && param.min < param.max
}

/// The new value where the user changed it, and whether a hand takes hold of it now (true) or lets go.
type Turned = (Option<f64>, Option<bool>);

/// One parameter.
fn parameter(ui: &mut Ui, slot: &SlotView, param: &ParamInfo, value: f64) -> Turned {
    ui.push_id((slot.id.0, &param.key), |ui| {
        ui.horizontal(|ui| {
            let name = if param.group.is_empty() {
                param.name.clone()
            } else {
                format!("{}: {}", param.group.replace('/', ", "), param.name)
            };
            let width = (ui.available_width() * 0.45).max(120.0);
            let size = egui::vec2(width, ui.spacing().interact_size.y);
            let left = Layout::left_to_right(Align::Center);
            let label = ui.allocate_ui_with_layout(size, left, |ui| {
                ui.set_min_width(width);
                ui.add(egui::Label::new(&name).truncate())
            });
            let label = label.inner;
            match &param.steps {
                Steps::Toggle => (toggle(ui, param, value, label.id), None),
                Steps::Named(names) => (choice(ui, names, value, label.id), None),
                Steps::Integer | Steps::Continuous => slider(ui, param, value, label.id),
            }
        })
        .inner
    })
    .inner
}

fn toggle(ui: &mut Ui, param: &ParamInfo, value: f64, label: egui::Id) -> Option<f64> {
    let mut on = value > (param.min + param.max) / 2.0;
    let text = if on { "on" } else { "off" };
    let response = ui.checkbox(&mut on, text).labelled_by(label);
    response.changed().then_some(if on { param.max } else { param.min })
}

fn choice(ui: &mut Ui, names: &[(f64, String)], value: f64, label: egui::Id) -> Option<f64> {
    let nearest = names.iter().min_by(|a, b| (a.0 - value).abs().total_cmp(&(b.0 - value).abs()));
    let shown = nearest.map_or(String::new(), |(_, name)| name.clone());
    let mut chosen = None;
    let menu = ComboBox::from_id_salt("choice").selected_text(shown).show_ui(ui, |ui| {
        for (at, name) in names {
            let current = nearest.is_some_and(|nearest| nearest.0 == *at);
            if ui.selectable_label(current, name).clicked() {
                chosen = Some(*at);
            }
        }
    });
    menu.response.labelled_by(label);
    chosen
}

fn slider(ui: &mut Ui, param: &ParamInfo, value: f64, label: egui::Id) -> Turned {
    let mut value = param.clamp(value);
    let logarithmic = param.logarithmic && param.min > 0.0;
    let mut slider = Slider::new(&mut value, param.min..=param.max).logarithmic(logarithmic);
    if param.steps == Steps::Integer {
        slider = slider.integer();
    } else {
        slider = slider.max_decimals(3);
    }
    if !param.unit.is_empty() {
        slider = slider.suffix(format!(" {}", param.unit));
    }
    let response = ui.add(slider).labelled_by(label);
    let hand = match (response.drag_started(), response.drag_stopped()) {
        (false, false) => None,
        (_, stopped) => Some(!stopped),
    };
    (response.changed().then_some(value), hand)
}
