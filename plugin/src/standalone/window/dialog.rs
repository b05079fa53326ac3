//! Choosing a chain file: a path to type, and the folder it is in to click through.

use std::path::{Path, PathBuf};

use egui::{Id, Key, Modal, ScrollArea, TextEdit, Ui};
use host_core::model::Folders;

use super::bar::Next;

/// Frames in which an opened dialog gives its field the keys.
const FRESH: u8 = 4;

/// What the file is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To be opened.
    Open,
    /// To be saved.
    Save,
}

/// What became of a dialog.
pub enum Outcome {
    /// Still open.
    Open,
    /// Closed without a choice.
    Cancelled,
    /// This file.
    Chosen(PathBuf),
}

/// An open dialog.
pub struct Dialog {
    kind: Kind,
    next: Option<Next>,
    text: String,
    folder: PathBuf,
    entries: Vec<Entry>,
    problem: String,
    fresh: u8,
    /// An existing file that was chosen once for saving: the second time it is replaced.
    replace: Option<PathBuf>,
}

struct Entry {
    name: String,
    path: PathBuf,
    enter: bool,
}

impl Dialog {
    /// A dialog that begins at `near`, else in the user's chain folder; `next` comes after it.
    pub fn new(kind: Kind, near: Option<&Path>, next: Option<Next>) -> Self {
        let chains = Folders::from_env().chains();
        let near = near.and_then(|path| std::path::absolute(path).ok());
        let folder = near.as_deref().and_then(Path::parent).map_or(chains, Path::to_path_buf);
        // So that the first save has a place to go.
        let _told_when_saving = std::fs::create_dir_all(&folder);
        let text = match (&near, kind) {
            (Some(path), Kind::Save) => path.display().to_string(),
            (None, Kind::Save) => folder.join("chain.catena").display().to_string(),
            (_, Kind::Open) => folder.join("").display().to_string(),
        };
        let (entries, problem) = (Vec::new(), String::new());
        let mut dialog = Self { kind, next, text, folder, entries, problem, fresh: FRESH, replace: None };
        dialog.read();
        dialog
    }

    /// What it is for.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What comes when the file is saved.
    pub fn next(&self) -> Option<Next> {
        self.next
    }

    /// Draws it.
    pub fn show(&mut self, ui: &mut Ui) -> Outcome {
        let title = match self.kind {
            Kind::Open => "Open a chain",
            Kind::Save => "Save the chain",
        };
        let mut outcome = Outcome::Open;
        Modal::new(Id::unique(title)).show(ui.ctx(), |ui| {
            ui.set_width(520.0);
            ui.heading(title);
            let field = ui.add(TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY).hint_text("Path"));
            if self.fresh > 0 {
                field.request_focus();
                // The click that opened the dialog takes the focus from what it missed, in the frames after it too.
                self.fresh -= 1;
                ui.request_repaint();
            }
            let typed = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if let Some(chosen) = self.list(ui) {
                outcome = Outcome::Chosen(chosen);
            }
            if !self.problem.is_empty() {
                ui.label(&self.problem);
            }
            if let Some(end) = self.buttons(ui, typed) {
                outcome = end;
            }
        });
        outcome
    }

    /// The folder; a double click chooses.
    fn list(&mut self, ui: &mut Ui) -> Option<PathBuf> {
        let (mut clicked, mut chosen) = (None, None);
        ScrollArea::vertical().max_height(260.0).auto_shrink([false, false]).show(ui, |ui| {
            for entry in &self.entries {
                let label = if entry.enter { format!("{}/", entry.name) } else { entry.name.clone() };
                let row = ui.selectable_label(false, label);
                if row.double_clicked() && !entry.enter && self.kind == Kind::Open {
                    chosen = Some(entry.path.clone());
                } else if row.clicked() {
                    clicked = Some((entry.path.clone(), entry.enter));
                }
            }
        });
        if let Some((path, enter)) = clicked {
            self.go(path, enter);
        }
        chosen
    }

    fn buttons(&mut self, ui: &mut Ui, typed: bool) -> Option<Outcome> {
        let verb = match self.kind {
            Kind::Open => "Open",
            Kind::Save => "Save",
        };
        ui.horizontal(|ui| {
            let confirmed = ui.button(verb).clicked() || typed;
            if ui.button("Cancel").clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                return Some(Outcome::Cancelled);
            }
            if !confirmed {
                return None;
            }
            let chosen = self.confirm();
            // There is something to say: the keys go back to where it can be mended.
            self.fresh = if chosen.is_none() { FRESH } else { 0 };
            chosen.map(Outcome::Chosen)
        })
        .inner
    }

    fn go(&mut self, path: PathBuf, enter: bool) {
        if enter {
            self.text = path.join("").display().to_string();
            self.folder = path;
            self.read();
        } else {
            self.text = path.display().to_string();
        }
    }

    /// The file that the text names, if it will do.
    fn confirm(&mut self) -> Option<PathBuf> {
        let mut path = self.folder.join(self.text.trim());
        if path.is_dir() && !is_chain(&path) {
            self.go(path, true);
            return None;
        }
        if self.kind == Kind::Open {
            if path.exists() {
                return Some(path);
            }
            self.problem = "There is no such file.".into();
            return None;
        }
        if !is_chain(&path) {
            path.as_mut_os_string().push(".catena");
        }
        if path.exists() && self.replace.as_ref() != Some(&path) {
            self.problem = "This file is there already. Save again to replace it.".into();
            self.replace = Some(path);
            return None;
        }
        Some(path)
    }

    /// Lists the folder: the one above, folders, chains.
    fn read(&mut self) {
        self.problem.clear();
        self.entries.clear();
        if let Some(parent) = self.folder.parent() {
            self.entries.push(Entry { name: "..".into(), path: parent.into(), enter: true });
        }
        let listed = match std::fs::read_dir(&self.folder) {
            Ok(listed) => listed,
            Err(error) => {
                self.problem = format!("This folder cannot be read: {error}");
                return;
            }
        };
        let mut entries: Vec<_> = listed.flatten().filter_map(|entry| Entry::new(entry.path())).collect();
        entries.sort_by_key(|entry| (!entry.enter, entry.name.to_lowercase()));
        self.entries.extend(entries);
    }
}

impl Entry {
    fn new(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let enter = path.is_dir() && !is_chain(&path);
        let shown = !name.starts_with('.') && (enter || is_chain(&path));
        shown.then_some(Self { name, path, enter })
    }
}

/// Whether the name is a chain's: packed, or a folder.
fn is_chain(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    name.ends_with(".catena") || name.ends_with(".catena.d")
}
