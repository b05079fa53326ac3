//! `clap.voice-info`: accepted. A chain does not count voices, so nothing is kept of it.

use clack_extensions::voice_info::HostVoiceInfoImpl;

use crate::backend::clap::host::HomeSide;

impl HostVoiceInfoImpl for HomeSide {
    fn changed(&self) {
        self.common.expect_home();
    }
}
