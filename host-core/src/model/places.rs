//! Where nodes stand: the chain itself and each lane are lists of nodes, and every slot and group has a place in one.

use super::lanes::{MAX_DEPTH, depth};
use super::{Chain, Lane, Lanes, Node, Slot, SlotId};

/// A list of nodes: a lane's, or `None` for the chain's own.
pub type Container = Option<SlotId>;

/// Why a node was not put where it was to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// There is no such slot or group.
    NoNode(SlotId),
    /// There is no such lane.
    NoLane(SlotId),
    /// The lane is part of what is to be moved.
    Inside(SlotId),
    /// Lanes would be nested deeper than [`MAX_DEPTH`].
    Depth,
}

impl Chain {
    /// The nodes of a list.
    pub fn list(&self, container: Container) -> Option<&Vec<Node>> {
        match container {
            None => Some(&self.nodes),
            Some(lane) => self.lane(lane).map(|lane| &lane.nodes),
        }
    }

    fn list_mut(&mut self, container: Container) -> Option<&mut Vec<Node>> {
        match container {
            None => Some(&mut self.nodes),
            Some(lane) => self.lane_mut(lane).map(|lane| &mut lane.nodes),
        }
    }

    /// The lane with `id`.
    pub fn lane(&self, id: SlotId) -> Option<&Lane> {
        self.groups().flat_map(|group| &group.lanes).find(|lane| lane.id == id)
    }

    /// The lane with `id`, to be changed.
    pub fn lane_mut(&mut self, id: SlotId) -> Option<&mut Lane> {
        find_lane(&mut self.nodes, id)
    }

    /// The group of lanes with `id`.
    pub fn group(&self, id: SlotId) -> Option<&Lanes> {
        self.groups().find(|group| group.id == id)
    }

    /// The group of lanes with `id`, to be changed.
    pub fn group_mut(&mut self, id: SlotId) -> Option<&mut Lanes> {
        find_group(&mut self.nodes, &|group| group.id == id)
    }

    /// The group that a lane is in.
    pub fn group_of(&self, lane: SlotId) -> Option<&Lanes> {
        self.groups().find(|group| group.lanes.iter().any(|other| other.id == lane))
    }

    /// The group that a lane is in, to be changed.
    pub fn group_of_mut(&mut self, lane: SlotId) -> Option<&mut Lanes> {
        find_group(&mut self.nodes, &|group| group.lanes.iter().any(|other| other.id == lane))
    }

    /// Where a slot or a group stands: its list, and its place in it.
    pub fn place(&self, id: SlotId) -> Option<(Container, usize)> {
        place(&self.nodes, None, id)
    }

    /// Where a slot or a group stands in its list.
    pub fn position(&self, id: SlotId) -> Option<usize> {
        self.place(id).map(|(_, index)| index)
    }

    /// Puts a node in at `index` of a list (the end where it is past it).
    pub fn put(&mut self, container: Container, index: usize, node: Node) -> Result<(), PlaceError> {
        let missing = PlaceError::NoLane(container.unwrap_or(SlotId(0)));
        let list = self.list_mut(container).ok_or(missing)?;
        let index = index.min(list.len());
        list.insert(index, node);
        if depth(&self.nodes) > MAX_DEPTH {
            self.list_mut(container).map(|list| list.remove(index));
            return Err(PlaceError::Depth);
        }
        Ok(())
    }

    /// Takes a slot or a group out, with all that it holds.
    pub fn take(&mut self, id: SlotId) -> Option<Node> {
        let (container, index) = self.place(id)?;
        Some(self.list_mut(container)?.remove(index))
    }

    /// Takes a group apart: what its lanes hold stands in its place, lane after lane. `None`: there is no such group.
    pub fn dissolve(&mut self, id: SlotId) -> Option<()> {
        self.group(id)?;
        let (container, index) = self.place(id)?;
        let Node::Lanes(group) = self.take(id)? else { return None };
        let list = self.list_mut(container)?;
        list.splice(index..index, group.lanes.into_iter().flat_map(|lane| lane.nodes));
        Some(())
    }

    /// Takes a slot out.
    pub fn remove(&mut self, id: SlotId) -> Option<Slot> {
        self.slot(id)?;
        match self.take(id)? {
            Node::Slot(slot) => Some(*slot),
            Node::Lanes(_) | Node::Unknown(_) => None,
        }
    }

    /// Moves a slot or a group within its list so that it stands at `index` (the end where it is past it). False: there is no
    /// such node.
    pub fn move_to(&mut self, id: SlotId, index: usize) -> bool {
        let Some((container, _)) = self.place(id) else { return false };
        self.move_into(id, container, index).is_ok()
    }

    /// Moves a slot or a group to `index` of any list (the end where it is past it).
    pub fn move_into(&mut self, id: SlotId, container: Container, index: usize) -> Result<(), PlaceError> {
        let from = self.place(id).ok_or(PlaceError::NoNode(id))?;
        let node = self.take(id).ok_or(PlaceError::NoNode(id))?;
        let back = node.clone();
        self.put(container, index, node)
            .inspect_err(|_| {
                // It stood there a moment ago.
                let _there = self.put(from.0, from.1, back);
            })
            .map_err(|error| match error {
                PlaceError::NoLane(lane) if self.lane(lane).is_some() => PlaceError::Inside(lane),
                other => other,
            })
    }
}

fn place(nodes: &[Node], container: Container, id: SlotId) -> Option<(Container, usize)> {
    if let Some(index) = nodes.iter().position(|node| node.id() == Some(id)) {
        return Some((container, index));
    }
    let lanes = nodes.iter().filter_map(Node::lanes).flat_map(|group| &group.lanes);
    lanes.into_iter().find_map(|lane| place(&lane.nodes, Some(lane.id), id))
}

fn find_group<'a>(nodes: &'a mut [Node], fits: &dyn Fn(&Lanes) -> bool) -> Option<&'a mut Lanes> {
    for node in nodes {
        let Node::Lanes(group) = node else { continue };
        if fits(group) {
            return Some(group);
        }
        if let Some(found) = group.lanes.iter_mut().find_map(|lane| find_group(&mut lane.nodes, fits)) {
            return Some(found);
        }
    }
    None
}

fn find_lane(nodes: &mut [Node], id: SlotId) -> Option<&mut Lane> {
    find_group(nodes, &|group| group.lanes.iter().any(|lane| lane.id == id))?
        .lanes
        .iter_mut()
        .find(|lane| lane.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PluginId, Split};

    fn one_lane(id: SlotId, lane: SlotId) -> Node {
        let lanes = vec![Lane::new(lane)];
        Node::Lanes(Box::new(Lanes { id, name: None, split: Split::Copy, lanes, extra: Default::default() }))
    }

    #[test]
    fn nodes_move_into_lanes_and_out_and_never_into_themselves() {
        let mut chain = Chain::default();
        let (a, b) = (chain.insert(0, PluginId::clap("a")), chain.insert(1, PluginId::clap("b")));
        let (group, lane) = (chain.fresh_id(), chain.fresh_id());
        chain.put(None, 1, one_lane(group, lane)).unwrap();
        chain.move_into(a, Some(lane), 0).unwrap();
        assert_eq!((chain.place(a), chain.place(b)), (Some((Some(lane), 0)), Some((None, 1))));
        assert_eq!(chain.slots().map(|slot| slot.id).collect::<Vec<_>>(), [a, b]);
        let before = chain.clone();
        assert_eq!(chain.move_into(group, Some(lane), 0), Err(PlaceError::Inside(lane)));
        assert_eq!(chain.move_into(a, Some(SlotId(99)), 0), Err(PlaceError::NoLane(SlotId(99))));
        assert_eq!(chain, before);
        let text = serde_json::to_string(&chain).unwrap();
        assert_eq!(serde_json::from_str::<Chain>(&text).unwrap(), chain);
        assert!(chain.fresh_id() > lane);
    }

    #[test]
    fn lanes_nest_to_a_bound() {
        let mut chain = Chain::default();
        let mut container = None;
        for level in 0..=MAX_DEPTH {
            let (group, lane) = (chain.fresh_id(), chain.fresh_id());
            let put = chain.put(container, 0, one_lane(group, lane));
            assert_eq!(put.is_ok(), level < MAX_DEPTH, "level {level}");
            container = Some(lane);
        }
    }
}
