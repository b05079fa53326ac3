//! What plugins ask of their host, acted on at a tick and never from inside their call.

use std::time::Instant;

use super::follow::InPlace;
use super::owner::Owner;
use crate::backend::Requests;
use crate::model::SlotId;

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
        let Some(live) = self.lives.get_mut(&id) else { return };
        if asked.dirty || asked.values {
            live.touched = true;
            live.values_stale = true;
            self.dirty = true;
            self.shared.mark_dirty();
        }
        if asked.params {
            live.reread();
        }
        if asked.tail {
            self.playing.stale = true;
            self.shared.mark_tail();
        }
        if (asked.latency || asked.tail) && !asked.restart {
            live.reread_times();
        }
        if asked.restart || asked.ports {
            self.restart(id, now);
        }
        self.news = true;
    }

    /// Restarts one plugin, as it asked; a plugin that asks without end is left as it is and named.
    fn restart(&mut self, id: SlotId, now: Instant) {
        let Some(live) = self.lives.get_mut(&id) else { return };
        if !live.restarts.allow(now) {
            live.notice = "asks to be restarted without end: ignored".into();
            return;
        }
        if live.node.is_some() {
            // A preset that waits restarts the plugin's sound anyway.
            self.playing.in_place.entry(id).or_insert(InPlace::Restart);
        }
    }
}
