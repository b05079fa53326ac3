//! What a session is made for.

use std::sync::Arc;

use crate::model::Catalog;

/// What kind of program holds the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A plugin in a DAW.
    Daw,
    /// Standalone with an audio device.
    Standalone,
    /// The command line: nothing is heard, every call waits until it is done.
    Offline,
}

/// What a session is made for.
#[derive(Clone, Debug)]
pub struct SessionConfig {
    /// Who holds it.
    pub purpose: Purpose,
    /// Channels of the main signal, in and out alike.
    pub channels: u16,
    /// Channels of the container's sidechain, 0 for none.
    pub sidechain: u16,
    /// Channels of all auxiliary outputs together.
    pub aux: u16,
    /// Which plugins there are.
    pub catalog: CatalogSource,
}

/// Where a session looks plugins up.
#[derive(Clone, Debug)]
pub enum CatalogSource {
    /// The user's scan cache, read again when it changes; never scanned by the session itself.
    Cache,
    /// A catalog given (tests, a scan just made).
    Given(Arc<Catalog>),
}

/// How the host runs the container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostSetup {
    /// Sample rate, Hz.
    pub rate: f64,
    /// Largest block, frames.
    pub max_block: u32,
    /// Not in real time.
    pub offline: bool,
}
