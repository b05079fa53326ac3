//! One question to one worker.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::{Answer, ChildError, End, WORKER, greeting};

/// Bytes an answer may have.
const FLOOD: usize = 64 << 20;
/// Bytes of prints taken at a time.
const ROOM: usize = 1 << 20;
/// Bytes kept of what is printed.
const PRINTED: usize = 2048;

/// Variables the worker gets; others, `LD_PRELOAD` of a DAW's launcher among them, stay out.
const KEPT: [&str; 18] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "DISPLAY",
    "XAUTHORITY",
    "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS",
    "LV2_PATH",
    "CLAP_PATH",
    "LADSPA_PATH",
    "RUST_BACKTRACE",
    "FONTCONFIG_PATH",
];
/// Starts of further variables the worker gets.
const KEPT_STARTS: [&str; 3] = ["LC_", "XDG_", "CATENA_"];

fn is_kept(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| KEPT.contains(&name) || KEPT_STARTS.iter().any(|start| name.starts_with(start)))
}

/// Starts `program`, sends `request` as one line and collects the answer for at most `limit`. Never waits longer; leaves
/// no process behind. `[jobs]`
pub fn ask(program: &Path, request: &str, limit: Duration) -> Result<Answer, ChildError> {
    exchange(program, request, limit, false)
}

/// [`ask`] with `limit` for each line of the answer anew: for a request that is many in one. `[jobs]`
pub fn ask_many(program: &Path, request: &str, limit: Duration) -> Result<Answer, ChildError> {
    exchange(program, request, limit, true)
}

fn exchange(program: &Path, request: &str, limit: Duration, each: bool) -> Result<Answer, ChildError> {
    let mut deadline = Instant::now() + limit;
    let start_error = |source: io::Error| ChildError::Start { path: program.into(), source };
    let mut running = Running::start(program).map_err(start_error)?;
    let mut talk = Talk::new(&mut running.child, request).map_err(start_error)?;
    let mut version = Ok(());
    let end = loop {
        let dead = talk.wait(&running.pidfd, deadline).map_err(start_error)?;
        if talk.exchange(dead) && each {
            deadline = Instant::now() + limit;
        }
        if talk.said.len() > FLOOD {
            break Some(End::Flood);
        }
        version = talk.check_greeting(program, dead);
        if dead || version.is_err() {
            break None;
        }
        if Instant::now() >= deadline {
            break Some(End::TimedOut(limit));
        }
    };
    let status = running.bury();
    version?;
    let end = end.unwrap_or_else(|| how_it_ended(status));
    let lines = match end {
        End::Flood => Vec::new(),
        _ => String::from_utf8_lossy(&talk.said).lines().skip(1).map(str::to_owned).collect(),
    };
    Ok(Answer { lines, end, printed: String::from_utf8_lossy(&talk.printed).trim().to_owned() })
}

/// What another program of ours prints, with the same environment as a worker. It is trusted to end. `[jobs]`
pub fn output(program: &Path, words: &[&str]) -> io::Result<String> {
    let environment = std::env::vars_os().filter(|(name, _): &(OsString, OsString)| is_kept(name));
    let mut command = Command::new(program);
    let output = command.args(words).env_clear().envs(environment).stdin(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn how_it_ended(status: Option<ExitStatus>) -> End {
    match status.map(|status| (status.code(), status.signal())) {
        Some((Some(0), _)) => End::Done,
        Some((_, Some(signal))) => End::Signal(signal),
        Some((code, _)) => End::Exit(code.unwrap_or(-1)),
        // The host takes all children's ends for itself (SIGCHLD ignored): what was said must tell.
        None => End::Done,
    }
}

/// Set in a worker and all that it starts.
const INSIDE: &str = "CATENA_LOOKED_AT";

/// Whether this process is a worker's, or was started by one: a plugin is being looked at. Who is looked at looks at nobody: a plugin
/// that is a chain of others would else start workers that start workers. `[any]`
pub fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// A started worker. Killed with its process group and waited for at the latest when dropped.
struct Running {
    child: Child,
    pidfd: OwnedFd,
    buried: bool,
}

impl Running {
    fn start(program: &Path) -> io::Result<Self> {
        let environment = std::env::vars_os().filter(|(name, _): &(OsString, OsString)| is_kept(name));
        let mut child = Command::new(program)
            .env_clear()
            .envs(environment)
            .env(INSIDE, "1")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        match pidfd_open(Pid::from_child(&child), PidfdFlags::empty()) {
            Ok(pidfd) => Ok(Self { child, pidfd, buried: false }),
            Err(error) => {
                // Gone already, or a kernel without pidfds: either way it cannot be watched.
                let _killed = child.kill();
                let _reaped = child.wait();
                Err(error.into())
            }
        }
    }

    fn bury(&mut self) -> Option<ExitStatus> {
        if std::mem::replace(&mut self.buried, true) {
            return None;
        }
        // Not yet waited for, so the group's number is still the worker's own.
        let _gone = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.child.wait().ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.bury();
    }
}

/// The three pipes of a worker.
struct Talk {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    request: Vec<u8>,
    sent: usize,
    greeted: bool,
    said: Vec<u8>,
    printed: Vec<u8>,
}

impl Talk {
    fn new(child: &mut Child, request: &str) -> io::Result<Self> {
        let talk = Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            request: format!("{request}\n").into_bytes(),
            sent: 0,
            greeted: false,
            said: Vec::new(),
            printed: Vec::new(),
        };
        for fd in talk.fds().into_iter().flatten() {
            fcntl_setfl(fd, fcntl_getfl(fd)? | OFlags::NONBLOCK)?;
        }
        Ok(talk)
    }

    fn fds(&self) -> [Option<BorrowedFd<'_>>; 3] {
        [
            self.stdin.as_ref().map(AsFd::as_fd),
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
        ]
    }

    /// Waits until there is something to do. True: the worker is dead.
    fn wait(&self, pidfd: &OwnedFd, deadline: Instant) -> io::Result<bool> {
        let mut fds = vec![PollFd::new(pidfd, PollFlags::IN)];
        fds.extend(self.stdin.as_ref().filter(|_| self.greeted).map(|fd| PollFd::new(fd, PollFlags::OUT)));
        fds.extend(self.stdout.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        fds.extend(self.stderr.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        let left = deadline.saturating_duration_since(Instant::now());
        // A duration that does not fit is for ever.
        match poll(&mut fds, Timespec::try_from(left).ok().as_ref()) {
            Ok(_) => Ok(!fds[0].revents().is_empty()),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads and writes what can be without waiting. True: it said something.
    fn exchange(&mut self, dead: bool) -> bool {
        let before = self.said.len();
        if self.greeted
            && let Some(stdin) = &mut self.stdin
        {
            match stdin.write(&self.request[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => self.sent = self.request.len(),
            }
            if self.sent == self.request.len() {
                self.stdin = None;
            }
        }
        let room = FLOOD + 1 - self.said.len().min(FLOOD);
        if drain(&mut self.stdout, &mut self.said, room) || dead {
            self.stdout = None;
        }
        if drain(&mut self.stderr, &mut self.printed, ROOM) || dead {
            self.stderr = None;
        }
        let old = self.printed.len().saturating_sub(PRINTED);
        self.printed.drain(..old);
        self.said.len() > before
    }

    /// Checks the first line, once it is there.
    fn check_greeting(&mut self, program: &Path, dead: bool) -> Result<(), ChildError> {
        if self.greeted {
            return Ok(());
        }
        let stranger = ChildError::Stranger { path: program.into() };
        let Some(end) = self.said.iter().position(|byte| *byte == b'\n') else {
            return if dead || self.said.len() > 256 { Err(stranger) } else { Ok(()) };
        };
        let line = String::from_utf8_lossy(&self.said[..end]).into_owned();
        if line == greeting() {
            self.greeted = true;
            return Ok(());
        }
        match line.strip_prefix(WORKER) {
            Some(found) => Err(ChildError::Version {
                path: program.into(),
                found: found.trim().into(),
                wanted: env!("CARGO_PKG_VERSION"),
            }),
            None => Err(stranger),
        }
    }
}

/// Reads up to `room` bytes. True: nothing more will come.
fn drain(from: &mut Option<impl Read>, into: &mut Vec<u8>, room: usize) -> bool {
    let Some(from) = from else { return true };
    match from.take(room as u64).read_to_end(into) {
        // Less than there is room for: the end of the pipe.
        Ok(count) => count < room,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_cleaned() {
        for kept in ["PATH", "HOME", "LV2_PATH", "CLAP_PATH", "LC_ALL", "XDG_CACHE_HOME", "DISPLAY", "CATENA_X"] {
            assert!(is_kept(kept.as_ref()), "{kept}");
        }
        for dropped in ["LD_PRELOAD", "LD_LIBRARY_PATH", "GTK_PATH", "PYTHONPATH"] {
            assert!(!is_kept(dropped.as_ref()), "{dropped}");
        }
    }
}
