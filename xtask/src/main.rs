//! The project's own commands: `cargo xtask setup | demo | test | check | bundle | install | bench | shots | stress | fuzz`.
//!
//! Builds the product, never links it, so that it compiles on a machine that has only Rust, git and a C linker.

mod bench;
mod bundle;
mod check;
mod demo;
mod fuzz;
mod install;
mod run;
mod setup;
mod shots;
mod stress;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Set-up, demo, tests, bundle, install, benchmarks and checks of Catena.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// List what this machine lacks to build and test Catena, and install it.
    Setup {
        /// Do not ask before installing.
        #[arg(long)]
        yes: bool,
        /// Only what building needs, without the plugins and tools of the tests.
        #[arg(long)]
        build: bool,
    },
    /// Build Catena and render a demo through a chain of real plugins.
    Demo {
        /// Do not ask before installing.
        #[arg(long)]
        yes: bool,
    },
    /// Set up, then run every test of the workspace.
    Test {
        /// Do not ask before installing.
        #[arg(long)]
        yes: bool,
        /// Only tests whose name contains this.
        filter: Option<String>,
    },
    /// Check format, lints, documentation and which part of the code knows which.
    Check {
        /// Only the rules on the sources, without cargo: takes a second.
        #[arg(long)]
        sources: bool,
    },
    /// Write the plugins and programs into a folder that works as it stands.
    Bundle(bundle::Options),
    /// Install the bundle for this user, or below a prefix.
    Install(install::Options),
    /// Edit chains at random while sound runs, ten thousand times; also under sanitizers and valgrind.
    Stress(stress::Options),
    /// Give inputs at random to everything that reads a stranger's bytes, a minute each.
    Fuzz(fuzz::Options),
    /// Take the README's pictures of the editor.
    Shots,
    /// Measure, print a table and write JSON.
    Bench {
        /// What to measure.
        what: bench::What,
        /// Where the JSON goes; `target/bench/NAME.json` where it is not given.
        #[arg(long)]
        json: Option<PathBuf>,
        /// A shorter run (`gui`): a look, no figures to keep.
        #[arg(long)]
        quick: bool,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().task {
        Task::Setup { yes, build } => setup::run(if build { setup::Need::Build } else { setup::Need::Test }, yes),
        Task::Demo { yes } => demo::run(yes),
        Task::Test { yes, filter } => test::run(yes, filter.as_deref()),
        Task::Check { sources } => check::run(sources),
        Task::Bundle(options) => bundle::run(&options).map(drop),
        Task::Install(options) => install::run(&options),
        Task::Stress(options) => stress::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Shots => shots::run(),
        Task::Bench { what, json, quick } => bench::run(what, json, quick),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
