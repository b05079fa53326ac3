//! What a slot does with its plugin's sound beside mix and gains.

use serde::{Deserialize, Serialize};

use super::{Node, SlotId};

/// Longest time that a plugin which does not say how long it sounds on may be given, seconds.
pub const MAX_SLEEP: f64 = 3600.0;

/// Which channels are turned upside down: of each pair the left one, the right one, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// None.
    #[default]
    Normal,
    /// The left ones.
    Left,
    /// The right ones.
    Right,
    /// All.
    Both,
}

impl Phase {
    /// Of the left and the right channel.
    pub fn inverts(self) -> [bool; 2] {
        [matches!(self, Self::Left | Self::Both), matches!(self, Self::Right | Self::Both)]
    }
}

/// When a plugin that is given silence is run no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sleep {
    /// Never.
    #[default]
    Never,
    /// When the time has passed for which it says that it sounds on; never where it does not say.
    Tail,
    /// The same; where it does not say, after so many seconds.
    After(f64),
}

/// A slot's own channel strip. All but `mute`, `solo` and `delta` bear on the plugin's output alone (the wet), in this order:
/// phase, mono, pan. Channels are taken in pairs; one without a partner has neither mono nor pan, and its phase is the left one's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Strip {
    /// Balance, -1 (left) to 1 (right): the other side gets quieter.
    #[serde(skip_serializing_if = "is_default")]
    pub pan: f64,
    /// Turned upside down.
    #[serde(skip_serializing_if = "is_default")]
    pub phase: Phase,
    /// Both channels are the mean of both.
    #[serde(skip_serializing_if = "is_default")]
    pub mono: bool,
    /// Nothing comes out of the slot, bypassed or not.
    #[serde(skip_serializing_if = "is_default")]
    pub mute: bool,
    /// The nodes beside it are passed by, but for those with this.
    #[serde(skip_serializing_if = "is_default")]
    pub solo: bool,
    /// What comes out is what the slot changes: its output minus its delayed input.
    #[serde(skip_serializing_if = "is_default")]
    pub delta: bool,
    /// The plugin is not run while the slot is bypassed, and begins afresh when that ends.
    #[serde(skip_serializing_if = "is_default")]
    pub idle: bool,
    /// When the plugin is not run because there is nothing to hear.
    #[serde(skip_serializing_if = "is_default")]
    pub sleep: Sleep,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The slots and groups that are passed by because a slot beside them is soloed, with all that such groups hold.
pub fn passed_by(nodes: &[Node]) -> Vec<SlotId> {
    let mut found = Vec::new();
    collect(nodes, false, &mut found);
    found
}

fn collect(nodes: &[Node], all: bool, found: &mut Vec<SlotId>) {
    let is_soloed = |node: &Node| node.slot().is_some_and(|slot| slot.strip.solo);
    let soloed = nodes.iter().any(is_soloed);
    for node in nodes {
        let passed = all || (soloed && !is_soloed(node));
        if passed {
            found.extend(node.id());
        }
        if let Node::Lanes(group) = node {
            group.lanes.iter().for_each(|lane| collect(&lane.nodes, passed, found));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Chain, Lane, Lanes, PluginId, Slot, Split};

    #[test]
    fn a_strip_at_rest_is_not_written_and_one_that_is_set_comes_back() {
        let mut slot = Slot::new(SlotId(1), PluginId::clap("a"));
        let text = serde_json::to_string(&slot).unwrap();
        assert!(!text.contains("pan") && !text.contains("sleep"), "{text}");
        slot.strip =
            Strip { pan: -0.25, phase: Phase::Right, mute: true, sleep: Sleep::After(2.5), ..Strip::default() };
        slot.extra.insert("glow".into(), true.into());
        let written = serde_json::to_value(&slot).unwrap();
        assert_eq!(
            (&written["pan"], &written["phase"], &written["glow"]),
            (&(-0.25).into(), &"right".into(), &true.into())
        );
        assert_eq!(written["sleep"], serde_json::json!({"after": 2.5}));
        assert_eq!(serde_json::from_value::<Slot>(written).unwrap(), slot);
    }

    #[test]
    fn a_soloed_slot_passes_by_what_stands_beside_it_and_nothing_else() {
        let mut chain = Chain::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| chain.insert(9, PluginId::clap(name)));
        let (group, lane) = (chain.fresh_id(), chain.fresh_id());
        let lanes = vec![Lane::new(lane)];
        let lanes = Lanes { id: group, name: None, split: Split::Copy, lanes, extra: Default::default() };
        chain.put(None, 9, Node::Lanes(Box::new(lanes))).unwrap();
        chain.move_into(c, Some(lane), 0).unwrap();
        assert_eq!(passed_by(&chain.nodes), []);
        chain.slot_mut(c).unwrap().strip.solo = true;
        assert_eq!(passed_by(&chain.nodes), [], "alone in its lane");
        chain.slot_mut(a).unwrap().strip.solo = true;
        assert_eq!(passed_by(&chain.nodes), [b, group, c]);
        chain.slot_mut(b).unwrap().strip.solo = true;
        assert_eq!(passed_by(&chain.nodes), [group, c]);
    }
}
