//! The page of the slot that is selected: its plugin's own window, for which room is kept here, or its parameters.

use egui::scroll_area::ScrollBarVisibility;
use egui::style::ScrollStyle;
use egui::{Align, Align2, Button, FontId, Layout, RichText, Role, ScrollArea, Ui, Vec2, WidgetInfo, vec2};
use host_core::model::SlotId;
use host_core::session::{Command, SlotStatus, SlotView, WindowOffer};

use crate::controls::named;
use crate::host::Host;
use crate::inside::Inside;
use crate::params::{self, Held};
use crate::rack::Act;
use crate::stage::Seen;
use crate::{slot, theme, words};

/// A window that follows its room may be larger for so long before it is scrolled, seconds.
const LATE: f64 = 0.4;

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct PluginPage {
    held: Option<Held>,
    search: String,
    /// The slot that is shown, and whether by its parameters.
    shown: Option<(SlotId, bool)>,
    /// Room for a window in this frame.
    inside: Option<Inside>,
    /// Since when a window has been larger than its room.
    larger: Option<f64>,
}

impl PluginPage {
    /// The slot that was shown in this frame, and whether its parameters were wanted rather than its window.
    pub fn shown(&self) -> Option<(SlotId, bool)> {
        self.shown
    }

    /// Room for its window, where that was shown.
    pub fn inside(&self) -> Option<&Inside> {
        self.inside.as_ref()
    }

    /// Nothing of it is shown in this frame.
    pub fn rest(&mut self) {
        (self.shown, self.inside) = (None, None);
    }

    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        self.inside = None;
        let slot = seen.snapshot.slots.iter().find(|slot| Some(slot.id) == seen.selected);
        let Some(slot) = slot else {
            self.shown = None;
            ui.label(RichText::new(text!("plugin-choose-a-slot-in-the-rack")).color(theme::QUIET));
            return;
        };
        if self.shown.is_none_or(|(shown, _)| shown != slot.id) {
            self.search.clear();
            self.larger = None;
            self.shown = Some((slot.id, slot.window.parameters));
        }
        let parameters = self.head(ui, slot, host);
        self.shown = Some((slot.id, parameters));
        let has_room = slot.window.offer == WindowOffer::Inside && !slot.window.open && !parameters;
        if has_room && slot.window.refused.is_empty() && slot.status == SlotStatus::Running {
            self.room(ui, slot);
            return;
        }
        if let Some(text) = why_not(slot, parameters) {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(text).color(theme::QUIET));
                if has_room && !slot.window.refused.is_empty() && ui.button(text!("plugin-try-again")).clicked() {
                    host.send(Command::Show { slot: Some(slot.id), parameters });
                }
            });
        }
        let mut acts = Vec::new();
        params::page(ui, slot, &mut self.held, &mut self.search, &mut acts);
        for (_, act) in acts {
            if let Act::Send(command) = act {
                host.send(command);
            }
        }
    }

    /// The slot's name, and what there is to choose. True: its parameters are wanted rather than its window.
    fn head(&mut self, ui: &mut Ui, slot: &SlotView, host: &dyn Host) -> bool {
        let mut parameters = self.shown.is_some_and(|(_, parameters)| parameters);
        let line = vec2(ui.available_width(), ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Center), |ui| {
            // The buttons first, from the right, so that a long name is cut and never covers them.
            float(ui, slot, host);
            if slot.window.offer == WindowOffer::Inside {
                for (wanted, text, help) in [
                    (true, text!("plugin-parameters"), text!("plugin-the-plugins-parameters-as-a-list")),
                    (false, text!("plugin-own-window"), text!("plugin-the-plugins-own-window-here")),
                ] {
                    let button = ui.add(Button::selectable(parameters == wanted, text).frame_when_inactive(true));
                    button.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, parameters == wanted, text));
                    if button.on_hover_text(help).clicked() {
                        parameters = wanted;
                    }
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(&slot.title).strong()).truncate());
            });
        });
        parameters
    }

    /// Keeps room for the plugin's window.
    fn room(&mut self, ui: &mut Ui, slot: &SlotView) {
        let (whole, now) = (ui.available_size(), ui.input(|input| input.time));
        let size = slot.window.inside.map(|(width, height)| vec2(width as f32, height as f32) / ui.pixels_per_point());
        let larger = size.filter(|size| size.x > whole.x + 1.0 || size.y > whole.y + 1.0);
        match larger {
            None => self.larger = None,
            Some(_) => self.larger = self.larger.or(Some(now)),
        }
        let late = self.larger.is_some_and(|since| !slot.window.resizable || now > since + LATE);
        let (view, scrolled) = match larger.filter(|_| late) {
            Some(size) => scroll(ui, slot.id, size),
            None => (ui.available_rect_before_wrap(), Vec2::ZERO),
        };
        if size.is_none() {
            // Seen until the window lies over it.
            let font = FontId::proportional(14.0);
            ui.painter().text(
                view.center(),
                Align2::CENTER_CENTER,
                text!("plugin-opening-its-window"),
                font,
                theme::QUIET.into(),
            );
        }
        self.inside = Some(Inside::new(slot.id, view, whole, scrolled));
    }
}

/// Bars for a window that is larger than its room. What is left for it, and how far it is scrolled.
fn scroll(ui: &mut Ui, id: SlotId, size: Vec2) -> (egui::Rect, Vec2) {
    ui.scope(|ui| {
        ui.spacing_mut().scroll = ScrollStyle::solid();
        let area = ScrollArea::both().id_salt(("window", id.0)).auto_shrink(false);
        let area = area.scroll_bar_visibility(ScrollBarVisibility::VisibleWhenNeeded);
        let output = area.show(ui, |ui| ui.allocate_space(size));
        (output.inner_rect, output.state.clamped_offset())
    })
    .inner
}

/// Makes the plugin's window float, or takes it back.
fn float(ui: &mut Ui, slot: &SlotView, host: &dyn Host) {
    let title = &slot.title;
    let (text, name, help, command) = match (&slot.window.offer, slot.window.open) {
        (WindowOffer::Inside, false) => (
            text!("plugin-pop-out"),
            text!("plugin-pop-out-the-window", title),
            text!("plugin-makes-it-a-window-by-itself"),
            Command::OpenWindow(slot.id),
        ),
        (WindowOffer::Inside, true) => (
            text!("plugin-put-back"),
            text!("plugin-put-back-the-window", title),
            text!("plugin-shows-it-here-again-e"),
            Command::PutBack(slot.id),
        ),
        (WindowOffer::Floating, open) => {
            let Some(command) = slot::window(slot) else { return };
            let (text, name) = if open {
                (text!("plugin-close-window"), text!("plugin-close-the-window", title))
            } else {
                (text!("plugin-open-window"), text!("plugin-open-the-window", title))
            };
            (text, name, text!("plugin-this-plugins-window-floats-by"), command)
        }
        (WindowOffer::None | WindowOffer::Needs(_), _) => return,
    };
    if named(ui, true, text, &name).on_hover_text(help).clicked() {
        host.send(command);
    }
}

/// Why there are parameters where a window was wanted.
fn why_not(slot: &SlotView, parameters: bool) -> Option<String> {
    let window = &slot.window;
    match window.offer {
        WindowOffer::Inside if parameters => None,
        WindowOffer::Inside if window.open => Some(text!("plugin-its-window-floats-beside").into()),
        WindowOffer::Inside if !window.refused.is_empty() => {
            Some(words::sentence(&text!("plugin-its-window-cannot-be-shown", why = window.refused)))
        }
        _ => words::no_window(slot),
    }
}
