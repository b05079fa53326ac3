//! What changes many things at once and the latency with them waits as a whole, where such edits are held: what is heard and shown is
//! the one side or the other, never values of this with plugins of that. All `[home]`.

use std::collections::VecDeque;

use super::{Goal, Ready, Stagehand};
use crate::model::{Chain, Slot, Split};
use crate::session::history::Kept;
use crate::session::latency::series;
use crate::session::live::Live;
use crate::session::owner::Owner;
use crate::session::{Command, LatencyChange, SnapshotEdit};

impl Stagehand {
    /// What that which waits as a whole will do to the latency.
    pub(in crate::session) fn waits(&self) -> Option<LatencyChange> {
        self.ready.as_ref().and_then(|ready| ready.waits)
    }

    /// How many steps will be done when what waits is over.
    pub(in crate::session) fn travels(&self) -> Option<usize> {
        match self.ready.as_ref()?.goal {
            Goal::Travel(to) => Some(to),
            Goal::Scene(..) | Goal::Chain => None,
        }
    }

    /// Whether a snapshot or another chain is made ready.
    pub(in crate::session) fn recalls(&self) -> bool {
        self.ready.is_some() && self.travels().is_none()
    }
}

impl Owner {
    /// Whether nobody would hear a gap.
    pub(in crate::session) fn stands(&mut self) -> bool {
        self.chain.bypass || self.setup.is_none() || self.engine.is_idle() || !self.engine.rolls()
    }

    /// Whether what is ready has to wait.
    pub(super) fn ready_waits(&mut self) -> bool {
        let free = !self.chain.hold_latency || self.hold.forced || self.stands();
        let waits = if free { None } else { self.ready_change() };
        let Some(ready) = &mut self.scenes.ready else { return false };
        self.news |= ready.waits != waits;
        (ready.waits, ready.waited) = (waits, ready.waited || waits.is_some());
        waits.is_some()
    }

    /// What that which is ready would do to the latency.
    fn ready_change(&self) -> Option<LatencyChange> {
        let Ready { goal, to, .. } = self.scenes.ready.as_ref()?;
        let mode = if matches!(goal, Goal::Scene(..)) { self.chain.latency } else { to.frame().latency };
        let inner = series(&to.frame().nodes, &|stub| to.slot(stub.id).map_or(0, |slot| self.latency_to_come(slot)));
        let change = LatencyChange { before: self.shared.latency(), after: self.report_for(mode, inner) };
        (change.before != change.after).then_some(change)
    }

    /// The latency that a slot of what is ready will have: as its plugin says, where that is open, else as it was kept.
    fn latency_to_come(&self, slot: &Slot) -> u32 {
        let fits = |live: &&Live| live.is_of(slot) && !live.mains.is_empty();
        if let Some(live) = self.scenes.prepared.get(&slot.id).filter(fits) {
            return live.node.as_ref().map_or(live.latency, |node| node.latency());
        }
        // With another state it may have another latency, which was kept with that one at that time's rate.
        let told = |rate: f64| rate == 0.0 || self.setup.is_none_or(|setup| setup.rate == rate);
        let other = self.chain.slot(slot.id).is_some_and(|now| now.state != slot.state) && told(slot.identity.rate);
        match self.lives.get(&slot.id).filter(fits) {
            Some(live) if !other => self.latency_of_pace(slot, live).unwrap_or_else(|| self.latency_now(slot)),
            _ => slot.identity.latency,
        }
    }

    /// Undoes or does again until so many steps are done, later, where that has to wait. False: it has not.
    pub(in crate::session) fn travel_later(&mut self, steps: usize) -> bool {
        let Some(end) = self.history.whole_end(steps) else { return false };
        let (goal, label, to_open) = (Goal::Travel(steps), String::new(), VecDeque::new());
        let to = Kept::clone(&end);
        self.scenes.ready = Some(Ready { goal, label, to, to_open, waits: None, waited: false });
        let waits = self.ready_waits();
        if !waits {
            self.scenes.ready = None;
        }
        waits
    }

    /// Brings what is made ready or waits now: nobody hears it by halves.
    pub(in crate::session) fn hurry_ready(&mut self) {
        self.hold.forced |= self.scenes.ready.is_some();
        while self.scenes.ready.is_some() {
            self.get_ready();
        }
    }

    /// The chain as it will be when what waits as a whole is over.
    pub(in crate::session) fn chain_to_come(&mut self) -> Option<Chain> {
        let Ready { goal, to, .. } = self.scenes.ready.as_ref().filter(|ready| ready.waits.is_some())?;
        let Goal::Scene(letter, scene) = goal else { return Some(to.chain()) };
        let (letter, scene) = (*letter, scene.clone());
        Some(self.kept_now().with_scene(letter, &scene).chain())
    }

    /// An edit comes while something is made ready, or waits. A recall that waits outlasts settings and values: they are of the chain
    /// before it.
    pub(in crate::session) fn look_at_ready(&mut self, edit: &Command) {
        if self.scenes.recalls() && self.scenes.waits().is_some() {
            let parts = edit.parts();
            let cleared = |letter| parts.contains(&&Command::Snapshot(letter, SnapshotEdit::Clear));
            let cleared = self.show_snapshots().getting_ready.is_some_and(cleared);
            if !parts.into_iter().any(moves_nodes) && !cleared {
                return;
            }
            self.left_out = Some("the recall that waited for the stop was called off".into());
        }
        self.cancel_ready();
    }
}

/// Whether an edit makes another chain of it, so that a recall that was asked for before is no longer what the user means.
fn moves_nodes(edit: &Command) -> bool {
    matches!(
        edit,
        Command::Add { .. }
            | Command::AddInto { .. }
            | Command::Paste { .. }
            | Command::Remove(_)
            | Command::Replace { .. }
            | Command::Duplicate(_)
            | Command::Move { .. }
            | Command::MoveInto { .. }
            | Command::Clear
            | Command::Parallel { .. }
            | Command::Dissolve(_)
            | Command::Split(_, Split::Copy | Split::MidSide | Split::LeftRight)
            | Command::AddLane { .. }
            | Command::RemoveLane(_)
            | Command::MoveLane { .. }
            | Command::Preset(..)
            | Command::Adapt(..)
            | Command::Oversample(..)
            | Command::Latency(_)
    )
}
