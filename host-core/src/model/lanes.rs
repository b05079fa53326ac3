//! Lanes: parallel chains of nodes, fed by a split and summed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{LaneAux, Node, Slot, SlotId};

/// How deep lanes may be nested: lanes in the chain itself are at depth 1.
pub const MAX_DEPTH: usize = 16;
/// Lanes side by side at most, where the split does not say how many.
pub const MAX_LANES: usize = 32;
/// Bands at most.
pub const MAX_BANDS: usize = 5;
/// Lowest and highest frequency at which bands may meet, Hz.
pub const CROSSOVER_RANGE: std::ops::RangeInclusive<f64> = 20.0..=20_000.0;
/// Largest gain that a lane may be set to, dB.
pub const MAX_LANE_GAIN: f64 = 48.0;
/// Longest delay that a lane may be given, milliseconds; in frames, half of the longest latency.
pub const MAX_LANE_DELAY: f64 = 1000.0;

/// How what comes in is shared among lanes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// Each lane gets all of it.
    #[default]
    Copy,
    /// The first lane gets the middle, the second the sides.
    MidSide,
    /// The first lane gets the left channel, the second the right one.
    LeftRight,
    /// Each lane gets a band; they meet at these frequencies, Hz, lowest first. One more lane than frequencies.
    Bands(Vec<f64>),
}

impl Split {
    /// How many lanes it makes; `None`: as many as the user likes.
    pub fn lanes(&self) -> Option<usize> {
        match self {
            Self::Copy => None,
            Self::MidSide | Self::LeftRight => Some(2),
            Self::Bands(crossovers) => Some(crossovers.len() + 1),
        }
    }

    /// What its lanes are called until the user names them.
    pub fn lane_name(&self, index: usize) -> String {
        match (self, index) {
            (Self::MidSide, 0) => "Mid".into(),
            (Self::MidSide, 1) => "Side".into(),
            (Self::LeftRight, 0) => "Left".into(),
            (Self::LeftRight, 1) => "Right".into(),
            (Self::Bands(_), _) => format!("Band {}", index + 1),
            _ => format!("Lane {}", index + 1),
        }
    }
}

/// A delay that a lane has by the user's will, over the one that aligns it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaneDelay {
    /// In frames.
    Frames(u32),
    /// In milliseconds.
    Ms(f64),
}

impl Default for LaneDelay {
    fn default() -> Self {
        Self::Frames(0)
    }
}

impl LaneDelay {
    /// At `rate` Hz, frames.
    pub fn frames(self, rate: f64) -> u32 {
        match self {
            Self::Frames(frames) => frames,
            Self::Ms(ms) => (ms.clamp(0.0, MAX_LANE_DELAY) / 1000.0 * rate).round() as u32,
        }
        .min(super::MAX_LATENCY / 2)
    }
}

/// One of several lanes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Lane {
    /// Unique in its chain for ever, among slots and lanes together.
    pub id: SlotId,
    /// The user's own name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The user's colour, red, green, blue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<[u8; 3]>,
    /// Gain, dB.
    #[serde(default)]
    pub gain: f64,
    /// Balance, -1 (left) to 1 (right).
    #[serde(default)]
    pub pan: f64,
    /// Is not heard.
    #[serde(default)]
    pub mute: bool,
    /// Only lanes with this are heard, where there are any beside it.
    #[serde(default)]
    pub solo: bool,
    /// Delay by the user's will.
    #[serde(default)]
    pub delay: LaneDelay,
    /// The auxiliary output that it is heard on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aux: Option<LaneAux>,
    /// Passes what it is given while it holds nothing. One of several copies is silent otherwise, so that making it changes
    /// no level.
    #[serde(default)]
    pub dry: bool,
    /// What it holds, first to last.
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Lane {
    /// An empty lane with every setting at its default.
    pub fn new(id: SlotId) -> Self {
        Self {
            id,
            name: None,
            colour: None,
            gain: 0.0,
            pan: 0.0,
            mute: false,
            solo: false,
            delay: LaneDelay::default(),
            aux: None,
            dry: false,
            nodes: Vec::new(),
            extra: Map::new(),
        }
    }
}

/// Parallel lanes: one node of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Lanes {
    /// Unique in its chain for ever, among slots and lanes together.
    pub id: SlotId,
    /// The user's own name for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How what comes in is shared.
    #[serde(default)]
    pub split: Split,
    /// The lanes, first to last.
    #[serde(default)]
    pub lanes: Vec<Lane>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Lanes {
    /// What users call a lane: their own name, else what the split calls it.
    pub fn lane_title(&self, index: usize) -> String {
        let own = self.lanes.get(index).and_then(|lane| lane.name.clone());
        own.unwrap_or_else(|| self.split.lane_name(index))
    }

    /// Whether a lane is one of several copies.
    pub fn has_siblings(&self) -> bool {
        self.split == Split::Copy && self.lanes.len() > 1
    }

    /// Whether a lane is silent because it holds nothing yet.
    pub fn is_blank(&self, lane: &Lane) -> bool {
        self.has_siblings()
            && !lane.dry
            && !lane.nodes.iter().any(|node| matches!(node, Node::Slot(_) | Node::Lanes(_)))
    }

    /// Whether a lane is heard, by mute, solo and what it holds.
    pub fn is_heard(&self, lane: &Lane) -> bool {
        !lane.mute && self.is_let_through(lane)
    }

    /// Whether a lane is heard, by solo and what it holds.
    pub fn is_let_through(&self, lane: &Lane) -> bool {
        let soloed = self.lanes.iter().any(|lane| lane.solo);
        (lane.solo || !soloed) && !self.is_blank(lane)
    }
}

/// Every slot of `nodes` and of the lanes in them, in the order that sound passes through them, lane after lane.
pub fn slots(nodes: &[Node]) -> Vec<&Slot> {
    let mut found = Vec::new();
    collect(nodes, &mut found);
    found
}

fn collect<'a>(nodes: &'a [Node], found: &mut Vec<&'a Slot>) {
    for node in nodes {
        match node {
            Node::Slot(slot) => found.push(slot),
            Node::Lanes(lanes) => lanes.lanes.iter().for_each(|lane| collect(&lane.nodes, found)),
            Node::Unknown(_) => {}
        }
    }
}

/// Lets `each` at every slot of `nodes` and of the lanes in them.
pub fn for_each_slot(nodes: &mut [Node], each: &mut dyn FnMut(&mut Slot)) {
    for node in nodes {
        match node {
            Node::Slot(slot) => each(slot),
            Node::Lanes(lanes) => lanes.lanes.iter_mut().for_each(|lane| for_each_slot(&mut lane.nodes, each)),
            Node::Unknown(_) => {}
        }
    }
}

/// Every group of lanes in `nodes`, outer ones before those in them.
pub fn groups(nodes: &[Node]) -> Vec<&Lanes> {
    let mut found = Vec::new();
    for node in nodes {
        if let Node::Lanes(lanes) = node {
            found.push(&**lanes);
            lanes.lanes.iter().for_each(|lane| found.extend(groups(&lane.nodes)));
        }
    }
    found
}

/// How deep lanes are nested in `nodes`; 0: there are none.
pub fn depth(nodes: &[Node]) -> usize {
    let of = |node: &Node| match node {
        Node::Lanes(lanes) => 1 + lanes.lanes.iter().map(|lane| depth(&lane.nodes)).max().unwrap_or(0),
        _ => 0,
    };
    nodes.iter().map(of).max().unwrap_or(0)
}
