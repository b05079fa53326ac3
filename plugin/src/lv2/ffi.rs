//! LV2's C interface. Everything unsafe of the export is here.

#![expect(unsafe_code, reason = "the LV2 entry: a C interface by definition, and nice-plug's pointers to parameters")]

mod buffers;
mod export;
mod features;
mod instance;
mod options;
pub(super) mod params;
mod run;
mod seen;
mod shared;
mod state;
mod ui;
mod urids;

pub use export::Export;
pub use params::set_bool;
pub use shared::Common;
pub use state::IN_PLACE;
