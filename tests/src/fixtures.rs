//! Finds the libraries of test plugins. They are built with the workspace, not as dependencies of the tests, so that one
//! library serves every test and can be copied under other names.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use host_core::backend::{OpenError, PluginMain};

use crate::{built, clap_bench};

/// The built library of `package`.
pub fn library(package: &str) -> PathBuf {
    built::bring_up_to_date(&[package]);
    let file = built::folder().join(format!("lib{}.so", package.replace('-', "_")));
    assert!(file.exists(), "{} is missing: cargo build --package {package}", file.display());
    file
}

/// Brings the worker program up to date: it is looked for beside the test programs' folder.
pub fn worker() {
    built::bring_up_to_date(&["host-core"]);
}

/// The library of CLAP fixtures.
pub fn clap() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| library("catena-fixtures-clap"))
}

/// The id of the CLAP fixture `name`.
pub fn clap_id(name: &str) -> String {
    format!("catena.fixture.{name}")
}

/// Opens the CLAP fixture `name`.
pub fn open_clap(name: &str) -> Box<dyn PluginMain> {
    try_open_clap(name).unwrap_or_else(|error| panic!("{error}"))
}

/// Tries to.
pub fn try_open_clap(name: &str) -> Result<Box<dyn PluginMain>, OpenError> {
    clap_bench::open(clap(), &clap_id(name))
}

/// Maps a library and leaves it mapped, as a host program would have done before us.
#[allow(unsafe_code, reason = "the loader's own interface: this is what a foreign host does")]
pub fn map_library(path: &Path) {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::CString::new(path.as_os_str().as_bytes()).expect("no zero byte");
    // SAFETY: a C string; the constructors that run are those of our own fixtures.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!handle.is_null(), "{} does not load", path.display());
}
