//! `catena needs` reads the chains in sessions that Ardour and qtractor wrote themselves.

use std::path::Path;
use std::process::Command;

use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::bundle::Bundle;
use catena_tests::cli::programs;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::fixtures;
use catena_tests::qtractor::Qtractor;
use serde_json::{Value, json};

/// What it says of `path`; everything is here.
fn needs(path: &Path) -> Value {
    fixtures::worker();
    let output = Command::new(programs().join("catena")).args(["needs", "--json"]).arg(path).output().expect("catena");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).expect("JSON")
}

fn ids(told: &Value) -> Vec<&str> {
    told["plugins"].as_array().expect("plugins").iter().map(|one| one["id"].as_str().expect("an id")).collect()
}

fn ardours(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[stereo("chain")], 0.0);
    ardour.set_chain("chain", &chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.25)])]));
    ardour.reopen(&[("chain", 512)]);
    let told = needs(&ardour.session());
    assert_eq!(ids(&told), [fixtures::clap_id("delay"), fixtures::clap_id("gain")]);
    let place = told["plugins"][0]["places"][0].as_str().expect("a place");
    assert!(place.ends_with("s.ardour, chain"), "{place}");
}

#[test]
fn of_ardours_with_the_lv2() {
    with_fixtures("of_ardours_with_the_lv2", || ardours(Format::Lv2));
}

#[test]
fn of_ardours_with_the_vst3() {
    with_fixtures("of_ardours_with_the_vst3", || ardours(Format::Vst3));
}

#[test]
fn of_qtractors() {
    with_fixtures("of_qtractors", || {
        let bundle = Bundle::new();
        for qtractor in
            [Qtractor::new(&bundle, "catena-audio.catena"), Qtractor::lv2(&bundle, "urn:catena-audio:catena")]
        {
            qtractor.open_and_save();
            qtractor.set_state(&chain(&[("delay", &[]), ("gain", &[("100", 0.25)])]));
            qtractor.open_and_save();
            let told = needs(&qtractor.session());
            assert_eq!(ids(&told), [fixtures::clap_id("delay"), fixtures::clap_id("gain")]);
            assert_eq!(told["chains"].as_array().map(Vec::len), Some(1), "{}", json!(told["chains"]));
        }
    });
}
