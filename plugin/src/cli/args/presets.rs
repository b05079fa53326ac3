//! The arguments of `catena presets`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `catena presets`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
#[command(after_help = "\
Listed are those that come with the plugin, and your own: those that every host of its format lists (user) and those
that Catena keeps in ~/.local/share/catena/presets (catena). Load one with: catena edit FILE preset SLOT NAME

Examples:
  catena presets \"Calf Reverb\"
  catena presets \"Calf Reverb\" --search \"vocal plate\"
  catena presets save voice.catena 2 \"Soft knee\"     an LV2 plugin's for every LV2 host, else Catena's own
  catena presets save voice.catena 2 \"Soft knee\" --to catena
  catena presets default voice.catena ZamComp        new ZamComps begin like this one
  catena presets forget ZamComp                      and no more")]
pub struct Presets {
    /// Id, or a part of the name
    #[arg(required = true)]
    pub plugin: Option<String>,
    /// Only those that have all these words in their name, their kind (factory, user, catena) or their place
    #[arg(long, value_name = "WORDS")]
    pub search: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub task: Option<PresetsTask>,
}

/// What to do with presets.
#[derive(Debug, Subcommand)]
pub enum PresetsTask {
    /// Keep a slot's plugin as it is as a preset
    Save {
        /// The chain file
        file: PathBuf,
        /// Number or name
        slot: String,
        /// What it is called
        name: String,
        /// What it is kept as [default: lv2 where the plugin is one, else catena]
        #[arg(long, value_enum)]
        to: Option<PresetTo>,
        /// Folder to put it in [default: ~/.lv2, or the presets of Catena]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Replace one of that name
        #[arg(long)]
        force: bool,
    },
    /// Have a plugin begin as it is in a slot, wherever it is added from now on
    Default {
        /// The chain file
        file: PathBuf,
        /// Number or name
        slot: String,
    },
    /// Have a plugin begin as it is made
    Forget {
        /// Id, or a part of the name
        plugin: String,
    },
}

/// What a preset is kept as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PresetTo {
    /// A bundle that every LV2 host lists
    Lv2,
    /// A file of Catena's
    Catena,
}
