//! A report of what there is and what is wrong, for whoever is asked for help.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use egui::{RichText, Ui};

use crate::controls::named;
use crate::host::Host;
use crate::theme;

/// Where it was written, or why it was not.
type Answer = Result<PathBuf, String>;

/// A report that was asked for.
#[derive(Default)]
pub(crate) struct Report {
    asked: bool,
    answer: Arc<Mutex<Option<Answer>>>,
}

impl Report {
    /// Draws the button and what came of it.
    pub fn ui(&mut self, ui: &mut Ui, host: &dyn Host) {
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.asked &= answer.is_none();
        let why = text!("report-writes-what-is-installed");
        if named(ui, !self.asked, text!("report-report-a-problem"), text!("report-report-a-problem"))
            .on_hover_text(why)
            .clicked()
        {
            *self = Self { asked: true, answer: Arc::default() };
            let (answer, context) = (Arc::clone(&self.answer), ui.ctx().clone());
            host.report(Box::new(move |told| {
                *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
                context.request_repaint();
            }));
        }
        match answer {
            None if self.asked => {
                ui.label(RichText::new(text!("report-being-written")).color(theme::QUIET));
            }
            None => {}
            Some(Ok(path)) => {
                ui.label(text!("report-the-report-is-in", path = path.display()));
                ui.horizontal_wrapped(|ui| {
                    if named(ui, true, text!("report-copy-the-path"), text!("report-copy-the-reports-path")).clicked() {
                        ui.ctx().copy_text(path.display().to_string());
                    }
                    ui.label(RichText::new(text!("report-read-it-through-and-add")).color(theme::QUIET));
                });
            }
            Some(Err(why)) => {
                let text = text!("report-no-report-could-be-written", why);
                ui.label(RichText::new(text).color(theme::TROUBLE));
            }
        }
    }
}
