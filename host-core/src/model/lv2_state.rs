//! The form that an LV2 plugin's state is kept in: JSON of our own, the same for the same state whatever the locale and whichever
//! process writes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The form's number; another one is refused.
const FORM: u32 = 1;

/// A whole state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lv2State {
    lv2: u32,
    /// The plugin's URI.
    pub plugin: String,
    /// Values of control inputs by symbol.
    #[serde(default)]
    pub ports: BTreeMap<String, f32>,
    /// Values of `patch:writable`s by URI, for plugins that keep no state of their own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// What the plugin stored, sorted by key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Lv2Property>,
}

/// One property as it is kept: a text, a whole number, or bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lv2Property {
    /// Its URI.
    pub key: String,
    /// Its type's URI.
    #[serde(rename = "type")]
    pub kind: String,
    /// `LV2_State_Flags`.
    pub flags: u32,
    /// A text, or the name of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A whole number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// URIs behind the numbers 1, 2, ... inside the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urids: Vec<String>,
}

impl Lv2State {
    /// A state with nothing in it.
    pub fn new(plugin: &str) -> Self {
        Self { lv2: FORM, plugin: plugin.into(), ..Self::default() }
    }

    /// Its bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads bytes. The error is what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let state: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if state.lv2 != FORM {
            return Err(format!("it is of form {}, this version reads {FORM}", state.lv2));
        }
        Ok(state)
    }
}
