//! `cargo xtask stress`: random edits under sound, many of them, also watched by valgrind or by the compiler's sanitizers.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run::{cargo, output, root, step, target};
use crate::setup::{self, Need};

/// The test that does it.
const TEST: &str = "stress_random_edits";
/// What it is built for: a target that is named keeps the flags away from what runs while building.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What watches the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Tool {
    /// ThreadSanitizer: data that threads use at once. Builds everything anew, the standard library too
    Thread,
    /// AddressSanitizer: memory used wrongly. Builds everything anew
    Address,
    /// Valgrind's memcheck: memory used wrongly, also by plugins, and memory lost
    Memcheck,
    /// Valgrind's helgrind: C's locks. Of races it sees none that Rust's atomics take part in
    Helgrind,
}

impl Tool {
    /// The sanitizer's name, where it is one.
    fn sanitizer(self) -> Option<&'static str> {
        match self {
            Self::Thread => Some("thread"),
            Self::Address => Some("address"),
            Self::Memcheck | Self::Helgrind => None,
        }
    }
}

/// How much, which, and under what.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// How many edits [default: 10000; 400 under valgrind]
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
    let valgrind = options.tool.filter(|tool| tool.sanitizer().is_none());
    setup::run(if valgrind.is_some() { Need::Stress } else { Need::Build }, options.yes)?;
    let mut test = match options.tool.and_then(Tool::sanitizer) {
        Some(name) => sanitized(name)?,
        None => test(&[]),
    };
    if let Some(tool) = valgrind {
        // Cargo's own way to start what it has built through another program.
        test.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", under_valgrind(tool));
    }
    let edits = options.edits.unwrap_or(if valgrind.is_some() { 400 } else { 10_000 });
    test.env("CATENA_STRESS_EDITS", edits.to_string());
    if let Some(seed) = options.seed {
        test.env("CATENA_STRESS_SEED", seed.to_string());
    }
    step(&mut test)
}

fn test(more: &[&str]) -> Command {
    let mut test = cargo(&["test", "--locked", "-p", "catena-tests", "--test", TEST]);
    test.args(more).args(["--", "--nocapture"]);
    test
}

fn under_valgrind(tool: Tool) -> String {
    let known = root().join("tests/valgrind.supp");
    let tool = match tool {
        Tool::Helgrind => "--tool=helgrind --history-level=approx",
        _ => "--tool=memcheck --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite",
    };
    // Threads take turns: an audio thread that waits for no one would else keep the others from running at all.
    format!("valgrind {tool} --fair-sched=yes --error-exitcode=9 --num-callers=30 --suppressions={}", known.display())
}

/// The test with everything in it built for a sanitizer, for ThreadSanitizer the standard library too: otherwise its locks and
/// channels would not be seen, and each hand-over through them would be called a race. The plugins are built as ever.
fn sanitized(name: &str) -> Result<Command> {
    let whole = name == "thread";
    let source = Path::new(output("rustc", &["--print", "sysroot"]).trim()).join("lib/rustlib/src/rust/library");
    if whole && !source.is_dir() {
        bail!(
            "the standard library's source is missing, which is built with the sanitizer: rustup component add rust-src"
        );
    }
    step(&mut cargo(&["build", "--locked", "--lib", "--bins", "-p", "catena-fixtures-clap", "-p", "host-core"]))?;
    let folder = target().join(format!("sanitize-{name}"));
    let beside = folder.join(TARGET).join("debug");
    std::fs::create_dir_all(&beside).with_context(|| format!("{}", beside.display()))?;
    for file in ["libcatena_fixtures_clap.so", "catena-worker"] {
        let from = target().join("debug").join(file);
        std::fs::copy(&from, beside.join(file)).with_context(|| format!("{}", from.display()))?;
    }
    let folder = folder.display().to_string();
    let mut more = vec!["--target", TARGET, "--target-dir", &folder];
    more.extend(whole.then_some("-Zbuild-std"));
    let mut test = test(&more);
    // A stable compiler has the sanitizers, and asks for this word before it uses them.
    test.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", format!("-Zsanitizer={name}")).env("CATENA_TESTS_BUILT", "1");
    // Memory that was freed is kept a while, to see that nobody uses it: not so long that the test takes it for lost.
    test.env("TSAN_OPTIONS", "history_size=5");
    test.env("ASAN_OPTIONS", "detect_leaks=1:quarantine_size_mb=8:thread_local_quarantine_size_kb=64");
    Ok(test)
}
