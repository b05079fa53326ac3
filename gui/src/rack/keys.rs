//! The rack's keys: whose they are, and what they do.

use egui::{Event, Key, Modifiers, Pos2, Rect, Ui};
use host_core::model::{SlotId, Split};
use host_core::session::{Command, LaneEdit, StripEdit};

use super::Act;
use crate::browser::Wish;
use crate::editor::RackState;
use crate::host::Host;
use crate::outline::{Item, Outline, Row};
use crate::slot;

/// What had the keys may have gone, by an undo or otherwise: the rack keeps them, or the next would be the DAW's.
pub(super) fn keep_keys(outline: &Outline, state: &mut RackState) {
    let is_there = |id: SlotId| outline.row(id).is_some();
    let gone = match state.keys.take() {
        Some(Some(slot)) => !is_there(slot),
        Some(None) => !outline.rows.is_empty(),
        None => false,
    };
    if gone && state.focus.is_none() {
        state.focus = state.selected.filter(|id| is_there(*id)).or(outline.rows.first().map(|row| row.id));
        state.bare |= outline.rows.is_empty();
    }
}

/// Where in `room` the focus is, on something that nothing is typed into. A dialog that lies over the rack is not in it.
pub(crate) fn focus_in(ui: &Ui, room: Rect) -> Option<Pos2> {
    let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
    let place = focused.filter(|response| response.layer_id == ui.layer_id()).map(|response| response.rect.center());
    let place = place.filter(|place| room.contains(*place));
    place.filter(|_| !ui.ctx().text_edit_focused())
}

/// Takes the keys with which a DAW edits its own session: what is meant for the rack is never done there.
pub(crate) fn keep_edits(ui: &Ui, host: &dyn Host) {
    const UNUSED: [Key; 5] = [Key::X, Key::C, Key::V, Key::D, Key::Delete];
    const CONTROL: Modifiers = Modifiers::COMMAND;
    let mut steps = Vec::new();
    ui.input_mut(|input| {
        let alone = [Key::Delete, Key::Backspace].map(|key| (Modifiers::NONE, key));
        for (modifiers, key) in alone.into_iter().chain(UNUSED.map(|key| (CONTROL, key))) {
            input.consume_key(modifiers, key);
        }
        input.events.retain(|event| {
            let step = step(event);
            let is_other = step.is_none();
            steps.extend(step);
            is_other
        });
    });
    // As often as it was pressed, and whatever the snapshot says: it may be behind. Where there is no step, nothing is done.
    steps.into_iter().for_each(|step| host.send(step));
}

/// The step through the history that a key asks for.
fn step(event: &Event) -> Option<Command> {
    let Event::Key { key, pressed: true, modifiers, .. } = event else { return None };
    match key {
        _ if !modifiers.matches_logically(Modifiers::COMMAND) => None,
        Key::Y => Some(Command::Redo),
        Key::Z if modifiers.shift => Some(Command::Redo),
        Key::Z => Some(Command::Undo),
        _ => None,
    }
}

/// The keys of what has the focus.
pub(super) fn keys(ui: &Ui, row: &Row, outline: &Outline, acts: &mut Vec<(SlotId, Act)>) {
    const NONE: Modifiers = Modifiers::NONE;
    const ALT: Modifiers = Modifiers::ALT;
    const LETTERS: [Key; 6] = [Key::B, Key::E, Key::M, Key::S, Key::P, Key::L];
    let id = row.id;
    let mut acts_of = |key: bool, act: Option<Act>| acts.extend(act.filter(|_| key).map(|act| (id, act)));
    ui.input_mut(|input| {
        acts_of(input.consume_key(NONE, Key::Delete), Some(Act::Remove));
        if let Item::Slot(_) = row.item {
            acts_of(input.consume_key(Modifiers::COMMAND, Key::D), Some(Act::Send(Command::Duplicate(id))));
            acts_of(input.consume_key(NONE, Key::Enter), Some(Act::Show));
            acts_of(!input.modifiers.alt && input.consume_key(NONE, Key::R), Some(Act::Find(Wish::Instead(id))));
        }
        acts_of(input.consume_key(Modifiers::COMMAND, Key::A), Some(Act::All));
        acts_of(input.consume_key(Modifiers::SHIFT, Key::ArrowUp), Some(Act::Extend(false)));
        acts_of(input.consume_key(Modifiers::SHIFT, Key::ArrowDown), Some(Act::Extend(true)));
        acts_of(input.consume_key(ALT, Key::ArrowUp), Some(Act::Step(false)));
        acts_of(input.consume_key(ALT, Key::ArrowDown), Some(Act::Step(true)));
        acts_of(input.consume_key(ALT, Key::ArrowLeft), outline.outward(id).map(Act::Send));
        acts_of(input.consume_key(ALT, Key::ArrowRight), outline.inward(id).map(Act::Send));
        acts_of(input.consume_key(NONE, Key::ArrowUp), Some(Act::Focus(false)));
        acts_of(input.consume_key(NONE, Key::ArrowDown), Some(Act::Focus(true)));
        // With Alt they are a menu's.
        let letters: &[Key] = if input.modifiers.alt { &[] } else { &LETTERS };
        for key in letters.iter().copied() {
            if let Some(command) = letter(row, key) {
                acts_of(input.consume_key(NONE, key), Some(Act::Send(command)));
            }
        }
    });
}

/// What a letter does: bypass, the plugin's own window, mute, solo, parallel, lane.
fn letter(row: &Row, key: Key) -> Option<Command> {
    let id = row.id;
    Some(match (row.item, key) {
        (Item::Slot(slot), Key::B) => Command::Bypass(id, !slot.bypass),
        (Item::Slot(slot), Key::E) => return slot::window(slot),
        (Item::Slot(slot), Key::M) => Command::Strip(id, StripEdit::Mute(!slot.strip.mute)),
        (Item::Slot(slot), Key::S) => Command::Strip(id, StripEdit::Solo(!slot.strip.solo)),
        (Item::Slot(_) | Item::Lanes(_), Key::P) => Command::Parallel { from: id, to: id, split: Split::Copy },
        (Item::Lanes(group), Key::L) if group.split == Split::Copy => {
            Command::AddLane { group: id, index: group.lanes.len() }
        }
        (Item::Lane(group, _), Key::L) if group.split == Split::Copy => {
            Command::AddLane { group: group.id, index: row.index + 1 }
        }
        (Item::Lane(_, lane), Key::M) => Command::Lane(id, LaneEdit::Mute(!lane.mute)),
        (Item::Lane(_, lane), Key::S) => Command::Lane(id, LaneEdit::Solo(!lane.solo)),
        _ => return None,
    })
}
