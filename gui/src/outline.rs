//! The chain as lines from top to bottom: what stands where, and which command brings it elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use host_core::model::SlotId;
use host_core::model::places::Container;
use host_core::session::{Command, LaneView, LanesView, NodeView, SlotView, Snapshot};

/// What a line shows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'a> {
    /// A slot.
    Slot(&'a SlotView),
    /// The head of parallel lanes.
    Lanes(&'a LanesView),
    /// The head of one of them.
    Lane(&'a LanesView, &'a LaneView),
    /// The place in a lane that holds nothing.
    Nothing(&'a LaneView),
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Row<'a> {
    /// The slot's, the lanes', the lane's.
    pub id: SlotId,
    pub item: Item<'a>,
    /// As it is shown: `2`, and `2.1.3` in lanes.
    pub number: String,
    /// How many lanes it is in.
    pub depth: usize,
    /// The lane that a slot or lanes stand in, the lanes that a lane belongs to.
    pub parent: Option<SlotId>,
    /// Its place there, and how many there are.
    pub index: usize,
    pub count: usize,
    /// Frames.
    pub latency: u32,
    /// The chain's latency is made of this one's.
    pub on_path: bool,
    /// The lanes that it is in, outermost first, a lane's own among them.
    pub within: Vec<(&'a LanesView, &'a LaneView)>,
}

impl Row<'_> {
    /// Whether it can have the keys.
    pub fn takes_keys(&self) -> bool {
        !matches!(self.item, Item::Nothing(..))
    }

    /// Whether it is a slot or lanes: what stands in a list.
    pub fn is_node(&self) -> bool {
        matches!(self.item, Item::Slot(_) | Item::Lanes(_))
    }
}

/// All lines of a chain.
pub(crate) struct Outline<'a> {
    pub rows: Vec<Row<'a>>,
    /// How many nodes the chain itself has.
    pub count: usize,
    /// Whether there are lanes.
    pub has_lanes: bool,
}

impl<'a> Outline<'a> {
    /// The lines of a chain.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let slots = snapshot.slots.iter().map(|slot| (slot.id, slot)).collect();
        let mut path = BTreeSet::new();
        let mut reader = Reader { slots, rows: Vec::new() };
        reader.follow(&snapshot.nodes, &mut path);
        reader.list(&snapshot.nodes, None, "", &[]);
        let mut rows = reader.rows;
        rows.iter_mut().for_each(|row| row.on_path = path.contains(&row.id));
        let has_lanes = rows.iter().any(|row| matches!(row.item, Item::Lanes(_)));
        Self { rows, count: snapshot.nodes.len(), has_lanes }
    }

    /// The line of a slot, lanes or a lane.
    pub fn row(&self, id: SlotId) -> Option<&Row<'a>> {
        self.rows.iter().find(|row| row.id == id && row.takes_keys())
    }

    /// What users call it.
    pub fn title(&self, id: SlotId) -> Option<String> {
        self.row(id).map(|row| match row.item {
            Item::Slot(slot) => slot.title.clone(),
            Item::Lanes(group) => lanes_title(group),
            Item::Lane(_, lane) | Item::Nothing(lane) => lane.title.clone(),
        })
    }

    /// The line above or below that can have the keys.
    pub fn beside(&self, id: SlotId, down: bool) -> Option<SlotId> {
        let keyed: Vec<_> = self.rows.iter().filter(|row| row.takes_keys()).map(|row| row.id).collect();
        let at = keyed.iter().position(|other| *other == id)?;
        keyed.get(if down { at + 1 } else { at.checked_sub(1)? }).copied()
    }

    /// What has the keys when `id` is gone with all that it holds: its neighbour, else what it stands in.
    pub fn heir(&self, id: SlotId) -> Option<SlotId> {
        let row = self.row(id)?;
        let sibling = |index: usize| self.at(row.parent, index, row.is_node());
        let before = || row.index.checked_sub(1).and_then(sibling);
        sibling(row.index + 1).or_else(before).map(|row| row.id).or(row.parent)
    }

    fn at(&self, parent: Option<SlotId>, index: usize, node: bool) -> Option<&Row<'a>> {
        let fits = |row: &&Row| row.takes_keys() && row.is_node() == node && row.parent == parent && row.index == index;
        self.rows.iter().find(fits)
    }

    /// Whether `inner` is part of `outer`.
    fn holds(&self, outer: &Row, inner: &Row) -> bool {
        inner.number.strip_prefix(&outer.number).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether a lane is part of a group of lanes.
    pub fn is_within(&self, lane: SlotId, outer: SlotId) -> bool {
        self.row(outer).zip(self.row(lane)).is_some_and(|(outer, lane)| self.holds(outer, lane))
    }

    /// The lane beside one in its lanes.
    fn lane_beside(&self, lane: &Row<'a>, down: bool) -> Option<&'a LaneView> {
        let Item::Lane(group, _) = lane.item else { return None };
        group.lanes.get(if down { lane.index + 1 } else { lane.index.checked_sub(1)? })
    }

    /// A step up or down: past its neighbour, from lane to lane, and out of lanes at their ends.
    pub fn step(&self, id: SlotId, down: bool) -> Option<Command> {
        let row = self.row(id)?;
        let next = if down { Some(row.index + 1).filter(|next| *next < row.count) } else { row.index.checked_sub(1) };
        if !row.is_node() {
            return Some(Command::MoveLane { lane: id, index: next? });
        }
        if let Some(index) = next {
            return Some(Command::Move { slot: id, index });
        }
        let lane = self.row(row.parent?)?;
        if let Some(beside) = self.lane_beside(lane, down) {
            let index = if down { 0 } else { beside.nodes.len() };
            return Some(Command::MoveInto { node: id, into: Some(beside.id), index });
        }
        self.leave(id, down)
    }

    /// Out of its lane, before the lanes or behind them.
    fn leave(&self, id: SlotId, behind: bool) -> Option<Command> {
        let lanes = self.row(self.row(self.row(id)?.parent?)?.parent?)?;
        Some(Command::MoveInto { node: id, into: lanes.parent, index: lanes.index + usize::from(behind) })
    }

    /// Out of its lane, behind the lanes.
    pub fn outward(&self, id: SlotId) -> Option<Command> {
        self.row(id).filter(|row| row.is_node())?;
        self.leave(id, true)
    }

    /// Into the lanes that stand behind it, else before it: into the first lane that holds nothing, else the first.
    pub fn inward(&self, id: SlotId) -> Option<Command> {
        let row = self.row(id).filter(|row| row.is_node())?;
        let lanes = |index: Option<usize>| match self.at(row.parent, index?, true)?.item {
            Item::Lanes(group) => Some(group),
            _ => None,
        };
        let (group, behind) = match lanes(Some(row.index + 1)) {
            Some(group) => (group, true),
            None => (lanes(row.index.checked_sub(1))?, false),
        };
        let lane = group.lanes.iter().find(|lane| lane.nodes.is_empty()).or(group.lanes.first())?;
        let index = if behind { 0 } else { lane.nodes.len() };
        Some(Command::MoveInto { node: id, into: Some(lane.id), index })
    }

    /// What is dragged, dropped on the upper or the lower half of a line. `None`: it stays where it is.
    pub fn dropped(&self, dragged: SlotId, onto: &Row, below: bool) -> Option<Command> {
        let row = self.row(dragged)?;
        if row.id == onto.id || self.holds(row, onto) {
            return None;
        }
        if !row.is_node() {
            let fits = matches!(onto.item, Item::Lane(..)) && onto.parent == row.parent;
            return fits.then_some(Command::MoveLane { lane: dragged, index: onto.index });
        }
        match onto.item {
            Item::Lane(_, lane) | Item::Nothing(lane) => self.place(row, Some(lane.id), 0),
            Item::Lanes(group) if below => self.place(row, Some(group.lanes.first()?.id), 0),
            Item::Slot(_) | Item::Lanes(_) => self.place(row, onto.parent, onto.index + usize::from(below)),
        }
    }

    /// What is dragged, dropped below all lines.
    pub fn dropped_at_end(&self, dragged: SlotId) -> Option<Command> {
        let row = self.row(dragged).filter(|row| row.is_node())?;
        self.place(row, None, self.count)
    }

    /// A node brought before what is at `index` of a list.
    fn place(&self, row: &Row, into: Container, index: usize) -> Option<Command> {
        if row.parent != into {
            return Some(Command::MoveInto { node: row.id, into, index });
        }
        let index = if row.index < index { index - 1 } else { index };
        (index != row.index).then_some(Command::Move { slot: row.id, index })
    }

    /// Where a plugin goes that is dropped on a line's upper or lower half.
    pub fn beside_row(&self, row: &Row, below: bool) -> (Container, usize) {
        match row.item {
            Item::Lanes(group) if below && !group.lanes.is_empty() => (group.lanes.first().map(|lane| lane.id), 0),
            Item::Slot(_) | Item::Lanes(_) => (row.parent, row.index + usize::from(below)),
            Item::Lane(_, lane) | Item::Nothing(lane) => (Some(lane.id), 0),
        }
    }

    /// Where what is added goes: behind a slot or lanes, at the end of a lane, else at the end of the chain.
    pub fn place_after(&self, selected: Option<SlotId>) -> (Container, usize) {
        let row = selected.and_then(|id| self.row(id));
        match row.map(|row| (row, row.item)) {
            Some((_, Item::Lane(_, lane) | Item::Nothing(lane))) => (Some(lane.id), lane.nodes.len()),
            Some((row, _)) => (row.parent, row.index + 1),
            None => (None, self.count),
        }
    }

    /// Everything whose sound is there before a slot's, first to last: what its sidechain may hear.
    pub fn heard_before(&self, slot: SlotId) -> Vec<(SlotId, String)> {
        let Some(end) = self.rows.iter().position(|row| row.id == slot) else { return Vec::new() };
        let own = &self.rows[end];
        let before = self.rows[..end].iter().filter(|row| row.takes_keys() && !self.holds(row, own));
        before.filter_map(|row| Some((row.id, format!("{} {}", row.number, self.title(row.id)?)))).collect()
    }
}

/// What lanes are called.
pub(crate) fn lanes_title(group: &LanesView) -> String {
    match (group.name.is_empty(), group.lanes.len()) {
        (false, _) => group.name.clone(),
        (true, count) => text!("outline-lanes", count),
    }
}

struct Reader<'a> {
    slots: BTreeMap<SlotId, &'a SlotView>,
    rows: Vec<Row<'a>>,
}

impl<'a> Reader<'a> {
    fn latency(&self, nodes: &[NodeView]) -> u32 {
        let of = |node: &NodeView| match node {
            NodeView::Slot(id) => self.slots.get(id).map_or(0, |slot| slot.latency),
            NodeView::Lanes(group) => self.longest(group).map_or(0, |lane| self.latency(&lane.nodes)),
            NodeView::Unknown => 0,
        };
        nodes.iter().map(of).sum()
    }

    /// The lane that the others wait for.
    fn longest<'g>(&self, group: &'g LanesView) -> Option<&'g LaneView> {
        group.lanes.iter().rev().max_by_key(|lane| self.latency(&lane.nodes))
    }

    /// Marks what the latency is made of.
    fn follow(&self, nodes: &[NodeView], path: &mut BTreeSet<SlotId>) {
        for node in nodes {
            match node {
                NodeView::Slot(id) => path.extend(self.slots.get(id).filter(|slot| slot.latency > 0).map(|_| *id)),
                NodeView::Lanes(group) => {
                    let longest = self.longest(group).filter(|lane| self.latency(&lane.nodes) > 0);
                    if let Some(lane) = longest {
                        path.extend([group.id, lane.id]);
                        self.follow(&lane.nodes, path);
                    }
                }
                NodeView::Unknown => {}
            }
        }
    }

    fn list(
        &mut self,
        nodes: &'a [NodeView],
        parent: Option<SlotId>,
        prefix: &str,
        within: &[(&'a LanesView, &'a LaneView)],
    ) {
        for (index, node) in nodes.iter().enumerate() {
            let number = format!("{prefix}{}", index + 1);
            let row = |id, item, latency| Row {
                id,
                item,
                number: number.clone(),
                depth: within.len(),
                parent,
                index,
                count: nodes.len(),
                latency,
                on_path: false,
                within: within.to_vec(),
            };
            match node {
                NodeView::Slot(id) => {
                    let slot = self.slots.get(id).map(|slot| row(*id, Item::Slot(slot), slot.latency));
                    self.rows.extend(slot);
                }
                NodeView::Lanes(group) => {
                    let latency = self.longest(group).map_or(0, |lane| self.latency(&lane.nodes));
                    self.rows.push(row(group.id, Item::Lanes(group), latency));
                    self.lanes(group, &number, within);
                }
                NodeView::Unknown => {}
            }
        }
    }

    fn lanes(&mut self, group: &'a LanesView, prefix: &str, within: &[(&'a LanesView, &'a LaneView)]) {
        for (index, lane) in group.lanes.iter().enumerate() {
            let (number, inside) = (format!("{prefix}.{}", index + 1), [within, &[(group, lane)]].concat());
            let row = |item| Row {
                id: lane.id,
                item,
                number: number.clone(),
                depth: inside.len(),
                parent: Some(group.id),
                index,
                count: group.lanes.len(),
                latency: self.latency(&lane.nodes),
                on_path: false,
                within: inside.clone(),
            };
            let (head, nothing) = (row(Item::Lane(group, lane)), row(Item::Nothing(lane)));
            self.rows.push(head);
            if lane.nodes.is_empty() {
                self.rows.push(nothing);
            }
            self.list(&lane.nodes, Some(lane.id), &format!("{number}."), &inside);
        }
    }
}
