//! The job of the request that runs: a closure on the asking thread's stack, lent to the helpers.
#![allow(unsafe_code, reason = "a reference without its lifetime: the request outlives every use of it")]

use super::sync::UnsafeCell;

/// What a request does: called with the number of a task.
pub type Job<'a> = dyn Fn(usize) + Sync + 'a;

/// Holds it for the time of a request.
pub struct JobCell(UnsafeCell<Option<*const Job<'static>>>);

// SAFETY: the pointer leads to a `Sync` closure. It is written by the one thread that has the request, before its word is posted
// and after its last task is done; it is read between taking a task and counting it as done, which both lie between the two.
unsafe impl Send for JobCell {}
// SAFETY: as above.
unsafe impl Sync for JobCell {}

impl JobCell {
    pub fn new() -> Self {
        Self(UnsafeCell::new(None))
    }

    /// Lends `job` until the answer is dropped, which must be when no task of it is left. By the request's own thread.
    pub fn lend<'a>(&'a self, job: &'a Job<'a>) -> Lent<'a> {
        let job: *const Job<'a> = job;
        // SAFETY: only the lifetime is another; `Lent` takes the pointer away again before that ends.
        let job = unsafe { std::mem::transmute::<*const Job<'a>, *const Job<'static>>(job) };
        // SAFETY: no task is open, so nobody reads (see above).
        self.0.with_mut(|place| unsafe { *place = Some(job) });
        Lent(self)
    }

    /// Does a task. By a thread that has taken it and not yet counted it as done.
    pub fn call(&self, task: usize) {
        // SAFETY: a task is open, so nobody writes (see above).
        let job = self.0.with(|place| unsafe { *place });
        if let Some(job) = job {
            // SAFETY: the request holds the reference that this was made from until the task is done.
            unsafe { (*job)(task) };
        }
    }
}

/// The job is in the cell.
pub struct Lent<'a>(&'a JobCell);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        // SAFETY: every task is done, so nobody reads (see above).
        self.0.0.with_mut(|place| unsafe { *place = None });
    }
}
