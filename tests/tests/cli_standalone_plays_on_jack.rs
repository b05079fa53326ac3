//! The standalone on a JACK server with the dummy driver: sound passes, latency is told, another block size and freewheel
//! change nothing else, and it ends when asked to.

use std::process::Command;

use catena_tests::cli::{Home, texts};
use catena_tests::jack_server::{Server, wait};
use catena_tests::outside::Outside;

const PROBE: &str = env!("CARGO_BIN_EXE_jack-probe");

#[test]
fn sound_latency_block_size_and_freewheel() {
    let home = Home::scanned();
    home.ok(["new", "c.catena", "ZaMaximX2"]);
    let server = Server::start(&home, PROBE);
    let mut catena = server.catena(&home, "c.catena", |_| {});
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
fn another_block_size_or_freewheel_reloads_and_restarts_no_plugin() {
    let home = Home::of_fixtures();
    home.ok(["new", "c.catena", "Fixture gain", "Fixture delay", "Fixture mono"]);
    let outside = Outside::at(home.path("outside"));
    let server = Server::start(&home, PROBE);
    let _catena = server.catena(&home, "c.catena", |command| {
        command.env("CATENA_FIXTURES", outside.folder());
    });
    assert!((0.2..0.3).contains(&server.measure()));
    let started = outside.log();
    // The mono plugin runs twice. What a first use tries in a child is gone again.
    let count = |end: &str| started.iter().filter(|line| line.ends_with(end)).count();
    assert_eq!(count("made") - count("gone"), 4, "{started:?}");
    assert_eq!(started.iter().filter(|line| line.contains("activated 48000 8192")).count(), 4, "{started:?}");
    for frames in ["1024", "8192", "16", "256"] {
        server.probe(&["bufsize", frames]).expect("the server takes the block size");
        let peak = server.measure();
        assert!((0.2..0.3).contains(&peak), "blocks of {frames}: {peak}");
    }
    server.probe(&["freewheel", "on"]).expect("freewheeling");
    server.probe(&["freewheel", "off"]).expect("in real time again");
    assert!((0.2..0.3).contains(&server.measure()));
    assert_eq!(outside.log(), started, "something was done to the plugins");
}

#[test]
fn jacks_transport_reaches_a_plugin_with_bar_beat_and_tempo() {
    let home = Home::of_fixtures();
    home.ok(["new", "c.catena", "Fixture witness"]);
    let server = Server::start(&home, PROBE);
    let _catena = server.catena(&home, "c.catena", |_| {});
    let said = server.probe(&["song", "Catena"]).expect("a song");
    let said: Vec<f64> = said.split(' ').map(|number| number.parse().expect("a number")).collect();
    let (frame, told) = (said[0], &said[1..]);
    // 90 quarters a minute in 3/4, as the probe masters it; a tick is 1/1920 of a beat.
    let beats = frame / 48_000.0 * 1.5;
    let bar = (beats / 3.0).floor();
    assert!(frame > 48_000.0, "it rolls: {said:?}");
    assert_eq!(told[1] as u32 & 16, 16, "playing: {said:?}");
    assert_eq!(told[2], 90.0, "tempo: {said:?}");
    assert!((told[3] - beats).abs() < 0.002, "{beats} beats: {said:?}");
    assert!((told[4] - frame / 48_000.0).abs() < 1e-4, "seconds: {said:?}");
    assert_eq!((told[9], told[10]), (bar * 3.0, bar), "bar: {said:?}");
    assert_eq!((told[11], told[12]), (3.0, 4.0), "signature: {said:?}");
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
