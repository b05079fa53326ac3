//! What an edit does to the latency that the DAW is told: said beforehand, and kept until the transport stops where the user wants
//! that. A DAW makes a gap where a latency changes while it plays. All `[home]`.

mod preview;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::LatencyChange;
use super::live::Live;
use super::owner::Owner;
use super::still::Stills;
use crate::engine::{SlotNode, reported};
use crate::model::{Chain, Lane, Lanes, LatencyMode, MAX_LATENCY, Node, Slot, SlotId};

/// What is held back until the transport stops.
#[derive(Default)]
pub(super) struct Hold {
    /// An edit waits; what it will do.
    pub(super) change: Option<LatencyChange>,
    /// The user wants it now.
    pub(super) forced: bool,
    /// The mode of the last plan of the model.
    mode: LatencyMode,
    /// The nodes of that plan, in outline: what sounds while an edit waits.
    nodes: Vec<Node>,
    /// What bears on plugins of that plan that have left the model.
    pub(super) still: Stills,
    /// Slots whose plugin wants to be started anew because of a preset that the user loaded.
    pub(super) restarts: BTreeSet<SlotId>,
}

/// The chain as it is to sound: the model, or while an edit is held the nodes of before it, with the settings that they have now.
pub(super) fn score<'a>(hold: &'a Hold, chain: &'a Chain) -> Cow<'a, Chain> {
    match hold.change {
        None => Cow::Borrowed(chain),
        Some(_) => Cow::Owned(Chain { nodes: with_settings(&hold.nodes, chain), ..Chain::default() }),
    }
}

/// `nodes` with the settings that `chain` has for them. What it has no more keeps its own.
fn with_settings(nodes: &[Node], chain: &Chain) -> Vec<Node> {
    let lane = |old: &Lane| Lane {
        nodes: with_settings(&old.nodes, chain),
        ..outline_of_lane(chain.lane(old.id).unwrap_or(old), Vec::new())
    };
    let group = |old: &Lanes| {
        let own = chain.group(old.id).filter(|own| alike(own, old));
        Lanes { lanes: old.lanes.iter().map(lane).collect(), ..outline_of_group(own.unwrap_or(old), Vec::new()) }
    };
    let of = |node: &Node| match node {
        Node::Slot(old) => outline_of_slot(chain.slot(old.id).unwrap_or(old)),
        Node::Lanes(old) => Node::Lanes(Box::new(group(old))),
        Node::Unknown(value) => Node::Unknown(value.clone()),
    };
    nodes.iter().map(of).collect()
}

/// Whether two groups have the same lanes in the same order.
fn alike(a: &Lanes, b: &Lanes) -> bool {
    a.lanes.iter().map(|lane| lane.id).eq(b.lanes.iter().map(|lane| lane.id))
}

/// What a plan depends on, without states and values.
fn outline(nodes: &[Node]) -> Vec<Node> {
    let lane = |lane: &Lane| outline_of_lane(lane, outline(&lane.nodes));
    let of = |node: &Node| match node {
        Node::Slot(slot) => outline_of_slot(slot),
        Node::Lanes(group) => Node::Lanes(Box::new(outline_of_group(group, group.lanes.iter().map(lane).collect()))),
        Node::Unknown(value) => Node::Unknown(value.clone()),
    };
    nodes.iter().map(of).collect()
}

fn outline_of_slot(slot: &Slot) -> Node {
    let (strip, sidechain) = (slot.strip, slot.sidechain);
    Node::Slot(Box::new(Slot { strip, sidechain, ..Slot::new(slot.id, slot.plugin.clone()) }))
}

fn outline_of_lane(lane: &Lane, nodes: Vec<Node>) -> Lane {
    let Lane { gain, pan, mute, solo, delay, aux, dry, .. } = *lane;
    Lane { gain, pan, mute, solo, delay, aux, dry, nodes, ..Lane::new(lane.id) }
}

fn outline_of_group(group: &Lanes, lanes: Vec<Lane>) -> Lanes {
    Lanes { id: group.id, name: None, split: group.split.clone(), lanes, extra: Default::default() }
}

/// Whether two trees hold the same nodes in the same places, whatever their settings.
fn same_nodes(a: &[Node], b: &[Node]) -> bool {
    let same = |(a, b): (&Node, &Node)| match (a, b) {
        (Node::Slot(a), Node::Slot(b)) => a.id == b.id,
        (Node::Lanes(a), Node::Lanes(b)) => {
            let lanes = || a.lanes.iter().zip(&b.lanes);
            a.id == b.id && alike(a, b) && lanes().all(|(a, b)| same_nodes(&a.nodes, &b.nodes))
        }
        (Node::Unknown(_), Node::Unknown(_)) => true,
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

impl Owner {
    /// The chain as it is to sound.
    pub(super) fn score(&self) -> Cow<'_, Chain> {
        score(&self.hold, &self.chain)
    }

    /// The mode that it is to sound in.
    pub(super) fn mode_to_play(&self) -> LatencyMode {
        if self.hold.change.is_some() { self.hold.mode } else { self.chain.latency }
    }

    /// The engine's half of a slot that is to sound: while an edit is held that of before it, unless the new one is as late.
    pub(super) fn half(&self, id: SlotId) -> Option<&Arc<SlotNode>> {
        let now = self.lives.get(&id).and_then(|live| live.node.as_ref());
        if self.hold.change.is_none() {
            return now;
        }
        let leaving = self.playing.leaving.iter().filter(|live| live.id() == id);
        let old = leaving.filter_map(|live| live.node.as_ref()).find(|node| self.plays(node));
        match (now, old) {
            (Some(now), Some(old)) if now.latency() != old.latency() => Some(old),
            (now, old) => now.or(old),
        }
    }

    /// Brings a slot's own settings to the engine: while an edit is held also to what of the slot still sounds.
    pub(super) fn bring_controls(&mut self, id: SlotId) {
        let Some(slot) = self.chain.slot(id) else { return };
        let held = self.hold.change.is_some();
        let old = self.playing.leaving.iter_mut().filter(|live| held && live.id() == id);
        self.lives.get_mut(&id).into_iter().chain(old).for_each(|live| live.apply_controls(slot));
    }

    /// Whether a node is in the last plan.
    fn plays(&self, node: &Arc<SlotNode>) -> bool {
        self.playing.nodes.iter().any(|playing| Arc::ptr_eq(playing, node))
    }

    /// Whether a slot's plugin is in the last plan.
    pub(super) fn is_played(&self, id: SlotId) -> bool {
        self.lives.get(&id).and_then(|live| live.node.as_ref()).is_some_and(|node| self.plays(node))
    }

    /// Whether what the model wants waits. Where no plan is on its way.
    pub(super) fn look_at_hold(&mut self) {
        let free = !self.chain.hold_latency || self.hold.forced;
        if !self.to_open.is_empty() && !free {
            // Half a chain tells nothing.
            return;
        }
        let fresh = self.fresh_starts();
        let change = if free { None } else { self.waits_for_the_stop(&fresh) };
        if change != self.hold.change {
            self.hold.change = change;
            self.news = true;
            // What sounded meanwhile may be of the same nodes.
            self.playing.stale |= change.is_none();
        }
        if change.is_none() {
            self.hold.restarts.clear();
            for id in fresh.into_keys() {
                self.restart_in_place(id);
            }
        }
    }

    /// Slots whose plugin is to be started anew by the user's will, and the latency that they will have, frames, as far as it can be
    /// told: a plugin's own is taken to grow with its rate.
    fn fresh_starts(&mut self) -> BTreeMap<SlotId, u32> {
        let mut found = BTreeMap::new();
        for slot in self.chain.slots() {
            let Some(live) = self.lives.get_mut(&slot.id) else { continue };
            let asked = self.hold.restarts.contains(&slot.id);
            let told = if asked { live.mains.first_mut().map(|main| main.latency()) } else { None };
            if (asked || live.factor() != slot.factor())
                && let Some(latency) = live.latency_anew(slot, told)
            {
                found.insert(slot.id, latency);
            }
        }
        found
    }

    fn waits_for_the_stop(&mut self, fresh: &BTreeMap<SlotId, u32>) -> Option<LatencyChange> {
        if self.stands() {
            return None;
        }
        // What a plugin does by itself has happened already, and one that wants to be restarted is not kept waiting.
        let edited = self.chain.latency != self.hold.mode
            || !fresh.is_empty()
            || !same_nodes(&self.chain.nodes, &self.hold.nodes)
            || self.chain.slots().any(|slot| !self.is_played(slot.id));
        let change = self.change_to(self.inner_latency(&self.chain, &|slot| fresh.get(&slot.id).copied()));
        (edited && change.before != change.after).then_some(change)
    }

    /// What sounds has these settings, also where an edit is about to take it out of the model.
    pub(super) fn note_settings(&mut self) {
        if self.chain.hold_latency {
            self.hold.nodes = with_settings(&self.hold.nodes, &self.chain);
        }
    }

    /// A plan was made; where it is the model's, nothing waits any more.
    pub(super) fn note_played(&mut self) {
        if self.hold.change.is_none() {
            self.hold.forced = false;
            self.hold.mode = self.chain.latency;
            self.hold.nodes = outline(&self.chain.nodes);
            self.hold.still = Stills::of(&self.chain);
        }
    }

    /// Lets what waits be heard now.
    pub(super) fn force_held(&mut self) {
        self.hold.forced = self.hold.change.is_some() || self.scenes.waits().is_some();
    }

    /// Another chain has come: it waits for nothing.
    pub(super) fn force_load(&mut self) {
        self.hold = Hold { forced: true, ..Hold::default() };
    }

    fn change_to(&self, inner: u64) -> LatencyChange {
        LatencyChange { before: self.shared.latency(), after: self.report_for(self.chain.latency, inner) }
    }

    pub(super) fn report_for(&self, mode: LatencyMode, inner: u64) -> u32 {
        let rate = self.setup.map_or(0.0, |setup| setup.rate);
        reported(mode, rate, inner.min(MAX_LATENCY.into()) as u32)
    }

    pub(super) fn latency_of_pace(&self, slot: &Slot, live: &Live) -> Option<u32> {
        (live.factor() != slot.factor()).then(|| live.latency_anew(slot, None)).flatten()
    }

    pub(super) fn latency_now(&self, slot: &Slot) -> u32 {
        match self.lives.get(&slot.id) {
            Some(live) => live.node.as_ref().map_or(live.latency, |node| node.latency()),
            None => slot.identity.latency,
        }
    }

    /// The chain's latency, with `anew` for the slots whose own will be another.
    fn inner_latency(&self, chain: &Chain, anew: &dyn Fn(&Slot) -> Option<u32>) -> u64 {
        series(&chain.nodes, &|slot| anew(slot).unwrap_or_else(|| self.latency_now(slot)))
    }
}

/// Latency of nodes in series, frames.
pub(super) fn series(nodes: &[Node], of: &dyn Fn(&Slot) -> u32) -> u64 {
    let one = |node: &Node| match node {
        Node::Slot(slot) => of(slot).into(),
        Node::Lanes(group) => group.lanes.iter().map(|lane| series(&lane.nodes, of)).max().unwrap_or(0),
        Node::Unknown(_) => 0,
    };
    nodes.iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PluginId, Split};

    fn slot(id: u64) -> Node {
        Node::Slot(Box::new(Slot::new(SlotId(id), PluginId::clap("any"))))
    }

    fn group(lanes: [&[u64]; 2]) -> Node {
        let lanes = lanes.iter().enumerate().map(|(at, ids)| Lane {
            nodes: ids.iter().copied().map(slot).collect(),
            ..Lane::new(SlotId(101 + at as u64))
        });
        let (id, split, lanes) = (SlotId(100), Split::Copy, lanes.collect());
        Node::Lanes(Box::new(Lanes { id, name: None, split, lanes, extra: Default::default() }))
    }

    #[test]
    fn what_sounds_has_the_settings_of_now_and_the_places_of_before() {
        let before = vec![slot(1), group([&[2], &[3]])];
        let hold = Hold { change: Some(LatencyChange::default()), nodes: outline(&before), ..Hold::default() };
        let mut chain = Chain { nodes: vec![group([&[3], &[]]), slot(2), slot(4)], ..Chain::default() };
        chain.slot_mut(SlotId(2)).unwrap().strip.solo = true;
        chain.lane_mut(SlotId(102)).unwrap().solo = true;
        let sounds = score(&hold, &chain);
        assert!(same_nodes(&sounds.nodes, &before));
        assert!(!same_nodes(&chain.nodes, &before) && !same_nodes(&before, &before[..1]));
        assert!(sounds.slot(SlotId(2)).unwrap().strip.solo && sounds.lane(SlotId(102)).unwrap().solo);
        assert!(!sounds.lane(SlotId(101)).unwrap().solo);
        // Another split is a setting while the lanes are the same.
        chain.group_mut(SlotId(100)).unwrap().split = Split::MidSide;
        assert_eq!(score(&hold, &chain).group(SlotId(100)).unwrap().split, Split::MidSide);
        chain.group_mut(SlotId(100)).unwrap().lanes.swap(0, 1);
        assert_eq!(score(&hold, &chain).group(SlotId(100)).unwrap().split, Split::Copy);
        let free = Hold { change: None, ..hold };
        assert!(same_nodes(&score(&free, &chain).nodes, &chain.nodes));
    }
}
