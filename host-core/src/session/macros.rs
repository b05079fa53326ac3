//! Macros at home: what the audio thread moved is brought into the model, what plugins and editors move is told to the DAW.
//!
//! The audio thread moves the targets of a macro that the DAW moves ([`crate::engine::MacroBank`]); where no block comes it is
//! done here. The other way round: a user who takes hold of a mapped parameter moves its macro, and with it the macro's other
//! targets; the DAW hears of it as begin, values, end.

mod edit;
mod hands;
mod knobs;
mod page;
mod show;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::owner::Owner;
use crate::backend::audio::ParamEvent;
use crate::engine::{Goal, MacroBank, Route};
use crate::model::{Aim, Chain, Grid, MacroId, Slot, SlotId, Target};

/// How long after a move a plugin's values are read again, beside the chain's latency: a block has run by then.
const SETTLE: Duration = Duration::from_millis(50);

/// What a session knows of macros beside the model.
pub(super) struct Hand {
    pub(super) bank: Arc<MacroBank>,
    /// This one is mapped to what the user touches next.
    learning: Option<MacroId>,
    /// Parameters that a user holds in a plugin's own window, and the macros that the DAW was told a gesture of by it.
    held: BTreeMap<(SlotId, String), Vec<MacroId>>,
    /// Slots that a macro moved a moment ago, until when they may differ from what was read of them.
    settling: BTreeMap<SlotId, Instant>,
    /// Titles as the DAW was told them.
    titles: Vec<(MacroId, String)>,
    pub(super) knobs: knobs::Knobs,
}

impl Hand {
    pub(super) fn new(bank: Arc<MacroBank>) -> Self {
        let (held, settling) = Default::default();
        Self { bank, learning: None, held, settling, titles: Vec::new(), knobs: knobs::Knobs::new() }
    }

    /// Whether a user holds a parameter of a slot in the plugin's own window.
    pub(super) fn is_held(&self, id: SlotId) -> bool {
        self.held.keys().any(|(slot, _)| *slot == id)
    }

    /// Whether a slot may differ from what was read of it, because a macro moved it a moment ago.
    pub(super) fn settles(&self, id: SlotId) -> bool {
        self.settling.contains_key(&id)
    }
}

impl Owner {
    /// Brings targets and model after the macros that moved.
    pub(super) fn follow_macros(&mut self) {
        let bank = self.macros.bank.clone();
        if bank.waits() && self.engine.is_idle() {
            for index in bank.take_waiting() {
                self.play_at_home(index);
            }
        }
        self.take_turned();
        for index in bank.take_moved() {
            self.note_macro(index, bank.value(index));
        }
    }

    /// Reads the slots again that macros moved a moment ago.
    pub(super) fn reread_moved(&mut self, now: Instant) {
        if self.macros.settling.is_empty() {
            return;
        }
        self.news = true;
        let lives = &mut self.lives;
        self.macros.settling.retain(|id, until| {
            let Some(live) = lives.get_mut(id) else { return false };
            live.touched = true;
            live.values_stale = true;
            now < *until
        });
    }

    /// Whether targets of some macro have yet to hear of its value.
    pub(super) fn macros_wait(&self) -> bool {
        self.macros.bank.waits()
    }

    /// Sets the targets of a macro where no block does it.
    fn play_at_home(&mut self, index: usize) {
        let Some(number) = MacroId::at(index) else { return };
        let x = self.macros.bank.value(index);
        for target in self.targets(number) {
            self.set_target(&target, x);
        }
    }

    /// The audio thread moved a macro and its targets: the model says so too.
    fn note_macro(&mut self, index: usize, x: f64) {
        let Some(number) = MacroId::at(index) else { return };
        self.chain.macro_mut(number).value = x;
        // Automation is the DAW's own: it need not be told that something changed.
        self.dirty = true;
        self.mirror_stale = true;
        self.news = true;
        self.note_still(number, x);
        for target in self.targets(number) {
            let value = self.value_of(&target, x);
            match &target.aim {
                Aim::Param(id, key) => {
                    let Some(place) = self.param_index(*id, key) else { continue };
                    if let Some(slot) = self.chain.slot_mut(*id) {
                        slot.params.insert(key.clone(), value);
                    }
                    if !self.is_played(*id) {
                        // No plan reaches it yet.
                        self.send_to_own(*id, place, value);
                    } else if let Some(live) = self.lives.get_mut(id) {
                        live.note_value(place, value);
                    }
                    self.will_settle(*id);
                }
                // The audio thread set it in the engine, or will when the value comes to a late slot.
                aim => self.note_control(aim, value),
            }
        }
    }

    fn will_settle(&mut self, id: SlotId) {
        self.macros.settling.insert(id, self.settled_from(Instant::now()));
    }

    /// When what is sent now is what plugins have.
    pub(super) fn settled_from(&self, now: Instant) -> Instant {
        let latency: u32 = self.playing.latencies.iter().sum();
        let rate = self.setup.map_or(48_000.0, |setup| setup.rate);
        now + SETTLE + Duration::from_secs_f64(f64::from(latency) / rate)
    }

    /// The targets of a macro that are there.
    fn targets(&self, number: MacroId) -> Vec<Target> {
        let there = |target: &&Target| self.is_there(&target.aim);
        self.chain.macro_of(number).map_or_else(Vec::new, |one| one.targets.iter().filter(there).cloned().collect())
    }

    /// Whether the chain has what a macro aims at.
    fn is_there(&self, aim: &Aim) -> bool {
        let slot = aim.slot().is_some_and(|id| self.chain.slot(id).is_some());
        slot || aim.lane().is_some_and(|id| self.chain.lane(id).is_some())
    }

    /// Macros that move `aim`, each with the target it does that by.
    pub(super) fn movers_of(&self, aim: &Aim) -> Vec<(MacroId, Target)> {
        let all = self.chain.macros.iter();
        all.filter_map(|one| Some((one.number, one.target(aim)?.clone()))).collect()
    }

    pub(super) fn param_index(&self, id: SlotId, key: &str) -> Option<usize> {
        self.lives.get(&id)?.params.iter().position(|param| param.key == key)
    }

    /// The values that a target takes.
    fn grid(&self, aim: &Aim) -> Grid {
        let Aim::Param(id, key) = aim else { return Grid::Free };
        let param = self.param_index(*id, key).and_then(|at| self.lives.get(id)?.params.get(at));
        param.map_or(Grid::Free, |param| Grid::of(&param.steps, param.min, param.max))
    }

    /// What a macro at `x` makes of a target.
    fn value_of(&self, target: &Target, x: f64) -> f64 {
        self.grid(&target.aim).nearest(target.law.at(x))
    }

    /// Sets one target from home, blocks or none.
    fn set_target(&mut self, target: &Target, x: f64) {
        let value = self.value_of(target, x);
        match &target.aim {
            Aim::Param(id, key) => {
                let Some(place) = self.param_index(*id, key) else { return };
                if let Some(slot) = self.chain.slot_mut(*id) {
                    slot.params.insert(key.clone(), value);
                }
                self.send_value(*id, place, value);
                self.will_settle(*id);
            }
            aim => self.set_control(aim, value),
        }
    }

    /// Brings a setting of a slot or a lane to the model alone.
    fn note_control(&mut self, aim: &Aim, value: f64) {
        if self.write_control(aim, value)
            && let Some(lane) = aim.lane().and_then(|id| self.chain.lane(id))
        {
            self.lanes.note(lane);
        }
    }

    fn write_control(&mut self, aim: &Aim, value: f64) -> bool {
        if let Some(slot) = aim.slot().and_then(|id| self.chain.slot_mut(id)) {
            note_control(slot, aim, value);
            return true;
        }
        let Some(lane) = aim.lane().and_then(|id| self.chain.lane_mut(id)) else { return false };
        match aim {
            Aim::LaneGain(_) => lane.gain = value,
            _ => lane.mute = value >= 0.5,
        }
        true
    }

    /// Brings a setting of a slot or a lane to model and engine; the other settings there may be the audio thread's just now.
    fn set_control(&mut self, aim: &Aim, value: f64) {
        self.write_control(aim, value);
        if let Some(id) = aim.slot() {
            let held = self.hold.change.is_some();
            let old = self.playing.leaving.iter().filter(|live| held && live.id() == id);
            self.lives.get(&id).into_iter().chain(old).for_each(|live| live.apply_control(aim, value));
        }
        if let Some(lane) = aim.lane().and_then(|id| self.chain.lane(id)) {
            self.lanes.tell(lane);
        }
    }

    /// Brings a value to a slot's plugin, and to what still sounds in its place.
    pub(super) fn send_value(&mut self, id: SlotId, index: usize, value: f64) {
        self.tell_still(id, index, value);
        self.send_to_own(id, index, value);
    }

    /// Brings a value to a plugin: itself, or by the audio thread where blocks come.
    fn send_to_own(&mut self, id: SlotId, index: usize, value: f64) {
        // No audio thread has what is in no plan yet.
        let in_plan = self.is_played(id) || self.engine.plan_in_flight();
        let Some(live) = self.lives.get_mut(&id).filter(|live| !live.mains.is_empty()) else { return };
        if live.node.is_none() || !in_plan {
            live.set_value_at_home(index, value);
        } else if !self.engine.alone(|| live.set_value_at_home(index, value)) {
            live.set_value_away(index, value);
            self.will_settle(id);
            self.unsent.push_back((id, None, ParamEvent { frame: 0, index: index as u32, value }));
        }
    }

    /// All targets as the audio thread reaches them, for a plan.
    pub(super) fn routes(&self) -> Vec<Route> {
        let of = |number, target: &Target| {
            let goal = match (target.aim.slot(), target.aim.lane()) {
                (Some(id), _) => Goal::Slot(self.half(id)?.clone()),
                (None, id) => Goal::Lane(self.lanes.lane(id?)?),
            };
            let param = match &target.aim {
                // What sounds is still the plugin that was there before: its parameters are other ones.
                Aim::Param(id, _) if self.still(*id).is_some() => return None,
                Aim::Param(id, key) => Some((self.param_index(*id, key)? as u32, self.grid(&target.aim))),
                _ => None,
            };
            Route::new(number, &target.aim, target.law, goal, param)
        };
        let all = self.chain.macros.iter().flat_map(|one| one.targets.iter().map(|target| (one.number, target)));
        all.filter_map(|(number, target)| of(number, target)).chain(self.still_routes()).collect()
    }

    /// Whether a macro moves something of this slot.
    pub(super) fn is_mapped(&self, id: SlotId) -> bool {
        self.chain.macros.iter().flat_map(|one| &one.targets).any(|target| target.aim.slot() == Some(id))
    }

    /// Another chain is there: the macros stand where it says.
    pub(super) fn place_macros(&mut self, chain: &Chain) {
        self.macros.learning = None;
        let slots: Vec<_> = self.macros.held.keys().map(|(id, _)| *id).collect();
        slots.into_iter().for_each(|id| self.let_slot_go(id));
        self.macros.settling.clear();
        self.forget_knobs();
        let bank = self.macros.bank.clone();
        bank.take_waiting().for_each(drop);
        bank.take_moved().for_each(drop);
        bank.take_turned().for_each(drop);
        for number in MacroId::all() {
            bank.place(number.index(), chain.macro_of(number).map_or(0.0, |one| one.value));
        }
        self.shared.mark_macro_values();
    }
}

/// A setting of a slot as a macro has it.
pub(super) fn note_control(slot: &mut Slot, aim: &Aim, value: f64) {
    match aim {
        Aim::Bypass(_) => slot.bypass = value >= 0.5,
        Aim::Mix(_) => slot.mix = value,
        Aim::InputGain(_) => slot.input_gain = value,
        Aim::OutputGain(_) => slot.output_gain = value,
        Aim::Pan(_) => slot.strip.pan = value,
        Aim::Mute(_) => slot.strip.mute = value >= 0.5,
        _ => {}
    }
}
