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
            (text!("library-tags"), tags.join(", ")),
            (text!("library-by"), authors.join(", ")),
            (text!("library-terms"), licence.clone()),
            (text!("library-notes"), notes.clone()),
            (
                text!("library-plugins"),
                sheet.members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>().join(", "),
            ),
        ];
        for (what, text) in rows.iter().filter(|(_, text)| !text.is_empty()) {
            ui.label(RichText::new(format!("{what}: {text}")).small().color(theme::QUIET));
        }
        if self.asks {
            return self.ask_to_delete(ui);
        }
        let mut wanted = None;
        ui.horizontal_wrapped(|ui| {
            let why = text!("library-puts-it-in-the-place");
            if named(ui, free, text!("library-load"), &text!("library-load-name", name)).on_hover_text(why).clicked() {
                wanted = Some((text!("library-loading"), Errand::Open(path.clone())));
            }
            let (star, word) = if *favourite {
                (text!("library-no-favourite"), text!("library-is-no-favourite", name))
            } else {
                (text!("library-make-favourite"), text!("library-is-a-favourite", name))
            };
            if named(ui, free, star, &word).clicked() {
                wanted = Some((text!("library-saving"), Errand::Favourite(path.clone(), !favourite)));
            }
            if !own {
                let text = text!("library-it-comes-with-catena-save");
                ui.label(RichText::new(text).small().color(theme::QUIET));
                return;
            }
            if named(ui, free, text!("library-edit"), &text!("library-edit-what-says-of-itself", name)).clicked() {
                let About { tags, authors, licence, notes, .. } = sheet.about.clone();
                let (tags, authors) = (tags.join(", "), authors.join(", "));
                self.typed = Some(Typed { name: name.clone(), tags, authors, licence, notes });
            }
            if named(ui, free, text!("library-delete"), &text!("library-delete-name", name)).clicked() {
                self.asks = true;
            }
        });
        wanted
    }

    fn ask_to_delete(&mut self, ui: &mut Ui) -> Option<(&'static str, Errand)> {
        let mut wanted = None;
        ui.horizontal_wrapped(|ui| {
            let text = text!("library-delete-its-file-is-gone-then", name = self.entry.sheet.name);
            ui.label(RichText::new(text).color(theme::TROUBLE));
            if ui.button(text!("library-delete-it")).clicked() {
                self.asks = false;
                wanted = Some((text!("library-deleting"), Errand::DeleteChain(self.entry.path.clone())));
            }
            if ui.button(text!("library-keep-it")).clicked() {
                self.asks = false;
            }
        });
        wanted
    }

    fn edit(&mut self, ui: &mut Ui, free: bool) -> Option<(&'static str, Errand)> {
        let typed = self.typed.as_mut()?;
        Grid::new("details").num_columns(2).show(ui, |ui| {
            let Typed { name, tags, authors, licence, notes } = typed;
            let rows = [
                (text!("library-name"), name),
                (text!("library-tags-of-it"), tags),
                (text!("library-authors"), authors),
                (text!("library-licence"), licence),
            ];
            for (what, text) in rows {
                let label = ui.label(what);
                ui.add(TextEdit::singleline(text).desired_width(f32::INFINITY)).labelled_by(label.id);
                ui.end_row();
            }
            let label = ui.label(text!("library-notes"));
            ui.add(TextEdit::multiline(notes).desired_rows(2).desired_width(f32::INFINITY)).labelled_by(label.id);
            ui.end_row();
        });
        let mut wanted = None;
        let mut ends = false;
        ui.horizontal(|ui| {
            let ready = free && !typed.name.trim().is_empty();
            if named(ui, ready, text!("library-save"), text!("library-save-what-the-chain-says")).clicked() {
                let Typed { name, tags, authors, licence, notes } = &*typed;
                let about = About {
                    tags: words(tags),
                    authors: words(authors),
                    licence: licence.trim().to_owned(),
                    notes: notes.trim().to_owned(),
                    ..About::default()
                };
                wanted = Some((
                    text!("library-saving"),
                    Errand::Describe { path: self.entry.path.clone(), name: name.clone(), about },
                ));
                ends = true;
            }
            ends |= ui.button(text!("library-cancel")).clicked();
        });
        if ends {
            self.typed = None;
        }
        wanted
    }
}
