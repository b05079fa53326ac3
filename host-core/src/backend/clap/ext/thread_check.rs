//! `clap.thread-check`: the main thread is the one that opened the plugin; audio is a role, see [`role`].

use clack_extensions::thread_check::HostThreadCheckImpl;

use crate::backend::clap::host::Shared;
use crate::backend::role;

impl HostThreadCheckImpl for Shared {
    fn is_main_thread(&self) -> bool {
        self.0.on_home()
    }

    fn is_audio_thread(&self) -> bool {
        role::is_audio(self.0.number())
    }
}
