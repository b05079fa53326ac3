//! One file per CLAP extension, named as the specification names it: what we answer the plugin, and what we ask of it.

pub mod audio_ports;
pub mod audio_ports_activation;
pub mod audio_ports_config;
pub mod configurable_audio_ports;
pub mod context_menu;
pub mod event_registry;
pub mod gui;
pub mod latency;
pub mod log;
pub mod note_name;
pub mod note_ports;
pub mod params;
pub mod posix_fd_support;
pub mod preset_discovery;
pub mod preset_load;
pub mod remote_controls;
pub mod render;
pub mod state;
pub mod tail;
pub mod thread_check;
pub mod thread_pool;
pub mod timer_support;
pub mod track_info;
pub mod voice_info;

/// Text from a fixed-size array of the plugin's: what is no UTF-8 is replaced, control characters are dropped.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).collect()
}
