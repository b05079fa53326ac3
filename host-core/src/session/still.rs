//! What sounds while an edit is held although the model has another plugin in its slot, or none: what the user turns there and what
//! macros move acts on it too, so nobody turns a knob for nothing until the DAW stops; and an undo brings it back as it is. All `[home]`.

use std::sync::Arc;

use super::live::Live;
use super::owner::Owner;
use super::replacing::Way;
use crate::backend::audio::ParamEvent;
use crate::engine::{Goal, Route, SlotNode};
use crate::model::known::{Kinship, places, plain};
use crate::model::{Aim, Chain, Grid, Known, Law, Macro, MacroId, ParamInfo, Slot, SlotId, Target};

/// What is kept for plugins that still sound.
#[derive(Default)]
pub(super) struct Stills {
    /// The macros of the last plan of the model: what they moved is moved on.
    macros: Vec<Macro>,
    /// Parameters that were turned because the next plugin's were, with what they stood at: an undo brings that back.
    turned: Vec<(Arc<SlotNode>, usize, f64)>,
}

impl Stills {
    /// Of a chain that is played.
    pub(super) fn of(chain: &Chain) -> Self {
        Self { macros: chain.macros.clone(), turned: Vec::new() }
    }

    fn is(node: &Arc<SlotNode>, live: &Live) -> bool {
        live.node.as_ref().is_some_and(|own| Arc::ptr_eq(own, node))
    }
}

/// What a macro moves of a plugin that still sounds.
struct Still {
    number: MacroId,
    aim: Aim,
    /// Which of those that have left the model.
    at: usize,
    /// Which of its parameters.
    index: usize,
    law: Law,
    grid: Grid,
}

impl Owner {
    /// Which of the plugins that have left the model still sounds in a slot's place, because what is to follow it is held.
    pub(super) fn still(&self, id: SlotId) -> Option<usize> {
        self.hold.change?;
        let sounds = self.half(id)?;
        let is = |live: &Live| live.node.as_ref().is_some_and(|node| Arc::ptr_eq(node, sounds));
        self.playing.leaving.iter().position(is)
    }

    /// The parameters of what still sounds, in those of the plugin that is to follow; `None`: none is to.
    fn way_on(&self, id: SlotId, old: &Live) -> Option<Way> {
        let (new, slot) = (self.lives.get(&id)?, self.chain.slot(id)?);
        let kinship = kinship(old, slot);
        Some(Way { places: places(&old.known, &new.params, kinship), old: old.known.clone() })
    }

    /// Tells what still sounds in a slot's place of a value that the plugin which is to follow it was given.
    pub(super) fn tell_still(&mut self, id: SlotId, index: usize, value: f64) {
        let Some(at) = self.still(id) else { return };
        let old = &self.playing.leaving[at];
        let back = || {
            let (way, new) = (self.way_on(id, old)?, self.lives.get(&id)?.params.get(index)?);
            way.back(index, new, value, &old.params)
        };
        let Some((index, value)) = back() else { return };
        let old = &mut self.playing.leaving[at];
        let known = self.hold.still.turned.iter().any(|(node, place, _)| *place == index && Stills::is(node, old));
        let was = old.mains.first_mut().and_then(|main| main.value(index)).filter(|_| !known);
        if let (Some(was), Some(node)) = (was, &old.node) {
            self.hold.still.turned.push((node.clone(), index, was));
        }
        if !self.engine.alone(|| old.set_value_at_home(index, value)) {
            old.set_value_away(index, value);
            let event = ParamEvent { frame: 0, index: index as u32, value };
            self.unsent.push_back((id, old.node.clone(), event));
        }
    }

    /// What macros move of plugins that still sound: by the parameters that the next one has in their place, and what that one has not
    /// as before.
    fn stills(&self) -> Vec<Still> {
        let mut found = Vec::new();
        for (at, old) in self.playing.leaving.iter().enumerate() {
            let id = old.id();
            if self.still(id) != Some(at) {
                continue;
            }
            let way = self.way_on(id, old);
            let mut take = |number, target: &Target, index: usize, law| {
                let param = &old.params[index];
                let grid = Grid::of(&param.steps, param.min, param.max);
                found.push(Still { number, aim: target.aim.clone(), at, index, law, grid });
            };
            let place = |key: &str| old.params.iter().position(|param| param.key == key && !param.read_only);
            for (number, key, target) in of_slot(&self.chain.macros, id) {
                match &way {
                    None => place(key).into_iter().for_each(|index| take(number, target, index, target.law)),
                    Some(way) => {
                        let led = || {
                            let new = &self.lives.get(&id)?.params;
                            let at = new.iter().position(|param| param.key == key)?;
                            let ends = [target.law.min, target.law.max];
                            let [min, max] = ends.map(|end| way.back(at, &new[at], end, &old.params));
                            Some((min?.0, Law { min: min?.1, max: max?.1, ..target.law }))
                        };
                        led().into_iter().for_each(|(index, law)| take(number, target, index, law));
                    }
                }
            }
            let Some(way) = &way else { continue };
            for (number, key, target) in of_slot(&self.hold.still.macros, id).filter(|(_, key, _)| !way.leads(key)) {
                place(key).into_iter().for_each(|index| take(number, target, index, target.law));
            }
        }
        found
    }

    /// The same, as the audio thread reaches it.
    pub(super) fn still_routes(&self) -> Vec<Route> {
        let route = |still: Still| {
            let goal = Goal::Slot(self.playing.leaving[still.at].node.clone()?);
            Route::new(still.number, &still.aim, still.law, goal, Some((still.index as u32, still.grid)))
        };
        self.stills().into_iter().filter_map(route).collect()
    }

    /// A macro was moved, and with it what still sounds.
    pub(super) fn note_still(&mut self, number: MacroId, x: f64) {
        if self.hold.change.is_none() {
            return;
        }
        for still in self.stills().into_iter().filter(|still| still.number == number) {
            let value = still.grid.nearest(still.law.at(x));
            let old = &mut self.playing.leaving[still.at];
            old.note_value(still.index, value);
            // What automation moves stays moved.
            self.hold.still.turned.retain(|(node, index, _)| *index != still.index || !Stills::is(node, old));
        }
    }

    /// A plugin that still sounded is its slot's again: what was turned of the one that was to follow was not meant for it.
    pub(super) fn turn_back(&mut self, id: SlotId) {
        for (node, index, value) in std::mem::take(&mut self.hold.still.turned) {
            match self.lives.get(&id).is_some_and(|live| Stills::is(&node, live)) {
                true => self.send_value(id, index, value),
                false => self.hold.still.turned.push((node, index, value)),
            }
        }
        if let (Some(live), Some(slot)) = (self.lives.get_mut(&id), self.chain.slot_mut(id)) {
            live.values_into(slot);
        }
    }
}

impl Way {
    /// The old parameter in whose place the new one at `index` is, and the value there that means what `value` means of the new one.
    fn back(&self, index: usize, new: &ParamInfo, value: f64, old: &[ParamInfo]) -> Option<(usize, f64)> {
        let at = self.places.iter().position(|place| *place == Some(index))?;
        let place = old.iter().position(|param| param.key == self.old[at].key)?;
        Some((place, Known::of(new).carry(value, &old[place])))
    }

    /// Whether the new plugin has something in the place of an old parameter.
    fn leads(&self, key: &str) -> bool {
        self.old.iter().zip(&self.places).any(|(known, place)| known.key == key && place.is_some())
    }
}

/// What the plugin that is to follow in a slot is to the one that sounds.
fn kinship(old: &Live, slot: &Slot) -> Kinship {
    let Some(main) = old.mains.first() else { return Kinship::Other };
    let (was, is) = (plain(&main.identity().name), plain(&slot.identity.name));
    match *main.id() == slot.plugin {
        true => Kinship::Same,
        false if !is.is_empty() && was == is => Kinship::Alike,
        false => Kinship::Other,
    }
}

/// What macros move of a slot's parameters, each with its key.
fn of_slot(macros: &[Macro], id: SlotId) -> impl Iterator<Item = (MacroId, &str, &Target)> {
    macros.iter().flat_map(move |one| {
        one.targets.iter().filter_map(move |target| match &target.aim {
            Aim::Param(slot, key) if *slot == id => Some((one.number, key.as_str(), target)),
            _ => None,
        })
    })
}
