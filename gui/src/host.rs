//! What the editor needs of a session.

use std::sync::Arc;

use host_core::model::Catalog;
use host_core::session::{Command, LatencyChange, SessionHandle, Snapshot};

/// A chain that can be shown and edited. No method may wait: they are called while a frame is drawn. `[editor]`
pub trait Host: Send {
    /// Sends an edit; what becomes of it is seen in a later snapshot.
    fn send(&self, command: Command);
    /// The chain as last seen.
    fn snapshot(&self) -> Arc<Snapshot>;
    /// The plugins of this machine.
    fn catalog(&self) -> Arc<Catalog>;
    /// Finds out what an edit would do to the latency and tells it later, from any thread; nothing is told where only doing it
    /// can show that.
    fn foresee(&self, _edit: Command, _tell: Box<dyn FnOnce(LatencyChange) + Send>) {}
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

    fn foresee(&self, edit: Command, tell: Box<dyn FnOnce(LatencyChange) + Send>) {
        let this = self.clone();
        let job = move || {
            if let Ok(Some(change)) = this.preview(edit) {
                tell(change);
            }
        };
        // Without a thread nothing is told.
        let _no_thread = std::thread::Builder::new().name("catena-job".into()).spawn(job);
    }
}
