//! One top-level window with a plugin's window in it.

use std::cell::{Cell, RefCell};
use std::os::fd::RawFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::properties::{WmHints, WmSizeHints, WmSizeHintsSpecification};
use x11rb::protocol::Event as Told;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, FocusInEvent,
    Gravity, InputFocus, NotifyDetail, NotifyMode, PropMode, StackMode, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::screen::Screen;
use super::{Event, WindowError};

/// Largest and smallest side of a window, pixels.
const SIDES: (u32, u32) = (16, 16_384);
/// What is seen before the plugin has drawn.
const GROUND: u32 = 0x0017_191d;
/// So long sizes of frame and plugin may differ: each follows the other in its own time.
const PATIENCE: Duration = Duration::from_millis(250);
/// So much of a frame's top must be on the screen for it to be reached.
const GRIP: i32 = 60;

/// A top-level window.
pub struct Frame {
    screen: Rc<Screen>,
    window: Window,
    size: Cell<(u32, u32)>,
    /// The corner is where the user had it before.
    placed: Option<(i32, i32)>,
    resizable: Cell<bool>,
    title: RefCell<String>,
    child: Cell<Option<Window>>,
    /// When frame and plugin are to be compared.
    compare: Cell<Option<Instant>>,
    /// From which size to which one was last asked for: what the window manager refused is not asked for again.
    asked: Cell<Option<[(u32, u32); 2]>>,
}

impl Frame {
    /// Makes one, not shown yet, at `place` where it had one.
    pub fn open(title: &str, place: Option<(i32, i32)>, size: (u32, u32)) -> Result<Self, WindowError> {
        let screen = Screen::get()?;
        let broken =
            |error: String| WindowError::Display { name: std::env::var("DISPLAY").unwrap_or_default(), reason: error };
        let window = screen.connection.generate_id().map_err(|error| broken(error.to_string()))?;
        let size = (side(size.0), side(size.1));
        let placed = place.map(|(x, y)| {
            let (width, height) = screen.size;
            (x.clamp(GRIP - size.0 as i32, width - GRIP), y.clamp(0, height - GRIP))
        });
        let mask = EventMask::STRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_NOTIFY | EventMask::FOCUS_CHANGE;
        let look = CreateWindowAux::new().background_pixel(GROUND).event_mask(mask);
        let (x, y) = placed.unwrap_or((0, 0));
        let (width, height) = (size.0 as u16, size.1 as u16);
        let class = WindowClass::INPUT_OUTPUT;
        let made = screen.connection.create_window(
            0,
            window,
            screen.root,
            x as i16,
            y as i16,
            width,
            height,
            0,
            class,
            0,
            &look,
        );
        made.map_err(|error| broken(error.to_string()))?.check().map_err(|error| broken(error.to_string()))?;
        screen.listen(window);
        let frame = Self {
            screen,
            window,
            size: Cell::new(size),
            placed,
            resizable: Cell::new(true),
            title: RefCell::default(),
            child: Cell::new(None),
            compare: Cell::new(None),
            asked: Cell::new(None),
        };
        frame.introduce();
        frame.set_title(title);
        frame.tell_sizes();
        // The plugin looks at it on a connection of its own.
        frame.screen.settle();
        Ok(frame)
    }

    /// Tells the window manager what it is.
    fn introduce(&self) {
        let (connection, atoms) = (&self.screen.connection, &self.screen.atoms);
        let words = |property: u32, kind: u32, words: &[u32]| {
            let _gone = connection.change_property32(PropMode::REPLACE, self.window, property, kind, words);
        };
        words(atoms.WM_PROTOCOLS, AtomEnum::ATOM.into(), &[atoms.WM_DELETE_WINDOW]);
        words(atoms._NET_WM_WINDOW_TYPE, AtomEnum::ATOM.into(), &[atoms._NET_WM_WINDOW_TYPE_DIALOG]);
        let (class, string) = (AtomEnum::WM_CLASS, AtomEnum::STRING);
        let _gone = connection.change_property8(PropMode::REPLACE, self.window, class, string, b"catena\0catena\0");
        let _gone = WmHints { input: Some(true), ..WmHints::new() }.set(connection, self.window);
    }

    /// The X11 window.
    pub fn id(&self) -> u32 {
        self.window
    }

    /// The user's scale.
    pub fn scale(&self) -> f64 {
        self.screen.scale
    }

    /// The size of what is in it, pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size.get()
    }

    /// The descriptor to watch for what happens to frames, where there is one.
    pub fn descriptor() -> Option<RawFd> {
        Screen::descriptor()
    }

    /// Calls it so.
    pub fn set_title(&self, title: &str) {
        if *self.title.borrow() == title {
            return;
        }
        let (connection, atoms) = (&self.screen.connection, &self.screen.atoms);
        let bytes = title.as_bytes();
        let (name, string) = (AtomEnum::WM_NAME, AtomEnum::STRING);
        let _gone = connection.change_property8(PropMode::REPLACE, self.window, name, string, bytes);
        let (name, utf8) = (atoms._NET_WM_NAME, atoms.UTF8_STRING);
        let _gone = connection.change_property8(PropMode::REPLACE, self.window, name, utf8, bytes);
        title.clone_into(&mut self.title.borrow_mut());
        let _gone = connection.flush();
    }

    /// Whether the user may give it another size.
    pub fn set_resizable(&self, resizable: bool) {
        if self.resizable.replace(resizable) != resizable {
            self.tell_sizes();
        }
    }

    /// Takes the size that the plugin wants, pixels.
    pub fn fit(&self, width: u32, height: u32) {
        let size = (side(width), side(height));
        let now = self.size.get();
        if now == size || self.asked.get() == Some([now, size]) {
            return;
        }
        self.asked.set(Some([now, size]));
        self.size.set(size);
        // Where the size is fixed, the window manager must know of the new one first.
        self.tell_sizes();
        let change = ConfigureWindowAux::new().width(size.0).height(size.1);
        let _gone = self.screen.connection.configure_window(self.window, &change);
        self.compare.set(Some(Instant::now() + PATIENCE));
        let _gone = self.screen.connection.flush();
    }

    fn tell_sizes(&self) {
        let (width, height) = (self.size.get().0 as i32, self.size.get().1 as i32);
        let fixed = (!self.resizable.get()).then_some((width, height));
        let hints = WmSizeHints {
            position: self.placed.map(|(x, y)| (WmSizeHintsSpecification::UserSpecified, x, y)),
            size: Some((WmSizeHintsSpecification::ProgramSpecified, width, height)),
            min_size: fixed.or(Some((SIDES.0 as i32, SIDES.0 as i32))),
            max_size: fixed,
            // A place is that of the plugin's picture, whatever frame the window manager puts round it.
            win_gravity: Some(Gravity::STATIC),
            ..WmSizeHints::new()
        };
        let _gone = hints.set_normal_hints(&self.screen.connection, self.window);
    }

    /// Shows it, or brings it to the front.
    pub fn show(&self) {
        let connection = &self.screen.connection;
        let _gone = connection.map_window(self.window);
        let _gone = connection.configure_window(self.window, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE));
        let active = ClientMessageEvent::new(32, self.window, self.screen.atoms._NET_ACTIVE_WINDOW, [2, 0, 0, 0, 0]);
        let to = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        let _gone = connection.send_event(false, self.screen.root, to, active);
        self.compare.set(Some(Instant::now() + PATIENCE));
        let _gone = connection.flush();
    }

    /// Takes the plugin's window in, should it stand elsewhere, and shows it. Its size, pixels.
    pub fn take_in(&self, child: u32) -> Option<(u32, u32)> {
        let connection = &self.screen.connection;
        if connection.query_tree(child).ok()?.reply().ok()?.parent != self.window {
            let _gone = connection.reparent_window(child, self.window, 0, 0);
        }
        let _gone = connection.map_window(child);
        self.child.set(Some(child));
        self.child_size()
    }

    fn child_size(&self) -> Option<(u32, u32)> {
        let size = self.screen.connection.get_geometry(self.child.get()?).ok()?.reply().ok()?;
        Some((size.width.into(), size.height.into()))
    }

    /// Gives the plugin's window the frame's size: for plugins that are not told it otherwise.
    pub fn stretch(&self) {
        let Some(child) = self.child.get() else { return };
        let (width, height) = self.size.get();
        let _gone =
            self.screen.connection.configure_window(child, &ConfigureWindowAux::new().width(width).height(height));
        let _gone = self.screen.connection.flush();
    }

    /// What happened to it since the last call.
    pub fn events(&self, now: Instant) -> Vec<Event> {
        let Ok(told) = self.screen.take(self.window) else { return vec![Event::Closed] };
        let (mut events, mut moved, before) = (Vec::new(), false, self.size.get());
        for told in told {
            match told {
                Told::ClientMessage(message) => {
                    let asks = message.type_ == self.screen.atoms.WM_PROTOCOLS;
                    if asks && message.data.as_data32()[0] == self.screen.atoms.WM_DELETE_WINDOW {
                        events.push(Event::Closed);
                    }
                }
                Told::ConfigureNotify(change) if change.window == self.window => {
                    self.size.set((change.width.into(), change.height.into()));
                    moved = true;
                }
                Told::ConfigureNotify(_) => self.compare.set(Some(now + PATIENCE)),
                Told::CreateNotify(made) if self.child.get().is_none() => self.child.set(Some(made.window)),
                Told::ReparentNotify(other) if other.parent == self.window => self.child.set(Some(other.window)),
                Told::DestroyNotify(gone) if self.child.get() == Some(gone.window) => self.child.set(None),
                Told::DestroyNotify(gone) if gone.window == self.window => events.push(Event::Closed),
                Told::FocusIn(focus) => self.hand_keys_on(&focus),
                _ => {}
            }
        }
        if moved && self.asked.get().is_some_and(|[_, to]| to == self.size.get()) {
            self.asked.set(None);
        }
        if self.size.get() != before {
            events.push(Event::Resized(self.size.get().0, self.size.get().1));
            self.compare.set(Some(now + PATIENCE));
        }
        if moved {
            let at = self.screen.connection.translate_coordinates(self.window, self.screen.root, 0, 0);
            let at = at.ok().and_then(|at| at.reply().ok());
            events.extend(at.map(|at| Event::Moved(at.dst_x.into(), at.dst_y.into())));
        }
        if self.compare.get().is_some_and(|due| due <= now) {
            self.compare.set(None);
            let other = self.child_size().filter(|size| *size != self.size.get() && size.0.min(size.1) >= SIDES.0);
            events.extend(other.map(|(width, height)| Event::Outgrown(width, height)));
        }
        events
    }

    /// The keys are the plugin's, wherever the mouse is.
    fn hand_keys_on(&self, focus: &FocusInEvent) {
        let ours = matches!(focus.mode, NotifyMode::NORMAL | NotifyMode::WHILE_GRABBED)
            && matches!(focus.detail, NotifyDetail::NONLINEAR | NotifyDetail::ANCESTOR);
        if let (true, Some(child)) = (ours, self.child.get()) {
            let _gone = self.screen.connection.set_input_focus(InputFocus::PARENT, child, x11rb::CURRENT_TIME);
            let _gone = self.screen.connection.flush();
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.screen.forget(self.window);
        let _gone = self.screen.connection.destroy_window(self.window);
        self.screen.settle();
    }
}

fn side(pixels: u32) -> u32 {
    pixels.clamp(SIDES.0, SIDES.1)
}
