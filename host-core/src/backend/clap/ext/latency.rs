//! `clap.latency`: read while active. `changed` belongs inside activate; real plugins call it elsewhere, even from the
//! audio thread, so it only notes that home is to ask.

use clack_extensions::latency::HostLatencyImpl;

use crate::backend::clap::host::HomeSide;
use crate::backend::clap::requests::Ask;

impl HostLatencyImpl for HomeSide {
    fn changed(&self) {
        self.common.expect_home();
        self.common.ask(Ask::Latency);
    }
}
