//! A place to scan: folders of its own, filled with the scan's misbehaving CLAP files.

use std::path::PathBuf;
use std::time::Duration;

use host_core::model::{Catalog, Folders};
use host_core::scan::{self, Progress, SearchPaths};

use crate::fixtures;

/// The fixture whose file name chooses what it does.
pub fn fixture() -> PathBuf {
    fixtures::library("catena-fixtures-scan")
}

/// Folders of a user who has only what a test puts there.
pub struct Bench {
    /// The temporary folder of it all.
    pub root: tempfile::TempDir,
    /// The user's folders.
    pub folders: Folders,
    /// Where its plugins are.
    pub paths: SearchPaths,
}

impl Default for Bench {
    fn default() -> Self {
        Self::new()
    }
}

impl Bench {
    /// An empty one.
    pub fn new() -> Self {
        fixtures::worker();
        let root = tempfile::tempdir().unwrap();
        let sub = |name: &str| root.path().join(name);
        let folders = Folders { data: sub("data"), cache: sub("cache"), config: sub("config"), state: sub("state") };
        std::fs::create_dir(sub("clap")).unwrap();
        std::fs::create_dir(sub("lv2")).unwrap();
        let paths = SearchPaths { clap: vec![sub("clap")], lv2: vec![sub("lv2")] };
        Self { root, folders, paths }
    }

    /// One that looks where the distribution's packages put plugins, and nowhere else.
    pub fn of_the_test_packages() -> Self {
        let mut bench = Self::new();
        bench.paths = SearchPaths { clap: vec!["/usr/lib/clap".into()], lv2: vec!["/usr/lib/lv2".into()] };
        bench
    }

    /// Scans with the time limit of every day.
    pub fn scan_all(&self) -> Catalog {
        scan::scan(&self.paths, &self.folders, false, &mut |_| {}).unwrap()
    }

    /// Puts the fixture in under a name that chooses what it does.
    pub fn add(&self, name: &str) -> PathBuf {
        let path = self.paths.clap[0].join(format!("{name}.clap"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(fixture(), &path).unwrap();
        path
    }

    /// Scans with two seconds for each file, and counts how many were looked at.
    pub fn scan(&self, force: bool) -> (Catalog, usize) {
        let mut looked = std::collections::BTreeSet::new();
        let mut count = |progress: &Progress| {
            looked.insert(progress.current.clone());
        };
        let catalog = scan::scan_within(Duration::from_secs(2), &self.paths, &self.folders, force, &mut count).unwrap();
        (catalog, looked.len())
    }
}
