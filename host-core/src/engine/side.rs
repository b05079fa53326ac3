//! What a slot's sidechain hears, as home tells it to a plan.

use std::sync::Arc;

use super::lanes::{LaneNode, LanesNode};
use super::slot::SlotNode;

/// A place whose sound a slot's sidechain hears.
#[derive(Clone)]
pub enum SideSource {
    /// The container's sidechain.
    Container,
    /// Nothing.
    Silence,
    /// What comes into the chain.
    Input,
    /// What leaves a slot.
    Slot(Arc<SlotNode>),
    /// What a lane adds to the sum.
    Lane(Arc<LaneNode>),
    /// What leaves a group of lanes.
    Lanes(Arc<LanesNode>),
}

/// Which place that is, in one process for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SideKey(u8, u64);

impl SideSource {
    pub(super) fn key(&self) -> SideKey {
        match self {
            Self::Container => SideKey(0, 0),
            Self::Silence => SideKey(1, 0),
            Self::Input => SideKey(2, 0),
            Self::Slot(node) => SideKey(3, node.key()),
            Self::Lane(node) => SideKey(4, node.key()),
            Self::Lanes(node) => SideKey(5, node.key()),
        }
    }
}

impl PartialEq for SideSource {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

/// What one slot's sidechain hears. A slot of which a plan is told nothing hears the container's sidechain.
#[derive(Clone)]
pub struct PlanSide {
    /// Which slot.
    pub slot: Arc<SlotNode>,
    /// What it hears. What is not in the plan, or not before the slot, is silence.
    pub source: SideSource,
    /// What it heard in the plan before, where that was another: the two cross-fade.
    pub before: Option<SideSource>,
}

/// Which buses of a plan a slot's sidechain hears: 0 is the container's, the others are the plan's taps, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ears {
    /// What it hears.
    pub now: u16,
    /// What it heard before.
    pub was: u16,
}
