//! What the slots' sidechains hear: the model's word, as the engine plays it. All `[home]`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::EditError;
use super::follow::Fades;
use super::live::Live;
use super::owner::Owner;
use crate::engine::{LaneNode, PlanNode, PlanSide, SideSource};
use crate::model::{Chain, SidechainSource, Slot, SlotId, SourceFault};

/// What a slot's sidechain hears in the last plan.
#[derive(Clone, Default)]
pub(super) struct Side {
    now: Option<SideSource>,
    /// What it heard before, while the two cross-fade.
    before: Option<SideSource>,
}

/// By slot; what is not there hears the container's.
pub(super) type Sides = BTreeMap<SlotId, SideSource>;

impl Owner {
    /// Another source of a slot's sidechain.
    pub(super) fn set_sidechain(&mut self, id: SlotId, source: SidechainSource) -> Result<(), EditError> {
        let slot = self.chain.slot(id).ok_or(EditError::NoSlot(id))?;
        let opened = self.lives.get(&id).and_then(|live| live.mains.first());
        let ports = opened.map_or(&slot.identity.ports, |main| main.ports());
        if !ports.has_sidechain() {
            return Err(EditError::NoSidechain(slot.title().into()));
        }
        self.chain.check_source(id, source).map_err(|fault| match fault {
            SourceFault::Gone(source) => EditError::NoPoint(source),
            SourceFault::Behind(source) => EditError::SourceBehind {
                slot: slot.title().into(),
                heard: self.chain.title_of(source).unwrap_or_default(),
            },
        })?;
        if let Some(slot) = self.chain.slot_mut(id) {
            slot.sidechain = source;
        }
        Ok(())
    }

    /// What the model wants each sidechain to hear. A source that is gone or stands behind its slot is silence.
    pub(super) fn sides(&self) -> Sides {
        let score = self.score();
        let of = |slot: &Slot| {
            let node = self.half(slot.id)?;
            (slot.sidechain != SidechainSource::Container && node.hears_side())
                .then(|| (slot.id, self.source(&score, slot)))
        };
        score.slots().filter_map(of).collect()
    }

    fn source(&self, score: &Chain, slot: &Slot) -> SideSource {
        let found = match slot.sidechain {
            SidechainSource::Container => Some(SideSource::Container),
            SidechainSource::Input => Some(SideSource::Input),
            SidechainSource::None => None,
            SidechainSource::Output(id) => {
                let open = score.check_source(slot.id, slot.sidechain).is_ok();
                open.then(|| self.node_of(id)).flatten()
            }
        };
        found.unwrap_or(SideSource::Silence)
    }

    fn node_of(&self, id: SlotId) -> Option<SideSource> {
        let slot = self.half(id).cloned().map(SideSource::Slot);
        slot.or_else(|| self.lanes.source(id))
    }

    /// Whether the sidechains hear what the model says.
    pub(super) fn sides_differ(&self) -> bool {
        let wanted = self.sides();
        let playing = |id: &SlotId| self.playing.sides.get(id).and_then(|side| side.now.as_ref());
        let more = wanted.iter().any(|(id, source)| playing(id) != Some(source));
        more || self.playing.sides.iter().any(|(id, side)| side.now.is_some() && !wanted.contains_key(id))
    }

    /// Slots whose source changes again while they still fade to it: what comes next has to wait.
    pub(super) fn sides_turn(&self) -> bool {
        let wanted = self.sides();
        let turns = |id: &SlotId| {
            let node = self.playing.nodes.iter().find(|node| node.id() == *id);
            node.is_some_and(|node| node.controls().side_turns())
        };
        self.playing.sides.iter().any(|(id, side)| wanted.get(id) != side.now.as_ref() && turns(id))
    }

    /// Sidechains whose source goes away or moves with these fades: they fade to silence with it.
    pub(super) fn lost_sides(&self, fades: &Fades, new: &[PlanNode]) -> BTreeSet<SlotId> {
        let order = order(new);
        let place = |source: &SideSource| order.iter().position(|point| point == source);
        let stays = |id: SlotId, source: &SideSource| {
            let slot = self.playing.nodes.iter().find(|node| node.id() == id);
            let slot = slot.and_then(|node| place(&SideSource::Slot(node.clone())));
            slot.is_none_or(|slot| place(source).is_some_and(|source| source < slot))
        };
        let lost = |id: SlotId, source: &SideSource| match source {
            SideSource::Container | SideSource::Silence | SideSource::Input => false,
            SideSource::Slot(node) => fades.slots.contains(&node.id()) || !stays(id, source),
            SideSource::Lanes(node) => fades.groups.iter().any(|group| Arc::ptr_eq(group, node)) || !stays(id, source),
            SideSource::Lane(node) => fades.takes_lane(node, &self.playing.tree) || !stays(id, source),
        };
        let sides = self.playing.sides.iter();
        let any = |(id, side): (&SlotId, &Side)| {
            let sources = [&side.now, &side.before].into_iter().flatten();
            sources.into_iter().any(|source| lost(*id, source)).then_some(*id)
        };
        sides.filter_map(any).collect()
    }

    /// The sidechains of a plan of the model as it is now, and what they are in words that outlive it. Those of `faded` are silent
    /// when it begins.
    pub(super) fn plan_sides(&self, faded: &BTreeSet<SlotId>) -> (Vec<PlanSide>, BTreeMap<SlotId, Side>) {
        let (mut plan, mut kept) = (Vec::new(), BTreeMap::new());
        let wanted = self.sides();
        let ids: BTreeSet<_> = wanted.keys().chain(self.playing.sides.keys()).copied().collect();
        for id in ids {
            let Some(slot) = self.half(id).cloned() else { continue };
            let now = wanted.get(&id);
            let source = now.cloned().unwrap_or(SideSource::Container);
            let old = self.playing.sides.get(&id).cloned().unwrap_or_default();
            let heard = old.now.clone().unwrap_or(SideSource::Container);
            let was_there = self.playing.nodes.iter().any(|node| Arc::ptr_eq(node, &slot));
            let before = match was_there {
                true if faded.contains(&id) => Some(SideSource::Silence),
                true if heard != source => Some(heard),
                true => old.before.filter(|_| slot.controls().side_turns()),
                false => None,
            };
            if now.is_some() || before.is_some() {
                kept.insert(id, Side { now: now.cloned(), before: before.clone() });
            }
            plan.push(PlanSide { slot, source, before });
        }
        plan.retain(|side| side.source != SideSource::Container || side.before.is_some());
        (plan, kept)
    }

    /// What there is to say of a slot's sidechain; empty for nothing.
    pub(super) fn side_notice(&self, slot: &Slot) -> String {
        let title = |id| self.chain.title_of(id).unwrap_or_default();
        match self.chain.check_source(slot.id, slot.sidechain) {
            Err(SourceFault::Gone(id)) => {
                format!("its sidechain is silent: what it hears ({id}) is not in the chain any more")
            }
            Err(SourceFault::Behind(id)) => {
                format!("its sidechain is silent: {} stands behind it now; move one of the two", title(id))
            }
            Ok(()) => match self.playing.late_sides.get(&slot.id) {
                Some(late) => format!("its sidechain comes {late} samples late: its source is later than it is itself"),
                None => String::new(),
            },
        }
    }

    /// What there is to say of a slot that is no fault; empty for nothing.
    pub(super) fn notice_of(&self, slot: &Slot, live: &Live) -> String {
        let notices = [live.notice.clone(), live.history.clone(), self.side_notice(slot)];
        notices.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

impl Fades {
    /// Whether a lane goes, or its group is taken out of its place.
    fn takes_lane(&self, lane: &Arc<LaneNode>, tree: &[PlanNode]) -> bool {
        self.lanes.iter().any(|gone| Arc::ptr_eq(gone, lane)) || self.takes_group_of(lane, tree)
    }

    fn takes_group_of(&self, lane: &Arc<LaneNode>, tree: &[PlanNode]) -> bool {
        let groups = tree.iter().filter_map(|node| match node {
            PlanNode::Lanes(group) => Some(group),
            PlanNode::Slot(_) => None,
        });
        groups.into_iter().any(|group| {
            let gone = self.groups.iter().any(|gone| Arc::ptr_eq(gone, &group.node));
            gone && group.lanes.iter().any(|other| Arc::ptr_eq(&other.node, lane))
                || group.lanes.iter().any(|other| self.takes_group_of(lane, &other.nodes))
        })
    }
}

/// Everything that can be heard, in the order in which its sound is there.
fn order(nodes: &[PlanNode]) -> Vec<SideSource> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            PlanNode::Slot(node) => found.push(SideSource::Slot(node.clone())),
            PlanNode::Lanes(group) => {
                for lane in &group.lanes {
                    found.extend(order(&lane.nodes));
                    found.push(SideSource::Lane(lane.node.clone()));
                }
                found.push(SideSource::Lanes(group.node.clone()));
            }
        }
    }
    found
}
