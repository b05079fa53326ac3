//! Scheduling classes, and how home learns the audio thread's.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::os;

/// A thread's scheduling class and priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// As `sched_setscheduler` takes it, without the flag that a child is not to inherit it.
    pub policy: i32,
    /// 0 where the class knows none.
    pub priority: i32,
}

impl Class {
    /// The ordinary one.
    pub const ORDINARY: Self = Self { policy: libc::SCHED_OTHER, priority: 0 };

    /// Whether it goes before ordinary threads.
    pub fn is_real_time(self) -> bool {
        matches!(self.policy, libc::SCHED_FIFO | libc::SCHED_RR)
    }

    pub(super) fn can_help(self) -> bool {
        self.is_real_time() || self == Self::ORDINARY
    }
}

// 0 is the beginning.
const ASKED: u32 = 1;
const TOLD: u32 = 2;

/// Home asks of which class the audio thread is; that answers in its next block.
#[derive(Default)]
pub struct ClassWish(AtomicU32);

impl ClassWish {
    /// Asks. `[home]`
    pub fn ask(&self) {
        self.0.store(ASKED, Release);
    }

    /// Whether it is asked. `[audio]`
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.0.load(Relaxed) == ASKED
    }

    /// Answers: two system calls, once for each time that home asks. `[audio]`
    #[cold]
    pub fn answer(&self) {
        let Class { policy, priority } = os::class();
        self.0.store(TOLD | (policy as u32 & 0xFF) << 8 | (priority as u32 & 0xFF) << 16, Release);
    }

    /// The answer; `None`: not yet. `[home]`
    pub fn told(&self) -> Option<Class> {
        let word = self.0.load(Acquire);
        let class = Class { policy: (word >> 8 & 0xFF) as i32, priority: (word >> 16 & 0xFF) as i32 };
        (word & 0xFF == TOLD).then_some(class)
    }
}
