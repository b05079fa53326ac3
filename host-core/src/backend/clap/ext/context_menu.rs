//! `clap.context-menu`: declined; there is no menu of ours to put into a plugin's.

use clack_extensions::context_menu::ContextMenuBuilder;
use clack_extensions::context_menu::{ContextMenuTarget, HostContextMenuImpl};
use clack_host::prelude::{ClapId, HostError};

use crate::backend::clap::host::HomeSide;

const NONE: HostError = HostError::Message("this host has no context menu");

impl HostContextMenuImpl for HomeSide {
    fn populate(&self, _target: ContextMenuTarget, _builder: &mut ContextMenuBuilder) -> Result<(), HostError> {
        Err(NONE)
    }

    fn perform(&self, _target: ContextMenuTarget, _action: ClapId) -> Result<(), HostError> {
        Err(NONE)
    }

    fn can_popup(&self) -> bool {
        false
    }

    fn popup(&self, _target: ContextMenuTarget, _screen: i32, _x: i32, _y: i32) -> Result<(), HostError> {
        Err(NONE)
    }
}
