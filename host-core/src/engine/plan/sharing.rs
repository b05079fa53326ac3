//! How lanes are shared out to the threads of the pool, by what their slots cost. `[home]` all through.
//!
//! An item is what one thread runs without a pause: whole lanes. Lanes that hold nothing but further lanes count as those. What is
//! shorter than the time in which a helper comes to it goes with others into one item; what gains too little stays serial.

use std::collections::BTreeMap;

use super::{PlanLane, PlanLanes, PlanNode, PlanSide};
use crate::engine::side::{SideKey, SideSource};
use crate::pool::HAND_OVER;

/// Time that it takes to wake a helper, nanoseconds.
const CALL: u64 = 3_000;

/// Which groups of lanes are run side by side, by the group's key, and the items of each: numbers of lanes, as [`leaves`] counts
/// them; the longest item first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing(BTreeMap<u64, Vec<Vec<usize>>>);

impl Sharing {
    /// The best for a chain of which `workers` threads run lanes. Where nothing was measured yet, nothing is shared out. `[home]`
    pub fn of(nodes: &[PlanNode], workers: usize, sides: &[PlanSide]) -> Self {
        let mut sharing = Self::default();
        if workers > 1 {
            sharing.choose(nodes, workers, sides);
        }
        sharing
    }

    /// Nothing is shared out. `[any]`
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Items that are handed out in a block, of all groups. `[any]`
    pub fn items(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Time of a block with it, nanoseconds, by what the slots cost now. `[home]`
    pub fn nanos(&self, nodes: &[PlanNode], workers: usize) -> u64 {
        let of = |node: &PlanNode| match node {
            PlanNode::Slot(slot) => slot.cost().into(),
            PlanNode::Lanes(group) => match self.items_of(group) {
                Some(items) => {
                    let costs: Vec<_> = leaves(group).into_iter().map(cost).collect();
                    let cost = |item: &Vec<usize>| item.iter().filter_map(|&leaf| costs.get(leaf)).sum();
                    side_by_side(&items.iter().map(cost).collect::<Vec<_>>(), workers)
                }
                None => group.lanes.iter().map(|lane| self.nanos(&lane.nodes, workers)).sum(),
            },
        };
        nodes.iter().map(of).sum()
    }

    pub(super) fn items_of(&self, group: &PlanLanes) -> Option<&[Vec<usize>]> {
        self.0.get(&group.node.key()).map(Vec::as_slice)
    }

    /// Chooses for `nodes`; the time that is left.
    fn choose(&mut self, nodes: &[PlanNode], workers: usize, sides: &[PlanSide]) -> u64 {
        let of = |node: &PlanNode| match node {
            PlanNode::Slot(slot) => slot.cost().into(),
            PlanNode::Lanes(group) => self.choose_group(group, workers, sides),
        };
        nodes.iter().map(of).sum()
    }

    fn choose_group(&mut self, group: &PlanLanes, workers: usize, sides: &[PlanSide]) -> u64 {
        let mut inner = Self::default();
        let without = group.lanes.iter().map(|lane| inner.choose(&lane.nodes, workers, sides)).sum::<u64>();
        let items = items(&leaves(group).into_iter().map(cost).collect::<Vec<_>>());
        let with = side_by_side(&items.iter().map(|item| item.1).collect::<Vec<_>>(), workers);
        // A tenth: less is nothing that anybody would see, and what was measured is no better known.
        if items.len() < 2 || with > without - without / 10 || !may_part(group, sides) {
            self.0.append(&mut inner.0);
            return without;
        }
        self.0.insert(group.node.key(), items.into_iter().map(|item| item.0).collect());
        with
    }
}

/// The lanes of a group that can be run side by side: those of a group that is all that a lane holds stand in its place.
pub(super) fn leaves<'a>(group: &'a PlanLanes) -> Vec<&'a [PlanNode]> {
    let of = |lane: &'a PlanLane| inner(&lane.nodes).map_or_else(|| vec![lane.nodes.as_slice()], leaves);
    group.lanes.iter().flat_map(of).collect()
}

/// The group that is all that a lane holds.
pub(super) fn inner(nodes: &[PlanNode]) -> Option<&PlanLanes> {
    match nodes {
        [PlanNode::Lanes(group)] if !group.lanes.is_empty() => Some(group),
        _ => None,
    }
}

/// What nodes in series cost, nanoseconds.
fn cost(nodes: &[PlanNode]) -> u64 {
    let of = |node: &PlanNode| match node {
        PlanNode::Slot(slot) => slot.cost().into(),
        PlanNode::Lanes(group) => group.lanes.iter().map(|lane| cost(&lane.nodes)).sum::<u64>(),
    };
    nodes.iter().map(of).sum()
}

/// Groups lanes into items of some length: which, and the cost of each; the longest first.
fn items(costs: &[u64]) -> Vec<(Vec<usize>, u64)> {
    let shortest = HAND_OVER.as_nanos() as u64;
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&lane| std::cmp::Reverse(costs[lane]));
    let mut items: Vec<(Vec<usize>, u64)> = Vec::new();
    for lane in order {
        match items.last_mut() {
            Some(last) if last.1 < shortest => {
                last.0.push(lane);
                last.1 += costs[lane];
            }
            _ => items.push((vec![lane], costs[lane])),
        }
    }
    // What is left over goes with the shortest of the others.
    if items.len() > 1
        && let Some(rest) = items.pop_if(|item| item.1 < shortest)
        && let Some(last) = items.last_mut()
    {
        last.0.extend(rest.0);
        last.1 += rest.1;
    }
    items.sort_by_key(|item| std::cmp::Reverse(item.1));
    items
}

/// Time in which so many threads run `items` in their order: each takes the next when it is done, helpers come late.
fn side_by_side(items: &[u64], workers: usize) -> u64 {
    let called = workers.min(items.len()).saturating_sub(1) as u64 * CALL;
    let mut free = vec![called + HAND_OVER.as_nanos() as u64; workers.max(1)];
    free[0] = called;
    for item in items {
        let next = (0..free.len()).min_by_key(|&worker| free[worker]).unwrap_or(0);
        free[next] += item;
    }
    // Those that came to nothing are not waited for.
    let begun = |worker: &usize| *worker == 0 || free[*worker] > called + HAND_OVER.as_nanos() as u64;
    (0..free.len()).filter(begun).map(|worker| free[worker]).max().unwrap_or(0)
}

/// Whether the lanes of a group need nothing of each other while they run: no sidechain listens into them, and none of the lanes in
/// a lane is heard on an auxiliary output.
fn may_part(group: &PlanLanes, sides: &[PlanSide]) -> bool {
    let mut inside = Vec::new();
    places(group, &mut inside);
    let sources = sides.iter().flat_map(|side| [Some(&side.source), side.before.as_ref()]).flatten();
    let heard = sources.into_iter().any(|source| inside.contains(&source.key()));
    !heard && !leaves(group).into_iter().any(sends)
}

fn places(group: &PlanLanes, all: &mut Vec<SideKey>) {
    for lane in &group.lanes {
        all.push(SideSource::Lane(lane.node.clone()).key());
        for node in &lane.nodes {
            match node {
                PlanNode::Slot(slot) => all.push(SideSource::Slot(slot.clone()).key()),
                PlanNode::Lanes(inner) => {
                    all.push(SideSource::Lanes(inner.node.clone()).key());
                    places(inner, all);
                }
            }
        }
    }
}

/// Whether a lane among `nodes` is heard on an auxiliary output.
fn sends(nodes: &[PlanNode]) -> bool {
    nodes.iter().any(|node| match node {
        PlanNode::Slot(_) => false,
        PlanNode::Lanes(group) => group.lanes.iter().any(|lane| lane.sends || sends(&lane.nodes)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1000;

    #[test]
    fn short_lanes_go_together_and_the_longest_item_is_first() {
        let named: Vec<_> = items(&[5 * US, 300 * US, 8 * US, 100 * US, 9 * US]);
        assert_eq!(named, [(vec![1], 300 * US), (vec![3], 100 * US), (vec![4, 2, 0], 22 * US)]);
        // What is left over is no item of its own.
        assert_eq!(items(&[5 * US, 300 * US]), [(vec![1, 0], 305 * US)]);
        assert_eq!(items(&[0, 0]), [(vec![0, 1], 0)]);
    }

    #[test]
    fn a_helper_that_comes_too_late_for_the_last_item_is_not_waited_for() {
        assert_eq!(side_by_side(&[300 * US, 300 * US], 2), 323 * US);
        assert_eq!(side_by_side(&[10 * US, 5 * US], 2), 18 * US);
        assert_eq!(side_by_side(&[300 * US, 300 * US], 1), 600 * US);
        assert_eq!(side_by_side(&[100 * US; 4], 4), (9 + 20 + 100) * US);
    }
}
