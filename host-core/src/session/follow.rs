//! Bringing the engine after the model, so that an edit is heard at the changed node only.
//!
//! One step at a time: fade the nodes that leave or move to their delayed dry, exchange the plan, fade in what is new or was moved.
//! While the host does not process (no block for 200 ms, or deactivated) home plays the audio role under the lease and nothing
//! needs to fade.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::live::Live;
use crate::engine::{Plan, PlanSpec, SlotControls, SlotNode};
use crate::model::{LatencyMode, MAX_LATENCY, Preset, SlotId};

/// A fade that was asked for and did not settle in this time is taken as done: the slot cannot fade (its chain is muted, say).
const FADE_LIMIT: Duration = Duration::from_millis(500);

/// Something that is done to a plugin while its audio half is at home; its slot passes dry meanwhile.
#[derive(Clone, Debug)]
pub(super) enum InPlace {
    /// Deactivate and activate again.
    Restart,
    /// Load a preset.
    Preset(Preset),
}

/// What became of it.
pub(super) enum Done {
    /// It is done.
    Yes,
    /// The audio thread has the plugin this moment: to be tried again.
    Away,
    /// The plugin needs another number of instances: the slot is to be opened anew.
    Reopen,
}

/// What the engine is being brought through.
#[derive(Debug, Default)]
pub(super) enum Stage {
    /// Nothing under way.
    #[default]
    Idle,
    /// These slots fade to dry; then the plan is exchanged.
    Fading { slots: BTreeSet<SlotId>, since: Instant },
    /// A plan is on its way; when the old one is back these fade in.
    Exchanging { rise: BTreeSet<SlotId> },
}

/// What is (or is about to be) played.
#[derive(Default)]
pub(super) struct Playing {
    /// The nodes of the last plan, in its order.
    pub(super) nodes: Vec<Arc<SlotNode>>,
    /// Their latencies as planned, frames, with re-blocking.
    pub(super) latencies: Vec<u32>,
    /// Everything else of the chain that a plan depends on changed: make one even for the same nodes.
    pub(super) stale: bool,
    /// Slots whose plugin is out of the model but may still be in a plan.
    pub(super) leaving: Vec<Live>,
    /// What is to be done to plugins that stay.
    pub(super) in_place: BTreeMap<SlotId, InPlace>,
    pub(super) stage: Stage,
}

impl super::owner::Owner {
    /// The nodes the model wants, in order.
    fn desired(&self) -> Vec<Arc<SlotNode>> {
        self.chain.slots().filter_map(|slot| self.lives.get(&slot.id)?.node.clone()).collect()
    }

    /// One step towards the model. Called at every tick until it says that there is nothing to do.
    pub(super) fn advance(&mut self, now: Instant) {
        match std::mem::take(&mut self.playing.stage) {
            Stage::Fading { slots, since } => self.wait_for_fades(slots, since, now),
            Stage::Exchanging { rise } => self.wait_for_plan(rise),
            Stage::Idle => self.begin(now),
        }
    }

    /// Whether the engine plays what the model says.
    pub(super) fn is_settled(&self) -> bool {
        let idle = matches!(self.playing.stage, Stage::Idle);
        idle && self.unsent.is_empty()
            && !self.macros_wait()
            && self.to_open.is_empty()
            && (self.setup.is_none() || !self.differs())
            && self.playing.leaving.is_empty()
    }

    fn differs(&self) -> bool {
        let nodes = self.desired();
        self.playing.stale
            || !self.playing.in_place.is_empty()
            || !same(&nodes, &self.playing.nodes)
            || latencies(&nodes) != self.playing.latencies
    }

    fn begin(&mut self, now: Instant) {
        if !self.to_open.is_empty() {
            return;
        }
        if self.setup.is_none() {
            self.do_in_place();
            return self.bury();
        }
        if !self.differs() {
            return self.bury();
        }
        let moving = movers(&self.playing.nodes, &self.desired());
        self.controls_of(&moving, |controls| controls.set_present(false));
        let in_place: Vec<_> = self.playing.in_place.keys().copied().collect();
        self.controls_of(&in_place, |controls| controls.set_park(true));
        self.playing.stage = Stage::Fading { slots: moving, since: now };
        self.advance(now);
    }

    /// Lets `set` at the controls of nodes that are played.
    fn controls_of<'a>(&self, ids: impl IntoIterator<Item = &'a SlotId>, set: impl Fn(&SlotControls)) {
        for id in ids {
            let node = self.playing.nodes.iter().find(|node| node.id() == *id);
            node.into_iter().for_each(|node| set(node.controls()));
        }
    }

    fn wait_for_fades(&mut self, mut slots: BTreeSet<SlotId>, mut since: Instant, now: Instant) {
        if !self.to_open.is_empty() {
            // A chain that is half open is no chain yet: what plays goes on.
            self.playing.stage = Stage::Fading { slots, since };
            return;
        }
        // The model may have moved on since the fade began: what leaves now fades too, and what is to come home parks too.
        let more: BTreeSet<_> = &movers(&self.playing.nodes, &self.desired()) - &slots;
        if !more.is_empty() {
            self.controls_of(&more, |controls| controls.set_present(false));
            slots.extend(more);
            since = now;
        }
        self.controls_of(self.playing.in_place.keys(), |controls| controls.set_park(true));
        let in_place = &self.playing.in_place;
        let ready = |node: &Arc<SlotNode>| {
            (!slots.contains(&node.id()) || node.controls().settled())
                && (!in_place.contains_key(&node.id()) || node.controls().parked())
        };
        let late = now.duration_since(since) > FADE_LIMIT;
        if !(self.engine.is_idle() || late || self.playing.nodes.iter().all(ready)) {
            self.playing.stage = Stage::Fading { slots, since };
            return;
        }
        let done = self.do_in_place();
        if self.desired_differs_beyond(&slots) {
            // A restart gave a plugin other ports, so its slot has another node: the old one fades out first.
            self.playing.stage = Stage::Fading { slots, since: now };
            return;
        }
        // The plan first: a block between the two would hear the plugin at its old latency.
        self.exchange(&slots);
        self.controls_of(&done, |controls| controls.set_park(false));
    }

    /// Whether nodes that are played must leave which are not among `slots`.
    fn desired_differs_beyond(&self, slots: &BTreeSet<SlotId>) -> bool {
        !movers(&self.playing.nodes, &self.desired()).is_subset(slots)
    }

    /// Does what is to be done to plugins whose audio half can come home now; the rest waits. The answer: whose is done.
    pub(super) fn do_in_place(&mut self) -> BTreeSet<SlotId> {
        let jobs = std::mem::take(&mut self.playing.in_place);
        let mut done = BTreeSet::new();
        let mut reopen = Vec::new();
        for (id, job) in jobs {
            let (Some(live), Some(slot)) = (self.lives.get_mut(&id), self.chain.slot_mut(id)) else { continue };
            self.news = true;
            match live.do_in_place(&job, slot, self.setup, &self.config) {
                Done::Away => drop(self.playing.in_place.insert(id, job)),
                Done::Yes => drop(done.insert(id)),
                Done::Reopen => reopen.push(id),
            }
        }
        reopen.into_iter().for_each(|id| self.reopen(id));
        self.mirror_stale |= !done.is_empty();
        done
    }

    /// Sends the plan that the model wants now, if it is another. What is new or was moved starts at its dry and rises.
    fn exchange(&mut self, moved: &BTreeSet<SlotId>) {
        let nodes = self.desired();
        let wanted = latencies(&nodes);
        if !self.playing.stale && same(&nodes, &self.playing.nodes) && wanted == self.playing.latencies {
            // What was taken out was put back meanwhile.
            return self.controls_of(moved, |controls| controls.set_present(true));
        }
        let Some(plan) = self.plan(&nodes) else { return };
        let latency = plan.latency();
        if !self.engine.send(plan) {
            // The engine has not taken the last ones yet. The next tick tries again.
            self.playing.stale = true;
            return;
        }
        self.playing.nodes = nodes;
        self.playing.latencies = wanted;
        self.playing.stale = false;
        self.playing.stage = Stage::Exchanging { rise: moved.clone() };
        self.report_latency(latency);
    }

    /// Puts the plan that the model wants in place at once: the host does not process. False: it does.
    pub(super) fn install(&mut self) -> bool {
        let nodes = self.desired();
        let Some(plan) = self.plan(&nodes) else { return false };
        let latency = plan.latency();
        if !self.engine.install(Some(plan)) {
            return false;
        }
        for node in &nodes {
            node.controls().set_present(true);
            node.controls().set_park(self.playing.in_place.contains_key(&node.id()));
        }
        self.playing.latencies = latencies(&nodes);
        self.playing.nodes = nodes;
        self.playing.stale = false;
        self.playing.stage = Stage::Idle;
        self.report_latency(latency);
        true
    }

    fn plan(&self, nodes: &[Arc<SlotNode>]) -> Option<Box<Plan>> {
        let setup = self.setup?;
        Some(Plan::build(PlanSpec {
            slots: nodes.to_vec(),
            mode: self.chain.latency,
            rate: setup.rate,
            max_block: setup.max_block,
            channels: self.config.channels,
            sidechain: self.config.sidechain,
            aux: self.config.aux,
            macros: self.routes(),
        }))
    }

    fn report_latency(&mut self, latency: u32) {
        self.shared.set_latency(latency);
        let rate = self.setup.map_or(0.0, |setup| setup.rate);
        self.latency_notice = latency_notice(self.chain.latency, rate, &self.playing.latencies);
        self.news = true;
    }

    fn wait_for_plan(&mut self, rise: BTreeSet<SlotId>) {
        if self.engine.plan_in_flight() {
            self.playing.stage = Stage::Exchanging { rise };
            return;
        }
        self.controls_of(&rise, |controls| controls.set_present(true));
        self.bury();
    }

    /// Takes down the plugins that have left the model and are in no plan any more.
    pub(super) fn bury(&mut self) {
        if self.playing.leaving.is_empty() {
            return;
        }
        let in_plan = |live: &Live| {
            let node = live.node.as_ref();
            node.is_some_and(|node| self.playing.nodes.iter().any(|playing| Arc::ptr_eq(playing, node)))
        };
        let (stay, gone): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.playing.leaving).into_iter().partition(|live| in_plan(live));
        self.playing.leaving = stay;
        for mut live in gone {
            live.stop();
        }
    }
}

/// What there is to say of a chain whose latency is not what was asked for or cannot be told; empty for nothing.
fn latency_notice(mode: LatencyMode, rate: f64, latencies: &[u32]) -> String {
    let whole: u64 = latencies.iter().map(|&frames| u64::from(frames)).sum();
    let constant = match mode {
        LatencyMode::Constant(milliseconds) => Some(milliseconds / 1000.0 * rate),
        LatencyMode::True | LatencyMode::Live => None,
    };
    if whole > u64::from(MAX_LATENCY) {
        format!("the chain delays by {whole} samples; more than {MAX_LATENCY} can neither be reported nor aligned")
    } else if constant.is_some_and(|constant| whole as f64 > constant.round()) {
        format!(
            "the chain delays by {whole} samples, longer than the constant latency asked for: the true one is reported"
        )
    } else {
        String::new()
    }
}

fn latencies(nodes: &[Arc<SlotNode>]) -> Vec<u32> {
    nodes.iter().map(|node| node.latency()).collect()
}

fn same(a: &[Arc<SlotNode>], b: &[Arc<SlotNode>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}

/// The slots of `old` that are not in `new` (as the same node), and as few of the others as must be taken out so that the rest
/// keep their order.
fn movers(old: &[Arc<SlotNode>], new: &[Arc<SlotNode>]) -> BTreeSet<SlotId> {
    let place = |node: &Arc<SlotNode>| new.iter().position(|other| Arc::ptr_eq(other, node));
    let places: Vec<Option<usize>> = old.iter().map(place).collect();
    let kept = longest_rise(&places.iter().flatten().copied().collect::<Vec<_>>());
    let stays = |place: &Option<usize>| place.is_some_and(|place| kept.contains(&place));
    old.iter().zip(&places).filter(|(_, place)| !stays(place)).map(|(node, _)| node.id()).collect()
}

/// A longest rising subsequence of `places`.
fn longest_rise(places: &[usize]) -> BTreeSet<usize> {
    // best[i]: length of the longest rise that ends at i, and where it came from. Chains are short: quadratic is fine.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(places.len());
    for (i, place) in places.iter().enumerate() {
        let before = (0..i).filter(|&j| places[j] < *place).max_by_key(|&j| best[j].0);
        best.push((before.map_or(1, |j| best[j].0 + 1), before));
    }
    let mut at = (0..places.len()).max_by_key(|&i| best[i].0);
    let mut rise = BTreeSet::new();
    while let Some(i) = at {
        rise.insert(places[i]);
        at = best[i].1;
    }
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_is_longer_than_can_be_reported_or_was_asked_for_says_so() {
        assert_eq!(latency_notice(LatencyMode::True, 48_000.0, &[MAX_LATENCY]), "");
        assert!(latency_notice(LatencyMode::True, 48_000.0, &[MAX_LATENCY, 1]).contains("262145 samples"));
        assert_eq!(latency_notice(LatencyMode::Constant(10.0), 48_000.0, &[480]), "");
        assert!(latency_notice(LatencyMode::Constant(10.0), 48_000.0, &[480, 1]).contains("481 samples"));
        assert_eq!(latency_notice(LatencyMode::Live, 48_000.0, &[481]), "");
    }

    #[test]
    fn as_few_slots_as_possible_are_moved() {
        assert_eq!(longest_rise(&[0, 1, 2, 3]), BTreeSet::from([0, 1, 2, 3]));
        assert_eq!(longest_rise(&[3, 0, 1, 2]), BTreeSet::from([0, 1, 2]));
        assert_eq!(longest_rise(&[0, 2, 3, 1]), BTreeSet::from([0, 2, 3]));
        assert_eq!(longest_rise(&[]), BTreeSet::new());
    }
}
