//! The engine's halves of lanes, kept by home for as long as the model has the lanes. All `[home]`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::follow::{Fades, Stage};
use super::latency::score;
use super::owner::Owner;
use crate::engine::{LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, SideSource, SlotNode};
use crate::model::{Lane, Lanes, Node, SlotId, Split, lanes, passed_by};

/// A group of lanes as the engine has it.
struct Group {
    node: Arc<LanesNode>,
    /// The split it was told; `None`: it is to be told anew.
    sent: Option<Split>,
}

/// A lane as the engine has it.
struct Half {
    node: Arc<LaneNode>,
    /// Gain (dB) and mute as it was told them, or as a macro told it: those are told once, since a macro may move them meanwhile.
    told: Option<(f64, bool)>,
}

impl Half {
    fn tell(&mut self, gain: f64, mute: bool) {
        let before = self.told.replace((gain, mute));
        if before.is_none_or(|(before, _)| before != gain) {
            self.node.controls().set_gain(10f64.powf(gain / 20.0) as f32);
        }
        if before.is_none_or(|(_, before)| before != mute) {
            self.node.controls().set_mute(mute);
        }
    }
}

/// All lanes of a chain as the engine has them.
#[derive(Default)]
pub(super) struct LaneBook {
    groups: BTreeMap<SlotId, Group>,
    lanes: BTreeMap<SlotId, Half>,
    /// Lanes that held nothing: silent until what they hold now sounds as it should.
    silent: BTreeSet<SlotId>,
    /// Lanes that are, or still were a moment ago, heard on an auxiliary output.
    sending: BTreeSet<SlotId>,
}

impl LaneBook {
    /// These groups were made as if they were not there; they are to be told their split again.
    pub(super) fn resend(&mut self, faded: &[Arc<LanesNode>]) {
        for group in self.groups.values_mut() {
            if faded.iter().any(|node| Arc::ptr_eq(node, &group.node)) {
                group.sent = None;
            }
        }
    }

    /// The engine's half of a group. Another number of bands needs another half.
    fn group(&mut self, group: &Lanes, setup: LanesSetup) -> bool {
        let bands = |split: &Split| matches!(split, Split::Bands(_)).then(|| split.lanes());
        let old = self.groups.get(&group.id);
        let fits = |old: &Group| {
            old.sent.as_ref().is_none_or(|sent| bands(sent) == bands(&group.split) || bands(sent).is_none())
        };
        let joins = old.is_some_and(fits);
        if !joins {
            let node = LanesNode::new(&group.split, setup);
            self.groups.insert(group.id, Group { node, sent: Some(group.split.clone()) });
        }
        for lane in &group.lanes {
            let new = || Half { node: LaneNode::new(setup, joins), told: None };
            self.lanes.entry(lane.id).or_insert_with(new);
        }
        joins
    }

    /// A lane's or a group's sound, for a sidechain to hear.
    pub(super) fn source(&self, id: SlotId) -> Option<SideSource> {
        let lane = self.lane(id).map(SideSource::Lane);
        lane.or_else(|| self.groups.get(&id).map(|group| SideSource::Lanes(group.node.clone())))
    }

    /// The lane that this is the engine's half of.
    pub(super) fn lane_of(&self, node: &Arc<LaneNode>) -> Option<SlotId> {
        self.lanes.iter().find(|(_, own)| Arc::ptr_eq(&own.node, node)).map(|(id, _)| *id)
    }

    /// The engine's half of a lane.
    pub(super) fn lane(&self, id: SlotId) -> Option<Arc<LaneNode>> {
        self.lanes.get(&id).map(|half| half.node.clone())
    }

    /// All lanes.
    pub(super) fn lane_ids(&self) -> impl Iterator<Item = SlotId> {
        self.lanes.keys().copied()
    }

    /// Whether it has a lane.
    pub(super) fn has_lane(&self, id: SlotId) -> bool {
        self.lanes.contains_key(&id)
    }

    /// A macro told the engine these, or will: they are not to be told from here.
    pub(super) fn note(&mut self, lane: &Lane) {
        if let Some(half) = self.lanes.get_mut(&lane.id) {
            half.told = Some((lane.gain, lane.mute));
        }
    }

    /// Tells the engine what is new of a lane's gain and mute.
    pub(super) fn tell(&mut self, lane: &Lane) {
        if let Some(half) = self.lanes.get_mut(&lane.id) {
            half.tell(lane.gain, lane.mute);
        }
    }

    /// Forgets what the model has no more.
    fn retain(&mut self, groups: &BTreeSet<SlotId>, lanes: &BTreeSet<SlotId>) {
        self.groups.retain(|id, _| groups.contains(id));
        self.lanes.retain(|id, _| lanes.contains(id));
        self.silent.retain(|id| lanes.contains(id));
        self.sending.retain(|id| lanes.contains(id));
    }
}

impl Owner {
    /// The nodes the model wants, lanes and all. Those that are not open yet are left out.
    pub(super) fn desired(&self) -> Vec<PlanNode> {
        let rate = self.setup.map_or(0.0, |setup| setup.rate);
        self.planned(&self.score().nodes, rate)
    }

    fn planned(&self, nodes: &[Node], rate: f64) -> Vec<PlanNode> {
        let lane = |lane: &Lane| {
            let node = self.lanes.lane(lane.id)?;
            let sends = self.lanes.sending.contains(&lane.id);
            Some(PlanLane { node, delay: lane.delay.frames(rate), sends, nodes: self.planned(&lane.nodes, rate) })
        };
        let of = |node: &Node| match node {
            Node::Slot(slot) => self.half(slot.id).cloned().map(PlanNode::Slot),
            Node::Lanes(group) => {
                let node = self.lanes.groups.get(&group.id)?.node.clone();
                let lanes = group.lanes.iter().filter_map(lane).collect();
                Some(PlanNode::Lanes(PlanLanes { node, lanes, siblings: group.has_siblings() }))
            }
            Node::Unknown(_) => None,
        };
        nodes.iter().filter_map(of).collect()
    }

    /// Brings the engine's halves of all lanes after the model: what is missing is made, settings are told.
    pub(super) fn sync_lanes(&mut self) {
        self.sync_solo();
        let Some(setup) = self.setup else { return };
        let idle = self.engine.is_idle();
        let setup =
            LanesSetup { channels: self.config.channels, max_block: setup.max_block, rate: setup.rate, fade_in: !idle };
        let score = score(&self.hold, &self.chain);
        let groups: Vec<&Lanes> = lanes::groups(&score.nodes);
        let ids = groups.iter().map(|group| group.id).collect();
        let lane_ids = groups.iter().flat_map(|group| group.lanes.iter().map(|lane| lane.id)).collect();
        self.lanes.retain(&ids, &lane_ids);
        for group in groups {
            self.lanes.group(group, setup);
            let fading = |fades: &Fades, node: &Arc<LanesNode>| fades.groups.iter().any(|n| Arc::ptr_eq(n, node));
            if let Some(of) = self.lanes.groups.get_mut(&group.id)
                && !matches!(&self.playing.stage, Stage::Fading { fades, .. } if fading(fades, &of.node))
                && of.sent.as_ref() != Some(&group.split)
            {
                of.node.controls().set_split(&group.split);
                of.sent = Some(group.split.clone());
            }
            for lane in &group.lanes {
                let waits =
                    group.is_blank(lane) || (self.lanes.silent.contains(&lane.id) && !idle && !self.sounds(lane));
                match waits {
                    true => self.lanes.silent.insert(lane.id),
                    false => self.lanes.silent.remove(&lane.id),
                };
                self.lanes.tell(lane);
                let Some(node) = self.lanes.lane(lane.id) else { continue };
                let controls = node.controls();
                let aux = lane.aux.filter(|aux| u16::from(aux.out) * 2 <= self.config.aux);
                controls.set_aux(aux);
                match aux {
                    Some(_) => drop(self.lanes.sending.insert(lane.id)),
                    None if idle || controls.settled() => drop(self.lanes.sending.remove(&lane.id)),
                    None => {}
                }
                controls.set_pan(lane.pan as f32);
                controls.set_heard(group.is_let_through(lane) && !waits);
            }
        }
    }

    /// Tells the engine what is passed by because a slot beside it is soloed.
    pub(super) fn sync_solo(&self) {
        let passed = passed_by(&self.score().nodes);
        let held = self.hold.change.is_some();
        for live in self.lives.values().chain(self.playing.leaving.iter().filter(|_| held)) {
            if let Some(node) = &live.node {
                node.controls().set_aside(passed.contains(&live.id()));
            }
        }
        for (id, group) in &self.lanes.groups {
            group.node.controls().set_aside(passed.contains(id));
        }
    }

    /// Whether everything in a lane is played and has risen.
    fn sounds(&self, lane: &Lane) -> bool {
        let risen = |id: SlotId| {
            self.half(id).is_some_and(|node| {
                node.controls().settled() && self.playing.nodes.iter().any(|n| Arc::ptr_eq(n, node))
            })
        };
        matches!(self.playing.stage, Stage::Idle) && lanes::slots(&lane.nodes).iter().all(|slot| risen(slot.id))
    }

    /// Forgets all of the engine's halves: the chain or its setup is another.
    pub(super) fn forget_lanes(&mut self) {
        self.lanes = LaneBook::default();
    }
}

/// All slots of `nodes`, in the order they are run.
pub(super) fn flat(nodes: &[PlanNode]) -> Vec<Arc<SlotNode>> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            PlanNode::Slot(node) => found.push(node.clone()),
            PlanNode::Lanes(group) => group.lanes.iter().for_each(|lane| found.extend(flat(&lane.nodes))),
        }
    }
    found
}

/// Latency of nodes in series, frames, however long.
pub(super) fn latency(nodes: &[PlanNode]) -> u64 {
    let of = |node: &PlanNode| match node {
        PlanNode::Slot(node) => u64::from(node.latency()),
        PlanNode::Lanes(group) => group.lanes.iter().map(|lane| latency(&lane.nodes)).max().unwrap_or(0),
    };
    nodes.iter().map(of).sum()
}

/// Whether two trees play the same.
pub(super) fn same(a: &[PlanNode], b: &[PlanNode]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_node(a, b) && same_inside(a, b))
}

fn same_inside(a: &PlanNode, b: &PlanNode) -> bool {
    let (PlanNode::Lanes(a), PlanNode::Lanes(b)) = (a, b) else { return true };
    let lanes = a.lanes.iter().zip(&b.lanes);
    a.siblings == b.siblings
        && a.lanes.len() == b.lanes.len()
        && lanes.into_iter().all(|(a, b)| Arc::ptr_eq(&a.node, &b.node) && same_lane(a, b) && same(&a.nodes, &b.nodes))
}

fn same_lane(a: &PlanLane, b: &PlanLane) -> bool {
    a.delay == b.delay && a.sends == b.sends
}

pub(super) fn same_node(a: &PlanNode, b: &PlanNode) -> bool {
    match (a, b) {
        (PlanNode::Slot(a), PlanNode::Slot(b)) => Arc::ptr_eq(a, b),
        (PlanNode::Lanes(a), PlanNode::Lanes(b)) => Arc::ptr_eq(&a.node, &b.node),
        _ => false,
    }
}
