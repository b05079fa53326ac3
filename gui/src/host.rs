//! What the editor needs of a session.

use std::path::PathBuf;
use std::sync::Arc;

use host_core::model::places::Container;
use host_core::model::{Catalog, Desk, DeskEdit, SlotId};
use host_core::session::{
    Answer, Command, Errand, LatencyChange, Listen, Look, ScanView, SessionHandle, Snapshot, write_report,
};

/// A chain that can be shown and edited. No method may wait: they are called while a frame is drawn. `[editor]`
pub trait Host: Send {
    /// Sends an edit; what becomes of it is seen in a later snapshot.
    fn send(&self, command: Command);
    /// The chain as last seen.
    fn snapshot(&self) -> Arc<Snapshot>;
    /// The plugins of this machine.
    fn catalog(&self) -> Arc<Catalog>;
    /// The machine's settings, and what the user thinks of plugins.
    fn desk(&self) -> Arc<Desk> {
        Arc::default()
    }
    /// Changes either; shown at once, kept later.
    fn set(&self, _edit: DeskEdit) {}
    /// How a look for plugins fares.
    fn scans(&self) -> ScanView {
        ScanView::default()
    }
    /// Looks for plugins beside everything else.
    fn look(&self, _what: Look) {}
    /// Ends the look that is under way.
    fn stop_looking(&self) {}
    /// Whether the loudness of the chain is to be worked out.
    fn listen(&self, _on: bool) {}
    /// Writes a report of what there is and what is wrong, and tells later, from any thread, where it is.
    fn report(&self, tell: Box<dyn FnOnce(Result<PathBuf, String>) + Send>) {
        tell(Err(text!("host-this-program-has-none").into()));
    }
    /// Finds out what an edit would do to the latency and tells it later, from any thread; nothing is told where only doing it
    /// can show that.
    fn foresee(&self, _edit: Command, _tell: Box<dyn FnOnce(LatencyChange) + Send>) {}
    /// Makes a text of slots and lanes and tells it later, from any thread; nothing is told where that cannot be done.
    fn copy(&self, _nodes: Vec<SlotId>, _tell: Box<dyn FnOnce(String) + Send>) {}
    /// Puts what such a text holds in at a place; what becomes of it is seen in a later snapshot.
    fn paste(&self, _text: String, _into: Container, _index: usize) {}
    /// Does what takes its time, such as files do, and tells later, from any thread, what came of it.
    fn run(&self, _errand: Errand, tell: Box<dyn FnOnce(Result<Answer, String>) + Send>) {
        tell(Err(text!("host-this-cannot-be-done-from-here").into()));
    }
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

    fn desk(&self) -> Arc<Desk> {
        Self::desk(self)
    }

    fn set(&self, edit: DeskEdit) {
        self.change_desk(edit);
    }

    fn scans(&self) -> ScanView {
        Self::scans(self)
    }

    fn look(&self, what: Look) {
        self.look_for_plugins(what);
    }

    fn stop_looking(&self) {
        Self::stop_looking(self);
    }

    fn listen(&self, on: bool) {
        self.listen_soon(if on { Listen::Container } else { Listen::Nothing });
    }

    fn report(&self, tell: Box<dyn FnOnce(Result<PathBuf, String>) + Send>) {
        job(move || tell(write_report()));
    }

    fn foresee(&self, edit: Command, tell: Box<dyn FnOnce(LatencyChange) + Send>) {
        let this = self.clone();
        job(move || {
            if let Ok(Some(change)) = this.preview(edit) {
                tell(change);
            }
        });
    }

    fn copy(&self, nodes: Vec<SlotId>, tell: Box<dyn FnOnce(String) + Send>) {
        let this = self.clone();
        // What cannot be copied is said in the snapshot's notice.
        job(move || {
            if let Some(text) = this.copy_telling(nodes) {
                tell(text);
            }
        });
    }

    fn paste(&self, text: String, into: Container, index: usize) {
        let this = self.clone();
        job(move || Self::paste(&this, &text, into, index));
    }

    fn run(&self, errand: Errand, tell: Box<dyn FnOnce(Result<Answer, String>) + Send>) {
        let this = self.clone();
        job(move || tell(Self::run(&this, errand)));
    }
}

/// Lets `work` beside the editor. Without a thread it is not done.
fn job(work: impl FnOnce() + Send + 'static) {
    let _no_thread = std::thread::Builder::new().name("catena-job".into()).spawn(work);
}
