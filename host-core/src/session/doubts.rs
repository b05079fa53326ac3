//! Whether the plugin that was opened is the one that was saved, and what could stand in for one that is missing. All `[home]`.
//!
//! A plugin of another version may be the same to its user. It is asked only where it shows: its parameters are other ones, it
//! refused the state, or it is later than it was. Another file alone is told and not asked. Until the user answers, a save keeps what
//! was saved of the plugin itself, so that the question comes again.

use super::EditError;
use super::SlotStatus;
use super::live::Live;
use super::owner::Owner;
use crate::model::{Known, PluginId, Slot, SlotId};

/// What is asked of a slot.
pub(super) struct Doubt {
    /// In what it is another, one sentence each.
    pub reasons: Vec<String>,
    /// The slot as it was saved.
    saved: Box<Slot>,
}

impl Owner {
    /// Looks at plugins of a chain that was loaded, once they are open and, where the session is active, started.
    pub(super) fn look_at_unseen(&mut self) {
        let Some(setup) = self.setup else { return };
        let lives = &mut self.lives;
        let chain = &self.chain;
        self.unseen.retain(|id| {
            let (Some(live), Some(slot)) = (lives.get_mut(id), chain.slot(*id)) else { return false };
            if live.mains.is_empty() {
                // It may be opened later.
                return true;
            }
            live.compare(slot, setup.rate);
            false
        });
    }

    /// What could take the place of a slot's plugin.
    pub(super) fn offers(&self, slot: &Slot, live: &Live) -> Vec<PluginId> {
        if live.status != SlotStatus::Missing {
            return Vec::new();
        }
        let itself = self.catalog.find(&slot.plugin).into_iter();
        itself.chain(self.catalog.others_of(slot)).map(|entry| entry.id.clone()).collect()
    }

    /// The plugin is the slot's from now on.
    pub(super) fn accept(&mut self, id: SlotId) -> Result<(), EditError> {
        let (live, slot, _doubt) = self.asked_of(id)?;
        // Its own state takes the place of the one that it refused.
        live.touched |= live.refused.take().is_some();
        live.save_into(slot);
        Ok(())
    }

    /// A slot is closed with what was saved of it.
    pub(super) fn close(&mut self, id: SlotId) -> Result<(), EditError> {
        let (_live, slot, doubt) = self.asked_of(id)?;
        let Slot { identity, state, params, .. } = *doubt.saved;
        (slot.identity, slot.state, slot.params) = (identity, state, params);
        self.guard.close(id);
        self.let_plugin_go(id);
        // Opened after all, it is asked about again.
        self.unseen.insert(id);
        self.queue_open(id);
        Ok(())
    }

    /// What is asked of a slot, which is asked no more.
    fn asked_of(&mut self, id: SlotId) -> Result<(&mut Live, &mut Slot, Doubt), EditError> {
        let slot = self.chain.slot_mut(id).ok_or(EditError::NoSlot(id))?;
        let no_doubt = || EditError::NoDoubt(slot.title().into());
        let live = self.lives.get_mut(&id).ok_or_else(no_doubt)?;
        let doubt = live.doubt.take().ok_or_else(no_doubt)?;
        Ok((live, slot, doubt))
    }
}

impl Live {
    /// Notes in what the plugin is another than the one that was saved.
    fn compare(&mut self, slot: &Slot, rate: f64) {
        self.unseen = false;
        let was = &slot.identity;
        let mut reasons = Vec::new();
        if let Some(why) = &self.refused {
            reasons.push(format!("the saved state was refused ({why})"));
        }
        if !was.parameters.is_empty()
            && let Some(how) = differ(&was.parameters, &self.known)
        {
            reasons.push(format!("its parameters are other ones: {how}"));
        }
        // Nobody noted the rate of a latency of none, which holds at every rate.
        let noted = if was.latency == 0 { !was.parameters.is_empty() } else { was.rate == rate };
        let latency = self.latency_of(slot);
        if noted && latency != was.latency && self.node.is_some() {
            reasons.push(format!("it is {latency} frames late, and was {} when it was saved", was.latency));
        }
        let hash = self.origin.as_ref().map_or("", |origin| &origin.hash);
        if !was.hash.is_empty() && !hash.is_empty() && was.hash != hash {
            let version = self.mains.first().map(|main| main.identity().version).unwrap_or_default();
            self.history = match version == was.version {
                true => "its file is another than the one it was saved with".into(),
                false => format!(
                    "its file is another than the one it was saved with: version {version}, was {}",
                    was.version
                ),
            };
        }
        if !reasons.is_empty() {
            self.doubt = Some(Doubt { reasons, saved: Box::new(slot.clone()) });
        }
    }
}

/// How parameters differ in what a saved value depends on, in words; `None`: they do not.
fn differ(was: &[Known], now: &[Known]) -> Option<String> {
    let find = |all: &[Known], key: &str| all.iter().find(|one| one.key == key).cloned();
    let named = |one: &Known| if one.name.is_empty() { one.key.clone() } else { one.name.clone() };
    let gone: Vec<_> = was.iter().filter(|one| find(now, &one.key).is_none()).map(named).collect();
    let new: Vec<_> = now.iter().filter(|one| find(was, &one.key).is_none()).map(named).collect();
    let moved = |one: &&Known| find(now, &one.key).is_some_and(|now| (now.min, now.max) != (one.min, one.max));
    let moved: Vec<_> = was.iter().filter(moved).map(named).collect();
    let parts = [("gone", gone), ("new", new), ("with another range", moved)];
    let parts = parts.into_iter().filter(|(_, names)| !names.is_empty());
    let words: Vec<_> = parts.map(|(what, names)| format!("{} {what}", super::replacing::named(&names))).collect();
    (!words.is_empty()).then(|| words.join("; "))
}
