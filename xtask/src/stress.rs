//! `cargo xtask stress`: random edits under sound, many of them, also under valgrind.

use anyhow::Result;

use crate::run::{cargo, root, step};
use crate::setup::{self, Need};

/// The test that does it.
const TEST: &str = "stress_random_edits";

/// What watches the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Tool {
    /// Valgrind's memcheck: memory used wrongly, and memory lost.
    Memcheck,
    /// Valgrind's helgrind: data that threads use at once, and locks in changing order.
    Helgrind,
}

/// How much, which, and under what.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// How many edits [default: 10000; 400 under a tool]
    #[arg(long)]
    edits: Option<u64>,
    /// Which edits: the number that an earlier run printed
    #[arg(long)]
    seed: Option<u64>,
    /// Watch the run; valgrind is installed if it is missing
    #[arg(long, value_enum)]
    tool: Option<Tool>,
    /// Do not ask before installing
    #[arg(long)]
    yes: bool,
}

/// Runs the test; it fails where the tool finds anything.
pub fn run(options: &Options) -> Result<()> {
    setup::run(if options.tool.is_some() { Need::Stress } else { Need::Build }, options.yes)?;
    let edits = options.edits.unwrap_or(if options.tool.is_some() { 400 } else { 10_000 });
    let mut test = cargo(&["test", "--locked", "-p", "catena-tests", "--test", TEST, "--", "--nocapture"]);
    test.env("CATENA_STRESS_EDITS", edits.to_string());
    if let Some(seed) = options.seed {
        test.env("CATENA_STRESS_SEED", seed.to_string());
    }
    if let Some(tool) = options.tool {
        // Cargo's own way to start what it has built through another program.
        test.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", valgrind(tool));
    }
    step(&mut test)
}

fn valgrind(tool: Tool) -> String {
    let known = root().join("tests/valgrind.supp");
    let tool = match tool {
        Tool::Memcheck => {
            "--tool=memcheck --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite"
        }
        Tool::Helgrind => "--tool=helgrind --history-level=approx",
    };
    // Threads take turns: an audio thread that waits for no one would else keep the others from running at all.
    format!("valgrind {tool} --fair-sched=yes --error-exitcode=9 --num-callers=30 --suppressions={}", known.display())
}
