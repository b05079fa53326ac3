//! `clap.remote-controls`: accepted. Pages of controls are shown by no part of Catena yet.

use clack_extensions::remote_controls::HostRemoteControlsImpl;
use clack_host::utils::ClapId;

use crate::backend::clap::host::HomeSide;

impl HostRemoteControlsImpl for HomeSide {
    fn changed(&self) {
        self.common.expect_home();
    }

    fn suggest_page(&self, _page: ClapId) {
        self.common.expect_home();
    }
}
