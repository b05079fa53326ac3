//! What a frame lies in: a top-level window of its own, or a plain one that an editor takes in.

use std::cell::RefCell;

use x11rb::connection::Connection as _;
use x11rb::properties::{WmHints, WmSizeHints, WmSizeHintsSpecification};
use x11rb::protocol::shape::{ConnectionExt as _, SK, SO};
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ClipOrdering, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask,
    Gravity, PropMode, StackMode, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::WindowError;
use super::room::Room;
use super::screen::Screen;

/// Smallest and largest side of a window, pixels.
pub const SIDES: (u32, u32) = (16, 16_384);
/// What is seen before the plugin has drawn.
pub const GROUND: u32 = 0x0017_191d;
/// So much of a frame's top must be on the screen for it to be reached.
const GRIP: i32 = 60;

/// What a frame lies in.
pub struct Shell {
    pub window: Window,
    pub stand: Stand,
}

/// How it stands.
pub enum Stand {
    /// Nowhere to be seen.
    Parked,
    /// By itself.
    Floating {
        /// The corner is where the user had it before.
        placed: Option<(i32, i32)>,
        title: RefCell<String>,
    },
    /// In an editor.
    Seated(Room),
}

impl Shell {
    /// One that is nowhere to be seen, and that no window manager looks after.
    pub fn parked(screen: &Screen, size: (u32, u32)) -> Result<Self, WindowError> {
        let mask = EventMask::STRUCTURE_NOTIFY | EventMask::ENTER_WINDOW | EventMask::LEAVE_WINDOW;
        let look = CreateWindowAux::new().background_pixel(GROUND).event_mask(mask).override_redirect(1);
        let window = make(screen, screen.root, (0, 0), size, &look)?;
        Ok(Self { window, stand: Stand::Parked })
    }

    /// A top-level window, not shown yet, at `place` where it had one.
    pub fn floating(screen: &Screen, place: Option<(i32, i32)>, size: (u32, u32)) -> Result<Self, WindowError> {
        let placed = place.map(|(x, y)| {
            let (width, height) = screen.size;
            (x.clamp(GRIP - size.0 as i32, width - GRIP), y.clamp(0, height - GRIP))
        });
        let mask = EventMask::STRUCTURE_NOTIFY | EventMask::FOCUS_CHANGE;
        let look = CreateWindowAux::new().background_pixel(GROUND).event_mask(mask);
        let window = make(screen, screen.root, placed.unwrap_or((0, 0)), size, &look)?;
        let shell = Self { window, stand: Stand::Floating { placed, title: RefCell::default() } };
        shell.introduce(screen);
        Ok(shell)
    }

    /// Tells the window manager what it is.
    fn introduce(&self, screen: &Screen) {
        let (connection, atoms) = (&screen.connection, &screen.atoms);
        let words = |property: u32, kind: u32, words: &[u32]| {
            let _gone = connection.change_property32(PropMode::REPLACE, self.window, property, kind, words);
        };
        words(atoms.WM_PROTOCOLS, AtomEnum::ATOM.into(), &[atoms.WM_DELETE_WINDOW]);
        words(atoms._NET_WM_WINDOW_TYPE, AtomEnum::ATOM.into(), &[atoms._NET_WM_WINDOW_TYPE_DIALOG]);
        let (class, string) = (AtomEnum::WM_CLASS, AtomEnum::STRING);
        let _gone = connection.change_property8(PropMode::REPLACE, self.window, class, string, b"catena\0catena\0");
        let _gone = WmHints { input: Some(true), ..WmHints::new() }.set(connection, self.window);
    }

    /// Whether it is a window by itself.
    pub fn floats(&self) -> bool {
        matches!(self.stand, Stand::Floating { .. })
    }

    /// Calls it so, where it has a title.
    pub fn set_title(&self, screen: &Screen, text: &str) {
        let Stand::Floating { title, .. } = &self.stand else { return };
        if *title.borrow() == text {
            return;
        }
        let (connection, atoms, bytes) = (&screen.connection, &screen.atoms, text.as_bytes());
        let (name, string) = (AtomEnum::WM_NAME, AtomEnum::STRING);
        let _gone = connection.change_property8(PropMode::REPLACE, self.window, name, string, bytes);
        let (name, utf8) = (atoms._NET_WM_NAME, atoms.UTF8_STRING);
        let _gone = connection.change_property8(PropMode::REPLACE, self.window, name, utf8, bytes);
        text.clone_into(&mut title.borrow_mut());
        let _gone = connection.flush();
    }

    /// Tells the window manager its size, and whether it may have another.
    pub fn tell_sizes(&self, screen: &Screen, size: (u32, u32), resizable: bool) {
        let Stand::Floating { placed, .. } = &self.stand else { return };
        let (width, height) = (size.0 as i32, size.1 as i32);
        let fixed = (!resizable).then_some((width, height));
        let hints = WmSizeHints {
            position: placed.map(|(x, y)| (WmSizeHintsSpecification::UserSpecified, x, y)),
            size: Some((WmSizeHintsSpecification::ProgramSpecified, width, height)),
            min_size: fixed.or(Some((SIDES.0 as i32, SIDES.0 as i32))),
            max_size: fixed,
            // A place is that of the plugin's picture, whatever frame the window manager puts round it.
            win_gravity: Some(Gravity::STATIC),
            ..WmSizeHints::new()
        };
        let _gone = hints.set_normal_hints(&screen.connection, self.window);
    }

    /// Shows it by itself, or brings it to the front.
    pub fn show(&self, screen: &Screen) {
        let connection = &screen.connection;
        let _gone = connection.map_window(self.window);
        let _gone = connection.configure_window(self.window, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE));
        let active = ClientMessageEvent::new(32, self.window, screen.atoms._NET_ACTIVE_WINDOW, [2, 0, 0, 0, 0]);
        let to = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        let _gone = connection.send_event(false, screen.root, to, active);
    }

    /// Has an editor's window take it in. False: that has gone.
    pub fn move_into(&self, screen: &Screen, room: &Room) -> bool {
        let connection = &screen.connection;
        let moved = connection.reparent_window(self.window, room.window, room.view.x as i16, room.view.y as i16);
        moved.ok().is_some_and(|moved| moved.check().is_ok())
    }

    /// Lays it, and `frame` in it, as a room says.
    pub fn lay(&self, screen: &Screen, room: &Room, frame: Window, size: (u32, u32)) {
        let (connection, seen) = (&screen.connection, room.seen(size));
        let place = ConfigureWindowAux::new().x(seen.x).y(seen.y).width(seen.width).height(seen.height);
        let _gone = connection.configure_window(self.window, &place);
        let within = ConfigureWindowAux::new().x(-room.scrolled.0).y(-room.scrolled.1);
        let _gone = connection.configure_window(frame, &within);
        let bounds = SK::BOUNDING;
        let _gone = if room.over.is_empty() {
            connection.shape_mask(SO::SET, bounds, self.window, 0, 0, x11rb::NONE)
        } else {
            let parts = room.uncovered(seen);
            connection.shape_rectangles(SO::SET, bounds, ClipOrdering::UNSORTED, self.window, 0, 0, &parts)
        };
        let _gone = match room.covered {
            true => connection.unmap_window(self.window),
            false => connection.map_window(self.window),
        };
        let _gone = connection.flush();
    }

    /// Takes it off the screen, and out of the editor that it lay in.
    pub fn hide(&self, screen: &Screen) {
        let connection = &screen.connection;
        let _gone = connection.unmap_window(self.window);
        let _gone = connection.reparent_window(self.window, screen.root, 0, 0);
        let _gone = connection.flush();
    }
}

/// Makes a window, of `parent`'s kind.
pub fn make(
    screen: &Screen,
    parent: Window,
    (x, y): (i32, i32),
    (width, height): (u32, u32),
    look: &CreateWindowAux,
) -> Result<Window, WindowError> {
    let broken =
        |error: String| WindowError::Display { name: std::env::var("DISPLAY").unwrap_or_default(), reason: error };
    let connection = &screen.connection;
    let window = connection.generate_id().map_err(|error| broken(error.to_string()))?;
    let (place, size, class) = ((x as i16, y as i16), (width as u16, height as u16), WindowClass::INPUT_OUTPUT);
    let made = connection.create_window(0, window, parent, place.0, place.1, size.0, size.1, 0, class, 0, look);
    made.map_err(|error| broken(error.to_string()))?.check().map_err(|error| broken(error.to_string()))?;
    screen.listen(window);
    Ok(window)
}
