//! What an edit would do to the latency, asked for while the pointer is on its button, and shown when it is known.

use std::sync::{Arc, Mutex, PoisonError};

use egui::Context;
use host_core::model::SlotId;
use host_core::session::{Command, LatencyChange};

use crate::host::Host;

/// What removing one slot would do to the latency.
#[derive(Default)]
pub(crate) struct Foreseen {
    /// The slot, and the chain's latency when it was asked for.
    asked: Option<(SlotId, u32)>,
    /// Written by whoever finds it out; another for each question, so that a late answer is nobody else's.
    answer: Arc<Mutex<Option<LatencyChange>>>,
}

impl Foreseen {
    /// Asks once, and again where the latency has become another.
    pub fn ask(&mut self, slot: SlotId, latency: u32, context: &Context, host: &dyn Host) {
        if self.asked == Some((slot, latency)) {
            return;
        }
        *self = Self { asked: Some((slot, latency)), answer: Arc::default() };
        let (answer, context) = (Arc::clone(&self.answer), context.clone());
        let tell = move |change| {
            *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(change);
            context.request_repaint();
        };
        host.foresee(Command::Remove(slot), Box::new(tell));
    }

    /// The pointer is on no such button.
    pub fn forget(&mut self) {
        self.asked = None;
    }

    /// What is known of removing `slot`, where that changes the latency.
    pub fn of(&self, slot: SlotId) -> Option<LatencyChange> {
        self.asked.filter(|(asked, _)| *asked == slot)?;
        let answer = *self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        answer.filter(|change| change.before != change.after)
    }
}
