//! Which plugin: a format and the id the format's own standard gives it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A plugin standard that Catena hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// CLAP, preferred where a plugin exists in both.
    Clap,
    /// LV2.
    Lv2,
}

impl Format {
    /// The prefix of a written id: `clap` or `lv2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clap => "clap",
            Self::Lv2 => "lv2",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clap => "CLAP",
            Self::Lv2 => "LV2",
        })
    }
}

/// A plugin by format and id, written `clap:com.example.gain` or `lv2:http://example.org/gain`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PluginId {
    /// The plugin's format.
    pub format: Format,
    /// The CLAP id or the LV2 URI, as the plugin gives it.
    pub id: String,
}

impl PluginId {
    /// A CLAP plugin's id.
    pub fn clap(id: impl Into<String>) -> Self {
        Self { format: Format::Clap, id: id.into() }
    }

    /// An LV2 plugin's URI.
    pub fn lv2(uri: impl Into<String>) -> Self {
        Self { format: Format::Lv2, id: uri.into() }
    }
}

impl fmt::Display for PluginId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.format.as_str(), self.id)
    }
}

/// A text that is no plugin id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePluginIdError(pub String);

impl fmt::Display for ParsePluginIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no plugin id: write clap:ID or lv2:URI", self.0)
    }
}

impl std::error::Error for ParsePluginIdError {}

impl FromStr for PluginId {
    type Err = ParsePluginIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, id) = text.split_once(':').ok_or_else(|| ParsePluginIdError(text.into()))?;
        let format = match format {
            "clap" => Format::Clap,
            "lv2" => Format::Lv2,
            _ => return Err(ParsePluginIdError(text.into())),
        };
        if id.is_empty() {
            return Err(ParsePluginIdError(text.into()));
        }
        Ok(Self { format, id: id.into() })
    }
}

impl Serialize for PluginId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PluginId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_as_written() {
        for text in ["clap:com.zamaudio.ZamComp", "lv2:http://example.org/a:b#c"] {
            assert_eq!(text.parse::<PluginId>().unwrap().to_string(), text);
        }
        for text in ["", "clap:", "vst3:x", "zam"] {
            assert!(text.parse::<PluginId>().is_err(), "{text}");
        }
    }
}
