//! `cargo xtask install`: the bundle into the folders where DAWs and shells look.

use anyhow::Result;

/// Where to install.
#[derive(clap::Args)]
pub struct Options {
    /// The VST3 too (the CLAP alone otherwise: a DAW that takes both would list Catena twice).
    #[arg(long)]
    vst3: bool,
}

/// Installs.
pub fn run(options: &Options) -> Result<()> {
    let _later = options.vst3;
    anyhow::bail!("not written yet")
}
