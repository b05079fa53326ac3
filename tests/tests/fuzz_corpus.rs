//! What the fuzzer begins with and what it found is read again, by the same functions.

#[path = "../fuzz/targets.rs"]
mod targets;

use std::panic::catch_unwind;

use catena_tests::built;

#[test]
fn every_input_that_is_kept_is_taken_or_refused_and_ends_nothing() {
    let corpus = built::package().join("fuzz/corpus");
    for (name, read) in targets::ALL {
        let entries = std::fs::read_dir(corpus.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut count = 0;
        for path in entries.map(|entry| entry.unwrap().path()) {
            let data = std::fs::read(&path).unwrap();
            // Cut off anywhere, it is another input.
            for len in [data.len(), data.len() / 2, data.len().saturating_sub(1)] {
                let read = catch_unwind(|| read(&data[..len]));
                assert!(read.is_ok(), "{name}: the first {len} bytes of {}", path.display());
            }
            count += 1;
        }
        assert!(count >= 3, "{name}: {count} inputs");
        assert!(built::package().join(format!("fuzz/fuzz_targets/{name}.rs")).is_file(), "{name} is fuzzed");
    }
}
