//! The seam between the engine and plugin formats.
//!
//! A hosted plugin is two halves. [`PluginMain`] lives on the home thread and is not `Send`; it opens,
//! activates, saves and restores. [`PluginAudio`] is made by [`PluginMain::activate`], travels to the audio
//! thread inside a plan, runs there, and comes back to be given to [`PluginMain::deactivate`]. [`open`] alone
//! knows which formats there are.
//!
//! A plugin's life:
//! 1. [`open`] an entry of the catalog `[home]`;
//! 2. [`PluginMain::load`] its saved state, where there is one `[home & !active]`;
//! 3. [`PluginMain::activate`] it: the audio half comes out `[home & !active]`;
//! 4. [`PluginAudio::start`], [`PluginAudio::run`] block by block, [`PluginAudio::stop`] `[audio]`;
//! 5. meanwhile [`PluginMain::serve`] its timers, descriptors and callbacks at every home tick `[home]`;
//! 6. [`PluginMain::deactivate`] with the audio half, then drop `[home]`.
//!
//! Its own window is opened, served and closed by the home half at any time between 1 and 6 ([`window`]).

#[deny(clippy::disallowed_types)]
pub mod audio;
pub mod clap;
pub mod log;
pub mod lv2;
pub mod role;
pub mod window;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

pub use crate::home::Watch;
use crate::model::{
    BadFile, Bytes, ControlPage, Format, Identity, ParamInfo, PluginEntry, PluginId, PluginState, PortLayout, Preset,
};
use crate::pool::Share;
pub use audio::PluginAudio;
pub use window::{OpenWindowError, Opened, WindowDeed, WindowHost, WindowNews, WindowOffer};

/// The file of a preset's bundle that describes it.
pub const PRESET_FILE: &str = "preset.ttl";

/// Why a plugin could not be opened. Every message names the plugin or its file.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file is not there or cannot be loaded as a library.
    #[error("{path}: cannot be loaded: {reason}")]
    Library {
        /// The file or bundle.
        path: std::path::PathBuf,
        /// The loader's own words.
        reason: String,
    },
    /// The file is there but holds no such plugin.
    #[error("{path}: holds no plugin {id}")]
    NotInside {
        /// The file or bundle.
        path: std::path::PathBuf,
        /// What was asked for.
        id: PluginId,
    },
    /// The plugin asks for a feature that Catena does not have.
    #[error("{id}: needs {feature}, which Catena does not offer")]
    Feature {
        /// The plugin.
        id: PluginId,
        /// The feature's URI or extension id.
        feature: String,
    },
    /// The plugin refused to be made.
    #[error("{id}: {reason}")]
    Refused {
        /// The plugin.
        id: PluginId,
        /// What it refused.
        reason: String,
    },
}

/// Why a plugin could not be activated.
#[derive(Debug, thiserror::Error)]
#[error("{id}: refused to start at {rate} Hz with blocks of {min_block} to {max_block} frames: {reason}")]
pub struct ActivateError {
    /// The plugin.
    pub id: PluginId,
    /// Sample rate asked for, Hz.
    pub rate: f64,
    /// Smallest block, frames.
    pub min_block: u32,
    /// Largest block, frames.
    pub max_block: u32,
    /// What it said or did.
    pub reason: String,
}

/// Why a state was not saved or restored.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The plugin refused.
    #[error("{0}: refused the state it was given")]
    Refused(PluginId),
    /// The plugin failed to write its state.
    #[error("{0}: failed to save its state")]
    SaveFailed(PluginId),
    /// The bytes are not what this backend writes.
    #[error("{id}: the saved state is damaged: {reason}")]
    Damaged {
        /// The plugin.
        id: PluginId,
        /// What is wrong with it.
        reason: String,
    },
    /// The plugin may only be restored while it does not run, and its audio half is away.
    #[error("{0}: cannot be restored while it runs")]
    Running(PluginId),
    /// A file the state needs could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// How a plugin is to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// Sample rate, Hz.
    pub rate: f64,
    /// Smallest block it will see, frames, at least 1.
    pub min_block: u32,
    /// Largest block it will see, frames.
    pub max_block: u32,
    /// Faster or slower than real time: quality before speed.
    pub offline: bool,
}

/// Where a plugin's audio half is while home talks to the plugin.
pub enum AudioAt<'a> {
    /// There is none: the plugin is not active.
    Inactive,
    /// At home, not running.
    Home(&'a mut dyn PluginAudio),
    /// On the audio thread; it may be running this very moment.
    Away,
}

/// What a plugin asked of its host since the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Deactivate and activate again.
    pub restart: bool,
    /// The latency may differ: ask for it.
    pub latency: bool,
    /// The tail may differ.
    pub tail: bool,
    /// The state differs from what was last saved.
    pub dirty: bool,
    /// The list of parameters changed: read it again.
    pub params: bool,
    /// Values changed by the plugin itself (a preset, its own window).
    pub values: bool,
    /// The ports changed: restart, then read them again.
    pub ports: bool,
    /// Parameter events wait to be flushed although the plugin does not run.
    pub flush: bool,
    /// The pages of controls changed: read them again.
    pub pages: bool,
}

/// How long a plugin sounds on after its input fell silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Frames; 0 for none.
    Frames(u32),
    /// For ever.
    Infinite,
    /// It does not say.
    Unknown,
}

/// The home half of a hosted plugin. Not `Send`: every method is `[home]`.
pub trait PluginMain {
    /// Which plugin this is.
    fn id(&self) -> &PluginId;
    /// What to write down of it, with its latency as last known.
    fn identity(&self) -> Identity;
    /// Its ports as they are now.
    fn ports(&self) -> &PortLayout;
    /// Its parameters; the index into this list is the index used on the audio thread.
    fn params(&self) -> &[ParamInfo];
    /// Pages of its parameters for knobs.
    fn pages(&self) -> &[ControlPage] {
        &[]
    }
    /// The value of parameter `index` now, in the plugin's unit. `None`: no such parameter.
    fn value(&mut self, index: usize) -> Option<f64>;
    /// `value` as the plugin itself writes it.
    fn text(&mut self, index: usize, value: f64) -> Option<String>;
    /// The value the plugin reads from `text`.
    fn parse(&mut self, index: usize, text: &str) -> Option<f64>;
    /// Sets a parameter from home. With the audio half [`AudioAt::Away`] only the value remembered at home
    /// moves: the caller sends the same change to the audio thread.
    fn set_value(&mut self, index: usize, value: f64, audio: AudioAt<'_>);
    /// Starts the plugin and hands out its audio half. `& !active`.
    fn activate(&mut self, how: Activation) -> Result<Box<dyn PluginAudio>, ActivateError>;
    /// Takes the audio half back and stops the plugin. `& active`. `audio` is this plugin's own.
    fn deactivate(&mut self, audio: Box<dyn PluginAudio>);
    /// Latency, frames. `& active`.
    fn latency(&mut self) -> u32;
    /// Tail.
    fn tail(&mut self) -> Tail;
    /// Smallest block the plugin runs safely, frames; the engine re-blocks below it.
    fn min_block(&self) -> u32 {
        1
    }
    /// A block length the plugin insists on, frames (`lv2:fixedBlockLength`), or a power of two.
    fn fixed_block(&self) -> Option<u32> {
        None
    }
    /// The state now.
    fn save(&mut self, audio: AudioAt<'_>) -> Result<PluginState, StateError>;
    /// Restores a state. [`StateError::Running`] where the audio half must come home first.
    fn load(&mut self, state: &PluginState, audio: AudioAt<'_>) -> Result<(), StateError>;
    /// Presets that the plugin brings.
    fn presets(&mut self) -> Vec<Preset>;
    /// Loads one of them; the same rule as [`PluginMain::load`].
    fn load_preset(&mut self, preset: &Preset, audio: AudioAt<'_>) -> Result<(), StateError>;
    /// The state now as a preset called `name` that other hosts list: the files of a bundle, by name; the first to look for is
    /// [`PRESET_FILE`]. `None`: the format has no such presets.
    fn preset_files(&mut self, _uri: &str, _name: &str) -> Result<Option<BTreeMap<String, Bytes>>, StateError> {
        Ok(None)
    }
    /// A bundle of presets is there that was not, or is another: what it holds is among [`PluginMain::presets`] from now on.
    fn read_presets_again(&mut self, _bundle: &Path) {}
    /// Offline or real time, for plugins that render differently.
    fn set_offline(&mut self, offline: bool);
    /// The blocks are rendered offline now, or in real time again, without a new activation. Each block's transport says
    /// the same: this is for formats that tell the mode on the main thread alone. `& active`
    fn note_offline_blocks(&mut self, _offline: bool) {}
    /// Adds the descriptors the plugin wants watched.
    fn watches(&self, out: &mut Vec<Watch>);
    /// When the plugin's next timer is due.
    fn deadline(&self) -> Option<Instant>;
    /// Serves due timers, ready descriptors, worker answers and main-thread callbacks. Once per home tick.
    fn serve(&mut self, now: Instant, ready: &[Watch]);
    /// What the plugin asked for since the last call.
    fn take_requests(&mut self) -> Requests;
    /// Asks the plugin for main buses of that many channels, for plugins that offer a choice. True: it took it, and its
    /// ports are to be read again. `& !active`
    fn fit_channels(&mut self, _inputs: u16, _outputs: u16) -> bool {
        false
    }
    /// Something to tell the user of this plugin that is no fault (its file is used by the host program too).
    fn notice(&self) -> Option<String> {
        None
    }
    /// The audio half told that parameter `index` is now `value` (moved by the plugin itself or by automation).
    fn note_value(&mut self, index: usize, value: f64);
    /// Whether it has a window of its own.
    fn window_offer(&self) -> WindowOffer {
        WindowOffer::None
    }
    /// Opens its window. One that is open stays as it is.
    fn open_window(&mut self, _host: WindowHost<'_>) -> Result<Opened, OpenWindowError> {
        Err(OpenWindowError { id: self.id().clone(), reason: "it has none".into() })
    }
    /// Whether its window is open.
    fn has_open_window(&self) -> bool {
        false
    }
    /// Closes its window, before the frame round it goes.
    fn close_window(&mut self) {}
    /// The frame has another size, pixels. What the plugin's window takes of it; `None`: it is not asked, and its window is to be
    /// given the frame's size.
    fn resize_window(&mut self, _width: u32, _height: u32) -> Option<(u32, u32)> {
        None
    }
    /// Whether the user may give its window another size.
    fn window_resizable(&mut self) -> bool {
        true
    }
    /// What its window asked for, and what its user did there, since the last call.
    fn take_window_news(&mut self) -> Vec<WindowNews> {
        Vec::new()
    }
    /// The pool for the plugin's own tasks; `None`: it gets none. False: it has tasks there this moment, and all stays as it was.
    fn set_helpers(&mut self, _share: Option<Arc<Share>>) -> bool {
        true
    }
    /// Lets a plugin that is active and is not run send what its window did. The audio half is at home.
    fn flush(&mut self, _audio: AudioAt<'_>) {}
}

/// Opens the plugin that `entry` describes. `[home]`
pub fn open(entry: &PluginEntry, host: &Rc<HostContext>) -> Result<Box<dyn PluginMain>, OpenError> {
    match entry.id.format {
        Format::Clap => clap::open(entry, host),
        Format::Lv2 => lv2::open(entry, host),
    }
}

/// What is learnt of files or bundles: plugins, and what cannot be used.
pub type Described = (Vec<PluginEntry>, Vec<BadFile>);

/// Lists what a `.clap` file holds; opens each plugin once. For the scan's child process alone. `[home]`
pub fn describe_clap(path: &Path, host: &Rc<HostContext>) -> Result<Described, OpenError> {
    clap::describe(path, host)
}

/// Lists the plugins of LV2 bundles; opens none. `begins` is told which bundles are about to be read, so that one that kills or
/// holds up the process can be named. For the scan's child process alone. `[home]`
pub fn describe_lv2(bundles: &[PathBuf], begins: &mut dyn FnMut(&[PathBuf])) -> Result<Described, OpenError> {
    lv2::describe_bundles(bundles, begins)
}

/// What the host around a plugin is: shown to the plugin, and where its files go.
#[derive(Clone, Debug)]
pub struct HostContext {
    /// Name told to plugins, `Catena`.
    pub name: String,
    /// Version told to plugins.
    pub version: String,
    /// Folder for files that states bring with them (`$XDG_CACHE_HOME/catena/assets`). Made when first needed.
    pub assets: std::path::PathBuf,
}
