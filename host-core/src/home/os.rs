//! The system calls under home: a wake descriptor, poll, signal masks, scheduling.
#![allow(unsafe_code, reason = "polls descriptors that belong to plugins, and sets the thread's signal mask and class")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec};

/// A descriptor that a plugin wants watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The descriptor; the plugin's own.
    pub fd: RawFd,
    /// Wake when it can be read.
    pub read: bool,
    /// Wake when it can be written.
    pub write: bool,
    /// Wake on its errors.
    pub error: bool,
}

/// A descriptor that any thread can make ready.
pub(super) fn wake_descriptor() -> io::Result<OwnedFd> {
    Ok(rustix::event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)
}

/// Makes `wake` ready.
pub(super) fn signal(wake: &OwnedFd) {
    // Fails only where it is ready already.
    let _full = rustix::io::write(wake, &1u64.to_ne_bytes());
}

/// Sleeps until `wake` or one of `watches` is ready or `timeout` is over; tells which watches are. A descriptor that its plugin
/// has closed without a word is reported as an error, once a round.
pub(super) fn poll(wake: &OwnedFd, watches: &[Watch], timeout: Option<Duration>) -> Vec<Watch> {
    let mut fds = Vec::with_capacity(watches.len() + 1);
    fds.push(PollFd::from_borrowed_fd(wake.as_fd(), PollFlags::IN));
    for watch in watches.iter().filter(|watch| watch.fd >= 0) {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, watch.read);
        flags.set(PollFlags::OUT, watch.write);
        // SAFETY: the plugin promised to keep the descriptor open while it is registered; where it lies, poll answers NVAL and
        // nothing is read from it here.
        let fd = unsafe { BorrowedFd::borrow_raw(watch.fd) };
        fds.push(PollFd::from_borrowed_fd(fd, flags));
    }
    let timeout = timeout.map(|time| Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    });
    if rustix::event::poll(&mut fds, timeout.as_ref()).is_err() {
        return Vec::new();
    }
    if !fds[0].revents().is_empty() {
        let _drained = rustix::io::read(wake, &mut [0; 8]);
    }
    let answers = fds[1..].iter().map(PollFd::revents);
    let asked = watches.iter().filter(|watch| watch.fd >= 0);
    asked.zip(answers).filter(|(_, answer)| !answer.is_empty()).map(|(watch, answer)| ready(watch, answer)).collect()
}

fn ready(watch: &Watch, answer: PollFlags) -> Watch {
    Watch {
        fd: watch.fd,
        read: watch.read && answer.intersects(PollFlags::IN | PollFlags::HUP),
        write: watch.write && answer.contains(PollFlags::OUT),
        error: answer.intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL),
    }
}

/// Sleeps a little: for loops that wait for the audio thread. `[any but audio]`
pub fn wait(time: Duration) {
    std::thread::sleep(time);
}

/// Starts a thread of ours: it takes no signals of the program it lives in.
pub(crate) fn spawn_quiet(
    name: &str,
    stack: usize,
    body: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let old = block_signals();
    let spawned = std::thread::Builder::new().name(name.into()).stack_size(stack).spawn(body);
    restore_signals(&old);
    spawned
}

/// Blocks every signal for the calling thread, so that a thread made now inherits it.
fn block_signals() -> libc::sigset_t {
    // SAFETY: both sets are plain data that the calls fill; a null `set` is never passed.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut old: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut old);
        old
    }
}

fn restore_signals(old: &libc::sigset_t) {
    // SAFETY: `old` was filled by `block_signals` on this thread.
    unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, old, std::ptr::null_mut());
    }
}

/// Back to the ordinary scheduling class and every core: the thread that started home may have been a real-time one, pinned.
pub(super) fn become_ordinary() {
    let param = libc::sched_param { sched_priority: 0 };
    // SAFETY: pid 0 is the calling thread; the sets are plain data, filled before use.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const param);
        let mut cores: libc::cpu_set_t = std::mem::zeroed();
        for core in 0..libc::CPU_SETSIZE as usize {
            libc::CPU_SET(core, &mut cores);
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const cores);
    }
}
