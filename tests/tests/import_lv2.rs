//! MOD's pedalboards and bundles of LV2 presets.

use catena_tests::fixtures_lv2::Fixtures;
use catena_tests::imports::{assert_lines, catalog, kept, plugins, read, slots};
use catena_tests::lv2_bench::Bench;
use host_core::backend::AudioAt;
use host_core::model::{Catalog, Lv2State, PluginState, Split};
use host_core::store::import::{self, together};

/// What a fixture tells on `is` when it was given a state.
fn number(fixtures: &Fixtures, name: &str, state: &PluginState) -> f64 {
    let mut bench = Bench::open(fixtures, name);
    bench.main.load(state, AudioAt::Inactive).unwrap();
    bench.start(48_000.0, 64, false);
    bench.run(64);
    bench.value("is")
}

#[test]
fn of_a_pedalboard_what_stands_in_series_and_side_by_side_is_taken_and_the_rest_is_named() {
    let fixtures = Fixtures::new();
    let found = read(&kept("Clean.pedalboard"), &catalog(&fixtures));
    let [board] = &found[..] else { panic!("{found:?}") };
    assert_eq!(board.chain.name, "Clean \"8\"");
    assert_eq!(
        plugins(&board.chain),
        [
            "lv2:urn:catena-fixture:gain",
            "lv2:http://gareus.org/oss/lv2/fil4#stereo",
            "lv2:urn:catena-fixture:state-files",
            "lv2:http://example.org/room",
            "lv2:http://example.org/room",
            "lv2:urn:catena-fixture:gain"
        ]
    );
    // Two copies that are summed.
    let lanes: Vec<_> = board.chain.groups().map(|group| (group.split.clone(), group.lanes.len())).collect();
    assert_eq!(lanes, [(Split::Copy, 2)]);
    let slots = slots(&board.chain);
    assert_eq!((slots[0].params["gain"], slots[5].params["gain"]), (0.25, 0.5));
    assert_eq!((slots[1].params["gain"], slots[1].params["freq1"], slots[1].params["sec1"]), (-3.0, 160.0, 1.0));
    assert_eq!(slots.iter().map(|slot| slot.bypass).collect::<Vec<_>>(), [false, true, false, false, false, false]);
    assert_eq!(slots[1].title(), "equaliser", "not installed, it is called as on the board");
    // The board's own value comes before the preset's.
    assert_eq!(slots[2].params["set"], 0.0);
    let state = slots[2].state.as_ref().unwrap();
    assert_eq!(&*state.assets["cab (8x12).txt"], b"12");
    assert_eq!(number(&fixtures, "state-files", state), 12.0);
    assert_lines(
        &board.untaken,
        &[
            "equaliser (lv2:http://gareus.org/oss/lv2/fil4#stereo) is not installed",
            "Fixture gain: the MIDI controller of gain",
            "urn:catena-fixture:state#other the file \"../../../etc/passwd\"",
            "room_a (lv2:http://example.org/room) is not installed",
            "room_b (lv2:http://example.org/room) is not installed",
            "tuner (http://example.org/tuner): nothing that leaves",
            "the connection from end/out back to level/in",
            "the connections of playback_3",
            "the tempo, 97.5 BPM",
            "1 assignments of the device's knobs",
            "2 snapshots",
        ],
    );
}

#[test]
fn each_preset_of_a_folder_is_a_chain_and_a_plugin_takes_its_values_and_state() {
    let fixtures = Fixtures::new();
    let found = read(&kept("presets"), &catalog(&fixtures));
    let names: Vec<_> = found.iter().map(|one| one.file_name.as_str()).collect();
    assert_eq!(names, ["Fixture gain - Größer / lauter", "Fixture state-safe - Room"]);
    assert_eq!(slots(&found[0].chain)[0].params["gain"], 1.75);
    assert_lines(&found[0].untaken, &["the value of odd is no number"]);
    let state = slots(&found[1].chain)[0].state.clone().unwrap();
    assert_eq!(number(&fixtures, "state-safe", &state), 33.0);
    assert_lines(&found[1].untaken, &["urn:x:tuple is made of several parts"]);
    // Each value is one that a plugin could have stored: one that keeps none of its own hands them on as they are.
    let mut bench = Bench::open(&fixtures, "gain");
    bench.main.load(&state, AudioAt::Inactive).unwrap();
    let properties = |state: &PluginState| Lv2State::from_bytes(&state.bytes).unwrap().properties;
    let saved = properties(&bench.main.save(AudioAt::Inactive).unwrap());
    assert_eq!((saved.len(), &saved), (9, &properties(&state)));
    let all = together(found, "All");
    assert_eq!(plugins(&all.chain), ["lv2:urn:catena-fixture:gain", "lv2:urn:catena-fixture:state-safe"]);
    let ids: Vec<_> = all.chain.slots().map(|slot| slot.id.0).collect();
    assert_eq!((ids, all.untaken.len()), (vec![1, 2], 2));
}

#[test]
fn the_presets_that_a_real_plugin_brings_are_taken() {
    let found = read("/usr/lib/lv2/ZamEQ2.lv2".as_ref(), &Catalog::default());
    let names: Vec<_> = found.iter().map(|one| one.chain.name.as_str()).collect();
    assert_eq!(names, ["Zero", "CarvedBass", "CarvedGuitar", "CarvedVox"]);
    assert!(found.iter().all(|one| slots(&one.chain)[0].params.len() > 10), "{found:?}");
    assert_eq!(slots(&found[1].chain)[0].params["f1"], 500.0);
    let names: Vec<_> = read("/usr/lib/lv2/ZamEQ2.lv2/presets.ttl".as_ref(), &Catalog::default());
    assert_eq!(names.len(), 4);
}

#[test]
fn a_folder_with_nothing_in_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let error = import::read(folder.path(), &Catalog::default(), false).unwrap_err().to_string();
    assert!(error.contains("Turtle") && error.contains(&*folder.path().to_string_lossy()), "{error}");
    let error = import::read("/usr/lib/lv2/core.lv2".as_ref(), &Catalog::default(), false).unwrap_err().to_string();
    assert!(error.contains("no preset and no pedalboard"), "{error}");
}
