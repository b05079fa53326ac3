//! One request at a time, and how its tasks are taken. `[audio]` all through.
//!
//! A request is one word: its generation, how many tasks it has, and which is the next. A task is taken by a compare and swap of
//! that word, so each is taken once, and nobody takes one of a request that is past: its generation is another. Who has taken a
//! task holds the request open until it has counted the task as done; so the job is read only between the two.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::bed::Bed;
use super::cell::{Job, JobCell};
use super::sync::{AtomicBool, AtomicU64, Ordering, spin_loop};

/// Generation (32 bits), number of tasks (16), next task (16).
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    fn new(generation: u32, count: u16) -> Self {
        Self(u64::from(generation) << 32 | u64::from(count) << 16)
    }

    fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn count(self) -> u16 {
        (self.0 >> 16) as u16
    }

    fn next(self) -> Option<u16> {
        let next = self.0 as u16;
        (next < self.count()).then_some(next)
    }

    /// With one task more taken. There is one: see [`Word::next`].
    fn taken(self) -> Self {
        // The last number is the count at most, so that it never runs over.
        Self(self.0 + 1)
    }
}

/// Tasks done, tagged by the request's generation.
fn done(generation: u32, count: u16) -> u64 {
    u64::from(generation) << 32 | u64::from(count)
}

/// Where requests are posted.
pub struct Board {
    busy: AtomicBool,
    word: AtomicU64,
    done: AtomicU64,
    panicked: AtomicBool,
    stopped: AtomicBool,
    job: JobCell,
}

impl Board {
    pub fn new() -> Self {
        Self {
            busy: AtomicBool::new(false),
            word: AtomicU64::new(0),
            done: AtomicU64::new(0),
            panicked: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            job: JobCell::new(),
        }
    }

    /// Begins a request; `None`: one is running.
    pub fn open(&self) -> Option<Request<'_>> {
        let free = self.busy.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        // Not made where it is refused: its drop would free the board.
        free.then(|| Request(self))
    }

    /// No helper is to stay. Wake them afterwards. `[home]`
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    /// A helper's life: takes tasks, looks `looks` times for more, sleeps in `bed`; until [`Board::stop`].
    pub fn help(&self, bed: &Bed, looks: u32, ready: fn()) {
        loop {
            while let Some(task) = self.take() {
                ready();
                self.carry_out(task);
            }
            if self.is_stopped() {
                return;
            }
            let found = (0..looks).any(|_| {
                spin_loop();
                self.is_wanted()
            });
            if !found {
                bed.sleep(|| self.is_wanted());
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    fn is_wanted(&self) -> bool {
        Word(self.word.load(Ordering::Acquire)).next().is_some() || self.is_stopped()
    }

    /// Takes the next task of the request that runs.
    fn take(&self) -> Option<u16> {
        let mut word = Word(self.word.load(Ordering::Acquire));
        loop {
            let next = word.next()?;
            match self.word.compare_exchange(word.0, word.taken().0, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(next),
                Err(other) => word = Word(other),
            }
        }
    }

    /// Does a task that this thread has taken. A panic is the request's, not the thread's.
    fn carry_out(&self, task: u16) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.job.call(task.into())));
        if outcome.is_err() {
            self.panicked.store(true, Ordering::Relaxed);
        }
        self.done.fetch_add(1, Ordering::Release);
    }
}

/// A request under way: nobody else has one until it is dropped.
pub struct Request<'a>(&'a Board);

impl Request<'_> {
    /// Has `job` done for 0 to `count` - 1; `call` wakes helpers, `wait` is called while others still work. Panics, when all is
    /// done, where a task did.
    pub fn run(self, count: u16, job: &Job<'_>, call: impl FnOnce(), mut wait: impl FnMut()) {
        let board = self.0;
        let generation = Word(board.word.load(Ordering::Relaxed)).generation().wrapping_add(1);
        // Nobody holds a task of the request before: it ended when all of them were done.
        let lent = board.job.lend(job);
        board.done.store(done(generation, 0), Ordering::Relaxed);
        board.word.store(Word::new(generation, count).0, Ordering::Release);
        if count > 1 {
            call();
        }
        while let Some(task) = board.take() {
            board.carry_out(task);
        }
        while board.done.load(Ordering::Acquire) != done(generation, count) {
            wait();
            spin_loop();
        }
        drop(lent);
        let panicked = board.panicked.swap(false, Ordering::Relaxed);
        drop(self);
        assert!(!panicked, "a task panicked");
    }
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
    }
}
