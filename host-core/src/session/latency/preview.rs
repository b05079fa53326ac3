//! What an edit would do to the latency. `[home]`

use std::collections::BTreeMap;

use crate::model::{Chain, LatencyMode, Node, PluginId, Slot, SlotId};
use crate::session::owner::Owner;
use crate::session::{Command, EditError, LatencyChange};

/// Latencies of slots that are another than now.
type Others = BTreeMap<SlotId, u32>;

impl Owner {
    /// What a command would do to the latency, with what a plugin that it adds delays; `None` where only doing it can tell.
    pub(in crate::session) fn preview(
        &self,
        command: &Command,
        added: Option<u32>,
    ) -> Result<Option<LatencyChange>, EditError> {
        let mut chain = self.chain.clone();
        let (mut mode, mut others) = (chain.latency, Others::new());
        if !self.foresee(command, (&mut chain, &mut mode), added, &mut others)? {
            return Ok(None);
        }
        let anew = |slot: &Slot| {
            let pace = || self.lives.get(&slot.id).and_then(|live| self.latency_of_pace(slot, live));
            others.get(&slot.id).copied().or_else(pace)
        };
        let inner = self.inner_latency(&chain, &anew);
        Ok(Some(LatencyChange { before: self.shared.latency(), after: self.report_for(mode, inner) }))
    }

    /// Does it to a chain that nobody hears. False: only doing it can tell.
    fn foresee(
        &self,
        command: &Command,
        (chain, mode): (&mut Chain, &mut LatencyMode),
        added: Option<u32>,
        others: &mut Others,
    ) -> Result<bool, EditError> {
        let adds = matches!(command, Command::Add { .. } | Command::AddInto { .. } | Command::Replace { .. });
        let fresh = chain.fresh_id();
        let new = |plugin: &PluginId| Node::Slot(Box::new(Slot::new(fresh, plugin.clone())));
        match command {
            Command::Add { plugin, index } => chain.put(None, *index, new(plugin))?,
            Command::AddInto { plugin, lane, index } => chain.put(Some(*lane), *index, new(plugin))?,
            Command::Replace { slot, .. } => chain.slot(*slot).map(drop).ok_or(EditError::NoSlot(*slot))?,
            Command::Many(all) => {
                for one in all {
                    if !self.foresee(one, (chain, mode), added, others)? {
                        return Ok(false);
                    }
                }
            }
            Command::Duplicate(id) => {
                let copy = chain.slot(*id).map(|slot| Slot { id: fresh, ..slot.clone() });
                let (container, index) = chain.place(*id).ok_or(EditError::NoSlot(*id))?;
                chain.put(container, index + 1, Node::Slot(Box::new(copy.ok_or(EditError::NoSlot(*id))?)))?;
            }
            Command::Remove(id) => drop(chain.take(*id).ok_or(EditError::NoNode(*id))?),
            Command::RemoveLane(id) => {
                let group = chain.group_of_mut(*id).ok_or(EditError::NoLane(*id))?;
                group.lanes.retain(|lane| lane.id != *id);
            }
            Command::MoveInto { node, into, index } => chain.move_into(*node, *into, *index)?,
            Command::Dissolve(id) => chain.dissolve(*id).ok_or(EditError::NoLanes(*id))?,
            Command::Clear => chain.nodes.clear(),
            Command::Latency(wanted) => *mode = *wanted,
            Command::Oversample(id, factor) => {
                chain.slot_mut(*id).ok_or(EditError::NoSlot(*id))?.oversample = *factor;
            }
            // What a plugin delays with other values or another state is its own secret.
            Command::Param(..)
            | Command::Preset(..)
            | Command::Paste { .. }
            | Command::Retry(_)
            | Command::Close(_)
            | Command::Adapt(..)
            | Command::Macro(..)
            | Command::Snapshot(..)
            | Command::Undo
            | Command::Redo
            | Command::GoTo(_)
            | Command::ApplyHeld => return Ok(false),
            // None of these moves anything to where it is later.
            Command::Move { .. }
            | Command::Parallel { .. }
            | Command::Split(..)
            | Command::RenameLanes(..)
            | Command::AddLane { .. }
            | Command::MoveLane { .. }
            | Command::Lane(..)
            | Command::LevelLanes(_)
            | Command::Bypass(..)
            | Command::Mix(..)
            | Command::InputGain(..)
            | Command::OutputGain(..)
            | Command::Strip(..)
            | Command::IfFails(..)
            | Command::Midi(..)
            | Command::Sidechain(..)
            | Command::Aux(..)
            | Command::MergeMidi(..)
            | Command::Rename(..)
            | Command::RenameChain(_)
            | Command::HoldLatency(_)
            | Command::Cores(_)
            | Command::Helpers(..)
            | Command::Grid(_)
            | Command::BypassChain(_)
            | Command::Panic
            | Command::Guard(_)
            | Command::Reopen
            | Command::OpenWindow(_)
            | Command::CloseWindow(_)
            | Command::PutBack(_)
            | Command::Show { .. }
            | Command::Match(_)
            | Command::ResetMeters
            | Command::Accept(_)
            | Command::Gesture(_)
            | Command::MapPage { .. } => {}
        }
        match command {
            Command::Duplicate(id) => {
                let own = others.get(id).copied().or_else(|| self.chain.slot(*id).map(|slot| self.latency_now(slot)));
                others.extend(own.map(|own| (fresh, own)));
            }
            Command::Replace { slot: id, .. } => {
                let live = self.lives.get(id);
                // What it told it told at the chain's rate.
                let told = added.zip(live).map(|(added, live)| added.saturating_mul(live.factor()));
                let anew = chain.slot(*id).zip(live).and_then(|(slot, live)| live.latency_anew(slot, told));
                others.extend(anew.or(added).map(|anew| (*id, anew)));
            }
            _ if adds => others.extend(added.map(|added| (fresh, added))),
            _ => {}
        }
        Ok(!adds || added.is_some())
    }
}
