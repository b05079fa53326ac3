//! Lays out bundles for the LV2 fixtures: Turtle written here, and a link to the library that cargo built.

mod turtle;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::OnceLock;

use host_core::backend::{HostContext, lv2};
use host_core::model::{PluginEntry, PluginId};

use self::turtle::{FIXTURES, PREFIXES, PRESET_LOUD, PRESET_MANIFEST, composed};
use crate::fixtures;

/// The fixtures' library, built when first asked for.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| fixtures::library("catena-fixtures-lv2"))
}

/// The id of a fixture.
pub fn id(name: &str) -> PluginId {
    PluginId::lv2(format!("urn:catena-fixture:{name}"))
}

/// Lays out a bundle for every fixture below `folder`, and one with presets for `gain`.
pub fn lay_out(folder: &Path) {
    for (name, turtle) in FIXTURES {
        let bundle = folder.join(format!("{name}.lv2"));
        std::fs::create_dir_all(&bundle).unwrap();
        std::os::unix::fs::symlink(library(), bundle.join("fixtures.so")).unwrap();
        let manifest = format!(
            "{PREFIXES}<urn:catena-fixture:{name}> a lv2:Plugin ;\n lv2:binary <fixtures.so> ;\n rdfs:seeAlso <{name}.ttl> .\n"
        );
        std::fs::write(bundle.join("manifest.ttl"), manifest).unwrap();
        let composed = composed(name);
        let turtle = composed.as_deref().unwrap_or(turtle);
        let about = format!(
            "{PREFIXES}<urn:catena-fixture:{name}> a lv2:Plugin ;\n doap:name \"Fixture {name}\" ;\n \
             doap:license <http://opensource.org/licenses/mit> ;\n lv2:minorVersion 2 ; lv2:microVersion 0 ;\n{turtle}"
        );
        std::fs::write(bundle.join(format!("{name}.ttl")), about).unwrap();
    }
    let bundle = folder.join("gain-presets.lv2");
    std::fs::create_dir_all(&bundle).unwrap();
    std::fs::write(bundle.join("manifest.ttl"), format!("{PREFIXES}{PRESET_MANIFEST}")).unwrap();
    std::fs::write(bundle.join("loud.ttl"), format!("{PREFIXES}{PRESET_LOUD}")).unwrap();
}

/// Every bundle in `folder`.
pub fn bundles_below(folder: &Path) -> Vec<PathBuf> {
    let mut bundles: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    bundles.retain(|path| path.join("manifest.ttl").is_file());
    bundles.sort();
    bundles
}

/// The fixtures laid out in a folder of their own, and what the backend reads of them.
pub struct Fixtures {
    /// What the backend is told of the host.
    pub host: Rc<HostContext>,
    /// All that were found.
    pub entries: Vec<PluginEntry>,
    /// Those that cannot be used.
    pub bad: Vec<host_core::model::BadFile>,
    /// The folder; removed when dropped.
    pub folder: tempfile::TempDir,
}

impl Fixtures {
    /// Lays out and describes all of them.
    #[expect(clippy::new_without_default, reason = "it builds, writes files and reads them")]
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        lay_out(&folder.path().join("lv2"));
        let assets = folder.path().join("assets");
        let host = Rc::new(HostContext { name: "Catena".into(), version: "0".into(), assets });
        let (entries, bad) = lv2::describe_bundles(&bundles_below(&folder.path().join("lv2")), &mut |_| {}).unwrap();
        Self { host, entries, bad, folder }
    }

    /// What was read of one.
    pub fn entry(&self, name: &str) -> &PluginEntry {
        let wanted = id(name);
        self.entries.iter().find(|entry| entry.id == wanted).unwrap_or_else(|| panic!("no fixture {name}"))
    }
}
