//! One plugin in a chain, with everything the user set on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Known, MidiSettings, PluginId, PortLayout, SidechainSource, SlotId, Strip, WindowPlace};

/// Shared bytes: a plugin's state as it gave it. Cheap to clone.
pub type Bytes = Arc<[u8]>;

/// A plugin's whole state: its own bytes and the files they name.
#[derive(Clone, Debug, Default, Eq)]
pub struct PluginState {
    /// The bytes, in the backend's own form. CLAP: as the plugin's `state` wrote them.
    pub bytes: Bytes,
    /// Files the bytes refer to, by the relative name they use.
    pub assets: BTreeMap<String, Bytes>,
}

/// Hundreds of megabytes are compared at each edit, and are mostly the same memory.
impl PartialEq for PluginState {
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &Bytes, other: &Bytes| Arc::ptr_eq(one, other) || one == other;
        let files = self.assets.iter().zip(&other.assets);
        same(&self.bytes, &other.bytes)
            && self.assets.len() == other.assets.len()
            && files.into_iter().all(|((name, one), (other, two))| name == other && same(one, two))
    }
}

/// What a plugin was when it was last seen, so that a missing one can be named and aligned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// The plugin's name.
    pub name: String,
    /// Its maker.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub vendor: String,
    /// Its version, as it writes it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Latency it last reported, frames.
    pub latency: u32,
    /// The sample rate at which it reported that, Hz; 0 for no latency, or where nobody noted it.
    #[serde(skip_serializing_if = "is_zero")]
    pub rate: f64,
    /// Its ports.
    pub ports: PortLayout,
    /// Its parameters, those that a host may set: how another plugin is given their values.
    #[serde(skip_serializing_if = "<[Known]>::is_empty")]
    pub parameters: Arc<[Known]>,
    /// SHA-256 of its file; of an LV2 bundle, of its libraries. Empty where nobody noted it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// The package that brought it, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<Package>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Identity {
    /// Whether anything was noted of the plugin: a chain that was written by hand has its id alone.
    pub fn is_noted(&self) -> bool {
        !(self.name.is_empty() && self.parameters.is_empty() && self.hash.is_empty())
    }
}

/// A package of a distribution's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Package {
    /// Who keeps it: `dpkg`, `rpm` or `pacman`.
    pub by: String,
    /// Its name.
    pub name: String,
    /// Its version, as the keeper writes it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
}

impl Package {
    /// Whether a shell takes its name for a name and nothing more: users paste the command that is shown, and a stranger's chain may
    /// call a package anything.
    pub fn is_named(&self) -> bool {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "+-._".contains(letter);
        self.name.starts_with(|first: char| first.is_ascii_alphanumeric()) && self.name.chars().all(fits)
    }

    /// The command that installs it.
    pub fn command(&self) -> String {
        let tool = match self.by.as_str() {
            "dpkg" => "apt install",
            "rpm" => "dnf install",
            "pacman" => "pacman -S",
            _ => "install",
        };
        format!("{tool} {}", self.name)
    }
}

fn is_zero(rate: &f64) -> bool {
    *rate == 0.0
}

/// How a plugin whose channels differ from the chain's is fed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adapt {
    /// As many instances as the channels need where plugin and chain divide evenly (a mono plugin on a
    /// stereo chain runs twice), else channel by channel with the missing ones duplicated or summed.
    #[default]
    Auto,
    /// One instance per channel or channel pair.
    Multi,
    /// All channels summed (mean) into a narrower plugin, its output duplicated to all.
    Sum,
    /// Channel by channel: extra plugin inputs get silence, extra chain channels pass by dry.
    Map,
}

/// What a slot that cannot run does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IfFails {
    /// Passes its delayed input.
    #[default]
    Dry,
    /// Is silent.
    Mute,
    /// Silences the whole chain.
    MuteChain,
}

/// Whether a plugin that asks for helper threads (`clap.thread-pool`) gets them, in a chain that may use several cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Helpers {
    /// Where it was measured to be safe and faster with them.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl Helpers {
    /// Nothing was chosen.
    pub fn is_default(&self) -> bool {
        *self == Self::Auto
    }
}

/// One plugin in a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Slot {
    /// Unique in its chain for ever: kept over moves, undo, save and load.
    pub id: SlotId,
    /// Which plugin.
    pub plugin: PluginId,
    /// What the plugin was when it was last seen.
    #[serde(default)]
    pub identity: Identity,
    /// The user's own name for the slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Passes its delayed input instead of the plugin's output.
    #[serde(default)]
    pub bypass: bool,
    /// Share of the plugin's output against the delayed input, 0..1.
    #[serde(default = "one")]
    pub mix: f64,
    /// Gain before the plugin, dB.
    #[serde(default)]
    pub input_gain: f64,
    /// Gain after the plugin (wet only), dB.
    #[serde(default)]
    pub output_gain: f64,
    /// Pan, phase, mono, mute, solo, delta, and when the plugin rests.
    #[serde(flatten)]
    pub strip: Strip,
    /// How a differing channel layout is met.
    #[serde(default)]
    pub adapt: Adapt,
    /// MIDI the plugin makes is merged with what it was given instead of replacing it.
    #[serde(default)]
    pub merge_midi: bool,
    /// Which MIDI the plugin hears.
    #[serde(default, skip_serializing_if = "MidiSettings::is_default")]
    pub midi: MidiSettings,
    /// What the plugin's sidechain hears.
    #[serde(default, skip_serializing_if = "SidechainSource::is_default")]
    pub sidechain: SidechainSource,
    /// Where the plugin's further outputs go: [`Slot::aux_of`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aux: Vec<Option<u8>>,
    /// How many times the chain's rate the plugin runs at: [`Slot::factor`].
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub oversample: u32,
    /// Whether the plugin gets helper threads where it asks for them.
    #[serde(default, skip_serializing_if = "Helpers::is_default")]
    pub helpers: Helpers,
    /// Where the plugin's own window stands.
    #[serde(default, skip_serializing_if = "WindowPlace::is_default")]
    pub window: WindowPlace,
    /// What happens when the plugin cannot run.
    #[serde(default)]
    pub if_fails: IfFails,
    /// Parameter values by key, in the plugin's own unit.
    #[serde(default)]
    pub params: BTreeMap<String, f64>,
    /// The plugin's state; stored beside `chain.json`, not in it.
    #[serde(skip)]
    pub state: Option<PluginState>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

fn one() -> f64 {
    1.0
}

fn once() -> u32 {
    1
}

fn is_once(factor: &u32) -> bool {
    *factor == 1
}

/// How many times the chain's rate a plugin may run at.
pub const OVERSAMPLING: [u32; 4] = [1, 2, 4, 8];

impl Slot {
    /// How many times the chain's rate the plugin runs at; once where a file says something that is not offered.
    pub fn factor(&self) -> u32 {
        if OVERSAMPLING.contains(&self.oversample) { self.oversample } else { 1 }
    }

    /// A fresh slot for `plugin` with every setting at its default.
    pub fn new(id: SlotId, plugin: PluginId) -> Self {
        Self {
            id,
            plugin,
            identity: Identity::default(),
            name: None,
            bypass: false,
            mix: 1.0,
            input_gain: 0.0,
            output_gain: 0.0,
            strip: Strip::default(),
            adapt: Adapt::default(),
            merge_midi: false,
            midi: MidiSettings::default(),
            sidechain: SidechainSource::default(),
            aux: Vec::new(),
            oversample: 1,
            helpers: Helpers::default(),
            window: WindowPlace::default(),
            if_fails: IfFails::default(),
            params: BTreeMap::new(),
            state: None,
            extra: Map::new(),
        }
    }

    /// What users call it: their own name, else the plugin's, else its id.
    pub fn title(&self) -> &str {
        match &self.name {
            Some(name) => name,
            None if !self.identity.name.is_empty() => &self.identity.name,
            None => &self.plugin.id,
        }
    }
}
