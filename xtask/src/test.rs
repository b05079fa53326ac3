//! `cargo xtask test`: everything that tests need, then every test.

use std::process::Command;

use anyhow::{Context, Result};

use crate::run::{cargo, step, target};
use crate::setup::{self, COMMA_LOCALE, Need};

/// Sets the machine up, builds what tests load or start (fixtures, worker, core library, entries), runs them.
pub fn run(yes: bool, filter: Option<&str>) -> Result<()> {
    setup::run(Need::Test, yes)?;
    step(&mut cargo(&["build", "--workspace", "--all-targets", "--locked"]))?;
    step(&mut tests(filter)?)?;
    // nextest runs no doc tests; plain cargo has run them already.
    if filter.is_none() && has_nextest() {
        step(&mut at_home(cargo(&["test", "--workspace", "--doc", "--locked"]))?)?;
    }
    Ok(())
}

fn has_nextest() -> bool {
    cargo(&["nextest", "--version"]).output().is_ok_and(|output| output.status.success())
}

fn tests(filter: Option<&str>) -> Result<Command> {
    let mut command = if has_nextest() {
        cargo(&["nextest", "run", "--workspace", "--locked", "--no-fail-fast"])
    } else {
        cargo(&["test", "--workspace", "--locked", "--no-fail-fast"])
    };
    command.args(filter);
    at_home(command)
}

/// Folders of their own, so that no test sees or changes the user's; and a locale with a decimal comma, under which a
/// program that lets the locale into its files or its command line shows it.
fn at_home(mut command: Command) -> Result<Command> {
    let home = target().join("test-home");
    for (variable, folder) in [
        ("XDG_DATA_HOME", "data"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_STATE_HOME", "state"),
    ] {
        let folder = home.join(folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
        command.env(variable, folder);
    }
    // Everything is built: no test asks cargo again.
    command.env("CATENA_TESTS_BUILT", "1");
    command.env("LC_ALL", COMMA_LOCALE).env("LANG", COMMA_LOCALE);
    Ok(command)
}
