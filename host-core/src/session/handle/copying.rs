//! Copying to a clipboard and pasting from it.

use super::SessionHandle;
use crate::home::PATIENCE;
use crate::model::SlotId;
use crate::model::places::Container;
use crate::session::{Command, EditError};
use crate::store::clipboard;

impl SessionHandle {
    /// Slots, and lanes with all that they hold, as text, with the states that they have now; of none: the whole chain.
    /// `[any but audio]`
    pub fn copy(&self, ids: Vec<SlotId>) -> Result<String, EditError> {
        self.settle();
        let copied = self.ask(PATIENCE, move |owner| {
            owner.flush_params();
            owner.copies(&ids)
        });
        Ok(clipboard::to_text(&copied.map_err(|error| EditError::Busy(error.to_string()))??)?)
    }

    /// The same; what cannot be copied is said in the snapshot's notice. `[any but audio]`
    pub fn copy_telling(&self, ids: Vec<SlotId>) -> Option<String> {
        match self.copy(ids) {
            Ok(text) => Some(text),
            Err(error) => {
                self.later(move |owner| owner.set_notice(error.to_string()));
                None
            }
        }
    }

    /// Puts what a text holds in at a place of a lane or of the chain itself (the end where it is past it), as one edit. What becomes
    /// of it is seen in the snapshot, a refusal in its notice. `[any but audio]`
    pub fn paste(&self, text: &str, into: Container, index: usize) {
        match clipboard::from_text(text) {
            Ok(chain) => self.send(Command::Paste { nodes: chain.nodes, macros: chain.macros, into, index }),
            Err(error) => self.later(move |owner| owner.set_notice(error.to_string())),
        }
    }
}
