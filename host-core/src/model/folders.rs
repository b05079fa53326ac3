//! The user's folders, by the XDG rules.

use std::path::{Path, PathBuf};

/// Where the user's things are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// Chains and presets: `$XDG_DATA_HOME/catena`.
    pub data: PathBuf,
    /// What can be made again: `$XDG_CACHE_HOME/catena`.
    pub cache: PathBuf,
    /// Settings: `$XDG_CONFIG_HOME/catena`.
    pub config: PathBuf,
    /// Logs and journals: `$XDG_STATE_HOME/catena`.
    pub state: PathBuf,
}

impl Folders {
    /// The folders of this process's environment. A variable that is unset, empty or relative counts as unset
    /// (XDG base directory specification 0.8).
    pub fn from_env() -> Self {
        Self::resolve(|name| std::env::var_os(name).map(PathBuf::from))
    }

    fn resolve(var: impl Fn(&str) -> Option<PathBuf>) -> Self {
        let home = var("HOME").filter(|path| path.is_absolute()).unwrap_or_else(|| PathBuf::from("/tmp"));
        let folder = |name: &str, default: &str| {
            let base = var(name).filter(|path| path.is_absolute()).unwrap_or_else(|| home.join(default));
            base.join("catena")
        };
        Self {
            data: folder("XDG_DATA_HOME", ".local/share"),
            cache: folder("XDG_CACHE_HOME", ".cache"),
            config: folder("XDG_CONFIG_HOME", ".config"),
            state: folder("XDG_STATE_HOME", ".local/state"),
        }
    }

    /// The scan cache.
    pub fn scan_cache(&self) -> PathBuf {
        self.cache.join("plugins.json")
    }

    /// The user's own chains.
    pub fn chains(&self) -> PathBuf {
        self.data.join("chains")
    }

    /// Where chains lie that hosts list as presets: the user's own first, then those that were installed.
    pub fn preset_folders(&self) -> Vec<PathBuf> {
        let installed = ["/usr/local/share/catena/factory", "/usr/share/catena/factory"];
        [self.chains(), self.data.join("factory")].into_iter().chain(installed.map(PathBuf::from)).collect()
    }

    /// States of plugins that the user keeps as presets, a folder for each plugin.
    pub fn presets(&self) -> PathBuf {
        self.data.join("presets")
    }

    /// What the user has plugins begin with, a file for each plugin.
    pub fn defaults(&self) -> PathBuf {
        self.data.join("defaults")
    }

    /// What the library knows of chain files.
    pub fn library_cache(&self) -> PathBuf {
        self.cache.join("library.json")
    }

    /// The chains that the user wants at hand, a path a line.
    pub fn favourites(&self) -> PathBuf {
        self.data.join("favourites")
    }

    /// Which controllers move which macros on this machine.
    pub fn controllers(&self) -> PathBuf {
        self.config.join("controllers.json")
    }

    /// The machine's settings.
    pub fn settings(&self) -> PathBuf {
        self.config.join("settings.json")
    }

    /// Which plugins are favourites, hidden, and were used last.
    pub fn shelf(&self) -> PathBuf {
        self.config.join("plugins.json")
    }

    /// Reports of problems that the user asked for.
    pub fn reports(&self) -> PathBuf {
        self.state.join("reports")
    }

    /// Files that plugin states brought with them.
    pub fn assets(&self) -> PathBuf {
        self.cache.join("assets")
    }

    /// Notes of plugins being opened, one file per process.
    pub fn opening(&self) -> PathBuf {
        self.state.join("opening")
    }

    /// Damaged chains as a DAW's session held them.
    pub fn damaged(&self) -> PathBuf {
        self.state.join("damaged")
    }

    /// Chains of sessions that have not ended yet, or ended without a word.
    pub fn recovery(&self) -> PathBuf {
        self.state.join("recovery")
    }

    /// Log files.
    pub fn logs(&self) -> PathBuf {
        self.state.join("log")
    }

    /// Every folder of the four, for messages.
    pub fn all(&self) -> [&Path; 4] {
        [&self.data, &self.cache, &self.config, &self.state]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_relative_variables_count_as_unset() {
        let folders = Folders::resolve(|name| match name {
            "HOME" => Some("/home/ann".into()),
            "XDG_CACHE_HOME" => Some("/fast/cache".into()),
            "XDG_DATA_HOME" => Some("".into()),
            "XDG_STATE_HOME" => Some("state".into()),
            _ => None,
        });
        assert_eq!(folders.cache, Path::new("/fast/cache/catena"));
        assert_eq!(folders.data, Path::new("/home/ann/.local/share/catena"));
        assert_eq!(folders.state, Path::new("/home/ann/.local/state/catena"));
    }
}
