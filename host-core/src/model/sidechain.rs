//! What a slot's sidechain hears, and whether it can.

use serde::{Deserialize, Serialize};

use super::{Chain, Node, SlotId};

/// Where a slot's sidechain comes from. Whatever it is, it comes as late as the slot's own sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SidechainSource {
    /// What the DAW gives the container's sidechain.
    #[default]
    Container,
    /// Nothing.
    None,
    /// What comes into the chain.
    Input,
    /// What leaves a slot, a lane (as it goes into the sum) or a group of lanes.
    Output(SlotId),
}

impl SidechainSource {
    /// Whether nothing was set.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Why a source cannot be heard where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceFault {
    /// It is not in the chain (any more).
    Gone(SlotId),
    /// Its sound is not there yet when the slot is run: it stands behind the slot, is the slot, or holds it.
    Behind(SlotId),
}

impl Chain {
    /// Everything whose output can be heard elsewhere, in the order in which its sound is there: what a lane holds before the
    /// lane, lanes before their group.
    pub fn points(&self) -> Vec<SlotId> {
        let mut found = Vec::new();
        collect(&self.nodes, &mut found);
        found
    }

    /// Whether a slot can hear a source: sound flows on only, never back.
    pub fn check_source(&self, slot: SlotId, source: SidechainSource) -> Result<(), SourceFault> {
        let SidechainSource::Output(id) = source else { return Ok(()) };
        let points = self.points();
        let place = |id| points.iter().position(|point| *point == id);
        match (place(id), place(slot)) {
            (None, _) => Err(SourceFault::Gone(id)),
            (Some(source), Some(slot)) if source >= slot => Err(SourceFault::Behind(id)),
            _ => Ok(()),
        }
    }

    /// What users call a slot, a lane or a group of lanes; `None`: there is none with this id.
    pub fn title_of(&self, id: SlotId) -> Option<String> {
        if let Some(slot) = self.slot(id) {
            return Some(slot.title().into());
        }
        if let Some(group) = self.group(id) {
            return Some(group.name.clone().unwrap_or_else(|| format!("{} lanes", group.lanes.len())));
        }
        let group = self.group_of(id)?;
        group.lanes.iter().position(|lane| lane.id == id).map(|index| group.lane_title(index))
    }
}

fn collect(nodes: &[Node], found: &mut Vec<SlotId>) {
    for node in nodes {
        if let Node::Lanes(group) = node {
            for lane in &group.lanes {
                collect(&lane.nodes, found);
                found.push(lane.id);
            }
        }
        found.extend(node.id());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Lane, Lanes, PluginId, Split};

    #[test]
    fn only_what_was_there_before_can_be_heard() {
        let mut chain = Chain::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| chain.insert(99, PluginId::clap(name)));
        let (group, one, two) = (chain.fresh_id(), chain.fresh_id(), chain.fresh_id());
        let lanes = vec![Lane::new(one), Lane::new(two)];
        let lanes = Lanes { id: group, name: None, split: Split::Copy, lanes, extra: Default::default() };
        chain.put(None, 1, Node::Lanes(Box::new(lanes))).unwrap();
        chain.move_into(b, Some(two), 0).unwrap();
        assert_eq!(chain.points(), [a, one, b, two, group, c]);
        let hears = |slot, id| chain.check_source(slot, SidechainSource::Output(id));
        for (slot, id) in [(b, a), (b, one), (c, two), (c, group), (c, b)] {
            assert_eq!(hears(slot, id), Ok(()), "{slot} hears {id}");
        }
        for (slot, id) in [(a, a), (a, b), (b, two), (b, group), (b, c)] {
            assert_eq!(hears(slot, id), Err(SourceFault::Behind(id)), "{slot} hears {id}");
        }
        assert_eq!(hears(c, SlotId(99)), Err(SourceFault::Gone(SlotId(99))));
        assert_eq!(chain.check_source(a, SidechainSource::Input), Ok(()));
        assert_eq!(chain.title_of(two).as_deref(), Some("Lane 2"));
    }

    #[test]
    fn it_is_written_in_words_and_left_out_where_it_is_the_containers() {
        let mut chain = Chain::default();
        let slot = chain.insert(0, PluginId::clap("a"));
        assert!(!serde_json::to_string(&chain).unwrap().contains("sidechain"));
        for (source, text) in [
            (SidechainSource::None, r#""none""#),
            (SidechainSource::Input, r#""input""#),
            (SidechainSource::Output(SlotId(7)), r#"{"output":7}"#),
        ] {
            chain.slot_mut(slot).unwrap().sidechain = source;
            let written = serde_json::to_string(&chain).unwrap();
            assert!(written.contains(&format!(r#""sidechain":{text}"#)), "{written}");
            assert_eq!(serde_json::from_str::<Chain>(&written).unwrap(), chain);
        }
    }
}
