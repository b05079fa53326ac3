//! A JACK server of a test's own, with the standalone on it.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{Home, texts};
use crate::running::{Running, jack_server};

/// The server.
pub struct Server {
    name: String,
    _process: Running,
    probe: &'static str,
}

impl Server {
    /// Starts it, and waits until it answers. `probe` is the program `jack-probe`.
    pub fn start(home: &Home, probe: &'static str) -> Self {
        let name = format!("catena-test-{}", std::process::id());
        let environment = |command: &mut Command| {
            let own = home.command("jackd");
            command.envs(own.get_envs().filter_map(|(key, value)| Some((key, value?))));
        };
        let process = jack_server(&name, &home.path("jack.log"), environment);
        let server = Self { name, _process: process, probe };
        wait("the server to answer", || server.probe(&["ports"]).is_some());
        server
    }

    /// Lets a program find it.
    pub fn env(&self, command: &mut Command) {
        command.env("JACK_DEFAULT_SERVER", &self.name);
    }

    /// What a probe says; none if it failed.
    pub fn probe(&self, args: &[&str]) -> Option<String> {
        let mut command = Command::new(self.probe);
        self.env(command.args(args));
        let output = command.output().expect("the probe starts");
        output.status.success().then(|| texts(&output).0.trim().to_owned())
    }

    /// Latencies of a port: shortest and longest of capture, then of playback, frames.
    pub fn latency(&self, port: &str) -> [u32; 4] {
        let said = self.probe(&["latency", port]).expect("the port is there");
        let numbers: Vec<u32> = said.split(' ').map(|number| number.parse().expect("a number")).collect();
        numbers.try_into().expect("four numbers")
    }

    /// Peak of what comes back of a sine of 0.25 through Catena.
    pub fn measure(&self) -> f32 {
        self.probe(&["measure", "Catena"]).expect("measured").parse().expect("a number")
    }

    /// The standalone with a chain on this server, when its ports are there. `prepare` may set variables.
    pub fn catena(&self, home: &Home, chain: &str, prepare: impl Fn(&mut Command)) -> Running {
        let mut command = home.catena([chain, "--no-editor", "--backend", "jack"]);
        self.env(&mut command);
        prepare(&mut command);
        let catena = Running(command.stderr(Stdio::null()).spawn().expect("catena starts"));
        wait("its ports", || self.probe(&["ports"]).is_some_and(|ports| ports.contains("Catena:midi_out")));
        catena
    }
}

/// Waits, a minute at most.
#[track_caller]
pub fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
