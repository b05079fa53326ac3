//! What is done to a plugin while its audio half is at home: a restart, a preset, the slot's own state. All `[home]`.

use std::time::Instant;

use super::{Live, at};
use crate::backend::PluginAudio;
use crate::engine::instances_needed;
use crate::model::{Preset, Slot};
use crate::session::follow::{Done, InPlace};
use crate::session::{HostSetup, SessionConfig, SlotStatus, presets};

impl Live {
    /// Does `job` with the audio halves at home: the slot has faded to dry, or is not active. The plugin runs at `factor` times the
    /// rate from then on; where the latency `keeps`, one that a preset changes is not asked for.
    pub(in crate::session) fn do_in_place(
        &mut self,
        job: &InPlace,
        slot: &mut Slot,
        (setup, factor, keeps): (Option<HostSetup>, u32, bool),
        chain: &SessionConfig,
    ) -> Done {
        let mut halves = match &self.node {
            Some(node) => match node.take() {
                Some(halves) => halves,
                None => return Done::Away,
            },
            None => Vec::new(),
        };
        let ports = self.mains.first().map(|main| main.ports().clone());
        match job {
            InPlace::Restart => {
                self.deactivate_all(halves);
                halves = setup.map(|setup| self.activate_all(setup, factor)).unwrap_or_default();
            }
            InPlace::Preset(_) | InPlace::Restore => {
                match job {
                    InPlace::Preset(preset) => self.load_preset(preset, &mut halves),
                    _ => self.restore_again(slot, &mut halves),
                }
                let anew = std::mem::take(&mut self.restart_due) || self.factor != factor;
                if let Some(setup) = setup.filter(|_| anew) {
                    self.deactivate_all(halves);
                    halves = self.activate_all(setup, factor);
                }
            }
        }
        let now = self.mains.first().map(|main| main.ports().clone());
        let changed = now.filter(|now| ports.as_ref() != Some(now));
        let needed = changed.as_ref().map(|now| instances_needed(now, slot.adapt, chain.channels));
        if needed.is_some_and(|needed| needed != self.mains.len()) {
            self.deactivate_all(halves);
            self.node = None;
            return Done::Reopen;
        }
        let paced = self.node.as_ref().is_some_and(|node| node.oversample() != self.factor);
        let other = changed.is_some() || (paced && !halves.is_empty());
        self.put_back_into_node(halves, slot, setup, chain, other);
        if !(keeps && matches!(job, InPlace::Preset(_) | InPlace::Restore)) {
            self.reread_times();
        }
        self.reread();
        self.save_into(slot);
        Done::Yes
    }

    fn load_preset(&mut self, preset: &Preset, halves: &mut [Box<dyn PluginAudio>]) {
        // A state that it was still to be given is past with this.
        self.restoring = false;
        self.doing("loading a preset of");
        self.notice.clear();
        let kept = self.mains.first().and_then(|main| presets::read_kept(preset, main.id()));
        let loaded = match kept {
            Some(slot) => slot.and_then(|slot| self.give(&slot, halves).map_err(|error| error.to_string())),
            None => {
                let mains = self.mains.iter_mut().enumerate();
                let each = mains.map(|(index, main)| main.load_preset(preset, at(halves, index)).err());
                each.flatten().last().map_or(Ok(()), |error| Err(error.to_string()))
            }
        };
        if loaded.is_ok() {
            self.refused = None;
        }
        if let Err(error) = loaded {
            self.notice = format!("the preset \"{}\" was not loaded: {error}", preset.name);
        }
        self.touched = true;
        self.preset = Some(Instant::now());
    }

    /// The audio halves go back into the slot's node, or into a new one where the plugin has other ports now.
    fn put_back_into_node(
        &mut self,
        halves: Vec<Box<dyn PluginAudio>>,
        slot: &Slot,
        setup: Option<HostSetup>,
        chain: &SessionConfig,
        other_ports: bool,
    ) {
        let (Some(node), Some(setup)) = (&self.node, setup) else { return };
        if other_ports {
            return self.make_node(halves, slot, setup, chain, (true, None));
        }
        if let Err(halves) = node.put(halves) {
            self.deactivate_all(halves);
            self.status = SlotStatus::Faulted("could not be put back into the chain".into());
        }
    }
}
