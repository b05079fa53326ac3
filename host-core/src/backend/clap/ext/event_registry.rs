//! `clap.event-registry`: no event space but CLAP's own is known, and that one needs no asking.
#![expect(unsafe_code, reason = "the trait is unsafe because an id must fit the space it names; we give out none")]

use std::ffi::CStr;

use clack_extensions::event_registry::HostEventRegistryImpl;
use clack_host::events::spaces::EventSpaceId;

use crate::backend::clap::host::HomeSide;

// SAFETY: no id is ever given out, so none can be wrong.
unsafe impl HostEventRegistryImpl for HomeSide {
    fn query(&self, _name: &CStr) -> Option<EventSpaceId> {
        self.common.expect_home();
        None
    }
}
