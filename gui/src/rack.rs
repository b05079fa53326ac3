//! The chain, first to last, with its lanes, and what is shown while there is nothing in it.

mod keys;

use egui::{
    Context, DragAndDrop, EventFilter, Rect, Response, RichText, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};
use host_core::model::{Catalog, DeskEdit, SlotId};
use host_core::session::{Command, Snapshot};

use crate::browser::{Carried, Wish, added};
use crate::controls::named;
use crate::editor::RackState;
use crate::host::Host;
use crate::outline::{Item, Outline, Row};
use crate::slot::Around;
use crate::{chosen, controls, lane, slot, theme};
pub(crate) use keys::{focus_in, keep_edits};
use keys::{keep_keys, keys};

/// How far what a lane holds stands in, points.
const INDENT: f32 = 18.0;

/// What the user did to a slot, to lanes or to a lane.
pub(crate) enum Act {
    /// An edit of it alone.
    Send(Command),
    /// Take it out, with all that is chosen beside it.
    Remove,
    /// Take it out alone, whatever is chosen.
    RemoveAlone,
    /// Find out what taking it out would do to the latency.
    ForeseeRemoval,
    /// Move it a step up, or down (true).
    Step(bool),
    /// Let what stands above it, or below it (true), have the focus.
    Focus(bool),
    /// Show it on its page.
    Show,
    /// The same, with it chosen too.
    Extend(bool),
    /// Choose everything beside it too.
    All,
    /// Find a plugin for behind it, or for its place.
    Find(Wish),
}

/// Draws the rack.
pub(crate) fn ui(
    ui: &mut Ui,
    (snapshot, outline): (&Snapshot, &Outline),
    catalog: &Catalog,
    state: &mut RackState,
    host: &dyn Host,
) {
    let room = ui.max_rect();
    state.whole = false;
    keep_keys(outline, state);
    state.clipboard.settle(ui, host);
    if outline.rows.is_empty() {
        empty(ui, catalog, state, (outline, host));
        return;
    }
    let (mut acts, mut touched, mut has_focus) = (Vec::new(), None, None);
    let focus = focus_in(ui, room);
    let hand = ui.input(|input| input.pointer.any_pressed() || input.pointer.any_released());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for row in &outline.rows {
            let Some(response) = seen_line(ui, row, (outline, snapshot), state, &mut acts) else { continue };
            drops(ui, &response, row, (outline, state), host);
            if !row.takes_keys() {
                continue;
            }
            if state.focus == Some(row.id) {
                response.request_focus();
                response.scroll_to_me(None);
                state.focus = None;
            }
            if response.clicked() {
                chosen::click(ui, row.id, outline, state);
            } else if response.gained_focus() && !state.is_chosen(row.id) {
                state.choose(row.id);
            }
            state.show |= response.double_clicked() && matches!(row.item, Item::Slot(_));
            if focus.is_some_and(|place| response.rect.contains(place)) {
                has_focus = Some(row.id);
            }
            if hand && ui.rect_contains_pointer(response.rect) {
                touched = Some((row.id, response.id));
            }
            if response.has_focus() {
                state.whole = true;
                // egui would walk to whatever lies above or below, buttons too.
                let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
                ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
                keys(ui, row, outline, &mut acts);
            }
        }
        rest(ui, outline, state, host);
    });
    if focus_in(ui, room).is_some() {
        let taken = chosen::all(outline, state, has_focus.or(state.selected));
        state.clipboard.keys(ui, outline, &taken, host);
        keep_edits(ui, host);
        state.keys = has_focus.map(Some);
    }
    // A hand on a slot, or on a button in it, has the keys there; a field that it is on has taken them already.
    if let Some((slot, widget)) = touched
        && ui.memory(|memory| memory.focused().is_none())
    {
        ui.memory_mut(|memory| memory.request_focus(widget));
        // egui tells nobody of a focus that was asked for so: what is removed hands it on to where this one is selected.
        if !state.is_chosen(slot) {
            state.choose(slot);
        }
    }
    if !acts.iter().any(|(_, act)| matches!(act, Act::ForeseeRemoval)) {
        state.foreseen.forget();
    }
    for (id, act) in acts {
        perform(act, id, (outline, snapshot), state, (ui.ctx(), host));
    }
}

/// From so many lines on those that are not seen are not drawn.
const MANY: usize = 24;

/// A line, where it is seen or has the keys; else the room for it, as high as it was when it was drawn last.
fn seen_line(
    ui: &mut Ui,
    row: &Row,
    seen: (&Outline, &Snapshot),
    state: &mut RackState,
    acts: &mut Vec<(SlotId, Act)>,
) -> Option<Response> {
    let height = state.heights.get(&row.id).copied().filter(|_| seen.0.rows.len() >= MANY && row.takes_keys());
    if let Some(height) = height {
        let room = ui.available_rect_before_wrap();
        let place = Rect::from_min_size(room.min, vec2(room.width(), height));
        let whole = controls::whole(row.id);
        let wanted = state.focus == Some(row.id) || ui.memory(|memory| memory.has_focus(whole));
        if !wanted && !ui.ctx().is_being_dragged(whole) && !ui.is_rect_visible(place) {
            ui.allocate_rect(place, Sense::hover());
            return None;
        }
    }
    let response = line(ui, row, seen, state, acts);
    if row.takes_keys() {
        state.heights.insert(row.id, response.rect.height());
    }
    Some(response)
}

/// Draws one line, as far in as its lanes want it, with their colours beside it.
fn line(
    ui: &mut Ui,
    row: &Row,
    (outline, snapshot): (&Outline, &Snapshot),
    state: &mut RackState,
    acts: &mut Vec<(SlotId, Act)>,
) -> Response {
    let room = ui.available_rect_before_wrap();
    let inner = Rect::from_min_max(pos2(room.left() + INDENT * row.depth as f32, room.top()), room.max);
    let gap = ui.spacing().item_spacing.y;
    let response = ui.scope_builder(UiBuilder::new().max_rect(inner), |ui| match row.item {
        Item::Slot(slot) => slot::ui(ui, slot, Around { row, outline, snapshot }, state, acts),
        Item::Lanes(group) => lane::head(ui, (row, group), snapshot.rate, state, acts),
        Item::Lane(group, lane) => lane::lane(ui, (row, group, lane), snapshot.rate, state, acts),
        Item::Nothing(lane) => lane::nothing(ui, lane),
    });
    let response = response.inner;
    if row.takes_keys() {
        response.dnd_set_drag_payload(row.id);
    }
    for (depth, (group, lane)) in row.within.iter().enumerate() {
        let begins = matches!(row.item, Item::Lane(..)) && depth + 1 == row.depth;
        let x = room.left() + INDENT * (depth as f32 + 1.0) - 8.0;
        let top = response.rect.top() - if begins { 0.0 } else { gap };
        let bar = Rect::from_min_max(pos2(x, top), pos2(x + 3.0, response.rect.bottom()));
        let colour = lane::colour(group, lane);
        ui.painter().rect_filled(bar, 0.0, if lane.heard { colour } else { colour.gamma_multiply(0.35) });
    }
    response
}

/// Takes what is dropped on a line, and shows where it would go.
fn drops(ui: &Ui, response: &Response, row: &Row, (outline, state): (&Outline, &RackState), host: &dyn Host) {
    let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
    let below = pointer.y > response.rect.center().y;
    let command = match (response.dnd_hover_payload::<SlotId>(), response.dnd_hover_payload::<Carried>()) {
        (Some(dragged), _) => outline.dropped(*dragged, row, below),
        (_, Some(plugin)) => {
            let (into, index) = outline.beside_row(row, below);
            Some(added(plugin.0.clone(), into, index))
        }
        _ => None,
    };
    let Some(command) = command else { return };
    let inside = matches!(row.item, Item::Lane(..) | Item::Nothing(..));
    let rect = response.rect;
    let y = if below || inside { rect.bottom() + 3.0 } else { rect.top() - 3.0 };
    ui.painter().hline(rect.x_range(), y, Stroke::new(3.0, theme::ACCENT));
    release(response, chosen::with_others(command, outline, state), host);
}

/// Does what was dropped, once it is let go of.
fn release(response: &Response, command: Command, host: &dyn Host) {
    // To ask for another type than is carried would lose what is.
    if !DragAndDrop::has_payload_of_type::<Carried>(&response.ctx) {
        if response.dnd_release_payload::<SlotId>().is_some() {
            host.send(command);
        }
    } else if let Some(plugin) = response.dnd_release_payload::<Carried>() {
        host.set(DeskEdit::Used(plugin.0.clone()));
        host.send(command);
    }
}

/// What is left below all lines: what is dropped there goes to the chain's end.
fn rest(ui: &mut Ui, outline: &Outline, state: &mut RackState, host: &dyn Host) {
    let add = named(ui, true, text!("rack-add-a-plugin"), text!("rack-add-at-the-end"));
    if add.on_hover_text(text!("rack-finds-a-plugin-and-puts")).clicked() {
        state.selected = None;
        state.also.clear();
        state.wish = Some(Wish::Add);
    }
    let height = (ui.clip_rect().bottom() - ui.cursor().top() - 8.0).max(10.0);
    let response = ui.allocate_response(vec2(ui.available_width(), height), Sense::hover());
    let command = match (response.dnd_hover_payload::<SlotId>(), response.dnd_hover_payload::<Carried>()) {
        (Some(dragged), _) => outline.dropped_at_end(*dragged),
        (_, Some(plugin)) => Some(added(plugin.0.clone(), None, outline.count)),
        _ => None,
    };
    let Some(command) = command else { return };
    ui.painter().hline(response.rect.x_range(), response.rect.top(), Stroke::new(3.0, theme::ACCENT));
    release(&response, chosen::with_others(command, outline, state), host);
}

fn perform(
    act: Act,
    id: SlotId,
    (outline, snapshot): (&Outline, &Snapshot),
    state: &mut RackState,
    (context, host): (&Context, &dyn Host),
) {
    match act {
        Act::Send(command) => chosen::send(command, outline, state, host),
        Act::ForeseeRemoval => state.foreseen.ask(id, snapshot.latency, context, host),
        Act::Remove => remove(id, outline, state, host),
        Act::RemoveAlone => {
            (state.selected, state.focus) = (Some(id), None);
            state.also.clear();
            remove(id, outline, state, host);
        }
        Act::Focus(down) => {
            state.also.clear();
            state.focus = outline.beside(id, down);
            // At once: the page beside shows it in the next picture.
            state.selected = state.focus.or(state.selected);
        }
        Act::Show => (state.selected, state.show) = (Some(id), true),
        Act::Extend(down) => chosen::extend(id, down, outline, state),
        Act::All => chosen::everything(id, outline, state),
        Act::Find(wish) => {
            state.choose(id);
            state.wish = Some(wish);
        }
        Act::Step(down) => chosen::step(id, down, outline, state, host),
    }
}

fn remove(id: SlotId, outline: &Outline, state: &mut RackState, host: &dyn Host) {
    let all = chosen::all(outline, state, Some(id));
    if all.len() > 1 {
        let heir = all.last().and_then(|last| outline.heir(*last)).filter(|heir| !all.contains(heir));
        let before = || all.first().and_then(|first| outline.beside(*first, false));
        state.selected = heir.or_else(before).filter(|heir| !all.contains(heir));
        state.focus = state.selected;
        state.bare = state.selected.is_none();
        state.also.clear();
        chosen::together(all.into_iter().map(Command::Remove).collect(), host);
        return;
    }
    let command = match outline.row(id).map(|row| row.item) {
        Some(Item::Lane(group, _)) if lane::can_go(group) => Command::RemoveLane(id),
        Some(Item::Lane(..) | Item::Nothing(..)) | None => return,
        Some(Item::Slot(_) | Item::Lanes(_)) => Command::Remove(id),
    };
    if state.selected == Some(id) {
        state.selected = outline.heir(id);
        state.focus = state.selected;
        state.bare = state.selected.is_none();
    }
    host.send(command);
}

fn empty(ui: &mut Ui, catalog: &Catalog, state: &mut RackState, (outline, host): (&Outline, &dyn Host)) {
    let builder = UiBuilder::new().id_salt("empty rack").sense(Sense::focusable_noninteractive());
    let response = ui.scope_builder(builder, |ui| invitation(ui, catalog, state)).response;
    if let Some(plugin) = response.dnd_release_payload::<Carried>() {
        host.set(DeskEdit::Used(plugin.0.clone()));
        host.send(added(plugin.0.clone(), None, 0));
    }
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, text!("rack-rack-without-a-plugin")));
    if std::mem::take(&mut state.bare) {
        response.request_focus();
    }
    if response.has_focus() {
        state.whole = true;
        state.clipboard.keys(ui, outline, &[], host);
        keep_edits(ui, host);
        state.keys = Some(None);
    }
}

fn invitation(ui: &mut Ui, catalog: &Catalog, state: &mut RackState) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.25);
        ui.label(RichText::new(text!("rack-this-chain-is-empty")).heading());
        ui.label(text!("rack-sound-passes-unchanged-until-you"));
        ui.add_space(10.0);
        if catalog.plugins.is_empty() {
            ui.label(text!("rack-no-plugins-have-been-found"));
            ui.label(text!("rack-they-are-looked-for"));
            ui.label(RichText::new(text!("rack-settings-has-the-folders")).color(theme::QUIET));
        } else {
            ui.label(text!("rack-type-part-of-a-name-under"));
            ui.label(RichText::new(text!("rack-sound-runs-from-the-top-slot")).color(theme::QUIET));
            ui.add_space(6.0);
            if named(ui, true, text!("rack-add-a-plugin"), text!("rack-add-the-first-plugin")).clicked() {
                state.wish = Some(Wish::Add);
            }
        }
    });
}
