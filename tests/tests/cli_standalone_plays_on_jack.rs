//! The standalone on a JACK server with the dummy driver: sound passes, latency is told, another block size and freewheel
//! change nothing else, and it ends when asked to.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use catena_tests::cli::{Home, texts};
use catena_tests::running::{Running, jack_server};

/// A JACK server of this test's own.
struct Server {
    name: String,
    _process: Running,
}

impl Server {
    fn start(home: &Home) -> Self {
        let name = format!("catena-test-{}", std::process::id());
        let environment = |command: &mut Command| {
            let own = home.command("jackd");
            command.envs(own.get_envs().filter_map(|(key, value)| Some((key, value?))));
        };
        let process = jack_server(&name, &home.path("jack.log"), environment);
        let server = Self { name, _process: process };
        wait("the server to answer", || server.probe(&["ports"]).is_some());
        server
    }

    fn env(&self, command: &mut Command) {
        command.env("JACK_DEFAULT_SERVER", &self.name);
    }

    /// What a probe says; none if it failed.
    fn probe(&self, args: &[&str]) -> Option<String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jack-probe"));
        self.env(command.args(args));
        let output = command.output().expect("the probe starts");
        output.status.success().then(|| texts(&output).0.trim().to_owned())
    }

    fn latency(&self, port: &str) -> [u32; 4] {
        let said = self.probe(&["latency", port]).expect("the port is there");
        let numbers: Vec<u32> = said.split(' ').map(|number| number.parse().expect("a number")).collect();
        numbers.try_into().expect("four numbers")
    }

    fn measure(&self) -> f32 {
        self.probe(&["measure", "Catena"]).expect("measured").parse().expect("a number")
    }
}

#[track_caller]
fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn sound_latency_block_size_and_freewheel() {
    let home = Home::scanned();
    home.ok(["new", "c.catena", "ZaMaximX2"]);
    let server = Server::start(&home);
    let mut command = home.catena(["c.catena", "--no-editor", "--backend", "jack"]);
    server.env(&mut command);
    let mut catena = Running(command.stderr(Stdio::null()).spawn().expect("catena starts"));
    wait("its ports", || server.probe(&["ports"]).is_some_and(|ports| ports.contains("Catena:midi_out")));
    let log = || std::fs::read_to_string(home.path("state/catena/log/catena.log")).unwrap_or_default();
    wait("the driver", || log().contains("Sound: JACK, 48000 Hz, blocks of 256"));

    let peak = server.measure();
    assert!((0.15..0.3).contains(&peak), "a sine of 0.25 came back with {peak}");

    // ZaMaximX2 delays by 480 frames: JACK's clients must be told.
    wait("the latency to be told", || server.latency("Catena:out_1")[0] == server.latency("Catena:in_1")[0] + 480);
    let (input, output) = (server.latency("Catena:in_1"), server.latency("Catena:out_1"));
    assert_eq!(output[1], input[1] + 480, "capture, longest");
    assert_eq!([input[2], input[3]], [output[2] + 480, output[3] + 480], "playback");

    for frames in ["1024", "8192", "64"] {
        server.probe(&["bufsize", frames]).expect("the server takes the block size");
        wait("the block size", || log().contains(&format!("blocks of {frames}")));
        let peak = server.measure();
        assert!((0.15..0.3).contains(&peak), "blocks of {frames}: {peak}");
    }
    assert_eq!(log().matches("Sound: JACK").count(), 1, "the driver was opened again:\n{}", log());

    server.probe(&["freewheel", "on"]).expect("freewheeling");
    wait("freewheel", || log().contains("freewheeling"));
    server.probe(&["freewheel", "off"]).expect("in real time again");
    let peak = server.measure();
    assert!((0.15..0.3).contains(&peak), "after freewheel: {peak}");

    let asked = Command::new("kill").args(["-TERM", &catena.0.id().to_string()]).status().expect("kill runs");
    assert!(asked.success());
    assert_eq!(catena.0.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_server_that_is_not_there_is_named_and_the_dummy_is_never_silent() {
    let home = Home::scanned();
    home.ok(["new", "c.catena"]);
    let mut jack = home.catena(["c.catena", "--no-editor", "--backend", "jack"]);
    jack.env("JACK_DEFAULT_SERVER", "catena-test-of-no-server");
    let output = jack.output().expect("catena starts");
    let said = catena_tests::cli::refused(&output, 1);
    assert!(said.contains("no server runs") && said.contains("jackd"), "{said}");

    let said = home.fails(1, ["c.catena", "--no-editor", "--backend", "alsa", "--device", "no such card"]);
    assert!(said.contains("ALSA"), "{said}");

    let mut alone = home.command("timeout");
    alone
        .args(["--signal=TERM", "10"])
        .arg(catena_tests::cli::programs().join("catena"))
        .args(["c.catena", "--no-editor"]);
    alone.args(["--backend", "dummy"]);
    let output = alone.output().expect("it starts");
    let (_, said) = texts(&output);
    assert!(said.contains("No sound") && said.contains("dummy driver was asked for"), "{said}");
}
