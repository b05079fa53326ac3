//! Plain data of a chain: what is saved, shown and sent between threads.
//!
//! Nothing here knows a plugin format, a thread or a file. A [`Chain`] is a list of [`Node`]s; a node is a
//! [`Slot`] (one plugin), [`Lanes`] (parallel chains) or something that a newer version wrote and this one keeps untouched.

mod about;
mod aux;
mod catalog;
mod chain;
mod controller;
mod copies;
mod desk;
mod exported;
mod exports;
mod folders;
mod ids;
pub mod known;
pub mod lanes;
mod lv2_state;
mod macros;
mod midi;
mod pages;
mod params;
pub mod places;
mod plugin_id;
mod ports;
mod scenes;
mod sidechain;
mod slot;
mod strip;
mod window;
mod words;

pub use about::About;
pub use aux::{AUX_OUTS, LaneAux};
pub use catalog::{BadFile, Catalog, Foreign, PluginEntry, PluginLocation, Preset, PresetFrom, Resolve, is_same};
pub use chain::{Chain, GRID, GRID_RANGE, LatencyMode, MAX_LATENCY, Node, Schema, SlotId};
pub use controller::{Assigned, CONTROLLERS, Controller, WIDE};
pub use copies::Put;
pub use desk::{Desk, DeskEdit, Settings, Shelf, Theme};
pub use exported::{Exported, ExportedMacro, Shape};
pub use exports::{AsPlugin, Category, ExportTask, ExportTo};
pub use folders::Folders;
pub use known::Known;
pub use lanes::{Lane, LaneDelay, Lanes, MAX_BANDS, Split};
pub use lv2_state::{Lv2Property, Lv2State};
pub use macros::{Aim, Grid, Law, MACROS, Macro, MacroId, Target};
pub use midi::{MidiSettings, MidiSource};
pub use pages::{ControlPage, PAGE};
pub use params::{ParamInfo, Steps};
pub use plugin_id::{Format, ParsePluginIdError, PluginId};
pub use ports::{AudioBus, BusRole, PortLayout};
pub use scenes::{Letter, Scene, Scenes, SharedScene};
pub use sidechain::{SidechainSource, SourceFault};
pub use slot::{Adapt, Bytes, Helpers, Identity, IfFails, OVERSAMPLING, Package, PluginState, Slot};
pub use strip::{MAX_SLEEP, Phase, Sleep, Strip, passed_by};
pub use window::WindowPlace;
pub use words::Words;

/// Smallest and largest block the engine takes from a host, frames. Larger blocks from a DAW are cut.
pub const BLOCK_RANGE: std::ops::RangeInclusive<u32> = 1..=8192;
/// Sample rates the engine takes, Hz.
pub const RATE_RANGE: std::ops::RangeInclusive<f64> = 8_000.0..=384_000.0;
