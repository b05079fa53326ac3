//! What an edit does to the latency that the DAW is told: said beforehand, and kept until the transport stops where the user wants
//! that. A DAW makes a gap where a latency changes while it plays. All `[home]`.

use super::lanes::same;
use super::owner::Owner;
use super::{Command, EditError, LatencyChange};
use crate::engine::reported;
use crate::model::{Chain, LatencyMode, MAX_LATENCY, Node, Slot, SlotId};

/// What is held back until the transport stops.
#[derive(Default)]
pub(super) struct Hold {
    /// An edit waits; what it will do.
    pub(super) change: Option<LatencyChange>,
    /// The user wants it now.
    forced: bool,
    /// The mode of the last plan.
    mode: LatencyMode,
}

impl Owner {
    /// Whether what the model wants waits. Where nothing is under way.
    pub(super) fn look_at_hold(&mut self) {
        let change = self.waits_for_the_stop();
        if change != self.hold.change {
            self.hold.change = change;
            self.news = true;
        }
    }

    fn waits_for_the_stop(&mut self) -> Option<LatencyChange> {
        if !self.chain.hold_latency || self.hold.forced || self.chain.bypass || !self.to_open.is_empty() {
            return None;
        }
        if self.setup.is_none() || self.engine.is_idle() || !self.engine.rolls() {
            return None;
        }
        let nodes = self.desired();
        // What a plugin does by itself has happened already, and one that wants to be restarted is not kept waiting.
        let edited = self.chain.latency != self.hold.mode || !same(&nodes, &self.playing.tree);
        if !edited || !self.playing.in_place.is_empty() {
            return None;
        }
        let change = self.change_to(super::lanes::latency(&nodes));
        (change.before != change.after).then_some(change)
    }

    /// A plan was made: nothing waits any more.
    pub(super) fn end_hold(&mut self) {
        self.hold = Hold { change: None, forced: false, mode: self.chain.latency };
    }

    /// Another chain has come: it waits for nothing.
    pub(super) fn force_load(&mut self) {
        self.hold.forced = true;
        self.hold.change = None;
    }

    /// Lets what waits be heard now.
    pub(super) fn force_held(&mut self) {
        self.hold.forced = self.hold.change.is_some();
    }

    fn change_to(&self, inner: u64) -> LatencyChange {
        LatencyChange { before: self.shared.latency(), after: self.report_for(self.chain.latency, inner) }
    }

    fn report_for(&self, mode: LatencyMode, inner: u64) -> u32 {
        let rate = self.setup.map_or(0.0, |setup| setup.rate);
        reported(mode, rate, inner.min(MAX_LATENCY.into()) as u32)
    }

    /// What a command would do to the latency, with what a plugin that it adds delays; `None` where only doing it can tell.
    pub(super) fn preview(&self, command: &Command, added: Option<u32>) -> Result<Option<LatencyChange>, EditError> {
        let mut chain = self.chain.clone();
        let mut mode = chain.latency;
        let fresh = chain.fresh_id();
        let new = |plugin: &crate::model::PluginId| Node::Slot(Box::new(Slot::new(fresh, plugin.clone())));
        match command {
            Command::Add { plugin, index } => chain.put(None, *index, new(plugin))?,
            Command::AddInto { plugin, lane, index } => chain.put(Some(*lane), *index, new(plugin))?,
            Command::Remove(id) => drop(chain.take(*id).ok_or(EditError::NoNode(*id))?),
            Command::RemoveLane(id) => {
                let group = chain.group_of_mut(*id).ok_or(EditError::NoLane(*id))?;
                group.lanes.retain(|lane| lane.id != *id);
            }
            Command::MoveInto { node, into, index } => chain.move_into(*node, *into, *index)?,
            Command::Dissolve(id) => chain.dissolve(*id).ok_or(EditError::NoLanes(*id))?,
            Command::Clear => chain.nodes.clear(),
            Command::Latency(wanted) => mode = *wanted,
            // What a plugin delays with other values or another state is its own secret.
            Command::Param(..)
            | Command::Preset(..)
            | Command::Retry(_)
            | Command::Adapt(..)
            | Command::Oversample(..)
            | Command::Macro(..)
            | Command::ApplyHeld => return Ok(None),
            _ => {}
        }
        let adds = matches!(command, Command::Add { .. } | Command::AddInto { .. });
        if adds && added.is_none() {
            return Ok(None);
        }
        let inner = self.inner_latency(&chain, (fresh, added.unwrap_or(0)));
        Ok(Some(LatencyChange { before: self.shared.latency(), after: self.report_for(mode, inner) }))
    }

    fn inner_latency(&self, chain: &Chain, (fresh, added): (SlotId, u32)) -> u64 {
        let of = |slot: &Slot| match self.lives.get(&slot.id) {
            _ if slot.id == fresh => added,
            Some(live) => live.node.as_ref().map_or(live.latency, |node| node.latency()),
            None => slot.identity.latency,
        };
        series(&chain.nodes, &of)
    }
}

/// Latency of nodes in series, frames.
fn series(nodes: &[Node], of: &dyn Fn(&Slot) -> u32) -> u64 {
    let one = |node: &Node| match node {
        Node::Slot(slot) => of(slot).into(),
        Node::Lanes(group) => group.lanes.iter().map(|lane| series(&lane.nodes, of)).max().unwrap_or(0),
        Node::Unknown(_) => 0,
    };
    nodes.iter().map(one).sum()
}
