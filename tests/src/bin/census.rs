//! The census by hand: `census` prints what it finds, `census --write` makes `tests/census.md` anew, `census one ENTRY
//! ASSETS` is one plugin's process.

use std::path::Path;

use catena_tests::scan_bench::Bench;
use catena_tests::{built, census};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [one, entry, assets] = arguments.as_slice()
        && one == "one"
    {
        return census::one(&serde_json::from_str(entry).expect("an entry"), Path::new(assets));
    }
    let bench = Bench::of_the_test_packages();
    let mut catalog = bench.scan_all();
    let only = arguments.iter().find(|text| !text.starts_with("--"));
    if let Some(text) = only {
        catalog.plugins.retain(|entry| entry.id.to_string().contains(text.as_str()));
    }
    let program = std::env::current_exe().expect("this program's own path");
    let path = built::package().join("census.md");
    let old = census::findings_in(&std::fs::read_to_string(&path).unwrap_or_default());
    let findings = census::run_all(&program, &catalog, &bench.folders, &old, &|line| println!("{line}"));
    if arguments.iter().any(|text| text == "--write") && only.is_none() {
        std::fs::write(&path, census::table(&findings, &old)).expect("the table is written");
        println!("{}", path.display());
    }
}
