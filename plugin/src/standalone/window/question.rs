//! What to do with a chain that is not saved before something else takes its place.

use std::path::Path;

use egui::{Id, Key, Modal, Modifiers, Ui};

use super::bar::Next;

/// What the user wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save it, then go on.
    Save,
    /// Go on without it.
    Discard,
    /// Stay with it.
    Back,
}

/// The question, while it is open.
pub struct Question {
    next: Next,
    text: String,
    fresh: bool,
}

impl Question {
    /// Asks about the chain of `file` before `next`.
    pub fn new(next: Next, file: Option<&Path>) -> Self {
        let name = file.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let text = match name {
            Some(name) => format!("{name} has changes that are not saved."),
            None => "This chain is not saved.".into(),
        };
        Self { next, text, fresh: true }
    }

    /// What is to come after it.
    pub fn next(&self) -> Next {
        self.next
    }

    /// Draws it. Enter saves, Ctrl+D goes on without, Escape goes back.
    pub fn show(&mut self, ui: &mut Ui) -> Option<Answer> {
        let without = match self.next {
            Next::New | Next::Open => "Discard changes",
            Next::Close => "Close without saving",
        };
        let mut answer = None;
        Modal::new(Id::unique("question")).show(ui.ctx(), |ui| {
            ui.heading("Save the chain first?");
            ui.label(&self.text);
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                let save = ui.button("Save").on_hover_text("Save, then go on (Enter)");
                if std::mem::take(&mut self.fresh) {
                    save.request_focus();
                }
                let clicked = [
                    (save.clicked(), Answer::Save),
                    (ui.button(without).on_hover_text("The changes are lost (Ctrl+D)").clicked(), Answer::Discard),
                    (ui.button("Cancel").on_hover_text("Go back to the chain (Escape)").clicked(), Answer::Back),
                ];
                answer = clicked.into_iter().find(|(clicked, _)| *clicked).map(|(_, answer)| answer);
            });
        });
        answer.or_else(|| {
            ui.input_mut(|input| {
                if input.consume_key(Modifiers::NONE, Key::Escape) {
                    Some(Answer::Back)
                } else if input.consume_key(Modifiers::COMMAND, Key::D) {
                    Some(Answer::Discard)
                } else {
                    None
                }
            })
        })
    }
}
