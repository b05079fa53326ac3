//! The windows that lie in an editor's own: one is seen there, and those that were seen before it wait off the screen, so that to go
//! from slot to slot and back makes nothing anew. All `[home]`.

use super::super::EditError;
use super::super::live::Live;
use super::super::owner::Owner;
use crate::backend::WindowOffer;
use crate::home::{self, ResidentId};
use crate::journal::Step;
use crate::model::{SlotId, WindowPlace};
use crate::windows::{Frame, Room};

/// So many windows stay open, the one that is seen among them.
const KEPT: usize = 8;

/// Names one window of an editor's for as long as it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditorId(ResidentId);

impl EditorId {
    /// One that no other has. `[any]`
    #[expect(clippy::new_without_default, reason = "each is another")]
    pub fn new() -> Self {
        Self(home::new_name())
    }
}

/// What is known of the editor.
#[derive(Default)]
pub(super) struct Inside {
    editor: Option<EditorId>,
    /// It has gone: whatever it still asks for is too late.
    left: Option<EditorId>,
    /// Whose window it has room for, and where.
    room: Option<(SlotId, Room)>,
    /// Whose windows were seen there, the last one last.
    kept: Vec<SlotId>,
    /// Those off the screen are to be closed.
    over: bool,
    scale: Option<f64>,
}

impl Inside {
    /// Whether the editor has room for that slot's window.
    pub(super) fn is_for(&self, slot: SlotId) -> bool {
        self.room.as_ref().is_some_and(|(wanted, _)| *wanted == slot)
    }

    /// The scale of the editor that was seen last.
    pub(super) fn scale(&self) -> Option<f64> {
        self.scale
    }
}

impl Live {
    /// Makes a window that is there one by itself, or brings it to the front.
    pub(super) fn pop_out(&mut self, place: &WindowPlace, title: &str) -> Result<(), String> {
        let resizable = self.window.as_ref().is_some_and(|window| window.resizable);
        let Some(frame) = self.window.as_ref().and_then(|window| window.frame.as_ref()) else { return Ok(()) };
        if !frame.floats() {
            frame.float(title, place.place).map_err(|error| error.to_string())?;
            let last = place.size.filter(|size| resizable && *size != frame.size());
            if let (Some((width, height)), Some(main)) = (last, self.mains.first_mut()) {
                take_size(frame, main.resize_window(width, height), (width, height));
            }
        }
        frame.show();
        Ok(())
    }

    /// Shows its window in a room. False: the editor has gone.
    fn take_seat(&mut self, room: &Room) -> bool {
        let Some(window) = &mut self.window else { return true };
        let Some(frame) = &window.frame else { return true };
        if !frame.seat(room) {
            return false;
        }
        let follows = window.resizable && window.followed.replace(room.whole) != Some(room.whole);
        if follows && frame.size() != room.whole {
            self.doing("resizing the window of");
            let Some(main) = self.mains.first_mut() else { return true };
            let taken = main.resize_window(room.whole.0, room.whole.1);
            self.frame().into_iter().for_each(|frame| take_size(frame, taken, room.whole));
        }
        true
    }

    fn is_seated(&self) -> bool {
        self.frame().is_some_and(Frame::is_seated)
    }

    /// Takes its window out of the editor.
    fn park(&self) {
        // One that cannot be taken out goes with the editor.
        self.frame().into_iter().for_each(|frame| drop(frame.park()));
    }
}

/// Gives a frame the size that its plugin took, or that it sees of its X11 window.
fn take_size(frame: &Frame, taken: Option<(u32, u32)>, wanted: (u32, u32)) {
    match taken {
        Some((width, height)) => frame.fit(width, height),
        None => {
            frame.fit(wanted.0, wanted.1);
            frame.stretch();
        }
    }
}

impl Owner {
    /// An editor has room for a slot's window, or for none.
    pub(in crate::session) fn give_room(&mut self, editor: EditorId, room: Option<(SlotId, Room)>) {
        let inside = &mut self.windows.inside;
        if inside.left == Some(editor) {
            return;
        }
        if inside.editor.replace(editor) != Some(editor) {
            self.lives.values_mut().for_each(|live| live.no_window = None);
        }
        inside.over = false;
        inside.scale = room.as_ref().map(|(_, room)| room.scale).or(inside.scale);
        inside.room = room;
        self.serve_room();
    }

    /// The editor is about to go.
    pub(in crate::session) fn leave(&mut self, editor: EditorId) {
        let inside = &mut self.windows.inside;
        inside.left = Some(editor);
        if inside.editor == Some(editor) {
            (inside.room, inside.over) = (None, true);
            self.lives.values().for_each(Live::park);
        }
    }

    /// Takes a window that floats back, for the editor to show it inside.
    pub(in crate::session) fn put_window_back(&mut self, id: SlotId) -> Result<(), EditError> {
        let live = self.lives.get_mut(&id).ok_or(EditError::NoSlot(id))?;
        let floats = live.floats();
        live.no_window = None;
        if floats && live.frame().is_none() {
            let slot = self.chain.slot(id).map(|slot| slot.title().to_owned()).unwrap_or_default();
            return Err(EditError::NoWindow { slot, why: "inside the editor: it is one that only floats".into() });
        }
        if floats {
            live.park();
            if let Some(window) = &mut live.window {
                window.followed = None;
            }
            self.windows.inside.kept.push(id);
            self.windows.inside.over |= self.windows.inside.room.is_none();
        }
        self.keep_window(id, |window| window.open = false);
        self.news = true;
        self.serve_room();
        Ok(())
    }

    /// What the editor shows is kept in the chain, for the next one.
    pub(in crate::session) fn note_shown(&mut self, shown: Option<SlotId>, parameters: bool) {
        for id in self.chain.slots().map(|slot| slot.id).collect::<Vec<_>>() {
            let is_shown = shown == Some(id);
            self.keep_window(id, |window| {
                window.inside = is_shown;
                if is_shown {
                    window.parameters = parameters;
                }
            });
        }
        // To show it again is to try again.
        if let Some(live) = shown.and_then(|id| self.lives.get_mut(&id)) {
            live.no_window = None;
        }
        self.news = true;
    }

    /// A plugin closed its own window.
    pub(super) fn window_closed_itself(&mut self, id: SlotId) {
        let Some(live) = self.lives.get_mut(&id) else { return };
        if !live.floats() {
            live.no_window = Some("the plugin closed it".into());
        }
        drop(self.close_window(id));
    }

    /// Somebody destroyed the editor's window with the plugin's in it.
    pub(super) fn window_torn(&mut self, id: SlotId) {
        self.let_hands_go(id, |_| true);
        if let Some(live) = self.lives.get_mut(&id) {
            live.close_window();
        }
        self.windows.inside.room = None;
        self.news = true;
    }

    /// Brings the windows in the editor to what it has room for.
    pub(super) fn serve_room(&mut self) {
        let wanted = self.windows.inside.room.clone();
        let slot = wanted.as_ref().map(|(id, _)| *id);
        for (id, live) in &self.lives {
            if slot != Some(*id) && live.is_seated() {
                live.park();
                self.news = true;
            }
        }
        if let Some((id, room)) = wanted {
            self.show_inside(id, &room);
        }
        self.close_unseen(slot);
    }

    fn show_inside(&mut self, id: SlotId, room: &Room) {
        if self.to_open.contains(&id) {
            return;
        }
        let other = |live: &Live| live.window.as_ref().is_some_and(|window| window.scale != room.scale);
        if let Some(live) = self.lives.get_mut(&id)
            && !live.floats()
            && other(live)
        {
            live.close_window();
        }
        if self.lives.get(&id).is_some_and(|live| live.window.is_none()) && !self.open_inside(id, room) {
            return;
        }
        let Some(live) = self.lives.get_mut(&id).filter(|live| !live.floats()) else { return };
        let before = (live.is_seated(), live.frame().map(Frame::size));
        if !live.take_seat(room) {
            self.windows.inside.room = None;
            self.windows.inside.over = true;
            return;
        }
        self.news |= before != (live.is_seated(), live.frame().map(Frame::size));
        let kept = &mut self.windows.inside.kept;
        if kept.last() != Some(&id) {
            kept.retain(|other| *other != id);
            kept.push(id);
        }
    }

    /// Opens a slot's window for a room. False: there is none.
    fn open_inside(&mut self, id: SlotId, room: &Room) -> bool {
        let (Some(slot), Some(live)) = (self.chain.slot(id), self.lives.get_mut(&id)) else { return false };
        let offers = live.mains.first().is_some_and(|main| main.window_offer() == WindowOffer::Inside);
        if !offers || live.no_window.is_some() {
            return false;
        }
        live.doing("opening the window of");
        let opening = self.guard.note(slot, Step::Open);
        live.no_window = live.open_window(&slot.window, "", Some(room.scale), Some(room.whole)).err();
        drop(opening);
        self.news = true;
        live.no_window.is_none()
    }

    /// Closes windows that nobody will look at.
    fn close_unseen(&mut self, seen: Option<SlotId>) {
        let lives = &mut self.lives;
        let inside = &mut self.windows.inside;
        let is_kept = |live: &Live| live.window.is_some() && !live.floats();
        inside.kept.retain(|id| lives.get(id).is_some_and(is_kept));
        let most = if inside.over { 0 } else { KEPT };
        while inside.kept.len() > most {
            let id = inside.kept.remove(0);
            if let Some(live) = lives.get_mut(&id).filter(|_| seen != Some(id)) {
                live.close_window();
                self.news = true;
            }
        }
    }
}
