//! Parallel lanes in the rack: the head of all of them, the head of each, and the place in one that holds nothing.

use egui::{Button, Color32, Margin, Response, RichText, Role, Ui, WidgetInfo, vec2};
use host_core::model::lanes::{CROSSOVER_RANGE, MAX_LANE_DELAY, MAX_LANE_GAIN, MAX_LANES};
use host_core::model::{LaneDelay, MAX_LATENCY, SlotId, Split};
use host_core::session::{Command, LaneEdit, LaneView, LanesView, MIN_GAIN};

use crate::controls::{choice, framed, name_field, named, toggle};
use crate::editor::RackState;
use crate::meters::levels;
use crate::outline::{Item, Row, lanes_title};
use crate::rack::Act;
use crate::strip::number;
use crate::unit::Unit;
use crate::{theme, words};

type Acts = Vec<(SlotId, Act)>;

/// Where bands meet until the user says otherwise, Hz.
const CROSSOVERS: [&[f64]; 4] = [&[500.0], &[200.0, 2500.0], &[120.0, 600.0, 3000.0], &[80.0, 300.0, 1200.0, 5000.0]];

/// What the fields of a lane take of its line.
const FIELDS: f32 = 350.0;

/// The colour of a lane.
pub(crate) fn colour(group: &LanesView, lane: &LaneView) -> Color32 {
    let place = group.lanes.iter().position(|other| other.id == lane.id).unwrap_or(0);
    let own = lane.colour.map(|[red, green, blue]| Color32::from_rgb(red, green, blue));
    own.unwrap_or_else(|| theme::LANES[place % theme::LANES.len()].into())
}

/// The latency of lanes, or of one of them. The lane that the others wait for stands out.
fn latency(ui: &mut Ui, row: &Row, rate: f64) {
    let longest = matches!(row.item, Item::Lane(..)) && row.on_path;
    let words = words::latency(row.latency, rate);
    let text = RichText::new(&words).small().color(if longest { theme::ACCENT } else { theme::QUIET });
    let response = ui.add(egui::Label::new(text).extend().selectable(false));
    if longest {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text!("lane-the-longest", latency = words)));
    }
    let why = if longest { text!("lane-its-latency-the-other-lanes-wait") } else { text!("lane-its-latency") };
    response.on_hover_text(why);
}

/// The head of lanes.
pub(crate) fn head(
    ui: &mut Ui,
    (row, group): (&Row, &LanesView),
    rate: f64,
    state: &mut RackState,
    acts: &mut Acts,
) -> Response {
    let title = lanes_title(group);
    let response = framed(ui, group.id, (theme::HEAD.into(), Margin::symmetric(10, 5)), state, |ui, _| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new(&row.number).color(theme::QUIET).monospace());
            ui.add(egui::Label::new(RichText::new(&title).strong()).selectable(false));
            split(ui, group, acts);
            latency(ui, row, rate);
            if group.split == Split::Copy {
                let button =
                    named(ui, group.lanes.len() < MAX_LANES, text!("lane-add-lane"), &text!("lane-add-a-lane", title));
                let why = text!("lane-a-parallel-lane-silent-until");
                if button.on_hover_text(why).clicked() {
                    acts.push((group.id, Act::Send(Command::AddLane { group: group.id, index: group.lanes.len() })));
                }
            }
            menu(ui, &text!("lane-more-of", title), |ui| head_menu(ui, group, acts));
        });
    });
    let name = text!("lane-lanes-number", number = row.number, title);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    response
}

fn head_menu(ui: &mut Ui, group: &LanesView, acts: &mut Acts) {
    let id = group.id;
    for (text, why, act) in [
        (text!("lane-level"), text!("lane-sets-each-lane-that-sounds"), Act::Send(Command::LevelLanes(id))),
        (text!("lane-move-up"), text!("lane-alt-up"), Act::Step(false)),
        (text!("lane-move-down"), text!("lane-alt-down"), Act::Step(true)),
        (text!("lane-dissolve"), text!("lane-what-the-lanes-hold-stands"), Act::Send(Command::Dissolve(id))),
        (text!("lane-remove-with-all-plugins"), text!("lane-delete"), Act::RemoveAlone),
    ] {
        if ui.button(text).on_hover_text(why).clicked() {
            acts.push((id, act));
        }
    }
}

/// A button that opens a menu.
fn menu(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let button = Button::new(RichText::new("…")).min_size(vec2(22.0, 20.0));
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, contents);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
}

/// How what comes in is shared among the lanes.
fn split(ui: &mut Ui, group: &LanesView, acts: &mut Acts) {
    let mut options = vec![
        (Split::Copy, text!("lane-copy").to_owned()),
        (Split::MidSide, text!("lane-mid-side").to_owned()),
        (Split::LeftRight, text!("lane-left-right").to_owned()),
    ];
    let own = |crossovers: &[f64]| match &group.split {
        Split::Bands(now) if now.len() == crossovers.len() => group.split.clone(),
        _ => Split::Bands(crossovers.to_vec()),
    };
    options.extend(CROSSOVERS.iter().map(|at| (own(at), text!("lane-bands", count = at.len() + 1))));
    // A lane that holds plugins is not taken away.
    let used = group.lanes.iter().rposition(|lane| !lane.nodes.is_empty()).map_or(0, |last| last + 1);
    options.retain(|(split, _)| *split == group.split || split.lanes().is_none_or(|lanes| lanes >= used));
    let name = text!("lane-split-of", title = lanes_title(group));
    if let Some(split) = choice(ui, ("split", group.id.0), &name, 78.0, &options, &group.split) {
        acts.push((group.id, Act::Send(Command::Split(group.id, split))));
    }
    let Split::Bands(meet) = &group.split else { return };
    for (index, at) in meet.iter().enumerate() {
        let low =
            index.checked_sub(1).and_then(|below| meet.get(below)).map_or(*CROSSOVER_RANGE.start(), |low| low * 1.05);
        let high = meet.get(index + 1).map_or(*CROSSOVER_RANGE.end(), |high| high / 1.05);
        // Set elsewhere, they may stand closer than a hand brings them here: then there is no room to move one.
        let (low, high) = if low <= *at && *at <= high { (low, high) } else { (*at, *at) };
        let rest = CROSSOVERS.get(meet.len() - 1).map_or(*at, |usual| usual[index]).clamp(low, high);
        let label = format!("{} | {}", index + 1, index + 2);
        let name = text!("lane-where-bands-meet", first = index + 1, second = index + 2);
        number(ui, group.id, (&label, &name), (*at, rest, low..=high), Unit::Hertz, acts, |hertz| {
            let mut meet = meet.clone();
            meet[index] = hertz;
            Command::Split(group.id, Split::Bands(meet))
        });
    }
}

/// The head of one lane.
pub(crate) fn lane(
    ui: &mut Ui,
    (row, group, lane): (&Row, &LanesView, &LaneView),
    rate: f64,
    state: &mut RackState,
    acts: &mut Acts,
) -> Response {
    let (id, title) = (lane.id, &lane.title);
    let response = framed(ui, id, (theme::HEAD.into(), Margin::symmetric(10, 4)), state, |ui, state| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new(&row.number).color(theme::QUIET).monospace());
            if levels(ui, 30.0, title, (&lane.input, &lane.output)) {
                acts.push((id, Act::Send(Command::ResetMeters)));
            }
            // In a narrow rack the name gives way, so that the rest stays in its line.
            let wide = (ui.available_size_before_wrap().x - FIELDS).clamp(66.0, 126.0);
            ui.allocate_ui(vec2(wide, 34.0), |ui| {
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 1.0;
                    ui.set_width(wide);
                    name(ui, wide - 8.0, lane, state, acts);
                    latency(ui, row, rate);
                });
            });
            mixer(ui, lane, acts);
            menu(ui, &text!("lane-more-of", title), |ui| lane_menu(ui, row, group, lane, acts));
        });
    });
    let heard = if lane.heard { "" } else { text!("lane-not-heard") };
    let name = text!("lane-lane-number", number = row.number, title, heard);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    response
}

fn name(ui: &mut Ui, width: f32, lane: &LaneView, state: &mut RackState, acts: &mut Acts) {
    let colour = if lane.heard { theme::TEXT } else { theme::QUIET };
    let named = name_field(
        ui,
        lane.id,
        &lane.title,
        |field| field.desired_width(width).margin(vec2(0.0, 1.0)).text_color(colour.into()).frame(egui::Frame::NONE),
        state,
    );
    acts.extend(named.map(|name| (lane.id, Act::Send(Command::Lane(lane.id, LaneEdit::Name(name))))));
}

fn mixer(ui: &mut Ui, lane: &LaneView, acts: &mut Acts) {
    let (id, title) = (lane.id, &lane.title);
    let edit = |edit| Command::Lane(id, edit);
    let name = text!("lane-gain-of", title);
    let range = MIN_GAIN..=MAX_LANE_GAIN;
    number(ui, id, (text!("lane-gain"), &name), (lane.gain, 0.0, range), Unit::Decibels, acts, |value| {
        edit(LaneEdit::Gain(value))
    });
    let name = text!("lane-pan-of", title);
    number(ui, id, (text!("lane-pan"), &name), (lane.pan, 0.0, -1.0..=1.0), Unit::Pan, acts, |value| {
        edit(LaneEdit::Pan(value))
    });
    let name = text!("lane-delay-of", title);
    let (now, unit, most) = match lane.delay {
        LaneDelay::Frames(0) => (0.0, Unit::Ms, MAX_LANE_DELAY),
        LaneDelay::Frames(frames) => (f64::from(frames), Unit::Samples, f64::from(MAX_LATENCY / 2)),
        LaneDelay::Ms(ms) => (ms, Unit::Ms, MAX_LANE_DELAY),
    };
    let in_ms = unit == Unit::Ms;
    number(ui, id, (text!("lane-delay"), &name), (now, 0.0, 0.0..=most), unit, acts, |value| {
        edit(LaneEdit::Delay(if in_ms { LaneDelay::Ms(value) } else { LaneDelay::Frames(value as u32) }))
    });
    if toggle(ui, lane.mute, text!("lane-m"), &text!("lane-mute", title), text!("lane-the-lane-is-not-heard")) {
        acts.push((id, Act::Send(edit(LaneEdit::Mute(!lane.mute)))));
    }
    if toggle(ui, lane.solo, text!("lane-s"), &text!("lane-solo", title), text!("lane-the-lane-is-heard-alone")) {
        acts.push((id, Act::Send(edit(LaneEdit::Solo(!lane.solo)))));
    }
}

fn lane_menu(ui: &mut Ui, row: &Row, group: &LanesView, lane: &LaneView, acts: &mut Acts) {
    let id = lane.id;
    let mut dry = lane.dry;
    let why = text!("lane-while-it-holds-nothing-sound");
    if ui.checkbox(&mut dry, text!("lane-pass-sound-while-empty")).on_hover_text(why).changed() {
        acts.push((id, Act::Send(Command::Lane(id, LaneEdit::Dry(dry)))));
    }
    for (enabled, text, act) in [
        (row.index > 0, text!("lane-move-up"), Act::Step(false)),
        (row.index + 1 < row.count, text!("lane-move-down"), Act::Step(true)),
    ] {
        if ui.add_enabled(enabled, Button::new(text)).clicked() {
            acts.push((id, act));
        }
    }
    ui.horizontal(|ui| {
        for (index, colour) in theme::LANES.into_iter().enumerate() {
            let [red, green, blue, _] = colour.colour().to_array();
            let button = ui.add(Button::new("").fill(colour).min_size(vec2(20.0, 18.0)));
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, text!("lane-colour", number = index + 1)));
            if button.clicked() {
                acts.push((id, Act::Send(Command::Lane(id, LaneEdit::Colour(Some([red, green, blue]))))));
                ui.close();
            }
        }
        if ui.button(text!("lane-none")).clicked() {
            acts.push((id, Act::Send(Command::Lane(id, LaneEdit::Colour(None)))));
            ui.close();
        }
    });
    let removable = can_go(group);
    let button = ui.add_enabled(removable, Button::new(text!("lane-remove-lane")));
    let button = button.on_disabled_hover_text(text!("lane-this-split-has-as-many-lanes"));
    if button.on_hover_text(text!("lane-with-all-plugins-in-it-delete")).clicked() {
        acts.push((id, Act::Remove));
    }
}

/// Whether a lane of these can be taken out.
pub(crate) fn can_go(group: &LanesView) -> bool {
    group.split == Split::Copy && group.lanes.len() > 1
}

/// The place in a lane that holds nothing.
pub(crate) fn nothing(ui: &mut Ui, lane: &LaneView) -> Response {
    let words = match lane.heard {
        true => text!("lane-empty-passes"),
        false => text!("lane-empty-is-silent"),
    };
    let text = RichText::new(words).small().color(theme::QUIET);
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        ui.add(egui::Label::new(text).truncate().selectable(false));
    })
    .response
}
