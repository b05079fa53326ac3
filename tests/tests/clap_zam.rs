//! The real CLAP files of Debian's zam-plugins: each opens, runs, is saved, and comes back with the same values.

use std::path::PathBuf;

use catena_tests::clap_bench::{Bench, Noise, at_48k, host, open};
use host_core::backend::audio::RunStatus;
use host_core::backend::{AudioAt, OpenError, PluginMain, clap};

fn files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir("/usr/lib/clap").expect("zam-plugins is installed");
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "clap"));
    files.sort();
    assert!(files.len() >= 17, "zam-plugins has 17 files, found {}", files.len());
    files
}

fn values(main: &mut dyn PluginMain) -> Vec<Option<f64>> {
    (0..main.params().len()).map(|index| main.value(index)).collect()
}

/// Every settable parameter to a place of its own inside its range.
fn spread(main: &mut dyn PluginMain) {
    for index in 0..main.params().len() {
        let param = &main.params()[index];
        let share = 0.25 + 0.5 * (index % 7) as f64 / 7.0;
        let value = (param.min + (param.max - param.min) * share).round();
        if !param.read_only {
            main.set_value(index, value, AudioAt::Inactive);
        }
    }
}

#[test]
fn each_file_opens_runs_is_saved_and_comes_back() {
    for file in files() {
        let (plugins, bad) = clap::describe(&file, &host()).unwrap();
        assert!(bad.is_empty(), "{bad:?}");
        for plugin in plugins {
            // ZamAutoSat alone has nothing to set.
            assert!(!plugin.params.is_empty() || plugin.name == "ZamAutoSat", "{}", plugin.id);
            let mut main = open(&file, &plugin.id.id).unwrap();
            spread(main.as_mut());
            let mut audio = main.activate(at_48k(256)).unwrap();
            assert!(audio.start(), "{}", plugin.id);
            let (mut bench, mut noise) = (Bench::default(), Noise::new(7));
            for _ in 0..100 {
                noise.fill(audio.as_mut(), 256);
                assert_eq!(bench.run(audio.as_mut(), 256), RunStatus::Ok, "{}", plugin.id);
            }
            audio.stop();
            main.deactivate(audio);
            let (saved, before) = (main.save(AudioAt::Inactive).unwrap(), values(main.as_mut()));
            drop(main);

            let mut again = open(&file, &plugin.id.id).unwrap();
            again.load(&saved, AudioAt::Inactive).unwrap();
            let read_only: Vec<_> = again.params().iter().map(|param| param.read_only).collect();
            let after = values(again.as_mut());
            for (index, (before, after)) in before.iter().zip(&after).enumerate() {
                assert!(read_only[index] || before == after, "{} parameter {index}: {before:?} {after:?}", plugin.id);
            }
            assert_eq!(again.save(AudioAt::Inactive).unwrap().bytes, saved.bytes, "{}", plugin.id);
            let audio = again.activate(at_48k(256)).unwrap();
            again.deactivate(audio);
        }
    }
}

#[test]
fn an_id_with_something_behind_it_is_no_plugin_of_the_file() {
    let file = &files()[0];
    let id = clap::describe(file, &host()).unwrap().0[0].id.id.clone();
    assert!(open(file, &id).is_ok());
    for wrong in [format!("{id}X"), format!("{id} "), id[..id.len() - 1].into(), String::new()] {
        assert!(matches!(open(file, &wrong), Err(OpenError::NotInside { .. })), "{wrong:?} was taken");
    }
}
