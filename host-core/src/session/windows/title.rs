//! What windows are called. All `[home]`.

use crate::model::Slot;
use crate::session::owner::Owner;

impl Owner {
    /// The DAW says what it calls the container's track.
    pub(in crate::session) fn name_track(&mut self, name: String) {
        self.windows.track = name;
    }

    /// `Plugin - slot - track - Catena`, as far as it is known: the slot's own name or its number, and the DAW's track, or the chain's
    /// name where the DAW says none.
    pub(in crate::session) fn window_title(&self, slot: &Slot) -> String {
        let place = self.chain.slots().position(|other| other.id == slot.id).unwrap_or(0) + 1;
        let name = if slot.identity.name.is_empty() { slot.title() } else { &slot.identity.name };
        let own = slot.name.clone().unwrap_or_else(|| format!("slot {place}"));
        let track = if self.windows.track.is_empty() { &self.chain.name } else { &self.windows.track };
        let parts = [name, &own, track, "Catena"];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - ")
    }
}
