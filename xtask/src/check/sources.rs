//! The workspace's own source files, parsed, with the module each one is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::paths::{self, Facts};
use crate::run::root;

/// The crates whose sources are checked: folder of the sources, and the name by which other crates know them.
const CRATES: &[(&str, &str)] = &[
    ("host-core/src", "host_core"),
    ("gui/src", "catena_gui"),
    ("plugin/src", "catena"),
    ("plugin/entry/clap/src", "catena_entry_clap"),
    ("plugin/entry/lv2/src", "catena_entry_lv2"),
    ("plugin/entry/vst3/src", "catena_entry_vst3"),
    ("xtask/src", "xtask"),
    ("tests/src", "catena_tests"),
    ("tests/tests", "catena_tests"),
    ("tests/fixtures/clap/src", "catena_fixtures_clap"),
    ("tests/fixtures/lv2/src", "catena_fixtures_lv2"),
];

/// One file and what was read in it.
pub struct Source {
    /// Its path from the workspace's folder.
    pub path: PathBuf,
    /// The module it is, from the crate's name on: `host_core::engine::delay`.
    pub module: Vec<String>,
    /// What it names.
    pub facts: Facts,
}

/// Reads every source file of the workspace.
pub fn read() -> Result<Vec<Source>> {
    let mut files = Vec::new();
    for (folder, name) in CRATES {
        let folder = root().join(folder);
        if !folder.is_dir() {
            continue;
        }
        for path in rust_files(&folder)? {
            let inside = path.strip_prefix(&folder).unwrap_or(&path).to_path_buf();
            files.push((path, module_of(name, &inside)));
        }
    }
    let modules: BTreeSet<Vec<String>> = files.iter().map(|(_, module)| module.clone()).collect();
    files.into_iter().map(|(path, module)| parse(path, module, &modules)).collect()
}

fn parse(path: PathBuf, module: Vec<String>, modules: &BTreeSet<Vec<String>>) -> Result<Source> {
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let path = path.strip_prefix(root()).unwrap_or(&path).to_path_buf();
    let facts = paths::facts(&text, &module, modules).with_context(|| format!("{}", path.display()))?;
    Ok(Source { path, module, facts })
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The module that a file is: `backend/clap/audio.rs` is `host_core::backend::clap::audio`.
fn module_of(name: &str, inside: &Path) -> Vec<String> {
    let parts = inside.with_extension("");
    let parts = parts.iter().map(|part| part.to_string_lossy().into_owned());
    let mut module: Vec<_> = std::iter::once(name.to_owned()).chain(parts).collect();
    let last = module.last().map(String::as_str);
    if last == Some("mod") || (module.len() == 2 && last == Some("lib")) {
        module.pop();
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_module_that_rust_takes_it_for() {
        let module = |path: &str| module_of("host_core", Path::new(path)).join("::");
        assert_eq!(module("lib.rs"), "host_core");
        assert_eq!(module("backend.rs"), "host_core::backend");
        assert_eq!(module("backend/clap/audio.rs"), "host_core::backend::clap::audio");
        assert_eq!(module("bin/catena-worker.rs"), "host_core::bin::catena-worker");
    }

    #[test]
    fn every_file_of_the_workspace_is_read() {
        let files = read().unwrap();
        assert!(files.iter().any(|file| file.path == Path::new("host-core/src/engine.rs")));
        assert!(files.iter().any(|file| file.path == Path::new("xtask/src/check/sources.rs")));
    }
}
