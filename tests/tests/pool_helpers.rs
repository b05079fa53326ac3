//! The pool's threads: who works on what, where they run, and when they are gone.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;

use catena_tests::helpers::{of_class, pool, share, spawn};
use host_core::pool::{Class, Counts, MAX_TASKS, NoPool, Pool, Share};

/// Every task of a request, by how often it ran.
fn counted(share: &Share, count: usize) -> Option<Vec<u32>> {
    let ran: Vec<_> = (0..count).map(|_| AtomicU32::new(0)).collect();
    let asked = share.run(count, &|task| {
        ran[task].fetch_add(1, SeqCst);
    });
    asked.then(|| ran.iter().map(|ran| ran.load(SeqCst)).collect())
}

#[test]
fn each_task_runs_once_whatever_their_number() {
    let share = share(3);
    for count in [0, 1, 2, 3, 17, 1000, MAX_TASKS as usize] {
        assert_eq!(counted(&share, count), Some(vec![1; count]), "{count}");
    }
    assert_eq!(counted(&share, MAX_TASKS as usize + 1), None, "more are asked for in slices");
    for round in 0..20_000 {
        assert_eq!(counted(&share, 1 + round % 5), Some(vec![1; 1 + round % 5]), "round {round}");
    }
    assert_eq!(share.counts().refused, 0);
}

#[test]
fn helpers_take_tasks_and_a_task_that_waits_for_another_shows_it() {
    let share = share(2);
    let met = AtomicUsize::new(0);
    // Neither ends before the other has begun: on one thread this would never return.
    assert!(share.run(2, &|_| {
        met.fetch_add(1, SeqCst);
        while met.load(SeqCst) < 2 {
            thread::yield_now();
        }
    }));
    assert_eq!(share.counts(), Counts { pooled: 1, refused: 0, late: share.counts().late });
}

#[test]
fn a_request_from_inside_a_task_and_one_beside_it_are_refused() {
    let pool = pool(2);
    let (share, other) = (Share::new(pool.clone()), Share::new(pool));
    let inside = AtomicUsize::new(0);
    assert!(share.run(3, &|_| {
        // Whether the task is run by a helper or not.
        inside.fetch_add(usize::from(share.run(2, &|_| ())), SeqCst);
        inside.fetch_add(usize::from(other.run(2, &|_| ())), SeqCst);
    }));
    assert_eq!(inside.load(SeqCst), 0);
    assert_eq!((share.counts().refused, other.counts().refused), (3, 3));
    assert!(other.run(2, &|_| ()));
}

#[test]
fn two_instances_never_hold_each_other_up() {
    let pool = pool(2);
    let run = |share: Arc<Share>| {
        thread::spawn(move || {
            (0..5000).for_each(|_| {
                let ran = counted(&share, 4);
                assert!(ran.is_none_or(|ran| ran == [1; 4]));
            });
            share.counts()
        })
    };
    let threads: Vec<_> = (0..8).map(|_| run(Share::new(pool.clone()))).collect();
    let counts: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(counts.iter().all(|counts| counts.pooled + counts.refused == 5000), "{counts:?}");
    assert!(counts.iter().any(|counts| counts.pooled > 0), "{counts:?}");
}

#[test]
fn a_request_that_is_stuck_in_its_tasks_holds_up_no_other_instance() {
    let pool = pool(2);
    let (inside, go) = (AtomicBool::new(false), AtomicBool::new(false));
    let held = Share::new(pool.clone());
    let stuck = |_| {
        inside.store(true, SeqCst);
        while !go.load(SeqCst) {
            thread::yield_now();
        }
    };
    thread::scope(|scope| {
        let first = scope.spawn(|| held.run(2, &stuck));
        while !inside.load(SeqCst) {
            thread::yield_now();
        }
        for _ in 0..7 {
            let other = Share::new(pool.clone());
            assert_eq!(counted(&other, 4), None, "its tasks are its own, at once");
            assert_eq!((other.counts().pooled, other.counts().refused, other.counts().late), (0, 1, 0));
        }
        go.store(true, SeqCst);
        assert!(first.join().unwrap());
    });
    assert_eq!(counted(&Share::new(pool), 4), Some(vec![1; 4]), "the pool is free again");
}

#[test]
fn a_task_that_panics_ends_neither_helpers_nor_others_tasks() {
    let share = share(2);
    let ran = AtomicU32::new(0);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        share.run(8, &|task| {
            ran.fetch_add(1, SeqCst);
            assert!(task != 5, "on purpose");
        })
    }));
    assert!(outcome.is_err());
    assert_eq!(ran.load(SeqCst), 8);
    assert_eq!(counted(&share, 8), Some(vec![1; 8]));
}

#[test]
fn denormals_are_flushed_on_helpers_before_every_task() {
    let share = share(2);
    let tiny = f32::MIN_POSITIVE;
    let (kept, both) = (AtomicU32::new(0), AtomicUsize::new(0));
    let own = thread::current().id();
    assert!(share.run(2, &|_| {
        both.fetch_add(1, SeqCst);
        while both.load(SeqCst) < 2 {
            thread::yield_now();
        }
        if thread::current().id() != own {
            kept.store((std::hint::black_box(tiny) * std::hint::black_box(0.25)).to_bits(), SeqCst);
        }
    }));
    assert_eq!(kept.load(SeqCst), 0);
}

/// Names of this process's threads that begin with `begin`.
fn threads(begin: &str) -> BTreeSet<String> {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.map(|name| name.trim().to_owned()).filter(|name| name.starts_with(begin)).collect()
}

/// A thread that was joined is in that list for some moments more.
fn are_gone(begin: &str) -> bool {
    soon(|| threads(begin).is_empty())
}

fn soon(is: impl Fn() -> bool) -> bool {
    (0..5000).any(|_| {
        thread::sleep(std::time::Duration::from_millis(1));
        is()
    })
}

#[test]
fn the_helpers_are_gone_with_the_last_share() {
    let named = |core: usize, life: Box<dyn FnOnce() + Send>| {
        thread::Builder::new().name(format!("gone-pool-{core}")).spawn(life)
    };
    let pool = Arc::new(Pool::make(Class::ORDINARY, &[0, 1], &named, || ()).unwrap());
    let shares = [Share::new(pool.clone()), Share::new(pool)];
    assert!(shares[0].run(2, &|_| ()));
    // A thread names itself when it begins.
    let named = || threads("gone-pool-") == ["gone-pool-0".to_owned(), "gone-pool-1".to_owned()].into();
    assert!(soon(named), "{:?}", threads("gone-pool-"));
    let [one, other] = shares;
    drop(one);
    assert_eq!(threads("gone-pool").len(), 2);
    drop(other);
    assert!(are_gone("gone-pool"));
}

#[test]
fn helpers_are_pinned_and_of_the_audio_threads_class_where_the_system_grants_it() {
    let class = Class { policy: libc::SCHED_FIFO, priority: 20 };
    let cores = host_core::pool::cores();
    if cores.len() < 2 {
        return assert_eq!(Pool::make(class, &cores, &spawn, || ()).err(), Some(NoPool::OneCore));
    }
    let pool = match of_class(class, 2) {
        Ok(pool) => Arc::new(pool),
        Err(why) => return assert!(matches!(why, NoPool::Refused { priority: 20, .. }), "{why}"),
    };
    let share = Share::new(pool);
    let seen: Mutex<Vec<(i32, i32, usize)>> = Mutex::default();
    let (own, both) = (thread::current().id(), AtomicUsize::new(0));
    assert!(share.run(2, &|_| {
        both.fetch_add(1, SeqCst);
        while both.load(SeqCst) < 2 {
            thread::yield_now();
        }
        if thread::current().id() != own {
            let mut param = libc::sched_param { sched_priority: 0 };
            // SAFETY: 0 is the calling thread; `param` is plain data that the call fills.
            #[allow(unsafe_code, reason = "the system's own answer")]
            let policy = unsafe {
                libc::sched_getparam(0, &raw mut param);
                libc::sched_getscheduler(0)
            };
            let set = rustix::thread::sched_getaffinity(None).unwrap();
            seen.lock().unwrap().push((policy, param.sched_priority, set.count() as usize));
        }
    }));
    assert_eq!(*seen.lock().unwrap(), [(libc::SCHED_FIFO, 20, 1)]);
}

#[test]
fn a_class_that_helpers_cannot_have_and_a_thread_that_does_not_start_leave_none_behind() {
    let deadline = Class { policy: libc::SCHED_DEADLINE, priority: 0 };
    assert_eq!(of_class(deadline, 2).err(), Some(NoPool::Class(libc::SCHED_DEADLINE)));
    let started = AtomicBool::new(false);
    let second_fails = |core: usize, life: Box<dyn FnOnce() + Send>| match started.swap(true, SeqCst) {
        true => Err(std::io::Error::from_raw_os_error(libc::EAGAIN)),
        false => thread::Builder::new().name(format!("lone-pool-{core}")).spawn(life),
    };
    let why = Pool::make(Class::ORDINARY, &[0, 1], &second_fails, || ()).err().unwrap();
    assert!(matches!(why, NoPool::Spawn(_)), "{why}");
    assert!(are_gone("lone-pool"));
}
