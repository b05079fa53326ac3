//! The chain in an LV2 host's state: the same after a reload, shared by all four plugins, in a file where it is large, and
//! told of when it changes by itself.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use catena_tests::ardour::plugins::{chain_of, with_plugins};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, chain_with_macros, with_fixtures};
use catena_tests::lv2_host::{Lv2File, Lv2Host, Offer, Played, Stored, log_lines, urid};
use catena_tests::{fixtures, fixtures_lv2};
use host_core::model::{Law, PluginId};
use host_core::store;

const URIS: [&str; 4] = [
    "urn:catena-audio:catena",
    "urn:catena-audio:catena-mono",
    "urn:catena-audio:catena-surround",
    "urn:catena-audio:catena-instrument",
];

#[test]
fn a_saved_chain_saves_the_same_after_a_reload_in_every_one_of_the_four() {
    with_fixtures("a_saved_chain_saves_the_same_after_a_reload_in_every_one_of_the_four", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        let state = chain(&[("gain", &[("100", 0.25)]), ("big-state", &[("100", 9.0)])]);
        assert_eq!(host.restore(&[Stored::chain(&state)], None), 0, "{:?}", log_lines());
        let (status, first) = host.save(None);
        assert_eq!((status, first.len()), (0, 1));
        assert_eq!(first[0].flags, 3, "plain and portable");
        let saved = store::unpack(&first[0].bytes).expect("a chain");
        assert!(saved.slots().map(|slot| slot.params.len()).eq([1, 1]), "both, with what they were set to");
        drop(host);
        for uri in URIS {
            let mut host = Lv2Host::new(&file, uri, Offer::all(256));
            assert_eq!(host.restore(&first, None), 0, "{uri}: {:?}", log_lines());
            host.activate();
            host.play(&[], 256, &[]);
            assert_eq!(host.save(None), (0, first.clone()), "{uri}");
        }
    });
}

#[test]
fn a_large_chain_goes_into_a_file_of_the_hosts_and_comes_back_from_another_place() {
    with_fixtures("a_large_chain_goes_into_a_file_of_the_hosts_and_comes_back_from_another_place", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        // Noise does not pack.
        let mut large = b"no chain".to_vec();
        large.extend((0..400_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8));
        assert_ne!(host.restore(&[Stored::chain(&large)], None), 0, "no chain, but kept");
        let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let (status, stored) = host.save(Some(folder.path()));
        assert_eq!(status, 0);
        assert_eq!(stored[0].kind, urid("http://lv2plug.in/ns/ext/atom#Path"));
        assert_eq!(stored[0].bytes, b"state.bin\0", "no word of where it lies here");
        // The session moves.
        std::fs::rename(folder.path().join("state.bin"), other.path().join("state.bin")).expect("the file");
        let host = Lv2Host::new(&file, URIS[3], Offer::all(256));
        host.restore(&stored, Some(other.path()));
        let (_, value) = host.save(None);
        assert_eq!(value, [Stored::chain(&large)], "without files it is a value");
    });
}

#[test]
fn a_state_whose_file_is_not_there_is_saved_as_it_came_until_another_is_loaded() {
    with_fixtures("a_state_whose_file_is_not_there_is_saved_as_it_came_until_another_is_loaded", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        let folder = tempfile::tempdir().expect("a folder");
        let kind = urid("http://lv2plug.in/ns/ext/atom#Path");
        let lost = [Stored { kind, bytes: b"state.bin\0".into(), ..Stored::chain(&[]) }];
        assert_ne!(host.restore(&lost, Some(folder.path())), 0);
        host.activate();
        host.set("lv2_enabled", 0.0);
        host.play(&[], 256, &[]);
        assert_eq!(host.save(Some(folder.path())), (0, lost.to_vec()));
        let next = [Stored::chain(&chain(&[("gain", &[])]))];
        assert_eq!(host.restore(&next, Some(folder.path())), 0);
        assert_ne!(host.save(Some(folder.path())).1[0].kind, kind);
    });
}

#[test]
fn a_state_that_cannot_be_read_outlives_the_hosts_bypass() {
    with_fixtures("a_state_that_cannot_be_read_outlives_the_hosts_bypass", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        let broken = [Stored::chain(b"of a Catena to come")];
        assert_ne!(host.restore(&broken, None), 0);
        host.activate();
        for enabled in [0.0, 1.0, 0.0] {
            host.set("lv2_enabled", enabled);
            host.play(&[], 256, &[]);
            assert_eq!(host.save(None), (0, broken.to_vec()), "enabled {enabled}");
        }
    });
}

#[test]
fn a_plugin_that_changes_by_itself_tells_the_host() {
    with_fixtures("a_plugin_that_changes_by_itself_tells_the_host", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        assert_eq!(host.restore(&[Stored::chain(&chain(&[("talks", &[("100", 1.0)])]))], None), 0);
        host.activate();
        let told = (0..2000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            host.play(&[], 256, &[]).1.contains(&Played::StateChanged)
        });
        assert!(told, "{:?}", log_lines());
    });
}

#[test]
fn a_hand_in_a_plugins_own_window_is_told_at_once() {
    with_fixtures("a_hand_in_a_plugins_own_window_is_told_at_once", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(64));
        // Macro 1 sets the user's hand in motion.
        let state = chain_with_macros(&[("touch", &[])], &[(1, 0, "101", Law::straight(0.0, 1.0))]);
        assert_eq!(host.restore(&[Stored::chain(&state)], None), 0);
        host.activate();
        for _ in 0..200 {
            assert!(!host.play(&[], 64, &[]).1.contains(&Played::StateChanged), "a load is no edit");
            std::thread::sleep(Duration::from_millis(1));
        }
        host.set("macro_1", 1.0);
        let moved = Instant::now();
        while !host.play(&[], 64, &[]).1.contains(&Played::StateChanged) {
            assert!(moved.elapsed() < Duration::from_secs(60), "{:?}", log_lines());
            std::thread::sleep(Duration::from_millis(1));
        }
        println!("told {:.1} ms after the hand", moved.elapsed().as_secs_f64() * 1e3);
        let again = (0..200).filter(|_| {
            std::thread::sleep(Duration::from_millis(1));
            host.play(&[], 64, &[]).1.contains(&Played::StateChanged)
        });
        assert_eq!(again.count(), 0, "once");
    });
}

#[test]
fn files_of_a_plugin_inside_go_with_the_state_wherever_it_goes() {
    with_plugins("files_of_a_plugin_inside_go_with_the_state_wherever_it_goes", &[], || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        // Keeps its number in a file of its own making; the other makes the whole too large for a value.
        let slots: &[(_, &[_])] = &[
            (fixtures_lv2::id("state-files"), &[("set", 7.0)]),
            (PluginId::clap(fixtures::clap_id("big-state")), &[("100", 9.0)]),
        ];
        for slots in [&slots[..1], slots] {
            let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
            let state = store::pack(&chain_of(slots)).expect("a chain");
            assert_eq!(host.restore(&[Stored::chain(&state)], None), 0, "{:?}", log_lines());
            host.activate();
            for _ in 0..20 {
                host.play(&[], 256, &[]);
            }
            let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
            let (status, stored) = host.save(Some(folder.path()));
            assert_eq!(status, 0);
            let is_file = stored[0].kind == urid("http://lv2plug.in/ns/ext/atom#Path");
            assert_eq!(is_file, slots.len() == 2);
            drop(host);
            // The session goes to another place, and nothing is left of the folders that this machine had.
            for entry in std::fs::read_dir(folder.path()).expect("the folder") {
                let entry = entry.expect("a file");
                std::fs::rename(entry.path(), other.path().join(entry.file_name())).expect("the file");
            }
            for variable in ["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
                let place = PathBuf::from(std::env::var_os(variable).expect("set"));
                let assets = walk(&place).into_iter().filter(|path| path.ends_with("number.txt"));
                assets.for_each(|path| std::fs::remove_file(path).expect("a file of the plugin's"));
            }
            let before = log_lines().len();
            let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
            assert_eq!(host.restore(&stored, Some(other.path())), 0);
            host.activate();
            host.play(&[], 256, &[]);
            assert_eq!(log_lines()[before..], [] as [String; 0], "the plugin has found its file");
            let found = walk(Path::new(&std::env::var_os("HOME").expect("set")));
            let numbers = found.iter().filter(|path| path.ends_with("number.txt"));
            let texts: Vec<_> = numbers.map(|path| std::fs::read_to_string(path).expect("a number")).collect();
            assert!(!texts.is_empty() && texts.iter().all(|text| text == "7"), "{texts:?}");
            let kept = host.save(None).1;
            let paths = String::from_utf8_lossy(&kept[0].bytes).contains(other.path().to_str().expect("a path"));
            assert!(!paths, "no word of where it lies here");
        }
    });
}

/// Every file below a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.flat_map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { vec![entry.path()] }).collect()
}

#[test]
fn a_state_that_comes_while_it_runs_takes_the_place_of_the_one_before() {
    with_fixtures("a_state_that_comes_while_it_runs_takes_the_place_of_the_one_before", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        assert_eq!(host.restore(&[Stored::chain(&chain(&[("gain", &[("100", 0.25)])]))], None), 0);
        host.activate();
        host.play(&[], 256, &[]);
        let next = chain(&[("delay", &[("100", 7.0)])]);
        assert_eq!(host.restore(&[Stored::chain(&next)], None), 0);
        for _ in 0..20 {
            host.play(&[], 256, &[]);
        }
        let (_, stored) = host.save(None);
        let saved = store::unpack(&stored[0].bytes).expect("a chain");
        let ids: Vec<_> = saved.slots().map(|slot| slot.plugin.id.clone()).collect();
        assert_eq!(ids, [fixtures::clap_id("delay")]);
        assert_eq!(host.get("lv2_latency"), 7.0);
    });
}
