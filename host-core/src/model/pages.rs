//! Pages of controls that a plugin offers for knobs.

use serde::Serialize;

/// Controls on one page.
pub const PAGE: usize = 8;

/// A page of controls, as a plugin arranges them (CLAP's remote controls).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ControlPage {
    /// What several pages have in common; empty for nothing.
    pub section: String,
    /// The page's name.
    pub name: String,
    /// Parameters by key, `None` where the page has a gap.
    pub controls: [Option<String>; PAGE],
    /// It belongs to the preset that is loaded.
    pub of_preset: bool,
}

impl ControlPage {
    /// Section and name, divided by `/`.
    pub fn title(&self) -> String {
        let parts = [self.section.as_str(), self.name.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
    }
}
