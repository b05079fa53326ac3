//! Snapshots A to D of a chain: its nodes and macros as they once were, kept with it.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{Macro, Node, SlotId};

/// Which snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Letter {
    /// The first.
    A,
    /// The second.
    B,
    /// The third.
    C,
    /// The fourth.
    D,
}

impl Letter {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];
}

impl std::fmt::Display for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(["A", "B", "C", "D"][*self as usize])
    }
}

/// What a snapshot holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// The nodes, first to last, with their plugins' states.
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// The macros that held something, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<Macro>,
    /// In a file: slots whose state is the very one that the chain itself has. Empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<SlotId>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A snapshot that is cheap to clone and to compare with itself.
#[derive(Clone, Debug, Default)]
pub struct SharedScene(pub Arc<Scene>);

impl PartialEq for SharedScene {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Deref for SharedScene {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.0
    }
}

impl Serialize for SharedScene {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedScene {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Scene::deserialize(deserializer).map(|scene| Self(Arc::new(scene)))
    }
}

/// The snapshots of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Scenes {
    /// The one that was stored or recalled last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<Letter>,
    /// Those that hold something.
    #[serde(default)]
    pub stored: BTreeMap<Letter, SharedScene>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Scenes {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
