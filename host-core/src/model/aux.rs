//! The auxiliary outputs of a container that has some: which of them hears what.

use serde::{Deserialize, Serialize};

use super::{PortLayout, Slot};

/// Stereo auxiliary outputs that there are at most. They are numbered from 1.
pub const AUX_OUTS: u8 = 8;

/// A lane's sound on its way to an auxiliary output, as it would go into the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LaneAux {
    /// Which one, 1 to [`AUX_OUTS`].
    pub out: u8,
    /// It goes there alone, not into the sum.
    #[serde(default)]
    pub only: bool,
}

impl Slot {
    /// The auxiliary output that the plugin's further output number `output` (from 0) goes to; `None`: to none. Without the user's
    /// word the first goes to the first, and so on.
    pub fn aux_of(&self, output: usize) -> Option<u8> {
        let own = u8::try_from(output + 1).ok();
        self.aux.get(output).copied().unwrap_or(own).filter(|out| (1..=AUX_OUTS).contains(out))
    }

    /// Sends a further output elsewhere. What is as it would be without a word is not kept.
    pub fn set_aux(&mut self, output: usize, to: Option<u8>) {
        for next in self.aux.len()..=output {
            self.aux.push(self.aux_of(next));
        }
        self.aux[output] = to;
        while let Some(last) = self.aux.pop() {
            if self.aux_of(self.aux.len()) != last {
                self.aux.push(last);
                break;
            }
        }
    }
}

impl PortLayout {
    /// How many outputs there are beside the main one.
    pub fn further_outputs(&self) -> usize {
        self.outputs.iter().filter(|bus| bus.role == super::BusRole::Aux).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PluginId, SlotId};

    #[test]
    fn further_outputs_go_to_their_own_number_until_told_otherwise() {
        let mut slot = Slot::new(SlotId(1), PluginId::clap("a"));
        assert_eq!([0, 7, 8].map(|output| slot.aux_of(output)), [Some(1), Some(8), None]);
        slot.set_aux(2, Some(1));
        slot.set_aux(9, Some(8));
        slot.set_aux(0, None);
        assert_eq!([0, 1, 2, 3, 9].map(|output| slot.aux_of(output)), [None, Some(2), Some(1), Some(4), Some(8)]);
        slot.set_aux(9, None);
        assert_eq!(slot.aux, [None, Some(2), Some(1)]);
        slot.set_aux(0, Some(1));
        slot.set_aux(2, Some(3));
        assert!(slot.aux.is_empty());
        slot.aux = vec![Some(9), Some(0)];
        assert_eq!([0, 1].map(|output| slot.aux_of(output)), [None, None], "what a file says out of range");
    }
}
