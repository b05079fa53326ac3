//! What a plugin asks of its host, from any thread, in a form that waits for nobody.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use atomic_refcell::AtomicRefCell;

use super::ext::thread_pool::Tasks;
use crate::backend::log::{self, Level};
use crate::backend::role;
use crate::pool::Share;

/// One thing a plugin asked for; kept until home takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Ask {
    Restart = 1 << 0,
    Process = 1 << 1,
    Callback = 1 << 2,
    Flush = 1 << 3,
    Latency = 1 << 4,
    Tail = 1 << 5,
    Dirty = 1 << 6,
    /// Parameter values changed by the plugin itself.
    Values = 1 << 7,
    /// Names, texts or flags of parameters changed.
    Infos = 1 << 8,
    /// The list of parameters changed: only while inactive.
    Params = 1 << 9,
    Ports = 1 << 10,
    /// The pages of controls changed.
    Pages = 1 << 11,
    /// Its window is to have the size in [`Common::window_size`].
    WindowSize = 1 << 12,
    /// Its window's rules of size changed.
    WindowHints = 1 << 13,
    WindowShow = 1 << 14,
    /// Its window is to be closed, or has been by its user.
    WindowClose = 1 << 15,
}

/// What a plugin did that it may not do; each is logged once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Wrong {
    /// A main-thread call from another thread.
    Thread = 1 << 0,
    /// More events in one block than there is room for.
    EventsIn = 1 << 1,
    /// More output events than there is room for.
    EventsOut = 1 << 2,
    /// Output events out of order or outside the block.
    EventOrder = 1 << 3,
    /// A parameter event for a parameter it does not have.
    UnknownParam = 1 << 4,
}

const WRONGS: [(Wrong, &str); 5] = [
    (Wrong::Thread, "called a main-thread function of its host from another thread"),
    (Wrong::EventsIn, "got more events in one block than there is room for; the rest was dropped"),
    (Wrong::EventsOut, "sent more events in one block than there is room for; the rest was dropped"),
    (Wrong::EventOrder, "sent events out of order or outside the block; they were put right"),
    (Wrong::UnknownParam, "sent a value for a parameter it does not have"),
];

/// What home, the audio thread and the plugin's own threads share of one instance.
pub struct Common {
    /// The thread that opened the plugin.
    home: role::Thread,
    /// The plugin's name, for the log.
    pub name: String,
    asks: AtomicU32,
    wrongs: AtomicU32,
    told: AtomicU32,
    /// The plugin's task function, once it is known.
    pub tasks: OnceLock<Tasks>,
    /// The pool, where the plugin's tasks may go there.
    pub helpers: AtomicRefCell<Option<Arc<Share>>>,
    /// The size that its window is to have, as `clap.gui` packs it.
    pub window_size: AtomicU64,
}

impl Common {
    /// For a plugin opened on this thread. `[home]`
    pub fn new(name: String) -> Self {
        let zero = || AtomicU32::new(0);
        let (tasks, helpers, window_size) = Default::default();
        Self {
            home: role::this_thread(),
            name,
            asks: zero(),
            wrongs: zero(),
            told: zero(),
            tasks,
            helpers,
            window_size,
        }
    }

    /// The instance as a number for [`role`]: its address, held by nothing else while the instance lives. `[any]`
    pub fn number(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    /// Whether this is the plugin's main thread. `[any]`
    pub fn on_home(&self) -> bool {
        role::this_thread() == self.home
    }

    /// Whether this is the plugin's main thread; else the plugin is named for it. `[any]`
    pub fn expect_home(&self) -> bool {
        let ok = self.on_home();
        if !ok {
            self.wrong(Wrong::Thread);
        }
        ok
    }

    /// Notes a request. `[any]`
    pub fn ask(&self, ask: Ask) {
        self.asks.fetch_or(ask as u32, Ordering::Release);
    }

    /// Whether something was asked for and not yet taken. `[any]`
    pub fn asked(&self, ask: Ask) -> bool {
        self.asks.load(Ordering::Relaxed) & ask as u32 != 0
    }

    /// Takes a request back. `[any]`
    pub fn take(&self, ask: Ask) -> bool {
        self.asked(ask) && self.asks.fetch_and(!(ask as u32), Ordering::Acquire) & ask as u32 != 0
    }

    /// Notes a fault of the plugin. `[any]`
    pub fn wrong(&self, wrong: Wrong) {
        self.wrongs(wrong as u32);
    }

    /// Notes a set of them. `[any]`
    pub fn wrongs(&self, wrongs: u32) {
        self.wrongs.fetch_or(wrongs, Ordering::Relaxed);
    }

    /// Logs faults not yet told of, each once. `[home]`
    pub fn tell_wrongs(&self) {
        let new = self.wrongs.load(Ordering::Relaxed) & !self.told.load(Ordering::Relaxed);
        if new == 0 {
            return;
        }
        self.told.fetch_or(new, Ordering::Relaxed);
        for (wrong, text) in WRONGS {
            if new & wrong as u32 != 0 {
                self.log(Level::Warning, text);
            }
        }
    }

    /// Logs a sentence about the plugin. `[home]`
    pub fn log(&self, level: Level, text: &str) {
        log::push(level, format!("{} {text}", self.name).as_bytes());
    }
}
