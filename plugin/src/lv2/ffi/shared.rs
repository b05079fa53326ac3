//! What an instance, its `run` and its window share.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_queue::ArrayQueue;
use nice_plug::prelude::{AsyncExecutor, TaskExecutor};

use super::super::atoms::Types;
use super::super::{Lv2Core, Lv2Plugin};
use super::params::Params;
use super::seen::Seen;
use super::state::Unread;

/// Tasks that may wait; further ones are dropped.
const TASKS: usize = 256;

/// Shared by all that belongs to one instance; it may outlive the instance by a window that a host closes too late.
pub struct Common<P: Lv2Plugin> {
    /// What the plugin does beside nice-plug's `Plugin`.
    pub core: Arc<P::Core>,
    /// Its parameters.
    pub params: Params,
    /// What the host has at their ports.
    pub seen: Seen,
    /// A restored value whose file could not be read.
    pub unread: Mutex<Option<Unread>>,
    /// Its editor, open or closed.
    pub editor: Mutex<Option<P::Editor>>,
    /// What it wants done elsewhere.
    pub tasks: Arc<Tasks<P>>,
    /// The host's numbers for types.
    pub types: Types,
    /// Latency that the plugin told nice-plug's contexts, frames.
    pub latency: AtomicU32,
    /// The state has changed and the host was not told.
    pub dirty: AtomicBool,
    /// Largest block that the host announced, frames.
    pub max_block: AtomicU32,
    /// Whether a window shows the editor: one at a time.
    pub window_open: AtomicBool,
    /// Sample rate, Hz.
    pub rate: f64,
}

impl<P: Lv2Plugin> Common<P> {
    /// Whether the state has changed since the last answer. `[audio]`
    pub fn take_dirty(&self) -> bool {
        // Both, whatever the first answers.
        self.core.take_dirty() | self.dirty.swap(false, Ordering::Relaxed)
    }

    /// The latency to report, frames. `[any]`
    pub fn latency(&self) -> u32 {
        let told = self.core.latency().unwrap_or_else(|| self.latency.load(Ordering::Relaxed));
        told.min(P::LV2_MAX_LATENCY)
    }
}

/// Locks without minding poison: what is inside is replaced whole or not at all.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tasks that wait for a thread which may do them: the host's UI thread, in the window's `idle`.
pub struct Tasks<P: Lv2Plugin> {
    waiting: ArrayQueue<P::BackgroundTask>,
    executor: Mutex<TaskExecutor<P>>,
}

impl<P: Lv2Plugin> Tasks<P> {
    /// Done by `executor`. `[main]`
    pub fn new(executor: TaskExecutor<P>) -> Arc<Self> {
        Arc::new(Self { waiting: ArrayQueue::new(TASKS), executor: Mutex::new(executor) })
    }

    /// Leaves a task. `[any]`
    pub fn post(&self, task: P::BackgroundTask) {
        // Where there is no room it is dropped, as nice-plug's own wrappers do.
        let _no_room = self.waiting.push(task);
    }

    /// Does a task at once. `[main]`
    pub fn execute(&self, task: P::BackgroundTask) {
        (lock(&self.executor))(task);
    }

    /// Does what waits. `[any but audio]`
    pub fn work(&self) {
        while let Some(task) = self.waiting.pop() {
            self.execute(task);
        }
    }

    /// What an editor gets to leave tasks with.
    pub fn for_editor(self: &Arc<Self>) -> AsyncExecutor<P> {
        let post = |tasks: &Arc<Self>| {
            let tasks = Arc::clone(tasks);
            Arc::new(move |task| tasks.post(task))
        };
        AsyncExecutor::new(post(self), post(self))
    }
}
