//! The owner of a chain: lives on home, takes commands, makes plans, gives out snapshots.
//!
//! 1. [`SessionHandle::open`] makes a session with an empty chain and gives out the [`Processor`];
//! 2. [`SessionHandle::load`] or [`SessionHandle::apply`] fills the chain;
//! 3. [`SessionHandle::activate`] starts it at a rate and a largest block;
//! 4. [`Processor::process`] runs it; commands, snapshots and saves go on meanwhile;
//! 5. [`SessionHandle::deactivate`], then drop the handle: home takes everything down.

use std::sync::Arc;

use crate::engine::{EngineConfig, Processor};
use crate::model::{Adapt, Catalog, Chain, IfFails, LatencyMode, ParamInfo, PluginId, SlotId};

/// What kind of program holds the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A plugin in a DAW.
    Daw,
    /// Standalone with an audio device.
    Standalone,
    /// The command line: nothing is heard, every call waits until it is done.
    Offline,
}

/// What a session is made for.
#[derive(Clone, Debug)]
pub struct SessionConfig {
    /// Who holds it.
    pub purpose: Purpose,
    /// Channels of the main signal, in and out alike.
    pub channels: u16,
    /// Channels of the container's sidechain, 0 for none.
    pub sidechain: u16,
    /// Channels of all auxiliary outputs together.
    pub aux: u16,
    /// Which plugins there are.
    pub catalog: CatalogSource,
}

/// Where a session looks plugins up.
#[derive(Clone, Debug)]
pub enum CatalogSource {
    /// The user's scan cache, read again when it changes; never scanned by the session itself.
    Cache,
    /// A catalog given (tests, a scan just made).
    Given(Arc<Catalog>),
}

/// An edit. Each is one step of undo later on; each names what it changes by id.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Puts a plugin in at a place among the nodes (the end where it is past it).
    Add {
        /// Which plugin.
        plugin: PluginId,
        /// Place among the nodes.
        index: usize,
    },
    /// Takes a slot out.
    Remove(SlotId),
    /// Moves a slot with its state.
    Move {
        /// Which slot.
        slot: SlotId,
        /// Its new place among the nodes.
        index: usize,
    },
    /// Bypasses a slot or ends it.
    Bypass(SlotId, bool),
    /// Sets a parameter by key, in the plugin's own unit.
    Param(SlotId, String, f64),
    /// Wet share, 0..1.
    Mix(SlotId, f64),
    /// Gain before the plugin, dB.
    InputGain(SlotId, f64),
    /// Gain after the plugin, dB.
    OutputGain(SlotId, f64),
    /// Channel adaptation.
    Adapt(SlotId, Adapt),
    /// What the slot does when it cannot run.
    IfFails(SlotId, IfFails),
    /// Renames a slot; `None` goes back to the plugin's name.
    Rename(SlotId, Option<String>),
    /// Loads a preset of the plugin by its name or URI.
    Preset(SlotId, String),
    /// Tries a slot again that is missing, faulted or kept closed.
    Retry(SlotId),
    /// Renames the chain.
    RenameChain(String),
    /// The latency mode.
    Latency(LatencyMode),
    /// The container's own bypass.
    BypassChain(bool),
    /// Takes all slots out.
    Clear,
}

/// Why an edit was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// No such slot.
    #[error("there is no slot {0} in this chain")]
    NoSlot(SlotId),
    /// No such plugin on this machine.
    #[error("{0} is not installed; `catena scan` looks for new plugins")]
    NoPlugin(PluginId),
    /// No such parameter.
    #[error("{plugin} has no parameter \"{key}\"; `catena info {plugin}` lists them")]
    NoParam {
        /// The plugin.
        plugin: PluginId,
        /// What was asked for.
        key: String,
    },
    /// A value outside the range.
    #[error("{what}: {value} is outside {min} to {max}")]
    Range {
        /// What was to be set.
        what: String,
        /// The value given.
        value: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// No such preset.
    #[error("{plugin} has no preset \"{name}\"")]
    NoPreset {
        /// The plugin.
        plugin: PluginId,
        /// What was asked for.
        name: String,
    },
    /// The plugin would not open, start or load.
    #[error("{0}")]
    Plugin(String),
    /// Home did not answer in time.
    #[error("{0}")]
    Busy(String),
}

/// Why a chain was not saved or loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// The bytes are no chain of ours. They are kept and written back by the next save.
    #[error("this is not a Catena chain, or it is damaged: {0}")]
    Damaged(String),
    /// Another major version wrote it. The bytes are kept and written back by the next save.
    #[error(
        "this chain was made by a version of Catena that this one cannot read (schema {found}, this one reads {reads})"
    )]
    Version {
        /// Major found.
        found: u32,
        /// Major read by this version.
        reads: u32,
    },
    /// Home did not answer in time.
    #[error("{0}")]
    Busy(String),
}

/// What became of one slot while a chain was loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotReport {
    /// Which slot.
    pub slot: SlotId,
    /// Its title.
    pub title: String,
    /// What is wrong with it, in one sentence.
    pub problem: String,
}

/// How a slot fares.
#[derive(Clone, Debug, PartialEq)]
pub enum SlotStatus {
    /// Runs, or would if the DAW ran us.
    Running,
    /// Being opened.
    Loading,
    /// Its plugin is not installed.
    Missing,
    /// Kept closed: it killed the process last time, or `CATENA_SAFE=1`.
    Closed(String),
    /// Faulted, with the reason; it passes dry.
    Faulted(String),
}

/// One slot, as shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotView {
    /// Which slot.
    pub id: SlotId,
    /// Its title.
    pub title: String,
    /// Its plugin.
    pub plugin: PluginId,
    /// Its maker.
    pub vendor: String,
    /// Passes dry by the user's will.
    pub bypass: bool,
    /// Wet share, 0..1.
    pub mix: f64,
    /// Latency, frames.
    pub latency: u32,
    /// How it fares.
    pub status: SlotStatus,
    /// A notice that is no fault (a state it refused, a shared library), empty for none.
    pub notice: String,
    /// Peak of its output since the last snapshot, linear.
    pub peak: f32,
    /// Time its last blocks took, average nanoseconds a block; 0 where it does not run.
    pub nanos: u32,
    /// Parameters, for generic editors and the command line; shared between snapshots.
    pub params: Arc<[ParamInfo]>,
    /// Their values now, in the same order.
    pub values: Vec<f64>,
}

/// A chain as it is now. Cheap to share; made on home at each tick where something changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Rises with every snapshot.
    pub revision: u64,
    /// The chain's name.
    pub name: String,
    /// The slots, first to last.
    pub slots: Vec<SlotView>,
    /// Latency told to the DAW, frames.
    pub latency: u32,
    /// Sample rate, Hz; 0 while not active.
    pub rate: f64,
    /// The container's own bypass.
    pub bypass: bool,
    /// Something to tell the user of the whole chain, empty for none.
    pub notice: String,
    /// Changed since the last save or load.
    pub dirty: bool,
}

/// What the DAW's own thread is to do for us. See [`SessionHandle::take_outbox`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outbox {
    /// The latency to report differs from what the DAW was told: ask it for one restart.
    pub latency: bool,
    /// The chain changed: mark the DAW's session dirty.
    pub dirty: bool,
    /// The tail changed.
    pub tail: bool,
}

/// How the host runs the container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostSetup {
    /// Sample rate, Hz.
    pub rate: f64,
    /// Largest block, frames.
    pub max_block: u32,
    /// Not in real time.
    pub offline: bool,
}

/// What a container, an editor or the command line holds of a session. `Send + Sync + Clone`; the session is taken
/// down when the last clone goes.
#[derive(Clone)]
pub struct SessionHandle {
    _todo: Arc<SessionConfig>,
}

impl SessionHandle {
    /// Makes a session with an empty chain. Scans nothing. `[any but audio]`
    pub fn open(config: SessionConfig) -> Result<(Self, Processor), LoadError> {
        let engine = EngineConfig { channels: config.channels, sidechain: config.sidechain, aux: config.aux };
        let (processor, _controller) = crate::engine::engine(engine);
        Ok((Self { _todo: Arc::new(config) }, processor))
    }

    /// Starts the chain: returns when every plugin is active. Called while the host does not process. A call that
    /// changes neither rate nor largest block leaves the plugins active. `[host's main thread]`
    pub fn activate(&self, _setup: HostSetup) -> Result<(), LoadError> {
        Ok(())
    }

    /// The host stopped processing for good or for a restart; plugins stay active until told otherwise. `[host's main thread]`
    pub fn deactivate(&self) {}

    /// Sends an edit; never waits. What becomes of it is seen in the snapshot. `[any but audio]`
    pub fn send(&self, _command: Command) {}

    /// Makes an edit and waits until it is done. The id is the slot's that it made or changed. `[any but audio]`
    pub fn apply(&self, _command: Command) -> Result<Option<SlotId>, EditError> {
        Ok(None)
    }

    /// The chain as last seen. `[any but audio]`
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::default()
    }

    /// The whole chain with fresh states, as model values. `[any but audio]`
    pub fn chain(&self) -> Result<Chain, LoadError> {
        Ok(Chain::default())
    }

    /// Replaces the chain; returns when it is built and, where the session is active, runs. Slots that could not be opened
    /// are in the answer and keep their state. `[any but audio]`
    pub fn load_chain(&self, _chain: Chain) -> Result<Vec<SlotReport>, LoadError> {
        Ok(Vec::new())
    }

    /// The whole chain as packed bytes, for the DAW. `[any but audio]`
    pub fn save(&self) -> Result<Vec<u8>, LoadError> {
        Ok(Vec::new())
    }

    /// Replaces the chain by packed bytes from the DAW. Bytes that are no chain are kept for the next save, and the chain is
    /// empty. `[any but audio]`
    pub fn load(&self, _bytes: &[u8]) -> Result<Vec<SlotReport>, LoadError> {
        Ok(Vec::new())
    }

    /// Latency to report, frames. Wait-free. `[any]`
    pub fn latency(&self) -> u32 {
        0
    }

    /// What the DAW's thread is to do for us; taken once. `[any but audio]`
    pub fn take_outbox(&self) -> Outbox {
        Outbox::default()
    }

    /// `wake` is called from home when the outbox fills: it must be safe from any thread and never wait
    /// (CLAP's `request_callback`). `[any but audio]`
    pub fn on_outbox(&self, _wake: Box<dyn Fn() + Send + Sync>) {}

    /// Reads the scan cache again (after a scan). `[any but audio]`
    pub fn refresh_catalog(&self) {}

    /// The catalog in use, for a browser. `[any but audio]`
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::default()
    }

    /// Waits until no edit, load or fade is under way. `[any but audio]`
    pub fn settle(&self) {}
}
