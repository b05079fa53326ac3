//! Programs that tests start: ended with the test, however it ends.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long a program is given to end by itself.
const FAREWELL: Duration = Duration::from_secs(5);

/// A program that ends with the test. It is asked to first: a JACK server that is killed leaves its entry in a table of all
/// servers that has room for eight.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            let _ended_already = kill_process(pid, Signal::TERM);
        }
        let start = Instant::now();
        while matches!(self.0.try_wait(), Ok(None)) && start.elapsed() < FAREWELL {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ended_already = self.0.kill();
        let _reaped = self.0.wait();
    }
}

/// A JACK server called `name` on the dummy driver, with blocks of 256 frames at 48 kHz; what it says goes to `log`.
pub fn jack_server(name: &str, log: &Path, prepare: impl Fn(&mut Command)) -> Running {
    jack_server_at(name, (48_000, 256), log, prepare)
}

/// The same, which waits in each cycle for its clients: one that is late makes the cycle late and is never left out of it.
pub fn patient_jack_server(name: &str, log: &Path) -> Running {
    jack_server_at(name, (48_000, 256), log, |command| {
        command.arg("-S");
    })
}

/// The same at a rate, Hz, with blocks of some frames. One that ends at once is started again: another server may have been
/// going down.
pub fn jack_server_at(name: &str, (rate, block): (u32, u32), log: &Path, prepare: impl Fn(&mut Command)) -> Running {
    for _ in 0..5 {
        let out = || Stdio::from(std::fs::File::create(log).expect("a log"));
        let mut command = Command::new("jackd");
        command.args(["-n", name, "-r"]);
        prepare(&mut command);
        command.args(["-d", "dummy", "-r", &rate.to_string(), "-p", &block.to_string()]);
        command.stdin(Stdio::null()).stdout(out()).stderr(out());
        let mut server = Running(command.spawn().expect("jackd is installed"));
        std::thread::sleep(Duration::from_millis(700));
        if matches!(server.0.try_wait(), Ok(None)) {
            return server;
        }
    }
    panic!("jackd ends at once: {}", std::fs::read_to_string(log).unwrap_or_default());
}
