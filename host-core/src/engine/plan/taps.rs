//! The places of a chain that sidechains listen to. `[home]` all through.

use super::MAX_LATENCY;
use crate::engine::side::{Ears, PlanSide, SideKey, SideSource};
use crate::engine::slot::SlotNode;
use crate::model::SlotId;

/// The bus that holds silence, where anything but the container's sidechain is heard.
const SILENT: u16 = 1;

/// What a slot's sidechain hears, worked out.
pub(super) struct Heard {
    pub ears: Ears,
    pub key: SideKey,
    /// Delay that aligns it to the slot, frames.
    pub delay: u32,
    /// It was another in the plan before.
    pub turns: bool,
}

/// The taps of a plan while it is built.
#[derive(Default)]
pub(super) struct Taps {
    sides: Vec<PlanSide>,
    /// Channels of the container's sidechain.
    container: u16,
    /// What was passed already: bus and latency of each.
    found: Vec<(SideKey, u16, u32)>,
    /// Slots whose source is later than they are, and by how much, frames.
    pub late: Vec<(SlotId, u32)>,
}

impl Taps {
    pub fn new(sides: Vec<PlanSide>, container: u16) -> Self {
        Self { sides, container, found: Vec::new(), late: Vec::new() }
    }

    /// How many buses they need.
    pub fn buses(&self) -> usize {
        if self.sides.is_empty() { 0 } else { usize::from(SILENT) + self.found.len() }
    }

    /// A tap for a place with `latency`, if anybody listens there: its number among the taps.
    pub fn tap(&mut self, source: &SideSource, latency: u32) -> Option<usize> {
        let key = source.key();
        let sources = self.sides.iter().flat_map(|side| [Some(&side.source), side.before.as_ref()]).flatten();
        if !sources.into_iter().any(|source| source.key() == key) {
            return None;
        }
        let number = self.buses();
        self.found.push((key, number as u16 + 1, latency));
        Some(number)
    }

    /// What a slot hears, which stands where `before` frames of latency are behind the sound.
    pub fn heard(&mut self, slot: &SlotNode, before: u32) -> Heard {
        let before = before.min(MAX_LATENCY);
        let containers = if self.container > 0 { before } else { 0 };
        let side = self.sides.iter().find(|side| side.slot.key() == slot.key());
        let Some(side) = side.filter(|_| slot.hears_side()) else {
            let key = SideSource::Container.key();
            return Heard { ears: Ears::default(), key, delay: containers, turns: false };
        };
        let bus = |source: &SideSource| match source {
            SideSource::Container => (0, Some(0)),
            SideSource::Silence => (SILENT, None),
            place => {
                let found = self.found.iter().find(|(key, ..)| *key == place.key());
                found.map_or((SILENT, None), |(_, bus, latency)| (*bus, Some((*latency).min(MAX_LATENCY))))
            }
        };
        let (now, at) = bus(&side.source);
        let was = side.before.as_ref().map_or(now, |before| bus(before).0);
        let delay = if now == 0 { containers } else { before.saturating_sub(at.unwrap_or(before)) };
        let late = at.map_or(0, |at| at.saturating_sub(before));
        let heard = Heard { ears: Ears { now, was }, key: side.source.key(), delay, turns: side.before.is_some() };
        if late > 0 {
            self.late.push((slot.id(), late));
        }
        heard
    }
}
