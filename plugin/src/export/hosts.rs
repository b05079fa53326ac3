//! DAWs and other hosts on this machine, and how each takes Catena.

use std::path::{Path, PathBuf};

/// Program names without a version at the end, the name as shown, and the formats it loads.
const KNOWN: &[(&str, &str, &str)] = &[
    ("ardour", "Ardour", "LV2, VST3"),
    ("mixbus", "Mixbus", "LV2, VST3"),
    ("qtractor", "Qtractor", "CLAP, LV2, VST3"),
    ("reaper", "REAPER", "CLAP, LV2, VST3"),
    ("bitwig-studio", "Bitwig Studio", "CLAP, VST3"),
    ("carla", "Carla", "CLAP, LV2, VST3"),
    ("zrythm", "Zrythm", "CLAP, LV2, VST3"),
    ("lmms", "LMMS", "LV2"),
    ("muse", "MusE", "LV2"),
    ("audacity", "Audacity", "LV2, VST3"),
    ("tenacity", "Tenacity", "LV2, VST3"),
    ("waveform", "Waveform", "VST3"),
    ("renoise", "Renoise", "VST3"),
    ("studioone", "Studio One", "CLAP, VST3"),
    ("element", "Element", "CLAP, LV2, VST3"),
    ("jalv", "jalv", "LV2"),
    ("obs", "OBS Studio", "VST3"),
];

/// Name, formats and place of the hosts on `PATH` and where their own installers put them. `[any but audio]`
pub fn hosts() -> Vec<(&'static str, &'static str, PathBuf)> {
    let mut folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let homes = std::env::var_os("HOME").map(PathBuf::from);
    folders.extend(homes.iter().flat_map(|home| ["opt/REAPER", "REAPER", ".local/bin"].map(|name| home.join(name))));
    folders.extend(["/opt/REAPER", "/opt/bitwig-studio", "/opt"].map(PathBuf::from));
    let there = |(program, name, formats): &(&'static str, &'static str, &'static str)| {
        let path = folders.iter().find_map(|folder| find(folder, program))?;
        Some((*name, *formats, path))
    };
    KNOWN.iter().filter_map(there).collect()
}

/// What makes a fresh plugin or preset of any of `formats` appear in each host that is here, a line for each. `[any but audio]`
pub fn appears(formats: &str) -> Vec<String> {
    let takes = |theirs: &str| formats.split(", ").any(|format| theirs.split(", ").any(|own| own == format));
    let how = |name: &str| match name {
        "Ardour" | "Mixbus" => "end it and start it again",
        "Qtractor" => "View > Options > Plugins > Update, or start it again",
        "REAPER" => "Options > Preferences > Plug-ins > Re-scan",
        "Bitwig Studio" => "it looks by itself",
        "Carla" => "Add Plugin > Refresh",
        "jalv" => "it is there at its next start",
        _ => "have it look for new plugins, or start it again",
    };
    let here = hosts().into_iter().filter(|(_, theirs, _)| takes(theirs));
    here.map(|(name, ..)| format!("In {name}: {}", how(name))).collect()
}

/// `program` in `folder`, also with a version at its end (`ardour8`, `Mixbus-10`).
fn find(folder: &Path, program: &str) -> Option<PathBuf> {
    let plain = folder.join(program);
    if plain.is_file() {
        return Some(plain);
    }
    let mut found: Vec<_> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let version = name.strip_prefix(program);
        let of_version = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
        version.is_some_and(|rest| rest.starts_with(of_version) && rest.chars().all(of_version)) && path.is_file()
    });
    found.sort();
    found.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_a_version_in_their_name_are_found_and_their_helpers_are_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["ardour7", "ardour8.1", "ardour-session-tool", "jalv.gtk3"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(find(folder.path(), "ardour"), Some(folder.path().join("ardour8.1")));
        assert_eq!(find(folder.path(), "jalv"), None);
    }
}
