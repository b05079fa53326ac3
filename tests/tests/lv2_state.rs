//! States of LV2 plugins: saved, restored, refused, carried over, with their files.

use std::path::Path;

use catena_tests::fixtures_lv2::Fixtures;
use catena_tests::lv2_bench::Bench;
use host_core::backend::{self, AudioAt, StateError};
use host_core::model::{GRID, PluginState};

fn with_number(fixtures: &Fixtures, name: &str, number: f64) -> (Bench, PluginState) {
    let mut bench = Bench::started(fixtures, name);
    bench.set("set", number);
    bench.run(64);
    bench.set("set", 0.0);
    bench.run(64);
    assert_eq!(bench.value("is"), number);
    let state = bench.main.save(AudioAt::Away).unwrap();
    (bench, state)
}

#[test]
fn eight_mebibytes_come_back_and_the_next_save_is_the_same_byte_for_byte() {
    let fixtures = Fixtures::new();
    let (_first, state) = with_number(&fixtures, "state-8m", 77.0);
    assert!(state.bytes.len() > 8 << 20);
    let mut again = Bench::open(&fixtures, "state-8m");
    again.main.load(&state, AudioAt::Inactive).unwrap();
    again.start(44_100.0, 128, false);
    again.run(64);
    assert_eq!(again.value("is"), 77.0);
    assert!(again.main.save(AudioAt::Away).unwrap() == state, "asked afresh");
}

#[test]
fn a_plugin_that_overrides_its_state_when_activated_still_ends_with_what_was_saved() {
    let fixtures = Fixtures::new();
    let (_first, state) = with_number(&fixtures, "state-override", 5.0);
    let mut again = Bench::open(&fixtures, "state-override");
    again.main.load(&state, AudioAt::Inactive).unwrap();
    again.start(48_000.0, 64, false);
    again.run(64);
    assert_eq!(again.value("is"), 5.0);
}

#[test]
fn a_new_rate_or_block_makes_a_new_instance_with_the_old_state_and_the_same_ones_do_not() {
    let fixtures = Fixtures::new();
    let (mut bench, _) = with_number(&fixtures, "state-safe", 5.0);
    for (rate, block) in [(48_000.0, 256), (96_000.0, 256), (96_000.0, 1024)] {
        bench.stop();
        bench.start(rate, block, false);
        bench.run(64);
        assert_eq!(bench.value("is"), 5.0, "{rate} {block}");
    }
}

#[test]
fn a_state_that_is_restored_and_never_run_on_is_carried_over_all_the_same() {
    let fixtures = Fixtures::new();
    let (_first, state) = with_number(&fixtures, "state-safe", 5.0);
    let mut again = Bench::open(&fixtures, "state-safe");
    again.main.load(&state, AudioAt::Inactive).unwrap();
    assert_eq!(again.main.save(AudioAt::Inactive).unwrap(), state, "before it is ever active");
    for rate in [44_100.0, 96_000.0] {
        again.start(rate, 64, false);
        again.stop();
    }
    assert_eq!(again.main.save(AudioAt::Inactive).unwrap(), state);
}

#[test]
fn only_a_plugin_that_allows_it_is_restored_while_it_runs() {
    let fixtures = Fixtures::new();
    let (mut safe, state) = with_number(&fixtures, "state-safe", 5.0);
    safe.set("set", 9.0);
    safe.run(64);
    safe.set("set", 0.0);
    safe.main.load(&state, AudioAt::Away).unwrap();
    safe.run(64);
    assert_eq!(safe.value("is"), 5.0);
    let (mut other, state) = with_number(&fixtures, "state-8m", 5.0);
    assert!(matches!(other.main.load(&state, AudioAt::Away), Err(StateError::Running(_))));
    let audio = other.audio.as_mut().unwrap();
    other.main.load(&state, AudioAt::Home(audio.as_mut())).unwrap();
}

#[test]
fn a_refused_or_damaged_state_is_an_error_that_names_the_plugin() {
    let fixtures = Fixtures::new();
    let (_first, state) = with_number(&fixtures, "state-refuses", 5.0);
    let mut again = Bench::open(&fixtures, "state-refuses");
    let error = again.main.load(&state, AudioAt::Inactive).unwrap_err();
    assert!(matches!(&error, StateError::Refused(id) if id.id.ends_with("state-refuses")), "{error}");
    let broken = PluginState { bytes: state.bytes[..20].into(), assets: Default::default() };
    let error = again.main.load(&broken, AudioAt::Inactive).unwrap_err();
    assert!(error.to_string().contains("state-refuses") && error.to_string().contains("damaged"), "{error}");
}

#[test]
fn what_this_version_of_a_plugin_does_not_know_is_kept_and_written_back() {
    let fixtures = Fixtures::new();
    let bytes = br#"{"lv2":1,"plugin":"urn:catena-fixture:gain","ports":{"gain":0.5,"of_later":3.0},"properties":[{"key":"urn:x","type":"http://lv2plug.in/ns/ext/atom#String","flags":3,"text":"kept"}]}"#;
    let state = PluginState { bytes: bytes[..].into(), assets: Default::default() };
    let mut bench = Bench::open(&fixtures, "gain");
    bench.main.load(&state, AudioAt::Inactive).unwrap();
    bench.start(48_000.0, 64, false);
    bench.run(64);
    assert_eq!(bench.value("gain"), 0.5);
    assert_eq!(bench.main.save(AudioAt::Away).unwrap(), state);
}

#[test]
fn files_of_a_state_travel_with_it_and_come_back_below_the_assets() {
    let fixtures = Fixtures::new();
    let (mut first, state) = with_number(&fixtures, "state-files", 12.0);
    let names: Vec<_> = state.assets.keys().collect();
    assert_eq!(names, ["folder/number.txt"]);
    assert_eq!(&*state.assets["folder/number.txt"], b"12");
    let text = String::from_utf8_lossy(&state.bytes).into_owned();
    assert!(!text.contains(&*fixtures.folder.path().to_string_lossy()), "no path of this machine: {text}");
    first.stop();
    drop(first);
    let left: Vec<_> = std::fs::read_dir(&fixtures.host.assets).map(|all| all.flatten().collect()).unwrap_or_default();
    assert!(left.is_empty(), "what a plugin made goes with it: {left:?}");

    let mut again = Bench::open(&fixtures, "state-files");
    again.main.load(&state, AudioAt::Inactive).unwrap();
    again.start(44_100.0, 64, false);
    again.run(64);
    assert_eq!(again.value("is"), 12.0);
    assert_eq!(again.main.save(AudioAt::Away).unwrap(), state);

    let mut evil = state.clone();
    evil.assets = [("../../outside".to_owned(), b"x"[..].into())].into();
    assert!(matches!(again.main.load(&evil, AudioAt::Inactive), Err(StateError::Damaged { .. })));
    assert!(!Path::new(&fixtures.folder.path().join("outside")).exists());
}

#[test]
fn states_of_installed_plugins_come_back_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let host = std::rc::Rc::new(backend::HostContext {
        name: "Catena".into(),
        version: "0".into(),
        assets: folder.path().join("assets"),
    });
    let bundles = [
        ("/usr/lib/lv2/fil4.lv2", "http://gareus.org/oss/lv2/fil4#stereo"),
        ("/usr/lib/lv2/convo.lv2", "http://gareus.org/oss/lv2/convoLV2#Mono"),
        ("/usr/lib/lv2/mda.lv2", "http://drobilla.net/plugins/mda/Piano"),
        ("/usr/lib/lv2/calf.lv2", "http://calf.sourceforge.net/plugins/Monosynth"),
        ("/usr/lib/lv2/lsp-plugins.lv2", "http://lsp-plug.in/plugins/lv2/sampler_mono"),
        ("/usr/lib/lv2/ZamComp.lv2", "urn:zamaudio:ZamComp"),
        ("/usr/lib/lv2/DragonflyPlateReverb.lv2", "urn:dragonfly:plate"),
    ];
    for (bundle, uri) in bundles {
        let mut entry = catalog_entry(uri, bundle);
        entry.presets.clear();
        let run = |state: Option<&PluginState>| {
            let mut main = backend::open(&entry, &host).unwrap_or_else(|error| panic!("{error}"));
            if let Some(state) = state {
                main.load(state, AudioAt::Inactive).unwrap();
            } else {
                let params = main.params().to_vec();
                for (index, info) in params.iter().enumerate().filter(|(_, info)| info.automatable) {
                    main.set_value(index, (info.min + info.max) / 2.0, AudioAt::Inactive);
                }
            }
            let how = backend::Activation { rate: 48_000.0, min_block: 1, max_block: 256, offline: false };
            let mut bench = Bench {
                audio: Some(main.activate(how).unwrap_or_else(|error| panic!("{error}"))),
                main,
                events: host_core::backend::audio::EventBuffer::new(1, false),
                events_out: host_core::backend::audio::EventBuffer::new(64, true),
                params_out: host_core::backend::audio::ParamQueue::new(64),
                transport: None,
                steady_time: 0,
                grid: GRID,
            };
            bench.run(256);
            bench.main.save(AudioAt::Away).unwrap()
        };
        let first = run(None);
        assert!(run(Some(&first)) == first, "{uri}");
    }
}

fn catalog_entry(uri: &str, bundle: &str) -> host_core::model::PluginEntry {
    host_core::model::PluginEntry {
        id: host_core::model::PluginId::lv2(uri),
        name: uri.into(),
        vendor: String::new(),
        version: String::new(),
        location: host_core::model::PluginLocation::Lv2(vec![bundle.into()]),
        categories: vec![],
        ports: Default::default(),
        params: vec![],
        presets: vec![],
        min_block: 1,
    }
}
