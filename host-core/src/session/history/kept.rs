//! The chain at one moment, for undo and for the snapshots A to D.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use crate::model::lanes::for_each_slot;
use crate::model::{Bytes, Chain, Lane, Letter, MacroId, Node, Scene, Slot, SlotId};

/// A rough size of a slot's own data, and of one parameter with its key, bytes.
const SLOT: usize = 600;
const PARAM: usize = 80;

/// A chain whose slots are shared with others.
#[derive(Clone, Default)]
pub(in crate::session) struct Kept {
    /// All but the slots, in whose place stand ones that know their id and plugin alone.
    pub(super) frame: Chain,
    pub(super) slots: BTreeMap<SlotId, Arc<Slot>>,
    /// What the plugins' own bypasses are, which no save writes as parameters.
    pub(super) bypasses: BTreeMap<(SlotId, String), f64>,
}

/// What a hand turned, and what followed it.
#[derive(Default)]
pub(super) struct Turned {
    /// Slots and lanes.
    pub places: HashSet<SlotId>,
    /// Macros.
    pub macros: BTreeSet<MacroId>,
}

impl Kept {
    /// `chain` as it is now, sharing with `last` what is the same. `fuller` gives a slot with values that the model lacks.
    pub(super) fn of(chain: &mut Chain, last: Option<&Self>, fuller: impl Fn(&Slot) -> Option<Slot>) -> Self {
        // Foreign code is asked first: nothing may go wrong while the slots have stepped aside.
        let mut full: BTreeMap<_, _> = chain.slots().filter_map(|slot| Some((slot.id, fuller(slot)?))).collect();
        // The slots step aside while the rest is copied.
        let mut aside = Vec::new();
        for_each_slot(&mut chain.nodes, &mut |slot| {
            let stub = Slot::new(slot.id, slot.plugin.clone());
            aside.push(std::mem::replace(slot, stub));
        });
        let frame = chain.clone();
        let mut slots = BTreeMap::new();
        for slot in &aside {
            let full = full.remove(&slot.id);
            let now = full.as_ref().unwrap_or(slot);
            let shared = last.and_then(|last| last.slots.get(&slot.id)).filter(|kept| ***kept == *now);
            slots.insert(slot.id, shared.cloned().unwrap_or_else(|| Arc::new(now.clone())));
        }
        let mut back = aside.into_iter();
        for_each_slot(&mut chain.nodes, &mut |slot| {
            if let Some(own) = back.next() {
                *slot = own;
            }
        });
        Self { frame, slots, bypasses: BTreeMap::new() }
    }

    /// Whether both are of the same chain. What is shared is seen at once.
    pub(super) fn is(&self, other: &Self) -> bool {
        let (one, two) = (&self.slots, &other.slots);
        let same = |(a, b): (&Arc<Slot>, &Arc<Slot>)| Arc::ptr_eq(a, b) || a == b;
        one.len() == two.len()
            && one.values().zip(two.values()).all(same)
            && self.bypasses == other.bypasses
            && self.frame == other.frame
    }

    /// The same, but with `before`'s word on all but what was turned: what moved meanwhile moved by itself.
    pub(super) fn only(&self, turned: &Turned, before: &Self) -> Self {
        let mut other = self.clone();
        for (slot, own) in &mut other.slots {
            if let Some(old) = before.slots.get(slot).filter(|_| !turned.places.contains(slot)) {
                own.clone_from(old);
            }
        }
        let old = before.frame.macros.iter().filter(|one| !turned.macros.contains(&one.number));
        let own = self.frame.macros.iter().filter(|one| turned.macros.contains(&one.number));
        other.frame.macros = old.chain(own).cloned().collect();
        other.frame.macros.sort_by_key(|one| one.number);
        for_each_lane(&mut other.frame.nodes, &mut |lane| {
            if let Some(old) = before.frame.lane(lane.id).filter(|_| !turned.places.contains(&lane.id)) {
                (lane.gain, lane.mute) = (old.gain, old.mute);
            }
        });
        other
    }

    /// All but the slots, in whose place stand ones that know their id and plugin alone.
    pub(in crate::session) fn frame(&self) -> &Chain {
        &self.frame
    }

    /// The chain that it is of.
    pub(in crate::session) fn chain(&self) -> Chain {
        let mut chain = self.frame.clone();
        for_each_slot(&mut chain.nodes, &mut |slot| {
            if let Some(kept) = self.slots.get(&slot.id) {
                *slot = Slot::clone(kept);
            }
        });
        chain
    }

    /// The slots that it holds.
    pub(in crate::session) fn slots(&self) -> impl Iterator<Item = &Arc<Slot>> {
        self.slots.values()
    }

    /// The slot with `id`.
    pub(in crate::session) fn slot(&self, id: SlotId) -> Option<&Arc<Slot>> {
        self.slots.get(&id)
    }

    /// The same with a snapshot's nodes and macros, which is the current one.
    pub(in crate::session) fn with_scene(&self, letter: Letter, scene: &Scene) -> Self {
        let mut other = self.clone();
        let shell = Chain { nodes: scene.nodes.clone(), macros: scene.macros.clone(), ..Chain::default() };
        let scene = Self::of(&mut { shell }, Some(self), |_| None);
        (other.frame.nodes, other.frame.macros) = (scene.frame.nodes, scene.frame.macros);
        other.frame.snapshots.current = Some(letter);
        other.slots = scene.slots;
        other.bypasses.retain(|(id, _), _| other.slots.contains_key(id));
        other
    }

    /// Another chain in the place of this one. Its ids are raised above all that this one gave: nothing of one is taken for the other's.
    pub(in crate::session) fn with_chain(&self, mut chain: Chain) -> Self {
        let given = self.frame.clone().fresh_id().0 - 1;
        chain.fresh_id();
        chain.raise_ids(given);
        Self::of(&mut chain, None, |_| None)
    }

    /// The same with other slots.
    pub(super) fn with(&self, slots: impl IntoIterator<Item = Arc<Slot>>) -> Self {
        let mut other = self.clone();
        other.slots.extend(slots.into_iter().map(|slot| (slot.id, slot)));
        other
    }

    /// The bytes it holds, but for those that were `seen` already.
    pub(super) fn bytes(&self, seen: &mut HashSet<usize>) -> usize {
        let mut sum = if seen.insert(std::ptr::from_ref(self).addr()) { SLOT } else { 0 };
        for slot in self.slots.values().filter(|slot| seen.insert(Arc::as_ptr(slot).addr())).collect::<Vec<_>>() {
            sum += SLOT + PARAM * slot.params.len();
            let state = slot.state.iter().flat_map(|state| std::iter::once(&state.bytes).chain(state.assets.values()));
            sum += state.filter(|bytes| seen.insert(place(bytes))).map(|bytes| bytes.len()).sum::<usize>();
        }
        sum
    }
}

/// Lets `each` at every lane in `nodes`.
pub(super) fn for_each_lane(nodes: &mut [Node], each: &mut dyn FnMut(&mut Lane)) {
    for node in nodes {
        let Node::Lanes(group) = node else { continue };
        for lane in &mut group.lanes {
            each(lane);
            for_each_lane(&mut lane.nodes, each);
        }
    }
}

/// Gain and mute of lanes are a macro's to move: where no step changed them they stay.
pub(super) fn keep_moved_lanes(nodes: &mut [Node], from: &Chain, now: &Chain) {
    let mut each = |lane: &mut Lane| {
        let (Some(from), Some(now)) = (from.lane(lane.id), now.lane(lane.id)) else { return };
        if from.gain == lane.gain {
            lane.gain = now.gain;
        }
        if from.mute == lane.mute {
            lane.mute = now.mute;
        }
    };
    for_each_lane(nodes, &mut each);
}

fn place(bytes: &Bytes) -> usize {
    bytes.as_ptr().addr()
}
