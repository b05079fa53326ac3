//! A user's hand on what a macro moves: in a plugin's own window, or in our editor.

use super::Owner;
use crate::engine::{ParamDeed, ParamReport};
use crate::model::{Aim, SlotId};
use crate::session::live::Live;
use crate::session::{MacroSaid, StepView};

impl Owner {
    /// A plugin told what it or its user did with a parameter.
    pub(in crate::session) fn param_told(&mut self, told: ParamReport) {
        let Some(live) = self.lives.get_mut(&told.slot) else { return };
        let Some(key) = live.params.get(told.index as usize).filter(|param| !param.read_only) else {
            if let ParamDeed::Value(value) = told.deed {
                live.note_value(told.index as usize, value);
                self.news = true;
            }
            return;
        };
        let aim = Aim::Param(told.slot, key.key.clone());
        self.news = true;
        match told.deed {
            ParamDeed::Begin => {
                self.learn_inside(&aim);
                self.begin_inside(told.slot, told.index as usize);
                self.take_hold(aim);
            }
            ParamDeed::Value(value) => {
                let differs = live.note_value(told.index as usize, value);
                if differs {
                    self.mark_dirty();
                }
                match self.holds(&aim) {
                    true => {
                        // The model knows what a hand does, whatever else is on its way to the plugin.
                        if let (Some(slot), Aim::Param(_, key)) = (self.chain.slot_mut(told.slot), &aim) {
                            slot.params.insert(key.clone(), value);
                        }
                        self.drag(&aim, value);
                    }
                    false if differs => self.learn_inside(&aim),
                    false => {}
                }
                self.tell_other_instances(told.slot, told.index as usize, value, differs);
            }
            ParamDeed::End => self.let_go(&aim),
        }
    }

    /// A window is that of one instance alone: where a slot has several, the others are to follow.
    fn tell_other_instances(&mut self, id: SlotId, index: usize, value: f64, differs: bool) {
        let several = |live: &&Live| live.mains.len() > 1 && live.window.is_some();
        if differs && self.lives.get(&id).filter(several).is_some() {
            self.send_value(id, index, value);
        }
    }

    pub(super) fn holds(&self, aim: &Aim) -> bool {
        matches!(aim, Aim::Param(id, key) if self.macros.held.contains_key(&(*id, key.clone())))
    }

    pub(super) fn take_hold(&mut self, aim: Aim) {
        let movers = self.movers_of(&aim);
        let Aim::Param(id, key) = aim else { return };
        let begun = self.macros.held.entry((id, key)).or_default();
        for (number, _) in movers {
            if !begun.contains(&number) {
                begun.push(number);
                self.shared.say_of_macro(MacroSaid::Begin(number));
            }
        }
    }

    pub(super) fn let_go(&mut self, aim: &Aim) {
        let Aim::Param(id, key) = aim else { return };
        // What was begun is ended, whatever the parameter is mapped to by now.
        for number in self.macros.held.remove(&(*id, key.clone())).unwrap_or_default() {
            self.shared.say_of_macro(MacroSaid::End(number));
        }
        self.end_inside(*id);
    }

    /// A slot goes away, or its plugin is made anew: nobody holds its parameters any more.
    pub(in crate::session) fn let_slot_go(&mut self, id: SlotId) {
        let held: Vec<_> = self.macros.held.keys().filter(|(slot, _)| *slot == id).cloned().collect();
        for (slot, key) in held {
            self.let_go(&Aim::Param(slot, key));
        }
        self.macros.settling.remove(&id);
    }

    /// The user moved `aim` to `value`, held or not: its macros go where they give that, their other targets follow.
    pub(super) fn drag(&mut self, aim: &Aim, value: f64) {
        for (number, target) in self.movers_of(aim) {
            let x = target.law.place(value);
            if x as f32 == self.macros.bank.value(number.index()) as f32 {
                continue;
            }
            self.macros.bank.place(number.index(), x);
            self.chain.macro_mut(number).value = x;
            self.mirror_stale = true;
            self.shared.say_of_macro(MacroSaid::Value(number, x));
            for other in self.targets(number) {
                if other.aim != *aim {
                    self.set_target(&other, x);
                }
            }
        }
    }

    /// The user set `aim` in our own editor: a gesture of its own, unless it is being learnt.
    pub(in crate::session) fn touched_by_user(&mut self, aim: &Aim, value: f64) {
        if self.learn(aim) {
            return;
        }
        let movers = self.movers_of(aim);
        movers.iter().for_each(|(number, _)| self.shared.say_of_macro(MacroSaid::Begin(*number)));
        self.drag(aim, value);
        movers.iter().for_each(|(number, _)| self.shared.say_of_macro(MacroSaid::End(*number)));
    }

    /// The user touched `aim` in the plugin's own window: where a macro waits for that, to map it is a step.
    pub(super) fn learn_inside(&mut self, aim: &Aim) {
        let Some(number) = self.macros.learning else { return };
        let shown = StepView { label: format!("Map macro {number}"), slot: None };
        self.as_step(shown, |owner| owner.learn(aim));
    }

    /// Maps the macro that waits for it to `aim`. False: none does.
    pub(super) fn learn(&mut self, aim: &Aim) -> bool {
        let Some(number) = self.macros.learning.take() else { return false };
        self.news = true;
        match self.map(number, aim.clone(), None) {
            Ok(()) => {
                self.mirror();
                self.mark_dirty();
            }
            Err(error) => self.set_notice(error.to_string()),
        }
        true
    }
}
