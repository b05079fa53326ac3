//! `catena export`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use host_core::model::{Category, Shape};

/// `catena export`.
#[derive(Debug, Args)]
#[command(after_help = "\
What is made appears when it is complete, and nothing that is there is replaced without --force.

Examples:
  catena export voice.catena --to lv2-preset          listed by every LV2 host as a preset of Catena
  catena export voice.catena --to clap-preset         the same in CLAP hosts
  catena export voice.catena --to vstpreset --out .
  catena export voice.catena --to plugin --name \"Voice Strip\" --maker \"Ann\" --category compressor
  catena export voice.catena --to plugin --with-engine --out dist    for machines without Catena
  catena export voice.catena --to plugin --plain      its LV2 runs in lv2proc too
  catena export voice.catena --to unpack              a folder that goes well with version control")]
pub struct Export {
    /// The chain file
    pub chain: PathBuf,
    /// What to make of it
    #[arg(long, value_enum)]
    pub to: ExportTo,
    /// Folder to put it in [default: where hosts look for it; for pack and unpack the chain's own]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What it is called [default: the chain's name, else the file's]
    #[arg(long)]
    pub name: Option<String>,
    /// Replace what is there
    #[arg(long)]
    pub force: bool,
    /// Where samples and the like of at least 64 KiB go, for pack and unpack: into the chain, or beside it, where chains of one folder
    /// share them
    #[arg(long, value_enum, default_value = "inside")]
    pub assets: AssetsGo,
    #[command(flatten)]
    pub plugin: AsPlugin,
}

/// What only a plugin has.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --to plugin")]
pub struct AsPlugin {
    /// Its CLAP id, with which its LV2 URI ends; a URI is both. Hosts know it by that for ever [default: made of the name]
    #[arg(long)]
    pub id: Option<String>,
    /// Its maker
    #[arg(long, default_value = "Catena")]
    pub maker: String,
    /// Where hosts list it
    #[arg(long, value_parser = category())]
    pub category: Option<Category>,
    /// What it is: an effect, which has stereo ports in LV2, or mono or eight-channel ones; or an instrument [default: as the
    /// chain's first plugin]
    #[arg(long, value_enum)]
    pub shape: Option<PluginShape>,
    /// Put the core library and the worker beside it, for machines without Catena
    #[arg(long)]
    pub with_engine: bool,
    /// Leave the ports for events out of the LV2, for tools that know audio and controls alone (lv2proc): its plugins hear neither MIDI
    /// nor the host's tempo and position
    #[arg(long)]
    pub plain: bool,
    /// With --force: other parameters or another shape under an id that sessions may know already
    #[arg(long, requires = "force")]
    pub new_ports: bool,
}

/// Where a chain's assets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AssetsGo {
    /// Into the chain
    Inside,
    /// Into NAME.assets beside it
    Beside,
}

/// What a chain is made into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportTo {
    /// A preset bundle of the LV2 plugins
    Lv2Preset,
    /// A chain in the library, which CLAP hosts list as presets
    ClapPreset,
    /// A VST3 preset file
    Vstpreset,
    /// A CLAP and an LV2 plugin of its own, with the mapped macros as its parameters
    Plugin,
    /// One file
    Pack,
    /// A folder
    Unpack,
}

/// Which ports a plugin has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PluginShape {
    /// Stereo in LV2, any layout in CLAP
    Effect,
    /// Mono in LV2
    Mono,
    /// Eight channels in LV2
    Surround,
    /// Notes in, stereo and auxiliary outputs
    Instrument,
}

impl From<PluginShape> for Shape {
    fn from(shape: PluginShape) -> Self {
        match shape {
            PluginShape::Effect => Self::Effect,
            PluginShape::Mono => Self::Mono,
            PluginShape::Surround => Self::Surround,
            PluginShape::Instrument => Self::Instrument,
        }
    }
}

/// The names of categories.
fn category() -> impl TypedValueParser<Value = Category> {
    PossibleValuesParser::new(Category::all().map(|(_, name)| name))
        .map(|name| Category::named(&name).unwrap_or(Category::Utility))
}
