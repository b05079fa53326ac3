//! Every plugin of the test packages lives its life under Catena as the committed table says, no worse and no better.

use std::path::Path;

use catena_tests::census;
use catena_tests::scan_bench::Bench;
use host_core::model::Format;

#[test]
fn every_plugin_lives_as_the_table_says() {
    let bench = Bench::of_the_test_packages();
    let catalog = bench.scan_all();
    let count = |format| catalog.plugins.iter().filter(|entry| entry.id.format == format).count();
    assert_eq!((count(Format::Clap), count(Format::Lv2)), (17, 569), "the test packages are installed");

    let program = Path::new(env!("CARGO_BIN_EXE_census"));
    let found = census::run_all(program, &catalog, &bench.folders, &|line| println!("{line}"));
    let table = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("census.md")).unwrap();
    let known = census::findings_in(&table);
    let line = |finding: &census::Finding| format!("{}: {}", finding.plugin, finding.what);
    let (found, known): (Vec<_>, Vec<_>) = (found.iter().map(line).collect(), known.iter().map(line).collect());
    let new: Vec<_> = found.iter().filter(|line| !known.contains(line)).collect();
    let gone: Vec<_> = known.iter().filter(|line| !found.contains(line)).collect();
    assert!(new.is_empty() && gone.is_empty(), "not in tests/census.md: {new:#?}\nin it, but not found: {gone:#?}");
}
