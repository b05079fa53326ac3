//! Bringing the engine after the model, so that an edit is heard at the changed node only.
//!
//! One step at a time: fade the nodes that leave or move to their delayed dry, exchange the plan, fade in what is new or was moved.
//! While the host does not process (no block for 200 ms, or deactivated) home plays the audio role under the lease and nothing
//! needs to fade.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::lanes::{self, flat, same};
use super::live::Live;
pub(super) use super::moves::Fades;
use super::sides::Side;
use crate::engine::{Plan, PlanNode, PlanSpec, SlotControls, SlotNode};
use crate::journal::Step;
use crate::model::{GRID_RANGE, LatencyMode, MAX_LATENCY, Preset, SlotId};

/// A fade that was asked for and did not settle in this time is taken as done: the slot cannot fade (its chain is muted, say).
const FADE_LIMIT: Duration = Duration::from_millis(500);

/// Something that is done to a plugin while its audio half is at home; its slot passes dry meanwhile.
#[derive(Clone, Debug)]
pub(super) enum InPlace {
    /// Deactivate and activate again.
    Restart,
    /// Load a preset.
    Preset(Preset),
    /// Give it the slot's state and values.
    Restore,
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
#[derive(Default)]
pub(super) enum Stage {
    /// Nothing under way.
    #[default]
    Idle,
    /// These fade out; then the plan is exchanged.
    Fading { fades: Fades, since: Instant },
    /// A plan is on its way; when the old one is back these fade in.
    Exchanging { rise: Fades },
}

/// What is (or is about to be) played.
#[derive(Default)]
pub(super) struct Playing {
    /// The last plan's nodes.
    pub(super) tree: Vec<PlanNode>,
    /// Its slots, in the order they are run.
    pub(super) nodes: Vec<Arc<SlotNode>>,
    /// Their latencies as planned, frames, with re-blocking.
    pub(super) latencies: Vec<u32>,
    /// What its sidechains hear, where that is not the container's.
    pub(super) sides: BTreeMap<SlotId, Side>,
    /// Slots whose sidechain's source is later than they are, and by how much, frames.
    pub(super) late_sides: BTreeMap<SlotId, u32>,
    /// Everything else of the chain that a plan depends on changed: make one even for the same nodes.
    pub(super) stale: bool,
    /// Slots whose plugin is out of the model but may still be in a plan.
    pub(super) leaving: Vec<Live>,
    /// What is to be done to plugins that stay.
    pub(super) in_place: BTreeMap<SlotId, InPlace>,
    /// Presets that were still to be loaded when their slots were taken out: they come back with these.
    pub(super) set_aside: BTreeMap<SlotId, Preset>,
    pub(super) stage: Stage,
}

impl super::owner::Owner {
    /// One step towards the model. Called at every tick until it says that there is nothing to do.
    pub(super) fn advance(&mut self, now: Instant) {
        if !matches!(self.playing.stage, Stage::Exchanging { .. }) {
            self.look_at_hold();
        }
        self.sync_lanes();
        match std::mem::take(&mut self.playing.stage) {
            Stage::Fading { fades, since } => self.wait_for_fades(fades, since, now),
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
            && !self.scenes.is_busy()
            && (self.setup.is_none() || !self.differs())
            && (self.hold.change.is_some() || self.playing.leaving.is_empty())
    }

    fn differs(&self) -> bool {
        let nodes = self.desired();
        self.playing.stale
            || !self.playing.in_place.is_empty()
            || !same(&nodes, &self.playing.tree)
            || latencies(&nodes) != self.playing.latencies
            || self.sides_differ()
    }

    /// What must fade so that the model can take the place of what plays.
    fn fades(&self) -> Fades {
        let new = self.desired();
        let mut fades = Fades::between(&self.playing.tree, &new);
        fades.sides = self.lost_sides(&fades, &new);
        fades
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
        if !self.engine.is_idle() && self.sides_turn() {
            return;
        }
        let fades = self.fades();
        self.fade_out(&fades);
        let in_place: Vec<_> = self.playing.in_place.keys().copied().collect();
        self.controls_of(&in_place, |controls| controls.set_park(true));
        self.playing.stage = Stage::Fading { fades, since: now };
        self.advance(now);
    }

    fn fade_out(&self, fades: &Fades) {
        self.controls_of(&fades.slots, |controls| controls.set_present(false));
        self.controls_of(&fades.sides, |controls| controls.set_side(false));
        fades.groups.iter().for_each(|node| node.controls().set_thru());
        fades.lanes.iter().for_each(|node| node.controls().set_heard(false));
    }

    /// What faded out and is still there is to be heard again.
    fn fade_in(&mut self, fades: &Fades) {
        self.controls_of(&fades.slots, |controls| controls.set_present(true));
        self.controls_of(&fades.sides, |controls| controls.set_side(true));
        self.lanes.resend(&fades.groups);
    }

    /// Lets `set` at the controls of nodes that are played.
    fn controls_of<'a>(&self, ids: impl IntoIterator<Item = &'a SlotId>, set: impl Fn(&SlotControls)) {
        for id in ids {
            let node = self.playing.nodes.iter().find(|node| node.id() == *id);
            node.into_iter().for_each(|node| set(node.controls()));
        }
    }

    fn wait_for_fades(&mut self, mut fades: Fades, mut since: Instant, now: Instant) {
        if !self.to_open.is_empty() {
            // A chain that is half open is no chain yet: what plays goes on.
            self.playing.stage = Stage::Fading { fades, since };
            return;
        }
        // The model may have moved on since the fade began: what leaves now fades too, and what is to come home parks too.
        let more = self.fades().beyond(&fades);
        if !more.is_empty() {
            self.fade_out(&more);
            fades.extend(more);
            since = now;
        }
        self.controls_of(self.playing.in_place.keys(), |controls| controls.set_park(true));
        let in_place = &self.playing.in_place;
        let ready = |node: &Arc<SlotNode>| {
            let fades = fades.slots.contains(&node.id()) || fades.sides.contains(&node.id());
            (!fades || node.controls().settled()) && (!in_place.contains_key(&node.id()) || node.controls().parked())
        };
        let late = now.duration_since(since) > FADE_LIMIT;
        let faded = self.playing.nodes.iter().all(ready) && fades.lanes_settled();
        if !(self.engine.is_idle() || late || faded) {
            self.playing.stage = Stage::Fading { fades, since };
            return;
        }
        let done = self.do_in_place();
        if !self.fades().beyond(&fades).is_empty() {
            // A restart gave a plugin other ports, so its slot has another node: the old one fades out first.
            self.playing.stage = Stage::Fading { fades, since: now };
            return;
        }
        // The plan first: a block between the two would hear the plugin at its old latency.
        self.exchange(&fades);
        self.controls_of(&done, |controls| controls.set_park(false));
    }

    /// Does what is to be done to plugins whose audio half can come home now; the rest waits. The answer: whose is done.
    pub(super) fn do_in_place(&mut self) -> BTreeSet<SlotId> {
        let keeps = self.chain.hold_latency;
        let jobs = std::mem::take(&mut self.playing.in_place);
        let mut done = BTreeSet::new();
        let (mut reopen, mut preset) = (Vec::new(), Vec::new());
        for (id, job) in jobs {
            let (Some(live), Some(slot)) = (self.lives.get_mut(&id), self.chain.slot_mut(id)) else { continue };
            self.news = true;
            let factor = if self.hold.change.is_some() { live.factor() } else { slot.factor() };
            let step = if matches!(job, InPlace::Restart) { Step::Open } else { Step::Restore };
            let noted = self.guard.note(slot, step);
            let became = live.do_in_place(&job, slot, (self.setup, factor, keeps), &self.config);
            drop(noted);
            match became {
                Done::Away => drop(self.playing.in_place.insert(id, job)),
                Done::Yes => {
                    done.insert(id);
                    preset.extend(matches!(job, InPlace::Preset(_)).then_some(id));
                    if keeps && live.tells_other_latency() {
                        self.hold.restarts.insert(id);
                    }
                }
                Done::Reopen => reopen.push(id),
            }
        }
        reopen.into_iter().for_each(|id| self.reopen(id));
        preset.into_iter().for_each(|id| self.preset_done(id));
        self.mirror_stale |= !done.is_empty();
        done
    }

    /// Sends the plan that the model wants now, if it is another. What is new or was moved starts at its dry and rises.
    fn exchange(&mut self, moved: &Fades) {
        let nodes = self.desired();
        let wanted = latencies(&nodes);
        let same = same(&nodes, &self.playing.tree) && wanted == self.playing.latencies && !self.sides_differ();
        if same && !self.playing.stale {
            // What was taken out was put back meanwhile.
            return self.fade_in(moved);
        }
        let Some((plan, sides)) = self.plan(&nodes, &moved.sides) else { return };
        let (latency, late) = (plan.latency(), plan.late_sides().iter().copied().collect());
        let sharing = plan.sharing().clone();
        if !self.engine.send(plan) {
            // The engine has not taken the last ones yet. The next tick tries again.
            self.playing.stale = true;
            return;
        }
        self.playing.nodes = flat(&nodes);
        self.playing.tree = nodes;
        self.playing.latencies = wanted;
        (self.playing.sides, self.playing.late_sides) = (sides, late);
        self.playing.stale = false;
        self.cores.note_played(sharing);
        self.playing.stage = Stage::Exchanging { rise: moved.clone() };
        self.report_latency(latency);
    }

    /// Puts the plan that the model wants in place at once: the host does not process. False: it does.
    pub(super) fn install(&mut self) -> bool {
        self.hold.change = None;
        self.sync_lanes();
        let nodes = self.desired();
        let Some((plan, sides)) = self.plan(&nodes, &BTreeSet::new()) else { return false };
        let (latency, late) = (plan.latency(), plan.late_sides().iter().copied().collect());
        let sharing = plan.sharing().clone();
        if !self.engine.install(Some(plan)) {
            return false;
        }
        if let Stage::Fading { fades, .. } | Stage::Exchanging { rise: fades } = std::mem::take(&mut self.playing.stage)
        {
            self.lanes.resend(&fades.groups);
        }
        self.playing.nodes = flat(&nodes);
        for node in &self.playing.nodes {
            node.controls().set_present(true);
            node.controls().set_side(true);
            node.controls().set_park(self.playing.in_place.contains_key(&node.id()));
        }
        self.playing.latencies = latencies(&nodes);
        self.playing.tree = nodes;
        (self.playing.sides, self.playing.late_sides) = (sides, late);
        self.playing.stale = false;
        self.cores.note_played(sharing);
        self.sync_lanes();
        self.report_latency(latency);
        true
    }

    fn plan(&self, nodes: &[PlanNode], faded: &BTreeSet<SlotId>) -> Option<(Box<Plan>, BTreeMap<SlotId, Side>)> {
        let setup = self.setup?;
        let (sides, kept) = self.plan_sides(faded);
        let plan = Plan::build(PlanSpec {
            nodes: nodes.to_vec(),
            mode: self.mode_to_play(),
            rate: setup.rate,
            grid: self.chain.grid.clamp(*GRID_RANGE.start(), *GRID_RANGE.end()),
            max_block: setup.max_block,
            channels: self.config.channels,
            sidechain: self.config.sidechain,
            aux: self.config.aux,
            macros: self.routes(),
            share: self.cores.share_out(nodes, &sides),
            sides,
        });
        Some((plan, kept))
    }

    fn report_latency(&mut self, latency: u32) {
        self.note_played();
        self.shared.set_latency(latency);
        let rate = self.setup.map_or(0.0, |setup| setup.rate);
        self.latency_notice = latency_notice(self.mode_to_play(), rate, lanes::latency(&self.playing.tree));
        self.news = true;
    }

    fn wait_for_plan(&mut self, rise: Fades) {
        if self.engine.plan_in_flight() {
            self.playing.stage = Stage::Exchanging { rise };
            return;
        }
        self.fade_in(&rise);
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
            // What was told under the slot's id until now may have been this one's word.
            if let Some(heir) = self.lives.get_mut(&live.id()).filter(|heir| !heir.is_like(&live)) {
                heir.reread_times();
                heir.values_stale = true;
                self.news = true;
            }
        }
    }
}

/// What there is to say of a chain whose latency is not what was asked for or cannot be told; empty for nothing.
fn latency_notice(mode: LatencyMode, rate: f64, whole: u64) -> String {
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

fn latencies(nodes: &[PlanNode]) -> Vec<u32> {
    flat(nodes).iter().map(|node| node.latency()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_is_longer_than_can_be_reported_or_was_asked_for_says_so() {
        assert_eq!(latency_notice(LatencyMode::True, 48_000.0, u64::from(MAX_LATENCY)), "");
        assert!(latency_notice(LatencyMode::True, 48_000.0, u64::from(MAX_LATENCY) + 1).contains("262145 samples"));
        assert_eq!(latency_notice(LatencyMode::Constant(10.0), 48_000.0, 480), "");
        assert!(latency_notice(LatencyMode::Constant(10.0), 48_000.0, 481).contains("481 samples"));
        assert_eq!(latency_notice(LatencyMode::Live, 48_000.0, 481), "");
    }
}
