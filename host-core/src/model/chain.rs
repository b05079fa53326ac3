//! The chain itself.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{About, Bytes, Lanes, Macro, MacroId, PluginId, Scenes, Slot, lanes};

/// Longest latency that can be reported and aligned, frames.
pub const MAX_LATENCY: u32 = 262_144;

/// A slot's name inside its chain. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SlotId(pub u64);

impl std::fmt::Display for SlotId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Version of the tree that a chain file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Another major is refused, its bytes kept.
    pub major: u32,
    /// A newer minor is read: what is not known is kept and written back.
    pub minor: u32,
}

impl Schema {
    /// What this version writes. 1.1: macros, lanes.
    pub const CURRENT: Self = Self { major: 1, minor: 1 };
}

/// What the container tells the DAW of its latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyMode {
    /// What a measured impulse shows.
    #[default]
    True,
    /// Padded to a fixed time, milliseconds.
    Constant(f64),
    /// Report 0, for playing live.
    Live,
}

/// One element of a chain.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// One plugin.
    Slot(Box<Slot>),
    /// Parallel chains.
    Lanes(Box<Lanes>),
    /// A node of a newer version: kept, passed by, written back.
    Unknown(Value),
}

impl Node {
    /// The slot, where this is one.
    pub fn slot(&self) -> Option<&Slot> {
        match self {
            Self::Slot(slot) => Some(slot),
            Self::Lanes(_) | Self::Unknown(_) => None,
        }
    }

    /// The lanes, where these are some.
    pub fn lanes(&self) -> Option<&Lanes> {
        match self {
            Self::Lanes(lanes) => Some(lanes),
            Self::Slot(_) | Self::Unknown(_) => None,
        }
    }

    /// Its id among slots and lanes.
    pub fn id(&self) -> Option<SlotId> {
        match self {
            Self::Slot(slot) => Some(slot.id),
            Self::Lanes(lanes) => Some(lanes.id),
            Self::Unknown(_) => None,
        }
    }
}

#[derive(Serialize)]
struct Tagged<'a, T> {
    node: &'static str,
    #[serde(flatten)]
    inner: &'a T,
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Slot(slot) => Tagged { node: "slot", inner: &**slot }.serialize(serializer),
            Self::Lanes(lanes) => Tagged { node: "lanes", inner: &**lanes }.serialize(serializer),
            Self::Unknown(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut value = Value::deserialize(deserializer)?;
        let kind = value.get("node").and_then(Value::as_str).unwrap_or("").to_owned();
        if !matches!(kind.as_str(), "slot" | "lanes") {
            return Ok(Self::Unknown(value));
        }
        if let Some(object) = value.as_object_mut() {
            object.remove("node");
        }
        let damaged = serde::de::Error::custom;
        match kind.as_str() {
            "slot" => serde_json::from_value(value).map(|slot| Self::Slot(Box::new(slot))).map_err(damaged),
            _ => serde_json::from_value(value).map(|lanes| Self::Lanes(Box::new(lanes))).map_err(damaged),
        }
    }
}

/// The grid of a chain that says nothing else, frames.
pub const GRID: u32 = 64;
/// What a grid may be, frames.
pub const GRID_RANGE: RangeInclusive<u32> = 1..=8192;

fn default_grid() -> u32 {
    GRID
}

fn is_default_grid(grid: &u32) -> bool {
    *grid == GRID
}

/// A chain: nodes in the order that sound passes through them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Chain {
    /// Version of this tree.
    pub schema: Schema,
    /// The user's name for the chain.
    #[serde(default)]
    pub name: String,
    /// What is said of it.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// What the DAW is told.
    #[serde(default)]
    pub latency: LatencyMode,
    /// Edits that would change what the DAW is told wait until its transport stops.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hold_latency: bool,
    /// It may use several cores.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cores: bool,
    /// Frames of the grid on which LV2 plugins hear their control inputs change, within [`GRID_RANGE`].
    #[serde(default = "default_grid", skip_serializing_if = "is_default_grid")]
    pub grid: u32,
    /// The container's own bypass.
    #[serde(default)]
    pub bypass: bool,
    /// Whether an output above +18 dBFS for 20 ms mutes the chain; `None`: in the standalone program alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<bool>,
    /// The id the next new slot gets.
    #[serde(default)]
    pub next_slot: u64,
    /// The nodes, first to last.
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// The macros that hold something, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<Macro>,
    /// Snapshots A to D.
    #[serde(default, skip_serializing_if = "Scenes::is_empty")]
    pub snapshots: Scenes,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
    /// Files of a newer version that came with the chain (states of nodes not known here), by their path in it: kept
    /// and written back.
    #[serde(skip)]
    pub files: BTreeMap<String, Bytes>,
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            schema: Schema::CURRENT,
            name: String::new(),
            about: About::default(),
            latency: LatencyMode::default(),
            hold_latency: false,
            cores: false,
            grid: GRID,
            bypass: false,
            guard: None,
            next_slot: 1,
            nodes: Vec::new(),
            macros: Vec::new(),
            snapshots: Scenes::default(),
            extra: Map::new(),
            files: BTreeMap::new(),
        }
    }
}

impl Chain {
    /// All slots, those in lanes too, in the order that sound passes through them.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        lanes::slots(&self.nodes).into_iter()
    }

    /// All groups of lanes, outer ones before those in them.
    pub fn groups(&self) -> impl Iterator<Item = &Lanes> {
        lanes::groups(&self.nodes).into_iter()
    }

    /// The slot with `id`.
    pub fn slot(&self, id: SlotId) -> Option<&Slot> {
        self.slots().find(|slot| slot.id == id)
    }

    /// The slot with `id`, to be changed.
    pub fn slot_mut(&mut self, id: SlotId) -> Option<&mut Slot> {
        find_slot(&mut self.nodes, id)
    }

    /// An id no slot, lane or group of lanes of this chain has or had.
    pub fn fresh_id(&mut self) -> SlotId {
        let lanes = self.groups().flat_map(|group| group.lanes.iter().map(|lane| lane.id).chain([group.id]));
        let highest = self.slots().map(|slot| slot.id).chain(lanes).map(|id| id.0 + 1).max().unwrap_or(1);
        let id = self.next_slot.max(highest);
        self.next_slot = id + 1;
        SlotId(id)
    }

    /// Puts a fresh slot for `plugin` in at `index` of the chain itself (the end where it is past it).
    pub fn insert(&mut self, index: usize, plugin: PluginId) -> SlotId {
        let id = self.fresh_id();
        let index = index.min(self.nodes.len());
        self.nodes.insert(index, Node::Slot(Box::new(Slot::new(id, plugin))));
        id
    }
}

impl Chain {
    /// The macro with this number, where it holds anything.
    pub fn macro_of(&self, id: MacroId) -> Option<&Macro> {
        self.macros.iter().find(|one| one.number == id)
    }

    /// The macro with this number, to be changed; an empty one is made where there is none.
    pub fn macro_mut(&mut self, id: MacroId) -> &mut Macro {
        // A file of an older version does not know it: whoever reads what is written now must.
        if self.schema.major == Schema::CURRENT.major {
            self.schema.minor = self.schema.minor.max(Schema::CURRENT.minor);
        }
        // A file may have them in any order.
        let at = self.macros.iter().position(|one| one.number == id).unwrap_or_else(|| {
            let at = self.macros.iter().position(|one| one.number > id).unwrap_or(self.macros.len());
            self.macros.insert(at, Macro::new(id));
            at
        });
        &mut self.macros[at]
    }
}

fn find_slot(nodes: &mut [Node], id: SlotId) -> Option<&mut Slot> {
    nodes.iter_mut().find_map(|node| match node {
        Node::Slot(slot) if slot.id == id => Some(slot.as_mut()),
        Node::Lanes(group) => group.lanes.iter_mut().find_map(|lane| find_slot(&mut lane.nodes, id)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_ids_are_never_reused() {
        let mut chain = Chain::default();
        let a = chain.insert(0, PluginId::clap("a"));
        let b = chain.insert(1, PluginId::clap("b"));
        chain.remove(b);
        let c = chain.insert(9, PluginId::clap("c"));
        assert!(c > b && b > a);
        assert!(chain.move_to(c, 0));
        assert_eq!(chain.position(c), Some(0));
    }

    #[test]
    fn fields_and_nodes_of_a_newer_version_are_written_back() {
        let text = r#"{"schema":{"major":1,"minor":7},"name":"x","moon":{"phase":3},
            "nodes":[{"node":"warp","speed":[1,2]},{"node":"slot","id":4,"plugin":"clap:a","glow":true}]}"#;
        let chain: Chain = serde_json::from_str(text).unwrap();
        let again = serde_json::to_value(&chain).unwrap();
        assert_eq!(again["moon"]["phase"], 3);
        assert_eq!(again["nodes"][0]["speed"][1], 2);
        assert_eq!(again["nodes"][1]["glow"], true);
        assert_eq!(again["schema"]["minor"], 7);
        assert_eq!(serde_json::from_value::<Chain>(again).unwrap(), chain);
    }
}
