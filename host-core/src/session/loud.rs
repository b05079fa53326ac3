//! The level guard at home: where it is on, and what it has done. All `[home]`.

use super::owner::Owner;
use super::{GuardView, Purpose};
use crate::engine::LevelGuard;

impl Owner {
    /// What comes of too loud an output: by the chain's own word, else by who holds the session.
    fn level_guard(&self) -> LevelGuard {
        match (self.config.purpose, self.chain.guard) {
            (Purpose::Offline, _) => LevelGuard::Report,
            (Purpose::Standalone, None) | (_, Some(true)) => LevelGuard::Mute,
            (Purpose::Standalone | Purpose::Daw, _) => LevelGuard::Off,
        }
    }

    /// Tells the engine what is to come of it.
    pub(super) fn sync_guard(&self) {
        self.engine.set_level_guard(self.level_guard());
    }

    /// Looks what the guard has done.
    pub(super) fn look_at_guard(&mut self) {
        self.sync_guard();
        let now = self.guard_view();
        if now == self.guarded {
            return;
        }
        let rendered = now.times > self.guarded.times && !now.muted && self.config.purpose != Purpose::Offline;
        if rendered {
            self.set_notice("the output was above +18 dBFS while it was rendered".into());
        }
        self.guarded = now;
        self.news = true;
    }

    /// The guard as it is shown.
    pub(super) fn guard_view(&self) -> GuardView {
        let (muted, times) = self.engine.loud();
        GuardView { on: self.level_guard() == LevelGuard::Mute, muted, times }
    }
}
