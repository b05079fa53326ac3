//! What the audio thread walks: a list of steps over a set of buffers, worked out at home.

mod build;
mod fork;
mod run;
mod sharing;
mod taps;

use std::sync::Arc;

use atomic_refcell::AtomicRefCell;
use sync_wrapper::SyncWrapper;

use super::delay::DelayLine;
use super::lanes::{LaneNode, LanesNode};
use super::macros::{Route, Table};
use super::side::{Ears, PlanSide, SideKey};
use super::slot::{FADE_SECONDS, Lines, Scratch, SlotNode};
use crate::backend::audio::{Bus, Transport};
use crate::model::{BLOCK_RANGE, LatencyMode, MAX_LATENCY, SlotId};
use crate::pool::Share;

pub use build::reported;
use fork::Kit;
pub(super) use run::Ends;
pub use sharing::Sharing;

/// Frames in which the container's dry is passed on where there is no plan.
pub(super) const CHUNK: u32 = 256;

/// One element of a chain, as a plan is made of it.
#[derive(Clone)]
pub enum PlanNode {
    /// One plugin.
    Slot(Arc<SlotNode>),
    /// Parallel lanes.
    Lanes(PlanLanes),
}

impl From<Arc<SlotNode>> for PlanNode {
    fn from(node: Arc<SlotNode>) -> Self {
        Self::Slot(node)
    }
}

/// Parallel lanes, as a plan is made of them.
#[derive(Clone)]
pub struct PlanLanes {
    /// What shares the sound out.
    pub node: Arc<LanesNode>,
    /// The lanes, first to last.
    pub lanes: Vec<PlanLane>,
    /// They are several copies: a slot in one that cannot run is silent, since its siblings carry the sound.
    pub siblings: bool,
}

/// One lane, as a plan is made of it.
#[derive(Clone)]
pub struct PlanLane {
    /// Its end.
    pub node: Arc<LaneNode>,
    /// Delay by the user's will, frames.
    pub delay: u32,
    /// It can be heard on an auxiliary output: its controls say on which.
    pub sends: bool,
    /// What it holds, first to last.
    pub nodes: Vec<PlanNode>,
}

/// What a plan is made of.
pub struct PlanSpec {
    /// The chain's nodes, first to last.
    pub nodes: Vec<PlanNode>,
    /// What the host is told.
    pub mode: LatencyMode,
    /// Sample rate, Hz.
    pub rate: f64,
    /// Largest block, frames. A plan runs in blocks of at most this, and of at most what each of its slots takes.
    pub max_block: u32,
    /// Frames of the grid on which LV2 plugins hear controls change.
    pub grid: u32,
    /// Channels of the chain.
    pub channels: u16,
    /// Channels of the container's sidechain.
    pub sidechain: u16,
    /// Channels of the container's auxiliary outputs.
    pub aux: u16,
    /// What the macros move.
    pub macros: Vec<Route>,
    /// The slots whose sidechain hears, or heard in the plan before, anything but the container's.
    pub sides: Vec<PlanSide>,
    /// The helpers that its lanes are shared out to, and how; `None`: the audio thread runs all.
    pub share: Option<(Arc<Share>, Sharing)>,
}

/// One piece of work.
pub(super) enum Step {
    /// A slot, from one buffer to another.
    Slot(SlotStep),
    /// What comes into lanes is shared out, to as many buffers in a row from `first` on.
    Split { node: Arc<LanesNode>, input: usize, first: usize, count: usize },
    /// The next lane's MIDI begins.
    BeginLane { group: Arc<LanesNode>, node: Arc<LaneNode>, place: usize, input: usize },
    /// A lane's end goes into the sum.
    EndLane(Box<LaneStep>),
    /// A place that somebody listens to: a buffer goes to a tap.
    Tap { from: usize, tap: usize },
    /// The sum of the lanes, or what goes round them, and the MIDI behind them.
    Join(JoinStep),
    /// A lane that a helper may run gets its sound, from this buffer, and its MIDI.
    Load { kit: usize, from: usize },
    /// Such lanes are run: by item, the lanes that are run one after the other; the longest item first.
    Fork(Box<[Box<[usize]>]>),
    /// What such a lane made comes back, to this buffer.
    Gather { kit: usize, to: usize },
}

impl Step {
    fn reset(&self) {
        match self {
            Self::Slot(step) => step.node.reset(),
            Self::Split { node, .. } => node.reset(),
            Self::EndLane(step) => step.node.reset(),
            Self::BeginLane { .. } | Self::Tap { .. } | Self::Join(_) => {}
            Self::Load { .. } | Self::Fork(_) | Self::Gather { .. } => {}
        }
    }
}

/// A slot's work.
pub(super) struct SlotStep {
    pub node: Arc<SlotNode>,
    input: usize,
    output: usize,
    /// The step after it is a slot that reads what this one writes, and nothing else reads it.
    feeds_next: bool,
    /// It is in a lane whose siblings carry the sound where it cannot run.
    in_copy: bool,
    /// Latency of the path before the slot, frames.
    before: u32,
    /// Frames by which its plugin hears the song late.
    song: u32,
    /// What its sidechain hears.
    ears: Ears,
    /// Which slots' MIDI comes to it: one number for each row of makers.
    feeder: u64,
    entry: Box<Entry>,
}

impl SlotStep {
    /// Whether it hears the container's sidechain, or did so before. `[any]`
    fn hears_container(&self) -> bool {
        self.node.hears_side() && (self.ears.now == 0 || self.ears.was == 0)
    }
}

/// What a slot is given when its plan begins. Apart, so that walking the steps reads few cache lines.
struct Entry {
    wanted: Lines<u32>,
    spares: Lines<Option<DelayLine>>,
    side: SideKey,
}

/// A lane's last work.
pub(super) struct LaneStep {
    group: Arc<LanesNode>,
    node: Arc<LaneNode>,
    place: usize,
    input: usize,
    sum: usize,
    /// A buffer for what it adds to the sum, where somebody listens to that.
    own: Option<usize>,
    /// Delay to the container's end, where it is heard on an auxiliary output.
    aux: Option<u32>,
    aux_spare: Option<DelayLine>,
    makes_midi: bool,
    /// Latency of the chain up to the sum, frames.
    before: u32,
    wanted: u32,
    spare: Option<DelayLine>,
}

/// A group's last work.
pub(super) struct JoinStep {
    group: Arc<LanesNode>,
    input: usize,
    sum: usize,
    makes_midi: bool,
    latency: u32,
    spare: Option<DelayLine>,
}

/// The chain as the audio thread runs it. Immutable but for its buffers.
pub struct Plan {
    pub(super) steps: Vec<Step>,
    /// The lanes that helpers may run, each with all that it needs.
    kits: Vec<AtomicRefCell<SyncWrapper<Kit>>>,
    share: Option<Arc<Share>>,
    sharing: Sharing,
    /// The slots, in the order that sound passes through them.
    nodes: Vec<Arc<SlotNode>>,
    pub(super) buffers: Vec<Bus>,
    pub(super) sidechain: Bus,
    /// A slot hears the container's sidechain.
    pub(super) hears_container: bool,
    taps: Vec<Bus>,
    late: Vec<(SlotId, u32)>,
    pub(super) aux: Bus,
    pub(super) scratch: Scratch,
    /// A line for the container's own dry, long enough for this plan; what it replaces is left here.
    pub(super) dry: DelayLine,
    pub(super) dry_out: Bus,
    /// The processor has taken over what it needs from it.
    pub(super) adopted: bool,
    /// A line for the padding of a constant latency.
    pub(super) pad: DelayLine,
    pub(super) pad_out: Bus,
    pub(super) padding: u32,
    pub(super) max_block: u32,
    pub(super) rate: f64,
    grid: u32,
    /// Which plugins make the MIDI that leaves the chain, as a number.
    pub(super) feeder: u64,
    pub(super) macros: Table,
    output: usize,
    inner: u32,
    reported: u32,
    tail: u32,
}

impl Plan {
    /// Latency to report to the host, frames. `[any]`
    pub fn latency(&self) -> u32 {
        self.reported
    }

    /// Latency that an impulse shows, frames. `[any]`
    pub fn true_latency(&self) -> u32 {
        self.inner.saturating_add(self.padding).min(MAX_LATENCY)
    }

    /// Frames the chain sounds on after silence; `u32::MAX` for ever. `[any]`
    pub fn tail(&self) -> u32 {
        self.tail
    }

    /// Largest block it runs, frames; longer ones are cut. `[any]`
    pub fn max_block(&self) -> u32 {
        self.max_block
    }

    /// Slots that hear their sidechain late, since its source has more latency than comes before them, and by how much,
    /// frames. `[any]`
    pub fn late_sides(&self) -> &[(SlotId, u32)] {
        &self.late
    }

    /// Which lanes are run side by side. `[any]`
    pub fn sharing(&self) -> &Sharing {
        &self.sharing
    }

    /// The slots it runs, in the order they are run. `[any]`
    pub fn slots(&self) -> impl Iterator<Item = &Arc<SlotNode>> {
        self.nodes.iter()
    }

    /// Whether it runs this node. `[any]`
    pub fn holds(&self, node: &Arc<SlotNode>) -> bool {
        self.slots().any(|held| held.key() == node.key())
    }

    /// Begins: its slots and lanes take over longer lines and go to their new delays. `[audio]`
    pub(super) fn enter(&mut self) {
        let kits = self.kits.iter_mut().flat_map(|kit| &mut kit.get_mut().get_mut().steps);
        for step in self.steps.iter_mut().chain(kits) {
            match step {
                Step::Slot(step) => {
                    let Entry { wanted, spares, side } = &mut *step.entry;
                    step.node.enter(wanted, spares, *side, step.in_copy);
                    step.node.fed_by(step.feeder);
                }
                Step::EndLane(step) => {
                    step.node.enter(step.place, step.wanted, &mut step.spare);
                    if let Some(wanted) = step.aux {
                        step.node.enter_aux(wanted, &mut step.aux_spare);
                    }
                }
                Step::Join(step) => step.group.enter(step.latency, &mut step.spare),
                _ => {}
            }
        }
    }

    /// The slot with this key. `[audio]`
    pub(super) fn node(&self, key: u64) -> Option<&SlotNode> {
        self.slots().find(|node| node.key() == key).map(|node| node.as_ref())
    }

    /// Forgets everything that still sounds in it. `[audio]`
    pub(super) fn reset(&self) {
        self.steps.iter().for_each(Step::reset);
        for kit in &self.kits {
            if let Ok(mut kit) = kit.try_borrow_mut() {
                kit.get_mut().steps.iter().for_each(Step::reset);
            }
        }
    }
}

/// The host's transport `frames` later, at this block's tempo.
pub(super) fn shift(now: &Transport, frames: i64, rate: f64) -> Transport {
    let mut then = *now;
    then.frames = now.frames.map(|at| at + frames);
    if let (Some(beats), Some(tempo)) = (now.beats, now.tempo) {
        let beats = beats + frames as f64 / rate * tempo / 60.0;
        then.beats = Some(beats);
        if let (Some(start), Some((count, unit))) = (now.bar_start, now.time_signature) {
            let bar = f64::from(count.max(1)) * 4.0 / f64::from(unit.max(1));
            let bars = ((beats - start) / bar).floor();
            then.bar_start = Some(start + bars * bar);
            then.bar = now.bar.map(|number| number + bars as i32);
        }
    }
    then
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_slot_sees_the_song_where_its_sound_is() {
        let now = Transport {
            frames: Some(48_000),
            beats: Some(8.5),
            tempo: Some(120.0),
            bar_start: Some(8.0),
            bar: Some(2),
            time_signature: Some((4, 4)),
            ..Transport::default()
        };
        let then = shift(&now, -24_000, 48_000.0);
        assert_eq!((then.frames, then.beats, then.bar_start, then.bar), (Some(24_000), Some(7.5), Some(4.0), Some(1)));
    }
}
