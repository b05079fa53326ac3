//! The worker process: found, started clean, asked, timed, buried.
//!
//! 1. [`find_worker`] finds `catena-worker` of this installation;
//! 2. [`ask()`] starts it in a process group of its own with a cleaned environment, checks its version, sends one
//!    request and collects the answer line by line until it ends or its time is up;
//! 3. whatever the plugin in it did, the process and its children are gone when [`ask()`] returns.
//!
//! The worker's side of the handshake is [`greeting`]: its first line.

mod ask;
mod find;

use std::path::PathBuf;
use std::time::Duration;

pub use ask::{ask, ask_many, is_inside, output};
pub use find::{find_program, find_worker};

/// Name of the program.
pub const WORKER: &str = "catena-worker";

/// The first line of a worker of this version.
pub fn greeting() -> String {
    format!("{WORKER} {}", env!("CARGO_PKG_VERSION"))
}

/// Why there is no worker to ask.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// It is nowhere.
    #[error("{WORKER} was not found in {}; install Catena again, or name it in CATENA_WORKER", list(.looked_in))]
    Missing {
        /// Folders it was looked for in.
        looked_in: Vec<PathBuf>,
    },
    /// It would not start.
    #[error("{path}: cannot be started: {source}")]
    Start {
        /// The program.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// It is of another version.
    #[error("{path}: is of version {found}, this Catena is {wanted}; install both from one release")]
    Version {
        /// The program.
        path: PathBuf,
        /// What it says it is.
        found: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// It is something else.
    #[error("{path}: is no {WORKER}")]
    Stranger {
        /// The program.
        path: PathBuf,
    },
}

fn list(folders: &[PathBuf]) -> String {
    let names: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
    names.join(", ")
}

/// How a worker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, all well.
    Done,
    /// By itself, with this status.
    Exit(i32),
    /// By this signal, of its own fault.
    Signal(i32),
    /// Its time was up, it was killed.
    TimedOut(Duration),
    /// It said more than anything could need, it was killed.
    Flood,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Done => f.write_str("ended"),
            Self::Exit(status) => write!(f, "ended with status {status}"),
            Self::Signal(signal) => match rustix::process::Signal::from_named_raw(*signal) {
                Some(named) => write!(f, "crashed ({})", signal_name(named)),
                None => write!(f, "crashed (signal {signal})"),
            },
            Self::TimedOut(limit) => write!(f, "did not answer within {} s", limit.as_secs_f32()),
            Self::Flood => f.write_str("described itself without end"),
        }
    }
}

fn signal_name(signal: rustix::process::Signal) -> String {
    use rustix::process::Signal;
    let names = [
        (Signal::SEGV, "segmentation fault"),
        (Signal::ABORT, "aborted itself"),
        (Signal::BUS, "bus error"),
        (Signal::ILL, "illegal instruction"),
        (Signal::FPE, "arithmetic error"),
        (Signal::KILL, "killed"),
        (Signal::TRAP, "trap"),
    ];
    let name = names.into_iter().find(|(known, _)| *known == signal);
    name.map_or_else(|| format!("signal {}", signal.as_raw()), |(_, name)| name.to_owned())
}

/// What a worker said.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its lines, the greeting apart.
    pub lines: Vec<String>,
    /// How it ended.
    pub end: End,
    /// The last of what it and the plugin in it printed.
    pub printed: String,
}
