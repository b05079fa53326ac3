//! What the user keeps on this machine beside chains: settings, and what they think of plugins.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Format, PluginId};

/// Plugins that were used last are remembered up to this many.
const RECENT: usize = 24;

/// How the editor looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// Light text on a dark ground.
    #[default]
    Dark,
    /// Dark text on a light ground.
    Light,
    /// White text on black, nothing in between.
    HighContrast,
}

/// The machine's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// Of the file.
    pub version: u32,
    /// How the editor looks.
    pub theme: Theme,
    /// How large it is drawn, 1 to 3; `None`: as the DAW or the desktop says.
    pub scale: Option<f32>,
    /// Meters show the highest peak of the last 2 s.
    pub peak_hold: bool,
    /// The loudness of the chain is worked out while an editor is open.
    pub loudness: bool,
    /// Which of two formats of a plugin is meant where nobody says.
    pub format: Format,
    /// Folders that are searched for CLAP files beside the standard's.
    pub clap_folders: Vec<PathBuf>,
    /// Folders that are searched for LV2 bundles beside the standard's.
    pub lv2_folders: Vec<PathBuf>,
    /// What a newer version wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Settings {
    /// What this version writes.
    pub const VERSION: u32 = 1;
    /// Smallest and largest scale.
    pub const SCALES: std::ops::RangeInclusive<f32> = 1.0..=3.0;

    /// The user's own folders for a format.
    pub fn folders(&self, format: Format) -> &Vec<PathBuf> {
        match format {
            Format::Clap => &self.clap_folders,
            Format::Lv2 => &self.lv2_folders,
        }
    }

    fn folders_mut(&mut self, format: Format) -> &mut Vec<PathBuf> {
        match format {
            Format::Clap => &mut self.clap_folders,
            Format::Lv2 => &mut self.lv2_folders,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: Self::VERSION,
            theme: Theme::default(),
            scale: None,
            peak_hold: true,
            loudness: false,
            format: Format::Clap,
            clap_folders: Vec::new(),
            lv2_folders: Vec::new(),
            extra: Map::new(),
        }
    }
}

/// What the user thinks of plugins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Shelf {
    /// Of the file.
    pub version: u32,
    /// Wanted at hand.
    pub favourites: Vec<PluginId>,
    /// Used last, the latest first.
    pub recent: Vec<PluginId>,
    /// Not to be listed.
    pub hidden: Vec<PluginId>,
    /// What a newer version wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Shelf {
    /// What this version writes.
    pub const VERSION: u32 = 1;
}

impl Default for Shelf {
    fn default() -> Self {
        Self {
            version: Self::VERSION,
            favourites: Vec::new(),
            recent: Vec::new(),
            hidden: Vec::new(),
            extra: Map::new(),
        }
    }
}

/// Both, as the editor sees them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Desk {
    /// The machine's settings.
    pub settings: Settings,
    /// What the user thinks of plugins.
    pub shelf: Shelf,
    /// Why something of it could not be read or kept; empty for nothing.
    pub trouble: String,
}

/// A change of either.
#[derive(Clone, Debug, PartialEq)]
pub enum DeskEdit {
    /// How the editor looks.
    Theme(Theme),
    /// How large it is drawn.
    Scale(Option<f32>),
    /// Whether meters hold peaks.
    PeakHold(bool),
    /// Whether loudness is worked out.
    Loudness(bool),
    /// Which format is meant where nobody says.
    Format(Format),
    /// One more folder to search, or (false) one less.
    Folder(Format, PathBuf, bool),
    /// These are favourites, or (false) are not.
    Favourite(Vec<PluginId>, bool),
    /// These are hidden, or (false) are not.
    Hidden(Vec<PluginId>, bool),
    /// This one was used.
    Used(PluginId),
}

impl DeskEdit {
    /// Whether the settings are changed, not the shelf.
    pub fn is_setting(&self) -> bool {
        !matches!(self, Self::Favourite(..) | Self::Hidden(..) | Self::Used(_))
    }

    /// Changes the settings, where it is of them. False: they are as they were.
    pub fn set(&self, settings: &mut Settings) -> bool {
        let before = settings.clone();
        match self {
            Self::Theme(theme) => settings.theme = *theme,
            Self::Scale(scale) => {
                settings.scale = scale.map(|scale| scale.clamp(*Settings::SCALES.start(), *Settings::SCALES.end()));
            }
            Self::PeakHold(on) => settings.peak_hold = *on,
            Self::Loudness(on) => settings.loudness = *on,
            Self::Format(format) => settings.format = *format,
            Self::Folder(format, path, more) => put(settings.folders_mut(*format), path, *more),
            Self::Favourite(..) | Self::Hidden(..) | Self::Used(_) => {}
        }
        *settings != before
    }

    /// Changes the shelf, where it is of that. False: it is as it was.
    pub fn shelve(&self, shelf: &mut Shelf) -> bool {
        let before = shelf.clone();
        match self {
            Self::Favourite(plugins, on) => plugins.iter().for_each(|id| put(&mut shelf.favourites, id, *on)),
            Self::Hidden(plugins, on) => plugins.iter().for_each(|id| put(&mut shelf.hidden, id, *on)),
            Self::Used(plugin) => {
                put(&mut shelf.recent, plugin, false);
                shelf.recent.insert(0, plugin.clone());
                shelf.recent.truncate(RECENT);
            }
            _ => {}
        }
        *shelf != before
    }
}

/// Puts `one` into a list once, or takes it out.
fn put<T: PartialEq + Clone>(list: &mut Vec<T>, one: &T, on: bool) {
    match on {
        true if list.contains(one) => {}
        true => list.push(one.clone()),
        false => list.retain(|other| other != one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_comes_first_and_once_and_the_oldest_is_forgotten() {
        let mut shelf = Shelf::default();
        let used = |number: usize| DeskEdit::Used(PluginId::clap(format!("p{number}")));
        (0..RECENT + 3).for_each(|number| assert!(used(number).shelve(&mut shelf)));
        assert!(used(10).shelve(&mut shelf));
        assert!(!used(10).shelve(&mut shelf), "it is the last already");
        assert_eq!(shelf.recent.len(), RECENT);
        assert_eq!(shelf.recent[..2], [PluginId::clap("p10"), PluginId::clap(format!("p{}", RECENT + 2))]);
    }

    #[test]
    fn what_a_newer_version_wrote_is_kept_and_a_scale_stays_within_bounds() {
        let text = r#"{"version":1,"theme":"light","glow":7}"#;
        let mut settings: Settings = serde_json::from_str(text).unwrap();
        assert_eq!((settings.theme, settings.peak_hold), (Theme::Light, true));
        assert!(DeskEdit::Scale(Some(9.0)).set(&mut settings));
        assert_eq!(settings.scale, Some(3.0));
        let folder = PathBuf::from("/opt/plugins");
        assert!(DeskEdit::Folder(Format::Lv2, folder.clone(), true).set(&mut settings));
        assert!(!DeskEdit::Folder(Format::Lv2, folder, true).set(&mut settings), "once is enough");
        assert_eq!(serde_json::to_value(&settings).unwrap()["glow"], 7);
    }
}
