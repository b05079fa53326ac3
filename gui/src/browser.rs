//! Finding a plugin by name, maker or kind, and adding it.

use std::sync::Arc;

use egui::{Button, Key, RichText, ScrollArea, TextEdit, Ui, vec2};
use host_core::model::{Catalog, PluginEntry};
use host_core::session::Command;

use crate::host::Host;
use crate::outline::Item;
use crate::stage::Seen;
use crate::{theme, words};

/// Height of a line of the list, points.
const ROW: f32 = 38.0;

/// What the browser remembers between frames.
#[derive(Default)]
pub(crate) struct Browser {
    search: String,
    /// The line that Enter adds.
    current: usize,
    scroll_to_current: bool,
    /// The search field is to get the keys.
    wants_keys: bool,
    found: Found,
}

/// The plugins that fit, worked out anew only when the text or the catalog changes.
#[derive(Default)]
struct Found {
    catalog: Option<Arc<Catalog>>,
    search: String,
    rows: Vec<usize>,
}

impl Found {
    fn update(&mut self, catalog: &Arc<Catalog>, search: &str) -> bool {
        let same = self.catalog.as_ref().is_some_and(|known| Arc::ptr_eq(known, catalog)) && self.search == search;
        if !same {
            self.rows = matches(catalog, search);
            self.catalog = Some(catalog.clone());
            self.search = search.to_owned();
        }
        !same
    }
}

/// Places in `catalog` of the plugins that hold every word of `search`: names that begin with it first, then names that
/// hold it, then the others; in the catalog's order within each.
fn matches(catalog: &Catalog, search: &str) -> Vec<usize> {
    let search = search.trim().to_lowercase();
    let words: Vec<_> = search.split_whitespace().collect();
    let rank = |entry: &PluginEntry| {
        let name = entry.name.to_lowercase();
        let rest = format!("{} {} {} {}", entry.vendor, entry.id.format, entry.categories.join(" "), entry.id.id);
        let text = format!("{name} {}", rest.to_lowercase());
        if !words.iter().all(|word| text.contains(word)) {
            return None;
        }
        Some(if name.starts_with(&search) {
            0
        } else if words.iter().all(|word| name.contains(word)) {
            1
        } else {
            2
        })
    };
    let mut rows: Vec<_> =
        catalog.plugins.iter().enumerate().filter_map(|(row, entry)| Some((rank(entry)?, row))).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, row)| row).collect()
}

impl Browser {
    /// Lets the search field have the keys.
    pub fn wants_keys(&mut self) {
        self.wants_keys = true;
    }

    /// Draws it; new plugins go after what is selected, with Shift in its place, else to the end.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        let Seen { outline, catalog, selected, .. } = seen;
        ui.add_space(6.0);
        let (into, index) = outline.place_after(selected);
        let chosen = self.search(ui);
        if self.found.update(catalog, &self.search) {
            self.current = 0;
            self.scroll_to_current = true;
        }
        self.current = self.current.min(self.found.rows.len().saturating_sub(1));
        let all = catalog.plugins.len();
        let count = match self.found.rows.len() {
            found if found == all => format!("{all} plugins"),
            found => format!("{found} of {all} plugins"),
        };
        let place = match selected.and_then(|id| outline.row(id)).map(|row| (row, outline.title(row.id))) {
            Some((row, Some(title))) => match row.item {
                Item::Slot(_) => format!("Enter adds after {title}, with Shift in its place"),
                Item::Lanes(_) => format!("Enter adds after {title}"),
                Item::Lane(..) | Item::Nothing(_) => format!("Enter adds to {title}"),
            },
            _ => "Enter adds at the end".to_owned(),
        };
        ui.label(RichText::new(format!("{count}. {place}.")).small().color(theme::QUIET));
        let mut add = chosen.then(|| self.found.rows.get(self.current).copied()).flatten();
        if self.found.rows.is_empty() && all > 0 {
            ui.label(format!("No plugin fits “{}”. Fewer letters find more.", self.search.trim()));
        }
        add = self.list(ui, catalog).or(add);
        if let Some(entry) = add.and_then(|row| catalog.plugins.get(row)) {
            let plugin = entry.id.clone();
            let slot = selected.filter(|id| outline.row(*id).is_some_and(|row| matches!(row.item, Item::Slot(_))));
            let instead = slot.filter(|_| ui.input(|input| input.modifiers.shift));
            host.send(match (instead, into) {
                (Some(slot), _) => Command::Replace { slot, plugin },
                (None, None) => Command::Add { plugin, index },
                (None, Some(lane)) => Command::AddInto { plugin, lane, index },
            });
        }
    }

    /// The search field. True: Enter was pressed in it.
    fn search(&mut self, ui: &mut Ui) -> bool {
        let label = ui.label("Find a plugin");
        let field = TextEdit::singleline(&mut self.search)
            .hint_text("Name, maker or kind")
            .desired_width(f32::INFINITY)
            .return_key(None);
        let response = ui.add(field).labelled_by(label.id);
        if std::mem::take(&mut self.wants_keys) {
            response.request_focus();
        }
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

    fn list(&mut self, ui: &mut Ui, catalog: &Catalog) -> Option<usize> {
        let mut add = None;
        let mut area = ScrollArea::vertical().auto_shrink(false);
        if std::mem::take(&mut self.scroll_to_current) {
            let height = ROW + ui.spacing().item_spacing.y;
            let above = (self.current as f32 * height - ui.available_height() / 2.0).max(0.0);
            area = area.vertical_scroll_offset(above);
        }
        area.show_rows(ui, ROW, self.found.rows.len(), |ui, visible| {
            for line in visible {
                let Some(&row) = self.found.rows.get(line) else { continue };
                let Some(entry) = catalog.plugins.get(row) else { continue };
                if plugin_line(ui, entry, line == self.current).clicked() {
                    self.current = line;
                    add = Some(row);
                }
            }
        });
        add
    }
}

/// A button of two lines: the plugin's name, and below it maker, format and kind.
fn plugin_line(ui: &mut Ui, entry: &PluginEntry, current: bool) -> egui::Response {
    let byline = words::byline(entry);
    let response = ui.add(Button::selectable(current, "").min_size(vec2(ui.available_width(), ROW)));
    let rect = response.rect.shrink2(vec2(8.0, 3.0));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let name_font = egui::TextStyle::Body.resolve(ui.style());
    let small_font = egui::TextStyle::Small.resolve(ui.style());
    painter.text(rect.left_top(), egui::Align2::LEFT_TOP, &entry.name, name_font, theme::TEXT);
    painter.text(rect.left_bottom(), egui::Align2::LEFT_BOTTOM, &byline, small_font, theme::QUIET);
    let name = format!("Add {}, {byline}", entry.name);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, current, &name));
    response.on_hover_text(format!("{}\n{}", entry.name, entry.id))
}

#[cfg(test)]
mod tests {
    use host_core::model::{PluginId, PluginLocation, PortLayout};

    use super::*;

    fn entry(name: &str, vendor: &str, kind: &str) -> PluginEntry {
        PluginEntry {
            id: PluginId::clap(name),
            name: name.into(),
            vendor: vendor.into(),
            version: String::new(),
            location: PluginLocation::Clap("x.clap".into()),
            categories: vec![kind.into()],
            ports: PortLayout::default(),
            params: vec![],
            presets: vec![],
            min_block: 1,
        }
    }

    #[test]
    fn a_search_finds_by_name_maker_and_kind_names_first() {
        let catalog = Catalog {
            plugins: vec![
                entry("Big Room", "Delay House", "reverb"),
                entry("Delay", "Zam", "delay"),
                entry("Tape", "Zam", "delay"),
            ],
            bad: vec![],
        };
        assert_eq!(matches(&catalog, "delay"), [1, 0, 2]);
        assert_eq!(matches(&catalog, " ZAM  ta"), [2]);
        assert_eq!(matches(&catalog, ""), [0, 1, 2]);
        assert!(matches(&catalog, "organ").is_empty());
    }
}
