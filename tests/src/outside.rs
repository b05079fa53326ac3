//! A folder through which a test sees what is done to its fixtures, and lets one of them not come back from a call.

use std::path::{Path, PathBuf};

/// The folder of this process's fixtures, or of another's that is given it as `CATENA_FIXTURES`. Removed when dropped.
pub struct Outside(PathBuf);

impl Outside {
    /// For the fixtures in this process. One at a time.
    #[expect(clippy::new_without_default, reason = "it makes a folder that all share")]
    pub fn new() -> Self {
        Self::at(std::env::temp_dir().join(format!("catena-fixtures-{}", std::process::id())))
    }

    /// For the fixtures of another process.
    pub fn at(folder: PathBuf) -> Self {
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// From now on the fixture `stalls` does not come back from `call`: open, activate, save or load.
    pub fn stall(&self, call: &str) {
        std::fs::write(self.0.join("stall"), call).unwrap();
    }

    /// It comes back.
    pub fn release(&self) {
        let _none = std::fs::remove_file(self.0.join("stall"));
    }

    /// What was done to fixtures so far, oldest first: `NAME made`, `NAME activated RATE LONGEST`, `NAME deactivated`, `NAME gone`.
    pub fn log(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.join("log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}
