//! Every plugin of the test packages lives its life under Catena as the committed table says, no worse and no better.

use std::path::Path;

use catena_tests::scan_bench::Bench;
use catena_tests::{built, census};
use host_core::model::{Format, PluginEntry};

#[test]
fn every_plugin_lives_as_the_table_says() {
    let bench = Bench::of_the_test_packages();
    let catalog = bench.scan_all();
    let count = |format| {
        let ours = |entry: &&PluginEntry| entry.id.format == format && !entry.id.id.starts_with("urn:ardour:");
        catalog.plugins.iter().filter(ours).count()
    };
    // 569 with the eight that Ardour's package brings.
    assert_eq!((count(Format::Clap), count(Format::Lv2)), (17, 561), "the test packages are installed");

    let program = Path::new(env!("CARGO_BIN_EXE_census"));
    let table = std::fs::read_to_string(built::package().join("census.md")).unwrap();
    let known = census::findings_in(&table);
    let found = census::run_all(program, &catalog, &bench.folders, &known, &|line| println!("{line}"));
    // A few come with Ardour, and are there only where that is.
    let here: Vec<_> = known.into_iter().filter(|row| catalog.find(&row.plugin).is_some()).collect();
    let (new, gone) = census::differences(&found, &here);
    assert!(new.is_empty() && gone.is_empty(), "not in tests/census.md: {new:#?}\nin it, but not found: {gone:#?}");
}
