//! An edit as a step: it is made, all who are to hear of it do, and several at once are one step. All `[home]`.

use super::owner::Owner;
use super::{Command, EditError, MacroEdit};
use crate::model::SlotId;

impl Owner {
    /// Makes an edit as one step of undo.
    pub(super) fn as_one_step(&mut self, edit: Command) -> Result<Option<SlotId>, EditError> {
        let step = self.begin_step(&edit);
        let changed = self.edit_and_tell(edit)?;
        step.into_iter().for_each(|step| self.end_step(step));
        Ok(changed)
    }

    /// Several edits as one step; what can be no part of one comes first.
    pub(super) fn several(&mut self, all: Vec<Command>) -> Result<Option<SlotId>, EditError> {
        let all = Command::Many(all);
        let (together, alone): (Vec<_>, Vec<_>) =
            all.parts().into_iter().cloned().partition(|command| self.joins(command));
        let (mut last, mut refused) = (None, None);
        for command in alone {
            match self.command(command) {
                Ok(id) => last = id.or(last),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        if !together.is_empty() {
            self.follow_macros();
            self.note_settings();
            match self.as_one_step(Command::Many(together)) {
                Ok(id) => return Ok(id.or(last)),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        refused.map_or(Ok(last), Err)
    }

    /// An edit, and all who are to hear of it.
    fn edit_and_tell(&mut self, command: Command) -> Result<Option<SlotId>, EditError> {
        let moves = |one: &&Command| matches!(one, Command::Param(..) | Command::Macro(_, MacroEdit::Value(_)));
        let in_passing = command.parts().iter().all(moves);
        let called_off = self.left_out.take();
        let Some(changed) = self.make(command)? else {
            self.left_out = self.left_out.take().or(called_off);
            return Ok(None);
        };
        self.user_edited();
        if let Some(words) = self.left_out.take().or(called_off) {
            self.set_notice(words);
        }
        if let Some(fault) = self.default_fault.take() {
            self.set_notice(fault);
        }
        match in_passing {
            true => self.mirror_stale = true,
            false => self.mirror(),
        }
        Ok(changed)
    }

    /// Makes an edit in the model. `None`: nobody is to hear of it.
    fn make(&mut self, command: Command) -> Result<Option<Option<SlotId>>, EditError> {
        match command {
            Command::Macro(number, edit) => Ok(self.edit_macro(number, edit)?.then_some(None)),
            Command::Many(all) => self.make_each(all),
            other => self.edit(other).map(Some),
        }
    }

    /// Refused is what all refuse; where some were made the notice says what was not.
    fn make_each(&mut self, all: Vec<Command>) -> Result<Option<Option<SlotId>>, EditError> {
        let (mut made, mut refused) = (None, None);
        for command in all {
            match self.make(command) {
                Ok(Some(id)) => made = Some(id.or(made.flatten())),
                Ok(None) => {}
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match (made, refused) {
            (None, Some(error)) => return Err(error),
            (_, Some(error)) => self.left_out = Some(error.to_string()),
            _ => {}
        }
        Ok(made)
    }
}
