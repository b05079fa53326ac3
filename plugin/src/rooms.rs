//! Room in the editor for plugins' own windows: what the editor says in points of its own is told to the session in pixels of the
//! X11 window that it is drawn in.

use catena_gui::Inside;
use egui::{Context, Rect};
use host_core::model::SlotId;
use host_core::session::{Area, EditorId, Room, SessionHandle};
use nice_plug_egui::Frame;
use raw_window_handle::{HasWindowHandle as _, RawWindowHandle};

/// One window of an editor's. Dropped, or left, before that goes.
pub struct Rooms {
    editor: EditorId,
    told: Option<(SlotId, Room)>,
}

impl Rooms {
    /// For a window that was just made.
    pub fn open() -> Self {
        Self { editor: EditorId::new(), told: None }
    }

    /// What the session calls the window.
    pub fn editor(&self) -> EditorId {
        self.editor
    }

    /// Tells the session where there is room in the picture that was just drawn, where that changed. `[editor]`
    pub fn follow(&mut self, inside: Option<Inside>, context: &Context, frame: &Frame, session: &SessionHandle) {
        let scale = context.pixels_per_point();
        let room = inside.and_then(|inside| {
            let window = window_id(frame)?;
            Some((inside.slot, room(&inside, scale, window)))
        });
        if self.told != room {
            session.seat(self.editor, room.clone());
            self.told = room;
        }
    }

    /// Another session is shown from now on, which was told nothing yet.
    pub fn forget(&mut self) {
        self.told = None;
    }
}

fn room(inside: &Inside, scale: f32, window: u32) -> Room {
    let pixels = |points: f32| (points * scale).round();
    let whole = (pixels(inside.whole.x).max(1.0) as u32, pixels(inside.whole.y).max(1.0) as u32);
    Room {
        window,
        view: area(inside.view, scale),
        whole,
        scrolled: (pixels(inside.scrolled.x) as i32, pixels(inside.scrolled.y) as i32),
        over: inside.over.iter().map(|over| area(*over, scale)).collect(),
        covered: inside.covered,
        scale: scale.into(),
    }
}

/// The pixels that lie in a rectangle of points, wholly or in part.
fn area(rect: Rect, scale: f32) -> Area {
    let (min, max) = ((rect.min * scale).floor(), (rect.max * scale).ceil());
    let side = |from: f32, to: f32| (to - from).max(0.0) as u32;
    Area { x: min.x as i32, y: min.y as i32, width: side(min.x, max.x), height: side(min.y, max.y) }
}

/// The X11 window that an editor is drawn in; `None` where it is no X11 window.
pub fn window_id(frame: &Frame) -> Option<u32> {
    match frame.baseview_window().window_handle().ok()?.as_raw() {
        RawWindowHandle::Xcb(window) => Some(window.window.get()),
        RawWindowHandle::Xlib(window) => u32::try_from(window.window).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn points_become_pixels_at_every_scale() {
        let view = Rect::from_min_size(pos2(400.0, 60.5), vec2(301.0, 200.0));
        for (scale, x, y, width, height, whole) in [
            (1.0, 400, 60, 301, 201, (301, 200)),
            (1.25, 500, 75, 377, 251, (376, 250)),
            (1.5, 600, 90, 452, 301, (452, 300)),
            (2.0, 800, 121, 602, 400, (602, 400)),
            (3.0, 1200, 181, 903, 601, (903, 600)),
        ] {
            let inside = Inside {
                slot: SlotId(1),
                view,
                whole: view.size(),
                scrolled: vec2(10.0, 0.0),
                over: vec![],
                covered: false,
            };
            let room = room(&inside, scale, 7);
            assert_eq!(room.view, Area { x, y, width, height }, "at {scale}");
            assert_eq!((room.whole, room.scale), (whole, f64::from(scale)));
            assert_eq!(room.scrolled.0, (10.0 * scale).round() as i32);
        }
    }
}
