//! `catena doctor` names what is there and the cure for what is not.

use catena_tests::cli::{Home, texts};

fn findings(home: &Home, change: impl FnOnce(&mut std::process::Command)) -> (Option<i32>, serde_json::Value) {
    let mut command = home.catena(["doctor", "--json"]);
    change(&mut command);
    let output = command.output().unwrap();
    let (out, err) = texts(&output);
    (output.status.code(), serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}")))
}

fn find<'a>(report: &'a serde_json::Value, what: &str) -> &'a serde_json::Value {
    let all = report["findings"].as_array().unwrap();
    all.iter().find(|finding| finding["what"] == what).unwrap_or_else(|| panic!("no {what} in {report}"))
}

#[test]
fn a_machine_in_order_is_described() {
    let home = Home::scanned();
    let (code, report) = findings(&home, |_| {});
    assert_eq!(code, Some(0), "{report}");
    assert!(find(&report, "plugins")["found"].as_str().unwrap().starts_with("17 CLAP"), "{report}");
    assert!(find(&report, "CLAP path")["found"].as_str().unwrap().contains("/usr/lib/clap: 17 plugins"));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(find(&report, "worker")["grade"], "good");
    assert!(find(&report, "worker")["found"].as_str().unwrap().contains(version));
    assert!(find(&report, "core library")["found"].as_str().unwrap().contains("libcatena.so"), "{report}");
    for what in ["real-time rights", "locked memory", "JACK", "ALSA", "folders", "LV2 path"] {
        assert!(!find(&report, what)["found"].as_str().unwrap().is_empty(), "{what}: {report}");
    }
    assert!(find(&report, "DAWs")["found"].as_str().unwrap().contains("Ardour takes LV2, VST3"));
}

#[test]
fn each_fault_comes_with_its_cure() {
    let home = Home::new();
    let (code, report) = findings(&home, |command| {
        command.env("CATENA_WORKER", "/bin/false").env("CLAP_PATH", "/nowhere");
    });
    assert_eq!(code, Some(1));
    assert_eq!(find(&report, "worker")["grade"], "bad");
    assert_eq!(find(&report, "plugins")["cure"], "catena scan");
    assert_eq!(find(&report, "CLAP path")["cure"], "unset CLAP_PATH");
    for finding in report["findings"].as_array().unwrap() {
        let good = finding["grade"] == "good";
        assert_eq!(good, finding.get("cure").is_none(), "{finding}");
    }
}

#[test]
fn a_report_holds_the_log_and_not_the_users_name() {
    let home = Home::scanned();
    home.fails(1, ["show", "lost-file.catena"]);
    let report = home.ok(["doctor", "--report"]);
    assert!(report.contains("lost-file.catena: no such file"), "{report}");
    assert!(!report.contains(&home.path("state").display().to_string()), "{report}");
}
