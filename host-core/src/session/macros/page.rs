//! A plugin's own page of controls becomes eight macros.

use crate::model::{Aim, MACROS, MacroId, PAGE, SlotId};
use crate::session::error::EditError;
use crate::session::owner::Owner;

impl Owner {
    /// Maps page `page` of `slot` to the macros from `first` on, or to the first eight that hold nothing. All or none.
    pub(in crate::session) fn map_page(
        &mut self,
        slot: SlotId,
        page: usize,
        first: Option<MacroId>,
    ) -> Result<(), EditError> {
        let title = self.chain.slot(slot).ok_or(EditError::NoSlot(slot))?.title().to_owned();
        let pages = self.lives.get(&slot).map(|live| live.pages.clone()).unwrap_or_default();
        let count = pages.len();
        let chosen = pages.get(page).ok_or(EditError::NoPage { slot: title, page: page + 1, count })?;
        let controls = chosen.controls.iter().enumerate();
        let aims = controls.filter_map(|(place, key)| Some((place, Aim::Param(slot, key.clone()?))));
        // What the plugin only tells, and its bypass, are gaps.
        let aims: Vec<_> = aims.filter(|(_, aim)| self.limits(aim).is_ok()).collect();
        if aims.is_empty() {
            return Err(EditError::NoTarget);
        }
        let first = match first {
            Some(first) => first.index(),
            None => self.free_page().ok_or(EditError::NoFreeMacros)?,
        };
        let number = |(place, aim)| Some((MacroId::at(first + place)?, aim));
        let wanted = aims.into_iter().map(number).collect::<Option<Vec<_>>>().ok_or(EditError::PastMacros)?;
        if let Some((taken, _)) = wanted.iter().find(|(number, aim)| self.moves_other(*number, aim)) {
            return Err(EditError::MacroTaken(*taken));
        }
        for (number, aim) in wanted {
            let name = self.name_of(&aim);
            self.map(number, aim, None)?;
            let one = self.chain.macro_mut(number);
            one.name = one.name.take().or(name);
        }
        Ok(())
    }

    /// Where eight macros begin that hold nothing.
    fn free_page(&self) -> Option<usize> {
        let holds = |index| {
            let one = MacroId::at(index).and_then(|number| self.chain.macro_of(number));
            one.is_some_and(|one| one.name.is_some() || !one.targets.is_empty())
        };
        (0..MACROS).step_by(PAGE).find(|from| !(*from..from + PAGE).any(holds))
    }

    fn moves_other(&self, number: MacroId, aim: &Aim) -> bool {
        let one = self.chain.macro_of(number);
        one.is_some_and(|one| one.targets.iter().any(|target| target.aim != *aim))
    }

    /// What the plugin calls a parameter.
    fn name_of(&self, aim: &Aim) -> Option<String> {
        let Aim::Param(slot, key) = aim else { return None };
        let index = self.param_index(*slot, key)?;
        let name = self.lives.get(slot)?.params.get(index)?.name.clone();
        Some(name).filter(|name| !name.is_empty())
    }
}
