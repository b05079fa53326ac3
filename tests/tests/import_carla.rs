//! Carla's projects: what a rack or a patchbay plays is taken, what cannot be is named.

use std::os::unix::fs::symlink;
use std::path::Path;

use catena_tests::cli::{Home, samples};
use catena_tests::fixtures_lv2::{Fixtures, lay_out};
use catena_tests::imports::{assert_lines, catalog, kept, plugins, read, slots};
use catena_tests::lv2_bench::Bench;
use host_core::backend::AudioAt;
use host_core::model::Lv2State;

#[test]
fn a_racks_plugins_are_taken_in_order_with_all_that_is_theirs() {
    let fixtures = Fixtures::new();
    let found = read(&kept("rack.carxp"), &catalog(&fixtures));
    let [one] = &found[..] else { panic!("{found:?}") };
    assert_eq!((one.chain.name.as_str(), one.file_name.as_str()), ("rack", "rack"));
    assert_eq!(
        plugins(&one.chain),
        [
            "clap:catena.fixture.gain",
            "lv2:urn:catena-fixture:gain",
            "lv2:urn:catena-fixture:state-safe",
            "lv2:http://example.org/absent"
        ]
    );
    let slots = slots(&one.chain);
    assert_eq!(slots.iter().map(|slot| slot.title()).collect::<Vec<_>>()[0], "Vocal & Lead");
    assert_eq!(&*slots[0].state.as_ref().unwrap().bytes, &0.5_f64.to_le_bytes());
    assert!((slots[1].output_gain + 6.0206).abs() < 1e-3, "{}", slots[1].output_gain);
    assert_eq!((slots[1].params["gain"], slots[1].params["of_later"]), (0.5, 3.0));
    assert_eq!(slots[1].name, None, "it is called as its plugin is");
    assert_eq!((slots[2].mix, slots[2].bypass, slots[3].bypass), (0.25, false, true));
    // What is not installed keeps everything.
    assert_eq!((slots[3].title(), slots[3].params["size"]), ("Far Reverb", 0.730000019073486));
    let state = Lv2State::from_bytes(&slots[3].state.as_ref().unwrap().bytes).unwrap();
    assert_eq!((state.plugin.as_str(), state.ports["size"]), ("http://example.org/absent", 0.73));
    assert_eq!(state.properties[0].text.as_deref(), Some("<Große Halle>"));
    assert_lines(
        &one.untaken,
        &[
            "Vocal & Lead (clap:catena.fixture.gain) is not installed",
            "controller 74 of gain",
            "TAP Equalizer: a plugin of the kind LADSPA",
            "Fixture state-safe: its balance, -0.5 left and 1 right",
            "urn:catena-fixture:state#sample the file \"/etc/passwd\" lies outside of the project",
            "Far Reverb (lv2:http://example.org/absent) is not installed",
            "Far Reverb: it is switched off, which is silence in Carla",
            "1 connections to other programs and the sound card",
        ],
    );
}

#[test]
fn a_plugin_takes_the_state_that_carla_kept() {
    let fixtures = Fixtures::new();
    let found = read(&kept("rack.carxp"), &catalog(&fixtures));
    let state = slots(&found[0].chain)[2].state.clone().unwrap();
    let mut bench = Bench::open(&fixtures, "state-safe");
    bench.main.load(&state, AudioAt::Inactive).unwrap();
    bench.start(48_000.0, 64, false);
    bench.run(64);
    assert_eq!(bench.value("is"), 5.0);
}

#[test]
fn of_a_patchbay_what_stands_in_series_and_side_by_side_is_taken() {
    let fixtures = Fixtures::new();
    let found = read(&kept("patchbay.carxp"), &catalog(&fixtures));
    let titles: Vec<_> = found[0].chain.slots().map(|slot| slot.title().to_owned()).collect();
    assert_eq!(titles, ["First", "Beside: A", "Beside", "Last"]);
    let group = found[0].chain.groups().next().unwrap();
    assert!(group.lanes.iter().all(|lane| lane.nodes.len() == 1 && !lane.dry) && group.lanes.len() == 2, "{group:?}");
    assert_lines(&found[0].untaken, &[]);
}

/// A home that sees the fixtures of both formats.
fn home() -> Home {
    let home = Home::of_fixtures();
    lay_out(&home.path("clap"));
    // Its description is what the fixtures' stand on.
    let _there = symlink("/usr/lib/lv2/core.lv2", home.path("clap/core.lv2"));
    for bundle in ["crash-open", "hang-open"] {
        std::fs::remove_dir_all(home.path(format!("clap/{bundle}.lv2"))).unwrap();
    }
    home.ok(["scan"]);
    home
}

fn peak(path: &Path) -> f32 {
    samples(path).1.iter().fold(0.0, |peak, sample| sample.abs().max(peak))
}

#[test]
fn the_command_makes_a_chain_that_is_heard_as_carla_plays_it() {
    let home = home();
    std::fs::copy(kept("rack.carxp"), home.path("rack.carxp")).unwrap();
    let output = home.catena(["import", "rack.carxp", "--out", "rack.catena"]).output().unwrap();
    let (out, err) = catena_tests::cli::texts(&output);
    assert!(output.status.success() && out.trim() == "rack.catena", "{out}\n{err}");
    for told in [
        "not taken: TAP Equalizer",
        "not taken: Fixture gain: of_later, which the plugin that is installed does not have",
        "not taken: Far Reverb (lv2:http://example.org/absent) is not installed",
    ] {
        assert!(err.contains(told), "{told}: {err}");
    }
    let sine = home.sine("in.wav", 48_000, 48_000);
    home.ok(["render", "in.wav", "out.wav", "--chain", "rack.catena", "--keep-going", "--bits", "32f"]);
    // Half by its state, half by its parameter, half by its volume.
    let level = peak(&home.path("out.wav")) / peak(&sine);
    assert!((level - 0.125).abs() < 1e-3, "{level}");
    // Nothing is replaced unasked.
    let said = home.fails(1, ["import", "rack.carxp", "--out", "rack.catena"]);
    assert!(said.contains("rack.catena") && said.contains("--force"), "{said}");
    let json = home.json(["import", "rack.carxp", "--out", "rack.catena", "--force", "--json"]);
    assert_eq!(json["chains"][0]["slots"][1]["plugin"], "lv2:urn:catena-fixture:gain");
    assert!(json["chains"][0]["not-taken"].as_array().unwrap().len() > 5, "{json}");
}
