//! The home thread: one per process, shared by every Catena instance, the only thread that hosted plugins know as
//! their main thread.
//!
//! 1. [`home`] starts it at the first call, and it stays as long as the process;
//! 2. any thread but the audio thread hands it work: [`Home::post`] does not wait, [`Home::ask`] waits with a bound;
//! 3. what lives on it is a [`Resident`]: made there by [`adopt`], reached there by [`with`], ended there by [`dismiss`];
//! 4. each round it runs the work it was given, polls the residents' descriptors and ticks every resident;
//! 5. with no resident left it sleeps in a poll of its own and touches no foreign code.
//!
//! Home never waits for a DAW thread. A request that is made on home itself (Catena inside Catena) runs at once, inline.

mod os;
mod residents;

use std::cell::Cell;
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};

use crate::model::SlotId;

pub(crate) use os::spawn_quiet;
pub use os::{Watch, wait};
pub use residents::{Resident, ResidentId, adopt, dismiss, new_name, with};

/// How long a request waits for home the first time, counted from when home last got on with something.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// How long a load waits, and any request in all.
pub const LOAD_PATIENCE: Duration = Duration::from_secs(30);
/// Time between two ticks of the residents: well under the 33 ms that CLAP asks of a host.
pub const TICK: Duration = Duration::from_millis(10);
/// Home runs foreign main-thread code, which expects a main thread's stack: 8 MiB, touched only where used.
const STACK: usize = 8 << 20;

type Task = Box<dyn FnOnce() + Send>;

thread_local! {
    static IS_HOME: Cell<bool> = const { Cell::new(false) };
}

/// Why home did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HomeError {
    /// It did not answer in time: it sits in a plugin's call.
    #[error("Catena's plugin thread does not answer: it is busy with {0}")]
    Stuck(Doing),
    /// The work panicked.
    #[error("an internal fault was caught: {0}")]
    Panicked(String),
    /// The resident is gone, or is in the middle of another call.
    #[error("the chain is gone or busy with itself")]
    NoResident,
    /// The thread could not be started.
    #[error("Catena's plugin thread could not be started: {0}")]
    Spawn(String),
}

/// What home does, for whoever waits for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doing {
    what: &'static str,
    name: Arc<str>,
    /// Whose call it is in, where it is a plugin's: the chain and its slot.
    pub slot: Option<(ResidentId, SlotId)>,
}

impl std::fmt::Display for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.what, &*self.name) {
            ("", _) => f.write_str("nothing"),
            (what, "") => f.write_str(what),
            (what, name) => write!(f, "{what} {name}"),
        }
    }
}

/// The handle that other threads talk to home with.
pub struct Home {
    inbox: Mutex<VecDeque<Task>>,
    wake: OwnedFd,
    /// Home missed a bound and has not answered since.
    stuck: AtomicBool,
    /// What home is doing, and since when.
    doing: Mutex<(Doing, Instant)>,
}

/// Home's handle; the thread is started at the first call. `[any but audio]`
pub fn home() -> Result<&'static Home, HomeError> {
    static HOME: OnceLock<Home> = OnceLock::new();
    static RUNS: AtomicBool = AtomicBool::new(false);
    static START: Mutex<()> = Mutex::new(());
    if let (true, Some(home)) = (RUNS.load(Ordering::Acquire), HOME.get()) {
        return Ok(home);
    }
    let _one_at_a_time = START.lock().unwrap_or_else(PoisonError::into_inner);
    let spawn_error = |error: std::io::Error| HomeError::Spawn(error.to_string());
    if HOME.get().is_none() {
        let wake = os::wake_descriptor().map_err(spawn_error)?;
        let doing = Mutex::new((Doing::default(), Instant::now()));
        let fresh = Home { inbox: Mutex::default(), wake, stuck: AtomicBool::new(false), doing };
        let _first = HOME.set(fresh);
    }
    let home = HOME.get().ok_or_else(|| HomeError::Spawn("no handle".into()))?;
    if !RUNS.load(Ordering::Acquire) {
        drop(spawn_quiet("catena-home", STACK, move || run(home)).map_err(spawn_error)?);
        RUNS.store(true, Ordering::Release);
    }
    Ok(home)
}

/// Whether the calling thread is home. `[any]`
pub fn is_home() -> bool {
    IS_HOME.get()
}

impl Home {
    /// Hands over work and does not wait. `[any but audio]`
    pub fn post(&self, task: impl FnOnce() + Send + 'static) {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner).push_back(Box::new(task));
        os::signal(&self.wake);
    }

    /// Hands over work and waits for its answer: at most `patience` after home last got on with something, and never longer than
    /// [`LOAD_PATIENCE`] in all. After the first time-out later requests do not wait again until home has answered something. Work
    /// that was not waited for is done all the same, when home comes to it: a chain that the DAW hands over must not be lost. On
    /// home itself the work runs at once. `[any but audio]`
    pub fn ask<R: Send + 'static>(
        &self,
        patience: Duration,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, HomeError> {
        if is_home() {
            return caught(work);
        }
        let stuck = self.stuck.load(Ordering::Acquire);
        let (answer, answered) = mpsc::sync_channel(1);
        self.post(move || {
            // The asker may have given up: then nobody reads the answer.
            let _given_up = answer.send(caught(work));
        });
        if stuck {
            return Err(HomeError::Stuck(self.doing()));
        }
        let begun = Instant::now();
        loop {
            let got_on = self.since().max(begun);
            let until = (got_on + patience).min(begun + LOAD_PATIENCE);
            match answered.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(answer) => return answer,
                Err(mpsc::RecvTimeoutError::Timeout) if self.since() > got_on && until < begun + LOAD_PATIENCE => {}
                Err(_) => return self.missed(&answered),
            }
        }
    }

    /// Home missed a bound. It may have answered this very moment.
    fn missed<R>(&self, answered: &mpsc::Receiver<Result<R, HomeError>>) -> Result<R, HomeError> {
        self.stuck.store(true, Ordering::Release);
        let Ok(answer) = answered.try_recv() else { return Err(HomeError::Stuck(self.doing())) };
        self.stuck.store(false, Ordering::Release);
        answer
    }

    /// Whoever waited for something else than an answer gives up: where home has not got on for [`PATIENCE`] either, nobody waits
    /// for it again until it answers. What it is doing. `[any but audio]`
    pub fn give_up(&self) -> Doing {
        if self.since().elapsed() >= PATIENCE {
            self.stuck.store(true, Ordering::Release);
        }
        self.doing()
    }

    /// What home is doing. `[any but audio]`
    pub fn doing(&self) -> Doing {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// When home last got on with something.
    fn since(&self) -> Instant {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Takes the oldest task.
    fn next(&self) -> Option<Task> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Notes what home does next, so that a stuck call can be named. `[home]`
pub fn doing(what: &'static str) {
    note(Doing { what, ..Doing::default() });
}

/// Notes that home calls the plugin called `name` next, in this slot of this chain. `[home]`
pub fn doing_to(what: &'static str, name: &Arc<str>, slot: (ResidentId, SlotId)) {
    note(Doing { what, name: name.clone(), slot: Some(slot) });
}

fn note(doing: Doing) {
    if let Ok(home) = home() {
        *home.doing.lock().unwrap_or_else(PoisonError::into_inner) = (doing, Instant::now());
    }
}

/// Runs `work`, turning a panic into an error that says where it came from.
fn caught<R>(work: impl FnOnce() -> R) -> Result<R, HomeError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| HomeError::Panicked(panic_text(&*panic)))
}

/// The words of a panic.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason given").to_owned()
}

/// Home's life.
fn run(home: &'static Home) {
    IS_HOME.set(true);
    os::become_ordinary();
    let mut watches = Vec::new();
    loop {
        while let Some(task) = home.next() {
            // `ask` has caught its own panics; a posted task's is dropped here, its text went to the panic hook.
            let _panicked = caught(task);
            home.stuck.store(false, Ordering::Release);
        }
        doing("a plugin's timers");
        let timeout = residents::timeout(Instant::now());
        watches.clear();
        residents::watches(&mut watches);
        let ready = os::poll(&home.wake, &watches, timeout);
        residents::tick(Instant::now(), &ready);
        doing("");
        home.stuck.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_runs_on_home_and_inline_when_made_there() {
        let home = home().unwrap();
        assert!(!is_home());
        let nested = home.ask(PATIENCE, || (is_home(), super::home().unwrap().ask(PATIENCE, is_home))).unwrap();
        assert_eq!(nested, (true, Ok(true)));
    }

    #[test]
    fn a_panic_comes_back_as_an_error_and_home_lives_on() {
        let home = home().unwrap();
        let answer: Result<(), _> = home.ask(PATIENCE, || panic!("on purpose"));
        assert_eq!(answer, Err(HomeError::Panicked("on purpose".into())));
        assert_eq!(home.ask(PATIENCE, || 7), Ok(7));
    }

    struct Ticker(mpsc::Sender<usize>, std::io::PipeReader);

    impl Resident for Ticker {
        fn watches(&self, out: &mut Vec<Watch>) {
            use std::os::fd::AsRawFd;
            out.push(Watch { fd: self.1.as_raw_fd(), read: true, write: false, error: false });
        }
        fn deadline(&self) -> Option<Instant> {
            None
        }
        fn tick(&mut self, _now: Instant, ready: &[Watch]) {
            let _gone = self.0.send(ready.len());
        }
    }

    #[test]
    fn a_resident_is_ticked_told_of_its_descriptors_and_ended_on_home() {
        use std::io::Write;
        let (sender, ticks) = mpsc::channel();
        let (reader, mut writer) = std::io::pipe().unwrap();
        let home = home().unwrap();
        let id = new_name();
        home.post(move || adopt(id, Box::new(Ticker(sender, reader))));
        assert_eq!(ticks.recv_timeout(PATIENCE), Ok(0));
        writer.write_all(b"x").unwrap();
        while ticks.recv_timeout(PATIENCE).unwrap() == 0 {}
        assert!(
            home.ask(PATIENCE, move || with(id, |_: &mut Ticker| with(id, |_: &mut Ticker| ()).is_err()))
                .unwrap()
                .unwrap()
        );
        home.ask(PATIENCE, move || dismiss(id)).unwrap();
        while ticks.recv_timeout(PATIENCE).is_ok() {}
    }
}
