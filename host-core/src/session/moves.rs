//! What must fade before one tree of nodes is exchanged for another.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::lanes::{flat, same_node};
use crate::engine::{LaneNode, LanesNode, PlanLanes, PlanNode};
use crate::model::SlotId;

/// What fades: slots to their undelayed dry, groups to what is as if they were not there, lanes and sidechains to silence.
#[derive(Clone, Default)]
pub(super) struct Fades {
    pub(super) slots: BTreeSet<SlotId>,
    pub(super) groups: Vec<Arc<LanesNode>>,
    pub(super) lanes: Vec<Arc<LaneNode>>,
    /// Slots whose sidechain fades to silence.
    pub(super) sides: BTreeSet<SlotId>,
}

impl Fades {
    /// What must fade so that `new` can take the place of `old` unheard: what is not in the same list of nodes any more, and as
    /// little of the rest as must be taken out so that the others keep their order.
    pub(super) fn between(old: &[PlanNode], new: &[PlanNode]) -> Self {
        let mut fades = Self::default();
        let staying: BTreeSet<SlotId> = flat(new).iter().map(|node| node.id()).collect();
        fades.compare(old, new, &staying);
        fades
    }

    fn compare(&mut self, old: &[PlanNode], new: &[PlanNode], staying: &BTreeSet<SlotId>) {
        let places: Vec<Option<usize>> =
            old.iter().map(|node| new.iter().position(|other| same_node(node, other))).collect();
        // To take a group out means to take all of its slots out.
        let weighed = |(node, place): (&PlanNode, &Option<usize>)| {
            place.map(|place| (place, if matches!(node, PlanNode::Lanes(_)) { 1000 } else { 1 }))
        };
        let kept = heaviest_rise(&old.iter().zip(&places).filter_map(weighed).collect::<Vec<_>>());
        for (node, place) in old.iter().zip(&places) {
            match (node, place.filter(|place| kept.contains(place))) {
                (PlanNode::Slot(_), Some(_)) => {}
                (PlanNode::Slot(node), None) => drop(self.slots.insert(node.id())),
                (PlanNode::Lanes(group), None) => self.take_out(group),
                (PlanNode::Lanes(group), Some(place)) => {
                    if let PlanNode::Lanes(new) = &new[place] {
                        self.compare_lanes(group, new, staying);
                    }
                }
            }
        }
    }

    fn take_out(&mut self, group: &PlanLanes) {
        self.groups.push(group.node.clone());
        for lane in &group.lanes {
            self.take_out_all(&lane.nodes);
        }
    }

    fn take_out_all(&mut self, nodes: &[PlanNode]) {
        for node in nodes {
            match node {
                PlanNode::Slot(node) => drop(self.slots.insert(node.id())),
                PlanNode::Lanes(group) => self.take_out(group),
            }
        }
    }

    fn compare_lanes(&mut self, old: &PlanLanes, new: &PlanLanes, staying: &BTreeSet<SlotId>) {
        let place = |node: &Arc<LaneNode>| new.lanes.iter().position(|lane| Arc::ptr_eq(&lane.node, node));
        // A lane that is no copy is fed by its place.
        let moved = old.lanes.iter().enumerate().any(|(at, lane)| place(&lane.node).is_some_and(|new| new != at));
        if moved && !(old.siblings && new.siblings) {
            return self.take_out(old);
        }
        for lane in &old.lanes {
            match place(&lane.node) {
                Some(place) => self.compare(&lane.nodes, &new.lanes[place].nodes, staying),
                None => {
                    self.lanes.push(lane.node.clone());
                    // What leaves with its lane fades with it; what goes elsewhere is to be heard there.
                    let elsewhere = flat(&lane.nodes).into_iter().map(|node| node.id());
                    self.slots.extend(elsewhere.filter(|id| staying.contains(id)));
                }
            }
        }
    }

    /// What is here and not in `others`.
    pub(super) fn beyond(&self, others: &Self) -> Self {
        Self {
            slots: &self.slots - &others.slots,
            groups: left(&self.groups, &others.groups),
            lanes: left(&self.lanes, &others.lanes),
            sides: &self.sides - &others.sides,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.groups.is_empty() && self.lanes.is_empty() && self.sides.is_empty()
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.slots.extend(more.slots);
        self.groups.extend(more.groups);
        self.lanes.extend(more.lanes);
        self.sides.extend(more.sides);
    }

    /// Whether the lanes and groups among it have faded.
    pub(super) fn lanes_settled(&self) -> bool {
        self.groups.iter().all(|node| node.controls().settled())
            && self.lanes.iter().all(|node| node.controls().settled())
    }
}

fn left<T>(these: &[Arc<T>], without: &[Arc<T>]) -> Vec<Arc<T>> {
    these.iter().filter(|this| !without.iter().any(|other| Arc::ptr_eq(this, other))).cloned().collect()
}

/// A heaviest rising subsequence of `places`, each with its weight.
fn heaviest_rise(places: &[(usize, u32)]) -> BTreeSet<usize> {
    // best[i]: weight of the heaviest rise that ends at i, and where it came from. Chains are short: quadratic is fine.
    let mut best: Vec<(u32, Option<usize>)> = Vec::with_capacity(places.len());
    for (i, (place, weight)) in places.iter().enumerate() {
        let before = (0..i).filter(|&j| places[j].0 < *place).max_by_key(|&j| best[j].0);
        best.push((before.map_or(0, |j| best[j].0) + weight, before));
    }
    let mut at = (0..places.len()).max_by_key(|&i| best[i].0);
    let mut rise = BTreeSet::new();
    while let Some(i) = at {
        rise.insert(places[i].0);
        at = best[i].1;
    }
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_few_slots_as_possible_are_moved() {
        let rise = |places: &[usize]| heaviest_rise(&places.iter().map(|&place| (place, 1)).collect::<Vec<_>>());
        assert_eq!(rise(&[0, 1, 2, 3]), BTreeSet::from([0, 1, 2, 3]));
        assert_eq!(rise(&[3, 0, 1, 2]), BTreeSet::from([0, 1, 2]));
        assert_eq!(rise(&[0, 2, 3, 1]), BTreeSet::from([0, 2, 3]));
        assert_eq!(rise(&[]), BTreeSet::new());
        assert_eq!(heaviest_rise(&[(1, 1000), (0, 1)]), BTreeSet::from([1]), "a group stays, a slot moves");
    }
}
