//! Whom keys go to in an editor that a plugin's window lies in: after a click there to the plugin. No press is taken for that (a server
//! that waits for home would freeze the mouse wherever home is stuck): while the mouse is inside it is looked at once a tick.

use std::cell::Cell;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, InputFocus, KeyButMask, Window};

use super::screen::Screen;

/// So long after a press the window manager may still give the keys to the window around.
const PRESSED: Duration = Duration::from_millis(500);
/// Deepest that a plugin's windows lie in one another.
const DEPTH: usize = 16;
/// The buttons that are a click.
const BUTTONS: KeyButMask = KeyButMask::BUTTON1;

/// The mouse over one embedded window.
#[derive(Default)]
pub struct Mouse {
    inside: Cell<bool>,
    down: Cell<bool>,
    pressed: Cell<Option<Instant>>,
}

impl Mouse {
    /// It came in, with a button held or not.
    pub fn enter(&self, held: KeyButMask) {
        self.inside.set(true);
        self.down.set(held.contains(BUTTONS));
    }

    /// It went.
    pub fn leave(&self) {
        self.inside.set(false);
        self.pressed.set(None);
    }

    /// Gives the keys to `child`, in `frame`, where it was clicked.
    pub fn look(&self, screen: &Screen, frame: Window, child: Option<Window>, now: Instant) {
        let (true, Some(child)) = (self.inside.get(), child) else { return };
        let Some(at) = screen.connection.query_pointer(frame).ok().and_then(|asked| asked.reply().ok()) else { return };
        let down = at.mask.contains(BUTTONS);
        if down && !self.down.replace(down) && at.child != x11rb::NONE {
            self.pressed.set(Some(now));
        }
        self.down.set(down);
        let recent = self.pressed.get().is_some_and(|pressed| now.saturating_duration_since(pressed) < PRESSED);
        if recent && !has_keys(screen, frame) {
            let _gone = screen.connection.set_input_focus(InputFocus::PARENT, child, x11rb::CURRENT_TIME);
            let _gone = screen.connection.flush();
        }
    }
}

/// Whether the keys go to something in `frame`.
fn has_keys(screen: &Screen, frame: Window) -> bool {
    let focus = screen.connection.get_input_focus().ok().and_then(|asked| asked.reply().ok());
    let Some(mut window) = focus.map(|focus| focus.focus) else { return true };
    for _ in 0..DEPTH {
        if window == frame {
            return true;
        }
        let tree = screen.connection.query_tree(window).ok().and_then(|asked| asked.reply().ok());
        match tree {
            Some(tree) if tree.parent != x11rb::NONE && tree.parent != screen.root => window = tree.parent,
            _ => return false,
        }
    }
    false
}
