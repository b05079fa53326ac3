//! What the session is asked to do beside the editor, and its answer.

use std::sync::{Arc, Mutex, PoisonError};

use egui::{RichText, Spinner, Ui};
use host_core::session::{Answer, Errand};

use crate::host::Host;
use crate::theme;

/// What came of an errand.
type Outcome = Result<Answer, String>;

/// An errand under way. Another one takes its place: what came of the one before is nobody's business then.
#[derive(Default)]
pub(crate) struct Waiting(Option<Arc<Mutex<Option<Outcome>>>>);

impl Waiting {
    /// Asks for something.
    pub fn ask(&mut self, errand: Errand, host: &dyn Host) {
        let place = Arc::new(Mutex::new(None));
        self.0 = Some(Arc::clone(&place));
        let tell = move |outcome| *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        host.run(errand, Box::new(tell));
    }

    /// What came of it, once.
    pub fn take(&mut self) -> Option<Outcome> {
        let outcome = self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        self.0 = None;
        Some(outcome)
    }

    /// Whether it is still being done.
    pub fn is_waiting(&self) -> bool {
        self.0.is_some()
    }
}

/// What there is to say of the last errand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    lines: Vec<String>,
    failed: bool,
}

impl Said {
    /// That it is done, and how.
    pub fn done(lines: Vec<String>) -> Self {
        Self { lines, failed: false }
    }

    /// Why not.
    pub fn failed(why: String) -> Self {
        Self { lines: vec![why], failed: true }
    }

    /// Draws it; while `doing`, that.
    pub fn ui(&self, ui: &mut Ui, doing: Option<&str>) {
        if let Some(doing) = doing {
            ui.horizontal(|ui| {
                ui.add(Spinner::new().size(14.0));
                ui.label(RichText::new(doing).color(theme::QUIET));
            });
        }
        for line in &self.lines {
            let text = RichText::new(line).small();
            ui.label(if self.failed { text.color(theme::TROUBLE) } else { text.color(theme::QUIET) });
        }
    }
}
