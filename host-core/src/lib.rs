//! Catena host core.
pub mod backend;
#[deny(clippy::disallowed_types)]
pub mod engine;
pub mod home;
pub mod model;
pub mod scan;
pub mod session;
pub mod store;
