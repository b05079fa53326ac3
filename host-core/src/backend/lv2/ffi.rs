//! Everything of LV2 that needs `unsafe`: lilv, the C structures of the features, and the calls into a plugin.
//!
//! What leaves this module is safe to use: pointers stay inside types that own what they point to.

#![expect(unsafe_code, reason = "lilv and LV2 plugins speak C")]

pub mod buffer;
pub mod features;
pub mod instance;
pub mod library;
pub mod lilv;
pub mod log;
pub mod machine;
pub mod preset;
pub mod spec;
pub mod state;
pub mod ui;
pub mod urid;
pub mod worker;
