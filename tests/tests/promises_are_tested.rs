//! Every test that `tests/README.md` names for a promise is there, and every promise names one.

use std::path::Path;

#[test]
fn by_the_tests_that_the_table_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let rows: Vec<_> = table.lines().filter(|line| line.starts_with("| ") && line.contains("-")).skip(1).collect();
    assert!(rows.len() > 25, "{} promises", rows.len());
    for row in rows {
        let named: Vec<_> = row.split('`').filter_map(|word| word.split_once("::")).collect();
        assert!(!named.is_empty(), "no test: {row}");
        for (file, test) in named {
            let source = std::fs::read_to_string(folder.join("tests").join(format!("{file}.rs")));
            let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(source.contains(&format!("fn {test}()")), "there is no {file}::{test}");
        }
    }
}
