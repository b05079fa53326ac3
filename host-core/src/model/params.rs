//! Parameters of a plugin, the same for every format.

use serde::{Deserialize, Serialize};

/// How a parameter's values are spaced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Steps {
    /// Any value between minimum and maximum.
    #[default]
    Continuous,
    /// Whole numbers.
    Integer,
    /// Off at the minimum, on at the maximum.
    Toggle,
    /// Named values only.
    Named(Vec<(f64, String)>),
}

/// One parameter. Its index in the plugin's list is how it is addressed while the plugin runs, its key
/// how it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamInfo {
    /// What saved values are kept under: the LV2 symbol (or the URI of a `patch:writable`), or the CLAP id in decimal.
    pub key: String,
    /// Its name, as shown.
    pub name: String,
    /// Group or module path, parts divided by `/`; empty for none.
    pub group: String,
    /// Smallest value, in the plugin's own unit.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Value a fresh instance has.
    pub default: f64,
    /// Unit as shown after a number (`dB`, `Hz`); empty for none or where the plugin's own text holds it.
    pub unit: String,
    /// How values are spaced.
    pub steps: Steps,
    /// Whether a host may change it while the plugin runs.
    pub automatable: bool,
    /// The plugin tells it, the host only reads it.
    pub read_only: bool,
    /// Not for users' eyes.
    pub hidden: bool,
    /// The plugin's own bypass or `lv2:enabled`; the engine owns it.
    pub is_bypass: bool,
    /// Best shown on a logarithmic scale.
    pub logarithmic: bool,
}

impl ParamInfo {
    /// `value` brought into this parameter's range; NaN becomes the default.
    pub fn clamp(&self, value: f64) -> f64 {
        if value.is_nan() {
            return self.default;
        }
        // A plugin may claim min > max: f64::clamp would panic on it.
        value.max(self.min.min(self.max)).min(self.max.max(self.min))
    }
}
