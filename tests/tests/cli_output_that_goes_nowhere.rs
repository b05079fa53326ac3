//! A result that cannot be printed is an error in one sentence; a reader that went away is none. Work that takes its time
//! shows on a terminal that it goes on.

use std::fs::OpenOptions;
use std::process::Stdio;
use std::time::{Duration, Instant};

use catena_tests::cli::{Home, programs, texts};
use catena_tests::outside::Outside;

/// Every command that prints a result.
const PRINTING: [&[&str]; 16] = [
    &["--help"],
    &["--version"],
    &["render", "--help"],
    &["list"],
    &["list", "--json"],
    &["list", "--bad"],
    &["info", "Fixture gain"],
    &["info", "Fixture gain", "--json"],
    &["show", "c.catena"],
    &["show", "c.catena", "--json"],
    &["scan"],
    &["scan", "--json"],
    &["doctor"],
    &["doctor", "--json"],
    &["doctor", "--report"],
    &["edit", "--help"],
];

fn ready() -> Home {
    let home = Home::of_fixtures();
    home.ok(["new", "c.catena", "Fixture gain", "Fixture eight"]);
    home.sine("in.wav", 48_000, 4800);
    home
}

#[test]
fn a_full_disk_behind_standard_output_is_one_sentence() {
    let home = ready();
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let said = |args: &[&str]| {
        let output = home.catena(args).stdout(full()).output().unwrap();
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{args:?}: {err}");
        assert!(err.contains("could not be printed") && err.contains("full"), "{args:?}: {err}");
        err
    };
    PRINTING.iter().for_each(|args| drop(said(args)));
    // The file is there all the same, and it is said.
    for report in ["--report", "--json"] {
        let _none = std::fs::remove_file(home.path("out.wav"));
        let said = said(&["render", "in.wav", "out.wav", "--chain", "c.catena", report]);
        assert!(said.contains("out.wav is written"), "{said}");
        assert!(home.path("out.wav").is_file());
    }
    // What prints nothing has nothing to fail with.
    for args in [&["new", "d.catena", "Fixture gain"][..], &["edit", "d.catena", "bypass", "1"]] {
        let output = home.catena(args).stdout(full()).output().unwrap();
        assert_eq!((output.status.code(), texts(&output).1), (Some(0), String::new()), "{args:?}");
    }
    // Nobody hears the sentence either: the exit code still tells.
    let deaf = home.catena(["list"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(deaf.code(), Some(1));
    let deaf = home.catena(["show", "none.catena"]).stderr(full()).status().unwrap();
    assert_eq!(deaf.code(), Some(1));
}

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    let home = ready();
    for args in PRINTING.iter().chain(&[&["render", "in.wav", "out.wav", "--chain", "c.catena", "--report"][..]]) {
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        let output = home.catena(*args).stdout(write).output().unwrap();
        assert_eq!((output.status.code(), texts(&output).1), (Some(0), String::new()), "{args:?}");
    }
    let script = format!("set -o pipefail; '{}' list | head -1", programs().join("catena").display());
    let output = home.command("bash").args(["-c", &script]).output().unwrap();
    assert!(output.status.success() && texts(&output).1.is_empty(), "{:?}", texts(&output));
}

/// Runs `catena` on a terminal until what it shows satisfies `seen`, then lets the plugin go on; all that was shown.
fn on_a_terminal(home: &Home, outside: &Outside, args: &str, seen: &str) -> String {
    outside.stall("open");
    let shown = home.path("shown");
    let command = format!("'{}' {args}", programs().join("catena").display());
    let mut script = home.command("script");
    script.args(["--quiet", "--return", "--flush", "--command", &command]).arg(&shown);
    script.env("CATENA_FIXTURES", outside.folder()).env("TERM", "xterm");
    let mut child = script.stdout(Stdio::null()).spawn().expect("script");
    // What is shown anew ten times a second is much: the end will do.
    let text = || {
        let bytes = std::fs::read(&shown).unwrap_or_default();
        String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(1000)..]).into_owned()
    };
    let begun = Instant::now();
    while !text().contains(seen) {
        assert!(child.try_wait().unwrap().is_none(), "it ended without a sign: {}", text());
        assert!(begun.elapsed() < Duration::from_secs(60), "no sign of life: {}", text());
        std::thread::sleep(Duration::from_millis(20));
    }
    outside.release();
    assert!(child.wait().unwrap().success(), "{}", text());
    text()
}

#[test]
fn what_takes_its_time_shows_that_it_goes_on() {
    let home = ready();
    let outside = Outside::at(home.path("outside"));
    on_a_terminal(&home, &outside, "new s.catena 'Fixture stalls'", "Opening the plugins");
    on_a_terminal(&home, &outside, "info 'Fixture stalls'", "Opening Fixture stalls");
    on_a_terminal(&home, &outside, "edit s.catena bypass 1", "Opening the chain");
    on_a_terminal(&home, &outside, "render in.wav out.wav --chain s.catena", "Opening the chain");
    on_a_terminal(&home, &outside, "scan --force", "Scanning");
}
