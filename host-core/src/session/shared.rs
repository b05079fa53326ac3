//! What a session and its handles share without a call to home.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::bell::{DawBell, Waker};
use super::mirror::Mirror;
use super::{MacroSaid, Outbox, Snapshot};
use crate::model::Catalog;

/// What is kept for a DAW that does not fetch it.
const MOST_SAID: usize = 4096;

/// Written on home, read anywhere.
#[derive(Default)]
pub(super) struct Shared {
    latency: AtomicU32,
    bypass: AtomicBool,
    news_latency: AtomicBool,
    news_dirty: AtomicBool,
    news_tail: AtomicBool,
    news_macro_values: AtomicBool,
    news_macro_titles: AtomicBool,
    news_macros_said: AtomicBool,
    macros_said: Mutex<Vec<MacroSaid>>,
    snapshot: Mutex<Arc<Snapshot>>,
    catalog: Mutex<Option<Arc<Catalog>>>,
    waker: DawBell,
    /// The chain as it is had without home.
    pub(super) mirror: Mutex<Mirror>,
    /// What is shown is not home's own words but that it does not answer.
    stuck_shown: AtomicBool,
    /// When it was looked at the scan's cache, and of when that was.
    cache: Mutex<Option<(Instant, Option<SystemTime>)>>,
    /// Hears of every snapshot.
    listener: Mutex<Option<Arc<dyn Fn() + Send + Sync>>>,
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
            latency: taken(&self.news_latency),
            dirty: taken(&self.news_dirty),
            tail: taken(&self.news_tail),
            macro_values: taken(&self.news_macro_values),
            macro_titles: taken(&self.news_macro_titles),
            macros_said: taken(&self.news_macros_said),
        }
    }

    pub(super) fn mark_macro_values(&self) {
        self.news_macro_values.store(true, Ordering::Release);
        self.wake();
    }

    pub(super) fn mark_macro_titles(&self) {
        self.news_macro_titles.store(true, Ordering::Release);
        self.wake();
    }

    /// Notes what the DAW is to hear of a macro. Where nobody fetches it, all of it becomes a hint to read the values again.
    pub(super) fn say_of_macro(&self, said: MacroSaid) {
        let mut all = self.macros_said.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_SAID {
            all.clear();
            self.news_macro_values.store(true, Ordering::Release);
        }
        all.push(said);
        drop(all);
        self.news_macros_said.store(true, Ordering::Release);
        self.wake();
    }

    pub(super) fn take_macros_said(&self) -> Vec<MacroSaid> {
        std::mem::take(&mut *self.macros_said.lock().unwrap_or_else(PoisonError::into_inner))
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
        // An editor tells its host of some of it.
        self.tell();
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Shows `snapshot`, under the next revision, and tells of it where there are `news` in it.
    pub(super) fn publish(&self, mut snapshot: Snapshot, news: bool) {
        let mut shown = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        snapshot.revision = shown.revision + 1;
        let was_stuck = self.stuck_shown.swap(false, Ordering::AcqRel);
        *shown = Arc::new(snapshot);
        drop(shown);
        if news || was_stuck {
            self.tell();
        }
    }

    pub(super) fn set_listener(&self, told: Box<dyn Fn() + Send + Sync>) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(told.into());
    }

    /// Whether there is an editor, or was one.
    pub(super) fn has_listener(&self) -> bool {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn tell(&self) {
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(told) = listener {
            told();
        }
    }

    /// Shows that home does not answer, until it says something itself. False: that is shown already.
    pub(super) fn show_stuck(&self, amend: impl FnOnce(&mut Snapshot)) -> bool {
        let mut shown = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        if self.stuck_shown.swap(true, Ordering::AcqRel) {
            return false;
        }
        let mut snapshot = Snapshot::clone(&shown);
        snapshot.revision += 1;
        amend(&mut snapshot);
        *shown = Arc::new(snapshot);
        drop(shown);
        self.tell();
        true
    }

    /// Whether the scan's cache is another than at the last look; looks once in `pause`.
    pub(super) fn cache_seen(&self, pause: Duration, look: impl FnOnce() -> Option<SystemTime>) -> bool {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.is_some_and(|(looked, _)| looked.elapsed() < pause) {
            return false;
        }
        let made = look();
        let before = cache.replace((Instant::now(), made));
        before.is_none_or(|(_, seen)| seen != made)
    }

    /// The catalog; `read` where there is none yet.
    pub(super) fn catalog(&self, read: impl FnOnce() -> Arc<Catalog>) -> Arc<Catalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(read).clone()
    }

    pub(super) fn set_catalog(&self, catalog: Arc<Catalog>) {
        *self.catalog.lock().unwrap_or_else(PoisonError::into_inner) = Some(catalog);
        self.tell();
    }
}

/// Takes a mark down. It is asked of every block, and almost never there: the look comes first.
fn taken(mark: &AtomicBool) -> bool {
    mark.load(Ordering::Relaxed) && mark.swap(false, Ordering::AcqRel)
}
