//! Slots and lanes for the clipboard, and from it.

use std::collections::BTreeSet;

use super::EditError;
use super::owner::Owner;
use super::replacing::named;
use crate::model::lanes::{for_each_slot, slots};
use crate::model::places::Container;
use crate::model::{Chain, Macro, Node, Put, SlotId};

impl Owner {
    /// A chain of slots and lanes as they are now, with fresh states; of none: all of it.
    pub(super) fn copies(&mut self, ids: &[SlotId]) -> Result<Chain, EditError> {
        self.follow_macros();
        if let Some(id) = ids.iter().find(|id| self.chain.place(**id).is_none()) {
            return Err(EditError::NoNode(*id));
        }
        let all = ids.is_empty();
        let picked = if all { self.chain.nodes.clone() } else { self.chain.copies(ids) };
        let wanted: BTreeSet<_> = slots(&picked).into_iter().map(|slot| slot.id).collect();
        let lives = &mut self.lives;
        for_each_slot(&mut self.chain.nodes, &mut |slot| {
            if let Some(live) = lives.get_mut(&slot.id).filter(|_| wanted.contains(&slot.id)) {
                live.save_into(slot);
            }
        });
        self.mirror_stale = true;
        let schema = self.chain.schema;
        if all {
            return Ok(self.chain.clone());
        }
        let nodes = self.chain.copies(ids);
        Ok(Chain { schema, macros: self.chain.macros_of(&nodes), nodes, ..Chain::default() })
    }

    /// Puts copies in, and the macros that move them. The id is that of the first.
    pub(super) fn paste(
        &mut self,
        nodes: &[Node],
        macros: &[Macro],
        into: Container,
        index: usize,
    ) -> Result<Option<SlotId>, EditError> {
        let Put { ids, macros, left } = self.chain.put_copies_with(into, index, nodes, macros)?;
        for (number, value) in macros {
            self.place_macro(number, value);
            self.playing.stale = true;
        }
        self.left_out = (!left.is_empty()).then(|| format!("There is no free macro for {}", named(&left)));
        let come: Vec<_> = slots(&self.chain.copies(&ids)).into_iter().map(|slot| slot.id).collect();
        come.into_iter().for_each(|id| self.queue_open(id));
        self.sync_solo();
        self.sync_lanes();
        Ok(ids.first().copied())
    }
}
