//! What an editor has done about presets and chain files: each is done whole or said why not, and what is put in the chain's place is
//! one step.

use std::path::Path;
use std::sync::Arc;

use catena_tests::daw::with_fixtures;
use catena_tests::session_bench::{add, session};
use host_core::model::{About, Catalog, Chain, Folders, Preset, PresetFrom};
use host_core::scan::{self, SearchPaths};
use host_core::session::{Answer, Command, Errand, LibraryEntry, Presets, SessionHandle};
use host_core::store;

/// The fixtures and ZamComp as LV2, scanned.
fn scanned() -> Catalog {
    scan::scan(&SearchPaths::from_env(), &Folders::from_env(), false, &mut |_| {}).unwrap()
}

fn done(handle: &SessionHandle, errand: Errand) -> Vec<String> {
    match handle.run(errand) {
        Ok(Answer::Done(lines)) => lines,
        other => panic!("{other:?}"),
    }
}

fn presets(handle: &SessionHandle) -> Presets {
    let slot = handle.snapshot().slots[0].id;
    match handle.run(Errand::Presets(slot)) {
        Ok(Answer::Presets(presets)) => presets,
        other => panic!("{other:?}"),
    }
}

fn own(handle: &SessionHandle, name: &str) -> Option<Preset> {
    presets(handle).all.into_iter().find(|preset| preset.name == name && preset.from != PresetFrom::Factory)
}

fn library(handle: &SessionHandle) -> Vec<LibraryEntry> {
    match handle.run(Errand::Library) {
        Ok(Answer::Library(library)) => library.entries().to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_slots_own_presets_are_kept_renamed_and_taken_away_in_both_formats() {
    with_fixtures("a_slots_own_presets_are_kept_renamed_and_taken_away_in_both_formats", || {
        let home = std::path::PathBuf::from(std::env::var_os("HOME").unwrap());
        let zam = home.join(".lv2");
        std::fs::create_dir_all(&zam).unwrap();
        for bundle in ["ZamComp.lv2", "core.lv2", "presets.lv2", "state.lv2", "atom.lv2"] {
            std::os::unix::fs::symlink(Path::new("/usr/lib/lv2").join(bundle), zam.join(bundle)).unwrap();
        }
        let catalog = scan::scan(
            &SearchPaths { lv2: vec![zam.clone()], ..SearchPaths::from_env() },
            &Folders::from_env(),
            false,
            &mut |_| {},
        )
        .unwrap();
        let catalog = Arc::new(catalog);
        let zam_comp = catalog.plugins.iter().find(|entry| entry.id.to_string() == "lv2:urn:zamaudio:ZamComp");
        let zam_comp = zam_comp.expect("zam-plugins").id.clone();
        for plugin in [host_core::model::PluginId::clap(catena_tests::fixtures::clap_id("gain")), zam_comp] {
            let (handle, _processor) = session(&catalog);
            handle.apply(Command::Add { plugin: plugin.clone(), index: 0 }).unwrap();
            let slot = handle.snapshot().slots[0].id;
            let save = |name: &str, replace| Errand::SavePreset { slot, name: name.into(), replace };
            let said = done(&handle, save(" Mine \"1\" ", false));
            assert!(said[0].contains("Mine \"1\""), "{said:?}");
            assert!(matches!(handle.run(save("Mine \"1\"", false)), Ok(Answer::Taken(_))), "{plugin}");
            done(&handle, save("Mine \"1\"", true));
            let preset = own(&handle, "Mine \"1\"").unwrap_or_else(|| panic!("{plugin}: {:?}", presets(&handle)));
            let name = "Ours, 鎖".to_owned();
            done(&handle, Errand::RenamePreset { slot, preset, name });
            assert_eq!(own(&handle, "Mine \"1\""), None, "{plugin}");
            let preset = own(&handle, "Ours, 鎖").unwrap_or_else(|| panic!("{plugin}: {:?}", presets(&handle)));
            handle.apply(Command::Preset(slot, preset.uri.clone())).unwrap();
            done(&handle, Errand::DeletePreset { slot, preset: preset.clone() });
            assert_eq!(own(&handle, "Ours, 鎖"), None, "{plugin}");
            assert!(handle.run(Errand::DeletePreset { slot, preset }).is_err());

            assert!(!presets(&handle).has_default);
            done(&handle, Errand::SaveDefault(slot));
            assert!(presets(&handle).has_default);
            done(&handle, Errand::ForgetDefault(plugin.clone()));
            assert!(!presets(&handle).has_default, "{plugin}");
            // What comes with the plugin stays.
            let factory = presets(&handle).all.into_iter().find(|one| one.from == PresetFrom::Factory);
            if let Some(preset) = factory {
                assert!(handle.run(Errand::DeletePreset { slot, preset }).is_err());
            }
        }
    });
}

#[test]
fn the_library_keeps_finds_describes_and_loads_chains_as_one_step() {
    with_fixtures("the_library_keeps_finds_describes_and_loads_chains_as_one_step", || {
        let (handle, _processor) = session(&Arc::new(scanned()));
        add(&handle, "gain");
        let keep = |name: &str, replace| Errand::SaveChain { name: name.into(), tags: vec!["drums".into()], replace };
        done(&handle, keep("Loud one", false));
        assert!(matches!(handle.run(keep("Loud one", false)), Ok(Answer::Taken(_))));
        assert!(handle.run(keep("  ", false)).is_err());
        let entry = library(&handle).into_iter().find(|entry| entry.sheet.name == "Loud one").unwrap();
        assert_eq!(
            (&entry.sheet.about.tags[0], entry.favourite, entry.sheet.members.len()),
            (&"drums".into(), false, 1)
        );
        let about = About { tags: vec!["bus".into()], notes: "warm".into(), ..About::default() };
        let name = "Warm one".to_owned();
        done(&handle, Errand::Describe { path: entry.path.clone(), name, about: about.clone() });
        done(&handle, Errand::Favourite(entry.path.clone(), true));
        let entry = library(&handle).into_iter().find(|entry| entry.sheet.name == "Warm one").unwrap();
        assert_eq!((&entry.sheet.about, entry.favourite), (&about, true));

        handle.apply(Command::Clear).unwrap();
        let steps = || handle.snapshot().history.at;
        let before = steps();
        assert_eq!(done(&handle, Errand::Open(entry.path.clone())), Vec::<String>::new());
        assert_eq!((steps(), handle.snapshot().slots.len()), (before + 1, 1));
        assert_eq!(handle.snapshot().name, "Warm one");
        handle.apply(Command::Undo).unwrap();
        assert_eq!(handle.snapshot().slots.len(), 0);

        // What is not the user's own is neither changed nor taken away.
        let folder = tempfile::tempdir().unwrap();
        let foreign = folder.path().join("x.catena");
        store::write(&foreign, &Chain::default()).unwrap();
        for path in [foreign.clone(), Folders::from_env().chains(), Folders::from_env().chains().join("../../x.catena")]
        {
            assert!(handle.run(Errand::DeleteChain(path.clone())).is_err(), "{}", path.display());
            let describe = Errand::Describe { path, name: "x".into(), about: About::default() };
            assert!(handle.run(describe).is_err());
        }
        assert!(foreign.exists());
        done(&handle, Errand::DeleteChain(entry.path));
        assert!(library(&handle).iter().all(|entry| entry.sheet.name != "Warm one"));
    });
}

#[test]
fn what_another_program_wrote_is_opened_as_one_step_and_what_is_not_taken_is_said() {
    with_fixtures("what_another_program_wrote_is_opened_as_one_step_and_what_is_not_taken_is_said", || {
        let (handle, _processor) = session(&Arc::new(scanned()));
        add(&handle, "gain");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rack.carxp");
        let plugin = "<Plugin><Info><Type>LV2</Type><Name>Nowhere</Name><URI>urn:nowhere</URI></Info><Data><Active>Yes</Active></Data></Plugin>";
        std::fs::write(&file, format!("<?xml version='1.0'?><CARLA-PROJECT VERSION='2.5'>{plugin}</CARLA-PROJECT>"))
            .unwrap();
        let said = done(&handle, Errand::Open(file));
        assert!(said.iter().any(|line| line.contains("Nowhere")), "{said:?}");
        let snapshot = handle.snapshot();
        assert_eq!((snapshot.slots.len(), snapshot.slots[0].title.as_str()), (1, "Nowhere"));
        handle.apply(Command::Undo).unwrap();
        assert_eq!(handle.snapshot().slots[0].plugin.id, catena_tests::fixtures::clap_id("gain"));
        let odd = folder.path().join("odd.txt");
        std::fs::write(&odd, "no chain").unwrap();
        let error = handle.run(Errand::Open(odd)).unwrap_err();
        assert!(error.contains("odd.txt"), "{error}");
        assert_eq!(handle.snapshot().slots.len(), 1);
    });
}
