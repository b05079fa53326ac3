//! Catena host core.
pub mod backend;
pub mod child;
#[deny(clippy::disallowed_types)]
pub mod engine;
pub mod home;
pub mod journal;
pub mod model;
pub mod scan;
pub mod session;
pub mod store;
