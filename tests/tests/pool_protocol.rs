//! The pool's protocol under every order of its threads' steps, as far as the bounds below reach: the very sources of the pool on
//! loom's atomics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use loom::thread;

use bed::Bed;
use board::Board;

/// What the sources stand on.
mod sync {
    pub use loom::cell::UnsafeCell;
    pub use loom::hint::spin_loop;
    pub use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use loom::sync::atomic::AtomicU32;
    use loom::sync::{Condvar, Mutex};

    /// A futex: whoever wakes it and whoever looks before sleeping take turns.
    pub struct Futex {
        pub word: AtomicU32,
        queue: Mutex<()>,
        bell: Condvar,
    }

    impl Futex {
        pub fn new(value: u32) -> Self {
            Self { word: AtomicU32::new(value), queue: Mutex::new(()), bell: Condvar::new() }
        }

        pub fn wait(&self, expected: u32) {
            let queue = self.queue.lock().unwrap();
            if self.word.load(Ordering::Relaxed) == expected {
                drop(self.bell.wait(queue).unwrap());
            }
        }

        pub fn wake(&self) {
            drop(self.queue.lock().unwrap());
            self.bell.notify_all();
        }
    }
}

#[path = "../../host-core/src/pool/bed.rs"]
mod bed;
#[path = "../../host-core/src/pool/board.rs"]
mod board;
#[path = "../../host-core/src/pool/cell.rs"]
mod cell;

/// A board, and its helpers' beds.
struct Stage {
    board: Board,
    beds: Vec<Bed>,
}

impl Stage {
    fn wake(&self) {
        self.beds.iter().for_each(Bed::wake);
    }
}

fn model(preemptions: usize, body: impl Fn(Arc<Stage>) + Sync + Send + 'static) {
    model_of(1, preemptions, body);
}

/// With so many helpers.
fn model_of(helpers: usize, preemptions: usize, body: impl Fn(Arc<Stage>) + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(move || {
        let beds = (0..helpers).map(|_| Bed::new()).collect();
        let stage = Arc::new(Stage { board: Board::new(), beds });
        let help = |number: usize| {
            let other = stage.clone();
            thread::spawn(move || other.board.help(&other.beds[number], 0, || ()))
        };
        let helpers: Vec<_> = (0..helpers).map(help).collect();
        body(stage.clone());
        stage.board.stop();
        stage.wake();
        helpers.into_iter().for_each(|helper| helper.join().unwrap());
    });
}

/// Runs `count` tasks, and says that each ran once, while the request did, and none afterwards. False: a request is running.
fn request(stage: &Stage, count: u16) -> bool {
    let Some(request) = stage.board.open() else { return false };
    let ran: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
    let over = AtomicBool::new(false);
    let task = |task: usize| {
        assert!(!over.load(SeqCst), "a task after the request's return");
        ran[task].fetch_add(1, SeqCst);
    };
    request.run(count, &task, || stage.wake(), || ());
    over.store(true, SeqCst);
    for (task, ran) in ran.iter().enumerate() {
        assert_eq!(ran.load(SeqCst), 1, "task {task} of {count}");
    }
    true
}

#[test]
fn every_task_of_every_request_runs_once_and_before_its_return() {
    model(3, |stage| {
        // The second is of other tasks on another stretch of the same stack: a stale one would be seen.
        assert!(request(&stage, 2));
        assert!(request(&stage, 3));
    });
}

#[test]
fn two_helpers_and_the_one_that_asks_share_a_request_out() {
    // One that comes late to a request finds another: what it saw of the first is stale then.
    model_of(2, 2, |stage| {
        assert!(request(&stage, 2));
        assert!(request(&stage, 1));
    });
}

#[test]
fn a_second_request_is_refused_and_leaves_the_first_as_it_is() {
    model(2, |stage| {
        let other = stage.clone();
        let second = thread::spawn(move || request(&other, 2));
        let first = request(&stage, 2);
        let second = second.join().unwrap();
        // Either can have come first; where they met, one was refused.
        assert!(first || second);
        assert!(request(&stage, 1), "the board is free again");
    });
}

#[test]
fn a_helper_that_is_woken_while_it_lies_down_does_not_sleep_on() {
    // Loom ends a model whose threads all wait: a wake that is lost is found so.
    loom::model(|| {
        let bed = Arc::new(Bed::new());
        let word = Arc::new(AtomicBool::new(false));
        let (its_bed, its_word) = (bed.clone(), word.clone());
        let helper = thread::spawn(move || {
            while !its_word.load(SeqCst) {
                its_bed.sleep(|| its_word.load(SeqCst));
            }
        });
        word.store(true, SeqCst);
        bed.wake();
        helper.join().unwrap();
    });
}

#[test]
fn a_task_that_panics_is_counted_and_told_to_whoever_asked() {
    model(2, |stage| {
        let request = stage.board.open().unwrap();
        let panics = |task: usize| assert!(task != 1, "on purpose");
        let outcome = catch_unwind(AssertUnwindSafe(|| request.run(2, &panics, || stage.wake(), || ())));
        assert!(outcome.is_err());
        assert!(self::request(&stage, 2), "the next request knows nothing of it");
    });
}
