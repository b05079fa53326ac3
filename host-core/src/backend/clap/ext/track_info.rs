//! `clap.track-info`: a chain is not told its track, so the answer is that there is none.

use clack_extensions::track_info::{HostTrackInfoImpl, TrackInfoWriter};

use crate::backend::clap::host::HomeSide;

impl HostTrackInfoImpl for HomeSide {
    fn get<'a>(&'a self, _writer: &mut TrackInfoWriter<'_, 'a>) {
        // Nothing written: the plugin's call returns false.
        self.common.expect_home();
    }
}
