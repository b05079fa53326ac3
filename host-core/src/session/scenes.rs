//! Snapshots A to D: stored, copied, recalled. All `[home]`.
//!
//! A recall is heard at once where every slot runs the same plugin and the plugins differ in values alone. What else differs is made
//! ready first: plugins with another state are opened beside those that sound, and then all is exchanged together. Whether values
//! were all that differed is asked of the plugin afterwards; one that kept more to itself is exchanged for one with the state.
//!
//! Where edits that change the latency are held, one that does waits as a whole, values too, until it may be heard: an undo or a redo of
//! several things at once likewise. A save writes what it will bring.

mod whole;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use super::follow::InPlace;
use super::history::Kept;
use super::live::Live;
use super::owner::Owner;
use super::{EditError, LatencyChange, SnapshotEdit};
use crate::model::lanes::for_each_slot;
use crate::model::{Chain, Letter, PluginState, Scene, SharedScene, Slot, SlotId};

/// The snapshots, as shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnapshotsView {
    /// Which of them hold something, A to D.
    pub stored: [bool; 4],
    /// The one that was stored or recalled last.
    pub current: Option<Letter>,
    /// One that was recalled and is made ready beside what sounds.
    pub getting_ready: Option<Letter>,
}

/// What is made ready.
enum Goal {
    /// A snapshot.
    Scene(Letter, SharedScene),
    /// Another chain.
    Chain,
    /// So many steps are to be done.
    Travel(usize),
}

/// A snapshot, or another chain, that is made ready.
struct Ready {
    goal: Goal,
    /// What its step is called.
    label: String,
    to: Kept,
    to_open: VecDeque<SlotId>,
    /// It waits as a whole, for what it will do to the latency.
    waits: Option<LatencyChange>,
    waited: bool,
}

/// What a slot was given.
struct Check {
    /// The state that the values should have made.
    state: PluginState,
    params: BTreeMap<String, f64>,
    /// When the plugin has them.
    from: Instant,
}

impl Check {
    /// Something else moved the slot meanwhile: there is nothing left to compare.
    fn is_past(&self, slot: Option<&Slot>) -> bool {
        let other = |(key, value): (&String, &f64)| {
            slot.is_some_and(|slot| slot.params.get(key).is_some_and(|now| now != value))
        };
        slot.is_none() || self.params.iter().any(other)
    }
}

/// What goes on with snapshots.
#[derive(Default)]
pub(super) struct Stagehand {
    ready: Option<Ready>,
    /// Plugins that were opened for a snapshot that is made ready.
    prepared: BTreeMap<SlotId, Live>,
    /// Slots that were given values.
    to_check: BTreeMap<SlotId, Check>,
}

impl Stagehand {
    /// Whether something is still to be done now.
    pub(super) fn is_busy(&self) -> bool {
        self.opens() || !self.to_check.is_empty()
    }

    /// Whether plugins are still to be opened.
    pub(super) fn opens(&self) -> bool {
        self.ready.is_some() && self.waits().is_none()
    }

    /// Plugins that are opened and in no chain yet.
    pub(super) fn prepared(&self) -> impl Iterator<Item = &Live> {
        self.prepared.values()
    }

    /// The same, to be served.
    pub(super) fn prepared_mut(&mut self) -> impl Iterator<Item = &mut Live> {
        self.prepared.values_mut()
    }

    /// The plugin that was opened for a slot.
    pub(super) fn take(&mut self, slot: &Slot) -> Option<Live> {
        if self.prepared.get(&slot.id).is_some_and(|live| live.is_of(slot)) {
            self.prepared.remove(&slot.id)
        } else {
            None
        }
    }

    /// A slot's plugin goes: what was to be looked at there was its own.
    pub(super) fn forget_check(&mut self, id: SlotId) {
        self.to_check.remove(&id);
    }

    /// A slot was given values: whether they made this state is to be looked at.
    pub(super) fn check(&mut self, slot: &Slot, from: Instant) {
        if let Some(state) = &slot.state {
            self.to_check.insert(slot.id, Check { state: state.clone(), params: slot.params.clone(), from });
        }
    }
}

impl Owner {
    /// One of the edits of a snapshot, but for its recall.
    pub(super) fn edit_snapshot(&mut self, letter: Letter, edit: SnapshotEdit) -> Result<(), EditError> {
        let stored = self.chain.snapshots.stored.get(&letter).cloned();
        match edit {
            SnapshotEdit::Store => {
                self.save_all();
                let (mut nodes, macros) = (self.chain.nodes.clone(), self.chain.macros.clone());
                // A file has no word for a value that is no number.
                for_each_slot(&mut nodes, &mut |slot| slot.params.retain(|_, value| value.is_finite()));
                let scene = Scene { nodes, macros, ..Scene::default() };
                self.chain.snapshots.stored.insert(letter, SharedScene(Arc::new(scene)));
                self.chain.snapshots.current = Some(letter);
            }
            SnapshotEdit::CopyTo(other) => {
                let scene = stored.ok_or(EditError::NoSnapshot(letter))?;
                self.chain.snapshots.stored.insert(other, scene);
            }
            SnapshotEdit::Clear => {
                self.chain.snapshots.stored.remove(&letter).ok_or(EditError::NoSnapshot(letter))?;
                self.chain.snapshots.current = self.chain.snapshots.current.filter(|current| *current != letter);
            }
            SnapshotEdit::Recall => self.recall(letter)?,
        }
        Ok(())
    }

    fn save_all(&mut self) {
        let lives = &mut self.lives;
        for_each_slot(&mut self.chain.nodes, &mut |slot| {
            if let Some(live) = lives.get_mut(&slot.id) {
                live.save_into(slot);
            }
        });
    }

    fn recall(&mut self, letter: Letter) -> Result<(), EditError> {
        let scene = self.chain.snapshots.stored.get(&letter).cloned().ok_or(EditError::NoSnapshot(letter))?;
        let before = self.before_ready();
        let to = before.with_scene(letter, &scene);
        self.make_ready(Goal::Scene(letter, scene), format!("Recall snapshot {letter}"), &before, to);
        Ok(())
    }

    /// Puts another chain in the place of this one, as one step: what is new is made ready beside what sounds.
    pub(super) fn bring_chain(&mut self, chain: Chain, label: String) {
        let before = self.before_ready();
        let to = before.with_chain(chain);
        self.make_ready(Goal::Chain, label, &before, to);
    }

    /// The chain now, with all that waits done with.
    fn before_ready(&mut self) -> Arc<Kept> {
        self.close_step();
        self.cancel_ready();
        // A preset that waits is of before this.
        let waits = |(id, job): (&SlotId, &InPlace)| matches!(job, InPlace::Preset(_)).then_some(*id);
        let waiting: Vec<_> = self.playing.in_place.iter().filter_map(waits).collect();
        waiting.into_iter().for_each(|id| self.restore_in_place(id));
        self.save_all();
        self.kept_now()
    }

    fn make_ready(&mut self, goal: Goal, label: String, before: &Kept, to: Kept) {
        let known = |slot: &&Arc<Slot>| self.catalog.find(&slot.plugin).is_some();
        // Where latencies are held, what a plugin with another one will have has to be known before it is given anything.
        let held = self.chain.hold_latency;
        let later = |old: &Slot, new: &Slot| old.state != new.state && old.identity.latency != new.identity.latency;
        let anew = |slot: &&Arc<Slot>| {
            before.slot(slot.id).is_none_or(|old| needs_opening(old, slot) || (held && later(old, slot)))
        };
        let to_open: VecDeque<_> = to.slots().filter(known).filter(anew).map(|slot| slot.id).collect();
        let opens = !to_open.is_empty();
        self.scenes.ready = Some(Ready { goal, label, to, to_open, waits: None, waited: false });
        self.news = true;
        if opens {
            // Opening holds this thread up: it is said first.
            self.publish();
        }
        self.get_ready();
    }

    /// Opens the next plugin of a snapshot that is made ready, or brings it on.
    pub(super) fn get_ready(&mut self) {
        let Some(ready) = &mut self.scenes.ready else { return };
        if let Some(id) = ready.to_open.pop_front() {
            let Some(slot) = ready.to.slot(id).cloned() else { return };
            let live = self.opened(&slot);
            self.scenes.prepared.insert(id, live);
            self.news = true;
            if self.scenes.ready.as_ref().is_some_and(|ready| !ready.to_open.is_empty()) {
                return;
            }
        }
        if self.ready_waits() {
            return;
        }
        let Some(Ready { goal, label, to, waited, .. }) = self.scenes.ready.take() else { return };
        if let Goal::Travel(to) = goal {
            return self.travel_now(to);
        }
        self.follow_macros();
        if waited {
            // What was done meanwhile comes before it.
            self.close_step();
            self.save_all();
        }
        let before = self.kept_now();
        let to = match &goal {
            Goal::Scene(letter, scene) if waited => before.with_scene(*letter, scene),
            _ => to,
        };
        self.bring_snapshot(&before, &to);
        self.end_ready(label, before, to);
        self.after_bringing();
        // What was opened and is not wanted after all.
        for (_, mut live) in std::mem::take(&mut self.scenes.prepared) {
            live.stop();
        }
    }

    /// Something else was done: what is made ready is of no use.
    pub(super) fn cancel_ready(&mut self) {
        let Some(ready) = self.scenes.ready.take() else { return };
        if ready.waits.is_some() && self.hold.change.is_none() {
            self.hold.forced = false;
        }
        self.news = true;
        for (_, mut live) in std::mem::take(&mut self.scenes.prepared) {
            live.stop();
        }
    }

    /// Looks whether plugins that were given values have the state that belongs to them; one that has not is exchanged for one that
    /// has, which is opened beside it.
    pub(super) fn look_at_checks(&mut self, now: Instant) {
        self.scenes.to_check.retain(|id, check| !check.is_past(self.chain.slot(*id)));
        if self.scenes.to_check.is_empty() || !self.to_open.is_empty() || self.macros_wait() {
            return;
        }
        if !self.unsent.is_empty() {
            let from = self.settled_from(now);
            return self.scenes.to_check.values_mut().for_each(|check| check.from = from);
        }
        // Not when macros leave the slot alone: automation may never do.
        let ripe = |(id, check): &(&SlotId, &Check)| now >= check.from && !self.playing.in_place.contains_key(*id);
        let Some(id) = self.scenes.to_check.iter().find(ripe).map(|(id, _)| *id) else { return };
        let Some(Check { state, params, .. }) = self.scenes.to_check.remove(&id) else { return };
        let (Some(live), Some(slot)) = (self.lives.get_mut(&id), self.chain.slot_mut(id)) else { return };
        live.save_into(slot);
        if slot.params != params || slot.state.as_ref() == Some(&state) || live.mains.is_empty() {
            return;
        }
        slot.state = Some(state);
        self.let_slot_go(id);
        self.playing.leaving.extend(self.lives.remove(&id));
        self.queue_open(id);
    }

    /// Another chain is there.
    pub(super) fn forget_checks(&mut self) {
        self.cancel_ready();
        self.scenes.to_check.clear();
    }

    /// The snapshots, as shown.
    pub(super) fn show_snapshots(&self) -> SnapshotsView {
        let snapshots = &self.chain.snapshots;
        SnapshotsView {
            stored: Letter::ALL.map(|letter| snapshots.stored.contains_key(&letter)),
            current: snapshots.current,
            getting_ready: self.scenes.ready.as_ref().and_then(|ready| match ready.goal {
                Goal::Scene(letter, _) => Some(letter),
                Goal::Chain | Goal::Travel(_) => None,
            }),
        }
    }
}

/// Whether values alone cannot make one slot of the other.
fn needs_opening(old: &Slot, new: &Slot) -> bool {
    old.plugin != new.plugin || old.adapt != new.adapt || (old.state != new.state && old.params == new.params)
}
