//! Home's connection to the display, shared by its frames.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::os::fd::{AsRawFd, RawFd};
use std::rc::{Rc, Weak};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event as Told;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Window};
use x11rb::rust_connection::RustConnection;

use super::WindowError;

/// Longest text of the X resources that is read, in fours of bytes.
const RESOURCES: u32 = 1 << 16;
/// Dots per inch at which nothing is scaled.
const PLAIN: f64 = 96.0;

x11rb::atom_manager! {
    /// Names that window managers know.
    pub Atoms: AtomsCookie {
        WM_PROTOCOLS,
        WM_DELETE_WINDOW,
        UTF8_STRING,
        _NET_WM_NAME,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_DIALOG,
        _NET_ACTIVE_WINDOW,
    }
}

/// The connection. It is closed when the last frame goes.
pub struct Screen {
    pub connection: RustConnection,
    pub root: Window,
    /// The root window's size, pixels.
    pub size: (i32, i32),
    pub atoms: Atoms,
    pub scale: f64,
    /// What came for each frame and was not read yet.
    waiting: RefCell<BTreeMap<Window, VecDeque<Told>>>,
}

thread_local! {
    static SCREEN: RefCell<Weak<Screen>> = const { RefCell::new(Weak::new()) };
}

impl Screen {
    /// The connection that is there, or a new one. `[home]`
    pub fn get() -> Result<Rc<Self>, WindowError> {
        if let Some(screen) = SCREEN.with_borrow(Weak::upgrade) {
            return Ok(screen);
        }
        let screen = Rc::new(Self::connect()?);
        SCREEN.set(Rc::downgrade(&screen));
        Ok(screen)
    }

    fn connect() -> Result<Self, WindowError> {
        let name = std::env::var("DISPLAY").unwrap_or_default();
        if name.is_empty() {
            return Err(WindowError::NoDisplay);
        }
        let refused = |reason: String| WindowError::Display { name: name.clone(), reason };
        let (connection, number) = RustConnection::connect(Some(&name)).map_err(|error| refused(error.to_string()))?;
        let atoms = Atoms::new(&connection).map_err(|error| refused(error.to_string()))?;
        let atoms = atoms.reply().map_err(|error| refused(error.to_string()))?;
        let screen = connection.setup().roots.get(number).ok_or_else(|| refused("it has no screen".into()))?;
        let (root, size) = (screen.root, (screen.width_in_pixels.into(), screen.height_in_pixels.into()));
        let scale = scale(&connection, root);
        Ok(Self { connection, root, size, atoms, scale, waiting: RefCell::default() })
    }

    /// The descriptor to watch, where there is a connection. `[home]`
    pub fn descriptor() -> Option<RawFd> {
        SCREEN.with_borrow(Weak::upgrade).map(|screen| screen.connection.stream().as_raw_fd())
    }

    /// Keeps what comes for `window`.
    pub fn listen(&self, window: Window) {
        self.waiting.borrow_mut().insert(window, VecDeque::new());
    }

    pub fn forget(&self, window: Window) {
        self.waiting.borrow_mut().remove(&window);
    }

    /// What came for `window` since the last call. An error: the display is gone.
    pub fn take(&self, window: Window) -> Result<VecDeque<Told>, WindowError> {
        loop {
            let told = self.connection.poll_for_event();
            let told = told.map_err(|error| WindowError::Display { name: String::new(), reason: error.to_string() })?;
            let Some(told) = told else { break };
            self.hand_out(told);
        }
        Ok(self.waiting.borrow_mut().get_mut(&window).map(std::mem::take).unwrap_or_default())
    }

    fn hand_out(&self, told: Told) {
        // What is nobody's, an error of a window that went meanwhile for one, is dropped.
        if let Some(to) = addressee(&told)
            && let Some(queue) = self.waiting.borrow_mut().get_mut(&to)
        {
            queue.push_back(told);
        }
    }

    /// Returns when the server has done all that was asked.
    pub fn settle(&self) {
        let _gone = self.connection.get_input_focus().ok().and_then(|asked| asked.reply().ok());
    }
}

/// The frame that something is told of.
fn addressee(told: &Told) -> Option<Window> {
    Some(match told {
        Told::ClientMessage(message) => message.window,
        Told::ConfigureNotify(change) => change.event,
        Told::CreateNotify(made) => made.parent,
        Told::ReparentNotify(moved) => moved.event,
        Told::DestroyNotify(gone) => gone.event,
        Told::FocusIn(focus) => focus.event,
        Told::EnterNotify(enter) | Told::LeaveNotify(enter) => enter.event,
        _ => return None,
    })
}

/// The user's scale: `Xft.dpi` of the X resources, as the editor takes it.
fn scale(connection: &RustConnection, root: Window) -> f64 {
    let asked = connection.get_property(false, root, AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING, 0, RESOURCES);
    let text = asked.ok().and_then(|asked| asked.reply().ok()).map(|property| property.value).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let dots = text.lines().find_map(|line| line.strip_prefix("Xft.dpi:")?.trim().parse::<f64>().ok());
    dots.filter(|dots| (48.0..=960.0).contains(dots)).map_or(1.0, |dots| dots / PLAIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_display_the_error_says_so() {
        // Tests of this crate run without one, or with one that is not there.
        if std::env::var_os("DISPLAY").is_none_or(|name| name.is_empty()) {
            assert_eq!(Screen::get().err(), Some(WindowError::NoDisplay));
        }
    }
}
