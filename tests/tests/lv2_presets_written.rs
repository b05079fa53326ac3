//! States of LV2 plugins as presets: what the plugin stored, its values and its files are there for whoever loads them.

use std::path::Path;

use catena_tests::fixtures_lv2::Fixtures;
use catena_tests::lv2_bench::Bench;
use catena_tests::real::{Named, lv2};
use host_core::backend::{AudioAt, PluginMain};
use host_core::model::{PluginState, Preset};
use serde_json::Value;

/// Writes the state of `main` as a preset into `folder`.
fn write(main: &mut dyn PluginMain, uri: &str, folder: &Path) -> Vec<String> {
    let files = main.preset_files(uri, "Größe \"1\"\\").unwrap().expect("LV2 has presets");
    let _old = std::fs::remove_dir_all(folder);
    for (name, bytes) in &files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    files.into_keys().collect()
}

fn preset(uri: &str) -> Preset {
    Preset { name: "Größe \"1\"\\".into(), uri: uri.into(), from: Default::default() }
}

#[test]
fn what_a_plugin_stored_comes_back_with_its_files_and_another_takes_its_place() {
    for (name, files) in [("state-files", true), ("state-8m", false), ("state-safe", false)] {
        let fixtures = Fixtures::new();
        let (folder, uri) = (fixtures.folder.path().join("own.preset.lv2"), format!("urn:test:{name}"));
        for number in [12.0, 77.0] {
            let mut bench = Bench::started(&fixtures, name);
            bench.set("set", number);
            bench.run(64);
            let written = write(&mut *bench.main, &uri, &folder);
            assert_eq!(written.iter().any(|file| file.starts_with("files/")), files, "{written:?}");
            bench.stop();
            let text = std::fs::read_to_string(folder.join("preset.ttl")).unwrap();
            assert!(!text.contains(&*fixtures.host.assets.to_string_lossy()), "no path of this machine: {text:.2000}");

            let mut again = Bench::started(&fixtures, name);
            again.main.read_presets_again(&folder);
            let listed = again.main.presets();
            assert_eq!(listed.iter().filter(|one| one.uri == uri).count(), 1, "{listed:?}");
            assert!(listed.iter().any(|one| one.name == "Größe \"1\"\\"), "{listed:?}");
            let mut audio = again.audio.take().unwrap();
            again.main.load_preset(&preset(&uri), AudioAt::Home(&mut *audio)).unwrap();
            again.audio = Some(audio);
            again.run(64);
            assert_eq!(again.value("is"), number, "{name}");
        }
        assert!(
            std::fs::read_dir(&fixtures.host.assets).map_or(true, |mut left| left.next().is_none()),
            "nothing is left"
        );
    }
}

#[test]
fn texts_are_written_so_that_every_reader_has_them_back() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::open(&fixtures, "gain");
    let text = "{\"a\": \"b\\\"\",\n \"ü\": \"C:\\\\x\"}\r\"\\";
    let kind = "http://lv2plug.in/ns/ext/atom#String";
    let property = serde_json::json!({ "key": "urn:test:text", "type": kind, "flags": 3, "text": text });
    let state = serde_json::json!({ "lv2": 1, "plugin": "urn:catena-fixture:gain", "properties": [property] });
    let state = PluginState { bytes: state.to_string().into_bytes().into(), ..PluginState::default() };
    bench.main.load(&state, AudioAt::Inactive).unwrap();
    let folder = fixtures.folder.path().join("own.preset.lv2");
    write(&mut *bench.main, "urn:test:text-preset", &folder);
    let written = std::fs::read_to_string(folder.join("preset.ttl")).unwrap();
    // serd 0.30 reads no escape behind a quote in a long literal.
    assert!(!written.contains("\"\"\""), "{written}");
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    assert!(written.contains(&format!("\"{escaped}\"")), "{escaped}: {written}");
}

#[test]
fn states_of_installed_plugins_are_the_same_after_a_load_of_the_preset() {
    let plugins = [
        lv2("fil4.lv2", "http://gareus.org/oss/lv2/fil4#stereo"),
        lv2("convo.lv2", "http://gareus.org/oss/lv2/convoLV2#Mono"),
        lv2("mda.lv2", "http://drobilla.net/plugins/mda/Piano"),
        lv2("calf.lv2", "http://calf.sourceforge.net/plugins/Monosynth"),
        lv2("lsp-plugins.lv2", "http://lsp-plug.in/plugins/lv2/sampler_mono"),
        lv2("ZamComp.lv2", "urn:zamaudio:ZamComp"),
        lv2("DragonflyPlateReverb.lv2", "urn:dragonfly:plate"),
    ];
    for (place, plugin) in plugins.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let (bundle, uri) = (folder.path().join("own.lv2"), format!("urn:test:installed:{place}"));
        let first = state(
            plugin,
            |main| {
                let params = main.params().to_vec();
                for (index, info) in params.iter().enumerate().filter(|(_, info)| info.automatable) {
                    main.set_value(index, info.min + (info.max - info.min) * 0.375, AudioAt::Inactive);
                }
            },
            |main| drop(write(main, &uri, &bundle)),
        );
        let again = state(
            plugin,
            |main| {
                main.read_presets_again(&bundle);
                main.load_preset(&preset(&uri), AudioAt::Inactive).unwrap();
            },
            |_| {},
        );
        assert_same(&first, &again, plugin.id);
    }
}

/// A plugin's state, as JSON, when it was begun so and ran.
fn state(plugin: &Named, begin: impl FnOnce(&mut dyn PluginMain), then: impl FnOnce(&mut dyn PluginMain)) -> Value {
    let host = catena_tests::clap_bench::host();
    let mut main = host_core::backend::open(&plugin.entry(), &host).unwrap_or_else(|error| panic!("{error}"));
    begin(&mut *main);
    let how = host_core::backend::Activation { rate: 48_000.0, min_block: 1, max_block: 256, offline: false };
    let audio = main.activate(how).unwrap_or_else(|error| panic!("{error}"));
    then(&mut *main);
    let saved = main.save(AudioAt::Away).unwrap();
    main.deactivate(audio);
    serde_json::from_slice(&saved.bytes).unwrap()
}

/// Control values may lose what Turtle writes no digits for.
fn assert_same(first: &Value, again: &Value, plugin: &str) {
    assert_eq!(first["properties"], again["properties"], "{plugin}");
    let ports = |state: &Value| state["ports"].as_object().unwrap().clone();
    let (first, again) = (ports(first), ports(again));
    assert!(!first.is_empty() && first.keys().eq(again.keys()), "{plugin}");
    for (symbol, value) in first {
        let (was, is) = (value.as_f64().unwrap(), again[&symbol].as_f64().unwrap());
        assert!((was - is).abs() <= was.abs().max(0.001) * 1e-4, "{plugin}: {symbol} was {was} and is {is}");
    }
}
