//! Ids of a chain that comes beside another's.

use std::sync::Arc;

use super::{Aim, Chain, Macro, Node, SharedScene, SidechainSource, SlotId};

impl Chain {
    /// Gives every slot, lane and group of lanes an id higher by that much, and the same to whatever names one of them. What a newer
    /// version wrote stays as it is.
    pub fn raise_ids(&mut self, by: u64) {
        if by == 0 {
            return;
        }
        self.next_slot = self.next_slot.saturating_add(by);
        raise_nodes(&mut self.nodes, by);
        raise_macros(&mut self.macros, by);
        for scene in self.snapshots.stored.values_mut() {
            let mut other = (*scene.0).clone();
            raise_nodes(&mut other.nodes, by);
            raise_macros(&mut other.macros, by);
            *scene = SharedScene(Arc::new(other));
        }
    }
}

fn raise(id: &mut SlotId, by: u64) {
    id.0 = id.0.saturating_add(by);
}

fn raise_nodes(nodes: &mut [Node], by: u64) {
    for node in nodes {
        match node {
            Node::Slot(slot) => {
                raise(&mut slot.id, by);
                match &mut slot.sidechain {
                    SidechainSource::Output(id) => raise(id, by),
                    SidechainSource::Container | SidechainSource::None | SidechainSource::Input => {}
                }
            }
            Node::Lanes(group) => {
                raise(&mut group.id, by);
                for lane in &mut group.lanes {
                    raise(&mut lane.id, by);
                    raise_nodes(&mut lane.nodes, by);
                }
            }
            Node::Unknown(_) => {}
        }
    }
}

fn raise_macros(macros: &mut [Macro], by: u64) {
    for target in macros.iter_mut().flat_map(|one| &mut one.targets) {
        match &mut target.aim {
            Aim::Param(id, _)
            | Aim::Bypass(id)
            | Aim::Mix(id)
            | Aim::InputGain(id)
            | Aim::OutputGain(id)
            | Aim::Pan(id)
            | Aim::Mute(id)
            | Aim::LaneGain(id)
            | Aim::LaneMute(id) => raise(id, by),
            Aim::Unknown(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Lane, Lanes, Law, Letter, MacroId, PluginId, Scene, Slot, Split, Target};

    fn slot(id: u64, sidechain: SidechainSource) -> Node {
        Node::Slot(Box::new(Slot { sidechain, ..Slot::new(SlotId(id), PluginId::clap("a")) }))
    }

    fn chain(by: u64) -> Chain {
        let at = |id: u64| SlotId(id + by);
        let lane = Lane { nodes: vec![slot(4 + by, SidechainSource::Input)], ..Lane::new(at(3)) };
        let group = Lanes { id: at(2), name: None, split: Split::Copy, lanes: vec![lane], extra: Default::default() };
        let nodes = vec![
            slot(1 + by, SidechainSource::None),
            Node::Lanes(Box::new(group)),
            slot(5 + by, SidechainSource::Output(at(2))),
        ];
        let aims = [Aim::Param(at(1), "x".into()), Aim::LaneGain(at(3)), Aim::Unknown(1.into())];
        let targets = aims.map(|aim| Target::new(aim, Law::straight(0.0, 1.0))).to_vec();
        let macros = vec![Macro { targets, ..Macro::new(MacroId::new(1).unwrap()) }];
        let scene = Scene { nodes: nodes.clone(), macros: macros.clone(), ..Scene::default() };
        let mut chain = Chain { nodes, macros, next_slot: 6 + by, ..Chain::default() };
        chain.snapshots.stored.insert(Letter::ALL[0], SharedScene(scene.into()));
        chain
    }

    #[test]
    fn whatever_names_a_slot_or_a_lane_names_it_still() {
        let mut raised = chain(0);
        raised.raise_ids(40);
        assert_eq!(raised, chain(40));
    }
}
