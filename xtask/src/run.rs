//! Running other programs, and where the workspace is.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The workspace's folder. Cargo tells where it is now: one that was moved or copied with its `target` is not built again, and
/// its programs still name the old place.
pub fn root() -> PathBuf {
    let built = || env!("CARGO_MANIFEST_DIR").into();
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(built, PathBuf::from);
    here.parent().unwrap_or(&here).to_path_buf()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// Whether a continuous-integration service runs us: nobody can answer a question.
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// The cargo that runs us, in the workspace's folder.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// A command as one would type it.
pub fn spelled(command: &Command) -> String {
    let mut words = vec![Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy()));
    let quoted = words.iter().map(|word| if word.contains(' ') { format!("'{word}'") } else { word.to_string() });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Runs a command with our own output, saying first what is run.
pub fn step(command: &mut Command) -> Result<()> {
    let said = spelled(command);
    eprintln!("+ {said}");
    let status = command.status().with_context(|| format!("{said}: cannot be started"))?;
    if !status.success() {
        bail!("{said}: {status}");
    }
    Ok(())
}

/// What a command prints, or nothing where it fails or is not there.
pub fn output(program: &str, args: &[&str]) -> String {
    match Command::new(program).args(args).env("LC_ALL", "C").output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => String::new(),
    }
}

/// Whether a program is on the path.
pub fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}
