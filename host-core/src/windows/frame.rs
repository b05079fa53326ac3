//! What a plugin's window lies in, wherever that is shown.

use std::cell::{Cell, RefCell};
use std::os::fd::RawFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event as Told;
use x11rb::protocol::xproto::{
    ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, FocusInEvent, InputFocus, NotifyDetail,
    NotifyMode, Window,
};

use super::keys::Mouse;
use super::room::Room;
use super::screen::Screen;
use super::shell::{GROUND, SIDES, Shell, Stand, make};
use super::{Event, WindowError};

/// So long sizes of frame and plugin may differ: each follows the other in its own time.
const PATIENCE: Duration = Duration::from_millis(250);

/// A window that a plugin's lies in, and what that lies in at present.
pub struct Frame {
    screen: Rc<Screen>,
    /// What the plugin is given as its parent.
    window: Window,
    shell: RefCell<Shell>,
    size: Cell<(u32, u32)>,
    resizable: Cell<bool>,
    child: Cell<Option<Window>>,
    mouse: Mouse,
    /// When frame and plugin are to be compared.
    compare: Cell<Option<Instant>>,
    /// From which size to which one was last asked for: what the window manager refused is not asked for again.
    asked: Cell<Option<[(u32, u32); 2]>>,
}

impl Frame {
    /// Makes one, nowhere to be seen.
    pub fn open(size: (u32, u32)) -> Result<Self, WindowError> {
        let (screen, size) = (Screen::get()?, (side(size.0), side(size.1)));
        let shell = Shell::parked(&screen, size)?;
        let mask = EventMask::STRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_NOTIFY;
        let look = CreateWindowAux::new().background_pixel(GROUND).event_mask(mask);
        let window = make(&screen, shell.window, (0, 0), size, &look)?;
        drop(screen.connection.map_window(window));
        let frame = Self {
            screen,
            window,
            shell: RefCell::new(shell),
            size: Cell::new(size),
            resizable: Cell::new(true),
            child: Cell::new(None),
            mouse: Mouse::default(),
            compare: Cell::new(None),
            asked: Cell::new(None),
        };
        // The plugin looks at it on a connection of its own.
        frame.screen.settle();
        Ok(frame)
    }

    /// The X11 window that the plugin's own lies in.
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

    /// Whether it is a window by itself.
    pub fn floats(&self) -> bool {
        self.shell.borrow().floats()
    }

    /// Whether it lies in an editor.
    pub fn is_seated(&self) -> bool {
        matches!(self.shell.borrow().stand, Stand::Seated(_))
    }

    /// Makes it a window by itself, not shown yet, at `place` where it had one.
    pub fn float(&self, title: &str, place: Option<(i32, i32)>) -> Result<(), WindowError> {
        if !self.floats() {
            let shell = Shell::floating(&self.screen, place, self.size.get())?;
            self.change_shell(shell);
        }
        self.set_title(title);
        self.tell_sizes();
        self.screen.settle();
        Ok(())
    }

    /// Takes it off the screen.
    pub fn park(&self) -> Result<(), WindowError> {
        self.mouse.leave();
        if self.floats() {
            let shell = Shell::parked(&self.screen, self.size.get())?;
            self.change_shell(shell);
            return Ok(());
        }
        let mut shell = self.shell.borrow_mut();
        if matches!(shell.stand, Stand::Seated(_)) {
            shell.hide(&self.screen);
            shell.stand = Stand::Parked;
        }
        Ok(())
    }

    /// Shows it in a room of an editor's. False: the editor's window has gone.
    pub fn seat(&self, room: &Room) -> bool {
        if self.floats() && self.park().is_err() {
            return false;
        }
        let mut shell = self.shell.borrow_mut();
        let stays = match &shell.stand {
            Stand::Seated(before) if before == room => return true,
            Stand::Seated(before) => before.window == room.window,
            _ => false,
        };
        if !stays && !shell.move_into(&self.screen, room) {
            return false;
        }
        shell.lay(&self.screen, room, self.window, self.size.get());
        if room.covered {
            self.mouse.leave();
        }
        self.compare.set(Some(Instant::now() + PATIENCE));
        shell.stand = Stand::Seated(room.clone());
        true
    }

    /// Lies in `shell` from now on; what it lay in goes.
    fn change_shell(&self, shell: Shell) {
        let connection = &self.screen.connection;
        let _gone = connection.reparent_window(self.window, shell.window, 0, 0);
        let before = self.shell.replace(shell);
        self.screen.forget(before.window);
        let _gone = connection.destroy_window(before.window);
        self.asked.set(None);
        let _gone = connection.flush();
    }

    /// Calls it so, where it has a title.
    pub fn set_title(&self, title: &str) {
        self.shell.borrow().set_title(&self.screen, title);
    }

    /// Whether the user may give it another size.
    pub fn set_resizable(&self, resizable: bool) {
        if self.resizable.replace(resizable) != resizable {
            self.tell_sizes();
        }
    }

    fn tell_sizes(&self) {
        self.shell.borrow().tell_sizes(&self.screen, self.size.get(), self.resizable.get());
    }

    /// Takes the size that the plugin wants, pixels.
    pub fn fit(&self, width: u32, height: u32) {
        let size = (side(width), side(height));
        let now = self.size.get();
        let floats = self.floats();
        if now == size || floats && self.asked.get() == Some([now, size]) {
            return;
        }
        self.size.set(size);
        let change = ConfigureWindowAux::new().width(size.0).height(size.1);
        let _gone = self.screen.connection.configure_window(self.window, &change);
        let shell = self.shell.borrow();
        match &shell.stand {
            Stand::Floating { .. } => {
                self.asked.set(Some([now, size]));
                // Where the size is fixed, the window manager must know of the new one first.
                self.tell_sizes();
                let _gone = self.screen.connection.configure_window(shell.window, &change);
            }
            Stand::Parked => drop(self.screen.connection.configure_window(shell.window, &change)),
            Stand::Seated(room) => shell.lay(&self.screen, room, self.window, size),
        }
        self.compare.set(Some(Instant::now() + PATIENCE));
        let _gone = self.screen.connection.flush();
    }

    /// Shows it by itself, or brings it to the front.
    pub fn show(&self) {
        self.shell.borrow().show(&self.screen);
        self.compare.set(Some(Instant::now() + PATIENCE));
        let _gone = self.screen.connection.flush();
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
        let shell = self.shell.borrow().window;
        let (Ok(told), Ok(of_shell)) = (self.screen.take(self.window), self.screen.take(shell)) else {
            return vec![Event::Closed];
        };
        let (mut events, mut moved, before) = (Vec::new(), false, self.size.get());
        for told in told {
            match told {
                Told::ConfigureNotify(change) if change.window != self.window => self.compare.set(Some(now + PATIENCE)),
                Told::CreateNotify(made) if self.child.get().is_none() => self.child.set(Some(made.window)),
                Told::ReparentNotify(other) if other.parent == self.window => self.child.set(Some(other.window)),
                Told::DestroyNotify(gone) if self.child.get() == Some(gone.window) => self.child.set(None),
                Told::DestroyNotify(gone) if gone.window == self.window => events.push(Event::Torn),
                _ => {}
            }
        }
        for told in of_shell {
            match told {
                Told::ClientMessage(message) => {
                    let asks = message.type_ == self.screen.atoms.WM_PROTOCOLS;
                    if asks && message.data.as_data32()[0] == self.screen.atoms.WM_DELETE_WINDOW {
                        events.push(Event::Closed);
                    }
                }
                Told::ConfigureNotify(change) if change.window == shell && self.floats() => {
                    self.size.set((change.width.into(), change.height.into()));
                    moved = true;
                }
                Told::FocusIn(focus) => self.hand_keys_on(&focus),
                // A window manager that looks at a press takes the mouse for a moment.
                Told::EnterNotify(enter) if enter.mode == NotifyMode::NORMAL => self.mouse.enter(enter.state),
                Told::LeaveNotify(leave) if leave.mode == NotifyMode::NORMAL => self.mouse.leave(),
                _ => {}
            }
        }
        if moved && self.asked.get().is_some_and(|[_, to]| to == self.size.get()) {
            self.asked.set(None);
        }
        if self.size.get() != before {
            self.follow_shell();
            events.push(Event::Resized(self.size.get().0, self.size.get().1));
            self.compare.set(Some(now + PATIENCE));
        }
        if moved {
            let at = self.screen.connection.translate_coordinates(shell, self.screen.root, 0, 0);
            let at = at.ok().and_then(|at| at.reply().ok());
            events.extend(at.map(|at| Event::Moved(at.dst_x.into(), at.dst_y.into())));
        }
        if self.is_seated() {
            self.mouse.look(&self.screen, self.window, self.child.get(), now);
        }
        if self.compare.get().is_some_and(|due| due <= now) {
            self.compare.set(None);
            let other = self.child_size().filter(|size| *size != self.size.get() && size.0.min(size.1) >= SIDES.0);
            events.extend(other.map(|(width, height)| Event::Outgrown(width, height)));
        }
        events
    }

    /// Takes the size that the user gave what it lies in.
    fn follow_shell(&self) {
        let (width, height) = self.size.get();
        let change = ConfigureWindowAux::new().width(width).height(height);
        let _gone = self.screen.connection.configure_window(self.window, &change);
        let _gone = self.screen.connection.flush();
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
        let shell = self.shell.get_mut().window;
        for window in [self.window, shell] {
            self.screen.forget(window);
            let _gone = self.screen.connection.destroy_window(window);
        }
        self.screen.settle();
    }
}

fn side(pixels: u32) -> u32 {
    pixels.clamp(SIDES.0, SIDES.1)
}
