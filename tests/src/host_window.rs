//! A window of a host's on a screen without hardware, for plugins to open their editors in.

use std::path::Path;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::*;
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::bundle::in_own_process;
use crate::desk::screen;
use crate::fixtures;

/// Longest wait for something that comes: a hang otherwise.
const PATIENCE: Duration = Duration::from_secs(30);
/// What the lower right corner of an editor of Catena's shows, its window's ground.
pub const GROUND: u32 = 0x001b_1d22;

/// The host's side of the screen.
pub struct HostWindow {
    /// The host's connection.
    pub x: RustConnection,
    /// Its window.
    pub parent: u32,
}

impl HostWindow {
    /// A window that listens to the keyboard, on the screen that `DISPLAY` names.
    #[expect(clippy::new_without_default, reason = "it asks a server for a window")]
    pub fn new() -> Self {
        let (x, number) = x11rb::connect(None).expect("Xvfb");
        let (root, parent) = (x.setup().roots[number].root, x.generate_id().expect("a number"));
        // Black: a window in it without a ground of its own would begin with the picture of the one before.
        let keys = EventMask::KEY_PRESS | EventMask::KEY_RELEASE;
        let look = CreateWindowAux::new().event_mask(keys).background_pixel(0);
        x.create_window(0, parent, root, 0, 0, 1200, 900, 0, WindowClass::INPUT_OUTPUT, 0, &look).expect("a window");
        x.map_window(parent).expect("a window");
        x.flush().expect("a server");
        Self { x, parent }
    }

    /// The windows inside the host's.
    pub fn inside(&self) -> Vec<u32> {
        self.x.query_tree(self.parent).expect("a question").reply().expect("an answer").children
    }

    /// Waits until nothing is left inside: the server hears of the end of a window's own connection a little later.
    pub fn wait_empty(&self) {
        let end = Instant::now() + PATIENCE;
        while !self.inside().is_empty() {
            assert!(Instant::now() < end, "a window is left");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Width and height of a window, pixels.
    pub fn size(&self, window: u32) -> (u16, u16) {
        let at = self.x.get_geometry(window).expect("a question").reply().expect("an answer");
        (at.width, at.height)
    }

    /// Has the screen say a scale, or none.
    pub fn say_scale(&self, scale: Option<f64>) {
        let root = self.x.setup().roots[0].root;
        let text = scale.map(|scale| format!("Xft.dpi:\t{}\n", 96.0 * scale)).unwrap_or_default();
        let (property, string) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
        self.x.change_property8(PropMode::REPLACE, root, property, string, text.as_bytes()).expect("sent");
        self.x.get_input_focus().expect("sent").reply().expect("an answer");
    }

    /// What the lower right corner of the window inside shows; `None` where there is none.
    pub fn corner(&self) -> Option<u32> {
        let window = *self.inside().first()?;
        let (width, height) = self.size(window);
        let (x, y) = (width as i16 - 3, height as i16 - 3);
        let picture = self.x.get_image(ImageFormat::Z_PIXMAP, window, x, y, 1, 1, !0).ok()?.reply().ok()?;
        Some(u32::from_le_bytes(picture.data.get(..4)?.try_into().ok()?) & 0x00ff_ffff)
    }

    /// All windows of the screen, however deep.
    pub fn all_windows(&self) -> usize {
        let below =
            |window: u32| self.x.query_tree(window).expect("a question").reply().map_or(vec![], |tree| tree.children);
        let (mut count, mut left) = (0, vec![self.x.setup().roots[0].root]);
        while let Some(window) = left.pop() {
            count += 1;
            left.extend(below(window));
        }
        count
    }

    /// The keycode of a sign.
    pub fn code(&self, sign: u32) -> u8 {
        let first = self.x.setup().min_keycode;
        let count = self.x.setup().max_keycode - first + 1;
        let map = self.x.get_keyboard_mapping(first, count).expect("a question").reply().expect("an answer");
        let width = usize::from(map.keysyms_per_keycode);
        let at = map.keysyms.chunks(width).position(|signs| signs[0] == sign).expect("a key");
        first + at as u8
    }

    /// Presses keys one after another and lets them go backwards.
    pub fn press(&self, signs: &[u32]) {
        for sign in signs {
            self.x.xtest_fake_input(KEY_PRESS_EVENT, self.code(*sign), 0, 0, 0, 0, 0).expect("a key");
        }
        for sign in signs.iter().rev() {
            self.x.xtest_fake_input(KEY_RELEASE_EVENT, self.code(*sign), 0, 0, 0, 0, 0).expect("a key");
        }
        self.x.flush().expect("a server");
    }

    /// Keys that have reached the host's window since the last look: code and down or up.
    pub fn heard(&self) -> Vec<(u8, bool)> {
        std::iter::from_fn(|| self.x.poll_for_event().expect("a server"))
            .filter_map(|event| match event {
                Event::KeyPress(key) => Some((key.detail, true)),
                Event::KeyRelease(key) => Some((key.detail, false)),
                _ => None,
            })
            .collect()
    }

    /// Clicks on a point of the host's window.
    pub fn click(&self, x: i16, y: i16) {
        let root = self.x.query_tree(self.parent).expect("a question").reply().expect("an answer").root;
        let fake = |kind: u8, detail: u8, x, y| {
            self.x.xtest_fake_input(kind, detail, 0, root, x, y, 0).expect("a mouse");
            self.x.flush().expect("a server");
            std::thread::sleep(Duration::from_millis(40));
        };
        fake(MOTION_NOTIFY_EVENT, 0, x - 1, y);
        fake(MOTION_NOTIFY_EVENT, 0, x, y);
        fake(BUTTON_PRESS_EVENT, 1, 0, 0);
        fake(BUTTON_RELEASE_EVENT, 1, 0, 0);
    }
}

/// Runs `body` in a process of its own that has a screen and the CLAP fixtures; `more` are further variables. `name` is the
/// test's full name.
pub fn on_a_screen(name: &str, more: &[(&'static str, &str)], body: impl FnOnce()) {
    let mut server = None;
    let prepare = |home: &Path| {
        let (running, display) = screen();
        server = Some(running);
        let folder = home.join("clap");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(fixtures::clap(), folder.join("harmless.clap")).expect("the fixtures");
        let own = [("DISPLAY", format!(":{display}").into()), ("CLAP_PATH", folder), ("LV2_PATH", home.join("no-lv2"))];
        own.into_iter().chain(more.iter().map(|(name, value)| (*name, value.into()))).collect()
    };
    in_own_process(name, prepare, |_| body());
}
