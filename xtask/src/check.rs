//! `cargo xtask check`: the rules on the sources, then fmt, clippy and rustdoc with warnings as errors.

mod paths;
mod rooms;
mod rules;
mod sources;

use anyhow::{Result, bail};

use crate::run::{cargo, step};
use crate::setup::{self, Need};

/// Breaches shown at once.
const SHOWN: usize = 40;

/// Runs every check; the first kind that fails ends it.
pub fn run(only_sources: bool) -> Result<()> {
    let files = sources::read()?;
    let breaches = rules::breaches(&files);
    for breach in breaches.iter().take(SHOWN) {
        eprintln!("{breach}");
    }
    if breaches.len() > SHOWN {
        eprintln!("... and {} more", breaches.len() - SHOWN);
    }
    if !breaches.is_empty() {
        bail!("{} breaches of the rules on the sources (ARCHITECTURE.md says why they are there)", breaches.len());
    }
    eprintln!("Sources: {} files keep the rules.", files.len());
    if only_sources {
        return Ok(());
    }
    step(&mut cargo(&["fmt", "--all", "--check"]))?;
    setup::run(Need::Build, false)?;
    step(&mut cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "--deny", "warnings"]))?;
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--locked", "--quiet"]);
    step(doc.env("RUSTDOCFLAGS", "--deny warnings --allow rustdoc::private-intra-doc-links"))?;
    eprintln!("All checks passed.");
    Ok(())
}
