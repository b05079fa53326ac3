//! What a plugin sees of us: one handler per thread kind, and the extensions we offer.
//!
//! Not offered: `ambisonic` and `surround` (a chain knows channels, not their places; a plugin that asks is told that the host
//! has no such extension).

use std::cell::RefCell;
use std::sync::Arc;

use clack_extensions::audio_ports::HostAudioPorts;
use clack_extensions::audio_ports_config::HostAudioPortsConfig;
use clack_extensions::context_menu::HostContextMenu;
use clack_extensions::event_registry::HostEventRegistry;
use clack_extensions::gui::HostGui;
use clack_extensions::latency::HostLatency;
use clack_extensions::note_name::HostNoteName;
use clack_extensions::params::HostParams;
use clack_extensions::posix_fd::HostPosixFd;
use clack_extensions::preset_discovery::HostPresetLoad;
use clack_extensions::remote_controls::HostRemoteControls;
use clack_extensions::state::HostState;
use clack_extensions::thread_check::HostThreadCheck;
use clack_extensions::timer::HostTimer;
use clack_extensions::track_info::HostTrackInfo;
use clack_extensions::voice_info::HostVoiceInfo;
use clack_host::prelude::*;

use super::ext;
use super::requests::{Ask, Common};
use crate::backend::Watch;

/// The three handlers, by thread.
pub struct Handlers;

impl HostHandlers for Handlers {
    type Shared<'a> = Shared;
    type MainThread<'a> = HomeSide;
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _shared: &Shared) {
        builder
            .register::<ext::log::HostLog>()
            .register::<HostThreadCheck>()
            .register::<HostParams>()
            .register::<HostState>()
            .register::<HostLatency>()
            .register::<ext::tail::HostTail>()
            .register::<HostAudioPorts>()
            .register::<HostAudioPortsConfig>()
            .register::<ext::note_ports::HostNotePorts>()
            .register::<HostTimer>()
            .register::<HostPosixFd>()
            .register::<HostGui>()
            .register::<ext::thread_pool::HostThreadPool>()
            .register::<HostNoteName>()
            .register::<HostVoiceInfo>()
            .register::<HostRemoteControls>()
            .register::<HostTrackInfo>()
            .register::<HostEventRegistry>()
            .register::<HostContextMenu>()
            .register::<HostPresetLoad>();
    }
}

/// Reached from any thread.
pub struct Shared(pub Arc<Common>);

impl SharedHandler<'_> for Shared {
    fn request_restart(&self) {
        self.0.ask(Ask::Restart);
    }

    fn request_process(&self) {
        self.0.ask(Ask::Process);
    }

    fn request_callback(&self) {
        self.0.ask(Ask::Callback);
    }
}

/// Reached on home; the plugin may break that rule, so each method that touches more than [`Common`] asks
/// [`Common::expect_home`] first.
pub struct HomeSide {
    /// What all threads share.
    pub common: Arc<Common>,
    /// Timers of the plugin.
    pub timers: RefCell<ext::timer_support::Timers>,
    /// Descriptors of the plugin.
    pub watches: RefCell<Vec<Watch>>,
    /// What the plugin said of the preset it is loading.
    pub preset: RefCell<Option<Result<(), String>>>,
}

impl HomeSide {
    /// For a plugin opened on this thread. `[home]`
    pub fn new(common: Arc<Common>) -> Self {
        Self { common, timers: RefCell::default(), watches: RefCell::default(), preset: RefCell::default() }
    }
}

impl MainThreadHandler<'_> for HomeSide {}
