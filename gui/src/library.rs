//! The library of chains: found by words and tags, loaded as one step, kept, described and taken away.

mod details;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Button, Key, RichText, Role, ScrollArea, TextEdit, Ui, WidgetInfo, vec2};
use host_core::model::{Folders, Words};
use host_core::session::{self, Answer, Errand, LibraryEntry, Snapshot};

use crate::controls::{named, toggle};
use crate::errands::{Said, Waiting};
use crate::export::Export;
use crate::host::Host;
use crate::stage::Seen;
use crate::theme;
use details::Details;

/// Height of a line of the list, points.
const ROW: f32 = 38.0;
/// Tags that are offered for a click.
const TAGS: usize = 16;

/// What the page remembers between frames.
#[derive(Default)]
pub(crate) struct Library {
    list: Option<Arc<session::Library>>,
    listing: Waiting,
    doing: Doing,
    search: String,
    /// The tag that a chain must have.
    tag: Option<String>,
    favourites: bool,
    /// The tags there are, and what fits.
    tags: Vec<String>,
    found: Vec<LibraryEntry>,
    /// The chain that is looked at.
    chosen: Option<Details>,
    /// What the chain is to be kept as, and found by.
    name: Option<String>,
    new_tags: String,
    replaces: bool,
    /// A file to be opened.
    path: String,
    /// The user's own chains lie here.
    own: PathBuf,
    export: Export,
}

/// What is being done, and what came of it.
#[derive(Default)]
struct Doing {
    waiting: Waiting,
    what: &'static str,
    said: Said,
}

impl Doing {
    fn ask(&mut self, what: &'static str, errand: Errand, host: &dyn Host) {
        (self.what, self.said) = (what, Said::default());
        self.waiting.ask(errand, host);
    }
}

impl Library {
    /// Opens a file that was dropped on the window.
    pub fn open(&mut self, path: PathBuf, host: &dyn Host) {
        self.doing.ask(text!("library-opening"), Errand::Open(path), host);
    }

    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        ui.add_space(6.0);
        if self.list.is_none() && !self.listing.is_waiting() {
            self.own = Folders::from_env().chains();
            self.listing.ask(Errand::Library, host);
        }
        self.settle(host);
        self.keep(ui, seen.snapshot, host);
        self.open_field(ui, host);
        self.export.ui(ui, seen.snapshot, host);
        let doing = self.doing.waiting.is_waiting().then_some(self.doing.what);
        self.doing.said.ui(ui, doing);
        ui.separator();
        self.find(ui, host);
        self.chosen(ui, host);
        self.rows(ui, host);
    }

    fn settle(&mut self, host: &dyn Host) {
        match self.listing.take() {
            Some(Ok(Answer::Library(list))) => self.take_in(list),
            Some(Err(why)) => self.doing.said = Said::failed(why),
            _ => {}
        }
        match self.doing.waiting.take() {
            Some(Ok(Answer::Taken(path))) => {
                self.replaces = true;
                self.doing.said = Said::done(vec![text!("library-there-is-a-chain", path = path.display())]);
            }
            Some(Ok(Answer::Done(lines))) => {
                self.doing.said = Said::done(lines);
                self.listing.ask(Errand::Library, host);
            }
            Some(Err(why)) => self.doing.said = Said::failed(why),
            _ => {}
        }
    }

    fn take_in(&mut self, list: Arc<session::Library>) {
        let mut counted: Vec<(usize, String)> = Vec::new();
        for tag in list.entries().iter().flat_map(|entry| &entry.sheet.about.tags) {
            match counted.iter_mut().find(|(_, known)| known == tag) {
                Some((count, _)) => *count += 1,
                None => counted.push((1, tag.clone())),
            }
        }
        counted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        counted.truncate(TAGS);
        self.tags = counted.into_iter().map(|(_, tag)| tag).collect();
        self.tag.take_if(|tag| !self.tags.contains(tag));
        if let Some(chosen) = self.chosen.take() {
            let now = list.entries().iter().find(|entry| entry.path == chosen.entry.path).cloned();
            self.chosen = now.map(|entry| chosen.again(entry));
        }
        self.list = Some(list);
        self.fit();
    }

    fn fit(&mut self) {
        let found = self.list.iter().flat_map(|list| list.search(&Words::new(&self.search)));
        let tagged = |entry: &&LibraryEntry| self.tag.as_ref().is_none_or(|tag| entry.sheet.about.tags.contains(tag));
        let wanted = |entry: &&LibraryEntry| tagged(entry) && (entry.favourite || !self.favourites);
        self.found = found.filter(wanted).cloned().collect();
    }

    /// Keeping the chain as it is.
    fn keep(&mut self, ui: &mut Ui, snapshot: &Snapshot, host: &dyn Host) {
        let free = !self.doing.waiting.is_waiting();
        let mut name = self.name.clone().unwrap_or_else(|| snapshot.name.clone());
        ui.horizontal_wrapped(|ui| {
            let label = ui.label(text!("library-save-as"));
            let response =
                ui.add(TextEdit::singleline(&mut name).hint_text(text!("library-name")).desired_width(110.0));
            if response.labelled_by(label.id).changed() {
                (self.name, self.replaces) = (Some(name.clone()), false);
            }
            let label = ui.label(text!("library-tags"));
            let field =
                TextEdit::singleline(&mut self.new_tags).hint_text(text!("library-vocal-bus")).desired_width(90.0);
            ui.add(field).labelled_by(label.id);
            let ready = free && !name.trim().is_empty() && !snapshot.nodes.is_empty();
            let (text, why) = match self.replaces {
                true => (text!("library-replace"), text!("library-puts-this-chain-in-the-place")),
                false => (text!("library-save"), text!("library-keeps-the-chain")),
            };
            if named(ui, ready, text, text!("library-save-this-chain-in-the-library")).on_hover_text(why).clicked() {
                let replace = std::mem::take(&mut self.replaces);
                let tags = details::words(&self.new_tags);
                self.doing.ask(text!("library-saving"), Errand::SaveChain { name: name.clone(), tags, replace }, host);
            }
        });
    }

    fn open_field(&mut self, ui: &mut Ui, host: &dyn Host) {
        let mut open = false;
        ui.horizontal_wrapped(|ui| {
            let label = ui.label(text!("library-open-or-import"));
            let field =
                TextEdit::singleline(&mut self.path).hint_text(text!("library-rack-carxp")).desired_width(130.0);
            let response = ui.add(field).labelled_by(label.id);
            let why = text!("library-a-chain-file-a-project");
            response.clone().on_hover_text(why);
            open = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let ready = !self.path.trim().is_empty() && !self.doing.waiting.is_waiting();
            open |=
                named(ui, ready, text!("library-open"), text!("library-open-this-file")).on_hover_text(why).clicked();
            open &= ready;
            if named(ui, true, text!("library-export"), text!("library-export-this-chain"))
                .on_hover_text(text!("library-presets-for-other-hosts-a-plugin"))
                .clicked()
            {
                self.export.toggle();
            }
        });
        if open {
            self.open(at_home(self.path.trim()), host);
        }
    }

    fn find(&mut self, ui: &mut Ui, host: &dyn Host) {
        let label = ui.label(text!("library-find-a-chain"));
        let field = TextEdit::singleline(&mut self.search)
            .hint_text(text!("library-name-tag-author-or-plugin"))
            .desired_width(f32::INFINITY)
            .return_key(None);
        let response = ui.add(field).labelled_by(label.id);
        let mut other = response.changed();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            if toggle(
                ui,
                self.favourites,
                text!("library-favourites"),
                text!("library-only-favourites"),
                text!("library-those-that-you-want-at-hand"),
            ) {
                self.favourites = !self.favourites;
                other = true;
            }
            for tag in &self.tags {
                let on = self.tag.as_ref() == Some(tag);
                if toggle(
                    ui,
                    on,
                    tag,
                    &text!("library-only-chains-tagged", tag),
                    text!("library-another-click-shows-all-again"),
                ) {
                    self.tag = (!on).then(|| tag.clone());
                    other = true;
                }
            }
        });
        if other {
            self.fit();
        }
        if response.has_focus() {
            self.keys(ui, host);
        }
        let all = self.list.as_ref().map(|list| list.entries().len());
        let text = match (all, self.found.len()) {
            (None, _) => text!("library-looking-for-chains").to_owned(),
            (Some(0), _) => text!("library-no-chain-is-kept-yet").to_owned(),
            (Some(all), found) if all == found => text!("library-all-chains", all),
            (Some(all), found) => text!("library-found-of-all-chains", found, all),
        };
        ui.label(RichText::new(text).small().color(theme::QUIET));
    }

    /// Arrows choose, Enter loads.
    fn keys(&mut self, ui: &Ui, host: &dyn Host) {
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        let at =
            self.chosen.as_ref().and_then(|chosen| self.found.iter().position(|entry| entry.path == chosen.entry.path));
        let to = match () {
            () if pressed(Key::ArrowDown) => Some(at.map_or(0, |at| at + 1)),
            () if pressed(Key::ArrowUp) => Some(at.unwrap_or(0).saturating_sub(1)),
            () if pressed(Key::Enter) && at.is_none() => Some(0),
            () => None,
        };
        if let Some(entry) = to.and_then(|to| self.found.get(to)).cloned() {
            self.chosen = Some(Details::of(entry));
        }
        // What the search does not show is not what is meant.
        let shown = |path: &PathBuf| self.found.iter().any(|entry| entry.path == *path);
        let path = self.chosen.as_ref().map(|chosen| chosen.entry.path.clone()).filter(shown);
        if let Some(path) = path.filter(|_| pressed(Key::Enter) && !self.doing.waiting.is_waiting()) {
            self.doing.ask(text!("library-loading"), Errand::Open(path), host);
        }
    }

    fn chosen(&mut self, ui: &mut Ui, host: &dyn Host) {
        let Some(chosen) = &mut self.chosen else { return };
        let own = chosen.entry.path.starts_with(&self.own);
        if let Some((what, errand)) = chosen.ui(ui, own, !self.doing.waiting.is_waiting()) {
            self.doing.ask(what, errand, host);
        }
    }

    fn rows(&mut self, ui: &mut Ui, host: &dyn Host) {
        let (mut choose, mut load) = (None, false);
        ScrollArea::vertical().id_salt("library").auto_shrink(false).show_rows(
            ui,
            ROW,
            self.found.len(),
            |ui, visible| {
                for entry in self.found.get(visible).unwrap_or_default() {
                    let current = self.chosen.as_ref().is_some_and(|chosen| chosen.entry.path == entry.path);
                    let response = line(ui, entry, current, !entry.path.starts_with(&self.own));
                    if response.clicked() {
                        choose = Some(entry.clone());
                    }
                    load |= response.double_clicked();
                }
            },
        );
        if let Some(entry) = choose {
            let path = entry.path.clone();
            self.chosen = Some(Details::of(entry));
            if load {
                self.doing.ask(text!("library-loading"), Errand::Open(path), host);
            }
        }
    }
}

/// A button of two lines: name, and below it tags and plugins.
fn line(ui: &mut Ui, entry: &LibraryEntry, current: bool, factory: bool) -> egui::Response {
    let sheet = &entry.sheet;
    let members: Vec<_> = sheet.members.iter().map(|member| member.name.as_str()).collect();
    let mut said: Vec<String> = Vec::new();
    said.extend(entry.favourite.then(|| text!("library-favourite").to_owned()));
    said.extend(factory.then(|| text!("library-comes-with-catena").to_owned()));
    said.extend((!sheet.about.tags.is_empty()).then(|| sheet.about.tags.join(", ")));
    said.push(members.join(", "));
    said.retain(|text| !text.is_empty());
    let byline = sheet
        .problem
        .as_ref()
        .map_or_else(|| said.join(" · "), |problem| text!("library-cannot-be-read-whole", problem));
    let response = ui.add(Button::selectable(current, "").min_size(vec2(ui.available_width(), ROW)));
    let rect = response.rect.shrink2(vec2(8.0, 3.0));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let [body, small] = [egui::TextStyle::Body, egui::TextStyle::Small].map(|style| style.resolve(ui.style()));
    painter.text(rect.left_top(), egui::Align2::LEFT_TOP, &sheet.name, body, theme::TEXT.into());
    let colour = if sheet.problem.is_some() { theme::TROUBLE } else { theme::QUIET };
    painter.text(rect.left_bottom(), egui::Align2::LEFT_BOTTOM, &byline, small, colour.into());
    let name = text!("library-chain", name = sheet.name, byline);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, current, &name));
    response.on_hover_text(text!("library-path-and-how-to-load", path = entry.path.display()))
}

/// `~` is the user's home.
pub(crate) fn at_home(text: &str) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        // As file managers copy it.
        _ => text.strip_prefix("file://").unwrap_or(text).into(),
    }
}
