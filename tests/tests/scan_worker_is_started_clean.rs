//! The worker gets no descriptor of ours, leaves no process behind, and is refused when it is of another version.

use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use catena_tests::fixtures;
use catena_tests::scan_bench::Bench;
use host_core::child::{ChildError, End, ask};

fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("catena-worker");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn running(argument: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|part| part == argument.as_bytes())
    })
}

/// Whether nothing with this argument runs any more. One that was killed may need a moment to be gone.
fn ends(argument: &str) -> bool {
    let start = Instant::now();
    while running(argument) && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    !running(argument)
}

#[test]
fn another_version_a_stranger_and_a_missing_program_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let said = |text: &str| ask(&script(folder.path(), text), "{}", Duration::from_secs(5)).unwrap_err();
    let error = said("echo catena-worker 9.8.7; read x; exit 0");
    assert!(matches!(&error, ChildError::Version { found, .. } if found == "9.8.7"), "{error}");
    assert!(error.to_string().contains("install both from one release"), "{error}");
    assert!(matches!(said("echo hello"), ChildError::Stranger { .. }));
    assert!(matches!(said("exit 0"), ChildError::Stranger { .. }));
    let missing = ask(Path::new("/nowhere/catena-worker"), "{}", Duration::from_secs(5)).unwrap_err();
    assert!(missing.to_string().starts_with("/nowhere/catena-worker: cannot be started"), "{missing}");
}

#[test]
fn it_is_killed_with_its_children_when_its_time_is_up() {
    let folder = tempfile::tempdir().unwrap();
    let greeting = host_core::child::greeting();
    let program = script(folder.path(), &format!("echo {greeting}; sleep 54322.5 & echo said; sleep 54322.5"));
    let start = Instant::now();
    let answer = ask(&program, "{}", Duration::from_millis(300)).unwrap();
    assert_eq!((answer.end, answer.lines), (End::TimedOut(Duration::from_millis(300)), vec!["said".to_owned()]));
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(ends("54322.5"));
}

#[test]
fn an_endless_answer_and_a_deaf_worker_end() {
    let folder = tempfile::tempdir().unwrap();
    let greeting = host_core::child::greeting();
    let endless = script(folder.path(), &format!("echo {greeting}; yes"));
    assert_eq!(ask(&endless, "{}", Duration::from_secs(60)).unwrap().end, End::Flood);
    let deaf = script(folder.path(), &format!("echo {greeting}; sleep 54323.5"));
    let long = "x".repeat(10 << 20);
    assert_eq!(ask(&deaf, &long, Duration::from_millis(300)).unwrap().end, End::TimedOut(Duration::from_millis(300)));
    let dies = script(folder.path(), &format!("echo {greeting}; echo bad luck >&2; kill -BUS $$"));
    let answer = ask(&dies, "{}", Duration::from_secs(5)).unwrap();
    assert_eq!((answer.end.to_string().as_str(), answer.printed.as_str()), ("crashed (bus error)", "bad luck"));
}

#[test]
fn a_plugin_sees_no_descriptor_of_ours_and_leaves_no_process() {
    let bench = Bench::new();
    bench.add("descriptors");
    bench.add("forks");
    let ours = std::fs::File::create(bench.root.path().join("not-for-the-worker")).unwrap();
    // As a DAW opens its files: inherited by children.
    rustix::io::fcntl_setfd(&ours, rustix::io::FdFlags::empty()).unwrap();
    assert!(ours.as_raw_fd() > 2);
    let (catalog, _) = bench.scan(false);
    assert_eq!(catalog.plugins.len(), 2, "{:?}", catalog.bad);
    assert!(ends("54321.5"));
}

#[test]
fn a_worker_that_does_not_fit_stops_the_scan_with_one_line() {
    // The variable is the whole process's: a process of its own.
    if std::env::var_os("CATENA_WORKER").is_some() {
        let bench = Bench::new();
        bench.add("good");
        let scan = host_core::scan::scan(&bench.paths, &bench.folders, false, &mut |_| {});
        println!("error: {}", scan.unwrap_err());
        return;
    }
    fixtures::worker();
    let folder = tempfile::tempdir().unwrap();
    let program = script(folder.path(), "echo catena-worker 9.8.7");
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_worker_that_does_not_fit_stops_the_scan_with_one_line", "--nocapture"])
        .env("CATENA_WORKER", &program)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("error: {}: is of version 9.8.7", program.display())), "{text}");
}
