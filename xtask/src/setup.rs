//! What the machine lacks, and installing it.

mod packages;

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal, Write};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run::{in_ci, on_path, output, spelled, step};

/// What the machine is to be ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Building.
    Build,
    /// Building, and the plugins of the demo's chain.
    Demo,
    /// Building, all test plugins, the programs and the locale that tests use.
    Test,
    /// Building, and valgrind.
    Stress,
}

impl Need {
    fn packages(self) -> Vec<&'static str> {
        let more: &[&str] = match self {
            Self::Build => &[],
            Self::Demo => packages::DEMO,
            Self::Test => packages::TEST,
            Self::Stress => packages::STRESS,
        };
        packages::BUILD.iter().map(|library| library.package).chain(more.iter().copied()).collect()
    }
}

/// Lists what is missing for `need` and installs it; asks first unless `yes` or nobody can answer.
pub fn run(need: Need, yes: bool) -> Result<()> {
    if !is_debian() {
        return elsewhere(need);
    }
    let missing = missing_packages(&need.packages());
    let locale = need == Need::Test && !has_comma_locale();
    if missing.is_empty() && !locale {
        eprintln!("Everything needed is installed.");
        return Ok(());
    }
    let mut commands = Vec::new();
    if !missing.is_empty() {
        eprintln!("Missing packages: {}", missing.join(" "));
        commands.push(as_root("apt-get", &["update"]));
        let mut install = vec!["install", "--yes", "--no-install-recommends"];
        install.extend(&missing);
        commands.push(as_root("apt-get", &install));
    }
    if locale {
        eprintln!("Missing locale: {COMMA_LOCALE} (tests run with a decimal comma)");
        commands.push(as_root("localedef", &["-i", "de_DE", "-f", "UTF-8", COMMA_LOCALE]));
    }
    ask(&commands, yes || in_ci())?;
    commands.iter_mut().try_for_each(step)?;
    let still = missing_packages(&need.packages());
    if !still.is_empty() {
        bail!("still not installed: {}", still.join(" "));
    }
    Ok(())
}

/// The locale that tests run under: its decimal sign is a comma.
pub const COMMA_LOCALE: &str = "de_DE.UTF-8";

fn has_comma_locale() -> bool {
    output("locale", &["-a"]).lines().any(|line| line.eq_ignore_ascii_case("de_DE.utf8"))
}

fn ask(commands: &[Command], agreed: bool) -> Result<()> {
    eprintln!("This installs it:");
    for command in commands {
        eprintln!("    {}", spelled(command));
    }
    if agreed {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        bail!("nothing was installed: there is no terminal to ask on; --yes installs without asking");
    }
    eprint!("Run these commands now? [y/N] ");
    std::io::stderr().flush().context("the question could not be shown")?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("the answer could not be read")?;
    if !matches!(answer.trim(), "y" | "Y" | "yes") {
        bail!("nothing was installed; run the commands above yourself, or give --yes");
    }
    Ok(())
}

/// A command with root's rights: as it is for root, by sudo for others.
fn as_root(program: &str, args: &[&str]) -> Command {
    let quiet = "DEBIAN_FRONTEND=noninteractive";
    let root = output("id", &["-u"]).trim() == "0";
    let mut command = Command::new(if root { "env" } else { "sudo" });
    if !root {
        command.arg("env");
    }
    command.arg(quiet).arg(program).args(args);
    command
}

fn is_debian() -> bool {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let like_debian = release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
        .any(|value| value.trim_matches('"').split(' ').any(|id| matches!(id, "debian" | "ubuntu")));
    like_debian && on_path("apt-get") && on_path("dpkg-query")
}

fn missing_packages<'a>(wanted: &[&'a str]) -> Vec<&'a str> {
    // dpkg-query fails as a whole where one name is unknown, but still prints the others.
    let query = Command::new("dpkg-query")
        .args(["-W", "-f=${Package} ${db:Status-Status}\n"])
        .args(wanted)
        .env("LC_ALL", "C")
        .output();
    let text = query.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let installed = installed_in(&text);
    wanted.iter().filter(|name| !installed.contains(**name)).copied().collect()
}

fn installed_in(text: &str) -> BTreeSet<&str> {
    text.lines().filter_map(|line| line.strip_suffix(" installed")).collect()
}

/// Not Debian: what pkg-config finds decides, and the packages are named for the user to find.
fn elsewhere(need: Need) -> Result<()> {
    let missing: Vec<_> =
        packages::BUILD.iter().filter(|library| !library.module.is_empty() && !has_module(library.module)).collect();
    if need != Need::Build {
        let more = need.packages().split_off(packages::BUILD.len());
        eprintln!("These plugins and programs are used too (names in Debian): {}", more.join(" "));
    }
    if missing.is_empty() {
        eprintln!("Every library needed for building is installed.");
        return Ok(());
    }
    for library in &missing {
        eprintln!("Missing: {} (in Debian: {})", library.module, library.package);
    }
    bail!("install the development files of the libraries named above with this system's package manager");
}

fn has_module(module: &str) -> bool {
    Command::new("pkg-config").args(["--exists", module]).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_was_removed_is_missing() {
        let text = "xvfb installed\ncalf-plugins config-files\nlibx11-dev installed\n";
        assert_eq!(installed_in(text), BTreeSet::from(["xvfb", "libx11-dev"]));
    }

    #[test]
    fn the_demo_installs_less_than_the_tests() {
        let all: BTreeSet<_> = Need::Test.packages().into_iter().collect();
        let demo: BTreeSet<_> = Need::Demo.packages().into_iter().collect();
        assert!(demo.is_subset(&all) && demo.len() < all.len());
        assert!(demo.contains("liblilv-dev") && demo.contains("zam-plugins"));
    }
}
