//! Files of other programs, kept in `imports`, and the plugins that they name.

use std::path::{Path, PathBuf};

use host_core::model::{Catalog, Chain, Slot};
use host_core::store::import::{self, Imported};

use crate::built;
use crate::fixtures_lv2::Fixtures;

/// A kept file or folder.
pub fn kept(name: &str) -> PathBuf {
    built::package().join("imports").join(name)
}

/// The LV2 fixtures as a scan lists them.
pub fn catalog(fixtures: &Fixtures) -> Catalog {
    Catalog { plugins: fixtures.entries.clone(), bad: vec![] }
}

/// Reads a file or folder that must hold something.
pub fn read(path: &Path, catalog: &Catalog) -> Vec<Imported> {
    import::read(path, catalog, false).unwrap_or_else(|error| panic!("{error}"))
}

/// The slots of a chain, first to last.
pub fn slots(chain: &Chain) -> Vec<&Slot> {
    chain.slots().collect()
}

/// What a slot's plugin is.
pub fn plugins(chain: &Chain) -> Vec<String> {
    chain.slots().map(|slot| slot.plugin.to_string()).collect()
}

/// Asserts that each of `told` is in a line of its own, and that there are no others.
pub fn assert_lines(untaken: &[String], told: &[&str]) {
    for text in told {
        assert!(untaken.iter().any(|line| line.contains(text)), "{text:?} is not told: {untaken:#?}");
    }
    assert_eq!(untaken.len(), told.len(), "{untaken:#?}");
}
