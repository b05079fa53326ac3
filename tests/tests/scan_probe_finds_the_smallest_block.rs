//! The first use of a plugin happens in a child: its smallest safe block is found, and one that dies is known.

use catena_tests::scan_bench::Bench;
use host_core::model::{PluginEntry, PluginId};
use host_core::scan;

fn entry(bench: &Bench, name: &str) -> PluginEntry {
    let catalog = scan::cached(&bench.folders).unwrap();
    catalog.find(&PluginId::clap(format!("catena.scan.{name}"))).unwrap().clone()
}

#[test]
fn it_is_searched_once_and_kept_until_the_plugin_changes() {
    let bench = Bench::new();
    ["good", "short", "dies"].iter().for_each(|name| drop(bench.add(name)));
    bench.scan(false);
    assert_eq!(scan::probe(&entry(&bench, "good"), &bench.folders).unwrap().min_block, 1);
    assert_eq!(scan::probe(&entry(&bench, "short"), &bench.folders).unwrap().min_block, 32);
    let reason = scan::probe(&entry(&bench, "dies"), &bench.folders).unwrap_err();
    assert!(reason.contains("crashed (aborted itself)"), "{reason}");

    // Kept: without a worker the answers are the same.
    assert_eq!(entry(&bench, "short").min_block, 32);
    let bad = scan::cached(&bench.folders).unwrap().bad;
    assert!(bad.iter().any(|bad| bad.plugin == Some(PluginId::clap("catena.scan.dies"))), "{bad:?}");
    assert_eq!(scan::probe(&entry(&bench, "dies"), &bench.folders).unwrap_err(), reason);

    // The plugin is mended.
    std::fs::copy(bench.paths.clap[0].join("good.clap"), bench.paths.clap[0].join("new")).unwrap();
    std::fs::rename(bench.paths.clap[0].join("new"), bench.paths.clap[0].join("short.clap")).unwrap();
    bench.scan(false);
    assert_eq!(entry(&bench, "short").min_block, 1);
}
