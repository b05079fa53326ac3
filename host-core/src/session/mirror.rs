//! The chain as it is had without home: what a save writes while home sits in a plugin's call.
//!
//! A plugin's own bytes can be asked for on home alone, so no thread can have them fresh while home is away. What can be had is
//! kept here: the model as of its last edit, with each slot's bytes as they were last kept, slot by slot; and, in what is shown,
//! the values of all parameters as home last knew them, which a load sets over the bytes. A slot whose plugin did not change
//! since its bytes were kept is therefore as fresh as any save; the others lack what is no parameter, and are named.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use super::macros::note_control;
use super::owner::Owner;
use super::shared::Shared;
use super::{LoadError, SlotStatus, SlotView, Snapshot};
use crate::engine::MacroBank;
use crate::home::{Doing, ResidentId};
use crate::model::{Aim, Bytes, Chain, Grid, MacroId, Slot, SlotId};
use crate::store;

/// Kept up by home, but for the bytes of a load, which whoever loads notes before home is asked.
#[derive(Default)]
pub(super) struct Mirror {
    /// Bytes that are being loaded or that are no chain of ours: a save writes these very bytes.
    kept: Option<Bytes>,
    chain: Arc<Chain>,
    /// Slots whose plugin may differ from the bytes kept of it.
    touched: BTreeSet<SlotId>,
}

impl Shared {
    fn mirror(&self) -> std::sync::MutexGuard<'_, Mirror> {
        self.mirror.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on a save writes `bytes`, until home has loaded them.
    pub(super) fn keep(&self, bytes: &Bytes) {
        self.mirror().kept = Some(bytes.clone());
    }

    /// The packed chain as far as it is known without home, and what there is to say of it. `me` is this chain.
    pub(super) fn save_without_home(
        &self,
        me: ResidentId,
        doing: Option<&Doing>,
        bank: &MacroBank,
    ) -> Result<(Vec<u8>, String), LoadError> {
        let (kept, chain, touched) = {
            let mirror = self.mirror();
            (mirror.kept.clone(), mirror.chain.clone(), mirror.touched.clone())
        };
        let stuck = doing.and_then(|doing| doing.slot).filter(|(chain, _)| *chain == me).map(|(_, slot)| slot);
        if let Some(kept) = kept {
            return Ok((kept.to_vec(), "the chain was saved as it was loaded".into()));
        }
        let (mut chain, shown) = (Chain::clone(&chain), self.snapshot());
        for view in &shown.slots {
            if let Some(slot) = chain.slot_mut(view.id) {
                set_values(slot, view);
            }
        }
        place_macros(&mut chain, &shown, bank);
        let words = words(&chain, stuck, &touched);
        let bytes = store::pack(&chain).map_err(|error| LoadError::Damaged(error.to_string()))?;
        Ok((bytes, words))
    }

    /// Shows that home does not answer: of the slot that it sits in, where that is one of `me`, else of the chain. False: it is
    /// shown already.
    pub(super) fn tell_stuck(&self, me: ResidentId, doing: &Doing) -> bool {
        self.show_stuck(|shown| {
            let reason = format!("does not answer: Catena is busy with {doing}");
            let mine = doing.slot.filter(|(chain, _)| *chain == me);
            let slot = mine.and_then(|(_, id)| shown.slots.iter_mut().find(|slot| slot.id == id));
            shown.notice = match slot {
                Some(slot) => {
                    slot.status = SlotStatus::Faulted(reason.clone());
                    format!("{} {reason}", slot.title)
                }
                None => format!("Catena's plugin thread {reason}"),
            };
        })
    }
}

/// The values home last knew. A slot that is not open shows none and keeps those it has.
fn set_values(slot: &mut Slot, view: &SlotView) {
    if view.params.is_empty() || view.values.len() != view.params.len() {
        return;
    }
    let own = view.params.iter().zip(&view.values).filter(|(param, _)| !param.read_only && !param.is_bypass);
    slot.params = own.map(|(param, value)| (param.key.clone(), *value)).collect();
}

/// What the audio thread did with macros since home last looked: their values, and those that they give their targets.
fn place_macros(chain: &mut Chain, shown: &Snapshot, bank: &MacroBank) {
    for number in MacroId::all() {
        let (x, known) = (bank.value(number.index()), chain.macro_of(number).map_or(0.0, |one| one.value));
        if x as f32 == known as f32 {
            continue;
        }
        let one = chain.macro_mut(number);
        one.value = x;
        for target in one.targets.clone() {
            let Some(slot) = target.aim.slot().and_then(|id| chain.slot_mut(id)) else { continue };
            match &target.aim {
                Aim::Param(id, key) => {
                    let params = shown.slots.iter().find(|view| view.id == *id).map_or(&[][..], |view| &view.params);
                    if let Some(param) = params.iter().find(|param| param.key == *key) {
                        let grid = Grid::of(&param.steps, param.min, param.max);
                        slot.params.insert(key.clone(), grid.nearest(target.law.at(x)));
                    }
                }
                aim => note_control(slot, aim, target.law.at(x)),
            }
        }
    }
}

/// What a save without home lacks.
fn words(chain: &Chain, stuck: Option<SlotId>, touched: &BTreeSet<SlotId>) -> String {
    let titles = |wanted: &dyn Fn(SlotId) -> bool| {
        chain.slots().filter(|slot| wanted(slot.id)).map(Slot::title).collect::<Vec<_>>().join(", ")
    };
    let (stuck_title, others) =
        (titles(&|id| Some(id) == stuck), titles(&|id| Some(id) != stuck && touched.contains(&id)));
    let mut words = Vec::new();
    if !stuck_title.is_empty() {
        words.push(format!("{stuck_title} was saved as it was last kept"));
    }
    if !others.is_empty() {
        words.push(format!("of {others} the parameters were saved as they are now and all else as it was last kept"));
    }
    if words.is_empty() { "nothing is missing from the save".into() } else { words.join("; ") }
}

impl Owner {
    /// Brings the mirror up to date. Called whenever the model or what is kept of a slot changes.
    pub(super) fn mirror(&mut self) {
        self.mirror_stale = false;
        let chain = Arc::new(self.chain.clone());
        let touched = self.touched_slots();
        let mut mirror = self.shared.mirror();
        (mirror.chain, mirror.touched) = (chain, touched);
    }

    /// Notes which slots differ from what is kept of them, and the model where it changed in passing.
    pub(super) fn refresh_mirror(&mut self) {
        match self.mirror_stale {
            true => self.mirror(),
            false => self.shared.mirror().touched = self.touched_slots(),
        }
    }

    /// The bytes of the last load are no longer what a save writes.
    pub(super) fn forget_kept(&mut self) {
        let Some(kept) = self.kept.take() else { return };
        let mut mirror = self.shared.mirror();
        // Those of a load that is still to come stay.
        if mirror.kept.as_ref().is_some_and(|noted| Arc::ptr_eq(noted, &kept)) {
            mirror.kept = None;
        }
    }

    fn touched_slots(&self) -> BTreeSet<SlotId> {
        self.lives.iter().filter(|(_, live)| live.touched && !live.mains.is_empty()).map(|(id, _)| *id).collect()
    }
}
