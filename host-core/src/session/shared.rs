//! What a session and its handles share without a call to home.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::bell::{DawBell, Waker};
use super::{Outbox, Snapshot};
use crate::model::{Bytes, Catalog};

/// Written on home, read anywhere.
#[derive(Default)]
pub(super) struct Shared {
    latency: AtomicU32,
    bypass: AtomicBool,
    news_latency: AtomicBool,
    news_dirty: AtomicBool,
    news_tail: AtomicBool,
    snapshot: Mutex<Arc<Snapshot>>,
    catalog: Mutex<Option<Arc<Catalog>>>,
    waker: DawBell,
    checkpoint: Mutex<Option<Bytes>>,
}

impl Shared {
    pub(super) fn latency(&self) -> u32 {
        self.latency.load(Ordering::Acquire)
    }

    /// Sets the latency to report; a change is an errand for the DAW's thread.
    pub(super) fn set_latency(&self, frames: u32) {
        if self.latency.swap(frames, Ordering::AcqRel) != frames {
            self.news_latency.store(true, Ordering::Release);
            self.wake();
        }
    }

    pub(super) fn bypassed(&self) -> bool {
        self.bypass.load(Ordering::Acquire)
    }

    pub(super) fn set_bypass(&self, bypass: bool) {
        self.bypass.store(bypass, Ordering::Release);
    }

    pub(super) fn mark_dirty(&self) {
        self.news_dirty.store(true, Ordering::Release);
        self.wake();
    }

    pub(super) fn mark_tail(&self) {
        self.news_tail.store(true, Ordering::Release);
        self.wake();
    }

    pub(super) fn take_outbox(&self) -> Outbox {
        Outbox {
            latency: self.news_latency.swap(false, Ordering::AcqRel),
            dirty: self.news_dirty.swap(false, Ordering::AcqRel),
            tail: self.news_tail.swap(false, Ordering::AcqRel),
        }
    }

    pub(super) fn set_waker(&self, waker: Waker) {
        self.waker.set(waker);
    }

    /// Forgets the waker: its DAW is about to be gone.
    pub(super) fn drop_waker(&self) {
        self.waker.end();
    }

    fn wake(&self) {
        self.waker.wake();
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn publish(&self, snapshot: Snapshot) {
        *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
    }

    /// The bytes last loaded or saved.
    pub(super) fn checkpoint(&self) -> Option<Bytes> {
        self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_checkpoint(&self, bytes: &[u8]) {
        *self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::from(bytes));
    }

    /// The catalog; `read` where there is none yet.
    pub(super) fn catalog(&self, read: impl FnOnce() -> Arc<Catalog>) -> Arc<Catalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(read).clone()
    }

    pub(super) fn set_catalog(&self, catalog: Arc<Catalog>) {
        *self.catalog.lock().unwrap_or_else(PoisonError::into_inner) = Some(catalog);
    }
}
