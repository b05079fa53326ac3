//! `cargo xtask bench`: builds the release, runs a benchmark of the tests package.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::bundle;
use crate::run::{cargo, step, target};

/// What can be measured.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum What {
    /// The cost of a slot over a bare loop of the same plugins, and memory.
    Engine,
    /// The cost of the CLAP, LV2 and VST3 shells over the engine alone, and of the Turtle.
    Formats,
    /// How long an instance and a scan take.
    Open,
    /// The editor: a picture of the rack, one that stands still, opening it, its memory, and a thousand openings.
    Gui,
    /// A chain in one JACK client against a client for each plugin.
    Jack,
    /// What several cores gain: the hand-over, a plugin's own tasks, lanes of real plugins, and idle slots.
    Pool,
    /// Saving and restoring a chain against its plugins alone, the library, and writes that a crash does not halve.
    State,
}

/// Builds everything for release, runs `bench-NAME`, and says where the JSON lies.
pub fn run(what: What, json: Option<PathBuf>, quick: bool) -> Result<()> {
    let name = match what {
        What::Engine => "engine",
        What::Formats => "formats",
        What::Open => "open",
        What::Gui => "gui",
        What::Jack => "jack",
        What::Pool => "pool",
        What::State => "state",
    };
    let json = json.unwrap_or_else(|| target().join("bench").join(format!("{name}.json")));
    let json = std::path::absolute(&json).with_context(|| format!("{}", json.display()))?;
    if let Some(folder) = json.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    bundle::build(true)?;
    step(&mut cargo(&["build", "--release", "--locked", "-p", "catena-fixtures-clap", "-p", "catena-fixtures-lv2"]))?;
    let program = format!("bench-{name}");
    let mut bench = cargo(&["run", "--release", "--locked", "-p", "catena-tests", "--bin", &program, "--", "--json"]);
    bench.arg(&json);
    if quick {
        anyhow::ensure!(matches!(what, What::Gui), "only `bench gui` has a shorter form");
        bench.arg("--quick");
    }
    step(&mut bench)?;
    eprintln!("JSON: {}", json.display());
    Ok(())
}
