//! Harness shared by the behaviour tests.

pub mod clap_bench;
