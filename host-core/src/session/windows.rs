//! Hosted plugins' own windows: opened, served, closed, and kept with their slots. All `[home]`.

mod inside;
mod title;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::EditError;
use super::live::Live;
use super::owner::Owner;
use crate::backend::{AudioAt, WindowDeed, WindowHost, WindowNews, WindowOffer};
use crate::engine::{ParamDeed, ParamReport};
use crate::journal::Step;
use crate::model::{Slot, SlotId, WindowPlace};
use crate::windows::{self, Event, Frame};
pub use inside::EditorId;
use inside::Inside;

/// A hand that no plugin tells the end of has let go after so long without a move.
const REST: Duration = Duration::from_millis(400);
/// Size of a frame whose plugin does not say one, until its window shows it, pixels.
const UNKNOWN: (u32, u32) = (480, 320);

/// A plugin's own window, as shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowView {
    /// Whether there is one, or why not.
    pub offer: WindowOffer,
    /// It is open as a window by itself.
    pub open: bool,
    /// It was open so when the chain was saved, and has not been opened since.
    pub left_open: bool,
    /// The size of the one that lies in an editor, pixels.
    pub inside: Option<(u32, u32)>,
    /// Whether that takes another.
    pub resizable: bool,
    /// Why an editor that has room for it has none of it; empty for no reason.
    pub refused: String,
    /// The last editor showed it.
    pub shown: bool,
    /// There it showed the parameters.
    pub parameters: bool,
}

/// A slot's window while it is open.
pub(super) struct SlotWindow {
    /// `None`: it is the plugin's alone, and floats.
    frame: Option<Frame>,
    resizable: bool,
    /// How it was told to be scaled.
    scale: f64,
    /// The size that an editor last asked it to have, pixels.
    followed: Option<(u32, u32)>,
    /// Parameters that the plugin says are held.
    grabbed: BTreeSet<usize>,
    /// Those that were moved without a word, and when the last time.
    moved: BTreeMap<usize, Instant>,
}

/// What the session remembers of windows.
#[derive(Default)]
pub(super) struct Windows {
    /// Their plugins were made anew: they are to be open again.
    again: BTreeSet<SlotId>,
    inside: Inside,
    /// What the DAW calls the track that the container is on; empty: it has not said.
    track: String,
}

impl SlotWindow {
    /// Whether it is a window by itself.
    fn floats(&self) -> bool {
        self.frame.as_ref().is_none_or(Frame::floats)
    }
}

impl Live {
    /// Its window, as shown.
    pub(super) fn show_window(&self, slot: &Slot) -> WindowView {
        let offer = self.mains.first().map(|main| main.window_offer()).unwrap_or_default();
        let open = self.floats();
        WindowView {
            open,
            left_open: slot.window.open && !open,
            offer,
            inside: self.frame().filter(|frame| frame.is_seated()).map(Frame::size),
            resizable: self.window.as_ref().is_some_and(|window| window.resizable),
            refused: self.no_window.clone().unwrap_or_default(),
            shown: slot.window.inside,
            parameters: slot.window.parameters,
        }
    }

    /// Whether its window is open by itself.
    fn floats(&self) -> bool {
        self.window.as_ref().is_some_and(SlotWindow::floats)
    }

    /// Opens it, of this scale where somebody said one: by itself, or for a room of this size. The error is the reason.
    fn open_window(
        &mut self,
        place: &WindowPlace,
        title: &str,
        scale: Option<f64>,
        room: Option<(u32, u32)>,
    ) -> Result<(), String> {
        let Some(main) = self.mains.first_mut() else { return Err("its plugin is not open".into()) };
        let mut host = WindowHost { parent: 0, scale: scale.unwrap_or(1.0), size: place.size, title };
        let mut resizable = false;
        let frame = match main.window_offer() {
            WindowOffer::None => return Err("it has none of its own; its parameters are in the list".into()),
            WindowOffer::Needs(what) => {
                return Err(format!("it needs {what}, which Catena does not load; its parameters are in the list"));
            }
            WindowOffer::Floating => {
                windows::guard();
                let opened = main.open_window(host);
                windows::note_plugins();
                opened.map_err(|error| error.reason)?;
                None
            }
            WindowOffer::Inside => {
                let wished = room.or(place.size);
                let frame = Frame::open(wished.unwrap_or(UNKNOWN)).map_err(|error| error.to_string())?;
                if room.is_none() {
                    frame.float(title, place.place).map_err(|error| error.to_string())?;
                }
                windows::guard();
                // As the frame took it: a file may say anything.
                let last = wished.map(|_| frame.size());
                (host.parent, host.scale, host.size) = (frame.id(), scale.unwrap_or(frame.scale()), last);
                let opened = main.open_window(host);
                windows::note_plugins();
                let opened = opened.map_err(|error| error.reason)?;
                let own = opened.child.and_then(|child| frame.take_in(child));
                let size = opened.size.or(own);
                // CLAP was asked for the size of the last time before; LV2 has no word for that.
                let again = last.filter(|last| opened.resizable && opened.child.is_some() && size != Some(*last));
                if let Some((width, height)) = again {
                    frame.fit(width, height);
                    main.resize_window(width, height);
                    frame.stretch();
                } else if let Some((width, height)) = size {
                    frame.fit(width, height);
                }
                resizable = opened.resizable;
                frame.set_resizable(resizable);
                if room.is_none() {
                    frame.show();
                }
                Some(frame)
            }
        };
        let (scale, grabbed, moved) = (host.scale, BTreeSet::new(), BTreeMap::new());
        self.window = Some(SlotWindow { frame, resizable, scale, followed: room, grabbed, moved });
        Ok(())
    }

    /// Closes it: what the plugin made first, then the frame round it.
    pub(super) fn close_window(&mut self) {
        if self.window.is_none() {
            return;
        }
        self.doing("closing the window of");
        self.mains.iter_mut().for_each(|main| main.close_window());
        self.window = None;
    }

    fn frame(&self) -> Option<&Frame> {
        self.window.as_ref()?.frame.as_ref()
    }
}

impl Owner {
    /// Opens a slot's window, or brings it to the front; one that lies in an editor comes out of it.
    pub(super) fn open_window(&mut self, id: SlotId) -> Result<(), EditError> {
        let slot = self.chain.slot(id).ok_or(EditError::NoSlot(id))?;
        let title = self.window_title(slot);
        let Some(live) = self.lives.get_mut(&id) else { return Err(EditError::NoSlot(id)) };
        let opened = if live.window.is_some() {
            live.pop_out(&slot.window, &title)
        } else {
            live.doing("opening the window of");
            let opening = self.guard.note(slot, Step::Open);
            let opened = live.open_window(&slot.window, &title, self.windows.inside.scale(), None);
            drop(opening);
            opened
        };
        opened.map_err(|why| EditError::NoWindow { slot: slot.title().into(), why })?;
        live.no_window = None;
        self.keep_window(id, |window| window.open = true);
        self.news = true;
        Ok(())
    }

    /// Closes a slot's window by the user's will; where an editor has room for it, it goes there.
    pub(super) fn close_window(&mut self, id: SlotId) -> Result<(), EditError> {
        self.windows.again.remove(&id);
        let framed = self.lives.get(&id).is_some_and(|live| live.frame().is_some_and(Frame::floats));
        if framed && self.windows.inside.is_for(id) {
            return self.put_window_back(id);
        }
        self.let_hands_go(id, |_| true);
        let live = self.lives.get_mut(&id).ok_or(EditError::NoSlot(id))?;
        live.close_window();
        self.keep_window(id, |window| window.open = false);
        self.news = true;
        Ok(())
    }

    /// Where a window stands is kept, and is neither a step nor a change of the chain.
    fn keep_window(&mut self, id: SlotId, edit: impl FnOnce(&mut WindowPlace)) {
        if let Some(slot) = self.chain.slot_mut(id) {
            edit(&mut slot.window);
            self.mirror_stale = true;
        }
    }

    /// Looks after every window.
    pub(super) fn serve_windows(&mut self, now: Instant) {
        let ids: Vec<_> = self.lives.keys().copied().collect();
        for id in ids {
            self.serve_window(id, now);
        }
        // What leaves takes its window with it.
        for live in self.playing.leaving.iter_mut().filter(|live| live.window.is_some()) {
            self.windows.again.extend(live.floats().then(|| live.id()));
            live.close_window();
        }
        for id in std::mem::take(&mut self.windows.again) {
            let Some(live) = self.lives.get(&id) else { continue };
            if self.to_open.contains(&id) {
                self.windows.again.insert(id);
            } else if !live.mains.is_empty() && live.window.is_none() {
                self.open_by_itself(id);
            }
        }
        self.serve_room();
    }

    fn open_by_itself(&mut self, id: SlotId) {
        if let Err(error) = self.open_window(id) {
            self.set_notice(error.to_string());
        }
    }

    fn serve_window(&mut self, id: SlotId, now: Instant) {
        let Some(live) = self.lives.get_mut(&id) else { return };
        let news = live.mains.first_mut().map(|main| main.take_window_news()).unwrap_or_default();
        let events = live.frame().map(|frame| frame.events(now)).unwrap_or_default();
        for news in news {
            self.window_says(id, news, now);
        }
        for event in events {
            self.window_event(id, event);
        }
        let Some(live) = self.lives.get_mut(&id).filter(|live| live.window.is_some()) else { return };
        live.flush_unrun(&mut self.engine);
        let title = self.chain.slot(id).map(|slot| self.window_title(slot));
        if let (Some(frame), Some(title)) = (self.lives.get(&id).and_then(Live::frame), title) {
            frame.set_title(&title);
        }
        self.let_hands_go(id, |moved| now.saturating_duration_since(moved) >= REST);
    }

    fn window_says(&mut self, id: SlotId, news: WindowNews, now: Instant) {
        match news {
            WindowNews::Param { index, deed } => self.window_hand(id, index, deed, now),
            WindowNews::Edited => {
                if let Some(live) = self.lives.get_mut(&id) {
                    live.touched = true;
                    live.values_stale = true;
                }
                self.mark_dirty();
            }
            WindowNews::Resize(width, height) => self.fit_window(id, (width, height)),
            WindowNews::Hints => {
                let Some(live) = self.lives.get_mut(&id) else { return };
                let resizable = live.mains.first_mut().is_some_and(|main| main.window_resizable());
                live.frame().into_iter().for_each(|frame| frame.set_resizable(resizable));
                if let Some(window) = &mut live.window {
                    (window.resizable, window.followed) = (resizable, None);
                }
                self.news = true;
            }
            WindowNews::Show => self.open_by_itself(id),
            WindowNews::Close => self.window_closed_itself(id),
            WindowNews::Anew => {
                self.let_hands_go(id, |_| true);
                if let Some(live) = self.lives.get_mut(&id) {
                    self.windows.again.extend(live.floats().then_some(id));
                    live.close_window();
                }
            }
        }
    }

    fn fit_window(&mut self, id: SlotId, (width, height): (u32, u32)) {
        let Some(frame) = self.lives.get(&id).and_then(Live::frame) else { return };
        frame.fit(width, height);
        let (size, floats) = (frame.size(), frame.floats());
        if floats {
            self.keep_window(id, |window| window.size = Some(size));
        }
        self.news = true;
    }

    fn window_event(&mut self, id: SlotId, event: Event) {
        match event {
            // The slot is there: it was served just now.
            Event::Closed => drop(self.close_window(id)),
            Event::Torn => self.window_torn(id),
            Event::Moved(x, y) => self.keep_window(id, |window| window.place = Some((x, y))),
            Event::Outgrown(width, height) => self.fit_window(id, (width, height)),
            Event::Resized(width, height) => {
                self.keep_window(id, |window| window.size = Some((width, height)));
                let Some(live) = self.lives.get_mut(&id) else { return };
                live.doing("resizing the window of");
                match live.mains.first_mut().and_then(|main| main.resize_window(width, height)) {
                    Some(taken) => self.fit_window(id, taken),
                    None => live.frame().into_iter().for_each(Frame::stretch),
                }
            }
        }
    }

    /// The user's hand on a parameter in a window whose format has the host set the value.
    fn window_hand(&mut self, id: SlotId, index: usize, deed: WindowDeed, now: Instant) {
        let Some(live) = self.lives.get_mut(&id) else { return };
        let Some(param) = live.params.get(index).filter(|param| !param.read_only) else { return };
        let Some(window) = &mut live.window else { return };
        let mut told = Vec::new();
        let mut sent = None;
        match deed {
            WindowDeed::Begin => {
                let held = window.moved.remove(&index).is_some() | !window.grabbed.insert(index);
                told.extend((!held).then_some(ParamDeed::Begin));
            }
            WindowDeed::Value(value) => {
                let value = param.clamp(value);
                let held = window.grabbed.contains(&index) || window.moved.contains_key(&index);
                let is = live.mains.first_mut().and_then(|main| main.value(index));
                // Many a window answers what it is told with the same.
                if !held && is.is_some_and(|is| is as f32 == value as f32) {
                    return;
                }
                if !window.grabbed.contains(&index) && window.moved.insert(index, now).is_none() {
                    told.push(ParamDeed::Begin);
                }
                told.push(ParamDeed::Value(value));
                sent = Some(value);
            }
            WindowDeed::End => told.extend(window.grabbed.remove(&index).then_some(ParamDeed::End)),
        }
        for deed in told {
            self.param_told(ParamReport { slot: id, index: index as u32, deed });
        }
        if let Some(value) = sent {
            // What was sent earlier and not taken goes first: it must not come after this and undo it.
            self.serve_idle();
            self.send_value(id, index, value);
        }
    }

    /// Ends the hands in a slot's window that `ended` holds for, by when they last moved; where all are, those that the plugin holds too.
    fn let_hands_go(&mut self, id: SlotId, ended: impl Fn(Instant) -> bool) {
        let Some(window) = self.lives.get_mut(&id).and_then(|live| live.window.as_mut()) else { return };
        let mut gone: Vec<_> =
            window.moved.iter().filter(|(_, moved)| ended(**moved)).map(|(index, _)| *index).collect();
        window.moved.retain(|index, _| !gone.contains(index));
        if ended(Instant::now()) {
            gone.extend(std::mem::take(&mut window.grabbed));
        }
        for index in gone {
            self.param_told(ParamReport { slot: id, index: index as u32, deed: ParamDeed::End });
        }
    }
}

impl Live {
    /// Where no block comes, a window's values are fetched from here.
    fn flush_unrun(&mut self, engine: &mut super::conductor::Conductor) {
        let (Some(node), true) = (&self.node, engine.is_idle()) else { return };
        let mains = &mut self.mains;
        engine.alone(|| {
            node.with_instances(|instance, half| {
                if let Some(main) = mains.get_mut(instance) {
                    main.flush(AudioAt::Home(half));
                }
            });
        });
    }
}
