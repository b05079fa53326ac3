//! The page of macros: eight knobs at a time, and what the chosen one moves.

use egui::{
    Align, Align2, Button, Grid, Id, Label, Layout, RichText, Role, ScrollArea, TextEdit, TextStyle, Ui, WidgetInfo,
};
use host_core::model::lanes::MAX_LANE_GAIN;
use host_core::model::{Aim, Law, MACROS, MacroId, PAGE};
use host_core::session::{Command, MAX_GAIN, MIN_GAIN, MacroEdit, MacroView, Snapshot, TargetView};

use crate::controls::{choice, named, toggle};
use crate::host::Host;
use crate::rack;
use crate::theme;
use crate::unit::Unit;
use crate::value::{Look, Value};

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct Macros {
    /// It is shown.
    pub open: bool,
    page: usize,
    /// The one whose targets are shown.
    chosen: Option<MacroId>,
    /// A name that is being typed.
    typed: Option<String>,
}

impl Macros {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
        ui.add_space(4.0);
        let first = self.page * PAGE;
        let shown: Vec<_> = MacroId::all().skip(first).take(PAGE).collect();
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ScrollArea::horizontal().id_salt("knobs").show(ui, |ui| {
                shown.iter().for_each(|number| self.knob(ui, *number, snapshot, host));
            });
        });
        ui.horizontal_wrapped(|ui| {
            let pages: Vec<_> = (0..MACROS / PAGE).map(|page| (page, page_name(page))).collect();
            if let Some(page) = choice(ui, ("macros", 0), text!("macros-page-of-macros"), 74.0, &pages, &self.page) {
                self.page = page;
                self.chosen = None;
            }
            match self.chosen.filter(|chosen| shown.contains(chosen)) {
                Some(number) => self.head(ui, number, snapshot, host),
                None => {
                    let text = text!("macros-click-a-knob-then-learn-then");
                    ui.label(RichText::new(text).small().color(theme::QUIET));
                }
            }
        });
        if let Some(held) = self.chosen.and_then(|chosen| of(snapshot, chosen)).filter(|held| !held.targets.is_empty())
        {
            ScrollArea::vertical().id_salt("targets").max_height(110.0).show(ui, |ui| {
                Grid::new("targets").num_columns(5).spacing([8.0, 4.0]).show(ui, |ui| {
                    for target in &held.targets {
                        line(ui, held.number, target, snapshot, host);
                        ui.end_row();
                    }
                });
            });
        }
        ui.add_space(4.0);
        // What is meant for a knob is never done in the DAW's session.
        if rack::focus_in(ui, ui.min_rect()).is_some() {
            rack::keep_edits(ui, host);
        }
    }

    fn knob(&mut self, ui: &mut Ui, number: MacroId, snapshot: &Snapshot, host: &dyn Host) {
        let held = of(snapshot, number);
        let usual = number.to_string();
        let label = held.map_or(usual.as_str(), |held| held.title.as_str());
        let name = if label == usual {
            text!("macros-macro", number)
        } else {
            text!("macros-macro-number-label", number, label)
        };
        let (id, now) = (Id::unique(("macro", number.number())), held.map_or(0.0, |held| held.value));
        let value =
            Value { id, label, name: &name, now, range: 0.0..=1.0, rest: 0.0, unit: Unit::Percent, look: Look::Knob };
        value.ui(ui).send(|command| host.send(command), |value| Command::Macro(number, MacroEdit::Value(value)));
        if ui.memory(|memory| memory.has_focus(id)) && self.chosen != Some(number) {
            self.chosen = Some(number);
            self.typed = None;
        }
    }

    /// The chosen one's name, and its Learn.
    fn head(&mut self, ui: &mut Ui, number: MacroId, snapshot: &Snapshot, host: &dyn Host) {
        let held = of(snapshot, number);
        let usual = held.map_or_else(|| text!("macros-macro", number), |held| held.title.clone());
        ui.label(RichText::new(text!("macros-macro", number)).strong());
        let own = held.and_then(|held| held.name.clone()).unwrap_or_default();
        let mut text = self.typed.clone().unwrap_or(own);
        let field = TextEdit::singleline(&mut text)
            .hint_text(usual)
            .desired_width(130.0)
            .font(TextStyle::Small)
            .align(Align2::LEFT_CENTER);
        let response = ui.add(field);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(text!("macros-name-of-macro", number)));
        if response.changed() {
            self.typed = Some(text);
        } else if response.lost_focus()
            && let Some(name) = self.typed.take()
            && !ui.input(|input| input.key_pressed(egui::Key::Escape))
        {
            let name = Some(name).filter(|name| !name.trim().is_empty());
            host.send(Command::Macro(number, MacroEdit::Name(name)));
        }
        let learns = snapshot.learning == Some(number);
        let text = if learns { text!("macros-touch-a-control") } else { text!("macros-learn") };
        let learn = ui.add(Button::selectable(learns, text).frame_when_inactive(true));
        learn.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, learns, text!("macros-learn-macro", number)));
        if learn.on_hover_text(text!("macros-maps-it-to-what-you-touch")).clicked() {
            host.send(Command::Macro(number, MacroEdit::Learn(!learns)));
        }
        if held.is_some_and(|held| !held.targets.is_empty())
            && named(ui, true, text!("macros-clear"), &text!("macros-clear-macro", number))
                .on_hover_text(text!("macros-moves-nothing-any-more"))
                .clicked()
        {
            host.send(Command::Macro(number, MacroEdit::Unmap(None)));
        }
    }
}

fn page_name(page: usize) -> String {
    text!("macros-page", first = page * PAGE + 1, last = (page + 1) * PAGE)
}

fn of(snapshot: &Snapshot, number: MacroId) -> Option<&MacroView> {
    snapshot.macros.iter().find(|held| held.number == number)
}

/// One target: what it is, between what it moves, and a way to let it go.
fn line(ui: &mut Ui, number: MacroId, target: &TargetView, snapshot: &Snapshot, host: &dyn Host) {
    let (aim, law, title) = (&target.aim, target.law, &target.title);
    ui.allocate_ui_with_layout([200.0, 20.0].into(), Layout::left_to_right(Align::Center), |ui| {
        ui.add(Label::new(RichText::new(title).small()).truncate());
    });
    let shape = |law| Command::Macro(number, MacroEdit::Shape { aim: aim.clone(), law });
    let (min, max) = limits(aim, snapshot);
    let unit = unit(aim, &target.unit, max - min);
    let mut end = |label: &str, now: f64, rest: f64, edit: &dyn Fn(f64) -> Law| {
        let name = text!("macros-end-of", end = label, title);
        let id = Id::unique(("target", number.number(), format!("{aim:?}"), label));
        let value =
            Value { id, label, name: &name, now, range: min..=max, rest, unit: unit.clone(), look: Look::Field };
        value.ui(ui).send(|command| host.send(command), |value| shape(edit(value)));
    };
    end(text!("macros-from"), law.min, min, &|min| Law { min, ..law });
    end(text!("macros-to"), law.max, max, &|max| Law { max, ..law });
    if toggle(
        ui,
        law.inverted,
        text!("macros-turned-round"),
        &text!("macros-turn-round", title),
        text!("macros-moves-the-other-way"),
    ) {
        host.send(shape(Law { inverted: !law.inverted, ..law }));
    }
    if named(ui, true, text!("macros-let-go"), &text!("macros-let-go-title", title)).clicked() {
        host.send(Command::Macro(number, MacroEdit::Unmap(Some(aim.clone()))));
    }
}

/// Smallest and largest value that a target can take.
fn limits(aim: &Aim, snapshot: &Snapshot) -> (f64, f64) {
    match aim {
        Aim::Param(id, key) => {
            let slot = snapshot.slots.iter().find(|slot| slot.id == *id);
            let param = slot.and_then(|slot| slot.params.iter().find(|param| param.key == *key));
            param.map_or((0.0, 1.0), |param| (param.min.min(param.max), param.min.max(param.max)))
        }
        Aim::InputGain(_) | Aim::OutputGain(_) => (MIN_GAIN, MAX_GAIN),
        Aim::LaneGain(_) => (MIN_GAIN, MAX_LANE_GAIN),
        Aim::Pan(_) => (-1.0, 1.0),
        Aim::Bypass(_) | Aim::Mix(_) | Aim::Mute(_) | Aim::LaneMute(_) | Aim::Unknown(_) => (0.0, 1.0),
    }
}

fn unit(aim: &Aim, own: &str, span: f64) -> Unit {
    match aim {
        Aim::Mix(_) => Unit::Percent,
        Aim::InputGain(_) | Aim::OutputGain(_) | Aim::LaneGain(_) => Unit::Decibels,
        Aim::Pan(_) => Unit::Pan,
        _ => Unit::Own(own.into(), span),
    }
}
