//! What plugins ask of their host, acted on at a tick and never from inside their call.

use std::collections::btree_map::Entry;
use std::time::{Duration, Instant};

use super::follow::InPlace;
use super::owner::Owner;
use crate::backend::Requests;
use crate::model::SlotId;

/// A plugin that wants to be restarted this soon after the user loaded a preset of it wants that because of it.
const AFTER_PRESET: Duration = Duration::from_secs(2);

impl Owner {
    /// Acts on what plugins asked for.
    pub(super) fn serve_requests(&mut self, now: Instant) {
        let ids: Vec<_> = self.lives.keys().copied().collect();
        for id in ids {
            let Some(live) = self.lives.get_mut(&id) else { continue };
            let asked = live.take_requests();
            if asked != Requests::default() {
                self.answer(id, asked, now);
            }
        }
    }

    fn answer(&mut self, id: SlotId, asked: Requests, now: Instant) {
        let loading = self.is_loading();
        let Some(live) = self.lives.get_mut(&id) else { return };
        if asked.dirty || asked.values {
            live.touched = true;
            live.values_stale = true;
            // What a plugin says of itself while its state is restored is no change of the user's.
            if !loading {
                self.mark_dirty();
            }
        }
        let Some(live) = self.lives.get_mut(&id) else { return };
        if asked.params || asked.pages {
            live.reread();
        }
        if asked.params {
            // Its parameters may have other places now.
            self.playing.stale |= self.is_mapped(id);
        }
        let Some(live) = self.lives.get_mut(&id) else { return };
        if asked.tail {
            self.playing.stale = true;
            self.shared.mark_tail();
        }
        if (asked.latency || asked.tail) && !asked.restart {
            live.reread_times();
        }
        if asked.restart || asked.ports {
            self.restart(id, asked.ports, now);
        }
        self.news = true;
    }

    /// Restarts one plugin, as it asked; one that asks again and again is named and has to wait.
    fn restart(&mut self, id: SlotId, ports: bool, now: Instant) {
        let Some(live) = self.lives.get_mut(&id) else { return };
        if !live.restarts.allow(now) {
            live.notice = "asks to be restarted again and again: it is made to wait".into();
            live.waiting.restart = true;
            live.waiting.ports |= ports;
            return;
        }
        let edited = live.preset.is_some_and(|then| now.saturating_duration_since(then) < AFTER_PRESET);
        if live.node.is_some() && edited && !ports {
            self.hold.restarts.insert(id);
        } else if live.node.is_some() {
            self.restart_in_place(id);
        } else if ports && live.wants_other_instances(self.chain.slot(id), self.config.channels) {
            self.reopen(id);
        }
    }

    /// Restarts a plugin once its sound has faded to dry: by itself, or behind what is to be done to it anyway.
    pub(super) fn restart_in_place(&mut self, id: SlotId) {
        match self.playing.in_place.entry(id) {
            Entry::Vacant(free) => drop(free.insert(InPlace::Restart)),
            Entry::Occupied(job) if matches!(job.get(), InPlace::Restart) => {}
            Entry::Occupied(_) => {
                if let Some(live) = self.lives.get_mut(&id) {
                    live.restart_due = true;
                }
            }
        }
    }

    /// Gives a plugin a preset or a state once its sound has faded to dry. A restart that waits comes with it.
    pub(super) fn load_in_place(&mut self, id: SlotId, job: InPlace) {
        if let Some(InPlace::Restart) = self.playing.in_place.insert(id, job)
            && let Some(live) = self.lives.get_mut(&id)
        {
            live.restart_due = true;
        }
    }

    /// The plugin or the user changed what a save writes.
    pub(super) fn mark_dirty(&mut self) {
        self.dirty = true;
        self.rescue.note_change();
        self.news = true;
        self.shared.mark_dirty();
    }

    /// Whether a chain is being opened, or the bytes it came from are still what a save writes.
    fn is_loading(&self) -> bool {
        self.kept.is_some() || !self.to_open.is_empty()
    }
}
