//! A part of an editor's window that a plugin's is shown in.

use x11rb::protocol::xproto::Rectangle;

/// A rectangle, pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// A part of an editor's window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Room {
    /// The editor's X11 window.
    pub window: u32,
    /// What is seen of the plugin's window lies in here.
    pub view: Area,
    /// The size that a plugin's window is given which takes any, pixels.
    pub whole: (u32, u32),
    /// How much of the plugin's window is scrolled away to the left and above, pixels.
    pub scrolled: (i32, i32),
    /// What of the editor lies over it.
    pub over: Vec<Area>,
    /// All of it is covered.
    pub covered: bool,
    /// How many pixels of the editor's are one point.
    pub scale: f64,
}

impl Area {
    fn right(&self) -> i32 {
        self.x + self.width as i32
    }

    fn bottom(&self) -> i32 {
        self.y + self.height as i32
    }

    /// Between two corners; `None` where nothing is.
    fn between((left, top): (i32, i32), (right, bottom): (i32, i32)) -> Option<Self> {
        let (width, height) = (u32::try_from(right - left).ok()?, u32::try_from(bottom - top).ok()?);
        (width > 0 && height > 0).then_some(Self { x: left, y: top, width, height })
    }

    /// What is left of it without `hole`.
    fn without(self, hole: &Self) -> Vec<Self> {
        let (left, right) = (hole.x.clamp(self.x, self.right()), hole.right().clamp(self.x, self.right()));
        let (top, bottom) = (hole.y.clamp(self.y, self.bottom()), hole.bottom().clamp(self.y, self.bottom()));
        if left >= right || top >= bottom {
            return vec![self];
        }
        let parts = [
            Self::between((self.x, self.y), (self.right(), top)),
            Self::between((self.x, top), (left, bottom)),
            Self::between((right, top), (self.right(), bottom)),
            Self::between((self.x, bottom), (self.right(), self.bottom())),
        ];
        parts.into_iter().flatten().collect()
    }
}

impl Room {
    /// Where in the editor a window of this size is seen: in the middle of what is wider than it, at the top.
    pub(super) fn seen(&self, size: (u32, u32)) -> Area {
        let rest = |size: u32, scrolled: i32| (size as i32 - scrolled).max(1) as u32;
        let width = self.view.width.clamp(1, rest(size.0, self.scrolled.0));
        let height = self.view.height.clamp(1, rest(size.1, self.scrolled.1));
        let x = self.view.x + (self.view.width.saturating_sub(width) / 2) as i32;
        Area { x, y: self.view.y, width, height }
    }

    /// What of that is not covered, seen from its own corner.
    pub(super) fn uncovered(&self, seen: Area) -> Vec<Rectangle> {
        let whole = Area { x: 0, y: 0, ..seen };
        let holes = self.over.iter().map(|over| Area { x: over.x - seen.x, y: over.y - seen.y, ..*over });
        let parts = holes.fold(vec![whole], |parts, hole| parts.iter().flat_map(|part| part.without(&hole)).collect());
        let rectangle = |part: Area| Rectangle {
            x: part.x as i16,
            y: part.y as i16,
            width: part.width as u16,
            height: part.height as u16,
        };
        parts.into_iter().map(rectangle).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(over: Vec<Area>) -> Room {
        let view = Area { x: 100, y: 50, width: 300, height: 200 };
        Room { window: 1, view, whole: (300, 200), over, scale: 1.0, ..Room::default() }
    }

    fn pixels(parts: &[Rectangle]) -> u32 {
        parts.iter().map(|part| u32::from(part.width) * u32::from(part.height)).sum()
    }

    #[test]
    fn a_small_window_lies_in_the_middle_and_a_large_one_is_cut() {
        let mut room = room(vec![]);
        assert_eq!(room.seen((100, 80)), Area { x: 200, y: 50, width: 100, height: 80 });
        assert_eq!(room.seen((500, 400)), room.view);
        room.scrolled = (300, 0);
        assert_eq!(room.seen((500, 400)), Area { x: 150, y: 50, width: 200, height: 200 });
    }

    #[test]
    fn what_lies_over_it_is_left_out_once() {
        let menu = Area { x: 350, y: 40, width: 100, height: 60 };
        let seen = room(vec![]).seen((500, 400));
        assert_eq!(pixels(&room(vec![]).uncovered(seen)), 300 * 200);
        assert_eq!(pixels(&room(vec![menu]).uncovered(seen)), 300 * 200 - 50 * 50);
        assert_eq!(pixels(&room(vec![menu, menu]).uncovered(seen)), 300 * 200 - 50 * 50);
        let beside = Area { x: 0, y: 0, width: 100, height: 500 };
        assert_eq!(pixels(&room(vec![beside]).uncovered(seen)), 300 * 200);
        let all = Area { x: 0, y: 0, width: 900, height: 900 };
        assert!(room(vec![all]).uncovered(seen).is_empty());
    }
}
