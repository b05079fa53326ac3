//! Harness shared by the behaviour tests.

pub mod ardour;
pub mod ardour_window;
pub mod built;
pub mod bundle;
pub mod census;
pub mod clap_bench;
pub mod cli;
pub mod container_host;
pub mod daw;
pub mod desk;
pub mod fixtures;
pub mod fixtures_lv2;
pub mod jack_bench;
pub mod lv2_bench;
pub mod nets;
pub mod outside;
pub mod qtractor;
pub mod real;
pub mod rig;
pub mod running;
pub mod rust_plugins;
pub mod scan_bench;
pub mod session_bench;
pub mod slow_player;
pub mod vst3_host;
pub mod vst3_state;
