//! From one end of a step to the other.
//!
//! What a step did not change is left as it is, whatever moved it since: a DAW's automation moves macros, and with them parameters,
//! strips and lanes, without any step.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use super::kept::keep_moved_lanes;
use super::{Kept, States};
use crate::model::lanes::for_each_slot;
use crate::model::{Chain, Macro, MacroId, Slot, SlotId, Strip};
use crate::session::MacroSaid;
use crate::session::follow::InPlace;
use crate::session::live::Live;
use crate::session::owner::Owner;

/// Takes each field over that differs between two ends.
macro_rules! take_over {
    ($own:expr, $from:expr, $to:expr; $($field:ident),* $(,)?) => {
        $(if $from.$field != $to.$field {
            $own.$field = $to.$field.clone();
        })*
    };
}

impl Owner {
    /// Undoes or does again until so many steps are done.
    pub(in crate::session) fn travel(&mut self, to: usize) {
        self.close_step();
        self.cancel_ready();
        let to = to.min(self.history.steps.len());
        if !self.travel_later(to) {
            self.travel_now(to);
        }
    }

    /// The same at once.
    pub(in crate::session) fn travel_now(&mut self, to: usize) {
        if to == self.history.at {
            return;
        }
        while self.history.at > to {
            self.history.at -= 1;
            self.pass(self.history.at, false);
        }
        while self.history.at < to {
            self.pass(self.history.at, true);
            self.history.at += 1;
        }
        self.history.refresh();
        self.after_bringing();
    }

    /// Undoes the newest step and forgets it. False: it is another.
    pub(in crate::session) fn take_back(&mut self, id: SlotId) -> bool {
        self.close_step();
        let newest = self.history.steps.back().filter(|_| self.history.at == self.history.steps.len());
        let made = |kept: &Kept| kept.slots.contains_key(&id);
        if !newest.is_some_and(|step| made(&step.after) && !made(&step.before)) {
            return false;
        }
        self.travel(self.history.at - 1);
        self.history.steps.pop_back();
        let undone = std::mem::take(&mut self.history.undone);
        self.history.steps.extend(undone);
        self.history.refresh();
        true
    }

    /// One step, done again or undone.
    fn pass(&mut self, at: usize, again: bool) {
        let Some(step) = self.history.steps.get(at) else { return };
        let (before, after, states, late) = (step.before.clone(), step.after.clone(), step.states, step.late.clone());
        let (from, to) = if again { (before, after) } else { (after, before) };
        // What goes now may come back: with what it is by then.
        let goes = |id: &SlotId, one: &Arc<Slot>| match to.slots.get(id) {
            Some(other) if one.plugin != other.plugin => true,
            Some(other) => states != States::Stay && late.is_none() && !Arc::ptr_eq(one, other),
            None => true,
        };
        let going: Vec<_> = from.slots.iter().filter(|(id, one)| goes(id, one)).map(|(id, _)| *id).collect();
        if !going.is_empty() {
            let gone = Arc::new(from.with(going.iter().filter_map(|id| self.freshly_kept(*id))));
            if let Some(step) = self.history.steps.get_mut(at) {
                *(if again { &mut step.before } else { &mut step.after }) = gone;
            }
        }
        self.bring(&from, &to, states);
        match late {
            Some((id, preset)) if again => self.load_in_place(id, InPlace::Preset(preset)),
            Some((id, _)) => self.restore_in_place(id),
            None => {}
        }
    }

    fn freshly_kept(&mut self, id: SlotId) -> Option<Arc<Slot>> {
        let slot = self.chain.slot_mut(id)?;
        if let Some(live) = self.lives.get_mut(&id) {
            live.save_into(slot);
        }
        Some(Arc::new(slot.clone()))
    }

    /// Brings the model from one end to the other; `states`: plugins that stay get the other end's states, too.
    pub(super) fn bring(&mut self, from: &Kept, to: &Kept, states: States) {
        let staying: Vec<_> = self.chain.slots().map(|slot| (slot.id, slot.plugin.clone())).collect();
        if from.frame.nodes != to.frame.nodes {
            self.bring_nodes(from, to);
        }
        self.bring_settings(&from.frame, &to.frame);
        for (id, plugin) in staying {
            let (Some(from), Some(to)) = (from.slots.get(&id), to.slots.get(&id)) else { continue };
            if from.plugin == plugin && to.plugin == plugin && !Arc::ptr_eq(from, to) {
                self.bring_slot(from, to, states);
            }
        }
        self.bring_bypasses(from, to);
        self.bring_macros(&from.frame, &to.frame);
    }

    /// Brings the model to a snapshot.
    pub(in crate::session) fn bring_snapshot(&mut self, from: &Kept, to: &Kept) {
        self.bring(from, to, States::Check);
    }

    /// Nodes as they stand at the other end; slots that are here already keep what they are.
    fn bring_nodes(&mut self, from: &Kept, to: &Kept) {
        let mut own: BTreeMap<SlotId, Slot> = BTreeMap::new();
        for_each_slot(&mut self.chain.nodes, &mut |slot| {
            let stub = Slot::new(slot.id, slot.plugin.clone());
            own.insert(slot.id, std::mem::replace(slot, stub));
        });
        let mut nodes = to.frame.nodes.clone();
        let mut coming = Vec::new();
        for_each_slot(&mut nodes, &mut |slot| match own.remove(&slot.id) {
            Some(here) if here.plugin == slot.plugin => *slot = here,
            other => {
                own.extend(other.map(|other| (slot.id, other)));
                coming.push(slot.id);
                if let Some(kept) = to.slots.get(&slot.id) {
                    *slot = Slot::clone(kept);
                }
            }
        });
        keep_moved_lanes(&mut nodes, &from.frame, &self.chain);
        self.chain.nodes = nodes;
        for id in own.into_keys() {
            if self.chain.slot(id).is_none() {
                self.set_preset_aside(id);
            }
            self.let_plugin_go(id);
        }
        coming.into_iter().for_each(|id| self.come_back(id));
    }

    /// A slot is there again, and so is a preset that it was still to be given.
    fn come_back(&mut self, id: SlotId) {
        self.seat_again(id);
        if let Some(preset) = self.playing.set_aside.remove(&id) {
            self.load_in_place(id, InPlace::Preset(preset));
        }
    }

    /// A slot that is taken out keeps a preset that waits for its plugin.
    pub(in crate::session) fn set_preset_aside(&mut self, id: SlotId) {
        match self.playing.in_place.remove(&id) {
            Some(InPlace::Preset(preset)) => drop(self.playing.set_aside.insert(id, preset)),
            Some(job) => drop(self.playing.in_place.insert(id, job)),
            None => {}
        }
    }

    /// With its plugin, where that has not gone yet.
    fn seat_again(&mut self, id: SlotId) {
        let Some(slot) = self.chain.slot(id) else { return };
        if let Some(mut live) = self.scenes.take(slot) {
            live.apply_controls(slot);
            self.seat(id, live);
            return;
        }
        let last = self.playing.leaving.iter().rposition(|live| live.is_of(slot));
        let Some(at) = last.filter(|at| !self.playing.leaving[*at].mains.is_empty()) else {
            return self.queue_open(id);
        };
        let mut live = self.playing.leaving.remove(at);
        live.rename(slot);
        live.apply_controls(slot);
        if let Some(node) = &live.node {
            node.controls().set_present(true);
        }
        if live.restoring {
            self.playing.in_place.insert(id, InPlace::Restore);
        }
        self.seat(id, live);
        self.turn_back(id);
    }

    fn bring_settings(&mut self, from: &Chain, to: &Chain) {
        let Chain {
            schema: _,
            name: _,
            about: _,
            latency: _,
            hold_latency: _,
            cores: _,
            bypass: _,
            guard: _,
            grid: _,
            next_slot: _,
            // By themselves.
            nodes: _,
            macros: _,
            snapshots: _,
            extra: _,
            files: _,
        } = to;
        take_over!(self.chain, from, to; schema, name, about, latency, hold_latency, cores, bypass, guard, grid, next_slot, snapshots, extra, files);
        self.playing.stale |= from.latency != to.latency || from.grid != to.grid;
        self.shared.set_bypass(self.chain.bypass);
    }

    fn bring_slot(&mut self, from: &Slot, to: &Slot, states: States) {
        let id = to.id;
        let Some(slot) = self.chain.slot_mut(id) else { return };
        let Slot {
            id: _,
            plugin: _,
            // What the plugin says of itself.
            identity: _,
            name: _,
            bypass: _,
            mix: _,
            input_gain: _,
            output_gain: _,
            strip: _,
            adapt: _,
            merge_midi: _,
            midi: _,
            sidechain: _,
            aux: _,
            oversample: _,
            helpers: _,
            // Where windows stand is no step.
            window: _,
            if_fails: _,
            params: _,
            state: _,
            extra: _,
        } = to;
        take_over!(slot, from, to; name, bypass, mix, input_gain, output_gain, adapt, merge_midi, midi, sidechain, aux,
            oversample, helpers, if_fails, extra);
        bring_strip(&mut slot.strip, &from.strip, &to.strip);
        let values: Vec<_> = to.params.iter().filter(|(key, value)| from.params.get(*key) != Some(value)).collect();
        slot.params.extend(values.iter().map(|(key, value)| ((*key).clone(), **value)));
        slot.params.retain(|key, _| to.params.contains_key(key) || !from.params.contains_key(key));
        let differs = from.state != to.state;
        let restored = match states {
            States::Stay => false,
            States::Restore => differs,
            // With the same values it is the state itself that differs.
            States::Check => differs && values.is_empty(),
        };
        if restored {
            slot.state.clone_from(&to.state);
        }
        if let Some(live) = self.lives.get_mut(&id) {
            live.rename(slot);
        }
        self.bring_controls(id);
        // One that cannot be opened a second time takes nobody's place.
        let ready = self.chain.slot(id).and_then(|slot| self.scenes.take(slot));
        if let Some(ready) = ready.filter(|ready| !ready.mains.is_empty()) {
            return self.exchange_live(to, ready);
        }
        if states == States::Check && differs && !restored {
            self.scenes.check(to, self.settled_from(Instant::now()));
        }
        match restored {
            true => self.restore_in_place(id),
            false => values.into_iter().for_each(|(key, value)| self.bring_value(id, key, *value)),
        }
        if !to.params.iter().eq(&from.params) {
            self.owes_values(id);
        }
        if from.adapt != to.adapt {
            self.reopen(id);
        }
    }

    /// A plugin that is still to be opened will have other values than its kept state: it is to be asked for another.
    pub(in crate::session) fn owes_values(&mut self, id: SlotId) {
        if let Some(live) = self.lives.get_mut(&id).filter(|live| live.mains.is_empty()) {
            live.touched = true;
        }
    }

    /// Another plugin, which is ready, takes a slot's place in the model; the engine follows.
    fn exchange_live(&mut self, to: &Slot, mut live: Live) {
        let Some(slot) = self.chain.slot_mut(to.id) else { return };
        slot.state.clone_from(&to.state);
        live.apply_controls(slot);
        live.rename(slot);
        self.let_slot_go(to.id);
        self.playing.in_place.remove(&to.id);
        self.seat(to.id, live);
    }

    fn bring_value(&mut self, id: SlotId, key: &str, value: f64) {
        let Some(index) = self.param_index(id, key) else { return };
        self.serve_idle();
        self.send_value(id, index, value);
    }

    fn bring_bypasses(&mut self, from: &Kept, to: &Kept) {
        for ((id, key), value) in to.bypasses.iter().filter(|(at, value)| from.bypasses.get(at) != Some(value)) {
            self.bring_value(*id, key, *value);
        }
    }

    /// The plugin gets the slot's state once its sound has faded to dry. Until then what it is itself is not asked for.
    pub(in crate::session) fn restore_in_place(&mut self, id: SlotId) {
        let Some(live) = self.lives.get_mut(&id).filter(|live| !live.mains.is_empty()) else {
            // It will be opened with that state; a preset that waited for it was of another step.
            self.playing.in_place.remove(&id);
            return;
        };
        live.restoring = true;
        live.touched = false;
        self.load_in_place(id, InPlace::Restore);
    }

    fn bring_macros(&mut self, from: &Chain, to: &Chain) {
        if from.macros == to.macros {
            return;
        }
        for number in MacroId::all() {
            let (before, after) = (from.macro_of(number), to.macro_of(number));
            if before != after {
                self.bring_macro(number, before, after);
            }
        }
        self.playing.stale = true;
    }

    fn bring_macro(&mut self, number: MacroId, from: Option<&Macro>, to: Option<&Macro>) {
        let empty = Macro::new(number);
        let (old, new) = (from.unwrap_or(&empty), to.unwrap_or(&empty));
        let at = self.chain.macros.iter().position(|one| one.number == number);
        let now = at.map_or(old.value, |at| self.chain.macros[at].value);
        let x = if old.value == new.value { now } else { new.value };
        match (to, at) {
            (Some(to), Some(at)) => self.chain.macros[at] = Macro { value: x, ..to.clone() },
            (Some(to), None) => {
                let place = self.chain.macros.iter().position(|one| one.number > number);
                let place = place.unwrap_or(self.chain.macros.len());
                self.chain.macros.insert(place, Macro { value: x, ..to.clone() });
            }
            (None, Some(at)) => drop(self.chain.macros.remove(at)),
            (None, None) => {}
        }
        if old.controller != new.controller {
            self.macros.knobs.stale();
        }
        if x as f32 != self.macros.bank.value(number.index()) as f32 {
            // Its targets are brought by themselves; the DAW hears of it as of a hand.
            self.macros.bank.place(number.index(), x);
            for said in [MacroSaid::Begin(number), MacroSaid::Value(number, x), MacroSaid::End(number)] {
                self.shared.say_of_macro(said);
            }
        }
    }

    /// What is to be done when the model is there.
    pub(in crate::session) fn after_bringing(&mut self) {
        self.sync_solo();
        self.sync_lanes();
        self.look_at_guard();
        self.news = true;
        self.user_edited();
        self.mirror();
    }
}

fn bring_strip(own: &mut Strip, from: &Strip, to: &Strip) {
    let Strip { pan: _, phase: _, mono: _, mute: _, solo: _, delta: _, idle: _, sleep: _ } = to;
    take_over!(own, from, to; pan, phase, mono, mute, solo, delta, idle, sleep);
}
