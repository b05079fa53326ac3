//! The system calls under the pool: classes, cores.
#![allow(unsafe_code, reason = "scheduling classes and the affinity of another thread; rustix has neither")]

use std::os::unix::thread::JoinHandleExt;
use std::thread::JoinHandle;

use super::{Class, Reason};

/// Child threads fall back to the ordinary class: a flag beside the policy.
const RESET_ON_FORK: i32 = 0x4000_0000;

/// This thread's class. `[audio]`
pub fn class() -> Class {
    let mut param = libc::sched_param { sched_priority: 0 };
    // SAFETY: 0 is the calling thread; `param` is plain data that the call fills.
    let (policy, _read) = unsafe { (libc::sched_getscheduler(0), libc::sched_getparam(0, &raw mut param)) };
    Class { policy: policy & !RESET_ON_FORK, priority: param.sched_priority }
}

/// The core that this thread runs on, as far as it is known. No system call: the C library reads it from shared memory. `[audio]`
pub fn core() -> Option<usize> {
    // SAFETY: takes and touches nothing.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// The cores that the program may run on, as its first thread has them. `[home]`
pub fn cores() -> Vec<usize> {
    let set = rustix::thread::sched_getaffinity(Some(rustix::process::getpid()));
    let set = set.unwrap_or_default();
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

/// Gives a thread its class, and pins it to a core. `[home]`
pub fn dress(thread: &JoinHandle<()>, class: Class, core: usize) -> Result<(), Reason> {
    let (id, param) = (thread.as_pthread_t(), libc::sched_param { sched_priority: class.priority });
    // SAFETY: the handle is not joined yet, so its id is the thread's; the set is plain data, filled before use.
    let outcomes = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut set);
        [
            libc::pthread_setaffinity_np(id, size_of::<libc::cpu_set_t>(), &raw const set),
            libc::pthread_setschedparam(id, class.policy, &raw const param),
        ]
    };
    outcomes.into_iter().find(|&error| error != 0).map_or(Ok(()), |error| Err(Reason(error)))
}
