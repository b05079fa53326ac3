//! The owner of a chain: lives on home, takes commands, makes plans, gives out snapshots.
//!
//! 1. [`SessionHandle::open`] makes a session with an empty chain and gives out the
//!    [`Processor`](crate::engine::Processor);
//! 2. [`SessionHandle::load`] or [`SessionHandle::apply`] fills the chain;
//! 3. [`SessionHandle::activate`] starts it at a rate and a largest block;
//! 4. [`Processor::process`](crate::engine::Processor::process) runs it; commands, snapshots and saves go on meanwhile;
//! 5. [`SessionHandle::deactivate`], then drop the handle: home takes everything down.
//!
//! Inside, a session is one `Owner` on home. An edit changes the model at once; the `follow` room brings the engine
//! after it in steps that are never heard elsewhere: fade the changed nodes to dry, exchange the plan, fade them in.

mod bell;
mod catalog;
mod clipboard;
mod command;
mod conductor;
mod config;
mod cores;
mod desk;
mod doubts;
mod ears;
mod edits;
mod errands;
mod error;
mod follow;
mod guard;
mod handle;
mod history;
mod keep;
mod lane_edits;
mod lanes;
mod latency;
mod levels;
mod live;
mod loud;
mod macros;
mod matching;
mod mirror;
mod moves;
mod nesting;
mod opening;
mod owner;
pub mod presets;
mod replacing;
mod report;
mod requests;
mod rescue;
mod said;
mod scanning;
mod scenes;
mod several;
mod shared;
mod sides;
mod still;
mod values;
mod view;
mod windows;

pub use crate::backend::WindowOffer;
pub use crate::windows::{Area, Room};
pub use command::{Assignment, Command, LaneEdit, MacroEdit, SnapshotEdit, StripEdit};
pub use config::{CatalogSource, HostSetup, Purpose, SessionConfig};
pub use desk::search_paths;
pub use errands::{Answer, Errand, Exporter, Library, Presets};
pub use errands::{Entry as LibraryEntry, Sheet};
pub use error::{EditError, LoadError};
pub use handle::SessionHandle;
pub use history::{HistoryView, StepView};
pub use report::write_report;
pub use rescue::{LeftBehind, left_behind};
pub use said::{Level, listen_to_plugins, take_said};
pub use scanning::{Look, ScanView};
pub use scenes::SnapshotsView;
pub use view::{
    ControllerView, CoresView, CostTotals, CostView, GuardView, LaneView, LanesView, LatencyChange, Listen, MacroSaid,
    MacroView, MatchView, MeterTotals, MeterView, NodeView, Outbox, SlotReport, SlotStatus, SlotView, Snapshot,
    TargetView,
};
pub use windows::{EditorId, WindowView};

/// Smallest gain that a slot may be set to, dB.
pub const MIN_GAIN: f64 = -144.0;
/// Largest gain that a slot may be set to, dB.
pub const MAX_GAIN: f64 = 48.0;
