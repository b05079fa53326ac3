//! What the editor needs of a session.

use std::sync::Arc;

use host_core::model::Catalog;
use host_core::session::{Command, SessionHandle, Snapshot};

/// A chain that can be shown and edited. No method may wait: they are called while a frame is drawn. `[editor]`
pub trait Host: Send {
    /// Sends an edit; what becomes of it is seen in a later snapshot.
    fn send(&self, command: Command);
    /// The chain as last seen.
    fn snapshot(&self) -> Arc<Snapshot>;
    /// The plugins of this machine.
    fn catalog(&self) -> Arc<Catalog>;
}

impl Host for SessionHandle {
    fn send(&self, command: Command) {
        Self::send(self, command);
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Self::snapshot(self)
    }

    fn catalog(&self) -> Arc<Catalog> {
        Self::catalog(self)
    }
}
