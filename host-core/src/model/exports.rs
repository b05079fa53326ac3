//! What is to be made of a chain for others.

use std::path::PathBuf;

use super::Shape;

/// What a chain is made into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportTo {
    /// A preset bundle of the LV2 plugins.
    #[default]
    Lv2Preset,
    /// A chain in the library, which CLAP hosts list as presets.
    ClapPreset,
    /// A VST3 preset file.
    Vst3Preset,
    /// A CLAP and an LV2 plugin of its own, with the mapped macros as its parameters.
    Plugin,
    /// One file.
    Pack,
    /// A folder.
    Unpack,
}

/// An export that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportTask {
    /// What it is made into.
    pub to: ExportTo,
    /// The folder to put it in; `None`: where hosts look for it.
    pub out: Option<PathBuf>,
    /// What it is called; empty: as the chain, or its file.
    pub name: String,
    /// What is there is replaced.
    pub replace: bool,
    /// Large samples and the like lie beside a chain file, not in it.
    pub beside: bool,
    /// What only a plugin has.
    pub plugin: AsPlugin,
}

/// What only a chain that is made a plugin has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsPlugin {
    /// Its CLAP id, with which its LV2 URI ends; a URI is both. Empty: made of the name.
    pub id: String,
    /// Its maker.
    pub maker: String,
    /// Where hosts list it.
    pub category: Option<Category>,
    /// What it is; `None`: as the chain's first plugin.
    pub shape: Option<Shape>,
    /// The core library and the worker lie beside it, for machines without Catena.
    pub with_engine: bool,
    /// Other parameters or another shape under an id that sessions may know already.
    pub new_ports: bool,
    /// The LV2 has no ports for events: it hears neither MIDI nor the song's position.
    pub plain: bool,
}

impl Default for AsPlugin {
    fn default() -> Self {
        Self {
            id: String::new(),
            maker: "Catena".into(),
            category: None,
            shape: None,
            with_engine: false,
            new_ports: false,
            plain: false,
        }
    }
}

/// Where hosts list a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Amplifiers.
    Amplifier,
    /// Analysers.
    Analyser,
    /// Choruses.
    Chorus,
    /// Compressors.
    Compressor,
    /// Delays.
    Delay,
    /// Distortion.
    Distortion,
    /// Equalisers.
    Equaliser,
    /// Filters.
    Filter,
    /// Gates.
    Gate,
    /// Instruments.
    Instrument,
    /// Limiters.
    Limiter,
    /// Mixers.
    Mixer,
    /// Modulators.
    Modulator,
    /// Pitch shifters.
    Pitch,
    /// Reverbs.
    Reverb,
    /// What places sound in a room.
    Spatial,
    /// Utilities.
    Utility,
}

/// Each with its name, CLAP's keyword and LV2's class.
const CATEGORIES: [(Category, &str, &str, &str); 17] = [
    (Category::Amplifier, "amplifier", "utility", "AmplifierPlugin"),
    (Category::Analyser, "analyser", "analyzer", "AnalyserPlugin"),
    (Category::Chorus, "chorus", "chorus", "ChorusPlugin"),
    (Category::Compressor, "compressor", "compressor", "CompressorPlugin"),
    (Category::Delay, "delay", "delay", "DelayPlugin"),
    (Category::Distortion, "distortion", "distortion", "DistortionPlugin"),
    (Category::Equaliser, "equaliser", "equalizer", "EQPlugin"),
    (Category::Filter, "filter", "filter", "FilterPlugin"),
    (Category::Gate, "gate", "gate", "GatePlugin"),
    (Category::Instrument, "instrument", "synthesizer", "InstrumentPlugin"),
    (Category::Limiter, "limiter", "limiter", "LimiterPlugin"),
    (Category::Mixer, "mixer", "mixing", "MixerPlugin"),
    (Category::Modulator, "modulator", "multi-effects", "ModulatorPlugin"),
    (Category::Pitch, "pitch", "pitch-shifter", "PitchPlugin"),
    (Category::Reverb, "reverb", "reverb", "ReverbPlugin"),
    (Category::Spatial, "spatial", "multi-effects", "SpatialPlugin"),
    (Category::Utility, "utility", "utility", "UtilityPlugin"),
];

impl Category {
    /// All of them with their names.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        CATEGORIES.iter().map(|(category, name, ..)| (*category, *name))
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|(_, own)| *own == name).map(|(category, _)| category)
    }

    /// CLAP's keyword and LV2's class.
    pub fn words(self) -> (&'static str, &'static str) {
        let own = CATEGORIES.iter().find(|(category, ..)| *category == self);
        own.map_or(("multi-effects", "UtilityPlugin"), |(_, _, feature, class)| (feature, class))
    }
}
