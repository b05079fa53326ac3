//! Catena host core.
pub mod backend;
pub mod engine;
pub mod home;
pub mod model;
pub mod scan;
pub mod session;
pub mod store;
