//! `catena scan`, `list` and `info` on real plugins.

use catena_tests::cli::{Home, texts};
use catena_tests::fixtures;

#[test]
fn a_list_scans_by_itself_the_first_time_and_only_then() {
    let home = Home::new();
    let first = home.catena(["list", "zamcomp"]).output().unwrap();
    let (out, err) = texts(&first);
    assert!(out.contains("clap:com.zamaudio.ZamCompX2"), "{out}\n{err}");
    assert!(err.contains("first time"), "{err}");
    let (_, err) = texts(&home.catena(["list", "zamcomp"]).output().unwrap());
    assert_eq!(err, "");
}

#[test]
fn a_scan_counts_both_formats_and_answers_programs() {
    let home = Home::new();
    let found = home.json(["scan", "--force", "--json"]);
    assert_eq!(found["clap"], 17);
    assert!(found["lv2"].as_u64().unwrap() > 40, "{found}");
    let list = home.json(["list", "--json"]);
    assert_eq!(list["plugins"].as_array().unwrap().len() as u64, found["plugins"].as_u64().unwrap());
}

#[test]
fn info_shows_ports_parameters_with_units_and_ranges_and_the_latency() {
    let home = Home::scanned();
    let text = home.ok(["info", "ZaMaximX2"]);
    assert!(text.contains("clap:com.zamaudio.ZaMaximX2") && text.contains("latency   480 frames"), "{text}");
    let json = home.json(["info", "http://calf.sourceforge.net/plugins/Reverb", "--json"]);
    assert_eq!(json["ports"]["inputs"][0]["channels"], 2);
    let params = json["params"].as_array().unwrap();
    let decay = params.iter().find(|param| param["info"]["key"] == "decay_time").expect("Reverb has a decay time");
    assert_eq!(decay["info"]["unit"], "s");
    assert!(decay["info"]["min"].as_f64().unwrap() < decay["info"]["max"].as_f64().unwrap());
}

#[test]
fn a_measure_shows_what_a_plugin_says_beside_what_it_does() {
    let home = Home::scanned();
    let text = home.ok(["info", "ZaMaximX2", "--measure"]);
    assert!(text.contains("48000 Hz   reported 480  measured 480"), "{text}");
    let json = home.json(["info", "lv2:http://gareus.org/oss/lv2/dpl#stereo", "--measure", "--json"]);
    let rates: Vec<_> = json["measured"].as_array().unwrap().iter().map(|one| one["rate"].as_u64().unwrap()).collect();
    assert_eq!(rates, [44_100, 48_000, 96_000, 192_000]);
    for one in json["measured"].as_array().unwrap() {
        assert!(one["reported"].as_u64().unwrap() > 0 && one["reported"] == one["measured"], "{one}");
    }
    let home = Home::of_fixtures();
    let of = |name: &str, more: &[&str]| {
        let id = format!("clap:{}", fixtures::clap_id(name));
        home.ok([&["info", &id, "--measure"], more].concat())
    };
    let lie = of("latency-lie", &[]);
    assert!(lie.contains("44100 Hz   reported 32  measured 0") && lie.contains("-32 frames off"), "{lie}");
    assert!(of("gain", &[]).contains("96000 Hz   reported 0  measured 0"));
    // No impulse comes through a gate.
    let gate = of("gate", &[]);
    assert!(gate.contains("192000 Hz  reported 77  measured 77 (by noise)"), "{gate}");
    assert!(of("instrument", &[]).contains("nothing of what goes in comes out"));
    let id = format!("clap:{}", fixtures::clap_id("crash-run"));
    assert!(home.ok(["info", &id, "--measure"]).contains("measured 0"));
    let id = format!("clap:{}", fixtures::clap_id("fails"));
    assert!(home.ok(["info", &id, "--measure"]).contains("reported 0"));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let home = Home::scanned();
    let catena = catena_tests::cli::programs().join("catena");
    let script = format!("set -o pipefail; '{}' list --json | head -1", catena.display());
    let output = home.command("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(texts(&output), ("{\n".into(), String::new()));
    assert!(output.status.success());
}

#[test]
fn a_plugins_presets_are_shown_and_loaded_by_name() {
    let home = Home::of_fixtures();
    let text = home.ok(["info", "Fixture presets"]);
    assert!(text.contains("presets") && text.contains("Quiet") && text.contains("Loud"), "{text}");
    assert!(!text.contains("Foreign"), "another plugin's: {text}");
    home.ok(["new", "c.catena", "Fixture presets"]);
    home.ok(["edit", "c.catena", "preset", "1", "Quiet"]);
    let chain = home.json(["show", "c.catena", "--json"]);
    assert_eq!(chain["nodes"][0]["params"]["100"], 0.25, "{chain}");
    let said = home.fails(2, ["edit", "c.catena", "preset", "1", "Quite"]);
    assert!(said.contains("Quite") && said.contains("catena presets"), "{said}");
    let said = home.fails(1, ["edit", "c.catena", "preset", "1", "Broken"]);
    assert!(said.contains("\"Broken\" was not loaded"), "{said}");
    assert_eq!(home.json(["show", "c.catena", "--json"]), chain);
}
