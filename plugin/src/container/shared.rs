//! What a container's audio side, its CLAP entry, its parameters and its editor share.

mod chains;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use atomic_refcell::AtomicRefCell;
use host_core::engine::{MacroBank, Processor};
use host_core::model::{MacroId, PluginId};
use host_core::session::{
    CatalogSource, LoadError, MacroSaid, Outbox, Purpose, SessionConfig, SessionHandle, SlotReport,
};
use nice_plug::prelude::{AudioIOLayout, NonZeroU32};

use super::bypass::BypassSync;
use super::events::HostEvents;
use super::titles::TitleNews;
use crate::guard::guard;
use crate::lv2::set_bool;
use crate::params::{ContainerParams, MacroMarks};

/// Channel counts of one layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels {
    /// Main input.
    pub inputs: u16,
    /// Main output, and the chain.
    pub main: u16,
    /// Sidechain.
    pub sidechain: u16,
    /// All auxiliary outputs together.
    pub aux: u16,
}

impl Channels {
    /// Counts of `layout`.
    pub fn of(layout: &AudioIOLayout) -> Self {
        let main = |ports: Option<NonZeroU32>| ports.map_or(0, NonZeroU32::get) as u16;
        let sum = |ports: &[NonZeroU32]| ports.iter().map(|ports| ports.get() as u16).sum();
        Self {
            inputs: main(layout.main_input_channels),
            main: main(layout.main_output_channels),
            sidechain: sum(layout.aux_input_ports),
            aux: sum(layout.aux_output_ports),
        }
    }
}

/// What is said after a panic.
const FAILED: &str = "Catena failed while it was loaded: this is a fault of ours";
/// What is kept for the host of macros moved inside.
const SAID: usize = 8192;

/// Called when the session or the audio thread has something for the DAW's main thread.
type Waker = Box<dyn Fn() + Send>;

/// Shared by the parts of one container. Nothing here is held while the audio thread waits for it: it only uses
/// atomics and `try_` borrows.
pub struct Shared {
    /// The session, and how many there were before it.
    session: Mutex<(u64, Option<SessionHandle>)>,
    /// Bytes last loaded or saved: what a save writes where home does not answer.
    last: Mutex<Option<Vec<u8>>>,
    notices: Mutex<Vec<String>>,
    waker: Arc<Mutex<Option<Waker>>>,
    /// Where the session's macros stand. Exchanged while nothing is processed.
    macros: AtomicRefCell<Option<Arc<MacroBank>>>,
    /// Parameters of macros that were set by anybody.
    pub macro_marks: MacroMarks,
    /// Macros that were moved inside, for the host's next list of events (CLAP).
    pub said: AtomicRefCell<VecDeque<MacroSaid>>,
    /// Macros stand where the host does not know (VST3).
    macro_news: AtomicBool,
    /// What macros are called (VST3).
    pub titles: TitleNews,
    /// Events of the block being run (CLAP).
    pub events: AtomicRefCell<HostEvents>,
    woken: AtomicBool,
    latency: AtomicU32,
    tail: AtomicU32,
    offline: AtomicBool,
    broken: AtomicBool,
    dirty: AtomicBool,
    /// Whether the editor is open; none where there is no editor.
    editor: OnceLock<Box<dyn Fn() -> bool + Send + Sync>>,
    bypass: Mutex<BypassSync>,
    /// The ids of the plugin that the chain is, where it is one of its own.
    own: Mutex<Vec<PluginId>>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            session: Mutex::default(),
            last: Mutex::default(),
            notices: Mutex::default(),
            waker: Arc::default(),
            events: AtomicRefCell::default(),
            macros: AtomicRefCell::default(),
            macro_marks: MacroMarks::default(),
            said: AtomicRefCell::new(VecDeque::with_capacity(SAID)),
            macro_news: AtomicBool::new(false),
            titles: TitleNews::default(),
            woken: AtomicBool::new(false),
            latency: AtomicU32::new(0),
            tail: AtomicU32::new(0),
            offline: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            dirty: AtomicBool::new(false),
            editor: OnceLock::new(),
            bypass: Mutex::default(),
            own: Mutex::default(),
        }
    }
}

/// Locks without minding poison: what is inside is replaced whole or not at all.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Opens a session for `channels` in place of the one there is. `[any but audio]`
    pub(super) fn open(&self, channels: Channels) -> Option<(SessionHandle, Processor)> {
        let config = SessionConfig {
            purpose: Purpose::Daw,
            channels: channels.main,
            sidechain: channels.sidechain,
            aux: channels.aux,
            catalog: CatalogSource::Cache,
        };
        match SessionHandle::open(config) {
            Ok((session, processor)) => {
                let waker = Arc::clone(&self.waker);
                session.on_outbox(Box::new(move || wake(&waker)));
                session.set_exporter(crate::export::from_editor);
                self.tell_own(&session);
                self.exchange(Some(session.clone()));
                Some((session, processor))
            }
            Err(error) => {
                self.say(error.to_string());
                self.exchange(None);
                None
            }
        }
    }

    fn exchange(&self, session: Option<SessionHandle>) {
        if let Ok(mut macros) = self.macros.try_borrow_mut() {
            *macros = session.as_ref().map(|session| Arc::clone(session.macros()));
        }
        let mut held = lock(&self.session);
        held.0 += 1;
        let before = std::mem::replace(&mut held.1, session);
        drop(held);
        // Taken down outside the lock.
        drop(before);
    }

    /// The session, where there is one. `[any but audio]`
    pub fn session(&self) -> Option<SessionHandle> {
        lock(&self.session).1.clone()
    }

    /// The session with its number: another number is another session. `[any but audio]`
    pub fn session_numbered(&self) -> Option<(u64, SessionHandle)> {
        let held = lock(&self.session);
        held.1.clone().map(|session| (held.0, session))
    }

    /// Lets `look` at where the macros stand; `None` where there is no session. `[any]`
    pub fn with_macros<R>(&self, look: impl FnOnce(&MacroBank) -> R) -> Option<R> {
        self.macros.try_borrow().ok()?.as_deref().map(look)
    }

    /// The words for a macro at `value`: its target's own, else the number. `[any but audio]`
    pub fn macro_text(&self, number: Option<MacroId>, value: f64) -> String {
        let mapped = number.filter(|number| self.is_mapped(*number));
        let words = mapped.and_then(|number| guard(None, || self.session()?.macro_text(number, value)));
        words.unwrap_or_else(|| format!("{value:.3}"))
    }

    /// Where a macro stands when its target is what `text` says. `[any but audio]`
    pub fn macro_parse(&self, number: Option<MacroId>, text: &str) -> Option<f64> {
        let mapped = number.filter(|number| self.is_mapped(*number));
        match mapped {
            Some(number) => guard(None, || self.session()?.macro_parse(number, text)),
            None => text.trim().parse().ok().filter(|value| (0.0..=1.0).contains(value)),
        }
    }

    fn is_mapped(&self, number: MacroId) -> bool {
        let Some(session) = self.session() else { return false };
        session.snapshot().macros.iter().any(|view| view.number == number && !view.targets.is_empty())
    }

    /// Keeps what was moved inside for the host's next list of events. False: the list is being written; once more later.
    /// `[host's main thread]`
    pub fn queue_said(&self, said: &[MacroSaid]) -> bool {
        let Ok(mut queue) = self.said.try_borrow_mut() else { return false };
        for &one in said {
            if queue.len() == queue.capacity() {
                // A host that fetches nothing: only the newest counts.
                queue.pop_front();
            }
            queue.push_back(one);
        }
        true
    }

    /// Keeps what a VST3 or LV2 host is to hear, until the thread comes that may tell it. `[any]`
    pub fn take_in(&self, outbox: Outbox) {
        if outbox.dirty {
            self.set_dirty();
        }
        if outbox.macro_values || outbox.macros_said {
            self.set_macro_news();
        }
        if outbox.macro_titles {
            self.titles.note();
        }
    }

    /// Notes that a VST3 host is to hear of macros. `[any]`
    pub fn set_macro_news(&self) {
        self.macro_news.store(true, Ordering::Relaxed);
    }

    /// Whether it is; answered once. `[any]`
    pub fn take_macro_news(&self) -> bool {
        self.macro_news.load(Ordering::Relaxed) && self.macro_news.swap(false, Ordering::Relaxed)
    }

    /// The packed chain; the last bytes known where home does not answer. `[any but audio]`
    pub fn save(&self) -> Option<Vec<u8>> {
        let fresh = guard(None, || {
            let (bytes, said) = self.session()?.save_telling().map_err(|error| self.say(error.to_string())).ok()?;
            said.into_iter().for_each(|line| self.say(line));
            Some(bytes).filter(|bytes| !bytes.is_empty())
        });
        let mut last = lock(&self.last);
        if fresh.is_some() {
            last.clone_from(&fresh);
        }
        last.clone()
    }

    /// Loads packed bytes; returns when the chain is built. False: they are no chain of ours, and are kept for the
    /// next save. `[any but audio]`
    pub fn load(&self, bytes: &[u8]) -> bool {
        let loaded = self.try_load(bytes);
        let done = loaded.is_ok();
        if let Err(why) = loaded {
            self.say(why);
        }
        done
    }

    /// The same, but why it was not loaded is the answer. `[any but audio]`
    pub fn try_load(&self, bytes: &[u8]) -> Result<(), String> {
        *lock(&self.last) = Some(bytes.to_vec());
        let Some(session) = self.session() else { return Err("there is no session".into()) };
        let loaded = guard(None, || Some(session.load(bytes)));
        lock(&self.bypass).arrived();
        match loaded {
            Some(Ok(reports)) => {
                self.report(&reports);
                let notice = session.snapshot().notice.clone();
                if !notice.is_empty() {
                    self.say(notice);
                }
                Ok(())
            }
            Some(Err(error @ LoadError::Busy(_))) => {
                // It still builds what it was given; the other two are refusals.
                self.say(error.to_string());
                Ok(())
            }
            Some(Err(error)) => Err(error.to_string()),
            None => Err(FAILED.into()),
        }
    }

    fn report(&self, reports: &[SlotReport]) {
        for report in reports {
            self.say(format!("{}: {}", report.title, report.problem));
        }
    }

    /// Notes a line for the host's log. `[any but audio]`
    pub fn say(&self, line: String) {
        lock(&self.notices).push(line);
        self.wake();
    }

    /// Lines for the host's log; taken once. `[any but audio]`
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.notices))
    }

    /// Sets who is called when the host's main thread has something to do, `None` for nobody. After this returns the
    /// one before is not called any more. `[any but audio]`
    pub fn set_waker(&self, waker: Option<Waker>) {
        *lock(&self.waker) = waker;
    }

    /// Asks for the host's main thread; from the audio thread too: the lock is only tried, a miss is made up for by
    /// [`Shared::missed`] in the next block. `[any]`
    pub fn wake(&self) {
        match self.waker.try_lock() {
            Ok(waker) => {
                if let Some(waker) = &*waker {
                    waker();
                }
            }
            Err(_) => self.woken.store(true, Ordering::Relaxed),
        }
    }

    /// Whether a wake found the lock taken, and must be done again. `[audio]`
    pub fn missed(&self) -> bool {
        self.woken.load(Ordering::Relaxed) && self.woken.swap(false, Ordering::Relaxed)
    }

    /// Notes `frames` as the latency told to the host. True: it was another. `[any]`
    pub fn tell_latency(&self, frames: u32) -> bool {
        self.latency.swap(frames, Ordering::Relaxed) != frames
    }

    /// The latency told to the host, frames. `[any]`
    pub fn latency_told(&self) -> u32 {
        self.latency.load(Ordering::Relaxed)
    }

    /// The tail as of the last block, frames; `u32::MAX` for ever. `[any]`
    pub fn tail(&self) -> u32 {
        self.tail.load(Ordering::Relaxed)
    }

    pub(super) fn set_tail(&self, frames: u32) {
        self.tail.store(frames, Ordering::Relaxed);
    }

    /// Whether the host renders offline. `[any]`
    pub fn offline(&self) -> bool {
        self.offline.load(Ordering::Relaxed)
    }

    /// Notes the host's render mode. `[any]`
    pub fn set_offline(&self, offline: bool) {
        self.offline.store(offline, Ordering::Relaxed);
    }

    /// Whether a panic has put the chain out of use. `[any]`
    pub fn broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Notes an edit that a VST3 host is to hear of. `[any]`
    pub fn set_dirty(&self) {
        self.dirty.store(true, Ordering::Relaxed);
    }

    /// Whether there was an edit that nobody took. `[any]`
    pub fn dirty(&self) -> bool {
        self.dirty.load(Ordering::Relaxed)
    }

    /// Whether there was an edit; answered once. `[any]`
    pub fn take_dirty(&self) -> bool {
        self.dirty.swap(false, Ordering::Relaxed)
    }

    /// The same while no editor is open, which tells the host in its own way. `[any]`
    pub fn take_dirty_unseen(&self) -> bool {
        !self.editor_open() && self.take_dirty()
    }

    /// Whether an editor is open that tells the host of edits (VST3). `[any]`
    pub fn editor_open(&self) -> bool {
        self.editor.get().is_some_and(|open| open())
    }

    /// Sets what answers that; once. It is asked from the audio thread too. `[any but audio]`
    pub fn set_editor(&self, open: Box<dyn Fn() -> bool + Send + Sync>) {
        let _one_before = self.editor.set(open);
    }

    /// Brings the DAW's bypass and the chain's together: sends the DAW's into the chain, without waiting, and answers the chain's
    /// where that changed; the DAW's parameter has it then. `[any but audio]`
    pub fn meet_bypass(&self, params: &ContainerParams) -> Option<bool> {
        let session = self.session()?;
        let chain = lock(&self.bypass).meet(&session, params.bypass.value())?;
        set_bool(&params.bypass, chain);
        Some(chain)
    }

    pub(super) fn set_broken(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }
}

/// Calls the waker. From home: it waits for the lock, which others hold only to exchange the waker.
fn wake(waker: &Mutex<Option<Waker>>) {
    if let Some(waker) = &*lock(waker) {
        waker();
    }
}
