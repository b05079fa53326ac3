//! Controllers of the user's hardware: which of them moves which macro, and what the DAW hears of it.
//!
//! They are the machine's ([`crate::store::controllers`]), for what lies on the desk lies there whatever chain is loaded; one that
//! the user put into the chain comes first. Sessions that only render leave the machine's alone: the same chain sounds the same
//! everywhere.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use crate::model::{Assigned, Controller, Folders, MACROS, MacroId};
use crate::session::command::Assignment;
use crate::session::error::EditError;
use crate::session::owner::Owner;
use crate::session::{ControllerView, MacroSaid, Purpose, StepView};
use crate::store::controllers;

/// How often the machine's file is looked at: another instance, or the command line, may have changed it.
const LOOK: Duration = Duration::from_secs(1);
/// A knob that was still for so long is let go of, for the DAW.
const STILL: Duration = Duration::from_millis(400);

/// What a session knows of knobs.
pub(in crate::session) struct Knobs {
    path: PathBuf,
    /// What the machine's file says.
    machine: BTreeMap<MacroId, Controller>,
    /// As the file was when it was read; `None`: it was not there.
    seen: Option<(SystemTime, u64)>,
    looked: Option<Instant>,
    /// Something of the table the audio thread reads may be old.
    stale: bool,
    /// The macro that waits for a controller, and whether the chain is to keep that.
    learning: Option<(MacroId, bool)>,
    /// What was learnt last, which may turn out to have 14 bits.
    learnt: Option<(MacroId, bool, Controller)>,
    /// Macros that controllers moved, of which the DAW has not heard.
    turned: Vec<MacroId>,
    /// Macros that a hand turns, as the DAW was told, and since when it has been still.
    turning: BTreeMap<MacroId, Instant>,
    /// What there is to say of the machine's file; empty for nothing.
    pub(in crate::session) notice: String,
}

impl Knobs {
    pub(super) fn new() -> Self {
        Self {
            path: Folders::from_env().controllers(),
            machine: BTreeMap::new(),
            seen: None,
            looked: None,
            stale: false,
            learning: None,
            learnt: None,
            turned: Vec::new(),
            turning: BTreeMap::new(),
            notice: String::new(),
        }
    }

    /// What the audio thread reads of the chain's own controllers may be old.
    pub(in crate::session) fn stale(&mut self) {
        self.stale = true;
    }
}

impl Owner {
    /// Brings table, file and what was learnt together, and lets go of knobs that are still.
    pub(in crate::session) fn follow_knobs(&mut self, now: Instant) {
        self.look_at_machine(now);
        self.take_learnt();
        self.take_turned();
        for number in std::mem::take(&mut self.macros.knobs.turned) {
            self.turned(number, now);
        }
        self.let_still_knobs_go(now);
        if std::mem::take(&mut self.macros.knobs.stale) {
            self.tell_engine();
        }
    }

    /// Which macros controllers moved. What hands turn in one go is one step of undo, and begins before the model hears of it.
    pub(super) fn take_turned(&mut self) {
        let turned: Vec<_> = self.macros.bank.take_turned().filter_map(MacroId::at).collect();
        if let Some(first) = turned.first() {
            self.begin_turn(*first);
        }
        self.macros.knobs.turned.extend(turned);
    }

    /// A controller moved a macro: the DAW hears of it as of a hand, so that it can be recorded.
    fn turned(&mut self, number: MacroId, now: Instant) {
        if self.macros.knobs.turning.insert(number, now).is_none() {
            self.shared.say_of_macro(MacroSaid::Begin(number));
        }
        let value = self.macros.bank.value(number.index());
        self.shared.say_of_macro(MacroSaid::Value(number, value));
    }

    fn let_still_knobs_go(&mut self, now: Instant) {
        let still = |since: &Instant| now.saturating_duration_since(*since) >= STILL;
        let gone: Vec<_> =
            self.macros.knobs.turning.iter().filter(|(_, since)| still(since)).map(|(number, _)| *number).collect();
        gone.into_iter().for_each(|number| self.let_knob_go(number));
    }

    fn let_knob_go(&mut self, number: MacroId) {
        if self.macros.knobs.turning.remove(&number).is_some() {
            self.shared.say_of_macro(MacroSaid::End(number));
        }
    }

    /// Another chain is there: nobody holds a knob of it, and what it says of controllers is another.
    pub(super) fn forget_knobs(&mut self) {
        let held: Vec<_> = self.macros.knobs.turning.keys().copied().collect();
        held.into_iter().for_each(|number| self.let_knob_go(number));
        self.learn_controller(None);
        self.macros.knobs.stale = true;
    }

    /// Assigns a controller to a macro, or takes it away.
    pub(super) fn assign(&mut self, number: MacroId, to: Assignment) -> Result<bool, EditError> {
        match to {
            Assignment::Machine(controller) => {
                self.assign_on_machine(number, Some(controller))?;
                Ok(false)
            }
            Assignment::Chain(controller) => {
                self.assign_in_chain(number, controller);
                Ok(true)
            }
            Assignment::Nothing => {
                let in_chain = self.chain.macro_of(number).is_some_and(|one| one.controller.is_some());
                let on_machine = self.assign_on_machine(number, None)?;
                if !in_chain && !on_machine {
                    return Err(EditError::NoController(number));
                }
                if in_chain {
                    self.chain.macro_mut(number).controller = None;
                }
                self.macros.knobs.stale = true;
                self.news = true;
                Ok(in_chain)
            }
        }
    }

    /// A controller moves one macro: of others in this chain it is taken away.
    fn assign_in_chain(&mut self, number: MacroId, controller: Controller) {
        for one in &mut self.chain.macros {
            let held = one.controller.as_ref().and_then(Assigned::controller);
            if held.is_some_and(|held| held.meets(controller)) {
                one.controller = None;
            }
        }
        self.chain.macro_mut(number).controller = Some(Assigned::To(controller));
        self.macros.knobs.stale = true;
        self.news = true;
    }

    /// True: the file holds something else now.
    fn assign_on_machine(&mut self, number: MacroId, controller: Option<Controller>) -> Result<bool, EditError> {
        let mut differs = false;
        let done = controllers::change(&self.macros.knobs.path, |held| {
            differs = held.assign(number, controller);
            differs
        });
        let aside = done.map_err(|error| EditError::Settings(error.to_string()))?;
        self.read_machine();
        if let Some(aside) = aside {
            self.set_notice(format!("the controllers' settings could not be read and are kept in {}", aside.display()));
        }
        Ok(differs)
    }

    /// Which macro waits for the next controller, and whether the chain is to keep that; `None`: none does.
    pub(super) fn learn_controller(&mut self, of: Option<(MacroId, bool)>) {
        let knobs = &mut self.macros.knobs;
        if of.is_none() && knobs.learning.is_none() && knobs.learnt.is_none() {
            return;
        }
        (knobs.learning, knobs.learnt) = (of, None);
        self.macros.bank.controllers.learn(of.is_some());
        self.news = true;
    }

    fn take_learnt(&mut self) {
        let knobs = &mut self.macros.knobs;
        if knobs.learning.is_none() && knobs.learnt.is_none() {
            return;
        }
        let Some(controller) = self.macros.bank.controllers.take_learnt() else { return };
        let (number, in_chain) = match (knobs.learning.take(), knobs.learnt.take()) {
            (Some(of), _) => of,
            // Its other half came.
            (None, Some((number, in_chain, narrow))) if controller.wide() && controller.meets(narrow) => {
                (number, in_chain)
            }
            _ => return,
        };
        knobs.learnt = (!controller.wide()).then_some((number, in_chain, controller));
        let to = if in_chain { Assignment::Chain(controller) } else { Assignment::Machine(controller) };
        let shown = StepView { label: format!("Controller of macro {number}"), slot: None };
        match self.as_step(shown, |owner| owner.assign(number, to)) {
            Ok(true) => {
                self.mirror();
                self.mark_dirty();
            }
            Ok(false) => {}
            Err(error) => self.set_notice(error.to_string()),
        }
        self.news = true;
    }

    fn look_at_machine(&mut self, now: Instant) {
        let due = self.macros.knobs.looked.is_none_or(|looked| now.saturating_duration_since(looked) >= LOOK);
        if !due {
            return;
        }
        self.macros.knobs.looked = Some(now);
        if self.stamp() != self.macros.knobs.seen {
            self.read_machine();
        }
    }

    fn stamp(&self) -> Option<(SystemTime, u64)> {
        let found = std::fs::metadata(&self.macros.knobs.path).ok()?;
        Some((found.modified().ok()?, found.len()))
    }

    fn read_machine(&mut self) {
        let seen = self.stamp();
        let knobs = &mut self.macros.knobs;
        knobs.seen = seen;
        (knobs.machine, knobs.notice) = match controllers::read(&knobs.path) {
            Ok(held) => (held.all(), String::new()),
            Err(error) => {
                let words = "no controller of this machine moves a macro until one is assigned anew; the file is kept";
                (BTreeMap::new(), format!("{error}; {words}"))
            }
        };
        knobs.stale = true;
        self.news = true;
    }

    fn in_chain(&self, number: MacroId) -> Option<Controller> {
        self.chain.macro_of(number)?.controller.as_ref()?.controller()
    }

    /// The table that the audio thread reads: the chain's own first.
    fn tell_engine(&self) {
        let own = MacroId::all().filter_map(|number| Some((number, self.in_chain(number)?)));
        let machine = &self.macros.knobs.machine;
        let there = self.config.purpose != Purpose::Offline;
        let others = machine.iter().filter(|(number, _)| there && self.in_chain(**number).is_none());
        let all = own.chain(others.map(|(number, controller)| (*number, *controller)));
        self.macros.bank.controllers.set(all.map(|(number, controller)| (number.index(), controller)));
    }

    /// What moves a macro, as shown.
    pub(super) fn show_controller(&self, number: MacroId) -> Option<ControllerView> {
        let own = self.in_chain(number).map(|controller| ControllerView { controller, in_chain: true });
        let machine = self.macros.knobs.machine.get(&number);
        own.or(machine.map(|controller| ControllerView { controller: *controller, in_chain: false }))
    }

    /// The macros that hold nothing but a controller of the machine's.
    pub(super) fn bare_knobs(&self) -> Vec<MacroId> {
        let bare = |number: &&MacroId| number.index() < MACROS && self.chain.macro_of(**number).is_none();
        self.macros.knobs.machine.keys().filter(bare).copied().collect()
    }

    /// The macro that waits for a controller.
    pub(in crate::session) fn learning_controller(&self) -> Option<MacroId> {
        self.macros.knobs.learning.map(|(number, _)| number)
    }
}
