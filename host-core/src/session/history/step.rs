//! When a step begins and when it ends.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::kept::Turned;
use super::words::{Kind, Words};
use super::{BYTES, DEPTH, Kept, States, Step, StepView};
use crate::model::{Aim, MacroId, Node, Preset, Slot, SlotId, Target, lanes};
use crate::session::Command;
use crate::session::follow::InPlace;
use crate::session::owner::Owner;

/// Values of one thing that come within this time of one another are one step.
const MERGE: Duration = Duration::from_millis(700);
/// A hand that was not seen for so long has let go, whatever it said.
const LOST: Duration = Duration::from_secs(60);

/// What a hand turns: all its values are one step.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::session) enum Key {
    /// A value that a macro could move as well.
    Value(Aim),
    /// Another setting of a slot, a lane or lanes, by name.
    Of(&'static str, SlotId),
    /// A macro.
    Macro(MacroId),
    /// How a macro's target follows it.
    Law(MacroId, Aim),
    /// A setting of the chain, by name.
    Chain(&'static str),
    /// Something in a plugin's own window.
    Inside(SlotId),
    /// Several things at once.
    Many(Vec<Key>),
}

/// The newest step while it goes on.
pub(in crate::session) struct Open {
    key: Key,
    until: Instant,
    /// What it would make nobody do again, should nothing come of it.
    undone: VecDeque<Step>,
}

/// A step from its beginning to its end.
pub(in crate::session) enum Draft {
    /// More of the newest.
    More(Words),
    /// Another.
    New(Words, Arc<Kept>),
}

impl Owner {
    /// The chain now.
    pub(in crate::session) fn kept_now(&mut self) -> Arc<Kept> {
        self.refresh_params();
        self.keep()
    }

    fn keep(&mut self) -> Arc<Kept> {
        let last = self.history.last.take();
        let lives = RefCell::new(&mut self.lives);
        let fuller = |slot: &Slot| lives.borrow_mut().get_mut(&slot.id)?.fuller(slot);
        let mut kept = Kept::of(&mut self.chain, last.as_deref(), fuller);
        for (id, live) in &mut self.lives {
            kept.bypasses.extend(live.bypasses().into_iter().map(|(key, value)| ((*id, key), value)));
        }
        let kept = last.filter(|last| last.is(&kept)).unwrap_or_else(|| Arc::new(kept));
        self.history.last = Some(kept.clone());
        kept
    }

    /// Brings the values of plugins that may differ from what is kept of them into the model, as a save would.
    fn refresh_params(&mut self) {
        let (lives, settling) = (&mut self.lives, &self.macros);
        lanes::for_each_slot(&mut self.chain.nodes, &mut |slot| {
            // What a macro gave a moment ago may be on its way: the model knows it already.
            if let Some(live) = lives.get_mut(&slot.id).filter(|_| !settling.settles(slot.id)) {
                live.values_into(slot);
            }
        });
    }

    /// Begins a step, where a command is one. What it is about to take away is asked for its state first.
    pub(in crate::session) fn begin_step(&mut self, command: &Command) -> Option<Draft> {
        let words = self.words(command)?;
        if self.goes_on(&words) {
            return Some(Draft::More(words));
        }
        self.close_step();
        self.look_at_ready(command);
        for id in self.leaves_by(command) {
            if let (Some(live), Some(slot)) = (self.lives.get_mut(&id), self.chain.slot_mut(id)) {
                live.save_into(slot);
            }
        }
        Some(Draft::New(words, self.kept_now()))
    }

    fn goes_on(&self, words: &Words) -> bool {
        match &words.kind {
            Kind::Turn(key) => self.history.open.as_ref().is_some_and(|open| open.key == *key),
            Kind::Late(slot) => {
                let newest = self.history.steps.back().filter(|_| self.history.at == self.history.steps.len());
                newest.is_some_and(|step| step.late.as_ref().is_some_and(|(id, _)| id == slot))
            }
            Kind::Once => false,
        }
    }

    /// Slots whose plugin's own state a command takes away.
    fn leaves_by(&self, command: &Command) -> Vec<SlotId> {
        let ids = |nodes: &[Node]| lanes::slots(nodes).into_iter().map(|slot| slot.id).collect::<Vec<_>>();
        match command {
            Command::Remove(id) => match self.chain.group(*id) {
                Some(group) => group.lanes.iter().flat_map(|lane| ids(&lane.nodes)).collect(),
                None => vec![*id],
            },
            Command::RemoveLane(id) => self.chain.lane(*id).map_or_else(Vec::new, |lane| ids(&lane.nodes)),
            Command::Clear => ids(&self.chain.nodes),
            Command::Many(all) => all.iter().flat_map(|command| self.leaves_by(command)).collect(),
            // A copy has the state of now.
            Command::Preset(id, _) | Command::Replace { slot: id, .. } | Command::Duplicate(id) => vec![*id],
            _ => Vec::new(),
        }
    }

    /// Ends a step. One that changed nothing is none.
    pub(in crate::session) fn end_step(&mut self, draft: Draft) {
        let now = Instant::now();
        match draft {
            Draft::More(words) => {
                let late = self.late(&words);
                let words = self.with_its_name(words, late.as_ref());
                let Some(step) = self.history.steps.back_mut() else { return };
                if late.is_some() {
                    (step.shown, step.late) = (words.shown, late);
                    self.history.refresh();
                } else if let Some(open) = &mut self.history.open {
                    open.until = now + MERGE;
                }
            }
            Draft::New(words, before) => self.take_step(words, before, now),
        }
        self.news = true;
    }

    fn take_step(&mut self, words: Words, before: Arc<Kept>, now: Instant) {
        if self.scenes.travels().is_some() {
            // Its steps are counted without this one.
            self.cancel_ready();
        }
        let late = self.late(&words);
        let words = self.with_its_name(words, late.as_ref());
        let states = if matches!(words.kind, Kind::Late(_)) { States::Restore } else { States::Stay };
        let mut step = Step { shown: words.shown, after: before.clone(), before, states, late };
        if let Kind::Turn(key) = words.kind {
            let undone = self.history.push(step);
            self.history.open = Some(Open { key, until: now + MERGE, undone });
            return self.history.trim(DEPTH, usize::MAX);
        }
        if step.late.is_none() {
            step.after = self.kept_now();
            if step.after.is(&step.before) {
                return;
            }
        }
        let adds = step.after.slots.keys().any(|id| !step.before.slots.contains_key(id));
        let undone = self.history.push(step);
        self.history.undone = if adds { undone } else { VecDeque::new() };
        self.trim();
    }

    /// A preset is called by its name, however it was asked for.
    fn with_its_name(&self, mut words: Words, late: Option<&(SlotId, Preset)>) -> Words {
        if let Some((id, preset)) = late {
            words.shown.label =
                format!("Preset \"{}\" of {}", preset.name, self.chain.title_of(*id).unwrap_or_default());
        }
        words
    }

    /// The preset that is still to be loaded.
    fn late(&self, words: &Words) -> Option<(SlotId, Preset)> {
        let Kind::Late(id) = &words.kind else { return None };
        match self.playing.in_place.get(id) {
            Some(InPlace::Preset(preset)) => Some((*id, preset.clone())),
            _ => None,
        }
    }

    fn trim(&mut self) {
        if let Some(step) = self.history.steps.back() {
            let mut seen = HashSet::new();
            self.history.bytes += step.before.bytes(&mut seen) + step.after.bytes(&mut seen);
        }
        self.history.trim(DEPTH, BYTES);
    }

    /// The newest step goes on no longer.
    pub(in crate::session) fn close_step(&mut self) {
        let Some(open) = self.history.open.take() else { return };
        let now = self.kept_now();
        let turned = self.carried(&open.key);
        let Some(mut step) = self.history.steps.pop_back() else { return };
        let after = turned.map_or(now.clone(), |turned| Arc::new(now.only(&turned, &step.before)));
        self.news = true;
        if after.is(&step.before) {
            self.history.at = self.history.steps.len();
            self.history.steps.extend(open.undone);
            return self.history.refresh();
        }
        step.after = after;
        self.history.steps.push_back(step);
        self.trim();
    }

    /// What a hand turned and what its macros carried along; `None`: that is not known.
    fn carried(&self, key: &Key) -> Option<Turned> {
        let mut turned = Turned::default();
        self.add_carried(key, &mut turned)?;
        for one in self.chain.macros.iter().filter(|one| turned.macros.contains(&one.number)) {
            turned.places.extend(one.targets.iter().filter_map(|target| target.aim.slot().or(target.aim.lane())));
        }
        Some(turned)
    }

    fn add_carried(&self, key: &Key, turned: &mut Turned) -> Option<()> {
        match key {
            Key::Value(aim) => {
                turned.places.extend(aim.slot().or(aim.lane()));
                turned.macros.extend(self.movers_of(aim).into_iter().map(|(number, _)| number));
            }
            Key::Of(_, id) => drop(turned.places.insert(*id)),
            Key::Inside(id) => {
                turned.places.insert(*id);
                let moves = |target: &Target| target.aim.slot() == Some(*id);
                let movers = self.chain.macros.iter().filter(|one| one.targets.iter().any(moves));
                turned.macros.extend(movers.map(|one| one.number));
            }
            Key::Macro(number) | Key::Law(number, _) => drop(turned.macros.insert(*number)),
            // Whatever was on the hardware.
            Key::Chain("controllers") => return None,
            Key::Chain(_) => {}
            Key::Many(all) => return all.iter().try_for_each(|one| self.add_carried(one, turned)),
        }
        Some(())
    }

    /// Closes a step that nothing more came of.
    pub(in crate::session) fn look_at_step(&mut self, now: Instant) {
        let wait = if self.history.hand { LOST } else { Duration::ZERO };
        let inside = |key: &Key| matches!(key, Key::Inside(id) if self.macros.is_held(*id));
        if self.history.open.as_ref().is_some_and(|open| now >= open.until + wait && !inside(&open.key)) {
            self.close_step();
        }
    }

    /// A hand in our own editor takes hold of something, or lets go of it.
    pub(in crate::session) fn set_hand(&mut self, on: bool) {
        self.close_step();
        self.history.hand = on;
    }

    /// A user takes hold of a parameter in the plugin's own window. What it was is what was last read of it: the plugin may have
    /// told a value already.
    pub(in crate::session) fn begin_inside(&mut self, id: SlotId, index: usize) {
        let key = Key::Inside(id);
        if self.history.open.as_ref().is_some_and(|open| open.key == key) {
            return;
        }
        self.close_step();
        self.refresh_params();
        let Some((name, param, was)) = self.lives.get(&id).and_then(|live| {
            let param = live.params.get(index)?;
            Some((param.name.clone(), param.key.clone(), *live.values.get(index)?))
        }) else {
            return;
        };
        let now = self.chain.slot_mut(id).and_then(|slot| slot.params.insert(param.clone(), was));
        let before = self.keep();
        if let Some(slot) = self.chain.slot_mut(id) {
            match now {
                Some(now) => slot.params.insert(param, now),
                None => slot.params.remove(&param),
            };
        }
        let title = self.chain.title_of(id).unwrap_or_default();
        let shown = StepView { label: format!("{name} of {title}"), slot: Some(id) };
        self.take_step(Words { shown, kind: Kind::Turn(key) }, before, Instant::now());
    }

    /// Hands turn controllers of the user's hardware.
    pub(in crate::session) fn begin_turn(&mut self, number: MacroId) {
        let key = Key::Chain("controllers");
        if let Some(open) = self.history.open.as_mut().filter(|open| open.key == key) {
            open.until = Instant::now() + MERGE;
            return;
        }
        self.close_step();
        let before = self.kept_now();
        let shown = StepView { label: format!("Turn macro {number}"), slot: None };
        self.take_step(Words { shown, kind: Kind::Turn(key) }, before, Instant::now());
    }

    /// The user let go of a parameter in a plugin's own window.
    pub(in crate::session) fn end_inside(&mut self, id: SlotId) {
        let open = self.history.open.as_ref().is_some_and(|open| open.key == Key::Inside(id));
        if open && !self.macros.is_held(id) {
            self.close_step();
        }
    }

    /// Lets `edit` at the model as one step: one that comes without a command.
    pub(in crate::session) fn as_step<R>(&mut self, shown: StepView, edit: impl FnOnce(&mut Self) -> R) -> R {
        self.close_step();
        let before = self.kept_now();
        let done = edit(self);
        self.take_step(Words { shown, kind: Kind::Once }, before, Instant::now());
        done
    }

    /// What was made ready is there.
    pub(in crate::session) fn end_ready(&mut self, label: String, before: Arc<Kept>, after: Kept) {
        let shown = StepView { label, slot: None };
        self.history.push(Step { shown, before, after: Arc::new(after), states: States::Check, late: None });
        self.trim();
        self.news = true;
    }

    /// A preset is loaded at last: what became of its slot is what its step made of it.
    pub(in crate::session) fn preset_done(&mut self, id: SlotId) {
        let late = |step: &Step| step.late.as_ref().is_some_and(|(slot, _)| *slot == id);
        let Some(at) = self.history.steps.iter().rposition(late) else { return };
        let Some(slot) = self.chain.slot(id).map(|slot| Arc::new(slot.clone())) else { return };
        let step = &mut self.history.steps[at];
        step.late = None;
        step.after = Arc::new(step.after.with([slot]));
        if step.after.is(&step.before) {
            // It was refused.
            self.history.steps.remove(at);
            self.history.at -= usize::from(at < self.history.at);
            self.history.refresh();
        }
        self.trim();
    }

    /// Another chain is there: its steps are to come.
    pub(in crate::session) fn forget_history(&mut self) {
        let hand = self.history.hand;
        self.history = super::History { hand, ..super::History::default() };
        self.news = true;
    }
}
