//! Harness shared by the behaviour tests.

pub mod clap_bench;
pub mod fixtures;
pub mod rig;
pub mod rust_plugins;
pub mod scan_bench;
pub mod session_bench;
