//! Every message that crosses between home and the audio thread.
//!
//! | message | way | payload | who frees it |
//! |---|---|---|---|
//! | [`ToAudio::Plan`] | home -> audio | the next plan | comes back as [`Report::Retired`] when another takes its place |
//! | [`ToAudio::Param`] | home -> audio | a slot's key, a change in the plugin's own unit, frame in the next block | nothing to free |
//! | [`ToAudio::Panic`] | home -> audio | nothing | nothing to free |
//! | [`Report::Retired`] | audio -> home | the plan that was replaced | home |
//! | [`Report::Fault`] | audio -> home | slot, kind, whether the slot stops running | nothing to free |
//! | [`Report::Latency`] | audio -> home | slot, frames | nothing to free |
//! | [`Report::Param`] | audio -> home | slot, index, value in the plugin's own unit | nothing to free |
//! | [`Report::Gesture`] | audio -> home | slot, index, whether it begins | nothing to free |
//!
//! Beside them: a slot's controls ([`super::SlotControls`]), written by home and by macros, its meters
//! ([`super::MeterReading`]), written by the audio thread, and where the macros stand ([`super::MacroBank`]), written by all;
//! and whether the last block was offline, written by the audio thread. All are single words. Where home listens, samples go
//! through rings of their own ([`super::Heard`]).

use super::Plan;
use crate::backend::audio::ParamEvent;
use crate::model::SlotId;

/// Messages to the audio thread under way at most.
pub(super) const TO_AUDIO: usize = 4096;
/// Reports under way at most.
pub(super) const REPORTS: usize = 4096;

/// From home to the audio thread.
pub(super) enum ToAudio {
    /// Take this plan.
    Plan(Box<Plan>),
    /// Change a parameter of the slot with this key.
    Param(u64, ParamEvent),
    /// End every note and forget all that sounds.
    Panic,
}

/// What went wrong in a block of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FaultKind {
    /// It wrote a sample that is no finite number.
    NonFinite,
    /// It said that it failed.
    Failed,
    /// It refused to start.
    NotStarted,
    /// Its plugin was held elsewhere during the block.
    Busy,
}

impl FaultKind {
    /// From what the meters keep: its number plus one, 0 for none.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        [Self::NonFinite, Self::Failed, Self::NotStarted, Self::Busy].get(usize::from(number).wrapping_sub(1)).copied()
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NonFinite => "it wrote samples that are no numbers",
            Self::Failed => "it failed while running",
            Self::NotStarted => "it refused to start processing",
            Self::Busy => "it was held elsewhere while a block was due",
        })
    }
}

/// From the audio thread to home.
pub(super) enum Report {
    /// This plan was replaced.
    Retired(Box<Plan>),
    /// A fault; `true`: the slot runs no more until it is tried again.
    Fault(SlotId, FaultKind, bool),
    /// A plugin's latency as it told it while running, frames at its own rate, re-blocking included.
    Latency(SlotId, u32),
    /// A parameter that the plugin moved by itself.
    Param(SlotId, u32, f64),
    /// The user takes hold of a parameter in the plugin's own window (true), or lets go of it.
    Gesture(SlotId, u32, bool),
}

/// The way home for reports.
pub(super) enum Mail<'a> {
    /// At once.
    Ring(&'a mut rtrb::Producer<Report>),
    /// Beside other lanes: kept until they are done.
    Kept(&'a mut Kept),
}

impl Mail<'_> {
    /// False: there is no room, and the report is lost. `[audio]`
    pub fn push(&mut self, report: Report) -> bool {
        match self {
            Self::Ring(ring) => ring.push(report).is_ok(),
            Self::Kept(kept) => kept.push(report),
        }
    }

    /// How many find room. `[audio]`
    pub fn room(&self) -> usize {
        match self {
            Self::Ring(ring) => ring.slots(),
            Self::Kept(kept) => kept.room - kept.reports.len(),
        }
    }
}

/// Reports of a lane that is run beside others.
pub(super) struct Kept {
    reports: Vec<Report>,
    room: usize,
}

/// Reports that a lane keeps at most.
const KEPT: usize = 1024;

impl Kept {
    /// `[home]`
    pub fn new() -> Self {
        Self { reports: Vec::with_capacity(KEPT), room: 0 }
    }

    /// A block begins in which so many find room. `[audio]`
    pub fn begin(&mut self, room: usize) {
        self.room = room.min(KEPT);
    }

    fn push(&mut self, report: Report) -> bool {
        let fits = self.reports.len() < self.room;
        if fits {
            self.reports.push(report);
        }
        fits
    }

    /// Sends them on, in their order. `[audio]`
    pub fn send(&mut self, to: &mut Mail<'_>) {
        for report in self.reports.drain(..) {
            let _room_was_kept = to.push(report);
        }
    }
}

/// A fault of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultReport {
    /// Which slot.
    pub slot: SlotId,
    /// What it did.
    pub kind: FaultKind,
    /// The slot runs no more until [`super::SlotControls::retry`].
    pub stopped: bool,
}

/// What a plugin did with a parameter by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamDeed {
    /// The user takes hold of it.
    Begin,
    /// It is this now, in the plugin's own unit.
    Value(f64),
    /// The user lets go of it.
    End,
}

/// A parameter that a plugin moved by itself, or that its user holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamReport {
    /// Which slot.
    pub slot: SlotId,
    /// Index in the plugin's list.
    pub index: u32,
    /// What became of it.
    pub deed: ParamDeed,
}

/// What [`super::Controller::poll`] found.
#[derive(Default)]
pub struct Reports {
    /// Plans that the audio thread holds no more. Drop them when their slots were taken care of.
    pub retired: Vec<Box<Plan>>,
    /// Faults, the first of each run and the one that stops a slot.
    pub faults: Vec<FaultReport>,
    /// Latencies told by running plugins, frames, re-blocking included.
    pub latencies: Vec<(SlotId, u32)>,
    /// Parameters moved by plugins, in the order in which that was.
    pub params: Vec<ParamReport>,
}
