//! `.clap` files as a scan sees them: what they hold, presets too, lies, and files that are none.

use catena_tests::clap_bench::{at_48k, host, log_lines, open};
use catena_tests::fixtures::{clap, clap_id, map_library, open_clap};
use host_core::backend::{AudioAt, OpenError, StateError, clap as backend};
use host_core::model::Preset;

/// A copy whose name makes it hold only plugins that may be made.
fn harmless() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(clap(), folder.path().join("harmless.clap")).unwrap();
    folder
}

#[test]
fn a_file_is_described_with_the_bad_plugin_apart_and_the_liar_capped() {
    let folder = harmless();
    let (good, bad) = backend::describe(&folder.path().join("harmless.clap"), &host()).unwrap();
    let names: Vec<_> = bad.iter().map(|bad| bad.plugin.as_ref().unwrap().id.clone()).collect();
    assert_eq!(names, [clap_id("absurd-ports")]);
    let find = |name: &str| good.iter().find(|entry| entry.id.id == clap_id(name)).unwrap();
    let gain = find("gain");
    assert_eq!((gain.name.as_str(), gain.vendor.as_str(), gain.version.as_str()), ("Fixture gain", "Catena", "1.0"));
    assert_eq!(gain.ports.main_inputs(), 2);
    assert_eq!(gain.params.len(), 1);
    assert_eq!(gain.categories, ["audio-effect"]);
    assert_eq!(find("many-params").params.len(), 65_536);
    let presets: Vec<_> = find("presets").presets.iter().map(|preset| preset.name.clone()).collect();
    assert_eq!(presets, ["Quiet", "Loud", "Broken"], "not the one for somebody else's plugin");
    assert!(gain.presets.is_empty());
    let lines = log_lines();
    assert!(lines.iter().any(|line| line.contains("many-params") && line.contains("10000000")), "{lines:?}");
}

#[test]
fn names_without_end_ranges_upside_down_and_double_ids_are_put_right() {
    let main = open_clap("endless-names");
    assert_eq!(main.params().len(), 2, "each id once");
    for param in main.params() {
        assert_eq!(param.name.len(), 256);
        assert!(param.min <= param.max && param.default.is_finite());
        assert!(param.clamp(f64::NAN).is_finite());
    }
}

#[test]
fn presets_are_loaded_and_a_broken_one_is_named() {
    let mut main = open_clap("presets");
    let presets = main.presets();
    let find = |name: &str| presets.iter().find(|preset| preset.name == name).unwrap();
    main.load_preset(find("Loud"), AudioAt::Inactive).unwrap();
    assert_eq!(main.value(0), Some(1.75));
    let requests = main.take_requests();
    assert!(requests.values && requests.dirty, "{requests:?}");
    assert!(matches!(main.load_preset(find("Broken"), AudioAt::Inactive), Err(StateError::Refused(_))));
    assert_eq!(main.value(0), Some(1.75));
    let nonsense = Preset { name: "x".into(), uri: "http://example.org/".into(), from: Default::default() };
    assert!(matches!(main.load_preset(&nonsense, AudioAt::Inactive), Err(StateError::Damaged { .. })));
    let audio = main.activate(at_48k(64)).unwrap();
    assert!(matches!(main.load_preset(find("Loud"), AudioAt::Away), Err(StateError::Running(_))));
    main.deactivate(audio);
}

#[test]
fn what_is_no_clap_file_is_one_sentence_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let garbage = folder.path().join("garbage.clap");
    std::fs::write(&garbage, b"this is no library").unwrap();
    let missing = folder.path().join("missing.clap");
    for path in [&garbage, &missing] {
        let error = backend::describe(path, &host()).unwrap_err();
        assert!(matches!(error, OpenError::Library { .. }));
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    // A library that is no plugin.
    let library = std::fs::read_dir("/usr/lib/x86_64-linux-gnu")
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.file_name().is_some_and(|name| name == "libm.so.6"));
    if let Some(library) = library {
        let error = backend::describe(&library, &host()).unwrap_err();
        assert!(error.to_string().contains("no CLAP library"), "{error}");
    }
}

#[test]
fn a_library_that_somebody_else_mapped_first_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, theirs) = (folder.path().join("ours.clap"), folder.path().join("theirs.clap"));
    std::fs::copy(clap(), &ours).unwrap();
    std::fs::copy(clap(), &theirs).unwrap();
    map_library(&theirs);
    let notice = open(&theirs, &clap_id("gain")).unwrap().notice().expect("noticed");
    assert!(notice.contains("Fixture gain"), "{notice}");
    assert_eq!(open(&ours, &clap_id("gain")).unwrap().notice(), None);
    assert_eq!(open(&ours, &clap_id("gain")).unwrap().notice(), None, "our own mapping does not count");
}
