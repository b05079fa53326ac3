//! A folder with a crasher, a hanger, a garbage file, a file of another architecture and a plugin with ten million
//! parameters scans without harm; each is listed with its reason and skipped until it changes.

use catena_tests::scan_bench::Bench;
use host_core::model::{BadFile, Catalog, PluginId};

fn reason<'a>(catalog: &'a Catalog, stem: &str) -> &'a str {
    let of_stem = |bad: &&BadFile| bad.path.file_stem().is_some_and(|name| name == stem);
    let found: Vec<_> = catalog.bad.iter().filter(of_stem).collect();
    let [bad] = found.as_slice() else { panic!("{stem} is {} times in {:?}", found.len(), catalog.bad) };
    assert!(!bad.reason.is_empty() && !bad.reason.contains('\n'), "{}", bad.reason);
    &bad.reason
}

fn ids(catalog: &Catalog) -> Vec<&PluginId> {
    catalog.plugins.iter().map(|entry| &entry.id).collect()
}

#[test]
fn each_is_listed_with_its_reason_and_skipped_next_time() {
    let bench = Bench::new();
    let good = bench.add("deep/er/good");
    let crash = bench.add("crash");
    bench.add("hang");
    bench.add("params");
    bench.add("noisy");
    let folder = &bench.paths.clap[0];
    std::fs::write(folder.join("garbage.clap"), "not a library at all").unwrap();
    std::fs::write(folder.join("empty.clap"), "").unwrap();
    let mut foreign = std::fs::read(&good).unwrap();
    foreign[18] = if foreign[18] == 183 { 62 } else { 183 }; // ELF e_machine: AArch64, or x86-64 where that is ours.
    std::fs::write(folder.join("foreign.clap"), foreign).unwrap();

    let (catalog, looked) = bench.scan(false);
    assert_eq!(looked, 8);
    assert!(ids(&catalog).contains(&&PluginId::clap("catena.scan.good")), "{catalog:?}");
    assert!(ids(&catalog).contains(&&PluginId::clap("catena.scan.noisy")), "{catalog:?}");
    assert!(reason(&catalog, "crash").contains("crashed (segmentation fault)"), "{}", reason(&catalog, "crash"));
    assert!(reason(&catalog, "hang").contains("did not answer within 2 s"), "{}", reason(&catalog, "hang"));
    assert!(reason(&catalog, "params").contains("more parameters than Catena takes"), "{}", reason(&catalog, "params"));
    for (stem, why) in [("garbage", "no Linux library"), ("empty", "too short"), ("foreign", "it is made for")] {
        assert!(reason(&catalog, stem).contains(why), "{}", reason(&catalog, stem));
    }

    let (again, looked) = bench.scan(false);
    assert_eq!((again, looked), (catalog.clone(), 0));
    assert_eq!(host_core::scan::cached(&bench.folders), Some(catalog));

    // The crasher is mended: it is looked at again, it alone.
    std::fs::remove_file(&crash).unwrap();
    std::fs::copy(&good, bench.paths.clap[0].join("mended.clap")).unwrap();
    std::fs::rename(bench.paths.clap[0].join("mended.clap"), &crash).unwrap();
    let (_, looked) = bench.scan(false);
    assert_eq!(looked, 1);
    let (_, looked) = bench.scan(true);
    assert_eq!(looked, 8);
}

#[test]
fn a_removed_file_is_no_longer_listed() {
    let bench = Bench::new();
    let good = bench.add("good");
    assert_eq!(bench.scan(false).0.plugins.len(), 1);
    std::fs::remove_file(good).unwrap();
    let (catalog, looked) = bench.scan(false);
    assert_eq!((catalog.plugins.len(), looked), (0, 0));
}

#[test]
fn names_in_any_script_are_found() {
    let bench = Bench::new();
    bench.add("Плагины/鎖/good");
    let (catalog, _) = bench.scan(false);
    assert_eq!(catalog.plugins.len(), 1);
    assert!(catalog.plugins[0].location.path().to_str().unwrap().contains("Плагины/鎖"));
}

#[test]
fn two_scans_at_once_and_readers_meanwhile_agree() {
    let bench = Bench::new();
    let names = ["a/good", "b/noisy", "c/short", "d/dies", "crash"];
    names.iter().for_each(|name| drop(bench.add(name)));
    std::thread::scope(|scope| {
        let scans: Vec<_> = (0..3).map(|_| scope.spawn(|| bench.scan(true).0)).collect();
        while scans.iter().any(|scan| !scan.is_finished()) {
            if bench.folders.scan_cache().exists() {
                assert_eq!(host_core::scan::cached(&bench.folders).expect("never half a file").plugins.len(), 4);
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let found: Vec<_> = scans.into_iter().map(|scan| scan.join().unwrap()).collect();
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
    });
}

#[test]
fn a_damaged_cache_is_made_again() {
    let bench = Bench::new();
    bench.add("good");
    bench.scan(false);
    let file = bench.folders.scan_cache();
    let whole = std::fs::read(&file).unwrap();
    for bad in [&whole[..whole.len() / 2], b"", b"\xff\n{}", b"{\"version\":\"9\"}\n{}"] {
        std::fs::write(&file, bad).unwrap();
        assert_eq!(host_core::scan::cached(&bench.folders), None);
        assert_eq!(bench.scan(false).1, 1);
        assert_eq!(std::fs::read(&file).unwrap(), whole);
    }
}
