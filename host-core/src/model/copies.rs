//! Nodes that come from elsewhere: under ids of their own.

use std::collections::BTreeMap;

use super::places::{Container, PlaceError};
use super::{Chain, Lane, Lanes, Node, SidechainSource, Slot, SlotId, lanes};

impl Chain {
    /// Copies of slots and groups, in their order, wherever they stand. What is in one of them comes with it.
    pub fn copies(&self, ids: &[SlotId]) -> Vec<Node> {
        pick(&self.nodes, ids)
    }

    /// Puts nodes in at `index` of a list (the end where it is past it), one after the other, under fresh ids; all of them or none.
    /// What their sidechains hear in each other they hear still; what they heard elsewhere is not here. The ids are theirs, in order.
    pub fn put_copies(
        &mut self,
        container: Container,
        index: usize,
        nodes: &[Node],
    ) -> Result<Vec<SlotId>, PlaceError> {
        let places = self.list(container).ok_or(PlaceError::NoLane(container.unwrap_or(SlotId(0))))?.len();
        let nodes = self.renumbered(nodes);
        let ids = nodes.iter().filter_map(Node::id).collect();
        let before = self.nodes.clone();
        for (at, node) in nodes.into_iter().enumerate() {
            if let Err(error) = self.put(container, index.min(places) + at, node) {
                self.nodes = before;
                return Err(error);
            }
        }
        Ok(ids)
    }

    /// Copies of nodes under ids that are fresh here.
    fn renumbered(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut nodes = nodes.to_vec();
        let mut fresh = BTreeMap::new();
        for_each_id(&mut nodes, &mut |id| {
            let new = self.fresh_id();
            fresh.insert(*id, new);
            *id = new;
        });
        lanes::for_each_slot(&mut nodes, &mut |slot| {
            if let SidechainSource::Output(heard) = slot.sidechain {
                slot.sidechain = fresh.get(&heard).map_or_else(Default::default, |new| SidechainSource::Output(*new));
            }
        });
        nodes
    }
}

fn pick(nodes: &[Node], ids: &[SlotId]) -> Vec<Node> {
    let mut picked = Vec::new();
    for node in nodes {
        match node {
            _ if node.id().is_some_and(|id| ids.contains(&id)) => picked.push(node.clone()),
            Node::Lanes(group) => group.lanes.iter().for_each(|lane| picked.extend(pick(&lane.nodes, ids))),
            Node::Slot(_) | Node::Unknown(_) => {}
        }
    }
    picked
}

/// Every id of slots, lanes and groups.
fn for_each_id(nodes: &mut [Node], each: &mut dyn FnMut(&mut SlotId)) {
    for node in nodes {
        match node {
            Node::Slot(slot) => {
                let Slot { id, .. } = &mut **slot;
                each(id);
            }
            Node::Lanes(group) => {
                let Lanes { id, lanes, .. } = &mut **group;
                each(id);
                for Lane { id, nodes, .. } in lanes {
                    each(id);
                    for_each_id(nodes, each);
                }
            }
            Node::Unknown(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PluginId, Split};

    fn group(chain: &mut Chain) -> (SlotId, SlotId) {
        let (group, lane) = (chain.fresh_id(), chain.fresh_id());
        let lanes = vec![Lane::new(lane)];
        let lanes = Lanes { id: group, name: None, split: Split::Copy, lanes, extra: Default::default() };
        chain.put(None, 9, Node::Lanes(Box::new(lanes))).unwrap();
        (group, lane)
    }

    #[test]
    fn copies_have_ids_of_their_own_and_hear_each_other() {
        let mut from = Chain::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| from.insert(9, PluginId::clap(name)));
        let (group, lane) = group(&mut from);
        from.move_into(c, Some(lane), 0).unwrap();
        from.slot_mut(b).unwrap().sidechain = SidechainSource::Output(a);
        from.slot_mut(c).unwrap().sidechain = SidechainSource::Output(b);
        let mut to = from.clone();
        let ids = to.put_copies(None, 1, &from.nodes).unwrap();
        assert_eq!(ids.len(), 3);
        assert!(ids.iter().all(|id| *id > group), "{ids:?}");
        let order: Vec<_> = to.nodes.iter().filter_map(Node::id).collect();
        assert_eq!(order, [a, ids[0], ids[1], ids[2], b, group]);
        assert_eq!(to.slot(ids[1]).unwrap().sidechain, SidechainSource::Output(ids[0]));
        assert_eq!(to.slots().nth(3).unwrap().sidechain, SidechainSource::Output(ids[1]));
        // What is not copied along is not heard.
        let ids = to.put_copies(None, 99, &from.nodes[1..2]).unwrap();
        assert_eq!(to.slot(ids[0]).unwrap().sidechain, SidechainSource::Container);
        // All or none: lanes in lanes have a bound.
        let mut container = None;
        for _ in 0..lanes::MAX_DEPTH {
            let deepest = to.put_copies(container, 0, &from.nodes[2..]).unwrap()[0];
            container = Some(to.group(deepest).unwrap().lanes[0].id);
        }
        let before = to.nodes.clone();
        assert_eq!(to.put_copies(container, 0, &from.nodes), Err(PlaceError::Depth));
        assert_eq!(to.nodes, before);
        assert_eq!(to.put_copies(Some(SlotId(999)), 0, &from.nodes), Err(PlaceError::NoLane(SlotId(999))));
    }
}
