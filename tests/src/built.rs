//! What tests start and load, brought up to date: cargo builds no other package's programs for a test.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Set by `cargo xtask test`, which has built everything: nothing is asked of cargo again.
pub const BUILT: &str = "CATENA_TESTS_BUILT";

/// The folder of the tests package. Cargo tells where it is now: a workspace that was moved or copied with its `target` is not
/// built again, and its tests still name the old place.
pub fn package() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

/// The workspace's folder.
pub fn workspace() -> PathBuf {
    package().parent().expect("the tests lie in the workspace").into()
}

/// Folder of the built programs and libraries: tests lie in `deps` below it.
pub fn folder() -> PathBuf {
    let executable = std::env::current_exe().expect("a test has a path");
    let folder = executable.parent().expect("a test has a folder");
    if folder.ends_with("deps") { folder.parent().expect("deps has a parent").into() } else { folder.into() }
}

/// Asks cargo to bring `packages` up to date, once in each process.
pub fn bring_up_to_date(packages: &[&str]) {
    static DONE: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted: Vec<_> = packages.iter().filter(|package| !done.iter().any(|one| one == *package)).collect();
    if wanted.is_empty() || std::env::var_os(BUILT).is_some() {
        return;
    }
    let folder = folder();
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "--quiet", "--lib", "--bins", "--target-dir"]).arg(folder.parent().expect("target/PROFILE"));
    build.current_dir(workspace());
    build.args(wanted.iter().flat_map(|package| ["--package", package]));
    if folder.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo runs").success(), "{wanted:?} do not build");
    done.extend(wanted.iter().map(|package| package.to_string()));
}
