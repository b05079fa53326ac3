//! `catena import`.

use std::path::PathBuf;

use clap::Args;

/// `catena import`.
#[derive(Debug, Args)]
#[command(after_help = "\
FROM is a Carla project or preset (.carxp, .carxs), a MOD pedalboard's folder, or a folder of LV2 presets: one bundle, or
many. Of Carla and MOD it takes the CLAP and LV2 plugins that stand in series, and side by side as lanes where all are
given the same and their sum goes on, with bypass, mix, gain, parameters and states. A plugin that is not installed
becomes a placeholder that keeps everything. Whatever is not taken is named, a line each.

Each preset and pedalboard is a chain of its own: where there are several, CHAIN is a folder for them.

Examples:
  catena import rack.carxp --out rack.catena
  catena import ~/.pedalboards/Clean.pedalboard --out clean.catena
  catena import ~/.lv2/Lead.preset.lv2 --out lead.catena
  catena import ~/.lv2 --out presets                       a chain for each preset
  catena import ~/.lv2/Vocal.lv2 --out vocal.catena --in-one   one chain of all of them")]
pub struct Import {
    /// Project, pedalboard or folder of presets
    pub from: PathBuf,
    /// The chain file to make, or the folder where there are several
    #[arg(long, value_name = "CHAIN")]
    pub out: PathBuf,
    /// All that is found in one chain, one after the other
    #[arg(long)]
    pub in_one: bool,
    /// Take in files (samples, impulse responses) that lie outside of the project too: only of projects that you trust
    #[arg(long)]
    pub files: bool,
    /// Replace what is there
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
