//! Whom keys go to. The editor's window takes the focus at every click (egui-baseview) and keeps each key, wanted or not
//! (baseview drops its handler's verdict): the DAW's transport keys would be dead after the first click. So while nothing in
//! the editor wants keys, the focus goes to the DAW's window around it.
//!
//! A click in the editor is the window manager's too, which gives the focus to the DAW's window, and a little later than the
//! editor has taken it: what the user clicked on would be without keys. So soon after a press the editor takes them back.

use std::time::{Duration, Instant};

use nice_plug_egui::Frame;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, InputFocus, PropMode, Timestamp,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Deepest that an editor's window lies in the DAW's.
const DEPTH: usize = 16;
/// So long after a press in the editor nobody else can want the keys.
const PRESSED: Duration = Duration::from_millis(500);

/// Follows where the keys are wanted. What is pressed before the DAW has the focus is sent on by [`crate::keys`].
#[derive(Default)]
pub struct Focus {
    /// They were handed over since they were last wanted here.
    handed: bool,
    /// When a button was pressed here last.
    pressed: Option<Instant>,
}

impl Focus {
    /// Hands the focus to the DAW's window where this one has it for nothing, and takes it back where another got it with the
    /// press that was meant for this one. After each frame. `[editor]`
    pub fn settle(&mut self, context: &egui::Context, frame: &Frame) {
        let (pressed, down, inside) = context.input(|input| {
            let pointer = &input.pointer;
            (pointer.any_pressed(), pointer.any_down(), pointer.has_pointer())
        });
        if pressed {
            self.pressed = Some(Instant::now());
        }
        let window = frame.baseview_window();
        let wanted = context.memory(|memory| memory.focused().is_some()) || down || egui::Popup::is_any_open(context);
        if wanted || !window.has_focus() {
            self.handed = false;
        } else if !self.handed {
            self.handed = true;
            let _no_window_around = hand_over();
        }
        if wanted && inside && !window.has_focus() && self.pressed.is_some_and(|at| at.elapsed() < PRESSED) {
            let _window_gone = window.focus();
        }
    }
}

impl Focus {
    /// When it is to be asked again though nothing happened here: while the keys may come and go with another's word.
    pub fn watches(&self, frame: &Frame) -> Option<Duration> {
        let pressed = self.pressed.is_some_and(|at| at.elapsed() < PRESSED);
        match (pressed, frame.baseview_window().has_focus()) {
            (true, _) => Some(Duration::from_millis(33)),
            (false, true) => Some(Duration::from_millis(250)),
            (false, false) => None,
        }
    }
}

/// Gives the keys to the window around the one that has them. `None` where there is none: ours is a window of its own, or
/// another got the focus just now.
fn hand_over() -> Option<()> {
    let (connection, _) = x11rb::connect(None).ok()?;
    let state = connection.intern_atom(true, b"WM_STATE").ok()?.reply().ok()?.atom;
    // What a window manager manages has a state (ICCCM 4.1.3.1).
    let managed = |window: Window| {
        let property = connection.get_property(false, window, state, AtomEnum::ANY, 0, 0).ok()?.reply().ok()?;
        Some(property.type_ != 0)
    };
    let mut window = connection.get_input_focus().ok()?.reply().ok()?.focus;
    let name = connection.get_property(false, window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 16).ok()?.reply().ok()?;
    if name.value != super::TITLE.as_bytes() || managed(window)? {
        return None;
    }
    for _ in 0..DEPTH {
        let tree = connection.query_tree(window).ok()?.reply().ok()?;
        if tree.parent == tree.root || tree.parent == x11rb::NONE {
            return None;
        }
        window = tree.parent;
        if managed(window)? {
            return take(&connection, window);
        }
    }
    None
}

/// Has `window` take the keys. A toolkit puts them where no window lies under the mouse, if it is asked as a window manager
/// asks (ICCCM 4.1.7): keys that are given to the window itself still come to the one below it which the mouse is in, ours.
fn take(connection: &RustConnection, window: Window) -> Option<()> {
    let atom = |name: &[u8]| Some(connection.intern_atom(false, name).ok()?.reply().ok()?.atom);
    let (protocols, take_focus) = (atom(b"WM_PROTOCOLS")?, atom(b"WM_TAKE_FOCUS")?);
    let asked = connection.get_property(false, window, protocols, AtomEnum::ATOM, 0, 64).ok()?.reply().ok()?;
    if asked.value32()?.any(|protocol| protocol == take_focus) {
        let data = [take_focus, now(connection)?, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, protocols, data);
        return connection.send_event(false, window, EventMask::NO_EVENT, message).ok()?.check().ok();
    }
    connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).ok()?.check().ok()
}

/// The server's time. A toolkit that is slow to do what it is asked would otherwise take the keys from the next click.
fn now(connection: &RustConnection) -> Option<Timestamp> {
    let (root, window) = (connection.setup().roots.first()?.root, connection.generate_id().ok()?);
    let look = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    connection.create_window(0, window, root, -1, -1, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &look).ok()?;
    // Nothing is added: the server tells of it all the same, and when that was.
    connection.change_property8(PropMode::APPEND, window, AtomEnum::WM_NAME, AtomEnum::STRING, &[]).ok()?;
    connection.flush().ok()?;
    loop {
        match connection.wait_for_event().ok()? {
            Event::PropertyNotify(event) => return Some(event.time),
            Event::Error(_) => return None,
            _ => {}
        }
    }
}
