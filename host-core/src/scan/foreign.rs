//! Plugins of formats that Catena does not host, found by their files alone: nothing is opened.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::paths::{Found, Kind};
use crate::model::{Catalog, Foreign, known};

/// A format: what it is called, the variable that names its folders, its folders, and what its files end with.
struct Standard {
    name: &'static str,
    variable: &'static str,
    folders: &'static [&'static str],
    kind: Kind,
}

const STANDARDS: [Standard; 3] = [
    Standard { name: "VST3", variable: "VST3_PATH", folders: &["vst3"], kind: Kind::Bundle("vst3") },
    Standard { name: "VST2", variable: "VST_PATH", folders: &["vst", "lxvst"], kind: Kind::File("so") },
    Standard { name: "LADSPA", variable: "LADSPA_PATH", folders: &["ladspa"], kind: Kind::File("so") },
];

/// What is there of other formats and, by its name, not in `catalog`. `[jobs]`
pub fn foreign(catalog: &Catalog) -> Vec<Foreign> {
    among(catalog, |standard| super::paths::standard_folders(standard.variable, standard.folders))
}

fn among(catalog: &Catalog, folders: impl Fn(&Standard) -> Vec<PathBuf>) -> Vec<Foreign> {
    let mut known: HashSet<String> = catalog.plugins.iter().map(|entry| known::plain(&entry.name)).collect();
    // A file may hold many plugins: it goes by its own name in every format.
    known.extend(catalog.plugins.iter().map(|entry| known::plain(&stem(entry.location.path()))));
    known.insert("catena".into());
    let mut found = Vec::new();
    for standard in STANDARDS {
        for path in Found::all(&folders(&standard), standard.kind) {
            let name = stem(&path);
            if known.insert(known::plain(&name)) {
                found.push(Foreign { name, format: standard.name.into(), path });
            }
        }
    }
    found.sort_by_key(|one| one.name.to_lowercase());
    found
}

/// A file's name without what says which format it is.
fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ends = ["-vst", "_vst", "-ladspa", "_ladspa", "-lxvst"];
    let short = ends.iter().find_map(|end| stem.strip_suffix(end)).unwrap_or(&stem);
    short.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PluginEntry, PluginId, PluginLocation, PortLayout};

    #[test]
    fn what_exists_in_other_formats_alone_is_found_by_its_file() {
        let root = tempfile::tempdir().unwrap();
        let sub = |name: &str| root.path().join(name);
        std::fs::create_dir_all(sub("vst3/Surge XT.vst3/Contents")).unwrap();
        std::fs::create_dir_all(sub("vst3/ZamComp.vst3")).unwrap();
        std::fs::create_dir_all(sub("vst/deep")).unwrap();
        std::fs::create_dir_all(sub("ladspa")).unwrap();
        for file in ["vst/deep/Old Synth.so", "vst/ZamComp-vst.so", "ladspa/many.so", "ladspa/readme"] {
            std::fs::write(sub(file), "x").unwrap();
        }
        let entry = PluginEntry {
            id: PluginId::clap("zam"),
            name: "Zam Comp".into(),
            vendor: String::new(),
            version: String::new(),
            location: PluginLocation::Lv2(vec!["/usr/lib/lv2/many.lv2".into()]),
            categories: vec![],
            ports: PortLayout::default(),
            params: vec![],
            presets: vec![],
            min_block: 1,
        };
        let catalog = Catalog { plugins: vec![entry], bad: vec![] };
        let found = among(&catalog, |standard| standard.folders.iter().map(|folder| sub(folder)).collect());
        let told: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.format.as_str())).collect();
        assert_eq!(told, [("Old Synth", "VST2"), ("Surge XT", "VST3")]);
    }
}
