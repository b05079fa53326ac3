//! `cargo xtask fuzz`: inputs at random to everything that reads a stranger's bytes, from the corpus in `tests/fuzz/corpus` on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run::{on_path, output, root, step, target};

/// How long and what.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Seconds for each target
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Only the targets whose name contains this
    target: Option<String>,
}

/// Fuzzes each target; what ends one is named with the input that did it.
pub fn run(options: &Options) -> Result<()> {
    set_up()?;
    let folder = root().join("tests/fuzz");
    let targets: Vec<_> = targets(&folder)?
        .into_iter()
        .filter(|name| options.target.as_ref().is_none_or(|wanted| name.contains(wanted)))
        .collect();
    if targets.is_empty() {
        bail!("no target is called so; there are: {}", self::targets(&folder)?.join(", "));
    }
    let mut build = fuzz("build", &folder);
    step(&mut build)?;
    let mut found = Vec::new();
    for name in &targets {
        println!("\n{name}, {} s:", options.seconds);
        found.extend(one(&folder, name, options.seconds)?);
    }
    if found.is_empty() {
        println!("\nNothing was found: {}.", targets.join(", "));
        return Ok(());
    }
    for path in &found {
        println!("found: {}", path.display());
    }
    bail!(
        "{} inputs end a target; keep each in tests/fuzz/corpus/TARGET, where a test reads it, and mend what they show",
        found.len()
    )
}

/// cargo-fuzz and the compiler that it needs.
fn set_up() -> Result<()> {
    if !output("rustup", &["toolchain", "list"]).contains("nightly") {
        bail!("a nightly compiler is missing, which the fuzzer is built with: rustup toolchain install nightly");
    }
    if on_path("cargo-fuzz") {
        return Ok(());
    }
    println!("cargo-fuzz is missing; it is installed now.");
    step(Command::new("cargo").args(["install", "cargo-fuzz", "--locked"]))
}

fn targets(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder.join("fuzz_targets")).with_context(|| format!("{}", folder.display()))?;
    let names = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let mut names: Vec<_> =
        names.iter().filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}

fn fuzz(what: &str, folder: &Path) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz", what, "--fuzz-dir"]).arg(folder);
    command.arg("--target-dir").arg(target().join("fuzz")).current_dir(root());
    command
}

/// Fuzzes one; the inputs that ended it. What it learns lies outside of the tree: only what somebody chose is kept there.
fn one(folder: &Path, name: &str, seconds: u64) -> Result<Vec<PathBuf>> {
    let learnt = target().join("fuzz-corpus").join(name);
    let bad = target().join("fuzz-found").join(name);
    for made in [&learnt, &bad] {
        fs::create_dir_all(made).with_context(|| format!("{}", made.display()))?;
    }
    let before = files(&bad)?;
    let mut command = fuzz("run", folder);
    command.arg(name).arg(&learnt).arg(folder.join("corpus").join(name));
    command.arg("--").arg(format!("-max_total_time={seconds}"));
    command.args(["-rss_limit_mb=4096", "-timeout=20", "-max_len=65536", "-print_final_stats=1", "-verbosity=0"]);
    command.arg(format!("-artifact_prefix={}/", bad.display()));
    let status = command.status().context("cargo fuzz cannot be started")?;
    let found: Vec<_> = files(&bad)?.into_iter().filter(|path| !before.contains(path)).collect();
    if !status.success() && found.is_empty() {
        bail!("{name} ended with {status} and left no input");
    }
    Ok(found)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}
