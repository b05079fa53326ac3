//! A slot's parameters, for every plugin alike.

use egui::{Align, ComboBox, Layout, RichText, ScrollArea, Slider, TextEdit, Ui};
use host_core::model::{ParamInfo, SlotId, Steps};
use host_core::session::{Command, SlotView};

use crate::rack::Act;
use crate::theme;
use crate::unit::Unit;
use crate::value::{HOLD, Turned, wheel};

/// From so many parameters on there is a field to search them.
const MANY: usize = 9;
/// Share of a line that a parameter's name takes.
const NAME: f32 = 0.45;
/// What a number takes of it, points.
const NUMBER: f32 = 90.0;

/// A value that the user changed a moment ago.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    slot: SlotId,
    index: usize,
    value: f64,
    until: f64,
}

/// How many parameters there are to show.
pub(crate) fn shown(slot: &SlotView) -> usize {
    slot.params.iter().filter(|param| is_shown(param)).count()
}

/// Draws the parameters, in a few lines.
pub(crate) fn ui(ui: &mut Ui, slot: &SlotView, held: &mut Option<Held>, acts: &mut Vec<(SlotId, Act)>) {
    let shown: Vec<_> = slot.params.iter().enumerate().filter(|(_, param)| is_shown(param)).collect();
    let row = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().id_salt(("list", slot.id.0)).max_height(260.0);
    area.show_rows(ui, row, shown.len(), |ui, visible| {
        for (index, param) in visible.filter_map(|line| shown.get(line)) {
            line(ui, slot, (*index, param, &full_name(slot, param)), held, acts);
        }
    });
}

/// A line of the whole page.
enum Line<'a> {
    Group(String),
    Param(usize, &'a ParamInfo),
}

/// Draws the parameters, on a page of their own: in their groups, to be searched.
pub(crate) fn page(
    ui: &mut Ui,
    slot: &SlotView,
    held: &mut Option<Held>,
    search: &mut String,
    acts: &mut Vec<(SlotId, Act)>,
) {
    let count = shown(slot);
    if count == 0 {
        ui.label(RichText::new(text!("params-this-plugin-has-nothing-to-set")).color(theme::QUIET));
        return;
    }
    if count >= MANY {
        let field =
            TextEdit::singleline(search).hint_text(text!("params-search-parameters")).desired_width(f32::INFINITY);
        let field = ui.add(field);
        ui.ctx().accesskit_node_builder(field.id, |node| node.set_label(text!("params-search-parameters")));
    }
    let lines = lines(slot, search);
    if lines.is_empty() {
        ui.label(RichText::new(text!("params-no-parameter-is-called-so")).color(theme::QUIET));
    }
    let row = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().id_salt(("page", slot.id.0)).auto_shrink(false);
    area.show_rows(ui, row, lines.len(), |ui, visible| {
        let width = ui.available_width();
        // Name, slider, number.
        ui.spacing_mut().slider_width = (width * (1.0 - NAME) - NUMBER).clamp(60.0, 400.0);
        for line_of in visible.filter_map(|at| lines.get(at)) {
            match line_of {
                Line::Group(name) => {
                    let height = ui.spacing().interact_size.y;
                    let left = Layout::left_to_right(Align::Max);
                    ui.allocate_ui_with_layout(egui::vec2(width, height), left, |ui| {
                        ui.set_min_size(egui::vec2(width, height));
                        ui.label(RichText::new(name).small().strong().color(theme::ACCENT));
                    });
                }
                Line::Param(index, param) => line(ui, slot, (*index, param, &param.name), held, acts),
            }
        }
    });
}

/// What `search` is in, under the names of its groups.
fn lines<'a>(slot: &'a SlotView, search: &str) -> Vec<Line<'a>> {
    let words: Vec<_> = search.split_whitespace().map(str::to_lowercase).collect();
    let is_meant = |param: &ParamInfo| {
        if words.is_empty() {
            return true;
        }
        let name = full_name(slot, param).to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let meant = slot.params.iter().enumerate().filter(|(_, param)| is_shown(param) && is_meant(param));
    let (mut lines, mut group) = (Vec::new(), "");
    for (index, param) in meant {
        if group_of(slot, param) != group {
            group = &param.group;
            let name = if group.is_empty() { text!("params-others").into() } else { words_of(group) };
            lines.push(Line::Group(name));
        }
        lines.push(Line::Param(index, param));
    }
    lines
}

/// The path of a group, as it is read.
fn words_of(group: &str) -> String {
    group.replace('/', ", ")
}

/// The group of a parameter, empty for none. Where no group holds two they are no groups: CLAP plugins made with DPF give each
/// parameter its symbol for one.
fn group_of<'a>(slot: &SlotView, param: &'a ParamInfo) -> &'a str {
    let shared = |two: &[ParamInfo]| !two[0].group.is_empty() && two[0].group == two[1].group;
    if slot.params.windows(2).any(shared) { &param.group } else { "" }
}

fn full_name(slot: &SlotView, param: &ParamInfo) -> String {
    match group_of(slot, param) {
        "" => param.name.clone(),
        group => format!("{}: {}", words_of(group), param.name),
    }
}

/// A parameter's line, and what the user's hand does to it.
fn line(
    ui: &mut Ui,
    slot: &SlotView,
    (index, param, name): (usize, &ParamInfo, &str),
    held: &mut Option<Held>,
    acts: &mut Vec<(SlotId, Act)>,
) {
    let value = slot.values.get(index).copied().unwrap_or(param.default);
    let now = ui.input(|input| input.time);
    let current = held
        .filter(|held| held.slot == slot.id && held.index == index && now < held.until)
        .map_or(value, |held| held.value);
    let turned = parameter(ui, slot, (param, name), current);
    if let Some(value) = turned.value {
        *held = Some(Held { slot: slot.id, index, value, until: now + HOLD });
    }
    let send = |command| acts.push((slot.id, Act::Send(command)));
    turned.send(send, |value| Command::Param(slot.id, param.key.clone(), value));
}

fn is_shown(param: &ParamInfo) -> bool {
    !param.hidden && !param.read_only && !param.is_bypass && param.min < param.max
}

/// One parameter.
fn parameter(ui: &mut Ui, slot: &SlotView, (param, name): (&ParamInfo, &str), value: f64) -> Turned {
    ui.push_id((slot.id.0, &param.key), |ui| {
        ui.horizontal(|ui| {
            let width = (ui.available_width() * NAME).max(120.0);
            let size = egui::vec2(width, ui.spacing().interact_size.y);
            let left = Layout::left_to_right(Align::Center);
            let label = ui.allocate_ui_with_layout(size, left, |ui| {
                ui.set_min_width(width);
                ui.add(egui::Label::new(name).truncate())
            });
            let label = label.inner.on_hover_text(range(slot, param));
            match &param.steps {
                Steps::Toggle => Turned { value: toggle(ui, param, value, label.id), hand: None },
                Steps::Named(names) => Turned { value: choice(ui, names, value, label.id), hand: None },
                Steps::Integer | Steps::Continuous => slider(ui, param, value, label.id),
            }
        })
        .inner
    })
    .inner
}

/// Its whole name, and what it may be.
fn range(slot: &SlotView, param: &ParamInfo) -> String {
    let unit = Unit::Own(param.unit.clone(), param.max - param.min);
    let [min, max, default] = [param.min, param.max, param.default].map(|value| unit.text(value));
    text!("params-range", name = full_name(slot, param), min, max, default)
}

fn toggle(ui: &mut Ui, param: &ParamInfo, value: f64, label: egui::Id) -> Option<f64> {
    let mut on = value > (param.min + param.max) / 2.0;
    let text = if on { text!("params-on") } else { text!("params-off") };
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
    let unit = Unit::Own(param.unit.clone(), param.max - param.min);
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
    let read = unit.clone();
    let response = ui.add(slider.custom_parser(move |text| read.read(text))).labelled_by(label);
    let hand = match (response.drag_started(), response.drag_stopped()) {
        (false, false) => None,
        (_, stopped) => Some(!stopped),
    };
    let double = ui.input(|input| input.pointer.button_double_clicked(egui::PointerButton::Primary));
    // Not on its number, which is typed there.
    let track = response.rect.with_max_x(response.rect.left() + ui.spacing().slider_width);
    let reset = double && response.contains_pointer() && ui.rect_contains_pointer(track);
    let steps = wheel(ui, &response);
    let value = if reset {
        Some(param.default)
    } else if steps != 0.0 {
        let moved = param.clamp(unit.moved(value, steps));
        Some(if param.steps == Steps::Integer { stepped(param, value, steps) } else { moved })
    } else {
        response.changed().then_some(value)
    };
    Turned { value, hand }
}

/// A whole number by at least one more or less.
fn stepped(param: &ParamInfo, value: f64, steps: f64) -> f64 {
    let by = ((param.max - param.min) / 50.0 * steps).abs().max(1.0).round();
    param.clamp(value.round() + by * steps.signum())
}
