//! What a chain of the library says of itself, and what can be done with it.

use egui::{Frame, Grid, Margin, RichText, TextEdit, Ui};
use host_core::model::About;
use host_core::session::{Errand, LibraryEntry};

use crate::controls::named;
use crate::theme;

/// A chain that is looked at.
pub(super) struct Details {
    pub entry: LibraryEntry,
    /// What is typed of it.
    typed: Option<Typed>,
    /// It is asked whether it is to go.
    asks: bool,
}

/// What the user says of a chain.
struct Typed {
    name: String,
    tags: String,
    authors: String,
    licence: String,
    notes: String,
}

/// Words between commas.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    let mut all: Vec<String> = Vec::new();
    words.for_each(|word| {
        if !all.iter().any(|known| known == word) {
            all.push(word.to_owned());
        }
    });
    all
}

impl Details {
    pub fn of(entry: LibraryEntry) -> Self {
        Self { entry, typed: None, asks: false }
    }

    /// The same chain as it is now; what is typed stays.
    pub fn again(self, entry: LibraryEntry) -> Self {
        Self { entry, ..self }
    }

    /// Draws it. What is to be done, and a word for it.
    pub fn ui(&mut self, ui: &mut Ui, own: bool, free: bool) -> Option<(&'static str, Errand)> {
        let mut wanted = None;
        let frame = Frame::new().fill(theme::CARD.into()).corner_radius(4).inner_margin(Margin::same(6));
        frame.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            wanted = match &mut self.typed {
                Some(_) => self.edit(ui, free),
                None => self.show(ui, own, free),
            };
        });
        wanted
    }

    fn show(&mut self, ui: &mut Ui, own: bool, free: bool) -> Option<(&'static str, Errand)> {
        let LibraryEntry { path, sheet, favourite, .. } = &self.entry;
        let name = &sheet.name;
        ui.label(RichText::new(name).strong());
        let About { tags, authors, licence, notes, .. } = &sheet.about;
        let rows = [
            ("Tags", tags.join(", ")),
            ("By", authors.join(", ")),
            ("Terms", licence.clone()),
            ("Notes", notes.clone()),
            ("Plugins", sheet.members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>().join(", ")),
        ];
        for (what, text) in rows.iter().filter(|(_, text)| !text.is_empty()) {
            ui.label(RichText::new(format!("{what}: {text}")).small().color(theme::QUIET));
        }
        if self.asks {
            return self.ask_to_delete(ui);
        }
        let mut wanted = None;
        ui.horizontal_wrapped(|ui| {
            let why = "Puts it in the place of this chain. What sounds goes on until it is ready; undo brings it back.";
            if named(ui, free, "Load", &format!("Load {name}")).on_hover_text(why).clicked() {
                wanted = Some(("Loading", Errand::Open(path.clone())));
            }
            let (star, word) = if *favourite { ("No favourite", "no more") } else { ("Favourite", "from now on") };
            if named(ui, free, star, &format!("{name} is a favourite {word}")).clicked() {
                wanted = Some(("Saving", Errand::Favourite(path.clone(), !favourite)));
            }
            if !own {
                let text = "It comes with Catena; save it under a name of yours to change it.";
                ui.label(RichText::new(text).small().color(theme::QUIET));
                return;
            }
            if named(ui, free, "Edit", &format!("Edit what {name} says of itself")).clicked() {
                let About { tags, authors, licence, notes, .. } = sheet.about.clone();
                let (tags, authors) = (tags.join(", "), authors.join(", "));
                self.typed = Some(Typed { name: name.clone(), tags, authors, licence, notes });
            }
            if named(ui, free, "Delete", &format!("Delete {name}")).clicked() {
                self.asks = true;
            }
        });
        wanted
    }

    fn ask_to_delete(&mut self, ui: &mut Ui) -> Option<(&'static str, Errand)> {
        let mut wanted = None;
        ui.horizontal_wrapped(|ui| {
            let text = format!("Delete “{}”? Its file is gone then.", self.entry.sheet.name);
            ui.label(RichText::new(text).color(theme::TROUBLE));
            if ui.button("Delete it").clicked() {
                self.asks = false;
                wanted = Some(("Deleting", Errand::DeleteChain(self.entry.path.clone())));
            }
            if ui.button("Keep it").clicked() {
                self.asks = false;
            }
        });
        wanted
    }

    fn edit(&mut self, ui: &mut Ui, free: bool) -> Option<(&'static str, Errand)> {
        let typed = self.typed.as_mut()?;
        Grid::new("details").num_columns(2).show(ui, |ui| {
            let Typed { name, tags, authors, licence, notes } = typed;
            let rows = [("Name", name), ("Tags of it", tags), ("Authors", authors), ("Licence", licence)];
            for (what, text) in rows {
                let label = ui.label(what);
                ui.add(TextEdit::singleline(text).desired_width(f32::INFINITY)).labelled_by(label.id);
                ui.end_row();
            }
            let label = ui.label("Notes");
            ui.add(TextEdit::multiline(notes).desired_rows(2).desired_width(f32::INFINITY)).labelled_by(label.id);
            ui.end_row();
        });
        let mut wanted = None;
        let mut ends = false;
        ui.horizontal(|ui| {
            let ready = free && !typed.name.trim().is_empty();
            if named(ui, ready, "Save", "Save what the chain says of itself").clicked() {
                let Typed { name, tags, authors, licence, notes } = &*typed;
                let about = About {
                    tags: words(tags),
                    authors: words(authors),
                    licence: licence.trim().to_owned(),
                    notes: notes.trim().to_owned(),
                    ..About::default()
                };
                wanted =
                    Some(("Saving", Errand::Describe { path: self.entry.path.clone(), name: name.clone(), about }));
                ends = true;
            }
            ends |= ui.button("Cancel").clicked();
        });
        if ends {
            self.typed = None;
        }
        wanted
    }
}
