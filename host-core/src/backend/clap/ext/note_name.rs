//! `clap.note-name`: accepted. A chain shows no key names, so nothing is kept of them.

use clack_extensions::note_name::HostNoteNameImpl;

use crate::backend::clap::host::HomeSide;

impl HostNoteNameImpl for HomeSide {
    fn changed(&self) {
        self.common.expect_home();
    }
}
