//! The slots, first to last, and what is shown while there are none.

use egui::{EventFilter, Key, RichText, ScrollArea, Ui};
use host_core::model::{Catalog, SlotId};
use host_core::session::{Command, Snapshot};

use crate::editor::RackState;
use crate::host::Host;
use crate::{slot, theme};

/// What the user did to a slot.
pub(crate) enum Act {
    /// An edit of this slot alone.
    Send(Command),
    /// Take it out.
    Remove,
    /// Move it to that place.
    MoveTo(usize),
    /// Let the slot at that place have the focus.
    Focus(usize),
    /// Another slot was dropped on it.
    Dropped(SlotId),
}

/// Draws the rack.
pub(crate) fn ui(ui: &mut Ui, snapshot: &Snapshot, catalog: &Catalog, state: &mut RackState, host: &dyn Host) {
    if snapshot.slots.is_empty() {
        empty(ui, catalog);
        return;
    }
    let mut acts = Vec::new();
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
            if response.has_focus() {
                // egui would walk to whatever lies above or below, buttons too.
                let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
                ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
                keys(ui, place, view.bypass, view.id, &mut acts);
            }
        }
    });
    for (place, act) in acts {
        perform(act, place, snapshot, state, host);
    }
}

/// The keys of the slot that has the focus.
fn keys(ui: &Ui, place: usize, bypass: bool, id: SlotId, acts: &mut Vec<(usize, Act)>) {
    ui.input_mut(|input| {
        if input.consume_key(egui::Modifiers::NONE, Key::Delete) {
            acts.push((place, Act::Remove));
        }
        if input.consume_key(egui::Modifiers::NONE, Key::B) {
            acts.push((place, Act::Send(Command::Bypass(id, !bypass))));
        }
        if input.consume_key(egui::Modifiers::ALT, Key::ArrowUp) && place > 0 {
            acts.push((place, Act::MoveTo(place - 1)));
        }
        if input.consume_key(egui::Modifiers::ALT, Key::ArrowDown) {
            acts.push((place, Act::MoveTo(place + 1)));
        }
        if input.consume_key(egui::Modifiers::NONE, Key::ArrowUp) && place > 0 {
            acts.push((place, Act::Focus(place - 1)));
        }
        if input.consume_key(egui::Modifiers::NONE, Key::ArrowDown) {
            acts.push((place, Act::Focus(place + 1)));
        }
    });
}

fn perform(act: Act, place: usize, snapshot: &Snapshot, state: &mut RackState, host: &dyn Host) {
    let id = snapshot.slots[place].id;
    match act {
        Act::Send(command) => host.send(command),
        Act::Remove => {
            let heir = snapshot.slots.get(place + 1).or(place.checked_sub(1).and_then(|at| snapshot.slots.get(at)));
            if state.selected == Some(id) {
                state.selected = heir.map(|slot| slot.id);
                state.focus = state.selected;
            }
            host.send(Command::Remove(id));
        }
        Act::Focus(other) => state.focus = snapshot.slots.get(other).map(|slot| slot.id),
        Act::MoveTo(index) if index < snapshot.slots.len() => host.send(Command::Move { slot: id, index }),
        Act::Dropped(other) if other != id => host.send(Command::Move { slot: other, index: place }),
        Act::MoveTo(_) | Act::Dropped(_) => {}
    }
}

fn empty(ui: &mut Ui, catalog: &Catalog) {
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
