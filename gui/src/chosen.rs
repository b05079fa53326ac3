//! More than one thing chosen in the rack: slots and lanes that stand in one list.

use egui::Ui;
use host_core::model::SlotId;
use host_core::session::{Command, MAX_GAIN, MIN_GAIN, SlotView, StripEdit};

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

/// Sends an edit; one that makes sense of all that is chosen is made of all of it, as one step.
pub(crate) fn send(command: Command, outline: &Outline, state: &RackState, host: &dyn Host) {
    let Some(id) = of_each(&command).filter(|id| slot(outline, *id).is_some()) else { return host.send(command) };
    let own = slot(outline, id);
    let slots = all(outline, state, Some(id)).into_iter().filter_map(|id| slot(outline, id));
    together(slots.filter_map(|other| for_slot(&command, own?, other)).collect(), host);
}

/// Sends edits as one step.
pub(crate) fn together(mut edits: Vec<Command>, host: &dyn Host) {
    match edits.len() {
        0 => {}
        1 => edits.drain(..).for_each(|edit| host.send(edit)),
        _ => host.send(Command::Many(edits)),
    }
}

fn slot<'a>(outline: &Outline<'a>, id: SlotId) -> Option<&'a SlotView> {
    match outline.row(id)?.item {
        Item::Slot(slot) => Some(slot),
        _ => None,
    }
}

/// The slot of an edit that can be made of all that is chosen.
fn of_each(command: &Command) -> Option<SlotId> {
    match command {
        Command::Bypass(id, _)
        | Command::Duplicate(id)
        | Command::Mix(id, _)
        | Command::InputGain(id, _)
        | Command::OutputGain(id, _)
        | Command::Strip(id, StripEdit::Mute(_) | StripEdit::Solo(_) | StripEdit::Delta(_) | StripEdit::Pan(_)) => {
            Some(*id)
        }
        _ => None,
    }
}

/// An edit of one slot, made of another: switches stand as they do there, values move as far.
fn for_slot(command: &Command, own: &SlotView, other: &SlotView) -> Option<Command> {
    let id = other.id;
    let moved = |of: fn(&SlotView) -> f64, to: f64, min: f64, max: f64| match own.id == id {
        true => to,
        false => (of(other) + to - of(own)).clamp(min, max),
    };
    Some(match command {
        Command::Bypass(_, on) => Command::Bypass(id, *on),
        Command::Duplicate(_) => Command::Duplicate(id),
        Command::Mix(_, mix) => Command::Mix(id, moved(|slot| slot.mix, *mix, 0.0, 1.0)),
        Command::InputGain(_, gain) => Command::InputGain(id, moved(|slot| slot.gains.0, *gain, MIN_GAIN, MAX_GAIN)),
        Command::OutputGain(_, gain) => Command::OutputGain(id, moved(|slot| slot.gains.1, *gain, MIN_GAIN, MAX_GAIN)),
        Command::Strip(_, StripEdit::Pan(pan)) => {
            Command::Strip(id, StripEdit::Pan(moved(|slot| slot.strip.pan, *pan, -1.0, 1.0)))
        }
        Command::Strip(_, edit) => Command::Strip(id, *edit),
        _ => return None,
    })
}

/// A step up or down of all that is chosen, past the neighbour of it. Nothing at the list's end.
pub(crate) fn step(id: SlotId, down: bool, outline: &Outline, state: &RackState, host: &dyn Host) {
    let ids = all(outline, state, Some(id));
    if ids.len() < 2 {
        return outline.step(id, down).into_iter().for_each(|command| host.send(command));
    }
    let rows: Vec<_> = ids.iter().filter_map(|id| outline.row(*id)).collect();
    let next =
        |row: &&Row| if down { Some(row.index + 1).filter(|next| *next < row.count) } else { row.index.checked_sub(1) };
    let to: Option<Vec<_>> =
        rows.iter().map(|row| next(row).map(|index| Command::Move { slot: row.id, index })).collect();
    let Some(mut edits) = to else { return };
    if down {
        // The last goes first, else each would pass the one behind it.
        edits.reverse();
    }
    together(edits, host);
}

/// What is dropped somewhere, with all that is chosen beside it: that stands behind one another there.
pub(crate) fn with_others(command: Command, outline: &Outline, state: &RackState) -> Command {
    let (id, into, index) = match command {
        Command::Move { slot, index } => (slot, outline.row(slot).and_then(|row| row.parent), index),
        Command::MoveInto { node, into, index } => (node, into, index),
        other => return other,
    };
    let ids = all(outline, state, Some(id));
    let inside = |id: &SlotId| into.is_some_and(|lane| outline.is_within(lane, *id));
    if ids.len() < 2 || ids.iter().any(inside) {
        return command;
    }
    let mut now: Vec<_> =
        outline.rows.iter().filter(|row| row.is_node() && row.parent == into).map(|row| row.id).collect();
    // It is dropped before the first behind it that is not moved too.
    let mut behind = now.iter().copied().filter(|other| *other != id).skip(index);
    let before = behind.find(|other| !ids.contains(other));
    let mut edits = Vec::new();
    for id in ids {
        let here = now.iter().position(|other| *other == id);
        now.retain(|other| *other != id);
        let index = before.and_then(|before| now.iter().position(|other| *other == before)).unwrap_or(now.len());
        now.insert(index, id);
        match here {
            Some(here) if here == index => {}
            Some(_) => edits.push(Command::Move { slot: id, index }),
            None => edits.push(Command::MoveInto { node: id, into, index }),
        }
    }
    match edits.len() {
        1 => edits.remove(0),
        _ => Command::Many(edits),
    }
}
