//! Keeping a plugin's faults from coming again and again: the opening journal, the safe mode, restart loops. All `[home]`.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use super::{CatalogSource, Purpose, SessionConfig};
use crate::engine::FirstRun;
use crate::journal::{self, FirstBlock, Journal, Note, Opening, Step};
use crate::model::{Folders, Slot, SlotId};

/// More restarts than this in [`RESTART_SPAN`] look like a loop: those that follow wait.
const MAX_RESTARTS: usize = 8;
const RESTART_SPAN: Duration = Duration::from_secs(5);

thread_local! {
    /// One journal for all sessions: its file is named after the process. Home's, so it stays as long as the process.
    static JOURNAL: RefCell<Option<Journal>> = const { RefCell::new(None) };
}

fn journal_of_process(folders: &Folders) -> Option<Journal> {
    JOURNAL.with_borrow_mut(|journal| {
        if journal.is_none() {
            *journal = Journal::open(folders).ok();
        }
        journal.clone()
    })
}

/// When a plugin was restarted at its own wish.
#[derive(Default)]
pub(super) struct Restarts(VecDeque<Instant>);

impl Restarts {
    /// Counts one. False: there are too many; it may come later.
    pub(super) fn allow(&mut self, now: Instant) -> bool {
        while self.0.front().is_some_and(|first| now.duration_since(*first) > RESTART_SPAN) {
            self.0.pop_front();
        }
        let allowed = self.0.len() < MAX_RESTARTS;
        if allowed {
            self.0.push_back(now);
        }
        allowed
    }
}

/// What a session knows of plugins that killed a process before.
pub(super) struct Guard {
    journal: Option<Journal>,
    left: Vec<Note>,
    safe: bool,
    trusted: BTreeSet<SlotId>,
    /// The user closed these.
    closed: BTreeSet<SlotId>,
}

/// Lets the engine tell the journal of a plugin's first block.
struct Watched(FirstBlock);

impl FirstRun for Watched {
    fn begins(&self) {
        self.0.begins();
    }

    fn ends(&self) {
        self.0.ends();
    }
}

impl Guard {
    /// The command line keeps no journal: who runs it sees it die. Nor does a session over a given catalog.
    pub(super) fn new(config: &SessionConfig) -> Self {
        let kept = config.purpose != Purpose::Offline && matches!(config.catalog, CatalogSource::Cache);
        let folders = Folders::from_env();
        Self {
            // Without a journal plugins open all the same.
            journal: kept.then(|| journal_of_process(&folders)).flatten(),
            left: if kept { Journal::left_behind(&folders) } else { Vec::new() },
            safe: journal::safe_mode(),
            trusted: BTreeSet::new(),
            closed: BTreeSet::new(),
        }
    }

    /// Why a slot is to stay closed.
    pub(super) fn refuses(&self, slot: &Slot) -> Option<String> {
        if self.closed.contains(&slot.id) {
            return Some("closed by you; what was saved of it is kept".into());
        }
        if self.trusted.contains(&slot.id) {
            return None;
        }
        let note = self.left.iter().find(|note| note.plugin == slot.plugin && note.slot == slot.id);
        match note {
            Some(note) => {
                Some(format!("ended the program last time, {}: kept closed until you open it here", note.step))
            }
            None if self.safe => Some("kept closed: CATENA_SAFE=1 is set".into()),
            None => None,
        }
    }

    /// The user wants a slot opened all the same.
    pub(super) fn trust(&mut self, slot: &Slot) {
        self.trusted.insert(slot.id);
        self.closed.remove(&slot.id);
        let (of_slot, others) = std::mem::take(&mut self.left)
            .into_iter()
            .partition(|note| note.plugin == slot.plugin && note.slot == slot.id);
        self.left = others;
        let forgotten: Vec<Note> = of_slot;
        forgotten.iter().for_each(Journal::forget);
    }

    /// The user wants a slot closed.
    pub(super) fn close(&mut self, id: SlotId) {
        self.closed.insert(id);
    }

    /// What was closed was another plugin.
    pub(super) fn forget_closed_slot(&mut self, id: SlotId) {
        self.closed.remove(&id);
    }

    /// Another chain is there: its slots have nothing to do with those that were closed.
    pub(super) fn forget_closed(&mut self) {
        self.closed.clear();
    }

    /// Notes that `step` begins; the note is erased when the answer is dropped.
    pub(super) fn note(&self, slot: &Slot, step: Step) -> Option<Opening> {
        self.journal.as_ref().map(|journal| journal.note(&slot.plugin, slot.id, step))
    }

    /// A note for the first block that a plugin will run.
    pub(super) fn first_run(&self, slot: &Slot) -> Option<Box<dyn FirstRun>> {
        let note = self.journal.as_ref()?.first_block(&slot.plugin, slot.id);
        Some(Box::new(Watched(note)))
    }
}
