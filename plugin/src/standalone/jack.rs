//! JACK: a client with stereo in, sidechain and out, MIDI in and out.

mod client;
mod latency;
mod transport;

use jack::{Client, ClientOptions, LoggerType};

pub use client::open;

/// What there is of JACK on this machine.
pub enum JackState {
    /// Its library cannot be loaded.
    NoLibrary(String),
    /// No server runs.
    NoServer,
    /// A server runs.
    Running {
        /// Its sample rate, Hz.
        rate: u32,
        /// Frames in its blocks.
        block: u32,
    },
}

/// Looks for JACK. No server is started.
pub fn state() -> JackState {
    match connect("catena-doctor") {
        Ok(client) => JackState::Running { rate: client.sample_rate(), block: client.buffer_size() },
        Err(jack::Error::LibraryError(why)) => JackState::NoLibrary(why),
        Err(_) => JackState::NoServer,
    }
}

fn connect(name: &str) -> Result<Client, jack::Error> {
    // Its library writes to standard error on its own; what matters is told by us.
    jack::set_logger(LoggerType::None);
    Client::new(name, ClientOptions::NO_START_SERVER).map(|(client, _)| client)
}
