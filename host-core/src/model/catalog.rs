//! What a scan found: the plugins of this machine, and the files that hold none that can be used.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Format, Identity, ParamInfo, PluginId, PortLayout, Slot, known};

/// Where a plugin is loaded from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PluginLocation {
    /// A `.clap` file.
    Clap(PathBuf),
    /// All bundles that say something of the plugin, its own first.
    Lv2(Vec<PathBuf>),
}

impl PluginLocation {
    /// The file or bundle to name in a message.
    pub fn path(&self) -> &std::path::Path {
        match self {
            Self::Clap(path) => path,
            Self::Lv2(bundles) => bundles.first().map_or(std::path::Path::new(""), PathBuf::as_path),
        }
    }
}

/// Who keeps a preset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PresetFrom {
    /// It comes with the plugin.
    #[default]
    Factory,
    /// The user made it, in the plugin's own format: every host lists it.
    User,
    /// The user made it, and Catena alone keeps it.
    Catena,
}

impl fmt::Display for PresetFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Factory => "factory",
            Self::User => "user",
            Self::Catena => "catena",
        })
    }
}

/// A preset of a plugin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preset {
    /// Its name, as shown.
    pub name: String,
    /// How it is found: an LV2 preset URI, a CLAP location and load key, or a file of Catena's.
    pub uri: String,
    /// Who keeps it.
    #[serde(default)]
    pub from: PresetFrom,
}

/// One plugin that a scan found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginEntry {
    /// Which plugin.
    pub id: PluginId,
    /// Its name.
    pub name: String,
    /// Its maker; empty where it names none.
    pub vendor: String,
    /// Its version; empty where it names none.
    pub version: String,
    /// Where it is loaded from.
    pub location: PluginLocation,
    /// CLAP features or LV2 class names, in lower case.
    pub categories: Vec<String>,
    /// Its ports.
    pub ports: PortLayout,
    /// Its parameters. Empty after a scan that did not open the plugin.
    #[serde(default)]
    pub params: Vec<ParamInfo>,
    /// Presets it brings.
    #[serde(default)]
    pub presets: Vec<Preset>,
    /// Smallest block it runs safely, frames; 1 unless a probe found otherwise.
    #[serde(default = "one")]
    pub min_block: u32,
}

fn one() -> u32 {
    1
}

impl PluginEntry {
    /// What is known of the plugin before it is opened.
    pub fn identity(&self) -> Identity {
        Identity {
            name: self.name.clone(),
            vendor: self.vendor.clone(),
            version: self.version.clone(),
            ports: self.ports.clone(),
            ..Identity::default()
        }
    }
}

/// A file or plugin that cannot be used, with the reason; skipped until it changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadFile {
    /// The file or bundle.
    pub path: PathBuf,
    /// The plugin inside it, where one alone is at fault.
    pub plugin: Option<PluginId>,
    /// Why, in one sentence.
    pub reason: String,
}

/// A plugin that exists here only in a format that Catena does not host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Its file's name.
    pub name: String,
    /// The format: `VST3`, `VST2`, `LADSPA`.
    pub format: String,
    /// The file.
    pub path: PathBuf,
}

/// Everything a scan found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalog {
    /// Plugins, sorted by name, then format (CLAP first), then id.
    pub plugins: Vec<PluginEntry>,
    /// What cannot be used.
    pub bad: Vec<BadFile>,
}

/// Whether a slot's plugin and this one are one, whatever their formats.
pub fn is_same(slot: &Slot, entry: &PluginEntry) -> bool {
    let name = known::plain(&slot.identity.name);
    slot.plugin == entry.id || (!name.is_empty() && name == known::plain(&entry.name))
}

/// What a text names in a catalog.
#[derive(Debug, PartialEq)]
pub enum Resolve<'a> {
    /// Exactly one plugin.
    One(&'a PluginEntry),
    /// Nothing.
    None,
    /// Several, all of them listed.
    Many(Vec<&'a PluginEntry>),
}

impl Catalog {
    /// The plugin with `id`.
    pub fn find(&self, id: &PluginId) -> Option<&PluginEntry> {
        self.plugins.iter().find(|entry| entry.id == *id)
    }

    /// What may stand in for a slot's plugin: the same in the other format, by its name. `[any]`
    pub fn others_of(&self, slot: &Slot) -> impl Iterator<Item = &PluginEntry> {
        self.plugins.iter().filter(|entry| entry.id.format != slot.plugin.format && is_same(slot, entry))
    }

    /// The plugin that a user's `text` names: `clap:ID`, `lv2:URI`, a bare id, or any unambiguous part of a
    /// name. A whole name beats a part; where one plugin exists in both formats, CLAP is meant.
    pub fn resolve(&self, text: &str) -> Resolve<'_> {
        if let Ok(id) = text.parse::<PluginId>() {
            return self.find(&id).map_or(Resolve::None, Resolve::One);
        }
        if let Some(entry) = self.plugins.iter().find(|entry| entry.id.id == text) {
            return Resolve::One(entry);
        }
        let wanted = text.to_lowercase();
        let whole = self.with_names(|name| name == wanted);
        let found = if whole.is_empty() { self.with_names(|name| name.contains(&wanted)) } else { whole };
        match found.as_slice() {
            [] => Resolve::None,
            [one] => Resolve::One(one),
            _ => Resolve::Many(found),
        }
    }

    /// Plugins whose name in lower case `fits`, each name once: an LV2 is left out where a CLAP of the same
    /// name fits too.
    fn with_names(&self, fits: impl Fn(&str) -> bool) -> Vec<&PluginEntry> {
        let all: Vec<_> = self.plugins.iter().filter(|entry| fits(&entry.name.to_lowercase())).collect();
        let in_clap = |name: &str| all.iter().any(|e| e.id.format == Format::Clap && e.name.eq_ignore_ascii_case(name));
        all.iter().filter(|e| e.id.format == Format::Clap || !in_clap(&e.name)).copied().collect()
    }

    /// Brings the plugins into the catalog's order.
    pub fn sort(&mut self) {
        self.plugins.sort_by(|a, b| {
            (a.name.to_lowercase(), a.id.format, &a.id.id).cmp(&(b.name.to_lowercase(), b.id.format, &b.id.id))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, name: &str) -> PluginEntry {
        PluginEntry {
            id: id.parse().unwrap(),
            name: name.into(),
            vendor: String::new(),
            version: String::new(),
            location: PluginLocation::Clap(PathBuf::new()),
            categories: vec![],
            ports: PortLayout::default(),
            params: vec![],
            presets: vec![],
            min_block: 1,
        }
    }

    #[test]
    fn a_name_means_the_clap_and_an_ambiguous_one_lists_the_candidates() {
        let catalog = Catalog {
            plugins: vec![
                entry("clap:zam.comp", "ZamComp"),
                entry("lv2:urn:zam:comp", "ZamComp"),
                entry("lv2:urn:zam:compx2", "ZamCompX2"),
                entry("lv2:urn:x42:eq", "Equalizer"),
            ],
            bad: vec![],
        };
        let id = |text| match catalog.resolve(text) {
            Resolve::One(entry) => entry.id.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(id("zamcomp"), "clap:zam.comp");
        assert_eq!(id("lv2:urn:zam:comp"), "lv2:urn:zam:comp");
        assert_eq!(id("equal"), "lv2:urn:x42:eq");
        assert!(matches!(catalog.resolve("zam"), Resolve::Many(found) if found.len() == 2));
        assert_eq!(catalog.resolve("nothing"), Resolve::None);
        assert_eq!(catalog.resolve("clap:nothing"), Resolve::None);
    }
}
