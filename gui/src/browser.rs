//! The page Find: every plugin of this computer, and adding one.

mod found;
mod kind;
mod line;
mod unusable;

use std::collections::BTreeMap;

use egui::{Key, RichText, ScrollArea, TextEdit, Ui};
use host_core::model::{Catalog, Desk, DeskEdit, Format, PluginEntry, PluginId, SlotId};
use host_core::session::{Command, Look, ScanView};

use crate::controls::{choice, named, toggle};
use crate::host::Host;
use crate::outline::Item;
use crate::stage::Seen;
use crate::theme;
use found::{Filter, Found, Only, is_among};
use kind::Kind;
pub(crate) use line::Carried;
use line::{Done, Line, ROW};

/// What somebody who leads here wants of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// To be added where new ones go.
    Add,
    /// To take a slot's place.
    Instead(SlotId),
}

/// What the browser remembers between frames.
#[derive(Default)]
pub(crate) struct Browser {
    filter: Filter,
    /// The line that Enter adds.
    current: usize,
    scroll_to_current: bool,
    /// The search field is to get the keys, and to hold nothing.
    wants_keys: bool,
    /// The slot whose place is taken, as long as it is the selected one.
    instead: Option<SlotId>,
    /// Formats that were chosen for a line, by its first plugin.
    formats: BTreeMap<PluginId, Format>,
    found: Found,
}

impl Browser {
    /// Lets the search field have the keys.
    pub fn wants_keys(&mut self, wish: Wish) {
        self.wants_keys = true;
        self.instead = match wish {
            Wish::Instead(slot) => Some(slot),
            Wish::Add => None,
        };
    }

    /// Draws it; new plugins go after what is selected, with Shift in its place, else to the end.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        let Seen { outline, catalog, selected, desk, .. } = seen;
        host.look(Look::Changed);
        let scans = host.scans();
        self.instead = self.instead.filter(|slot| selected == Some(*slot));
        ui.add_space(4.0);
        let chosen = self.search(ui);
        self.filters(ui);
        if self.found.update(catalog, &desk.shelf, &self.filter) {
            self.current = 0;
            self.scroll_to_current = true;
        }
        self.current = self.current.min(self.found.rows.len().saturating_sub(1));
        progress(ui, &scans, host);
        if self.filter.only == Only::Unusable {
            ScrollArea::vertical().id_salt("unusable").auto_shrink(false).show(ui, |ui| {
                if unusable::ui(ui, catalog, &scans, &self.filter.text, host) == 0 {
                    ui.label(RichText::new(text!("browser-everything-can-be-used")).color(theme::QUIET));
                }
            });
            return;
        }
        ui.label(RichText::new(self.place(seen)).small().color(theme::QUIET));
        let mut add = chosen.then(|| self.found.rows.get(self.current).cloned()).flatten();
        if self.found.rows.is_empty() && !catalog.plugins.is_empty() {
            self.nothing(ui, catalog, &scans, host);
        }
        add = self.list(ui, catalog, desk, host).or(add);
        if let Some(entry) = add.and_then(|plugin| self.chosen(catalog, desk, &plugin)) {
            let slot = selected.filter(|id| outline.row(*id).is_some_and(|row| matches!(row.item, Item::Slot(_))));
            let shift = ui.input(|input| input.modifiers.shift);
            let instead = self.instead.take().or(slot.filter(|_| shift));
            self.add(entry.id.clone(), instead, seen, host);
        }
    }

    fn add(&self, plugin: PluginId, instead: Option<SlotId>, seen: Seen<'_>, host: &dyn Host) {
        host.set(DeskEdit::Used(plugin.clone()));
        let (into, index) = seen.outline.place_after(seen.selected);
        host.send(match (instead, into) {
            (Some(slot), _) => Command::Replace { slot, plugin },
            (None, into) => added(plugin, into, index),
        });
    }

    /// How many there are, and where the next goes.
    fn place(&self, seen: Seen<'_>) -> String {
        let Seen { outline, selected, .. } = seen;
        let all = self.found.all;
        let count = match self.found.rows.len() {
            found if found == all => text!("browser-all-plugins", all),
            found => text!("browser-found-of-all-plugins", found, all),
        };
        let place = match selected.and_then(|id| outline.row(id)).map(|row| (row, outline.title(row.id))) {
            Some((_, Some(title))) if self.instead.is_some() => text!("browser-enter-puts-it-in-place-of", title),
            Some((row, Some(title))) => match row.item {
                Item::Slot(_) => text!("browser-enter-adds-after-with-shift", title),
                Item::Lanes(_) => text!("browser-enter-adds-after", title),
                Item::Lane(..) | Item::Nothing(_) => text!("browser-enter-adds-to", title),
            },
            _ => text!("browser-enter-adds-at-the-end").to_owned(),
        };
        format!("{count}. {place}.")
    }

    /// The search field. True: Enter was pressed in it.
    fn search(&mut self, ui: &mut Ui) -> bool {
        let label = ui.label(text!("browser-find-a-plugin"));
        if std::mem::take(&mut self.wants_keys) {
            self.filter.text.clear();
            let id = ui.next_auto_id();
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let field = TextEdit::singleline(&mut self.filter.text)
            .hint_text(text!("browser-name-maker-or-kind"))
            .desired_width(f32::INFINITY)
            .return_key(None);
        let response = ui.add(field).labelled_by(label.id);
        if !response.has_focus() {
            return false;
        }
        let (up, down, enter) = ui.input(|input| {
            (input.key_pressed(Key::ArrowUp), input.key_pressed(Key::ArrowDown), input.key_pressed(Key::Enter))
        });
        if up {
            self.current = self.current.saturating_sub(1);
        }
        if down {
            self.current += 1;
        }
        self.scroll_to_current |= up || down;
        enter
    }

    fn filters(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
            let kinds = Kind::ALL.map(|kind| (Some(kind), kind.name().to_owned()));
            let kinds: Vec<_> = std::iter::once((None, text!("browser-all-kinds").to_owned())).chain(kinds).collect();
            if let Some(kind) = choice(ui, ("kind", 0), text!("browser-kind"), 92.0, &kinds, &self.filter.kind) {
                self.filter.kind = kind;
            }
            let makers = self.found.makers.iter().map(|maker| (Some(maker.clone()), maker.clone()));
            let makers: Vec<_> =
                std::iter::once((None, text!("browser-all-makers").to_owned())).chain(makers).collect();
            if let Some(maker) = choice(ui, ("maker", 0), text!("browser-maker"), 92.0, &makers, &self.filter.maker) {
                self.filter.maker = maker;
            }
            let formats = [Format::Clap, Format::Lv2].map(|format| (Some(format), format.to_string()));
            let formats: Vec<_> = std::iter::once((None, text!("browser-both").to_owned())).chain(formats).collect();
            if let Some(format) =
                choice(ui, ("format", 0), text!("browser-format"), 50.0, &formats, &self.filter.format)
            {
                self.filter.format = format;
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
            for (only, text, name, why) in [
                (
                    Only::Favourites,
                    text!("browser-favourites"),
                    text!("browser-show-favourites"),
                    text!("browser-those-with-a-star-f"),
                ),
                (
                    Only::Recent,
                    text!("browser-recent"),
                    text!("browser-show-recent"),
                    text!("browser-those-that-were-used-last"),
                ),
                (
                    Only::Hidden,
                    text!("browser-hidden"),
                    text!("browser-show-hidden"),
                    text!("browser-those-that-were-hidden-h"),
                ),
                (
                    Only::Unusable,
                    text!("browser-unusable"),
                    text!("browser-show-what-cannot-be-used"),
                    text!("browser-with-the-reason-of-each"),
                ),
            ] {
                let on = self.filter.only == only;
                if toggle(ui, on, text, name, why) {
                    self.filter.only = if on { Only::All } else { only };
                }
            }
        });
    }

    /// Nothing fits: why, and what of what cannot be used would.
    fn nothing(&mut self, ui: &mut Ui, catalog: &Catalog, scans: &ScanView, host: &dyn Host) {
        let filtered = Filter { text: String::new(), ..self.filter.clone() } != Filter::default();
        let typed = self.filter.text.clone();
        let text = typed.trim();
        ui.label(match self.filter.only {
            _ if !text.is_empty() => text!("browser-no-plugin-fits-text", text),
            Only::Favourites => text!("browser-no-favourites-yet").into(),
            Only::Recent => text!("browser-nothing-was-used-here-yet").into(),
            Only::Hidden => text!("browser-nothing-is-hidden").into(),
            _ => text!("browser-no-plugin-fits").into(),
        });
        if filtered && named(ui, true, text!("browser-show-all"), text!("browser-show-all-plugins")).clicked() {
            self.filter = Filter { text: typed.clone(), ..Filter::default() };
        }
        if !text.is_empty() {
            unusable::ui(ui, catalog, scans, text, host);
        }
    }

    /// A plugin in the format that is meant: chosen on its line, by the filter, or by the settings.
    fn chosen<'a>(&self, catalog: &'a Catalog, desk: &Desk, plugin: &[usize]) -> Option<&'a PluginEntry> {
        let entries = || plugin.iter().filter_map(|row| catalog.plugins.get(*row));
        let first = entries().next()?;
        let format = self.filter.format.or(self.formats.get(&first.id).copied()).unwrap_or(desk.settings.format);
        entries().find(|entry| entry.id.format == format).or(Some(first))
    }

    fn list(&mut self, ui: &mut Ui, catalog: &Catalog, desk: &Desk, host: &dyn Host) -> Option<Vec<usize>> {
        let mut add = None;
        let mut area = ScrollArea::vertical().auto_shrink(false);
        if std::mem::take(&mut self.scroll_to_current) {
            let height = ROW + ui.spacing().item_spacing.y;
            let above = (self.current as f32 * height - ui.available_height() / 2.0).max(0.0);
            area = area.vertical_scroll_offset(above);
        }
        let mut switched = None;
        area.show_rows(ui, ROW, self.found.rows.len(), |ui, visible| {
            for at in visible {
                let Some(plugin) = self.found.rows.get(at) else { continue };
                let Some(entry) = self.chosen(catalog, desk, plugin) else { continue };
                let among = |list: &[PluginId]| is_among(catalog, plugin, list);
                let line = Line {
                    entry,
                    both: plugin.len() > 1 && self.filter.format.is_none(),
                    current: at == self.current,
                    favourite: among(&desk.shelf.favourites),
                    hidden: among(&desk.shelf.hidden),
                };
                let all = || plugin.iter().filter_map(|row| Some(catalog.plugins.get(*row)?.id.clone())).collect();
                match line.ui(ui) {
                    Some(Done::Add) => add = Some((at, plugin.clone())),
                    Some(Done::Star) => host.set(DeskEdit::Favourite(all(), !line.favourite)),
                    Some(Done::Hide) => host.set(DeskEdit::Hidden(all(), !line.hidden)),
                    Some(Done::Switch) => switched = catalog.plugins.get(plugin[0]).map(|first| (first, entry)),
                    None => {}
                }
            }
        });
        if let Some((first, shown)) = switched {
            let other = if shown.id.format == Format::Clap { Format::Lv2 } else { Format::Clap };
            self.formats.insert(first.id.clone(), other);
        }
        let (at, plugin) = add?;
        self.current = at;
        Some(plugin)
    }
}

/// A plugin put in at a place.
pub(crate) fn added(plugin: PluginId, into: Option<SlotId>, index: usize) -> Command {
    match into {
        None => Command::Add { plugin, index },
        Some(lane) => Command::AddInto { plugin, lane, index },
    }
}

/// How a look for plugins fares.
fn progress(ui: &mut Ui, scans: &ScanView, host: &dyn Host) {
    if let Some(at) = &scans.progress {
        ui.horizontal(|ui| {
            let share = at.done as f32 / at.total.max(1) as f32;
            let text = RichText::new(text!("browser-looking-for-plugins", done = at.done, total = at.total)).small();
            let bar = egui::ProgressBar::new(share).desired_width(ui.available_width() - 60.0).text(text);
            ui.add(bar).on_hover_text(&at.current);
            if named(ui, true, text!("browser-stop"), text!("browser-stop-looking-for-plugins")).clicked() {
                host.stop_looking();
            }
        });
    }
    if !scans.problem.is_empty() {
        ui.horizontal_wrapped(|ui| {
            let text = text!("browser-plugins-could-not-be-looked-for", problem = scans.problem);
            ui.label(RichText::new(text).small().color(theme::TROUBLE));
            if named(ui, true, text!("browser-try-again"), text!("browser-look-for-plugins-again")).clicked() {
                host.look(Look::All);
            }
        });
    }
}
