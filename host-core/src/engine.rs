//! The real-time engine: walks a plan, block by block.
//!
//! 1. [`engine`] makes both ends: the container's [`Processor`] and home's [`Controller`];
//! 2. home makes [`SlotNode`]s from activated plugins, [`LanesNode`]s and [`LaneNode`]s where lanes run side by side, a [`Plan`]
//!    from those, and [sends](Controller::send) it;
//! 3. the container calls [`Processor::process`]; the plan is taken at the start of a block;
//! 4. home [polls](Controller::poll) for what comes back: replaced plans, faults, latencies, moved parameters;
//! 5. where no blocks come, home takes the [lease](Controller::lease) and does it itself;
//! 6. when a plan without a slot has been taken, home [takes](SlotNode::take) the slot's plugin and deactivates it.
//!
//! Everything that [`Processor`] reaches neither allocates, frees, locks, waits, logs nor makes a system call; the calls into
//! plugins go through one fence ([`foreign`]).

#![deny(clippy::disallowed_macros)]

mod aux;
mod cpu;
mod delay;
mod events;
pub mod foreign;
mod kernels;
mod lanes;
mod lease;
mod loud;
mod macros;
mod messages;
mod meters;
mod midi;
mod oversample;
mod plan;
mod processor;

mod ramp;
mod reblock;
mod side;
mod slot;
mod source;
mod taps;
mod timeline;
mod vector;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use atomic_refcell::AtomicRefCell;
use sync_wrapper::SyncWrapper;

use crate::pool::ClassWish;

pub use cpu::flush_to_zero;
pub use lanes::{GroupControls, LaneControls, LaneNode, LanesNode, LanesSetup};
pub use lease::{Controller, Lease};
pub use loud::LevelGuard;
pub use macros::{Controllers, Goal, MacroBank, Route};
pub use messages::{FaultKind, FaultReport, ParamDeed, ParamReport, Reports};
pub use meters::{ContainerReading, LaneReading, MeterReading, PointReading};
pub use plan::{Plan, PlanLane, PlanLanes, PlanNode, PlanSpec, Sharing, reported};
pub use processor::{ContainerBlock, Processor};
pub use side::{PlanSide, SideSource};
pub use slot::{FADE_SECONDS, FirstRun, SMOOTH_SECONDS, SlotControls, SlotNode, SlotSetup, instances_needed};
pub use taps::Heard;

/// What an engine is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Channels of the main signal, in and out alike.
    pub channels: u16,
    /// Channels of the container's sidechain, 0 for none.
    pub sidechain: u16,
    /// Channels of all auxiliary outputs together.
    pub aux: u16,
}

/// What both ends hold.
struct Shared {
    /// The plan and its rings. Borrowed by `process` for a block, or by home as the lease: the borrow is the one
    /// compare-and-swap that decides who plays the audio role.
    runner: AtomicRefCell<SyncWrapper<processor::Runner>>,
    /// Blocks processed: home sees by it whether any come.
    blocks: AtomicU64,
    /// Tail of the plan that runs, frames.
    tail: AtomicU32,
    /// The next reset belongs to a restart that we asked for.
    own_restart: AtomicBool,
    /// The last block was rendered offline, by its transport.
    offline: AtomicBool,
    /// The host's transport rolled in the last block.
    rolls: AtomicBool,
    /// Home asks of which scheduling class the audio thread is.
    class: ClassWish,
    /// Where the macros stand.
    macros: Arc<MacroBank>,
    /// What comes of too loud an output, and whether it came.
    loud: loud::Loud,
    /// What comes into the container, and what leaves it.
    input: meters::Point,
    meters: meters::Meters,
    /// Home listens to them.
    listened: AtomicBool,
    tap: taps::Tap,
}

/// Makes an engine without a plan: it passes its input. `[home]`
pub fn engine(config: EngineConfig) -> (Processor, Controller) {
    cpu::calibrate();
    let (to_audio, inbox) = rtrb::RingBuffer::new(messages::TO_AUDIO);
    let (reports, from_audio) = rtrb::RingBuffer::new(messages::REPORTS);
    let shared = Arc::new(Shared {
        runner: AtomicRefCell::new(SyncWrapper::new(processor::Runner::new(inbox, reports))),
        blocks: AtomicU64::new(0),
        tail: AtomicU32::new(0),
        own_restart: AtomicBool::new(false),
        offline: AtomicBool::new(false),
        rolls: AtomicBool::new(false),
        class: ClassWish::default(),
        macros: Arc::default(),
        loud: loud::Loud::default(),
        input: meters::Point::default(),
        meters: meters::Meters::default(),
        listened: AtomicBool::new(false),
        tap: taps::Tap::default(),
    });
    (Processor::new(shared.clone(), config), Controller::new(shared, to_audio, from_audio))
}
