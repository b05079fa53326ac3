//! Every test that `tests/README.md` names for a promise is there, and every promise names one.

use std::path::Path;

#[test]
fn by_the_tests_that_the_table_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let rows: Vec<_> = table.lines().filter(|line| line.starts_with("| ") && line.contains('-')).collect();
    assert!(rows.len() >= 30, "{} promises", rows.len());
    for row in rows {
        let named: Vec<_> = row.split('`').filter_map(|word| word.split_once("::")).collect();
        assert!(!named.is_empty(), "no test: {row}");
        for (file, test) in named {
            let source = std::fs::read_to_string(folder.join("tests").join(format!("{file}.rs")));
            let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
            let lines: Vec<_> = source.lines().map(str::trim).collect();
            let at = lines.iter().position(|line| line.starts_with(&format!("fn {test}()")));
            let at = at.unwrap_or_else(|| panic!("there is no {file}::{test}"));
            let above: Vec<_> = lines[..at].iter().rev().take_while(|line| line.starts_with("#[")).collect();
            assert!(above.contains(&&"#[test]"), "{file}::{test} is no test: {above:?}");
            assert!(!above.iter().any(|line| line.contains("ignore")), "{file}::{test} does not run: {above:?}");
        }
    }
}
