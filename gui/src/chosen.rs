//! More than one thing chosen in the rack: slots and lanes that stand in one list.

use egui::Ui;
use host_core::model::SlotId;
use host_core::session::{Command, StripEdit};

use crate::editor::RackState;
use crate::host::Host;
use crate::outline::{Item, Outline, Row};

/// What is chosen together with `id`, first to last; `id` alone where it is not among what is chosen.
pub(crate) fn all(outline: &Outline, state: &RackState, id: Option<SlotId>) -> Vec<SlotId> {
    let Some(id) = id else { return Vec::new() };
    if state.also.is_empty() || !state.is_chosen(id) {
        return vec![id];
    }
    let chosen = outline.rows.iter().filter(|row| row.is_node() && state.is_chosen(row.id));
    chosen.map(|row| row.id).collect()
}

/// A click: with Shift all from what was chosen to here, with Ctrl one more or less, else this one alone.
pub(crate) fn click(ui: &Ui, id: SlotId, outline: &Outline, state: &mut RackState) {
    let modifiers = ui.input(|input| input.modifiers);
    let beside = match (state.selected.and_then(|id| outline.row(id)), outline.row(id)) {
        (Some(from), Some(to)) if from.is_node() && to.is_node() && from.parent == to.parent => Some((from, to)),
        _ => None,
    };
    match beside {
        Some((from, to)) if modifiers.shift => {
            let between = from.index.min(to.index)..=from.index.max(to.index);
            let rows = siblings(outline, to).filter(|row| between.contains(&row.index));
            state.also = rows.map(|row| row.id).filter(|other| *other != from.id).collect();
        }
        Some((from, _)) if modifiers.command && from.id != id => {
            if !state.also.remove(&id) {
                state.also.insert(id);
            }
        }
        _ => {
            state.selected = Some(id);
            state.also.clear();
        }
    }
}

/// The arrows with Shift: one more in the list, or one less on the way back.
pub(crate) fn extend(id: SlotId, down: bool, outline: &Outline, state: &mut RackState) {
    let Some(row) = outline.row(id).filter(|row| row.is_node()) else { return };
    let index = if down { Some(row.index + 1) } else { row.index.checked_sub(1) };
    let next = index.and_then(|index| siblings(outline, row).find(|other| other.index == index));
    let Some(next) = next.map(|next| next.id) else { return };
    let first = *state.selected.get_or_insert(id);
    match state.is_chosen(next) {
        true if id != first => {
            state.also.remove(&id);
        }
        true => {}
        false => {
            state.also.insert(next);
        }
    }
    state.focus = Some(next);
}

/// Everything in the list that `id` stands in.
pub(crate) fn everything(id: SlotId, outline: &Outline, state: &mut RackState) {
    let Some(row) = outline.row(id).filter(|row| row.is_node()) else { return };
    state.selected = Some(id);
    state.also = siblings(outline, row).map(|row| row.id).filter(|other| *other != id).collect();
}

fn siblings<'r, 'a>(outline: &'r Outline<'a>, row: &'r Row<'a>) -> impl Iterator<Item = &'r Row<'a>> {
    outline.rows.iter().filter(move |other| other.is_node() && other.parent == row.parent)
}

/// Sends an edit; one that makes sense of all that is chosen is made of all of it.
pub(crate) fn send(command: Command, outline: &Outline, state: &RackState, host: &dyn Host) {
    let (Command::Bypass(id, _) | Command::Duplicate(id) | Command::Strip(id, StripEdit::Mute(_))) = command else {
        return host.send(command);
    };
    for id in all(outline, state, Some(id)) {
        if !outline.row(id).is_some_and(|row| matches!(row.item, Item::Slot(_))) {
            continue;
        }
        host.send(match &command {
            Command::Bypass(_, on) => Command::Bypass(id, *on),
            Command::Strip(_, edit) => Command::Strip(id, *edit),
            _ => Command::Duplicate(id),
        });
    }
}
