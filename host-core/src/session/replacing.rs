//! Another plugin in a slot's place, and a copy of a slot. All `[home]`.
//!
//! The new plugin is opened beside what sounds, given what it can take of the old one's values, and only then put into the model:
//! where it cannot be opened nothing happened. What of it is heard is the engine's business, as after any edit: the old one fades to
//! dry, the new one from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::live::Live;
use super::owner::Owner;
use super::{EditError, SlotStatus};
use crate::model::known::{Kinship, places};
use crate::model::{
    Aim, Identity, Known, Law, Macro, Node, ParamInfo, PluginId, Slot, SlotId, Target, WindowPlace, is_same,
};

/// What the parameters of the old plugin are in the new one.
pub(super) struct Way {
    pub(super) old: Arc<[Known]>,
    pub(super) places: Vec<Option<usize>>,
}

impl Way {
    /// The old parameter under `key`, and the new one in its place.
    fn of<'a>(&self, key: &str, new: &'a [ParamInfo]) -> Option<(&Known, &'a ParamInfo)> {
        let at = self.old.iter().position(|known| known.key == key)?;
        Some((&self.old[at], new.get(self.places[at]?)?))
    }
}

impl Owner {
    /// Another plugin takes the place of a slot's.
    pub(super) fn replace_plugin(&mut self, id: SlotId, plugin: PluginId) -> Result<SlotId, EditError> {
        let entry = self.catalog.find(&plugin).ok_or_else(|| EditError::NoPlugin(plugin.clone()))?.clone();
        let old = self.chain.slot(id).ok_or(EditError::NoSlot(id))?.clone();
        let kinship = match self.lives.get(&id).map(|live| &live.status) {
            _ if plugin == old.plugin => Kinship::Same,
            Some(SlotStatus::Missing) => Kinship::Alike,
            _ if is_same(&old, &entry) => Kinship::Alike,
            _ => Kinship::Other,
        };
        let (known, values) = self.last_of(&old);
        // Its window has a size of its own.
        let window = WindowPlace { size: None, ..old.window.clone() };
        let identity = entry.identity();
        let mut fresh = Slot { plugin, identity, window, state: None, params: BTreeMap::new(), ..old.clone() };
        if kinship != Kinship::Alike {
            self.begin_as_wanted(&mut fresh);
        }
        self.guard.forget_closed_slot(id);
        let mut live = self.made(&fresh);
        if let SlotStatus::Faulted(reason) | SlotStatus::Closed(reason) = &live.status {
            return Err(EditError::Plugin(reason.clone()));
        }
        let way = Way { places: places(&known, &live.params, kinship), old: known };
        let mut left = Vec::new();
        if kinship == Kinship::Alike {
            left = live.take_over(&way, &values);
        }
        self.start(&mut live, &fresh);
        if let SlotStatus::Faulted(reason) = &live.status {
            let reason = reason.clone();
            live.stop();
            return Err(EditError::Plugin(reason));
        }
        let params = live.params.clone();
        self.let_plugin_go(id);
        if let Some(slot) = self.chain.slot_mut(id) {
            *slot = fresh;
        }
        self.seat(id, live);
        left.extend(self.lead_macros(id, &way, &params));
        self.playing.stale = true;
        let title = self.chain.title_of(id).unwrap_or_default();
        self.left_out = (!left.is_empty()).then(|| format!("{title} could not take over: {}", named(&left)));
        Ok(id)
    }

    /// What is known of the parameters of a slot's plugin, and their values.
    fn last_of(&mut self, slot: &Slot) -> (Arc<[Known]>, BTreeMap<String, f64>) {
        if let Some(live) = self.lives.get_mut(&slot.id).filter(|live| !live.mains.is_empty()) {
            return (live.known.clone(), live.own_values());
        }
        let Identity { parameters, .. } = &slot.identity;
        if !parameters.is_empty() {
            return (parameters.clone(), slot.params.clone());
        }
        // What an older version saved has keys alone.
        let bare = slot.params.keys().map(|key| Known { key: key.clone(), ..Known::default() });
        (bare.collect(), slot.params.clone())
    }

    /// The macros of a slot move the same parameters of its new plugin. The answer: what they moved and cannot move any more.
    fn lead_macros(&mut self, id: SlotId, way: &Way, params: &[ParamInfo]) -> Vec<String> {
        let mut lost = Vec::new();
        for one in &mut self.chain.macros {
            let Macro { number, targets, .. } = one;
            let old = std::mem::take(targets);
            for target in old {
                let led = match &target.aim {
                    Aim::Param(slot, key) if *slot == id => match way.of(key, params) {
                        Some((was, param)) => lead(&target, was, param, id),
                        None => {
                            let named =
                                way.old.iter().find(|known| known.key == *key).filter(|was| !was.name.is_empty());
                            lost.push(format!("what macro {number} moves ({})", named.map_or(key, |was| &was.name)));
                            continue;
                        }
                    },
                    _ => target,
                };
                if !targets.iter().any(|other: &Target| other.aim == led.aim) {
                    targets.push(led);
                }
            }
        }
        lost
    }

    /// A slot's plugin goes, or another comes: nothing that was meant for it reaches that one.
    pub(super) fn let_plugin_go(&mut self, id: SlotId) {
        self.let_slot_go(id);
        self.to_open.retain(|waiting| *waiting != id);
        // Where it sounds on it is still to hear what was said to it.
        let node = self.lives.get(&id).and_then(|live| live.node.clone());
        self.unsent
            .iter_mut()
            .filter(|(slot, ..)| *slot == id)
            .for_each(|(_, to, _)| *to = to.take().or_else(|| node.clone()));
        self.unsent.retain(|(slot, to, _)| *slot != id || to.is_some());
        self.unseen.remove(&id);
        self.playing.in_place.remove(&id);
        self.hold.restarts.remove(&id);
        self.scenes.forget_check(id);
        self.playing.leaving.extend(self.lives.remove(&id));
    }

    /// Whether what the audio thread tells of a slot may be of the plugin that was there before.
    pub(super) fn speaks_of_another(&self, id: SlotId) -> bool {
        let Some(live) = self.lives.get(&id) else { return false };
        self.playing.leaving.iter().any(|old| old.id() == id && old.node.is_some() && !old.is_like(live))
    }

    /// A copy of a slot, right behind it.
    pub(super) fn duplicate(&mut self, id: SlotId) -> Result<SlotId, EditError> {
        let slot = self.chain.slot(id).ok_or(EditError::NoSlot(id))?.clone();
        let (container, index) = self.chain.place(id).ok_or(EditError::NoSlot(id))?;
        let copy = self.chain.fresh_id();
        self.chain.put(
            container,
            index + 1,
            Node::Slot(Box::new(Slot { id: copy, window: WindowPlace::default(), ..slot })),
        )?;
        self.queue_open(copy);
        if self.lives.get(&id).is_some_and(|live| live.touched && live.mains.is_empty()) {
            self.owes_values(copy);
        }
        Ok(copy)
    }
}

impl Live {
    /// Gives the plugin, which is not active, the values of the one before it. The answer: parameters that it has no word for.
    fn take_over(&mut self, way: &Way, values: &BTreeMap<String, f64>) -> Vec<String> {
        let mut left = Vec::new();
        for (known, place) in way.old.iter().zip(&way.places) {
            let Some(value) = values.get(&known.key) else { continue };
            match place {
                Some(place) => self.set_value_at_home(*place, known.carry(*value, &self.params[*place].clone())),
                None if known.name.is_empty() => left.push(known.key.clone()),
                None => left.push(known.name.clone()),
            }
        }
        self.reread();
        left
    }
}

/// Not more names than one reads.
pub(super) fn named(all: &[String]) -> String {
    const SHOWN: usize = 12;
    let rest = all.len().saturating_sub(SHOWN);
    let shown = all[..all.len() - rest].join(", ");
    if rest == 0 { shown } else { format!("{shown} and {rest} more") }
}

/// A target that moves `param` as it moved `was`.
fn lead(target: &Target, was: &Known, param: &ParamInfo, slot: SlotId) -> Target {
    let Law { min, max, .. } = target.law;
    let law = Law { min: was.carry(min, param), max: was.carry(max, param), ..target.law };
    Target { aim: Aim::Param(slot, param.key.clone()), law, extra: target.extra.clone() }
}
