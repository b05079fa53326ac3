//! Where a plugin's own window stands, and what an editor shows of its slot.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a plugin's own window stands, and whether it is open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WindowPlace {
    /// It is open as a window by itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// The editor shows it: the window inside its own, or the parameters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inside: bool,
    /// There the user wants the parameters rather than the window.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub parameters: bool,
    /// Its upper left corner on the screen, pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<(i32, i32)>,
    /// Its width and height, pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<(u32, u32)>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl WindowPlace {
    /// Whether there is nothing to keep.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
