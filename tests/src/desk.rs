//! A desk to work at: a screen without hardware, a window manager, a hand on mouse and keys, an eye on what is shown.

mod picture;

use std::io::{BufRead, BufReader, IoSlice};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, ImageFormat, MapState, Window,
};
use x11rb::rust_connection::RustConnection;

pub use self::picture::Picture;
use crate::running::Running;

/// Longest wait for something to appear: a DAW starts within it on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two movements of the hand.
const PAUSE: Duration = Duration::from_millis(40);

/// A picture that stays for so long is still.
const STILL: Duration = Duration::from_millis(150);

/// Longer than a screen takes for many pictures.
pub const LATE: Duration = Duration::from_millis(500);

/// Kinds of faked input (X11 protocol, events; XTEST, `FakeInput`).
const KEY: u8 = 2;
const BUTTON: u8 = 4;
const MOTION: u8 = 6;

/// A screen without hardware, on a number that the server finds free.
pub fn screen() -> (Running, String) {
    screen_of("1600x1200")
}

/// One of this size.
pub fn screen_of(size: &str) -> (Running, String) {
    let mut child = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", &format!("{size}x24"), "-nolisten", "tcp"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a number");
    (Running(child), line.trim().into())
}

/// A screen, its window manager, and a client of it.
pub struct Desk {
    connection: RustConnection,
    root: Window,
    keys: Keys,
    display: String,
    manager: Running,
    _screen: Running,
}

/// What the keyboard's keys mean.
struct Keys {
    first: u8,
    each: usize,
    symbols: Vec<u32>,
}

/// A window that is seen, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The window.
    pub window: Window,
    /// Its title, empty for none.
    pub name: String,
    /// Left edge on the screen, pixels.
    pub x: i32,
    /// Upper edge on the screen, pixels.
    pub y: i32,
    /// Pixels.
    pub width: i32,
    /// Pixels.
    pub height: i32,
}

impl Place {
    /// Right edge on the screen, pixels.
    pub fn right(&self) -> i32 {
        self.x + self.width
    }

    /// Lower edge on the screen, pixels.
    pub fn bottom(&self) -> i32 {
        self.y + self.height
    }
}

impl Desk {
    /// An empty one.
    pub fn new() -> Self {
        Self::of_screen(screen())
    }

    /// One on a screen of this size.
    pub fn of_size(size: &str) -> Self {
        Self::of_screen(screen_of(size))
    }

    fn of_screen((screen, display): (Running, String)) -> Self {
        let display = format!(":{display}");
        let (connection, number) = RustConnection::connect(Some(&display)).expect("the screen");
        let setup = connection.setup();
        let root = setup.roots[number].root;
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let map =
            connection.get_keyboard_mapping(first, last - first + 1).expect("sent").reply().expect("the keyboard");
        let keys = Keys { first, each: usize::from(map.keysyms_per_keycode), symbols: map.keysyms };
        let mut manager = Command::new("openbox");
        manager.env("DISPLAY", &display).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let manager = Running(manager.spawn().expect("openbox is installed"));
        let desk = Self { connection, root, keys, display, manager, _screen: screen };
        desk.wait_for("the window manager", || desk.has_property("_NET_SUPPORTING_WM_CHECK"));
        desk
    }

    /// For `DISPLAY`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Has the window manager sleep while `work` is done, and until what was asked of it meanwhile is long due.
    pub fn while_manager_sleeps<T>(&self, work: impl FnOnce() -> T) -> T {
        let pid = i32::try_from(self.manager.0.id()).ok().and_then(Pid::from_raw).expect("it runs");
        kill_process(pid, Signal::STOP).expect("it runs");
        let done = work();
        std::thread::sleep(LATE);
        kill_process(pid, Signal::CONT).expect("it runs");
        done
    }

    /// Waits until a program has made a window that is not shown yet.
    pub fn wait_for_hidden_window(&self, name: &str) {
        self.wait_for(&format!("the hidden window {name}"), || {
            let tree = self.connection.query_tree(self.root).expect("sent").reply().expect("the screen's windows");
            tree.children.into_iter().any(|window| self.name(window).is_some_and(|its| its.contains(name)))
        });
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).expect("sent").reply().expect("an atom").atom
    }

    fn has_property(&self, name: &str) -> bool {
        let property = self.connection.get_property(false, self.root, self.atom(name), AtomEnum::ANY, 0, 1);
        property.expect("sent").reply().is_ok_and(|property| property.type_ != 0)
    }

    /// The windows that are seen, those in front last.
    pub fn windows(&self) -> Vec<Place> {
        let mut found = Vec::new();
        self.collect(self.root, &mut found);
        found
    }

    /// A window may go while it is looked at: what does not answer is not there.
    fn collect(&self, parent: Window, found: &mut Vec<Place>) {
        let Ok(tree) = self.connection.query_tree(parent).expect("sent").reply() else { return };
        for window in tree.children {
            let Some(place) = self.place(window) else { continue };
            found.push(place);
            self.collect(window, found);
        }
    }

    fn place(&self, window: Window) -> Option<Place> {
        let attributes = self.connection.get_window_attributes(window).ok()?.reply().ok()?;
        if attributes.map_state != MapState::VIEWABLE {
            return None;
        }
        let size = self.connection.get_geometry(window).ok()?.reply().ok()?;
        let at = self.connection.translate_coordinates(window, self.root, 0, 0).ok()?.reply().ok()?;
        let name = self.name(window)?;
        let (width, height) = (i32::from(size.width), i32::from(size.height));
        Some(Place { window, name, x: at.dst_x.into(), y: at.dst_y.into(), width, height })
    }

    fn name(&self, window: Window) -> Option<String> {
        let name = self.connection.get_property(false, window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 1024);
        Some(String::from_utf8_lossy(&name.ok()?.reply().ok()?.value).into_owned())
    }

    /// The window whose title holds `name`.
    pub fn find(&self, name: &str) -> Option<Place> {
        self.windows().into_iter().find(|place| place.name.contains(name))
    }

    /// Waits for the window whose title holds `name`.
    pub fn wait_for_window(&self, name: &str) -> Place {
        let mut found = None;
        self.wait_for(&format!("the window {name}"), || {
            found = self.find(name);
            found.is_some()
        });
        found.expect("just seen")
    }

    /// Waits until no window has a title that holds `name`.
    pub fn wait_until_gone(&self, name: &str) {
        self.wait_for(&format!("{name} to close"), || self.find(name).is_none());
    }

    /// Asks the window manager to close a window, as its corner does.
    pub fn close(&self, place: &Place) {
        self.ask_manager(place, "_NET_CLOSE_WINDOW", [0, 2, 0, 0, 0]);
    }

    /// Asks the window manager for a window to be in front and have the keys.
    pub fn activate(&self, place: &Place) {
        self.ask_manager(place, "_NET_ACTIVE_WINDOW", [2, 0, 0, 0, 0]);
    }

    fn ask_manager(&self, place: &Place, what: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, place.window, self.atom(what), data);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection.send_event(false, self.root, mask, message).expect("sent");
        self.settle();
    }

    /// Whether the keys go to that very window.
    pub fn has_keys(&self, place: &Place) -> bool {
        self.keys_go_to() == place.window
    }

    fn keys_go_to(&self) -> Window {
        self.connection.get_input_focus().expect("sent").reply().expect("an answer").focus
    }

    /// Moves a window's frame.
    pub fn move_to(&self, place: &Place, x: i32, y: i32) {
        self.connection.configure_window(place.window, &ConfigureWindowAux::new().x(x).y(y)).expect("sent");
        self.settle();
    }

    /// Gives a window another size, as by its frame.
    pub fn resize(&self, place: &Place, width: i32, height: i32) {
        let size = ConfigureWindowAux::new().width(width as u32).height(height as u32);
        self.connection.configure_window(place.window, &size).expect("sent");
        self.settle();
    }

    /// Returns when the server has done all that was asked.
    fn settle(&self) {
        let _asked = self.connection.get_input_focus().expect("sent").reply().expect("an answer");
        std::thread::sleep(PAUSE);
    }

    /// XTEST's `FakeInput`, by hand: the crate's own would be a feature that nothing else in the workspace has.
    fn fake(&self, kind: u8, detail: u8, x: i32, y: i32) {
        let extension = self.connection.extension_information("XTEST").expect("asked").expect("the server has XTEST");
        let mut request = [0; 36];
        request[..6].copy_from_slice(&[extension.major_opcode, 2, 0, 0, kind, detail]);
        // The length, in fours; the time: now; where; of no device in particular.
        request[2..4].copy_from_slice(&9_u16.to_ne_bytes());
        request[12..16].copy_from_slice(&self.root.to_ne_bytes());
        request[24..26].copy_from_slice(&(x as i16).to_ne_bytes());
        request[26..28].copy_from_slice(&(y as i16).to_ne_bytes());
        let sent = self.connection.send_request_without_reply(&[IoSlice::new(&request)], Vec::new());
        sent.expect("sent").check().expect("faked");
    }

    /// Moves the mouse.
    pub fn point(&self, x: i32, y: i32) {
        self.fake(MOTION, 0, x, y);
        std::thread::sleep(PAUSE);
    }

    /// Clicks there.
    pub fn click(&self, x: i32, y: i32) {
        // A toolkit takes a click where it last saw the mouse move.
        self.point(x - 1, y);
        self.point(x, y);
        self.button();
    }

    /// Clicks there twice.
    pub fn double_click(&self, x: i32, y: i32) {
        self.click(x, y);
        self.button();
    }

    /// Drags from there by so much, in steps as a hand makes them.
    pub fn drag(&self, x: i32, y: i32, (right, down): (i32, i32)) {
        self.point(x - 1, y);
        self.point(x, y);
        self.fake(BUTTON, 1, 0, 0);
        std::thread::sleep(PAUSE);
        (1..=4).for_each(|step| self.point(x + right * step / 4, y + down * step / 4));
        self.fake(BUTTON + 1, 1, 0, 0);
        std::thread::sleep(PAUSE);
    }

    fn button(&self) {
        for kind in [BUTTON, BUTTON + 1] {
            self.fake(kind, 1, 0, 0);
            std::thread::sleep(PAUSE);
        }
    }

    /// Presses a key with others held: `ctrl+s`, `Delete`, `a`.
    pub fn press(&self, keys: &str) {
        let codes: Vec<_> = keys.split('+').map(|key| self.keys.code(key)).collect();
        codes.iter().for_each(|code| self.fake(KEY, *code, 0, 0));
        codes.iter().rev().for_each(|code| self.fake(KEY + 1, *code, 0, 0));
        std::thread::sleep(PAUSE);
    }

    /// Types small letters, digits and spaces.
    pub fn type_text(&self, text: &str) {
        for letter in text.chars() {
            let key = if letter == ' ' { "space".to_owned() } else { letter.to_string() };
            self.press(&key);
        }
    }

    /// Waits until `done`; keeps a picture of the screen where that does not come.
    pub fn wait_for(&self, what: &str, mut done: impl FnMut() -> bool) {
        let end = Instant::now() + PATIENCE;
        while !done() {
            if Instant::now() > end {
                self.show("waited");
                panic!("waited for {what}");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until a window's picture stays as it is: what is in it has found its place.
    pub fn wait_until_still(&self, place: &Place) {
        let mut last = Vec::new();
        self.wait_for(&format!("a still picture of {}", place.name), || {
            std::thread::sleep(STILL);
            let now = self.picture().part(place.x, place.y, place.width, place.height);
            std::mem::replace(&mut last, now.clone()) == now
        });
    }

    /// Keeps a picture of the screen, for people to look at, in the folder that `CATENA_TEST_PICTURES` names.
    pub fn show(&self, name: &str) {
        if let Some(folder) = std::env::var_os("CATENA_TEST_PICTURES") {
            self.picture().save(&Path::new(&folder).join(format!("{name}.ppm")));
        }
    }

    /// What a window shows, and what lies over it.
    pub fn picture_of(&self, place: &Place) -> Picture {
        let (x, y, width, height) = (place.x as i16, place.y as i16, place.width as u16, place.height as u16);
        let part = self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, x, y, width, height, !0);
        Picture::new(place.width, place.height, part.expect("sent").reply().expect("a picture").data)
    }

    /// What the screen shows.
    pub fn picture(&self) -> Picture {
        let size = self.connection.get_geometry(self.root).expect("sent").reply().expect("the screen's size");
        let all = self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, 0, 0, size.width, size.height, !0);
        let bytes = all.expect("sent").reply().expect("a picture").data;
        Picture::new(size.width.into(), size.height.into(), bytes)
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}

impl Keys {
    fn code(&self, key: &str) -> u8 {
        let symbol = match key {
            "ctrl" => 0xffe3,
            "shift" => 0xffe1,
            "alt" => 0xffe9,
            "Delete" => 0xffff,
            "Return" => 0xff0d,
            "Escape" => 0xff1b,
            "Home" => 0xff50,
            "Up" => 0xff52,
            "Right" => 0xff53,
            "Down" => 0xff54,
            "Tab" => 0xff09,
            "space" => 0x20,
            letter => u32::from(letter.chars().next().expect("a key")),
        };
        let at = self.symbols.iter().step_by(self.each).position(|known| *known == symbol).expect("a key for it");
        self.first + at as u8
    }
}
