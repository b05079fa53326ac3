//! Undo and redo: each edit is one step, kept as the chain before it and after it. All `[home]`.
//!
//! - [`kept`]: the chain at one moment. What a step did not change is shared with its neighbours, plugins' states too;
//! - [`words`]: what a step is called, and which commands are steps at all: a match over every command, so that none is forgotten;
//! - [`step`]: when a step begins and ends. What a hand does in one go is one step;
//! - [`travel`]: brings the model from one end of a step to the other. Only what the step changed is touched: what a DAW's
//!   automation moved meanwhile stays. The engine follows the model as after any edit, so it fades as edits do, waits where edits
//!   wait, and goes on where no block comes.
//!
//! A load by the DAW or of another file forgets the history: its steps speak of another chain, and a DAW that undoes by loading
//! an older state has undone already.

mod kept;
mod step;
mod travel;
mod words;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

pub(super) use kept::Kept;
pub(super) use step::Key;

use crate::model::{Preset, SlotId};

/// How many steps can be undone.
const DEPTH: usize = 200;
/// How many bytes all steps may hold together; beyond it the oldest go.
const BYTES: usize = 512 << 20;

/// One step, as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepView {
    /// What was done, in the user's words.
    pub label: String,
    /// The slot or lane it was done to, where it was one; it need not be there now.
    pub slot: Option<SlotId>,
}

/// What can be undone and done again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryView {
    /// All steps, the oldest first.
    pub steps: Arc<[StepView]>,
    /// How many of them are done; those behind were undone.
    pub at: usize,
}

impl HistoryView {
    /// The step that an undo takes back.
    pub fn undo(&self) -> Option<&StepView> {
        self.steps.get(self.at.checked_sub(1)?)
    }

    /// The step that a redo does again.
    pub fn redo(&self) -> Option<&StepView> {
        self.steps.get(self.at)
    }
}

/// What a step does to the states of plugins that stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum States {
    /// It changes none, but by the values of their parameters.
    Stay,
    /// It may give them others.
    Restore,
    /// It may give them others; where values differ as well, these come first, and then it is looked whether they were all.
    Check,
}

/// One step.
pub(super) struct Step {
    shown: StepView,
    before: Arc<Kept>,
    after: Arc<Kept>,
    states: States,
    /// A preset that was not loaded yet when the step ended: what becomes of its slot is still to be kept.
    late: Option<(SlotId, Preset)>,
}

/// All steps of a session.
#[derive(Default)]
pub(super) struct History {
    steps: VecDeque<Step>,
    /// How many of them are done.
    at: usize,
    /// The newest goes on: what comes of it is not kept yet.
    open: Option<step::Open>,
    /// What nobody can do again because of the newest step, should that one be taken back: its plugin cannot be opened.
    undone: VecDeque<Step>,
    /// A hand in our own editor is on something.
    hand: bool,
    /// The chain as it was last kept: the next shares with it what did not change.
    last: Option<Arc<Kept>>,
    /// At least so many bytes are held.
    bytes: usize,
    view: HistoryView,
}

impl History {
    /// What can be undone and done again.
    pub(super) fn view(&self) -> HistoryView {
        self.view.clone()
    }

    /// Where so many steps lead to, if on the way there more than one thing changes.
    pub(super) fn whole_end(&self, to: usize) -> Option<Arc<Kept>> {
        let mut passed = self.steps.range(to.min(self.at)..to.max(self.at));
        let whole = passed.len() > 1 || passed.any(|step| step.states == States::Check);
        let end = match to < self.at {
            true => self.steps.get(to).map(|step| &step.before),
            false => self.steps.get(to.checked_sub(1)?).map(|step| &step.after),
        };
        end.filter(|_| whole).cloned()
    }

    fn refresh(&mut self) {
        let steps = self.steps.iter().map(|step| step.shown.clone()).collect();
        self.view = HistoryView { steps, at: self.at };
    }

    /// Takes in a step; those that were undone are gone, and are the answer.
    fn push(&mut self, step: Step) -> VecDeque<Step> {
        let undone = self.steps.split_off(self.at);
        self.steps.push_back(step);
        self.at = self.steps.len();
        undone
    }

    /// Lets the oldest go where there are too many, or they hold too much.
    fn trim(&mut self, depth: usize, bytes: usize) {
        while self.steps.len() > depth {
            self.drop_oldest();
        }
        if self.bytes > bytes {
            self.bytes = self.held();
        }
        while self.bytes > bytes && self.steps.len() > 1 {
            self.drop_oldest();
            self.bytes = self.held();
        }
        self.refresh();
    }

    fn drop_oldest(&mut self) {
        self.steps.pop_front();
        self.at = self.at.saturating_sub(1);
    }

    /// How many bytes the steps hold; what they share counts once.
    fn held(&self) -> usize {
        let mut seen = HashSet::new();
        self.steps.iter().flat_map(|step| [&step.before, &step.after]).map(|kept| kept.bytes(&mut seen)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Chain, PluginId, PluginState};

    fn kept(chain: &mut Chain, last: Option<&Kept>) -> Arc<Kept> {
        Arc::new(Kept::of(chain, last, |_| None))
    }

    fn chain(state: u8, bytes: usize) -> Chain {
        let mut chain = Chain::default();
        let id = chain.insert(0, PluginId::clap("a"));
        let state = PluginState { bytes: vec![state; bytes].into(), ..PluginState::default() };
        chain.slot_mut(id).unwrap().state = Some(state);
        chain
    }

    fn step(before: &Arc<Kept>, after: &Arc<Kept>) -> Step {
        let shown = StepView { label: "a step".into(), slot: None };
        Step { shown, before: before.clone(), after: after.clone(), states: States::Stay, late: None }
    }

    #[test]
    fn what_a_step_did_not_change_is_held_once() {
        let mut one = chain(1, 100_000);
        let before = kept(&mut one, None);
        one.name = "other".into();
        let after = kept(&mut one, Some(&before));
        let mut history = History::default();
        history.push(step(&before, &after));
        assert!((100_000..110_000).contains(&history.held()), "{}", history.held());
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many_or_they_hold_too_much() {
        let all: Vec<_> = (0..=10).map(|state| kept(&mut chain(state, 100_000), None)).collect();
        let mut history = History::default();
        for pair in all.windows(2) {
            history.push(step(&pair[0], &pair[1]));
            history.bytes = usize::MAX;
        }
        history.trim(8, usize::MAX);
        assert_eq!((history.steps.len(), history.at), (8, 8));
        history.bytes = usize::MAX;
        history.trim(8, 600_000);
        assert!((2..6).contains(&history.steps.len()), "{}", history.steps.len());
        assert!(history.held() <= 600_000);
        history.bytes = usize::MAX;
        history.trim(8, 10);
        assert_eq!((history.steps.len(), history.at), (1, 1), "the newest stays");
    }
}
