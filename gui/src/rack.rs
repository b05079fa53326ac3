//! The slots, first to last, and what is shown while there are none.

use egui::{Event, EventFilter, Key, Modifiers, Pos2, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo};
use host_core::model::{Catalog, SlotId};
use host_core::session::{Command, SlotView, Snapshot};

use crate::editor::RackState;
use crate::host::Host;
use crate::{slot, theme};

/// What the user did to a slot.
pub(crate) enum Act {
    /// An edit of this slot alone.
    Send(Command),
    /// Take it out.
    Remove,
    /// Find out what taking it out would do to the latency.
    ForeseeRemoval,
    /// Move it to that place.
    MoveTo(usize),
    /// Let the slot at that place have the focus.
    Focus(usize),
    /// Another slot was dropped on it.
    Dropped(SlotId),
}

/// Draws the rack.
pub(crate) fn ui(ui: &mut Ui, snapshot: &Snapshot, catalog: &Catalog, state: &mut RackState, host: &dyn Host) {
    let room = ui.max_rect();
    state.whole = false;
    keep_keys(snapshot, state);
    if snapshot.slots.is_empty() {
        empty(ui, catalog, state, host);
        return;
    }
    let (mut acts, mut touched, mut has_focus) = (Vec::new(), None, None);
    let focus = focus_in(ui, room);
    let hand = ui.input(|input| input.pointer.any_pressed() || input.pointer.any_released());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for (place, view) in snapshot.slots.iter().enumerate() {
            let response = slot::ui(ui, view, place, snapshot, state, &mut acts);
            if state.focus == Some(view.id) {
                response.request_focus();
                response.scroll_to_me(None);
                state.focus = None;
            }
            if response.clicked() || response.gained_focus() {
                state.selected = Some(view.id);
            }
            if focus.is_some_and(|place| response.rect.contains(place)) {
                has_focus = Some(view.id);
            }
            if hand && ui.rect_contains_pointer(response.rect) {
                touched = Some((view.id, response.id));
            }
            if response.has_focus() {
                state.whole = true;
                // egui would walk to whatever lies above or below, buttons too.
                let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
                ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
                keys(ui, place, view, &mut acts);
            }
        }
    });
    if focus_in(ui, room).is_some() {
        keep_edits(ui, host);
        state.keys = has_focus.map(Some);
    }
    // A hand on a slot, or on a button in it, has the keys there; a field that it is on has taken them already.
    if let Some((slot, widget)) = touched
        && ui.memory(|memory| memory.focused().is_none())
    {
        ui.memory_mut(|memory| memory.request_focus(widget));
        // egui tells nobody of a focus that was asked for so: what is removed hands it on to where this one is selected.
        state.selected = Some(slot);
    }
    if !acts.iter().any(|(_, act)| matches!(act, Act::ForeseeRemoval)) {
        state.foreseen.forget();
    }
    for (place, act) in acts {
        perform(act, place, snapshot, state, host);
    }
}

/// What had the keys may have gone, by an undo or otherwise: the rack keeps them, or the next would be the DAW's.
fn keep_keys(snapshot: &Snapshot, state: &mut RackState) {
    let is_there = |id: SlotId| snapshot.slots.iter().any(|slot| slot.id == id);
    let gone = match state.keys.take() {
        Some(Some(slot)) => !is_there(slot),
        Some(None) => !snapshot.slots.is_empty(),
        None => false,
    };
    if gone && state.focus.is_none() {
        state.focus = state.selected.filter(|id| is_there(*id)).or(snapshot.slots.first().map(|slot| slot.id));
        state.bare |= snapshot.slots.is_empty();
    }
}

/// Where in `room` the focus is, on something that nothing is typed into. A dialog that lies over the rack is not in it.
fn focus_in(ui: &Ui, room: Rect) -> Option<Pos2> {
    let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
    let place = focused.filter(|response| response.layer_id == ui.layer_id()).map(|response| response.rect.center());
    let place = place.filter(|place| room.contains(*place));
    place.filter(|_| !ui.ctx().text_edit_focused())
}

/// Takes the keys with which a DAW edits its own session: what is meant for the rack is never done there.
fn keep_edits(ui: &Ui, host: &dyn Host) {
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

/// The keys of the slot that has the focus.
fn keys(ui: &Ui, place: usize, view: &SlotView, acts: &mut Vec<(usize, Act)>) {
    ui.input_mut(|input| {
        if input.consume_key(Modifiers::NONE, Key::Delete) {
            acts.push((place, Act::Remove));
        }
        if input.consume_key(Modifiers::COMMAND, Key::D) {
            acts.push((place, Act::Send(Command::Duplicate(view.id))));
        }
        if input.consume_key(Modifiers::NONE, Key::B) {
            acts.push((place, Act::Send(Command::Bypass(view.id, !view.bypass))));
        }
        if let Some(window) = slot::window(view)
            && input.consume_key(Modifiers::NONE, Key::E)
        {
            acts.push((place, Act::Send(window)));
        }
        if input.consume_key(Modifiers::ALT, Key::ArrowUp) && place > 0 {
            acts.push((place, Act::MoveTo(place - 1)));
        }
        if input.consume_key(Modifiers::ALT, Key::ArrowDown) {
            acts.push((place, Act::MoveTo(place + 1)));
        }
        if input.consume_key(Modifiers::NONE, Key::ArrowUp) && place > 0 {
            acts.push((place, Act::Focus(place - 1)));
        }
        if input.consume_key(Modifiers::NONE, Key::ArrowDown) {
            acts.push((place, Act::Focus(place + 1)));
        }
    });
}

fn perform(act: Act, place: usize, snapshot: &Snapshot, state: &mut RackState, host: &dyn Host) {
    let id = snapshot.slots[place].id;
    match act {
        Act::Send(command) => host.send(command),
        Act::ForeseeRemoval => state.foreseen.ask(id, snapshot.latency, host),
        Act::Remove => {
            let heir = snapshot.slots.get(place + 1).or(place.checked_sub(1).and_then(|at| snapshot.slots.get(at)));
            if state.selected == Some(id) {
                state.selected = heir.map(|slot| slot.id);
                state.focus = state.selected;
                state.bare = heir.is_none();
            }
            host.send(Command::Remove(id));
        }
        Act::Focus(other) => state.focus = snapshot.slots.get(other).map(|slot| slot.id),
        Act::MoveTo(index) if index < snapshot.slots.len() => host.send(Command::Move { slot: id, index }),
        Act::Dropped(other) if other != id => host.send(Command::Move { slot: other, index: place }),
        Act::MoveTo(_) | Act::Dropped(_) => {}
    }
}

fn empty(ui: &mut Ui, catalog: &Catalog, state: &mut RackState, host: &dyn Host) {
    let builder = UiBuilder::new().id_salt("empty rack").sense(Sense::focusable_noninteractive());
    let response = ui.scope_builder(builder, |ui| invitation(ui, catalog)).response;
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, "Rack without a plugin"));
    if std::mem::take(&mut state.bare) {
        response.request_focus();
    }
    if response.has_focus() {
        state.whole = true;
        keep_edits(ui, host);
        state.keys = Some(None);
    }
}

fn invitation(ui: &mut Ui, catalog: &Catalog) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.25);
        ui.label(RichText::new("This chain is empty").heading());
        ui.label("Sound passes unchanged until you add a plugin.");
        ui.add_space(10.0);
        if catalog.plugins.is_empty() {
            ui.label("No plugins have been found on this computer yet.");
            ui.label("Run this in a terminal; they appear here when it is done:");
            ui.label(RichText::new("catena scan").monospace().color(theme::ACCENT));
        } else {
            ui.label("Type part of a name under “Find a plugin” and press Enter.");
            ui.label(RichText::new("Sound runs from the top slot to the bottom one.").color(theme::QUIET));
        }
    });
}
