//! The fixtures that end the process do so, each where it says: what scans and workers are tested with. Each runs in a
//! child: this test's own executable, told by `CATENA_CRASH` what to do.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use catena_tests::clap_bench::{Bench, at_48k, host, open};
use catena_tests::fixtures::{clap, clap_id};
use host_core::backend::audio::ParamEvent;

const WHAT: &str = "CATENA_CRASH";
const FILE: &str = "CATENA_CRASH_FILE";

/// The signal that ended a child which did `what` with the library at `file`.
fn signal(what: &str, file: &Path) -> Option<i32> {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "child", "--ignored", "--nocapture"]).env(WHAT, what).env(FILE, file);
    child.output().unwrap().status.signal()
}

/// Not a test: what the children do.
#[test]
#[ignore = "ends the process; run by the tests of this file in a child"]
fn child() {
    let (Ok(what), Some(file)) = (std::env::var(WHAT), std::env::var_os(FILE)) else { return };
    let file = Path::new(&file);
    if what == "describe" {
        host_core::backend::clap::describe(file, &host()).unwrap();
        return;
    }
    let mut main = open(file, &clap_id(&what)).unwrap();
    let mut audio = main.activate(at_48k(64)).unwrap();
    audio.start();
    let mut bench = Bench::default();
    bench.run(audio.as_mut(), 64);
    bench.params.push(ParamEvent { frame: 9, index: 0, value: 1.0 });
    bench.run(audio.as_mut(), 64);
}

#[test]
fn each_crash_ends_its_process_where_it_says() {
    assert_eq!(signal("gain", clap()), None, "a good plugin ends no process");
    assert_eq!(signal("crash-create", clap()), Some(6));
    assert_eq!(signal("crash-run", clap()), Some(11));
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("crash-at-init.clap");
    std::fs::copy(clap(), &copy).unwrap();
    assert_eq!(signal("describe", &copy), Some(6));
}
