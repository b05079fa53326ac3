//! Nodes that come from elsewhere: under ids of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::places::{Container, PlaceError};
use super::{Aim, Chain, Lane, Lanes, MACROS, Macro, MacroId, Node, SidechainSource, Slot, SlotId, Target, lanes};

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
        self.put_copies_with(container, index, nodes, &[]).map(|put| put.ids)
    }

    /// The same, and the macros that move them: each under its own number where that moves nothing here, else under the first that does.
    /// Those of a chain's own nodes, copied within it, stay with the first.
    pub fn put_copies_with(
        &mut self,
        container: Container,
        index: usize,
        nodes: &[Node],
        macros: &[Macro],
    ) -> Result<Put, PlaceError> {
        let places = self.list(container).ok_or(PlaceError::NoLane(container.unwrap_or(SlotId(0))))?.len();
        let coming: Vec<_> = macros.iter().filter(|one| !self.moves_the_same(one, nodes)).collect();
        let (nodes, fresh) = self.renumbered(nodes);
        let mut put = Put { ids: nodes.iter().filter_map(Node::id).collect(), ..Put::default() };
        let before = self.nodes.clone();
        for (at, node) in nodes.into_iter().enumerate() {
            if let Err(error) = self.put(container, index.min(places) + at, node) {
                self.nodes = before;
                return Err(error);
            }
        }
        for one in coming {
            self.put_macro(one, &fresh, &mut put);
        }
        Ok(put)
    }

    /// The macros that move something in `nodes`, without what else they move.
    pub fn macros_of(&self, nodes: &[Node]) -> Vec<Macro> {
        let mut inside = BTreeSet::new();
        for_each_id(&mut nodes.to_vec(), &mut |id| {
            inside.insert(*id);
        });
        let of = |one: &Macro| {
            let within = |target: &&Target| target.aim.place().is_some_and(|id| inside.contains(&id));
            Macro { targets: one.targets.iter().filter(within).cloned().collect(), ..one.clone() }
        };
        self.macros.iter().map(of).filter(|one| !one.targets.is_empty()).collect()
    }

    /// Whether a macro of that number and name moves one of the same things here: `nodes` are copies of this chain's own.
    fn moves_the_same(&self, other: &Macro, nodes: &[Node]) -> bool {
        let theirs = lanes::slots(nodes);
        let same = |aim: &Aim| match aim.slot() {
            Some(id) => {
                let their = theirs.iter().find(|slot| slot.id == id);
                self.slot(id).zip(their).is_some_and(|(own, their)| own.plugin == their.plugin)
            }
            None => self.has(aim),
        };
        let own = self.macro_of(other.number).filter(|own| own.name == other.name);
        let moved = |target: &Target| same(&target.aim) && other.target(&target.aim).is_some();
        own.is_some_and(|own| own.targets.iter().any(moved))
    }

    /// Whether what a macro is to move is here.
    fn has(&self, aim: &Aim) -> bool {
        let slot = aim.slot().is_some_and(|id| self.slot(id).is_some());
        slot || aim.lane().is_some_and(|id| self.lane(id).is_some())
    }

    /// Whether a macro has no name and moves nothing that is here.
    fn is_free(&self, number: MacroId) -> bool {
        let own = self.macro_of(number);
        own.is_none_or(|own| own.targets.iter().all(|target| !self.has(&target.aim)) && own.name.is_none())
    }

    fn put_macro(&mut self, one: &Macro, fresh: &BTreeMap<SlotId, SlotId>, put: &mut Put) {
        let lead = |target: &Target| {
            let aim = target.aim.led(*fresh.get(&target.aim.place()?)?)?;
            Some(Target { aim, ..target.clone() })
        };
        let targets: Vec<_> = one.targets.iter().filter_map(lead).collect();
        if targets.is_empty() {
            return;
        }
        // What was cut leaves its macro's name behind.
        let left = |number| {
            let own = self.macro_of(number);
            own.is_some_and(|own| own.name == one.name && own.targets.iter().all(|target| !self.has(&target.aim)))
        };
        let own = Some(one.number).filter(|number| number.index() < MACROS);
        let own = own.filter(|number| self.is_free(*number) || left(*number));
        let Some(number) = own.or_else(|| MacroId::all().find(|number| self.is_free(*number))) else {
            put.left.push(one.name.clone().unwrap_or_else(|| format!("macro {}", one.number)));
            return;
        };
        let place = self.macro_mut(number);
        (place.value, place.name) = (one.value, one.name.clone());
        place.targets.extend(targets);
        put.macros.push((number, one.value));
    }

    /// Copies of nodes under ids that are fresh here, and which id became which.
    fn renumbered(&mut self, nodes: &[Node]) -> (Vec<Node>, BTreeMap<SlotId, SlotId>) {
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
        (nodes, fresh)
    }
}

/// What became of nodes that were put in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Put {
    /// Their ids, in order.
    pub ids: Vec<SlotId>,
    /// The macros that move them here, and where these stand.
    pub macros: Vec<(MacroId, f64)>,
    /// The macros for which there was no room, by name.
    pub left: Vec<String>,
}

impl Aim {
    /// The slot or lane that it belongs to.
    fn place(&self) -> Option<SlotId> {
        self.slot().or(self.lane())
    }

    /// The same of another slot or lane.
    fn led(&self, to: SlotId) -> Option<Self> {
        Some(match self {
            Self::Param(_, key) => Self::Param(to, key.clone()),
            Self::Bypass(_) => Self::Bypass(to),
            Self::Mix(_) => Self::Mix(to),
            Self::InputGain(_) => Self::InputGain(to),
            Self::OutputGain(_) => Self::OutputGain(to),
            Self::Pan(_) => Self::Pan(to),
            Self::Mute(_) => Self::Mute(to),
            Self::LaneGain(_) => Self::LaneGain(to),
            Self::LaneMute(_) => Self::LaneMute(to),
            Self::Unknown(_) => return None,
        })
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
    use crate::model::{Law, PluginId, Split};

    fn group(chain: &mut Chain) -> (SlotId, SlotId) {
        let (group, lane) = (chain.fresh_id(), chain.fresh_id());
        let lanes = vec![Lane::new(lane)];
        let lanes = Lanes { id: group, name: None, split: Split::Copy, lanes, extra: Default::default() };
        chain.put(None, 9, Node::Lanes(Box::new(lanes))).unwrap();
        (group, lane)
    }

    fn mapped(chain: &mut Chain, number: usize, name: Option<&str>, aim: Aim) {
        let one = chain.macro_mut(MacroId::new(number).unwrap());
        (one.value, one.name) = (0.25, name.map(str::to_owned));
        one.targets.push(Target::new(aim, Law::straight(0.0, 1.0)));
    }

    #[test]
    fn macros_come_with_what_they_move_to_numbers_that_are_free() {
        let mut from = Chain::default();
        let [a, b] = ["a", "b"].map(|name| from.insert(9, PluginId::clap(name)));
        mapped(&mut from, 1, Some("Drive"), Aim::Mix(a));
        mapped(&mut from, 1, Some("Drive"), Aim::Mix(b));
        mapped(&mut from, 3, None, Aim::Pan(b));
        let only_a = from.macros_of(&from.nodes[..1]);
        assert_eq!((only_a.len(), only_a[0].targets.len()), (1, 1));

        let mut to = Chain::default();
        let other = to.insert(0, PluginId::clap("other"));
        mapped(&mut to, 1, Some("Level"), Aim::Mix(other));
        let put = to.put_copies_with(None, 9, &from.nodes, &from.macros).unwrap();
        let id = |number| MacroId::new(number).unwrap();
        assert_eq!((put.macros, put.left), (vec![(id(2), 0.25), (id(3), 0.25)], Vec::<String>::new()));
        let drive = to.macro_of(id(2)).unwrap();
        assert_eq!((drive.name.as_deref(), drive.value), (Some("Drive"), 0.25));
        assert_eq!(
            drive.targets.iter().map(|one| one.aim.clone()).collect::<Vec<_>>(),
            put.ids.iter().map(|id| Aim::Mix(*id)).collect::<Vec<_>>()
        );

        // A copy within the chain leaves them with the first; what was cut takes its own back.
        let (nodes, macros) = (to.nodes[1..2].to_vec(), to.macros_of(&to.nodes[1..2]));
        assert!(to.put_copies_with(None, 9, &nodes, &macros).unwrap().macros.is_empty());
        to.nodes.clear();
        assert_eq!(to.put_copies_with(None, 9, &nodes, &macros).unwrap().macros, [(id(2), 0.25)]);
        // No room.
        let own = to.slots().next().unwrap().id;
        for number in MacroId::all() {
            mapped(&mut to, number.number(), Some("full"), Aim::Mix(own));
        }
        let mut nodes = nodes;
        for_each_id(&mut nodes, &mut |id| id.0 += 1000);
        let macros = vec![Macro {
            targets: vec![Target::new(Aim::Mix(nodes[0].id().unwrap()), Law::straight(0.0, 1.0))],
            name: Some("Drive".into()),
            ..Macro::new(id(2))
        }];
        assert_eq!(to.put_copies_with(None, 9, &nodes, &macros).unwrap().left, ["Drive"]);
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
