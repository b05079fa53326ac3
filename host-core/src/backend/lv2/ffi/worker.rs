//! `worker`: work that a plugin schedules while it runs, done on a thread of its own.
//!
//! Requests and answers pass through byte rings, so nothing is allocated while the plugin runs. The thread sleeps
//! on a futex and is woken by the request itself. When the host is not in real time, [`Answers::deliver`] waits
//! for the work, so that it is answered within the same run.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use atomic_refcell::AtomicRefCell;
use rtrb::{Consumer, Producer, RingBuffer};
use rustix::thread::futex;
use sync_wrapper::SyncWrapper;

use super::buffer::AtomBuffer;
use super::spec::{self, Handle, WorkerInterface, WorkerSchedule};

/// Bytes each way that may wait; a single message may be as long. Untouched pages cost nothing.
const RING: usize = 1 << 20;
/// Rounds of work and answer within one offline run, against a plugin that schedules work from every answer.
const ROUNDS: usize = 1000;

/// A plugin's instance, as the worker calls it.
#[derive(Clone, Copy)]
struct Call {
    handle: Handle,
    iface: *const WorkerInterface,
}

// SAFETY: worker.h has `work` called from a thread of the host's choice, one at a time; the mutex round the
// `Call` keeps to that, and the instance outlives the thread (`Worker` is dropped before it).
unsafe impl Send for Call {}

struct Inner {
    /// The end that `schedule_work` writes to. A plugin that schedules from two threads at once is told "no space".
    requests: AtomicRefCell<SyncWrapper<Producer<u8>>>,
    /// Answers to work that was asked for during a restore on home.
    home_answers: Mutex<Producer<u8>>,
    posted: AtomicU32,
    done: AtomicU32,
    quit: AtomicBool,
    sleeping: AtomicBool,
    waited_for: AtomicBool,
    call: Mutex<Option<Call>>,
}

/// Home's end: owns the thread and the features' data.
pub struct Worker {
    inner: Arc<Inner>,
    thread: Option<JoinHandle<()>>,
    parts: Option<(Consumer<u8>, Producer<u8>)>,
    ends: Option<(Consumer<u8>, Consumer<u8>)>,
    run: Box<WorkerSchedule>,
    restore: Box<WorkerSchedule>,
}

impl Worker {
    /// A worker without a plugin: its feature is needed to make one. `[home]`
    pub fn new() -> Self {
        let (requests, requested) = RingBuffer::new(RING);
        let (answers, answered) = RingBuffer::new(RING);
        let (home_answers, home_answered) = RingBuffer::new(RING);
        let inner = Arc::new(Inner {
            requests: AtomicRefCell::new(SyncWrapper::new(requests)),
            home_answers: Mutex::new(home_answers),
            posted: AtomicU32::new(0),
            done: AtomicU32::new(0),
            quit: AtomicBool::new(false),
            sleeping: AtomicBool::new(false),
            waited_for: AtomicBool::new(false),
            call: Mutex::new(None),
        });
        let handle = Arc::as_ptr(&inner).cast_mut().cast();
        Self {
            inner,
            thread: None,
            parts: Some((requested, answers)),
            ends: Some((answered, home_answered)),
            run: Box::new(WorkerSchedule { handle, schedule_work }),
            restore: Box::new(WorkerSchedule { handle, schedule_work: work_at_once }),
        }
    }

    /// The feature's data for the instance. It lives as long as `self`.
    pub fn schedule(&self) -> &WorkerSchedule {
        &self.run
    }

    /// The feature's data for one `restore`: the work is done at once, on home.
    pub fn schedule_for_restore(&self) -> &WorkerSchedule {
        &self.restore
    }

    /// Starts the thread for an instance. An error is the system's, when it has no thread to give. `[home]`
    ///
    /// # Safety
    /// `handle` and `iface` are those of one instance, alive until `self` is dropped.
    pub unsafe fn attach(&mut self, handle: Handle, iface: *const WorkerInterface) -> std::io::Result<()> {
        *self.inner.call.lock().unwrap_or_else(PoisonError::into_inner) = Some(Call { handle, iface });
        let Some((requested, answers)) = self.parts.take() else { return Ok(()) };
        let inner = self.inner.clone();
        let old = block_signals();
        let thread = std::thread::Builder::new()
            .name("catena-lv2work".into())
            .stack_size(512 << 10)
            .spawn(move || serve(&inner, requested, answers));
        restore_signals(&old);
        self.thread = Some(thread?);
        Ok(())
    }

    /// The audio half's end, once.
    pub fn answers(&mut self) -> Option<Answers> {
        let call = (*self.inner.call.lock().unwrap_or_else(PoisonError::into_inner))?;
        let (answered, home_answered) = self.ends.take()?;
        Some(Answers { inner: self.inner.clone(), call, rings: [home_answered, answered], body: AtomBuffer::new(RING) })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.inner.quit.store(true, Ordering::SeqCst);
        self.inner.posted.fetch_add(1, Ordering::SeqCst);
        self.inner.wake();
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}

/// Threads inherit the mask of the one that makes them: our threads take no signals meant for the program.
fn block_signals() -> nix::sys::signal::SigSet {
    let mut old = nix::sys::signal::SigSet::empty();
    let all = nix::sys::signal::SigSet::all();
    let _kept =
        nix::sys::signal::pthread_sigmask(nix::sys::signal::SigmaskHow::SIG_SETMASK, Some(&all), Some(&mut old));
    old
}

fn restore_signals(old: &nix::sys::signal::SigSet) {
    let _kept = old.thread_set_mask();
}

impl Inner {
    fn wake(&self) {
        if self.sleeping.swap(false, Ordering::SeqCst) {
            let _gone = futex::wake(&self.posted, futex::Flags::PRIVATE, 1);
        }
    }

    /// Puts a request into the ring. `[audio]`
    fn post(&self, body: &[u8]) -> u32 {
        let Ok(mut requests) = self.requests.try_borrow_mut() else { return spec::WORKER_ERR_NO_SPACE };
        if !put(requests.get_mut(), body) {
            return spec::WORKER_ERR_NO_SPACE;
        }
        self.posted.fetch_add(1, Ordering::SeqCst);
        self.wake();
        spec::WORKER_SUCCESS
    }

    fn idle(&self) -> bool {
        self.done.load(Ordering::SeqCst) == self.posted.load(Ordering::SeqCst)
    }

    /// Waits until no work is left. Not for real time.
    fn wait_until_idle(&self) {
        loop {
            self.waited_for.store(true, Ordering::SeqCst);
            let done = self.done.load(Ordering::SeqCst);
            if done == self.posted.load(Ordering::SeqCst) || self.quit.load(Ordering::SeqCst) {
                self.waited_for.store(false, Ordering::SeqCst);
                return;
            }
            let _woken = futex::wait(&self.done, futex::Flags::PRIVATE, done, None);
        }
    }

    /// Runs one piece of work, one at a time.
    fn work(&self, body: &[u8], answers: &mut Producer<u8>) -> u32 {
        let call = self.call.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(call) = *call else { return spec::WORKER_ERR_UNKNOWN };
        // SAFETY: `attach`'s caller vouches for the interface as long as the worker lives; the lock is held, so no
        // two calls run at once; `respond` is used inside the call only (worker.h), where `answers` is borrowed.
        unsafe {
            match (*call.iface).work {
                Some(work) => work(
                    call.handle,
                    respond,
                    std::ptr::from_mut(answers).cast(),
                    body.len() as u32,
                    body.as_ptr().cast(),
                ),
                None => spec::WORKER_ERR_UNKNOWN,
            }
        }
    }
}

/// The worker thread.
fn serve(inner: &Inner, mut requested: Consumer<u8>, mut answers: Producer<u8>) {
    let mut body = AtomBuffer::new(RING);
    while !inner.quit.load(Ordering::SeqCst) {
        let posted = inner.posted.load(Ordering::SeqCst);
        if let Some(len) = get(&mut requested, body.bytes_mut()) {
            let _status = inner.work(&body.bytes()[..len], &mut answers);
            inner.done.fetch_add(1, Ordering::SeqCst);
            if inner.waited_for.load(Ordering::SeqCst) {
                let _gone = futex::wake(&inner.done, futex::Flags::PRIVATE, 1);
            }
            continue;
        }
        inner.sleeping.store(true, Ordering::SeqCst);
        if inner.posted.load(Ordering::SeqCst) == posted && !inner.quit.load(Ordering::SeqCst) {
            // `posted` changes before every wake, so one that came in between ends the wait at once.
            let _woken = futex::wait(&inner.posted, futex::Flags::PRIVATE, posted, None);
        }
        inner.sleeping.store(false, Ordering::SeqCst);
    }
}

/// Writes a message: its length, then its bytes. All or nothing.
fn put(ring: &mut Producer<u8>, body: &[u8]) -> bool {
    if ring.slots() < 4 + body.len() {
        return false;
    }
    ring.push_entire_slice(&(body.len() as u32).to_ne_bytes()).is_ok() && ring.push_entire_slice(body).is_ok()
}

/// Reads a message. A writer is between its two pushes only for a moment: the bytes are waited for by coming again.
fn get(ring: &mut Consumer<u8>, body: &mut [u8]) -> Option<usize> {
    let head = ring.read_chunk(4).ok()?;
    let mut len = [0_u8; 4];
    let (first, second) = head.as_slices();
    for (to, from) in len.iter_mut().zip(first.iter().chain(second)) {
        *to = *from;
    }
    let len = u32::from_ne_bytes(len) as usize;
    if len > body.len() {
        return None;
    }
    if ring.slots() < 4 + len {
        return None;
    }
    ring.read_chunk(4).ok()?.commit_all();
    ring.pop_entire_slice(&mut body[..len]).ok()?;
    Some(len)
}

unsafe extern "C" fn schedule_work(handle: *mut c_void, size: u32, data: *const c_void) -> u32 {
    // SAFETY: the handle is the `Inner` of the worker that the instance's features own; data is as worker.h says.
    unsafe { (*handle.cast::<Inner>()).post(bytes(data, size)) }
}

unsafe extern "C" fn work_at_once(handle: *mut c_void, size: u32, data: *const c_void) -> u32 {
    // SAFETY: as in `schedule_work`.
    let (inner, body) = unsafe { (&*handle.cast::<Inner>(), bytes(data, size)) };
    let mut answers = inner.home_answers.lock().unwrap_or_else(PoisonError::into_inner);
    inner.work(body, &mut answers)
}

unsafe extern "C" fn respond(handle: *mut c_void, size: u32, data: *const c_void) -> u32 {
    // SAFETY: the handle is the ring's end that `Inner::work` lent for this call.
    let answers = unsafe { &mut *handle.cast::<Producer<u8>>() };
    // SAFETY: data is as worker.h says.
    if put(answers, unsafe { bytes(data, size) }) { spec::WORKER_SUCCESS } else { spec::WORKER_ERR_NO_SPACE }
}

/// # Safety
/// `data` is null or points to `size` bytes that stay for the caller's use.
unsafe fn bytes<'a>(data: *const c_void, size: u32) -> &'a [u8] {
    if data.is_null() || size == 0 {
        return &[];
    }
    // SAFETY: the caller vouches for it.
    unsafe { std::slice::from_raw_parts(data.cast(), size as usize) }
}

/// The audio half's end.
pub struct Answers {
    inner: Arc<Inner>,
    call: Call,
    rings: [Consumer<u8>; 2],
    body: AtomBuffer,
}

impl Answers {
    /// Hands finished work to the plugin and ends its run. Offline it waits for work that is under way, and for work
    /// that the answers ask for. `[audio & started]`
    pub fn deliver(&mut self, offline: bool) {
        for _ in 0..ROUNDS {
            if offline {
                self.inner.wait_until_idle();
            }
            self.drain();
            if !offline || self.inner.idle() {
                break;
            }
        }
        // SAFETY: as in `drain`.
        unsafe {
            if let Some(end_run) = (*self.call.iface).end_run {
                end_run(self.call.handle);
            }
        }
    }

    fn drain(&mut self) {
        for ring in &mut self.rings {
            while let Some(len) = get(ring, self.body.bytes_mut()) {
                // SAFETY: the instance outlives the audio half's machine, which owns us; worker.h has this called
                // on the audio thread after `run`, which is where `deliver` is called.
                unsafe {
                    if let Some(work_response) = (*self.call.iface).work_response {
                        work_response(self.call.handle, len as u32, self.body.bytes().as_ptr().cast());
                    }
                }
            }
        }
    }
}
