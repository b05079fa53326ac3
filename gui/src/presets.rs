//! The presets of the selected slot's plugin: those that come with it and the user's own, of both formats, in one list.

use egui::{Button, Key, RichText, Role, ScrollArea, TextEdit, Ui, WidgetInfo, vec2};
use host_core::model::{PluginId, Preset, PresetFrom, SlotId, Words};
use host_core::session::presets::is_own;
use host_core::session::{self, Answer, Command, Errand, SlotView};

use crate::controls::named;
use crate::errands::{Said, Waiting};
use crate::host::Host;
use crate::outline::Item;
use crate::stage::Seen;
use crate::theme;

/// Height of a line of the list, points.
const ROW: f32 = 26.0;

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct Presets {
    /// Whose list it is.
    of: Option<(SlotId, PluginId)>,
    list: Option<session::Presets>,
    listing: Waiting,
    doing: Waiting,
    said: Said,
    search: String,
    /// Places in the list of those that fit.
    found: Vec<usize>,
    /// The line that was loaded last, or that the keys are at.
    current: Option<usize>,
    scroll_to_current: bool,
    /// What the state is to be kept as.
    name: String,
    asks: Option<Asks>,
}

/// What the user is to say first.
enum Asks {
    /// One of that name is there.
    Replace,
    /// Whether it is to go.
    Delete(Preset),
    /// What it is to be called.
    Rename(Preset, String),
}

impl Presets {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        ui.add_space(6.0);
        let slot = seen.selected.and_then(|id| seen.outline.row(id)).and_then(|row| match row.item {
            Item::Slot(slot) => Some(slot),
            _ => None,
        });
        let Some(slot) = slot else {
            ui.label(RichText::new(text!("presets-choose-a-slot-in-the-rack")).color(theme::QUIET));
            return;
        };
        self.look_at(slot, host);
        self.settle(slot, host);
        ui.label(RichText::new(text!("presets-presets-of", title = slot.title)).strong());
        self.keep(ui, slot, host);
        self.asks(ui, slot, host);
        let doing = self.doing.is_waiting().then_some(text!("presets-working"));
        self.said.ui(ui, doing);
        ui.separator();
        self.find(ui, slot, host);
        self.own(ui);
        self.rows(ui, slot, host);
    }

    /// Another slot, or another plugin in it, has another list.
    fn look_at(&mut self, slot: &SlotView, host: &dyn Host) {
        let of = (slot.id, slot.plugin.clone());
        if self.of.as_ref() != Some(&of) {
            let search = std::mem::take(&mut self.search);
            *self = Self { of: Some(of), search, ..Self::default() };
            self.listing.ask(Errand::Presets(slot.id), host);
        }
    }

    /// Takes in what came of what was asked for.
    fn settle(&mut self, slot: &SlotView, host: &dyn Host) {
        match self.listing.take() {
            Some(Ok(Answer::Presets(list))) => {
                self.list = Some(list);
                self.fit();
            }
            Some(Err(why)) => self.said = Said::failed(why),
            _ => {}
        }
        match self.doing.take() {
            Some(Ok(Answer::Taken(path))) => {
                self.asks = Some(Asks::Replace);
                self.said = Said::done(vec![text!("presets-there-is-a-preset", path = path.display())]);
            }
            Some(Ok(Answer::Done(lines))) => {
                (self.said, self.current) = (Said::done(lines), None);
                self.listing.ask(Errand::Presets(slot.id), host);
            }
            Some(Err(why)) => self.said = Said::failed(why),
            _ => {}
        }
    }

    fn fit(&mut self) {
        let words = Words::new(&self.search);
        let all = self.list.iter().flat_map(|list| list.all.iter().enumerate());
        let fits = |preset: &Preset| words.fit([preset.name.as_str(), whose(preset)]);
        self.found = all.filter(|(_, preset)| fits(preset)).map(|(at, _)| at).collect();
        self.current = self.current.filter(|line| *line < self.found.len());
    }

    fn at(&self, line: usize) -> Option<&Preset> {
        self.list.as_ref()?.all.get(*self.found.get(line)?)
    }

    /// Keeping the plugin as it is.
    fn keep(&mut self, ui: &mut Ui, slot: &SlotView, host: &dyn Host) {
        let free = !self.doing.is_waiting();
        let mut save = false;
        ui.horizontal(|ui| {
            let label = ui.label(text!("presets-save-as"));
            let width = (ui.available_width() - 60.0).max(60.0);
            let field = TextEdit::singleline(&mut self.name).hint_text(text!("presets-name")).desired_width(width);
            let response = ui.add(field).labelled_by(label.id);
            save = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if response.changed() {
                self.asks.take_if(|asks| matches!(asks, Asks::Replace));
            }
            let ready = free && !self.name.trim().is_empty();
            let button =
                named(ui, ready, text!("presets-save"), &text!("presets-save-as-a-preset", title = slot.title));
            let where_to = match slot.plugin.format {
                host_core::model::Format::Lv2 => {
                    text!("presets-keeps-it-for-lv2-hosts")
                }
                host_core::model::Format::Clap => text!("presets-keeps-it-for-catena"),
            };
            save |= button.on_hover_text(where_to).clicked();
            save &= ready;
        });
        if save {
            let name = self.name.trim().to_owned();
            self.doing.ask(Errand::SavePreset { slot: slot.id, name, replace: false }, host);
        }
        ui.horizontal_wrapped(|ui| {
            let name = text!("presets-begin-like-this", title = slot.title);
            let why = text!("presets-wherever-this-plugin-is-added-from");
            if named(ui, free, text!("presets-save-as-my-default"), &name).on_hover_text(why).clicked() {
                self.doing.ask(Errand::SaveDefault(slot.id), host);
            }
            let has = self.list.as_ref().is_some_and(|list| list.has_default);
            if has
                && named(
                    ui,
                    free,
                    text!("presets-forget-my-default"),
                    &text!("presets-begin-as-it-is-made", title = slot.title),
                )
                .clicked()
            {
                self.doing.ask(Errand::ForgetDefault(slot.plugin.clone()), host);
            }
            let why = text!("presets-listens-for-3-s-then-sets");
            let name = text!("presets-match-the-loudness-of-this", title = slot.title);
            if named(ui, true, text!("presets-match-loudness"), &name).on_hover_text(why).clicked() {
                host.send(Command::Match(slot.id));
            }
        });
    }

    /// What the user is asked before something is lost.
    fn asks(&mut self, ui: &mut Ui, slot: &SlotView, host: &dyn Host) {
        let Some(asks) = &mut self.asks else { return };
        let mut answer = None;
        ui.horizontal_wrapped(|ui| {
            let (text, yes) = match asks {
                Asks::Replace => (text!("presets-replace-question").to_owned(), text!("presets-replace")),
                Asks::Delete(preset) => {
                    (text!("presets-delete-question", name = preset.name), text!("presets-delete-it"))
                }
                Asks::Rename(preset, name) => {
                    let label = ui.label(text!("presets-new-name", name = preset.name));
                    let response = ui.add(TextEdit::singleline(name).desired_width(120.0)).labelled_by(label.id);
                    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                        answer = Some(true);
                    }
                    (String::new(), text!("presets-rename-it"))
                }
            };
            if !text.is_empty() {
                ui.label(RichText::new(text).color(theme::TROUBLE));
            }
            if ui.button(yes).clicked() {
                answer = Some(true);
            }
            if ui.button(text!("presets-cancel")).clicked() {
                answer = Some(false);
            }
        });
        let Some(yes) = answer else { return };
        let slot = slot.id;
        let errand = match self.asks.take().filter(|_| yes) {
            Some(Asks::Replace) => Errand::SavePreset { slot, name: self.name.trim().to_owned(), replace: true },
            Some(Asks::Delete(preset)) => Errand::DeletePreset { slot, preset },
            Some(Asks::Rename(preset, name)) => Errand::RenamePreset { slot, preset, name },
            None => return self.said = Said::default(),
        };
        self.doing.ask(errand, host);
    }

    /// The search; arrows go through what it finds and load it, to be listened to.
    fn find(&mut self, ui: &mut Ui, slot: &SlotView, host: &dyn Host) {
        let label = ui.label(text!("presets-find-a-preset"));
        let field = TextEdit::singleline(&mut self.search)
            .hint_text(text!("presets-name-factory-or-own"))
            .desired_width(f32::INFINITY)
            .return_key(None);
        let response = ui.add(field).labelled_by(label.id);
        if response.changed() {
            self.current = None;
            self.fit();
        }
        let count = match (&self.list, self.found.len()) {
            (None, _) => text!("presets-looking-for-presets").to_owned(),
            (Some(list), found) if found == list.all.len() => text!("presets-all-presets", found),
            (Some(list), found) => text!("presets-found-of-all-presets", found, all = list.all.len()),
        };
        ui.label(RichText::new(count).small().color(theme::QUIET));
        if response.has_focus() {
            self.keys(ui, slot, host);
        }
    }

    fn keys(&mut self, ui: &Ui, slot: &SlotView, host: &dyn Host) {
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        let last = self.found.len().saturating_sub(1);
        let to = if pressed(Key::ArrowDown) {
            Some(self.current.map_or(0, |line| (line + 1).min(last)))
        } else if pressed(Key::ArrowUp) {
            Some(self.current.unwrap_or(0).saturating_sub(1))
        } else if pressed(Key::Enter) {
            Some(self.current.unwrap_or(0))
        } else {
            None
        };
        if let Some(line) = to {
            self.load(line, slot, host);
            self.scroll_to_current = true;
        }
    }

    fn load(&mut self, line: usize, slot: &SlotView, host: &dyn Host) {
        if let Some(uri) = self.at(line).map(|preset| preset.uri.clone()) {
            self.current = Some(line);
            host.send(Command::Preset(slot.id, uri));
        }
    }

    /// What can be done with the user's own one that was loaded last.
    fn own(&mut self, ui: &mut Ui) {
        let Some(preset) = self.current.and_then(|line| self.at(line)).filter(|preset| is_own(preset)).cloned() else {
            return;
        };
        ui.horizontal_wrapped(|ui| {
            if named(ui, true, text!("presets-rename"), &text!("presets-rename-name", name = preset.name)).clicked() {
                self.asks = Some(Asks::Rename(preset.clone(), preset.name.clone()));
            }
            if named(ui, true, text!("presets-delete"), &text!("presets-delete-name", name = preset.name)).clicked() {
                self.asks = Some(Asks::Delete(preset.clone()));
            }
        });
    }

    fn rows(&mut self, ui: &mut Ui, slot: &SlotView, host: &dyn Host) {
        let mut load = None;
        let mut area = ScrollArea::vertical().id_salt("presets").auto_shrink(false);
        if std::mem::take(&mut self.scroll_to_current) {
            let height = ROW + ui.spacing().item_spacing.y;
            let above = self.current.unwrap_or(0) as f32 * height - ui.available_height() / 2.0;
            area = area.vertical_scroll_offset(above.max(0.0));
        }
        area.show_rows(ui, ROW, self.found.len(), |ui, visible| {
            for line in visible {
                let Some(preset) = self.at(line) else { continue };
                let current = self.current == Some(line);
                let response = ui.add(Button::selectable(current, "").min_size(vec2(ui.available_width(), ROW)));
                let rect = response.rect.shrink2(vec2(8.0, 3.0));
                let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
                let [body, small] =
                    [egui::TextStyle::Body, egui::TextStyle::Small].map(|style| style.resolve(ui.style()));
                painter.text(
                    rect.right_center(),
                    egui::Align2::RIGHT_CENTER,
                    whose(preset),
                    small,
                    theme::QUIET.into(),
                );
                painter.text(rect.left_center(), egui::Align2::LEFT_CENTER, &preset.name, body, theme::TEXT.into());
                let name = text!("presets-load-name", name = preset.name, whose = whose(preset));
                response.widget_info(|| WidgetInfo::selected(Role::Button, true, current, &name));
                if response.on_hover_text(&preset.uri).clicked() {
                    load = Some(line);
                }
            }
        });
        if let Some(line) = load {
            self.load(line, slot, host);
        }
    }
}

/// Who keeps a preset, in a user's word.
fn whose(preset: &Preset) -> &'static str {
    match preset.from {
        PresetFrom::Factory => text!("presets-factory"),
        PresetFrom::User | PresetFrom::Catena => text!("presets-own"),
    }
}
