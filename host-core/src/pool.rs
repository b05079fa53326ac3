//! Real-time helper threads: several cores work on one block.
//!
//! 1. the audio thread tells of which scheduling class it is ([`ClassWish`]);
//! 2. home makes the pool ([`Pool::make`]): one helper for each core, pinned to it, of the audio thread's class;
//! 3. each instance that uses it holds a [`Share`];
//! 4. the audio thread asks ([`Share::run`]): tasks are taken one by one by itself and by the helpers of the other cores, and it
//!    goes on when all are done. Whoever asks while a request runs is refused and does its work alone;
//! 5. when the last share goes, home joins the helpers.
//!
//! A helper that has not started on a task is never waited for. How a request is taken is in [`board`], which is modelled with loom.

#![deny(clippy::disallowed_types, clippy::disallowed_macros)]

mod bed;
mod board;
mod cell;
mod class;
mod os;
mod sync;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bed::Bed;
use board::Board;

pub use class::{Class, ClassWish};
pub use os::cores;

/// Most tasks of one request; what has more asks in slices.
pub const MAX_TASKS: u32 = u16::MAX as u32;
/// Time in which a sleeping helper comes to its first task, as measured: what is shorter is not worth a helper.
pub const HAND_OVER: Duration = Duration::from_micros(20);
/// How often a helper looks for a further task before it sleeps, some 10 microseconds.
const LOOKS: u32 = 300;
/// A wait for other threads' tasks that is shorter is never late.
const PATIENCE: Duration = Duration::from_micros(100);
/// How often an audio thread of the ordinary class looks for others' tasks to end before it lets other threads run.
const POLITE: u32 = 2000;

/// Why there is no pool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPool {
    /// There is nobody to help.
    #[error("this machine lets the program run on one core only")]
    OneCore,
    /// Helpers of an ordinary class would make the audio thread wait for what else runs.
    #[error("the audio thread has no real-time priority: only a render gets a pool without")]
    Ordinary,
    /// A class that helpers cannot have.
    #[error("the audio thread is of scheduling class {0}, which helpers cannot have")]
    Class(i32),
    /// The instances of a process share one.
    #[error("another instance of Catena in this program has a pool for another priority")]
    Other,
    /// The system refuses a priority to our threads.
    #[error(
        "helper threads cannot have the audio thread's priority {priority}: {reason}; raise the rtprio limit of your user"
    )]
    Refused {
        /// The audio thread's.
        priority: i32,
        /// The system's reason.
        reason: Reason,
    },
    /// No thread could be started.
    #[error("no helper thread could be started: {0}")]
    Spawn(Reason),
}

/// What the system said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", io::Error::from_raw_os_error(*.0))]
pub struct Reason(pub i32);

/// Starts a helper's thread: the number of its core, and what it runs.
pub type Spawn<'a> = &'a dyn Fn(usize, Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>>;

/// One helper.
struct Helper {
    core: usize,
    bed: Bed,
}

/// What helpers and audio threads share.
struct Room {
    board: Board,
    helpers: Box<[Helper]>,
    /// Prepares a thread for a task: it may have been left in another state by the last one.
    ready: fn(),
}

/// The helper threads of this process.
pub struct Pool {
    room: Arc<Room>,
    threads: Vec<JoinHandle<()>>,
    class: Class,
}

impl Pool {
    /// One helper for each of `cores`, pinned, of the audio thread's `class`. `ready` is called on a helper before each task.
    /// `[home]`
    pub fn make(class: Class, cores: &[usize], spawn: Spawn<'_>, ready: fn()) -> Result<Self, NoPool> {
        if !class.can_help() {
            return Err(NoPool::Class(class.policy));
        }
        if cores.len() < 2 {
            return Err(NoPool::OneCore);
        }
        let helpers = cores.iter().map(|&core| Helper { core, bed: Bed::new() }).collect();
        let room = Arc::new(Room { board: Board::new(), helpers, ready });
        // Its drop ends those that were started already.
        let mut pool = Self { room, threads: Vec::with_capacity(cores.len()), class };
        for (number, &core) in cores.iter().enumerate() {
            let room = pool.room.clone();
            let life = move || room.help(number);
            let thread = spawn(core, Box::new(life)).map_err(|error| NoPool::Spawn(reason(&error)))?;
            let dressed = os::dress(&thread, class, core);
            pool.threads.push(thread);
            dressed.map_err(|reason| NoPool::Refused { priority: class.priority, reason })?;
        }
        Ok(pool)
    }

    /// Threads that work on a request: the helpers but for that of the audio thread's own core, and the audio thread. `[any]`
    pub fn workers(&self) -> usize {
        self.room.helpers.len()
    }

    /// The class of its helpers. `[any]`
    pub fn class(&self) -> Class {
        self.class
    }
}

fn reason(error: &io::Error) -> Reason {
    Reason(error.raw_os_error().unwrap_or(libc::EAGAIN))
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.room.board.stop();
        self.room.helpers.iter().for_each(|helper| helper.bed.wake());
        for thread in self.threads.drain(..) {
            // What panicked in a task was counted there.
            let _panicked = thread.join();
        }
    }
}

impl Room {
    /// A helper's life.
    fn help(&self, number: usize) {
        self.board.help(&self.helpers[number].bed, LOOKS, self.ready);
    }

    /// Wakes as many helpers as `count` tasks need beside this thread, but not that of this core: it would have to wait for us.
    fn wake(&self, count: usize) {
        let own = os::core();
        let others = self.helpers.iter().filter(|helper| Some(helper.core) != own);
        others.take(count - 1).for_each(|helper| helper.bed.wake());
    }
}

/// An instance's share of the pool.
pub struct Share {
    pool: Arc<Pool>,
    pooled: AtomicU64,
    refused: AtomicU64,
    late: AtomicU64,
}

/// What became of an instance's requests so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Run with helpers.
    pub pooled: u64,
    /// Run alone, since another request held the pool.
    pub refused: u64,
    /// Times that the audio thread waited for a helper's task longer than its own share of the work took.
    pub late: u64,
}

impl Share {
    /// `[home]`
    pub fn new(pool: Arc<Pool>) -> Arc<Self> {
        let zero = || AtomicU64::new(0);
        Arc::new(Self { pool, pooled: zero(), refused: zero(), late: zero() })
    }

    /// The pool. `[any]`
    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// What became of its requests. `[any]`
    pub fn counts(&self) -> Counts {
        Counts { pooled: self.pooled.load(Relaxed), refused: self.refused.load(Relaxed), late: self.late.load(Relaxed) }
    }

    /// Runs `task` for 0 to `count` - 1, at most [`MAX_TASKS`], each once, on this thread and on helpers; returns when all are done.
    /// False, having run none: a request is running, this one's caller perhaps among its tasks. `[audio]`
    pub fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) -> bool {
        let Ok(tasks) = u16::try_from(count) else { return false };
        if tasks == 0 {
            return true;
        }
        let room = &*self.pool.room;
        let Some(request) = room.board.open() else {
            add(&self.refused);
            return false;
        };
        let began = Instant::now();
        let polite = !self.pool.class.is_real_time();
        let mut looks = 0_u32;
        let mut wait = None;
        request.run(
            tasks,
            task,
            || room.wake(count),
            || {
                wait.get_or_insert_with(Instant::now);
                looks = looks.wrapping_add(1);
                if polite && looks.is_multiple_of(POLITE) {
                    // Offline: whoever holds a task may need this very core.
                    std::thread::yield_now();
                }
            },
        );
        add(&self.pooled);
        if wait.is_some_and(|wait| wait.elapsed() > PATIENCE.max(wait.duration_since(began))) {
            add(&self.late);
        }
        true
    }
}

/// Counts one more: one audio thread at a time writes, but for a plugin's own requests beside it.
fn add(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}
