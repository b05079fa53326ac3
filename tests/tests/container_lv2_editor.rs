//! The LV2 window: opens in the host's, has the size that it told, follows the host's, gives back every key that nobody in
//! it wants, and leaves nothing behind.

use std::time::{Duration, Instant};

use catena_tests::bundle::{Bundle, in_own_process};
use catena_tests::daw::chain;
use catena_tests::desk::screen;
use catena_tests::lv2_host::{Asked, Lv2File, Lv2Host, Lv2Window, Offer, Stored};
use catena_tests::outside::Outside;
use host_core::store;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::*;
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

const URI: &str = "urn:catena-audio:catena";
const PATIENCE: Duration = Duration::from_secs(30);

/// The host's side of the screen.
struct Desk {
    x: RustConnection,
    parent: u32,
}

impl Desk {
    /// A window that listens to the keyboard.
    fn new() -> Self {
        let (x, number) = x11rb::connect(None).expect("Xvfb");
        let (root, parent) = (x.setup().roots[number].root, x.generate_id().expect("a number"));
        let look = CreateWindowAux::new().event_mask(EventMask::KEY_PRESS | EventMask::KEY_RELEASE);
        x.create_window(0, parent, root, 0, 0, 900, 700, 0, WindowClass::INPUT_OUTPUT, 0, &look).expect("a window");
        x.map_window(parent).expect("a window");
        x.flush().expect("a server");
        Self { x, parent }
    }

    /// The windows inside the host's.
    fn inside(&self) -> Vec<u32> {
        self.x.query_tree(self.parent).expect("a question").reply().expect("an answer").children
    }

    /// Waits until nothing is left inside: the server hears of the end of a window's own connection a little later.
    fn wait_empty(&self) {
        let end = Instant::now() + PATIENCE;
        while !self.inside().is_empty() {
            assert!(Instant::now() < end, "a window is left");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn size(&self, window: u32) -> (u16, u16) {
        let at = self.x.get_geometry(window).expect("a question").reply().expect("an answer");
        (at.width, at.height)
    }

    /// The keycode of a sign.
    fn code(&self, sign: u32) -> u8 {
        let first = self.x.setup().min_keycode;
        let count = self.x.setup().max_keycode - first + 1;
        let map = self.x.get_keyboard_mapping(first, count).expect("a question").reply().expect("an answer");
        let width = usize::from(map.keysyms_per_keycode);
        let at = map.keysyms.chunks(width).position(|signs| signs[0] == sign).expect("a key");
        first + at as u8
    }

    /// Presses keys one after another and lets them go backwards.
    fn press(&self, signs: &[u32]) {
        for sign in signs {
            self.x.xtest_fake_input(KEY_PRESS_EVENT, self.code(*sign), 0, 0, 0, 0, 0).expect("a key");
        }
        for sign in signs.iter().rev() {
            self.x.xtest_fake_input(KEY_RELEASE_EVENT, self.code(*sign), 0, 0, 0, 0, 0).expect("a key");
        }
        self.x.flush().expect("a server");
    }

    /// Keys that have reached the host's window since the last look: code and down or up.
    fn heard(&self) -> Vec<(u8, bool)> {
        std::iter::from_fn(|| self.x.poll_for_event().expect("a server"))
            .filter_map(|event| match event {
                Event::KeyPress(key) => Some((key.detail, true)),
                Event::KeyRelease(key) => Some((key.detail, false)),
                _ => None,
            })
            .collect()
    }
}

/// Lets the window go on until `done`.
fn wait(window: &Lv2Window, what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !done() {
        assert!(window.idle(), "the window is gone");
        assert!(Instant::now() < end, "waited for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn on_a_screen(name: &str, body: impl FnOnce()) {
    let mut server = None;
    let prepare = |home: &std::path::Path| {
        let (running, display) = screen();
        server = Some(running);
        let folder = home.join("clap");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(catena_tests::fixtures::clap(), folder.join("harmless.clap")).expect("the fixtures");
        vec![("DISPLAY", format!(":{display}").into()), ("CLAP_PATH", folder), ("LV2_PATH", home.join("no-lv2"))]
    };
    in_own_process(name, prepare, |_| body());
}

#[test]
fn the_window_opens_in_the_hosts_at_its_size_and_follows_it() {
    on_a_screen("the_window_opens_in_the_hosts_at_its_size_and_follows_it", || {
        let (bundle, desk) = (Bundle::new(), Desk::new());
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URI, Offer::all(256));
        for _ in 0..10 {
            let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
            assert_eq!(desk.inside(), [window.widget]);
            assert!(Lv2Window::open(&file, &host, URI, desk.parent, 1.0).is_none(), "one at a time");
            wait(&window, "its size", || desk.size(window.widget) == (760, 480));
            assert_eq!(window.asked().first(), Some(&Asked::Size(760, 480)));
            assert!(window.resize(820, 600));
            wait(&window, "another size", || desk.size(window.widget) == (820, 600));
            assert!(window.resize(760, 480));
            wait(&window, "the first size", || desk.size(window.widget) == (760, 480));
            drop(window);
            desk.wait_empty();
        }
    });
}

#[test]
fn the_plugin_may_go_before_its_window() {
    on_a_screen("the_plugin_may_go_before_its_window", || {
        let (bundle, desk) = (Bundle::new(), Desk::new());
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URI, Offer::all(256));
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        wait(&window, "its size", || desk.size(window.widget) == (760, 480));
        drop(host);
        for _ in 0..20 {
            window.idle();
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(window);
        desk.wait_empty();
    });
}

#[test]
fn a_closed_plugin_lets_its_chain_go_whether_its_window_was_open_or_not() {
    on_a_screen("a_closed_plugin_lets_its_chain_go_whether_its_window_was_open_or_not", || {
        let (bundle, desk, outside) = (Bundle::new(), Desk::new(), Outside::new());
        let file = Lv2File::open(&bundle.lv2());
        for (opened, name) in [(false, "gain"), (true, "delay"), (true, "recorder")] {
            let mut host = Lv2Host::new(&file, URI, Offer::all(256));
            assert_eq!(host.restore(&[Stored::chain(&chain(&[(name, &[])]))], None), 0);
            host.activate();
            host.play(&[], 256, &[]);
            if opened {
                let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
                wait(&window, "its size", || desk.size(window.widget) == (760, 480));
                drop(window);
                desk.wait_empty();
            }
            host.deactivate();
            drop(host);
            let (gone, end) = (format!("{name} gone"), Instant::now() + PATIENCE);
            while !outside.log().contains(&gone) {
                assert!(Instant::now() < end, "{name}, window opened {opened}: {:?}", outside.log());
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    });
}

#[test]
fn a_window_leaves_the_bypass_as_the_host_has_set_it() {
    on_a_screen("a_window_leaves_the_bypass_as_the_host_has_set_it", || {
        let (bundle, desk) = (Bundle::new(), Desk::new());
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URI, Offer::all(256));
        assert_eq!(host.restore(&[Stored::chain(&chain(&[("gain", &[("100", 0.25)])]))], None), 0);
        host.activate();
        let bypassed = |host: &Lv2Host| store::unpack(&host.save(None).1[0].bytes).expect("a chain").bypass;
        for enabled in [0.0, 1.0, 0.0] {
            host.set("lv2_enabled", enabled);
            host.play(&[], 256, &[]);
            assert_eq!(bypassed(&host), enabled == 0.0);
            let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
            let end = Instant::now() + Duration::from_millis(500);
            while Instant::now() < end {
                assert!(window.idle());
                host.play(&[], 256, &[]);
                std::thread::sleep(Duration::from_millis(5));
            }
            assert_eq!(bypassed(&host), enabled == 0.0, "enabled {enabled}");
            let enabled_port = host.port("lv2_enabled") as u32;
            let told =
                window.asked().iter().any(|asked| matches!(asked, Asked::Value(port, _) if *port == enabled_port));
            assert!(!told, "nobody moved it inside");
            drop(window);
            desk.wait_empty();
        }
    });
}

#[test]
fn keys_that_nobody_wants_reach_the_host_and_typed_text_does_not() {
    const SPACE: u32 = 0x20;
    const ESCAPE: u32 = 0xFF1B;
    const CONTROL: u32 = 0xFFE3;
    on_a_screen("keys_that_nobody_wants_reach_the_host_and_typed_text_does_not", || {
        let (bundle, desk) = (Bundle::new(), Desk::new());
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URI, Offer::all(256));
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        let shown = || {
            let state = desk.x.get_window_attributes(window.widget).expect("a question").reply().expect("an answer");
            state.map_state == MapState::VIEWABLE
        };
        wait(&window, "the window", shown);
        desk.x.set_input_focus(InputFocus::PARENT, window.widget, x11rb::CURRENT_TIME).expect("the focus");
        let (space, mut heard) = (desk.code(SPACE), Vec::new());
        desk.press(&[SPACE]);
        wait(&window, "space", || {
            heard.extend(desk.heard());
            heard == [(space, true), (space, false)]
        });
        // Into the search field, and out of it again.
        heard.clear();
        desk.press(&[CONTROL, u32::from(b'f')]);
        std::thread::sleep(Duration::from_millis(200));
        for sign in *b"abc def" {
            desk.press(&[sign.into()]);
            std::thread::sleep(Duration::from_millis(50));
            window.idle();
        }
        desk.press(&[ESCAPE]);
        std::thread::sleep(Duration::from_millis(200));
        desk.press(&[u32::from(b'g')]);
        let after = desk.code(u32::from(b'g'));
        wait(&window, "the key after it", || {
            heard.extend(desk.heard());
            heard.last() == Some(&(after, false))
        });
        assert_eq!(heard, [(after, true), (after, false)]);
    });
}
