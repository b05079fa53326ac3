//! The LV2 window: opens in the host's, has the size that it told, follows the host's, gives back every key that nobody in
//! it wants, and leaves nothing behind.

use std::time::{Duration, Instant};

use catena_tests::bundle::Bundle;
use catena_tests::daw::chain;
use catena_tests::host_window::{HostWindow, on_a_screen};
use catena_tests::lv2_host::{Asked, Lv2File, Lv2Host, Lv2Window, Offer, Played, Stored, threads};
use catena_tests::outside::Outside;
use host_core::store;
use x11rb::protocol::xproto::*;

const URI: &str = "urn:catena-audio:catena";
const PATIENCE: Duration = Duration::from_secs(30);
/// Nothing of ours takes so long; 500 ms is what is promised (`cargo xtask bench formats` measures it).
const HANG: Duration = Duration::from_secs(10);

/// The search, pixels of the window.
const SEARCH: (i16, i16) = (880, 143);
/// The first slot's bypass, pixels of the window.
const BYPASS: (i16, i16) = (513, 108);

/// Lets the window go on until `done`.
fn wait(window: &Lv2Window, what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !done() {
        assert!(window.idle(), "the window is gone");
        assert!(Instant::now() < end, "waited for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_window_opens_in_the_hosts_at_its_size_and_follows_it() {
    on_a_screen("the_window_opens_in_the_hosts_at_its_size_and_follows_it", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URI, Offer::all(256));
        for _ in 0..10 {
            let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
            assert_eq!(desk.inside(), [window.widget]);
            assert!(Lv2Window::open(&file, &host, URI, desk.parent, 1.0).is_none(), "one at a time");
            wait(&window, "its size", || desk.size(window.widget) == (1000, 620));
            assert_eq!(window.asked().first(), Some(&Asked::Size(1000, 620)));
            assert!(window.resize(1100, 700));
            wait(&window, "another size", || desk.size(window.widget) == (1100, 700));
            assert!(window.resize(1000, 620));
            wait(&window, "the first size", || desk.size(window.widget) == (1000, 620));
            drop(window);
            desk.wait_empty();
        }
    });
}

#[test]
fn the_plugin_may_go_before_its_window() {
    on_a_screen("the_plugin_may_go_before_its_window", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URI, Offer::all(256));
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        wait(&window, "its size", || desk.size(window.widget) == (1000, 620));
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
fn a_plugin_that_goes_at_once_with_its_window_leaves_nothing_behind() {
    on_a_screen("a_plugin_that_goes_at_once_with_its_window_leaves_nothing_behind", &[], || {
        let (bundle, desk, outside) = (Bundle::new(), HostWindow::new(), Outside::new());
        let file = Lv2File::open(&bundle.lv2());
        let slots: &[(_, &[_])] =
            &[("delay", &[("100", 512.0)]), ("gain", &[]), ("note-echo", &[]), ("big-state", &[])];
        let gone = |name: &str| outside.log().iter().filter(|line| **line == format!("{name} gone")).count();
        let mut threads_before = None;
        for cycle in 1..=10 {
            let mut host = Lv2Host::new(&file, URI, Offer::all(256));
            assert_eq!(host.restore(&[Stored::chain(&chain(slots))], None), 0);
            host.activate();
            host.play(&[], 256, &[]);
            let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
            wait(&window, "its size", || desk.size(window.widget) == (1000, 620));
            host.play(&[], 256, &[]);
            // As a DAW does when the user takes the plugin out: the window, and in the same breath the plugin.
            let began = Instant::now();
            window.close();
            host.deactivate();
            drop(host);
            let returned = began.elapsed();
            let left = || {
                let plugins = slots.iter().any(|(name, _)| gone(name) < cycle);
                plugins || !desk.inside().is_empty() || threads_before.is_some_and(|before| threads() > before)
            };
            while left() {
                assert!(began.elapsed() < HANG, "cycle {cycle}: {} threads, {:?}", threads(), outside.log());
                std::thread::sleep(Duration::from_millis(1));
            }
            println!("cycle {cycle}: returned after {returned:?}, gone after {:?}", began.elapsed());
            if threads_before.is_none() {
                // What is once in a process stays; the first window's own thread ends.
                std::thread::sleep(Duration::from_secs(1));
                threads_before = Some(threads());
            }
        }
    });
}

#[test]
fn an_edit_with_the_mouse_is_heard_saved_and_told_the_host() {
    on_a_screen("an_edit_with_the_mouse_is_heard_saved_and_told_the_host", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URI, Offer::all(64));
        assert_eq!(host.restore(&[Stored::chain(&chain(&[("gain", &[("100", 0.25)])]))], None), 0);
        host.activate();
        for _ in 0..30 {
            host.play(&[], 64, &[]);
        }
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        wait(&window, "its size", || desk.size(window.widget) == (1000, 620));
        let sound = [1.0; 64];
        let (end, mut clicked, mut told) = (Instant::now() + PATIENCE, None::<Instant>, false);
        loop {
            assert!(window.idle() && Instant::now() < end, "clicked {clicked:?}, told {told}");
            // It may not be drawn yet.
            if !told && clicked.is_none_or(|at| at.elapsed() > Duration::from_secs(2)) {
                desk.click(BYPASS.0, BYPASS.1);
                clicked = Some(Instant::now());
            }
            let (heard, events) = host.play(&[&sound, &sound], 64, &[]);
            if events.contains(&Played::StateChanged) {
                told = true;
                println!("told {:?} after the click", clicked.map(|at| at.elapsed()));
            }
            if told && heard[0][63] == 1.0 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(window);
        let saved = store::unpack(&host.save(None).1[0].bytes).expect("a chain");
        assert!(saved.slots().next().expect("a slot").bypass);
    });
}

#[test]
fn what_a_scan_finds_while_the_window_is_open_is_offered_in_it() {
    const RETURN: u32 = 0xFF0D;
    const CONTROL: u32 = 0xFFE3;
    on_a_screen("what_a_scan_finds_while_the_window_is_open_is_offered_in_it", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URI, Offer::all(256));
        host.activate();
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        wait(&window, "its size", || desk.size(window.widget) == (1000, 620));
        let slots = |host: &Lv2Host| store::unpack(&host.save(None).1[0].bytes).expect("a chain").slots().count();
        assert_eq!(slots(&host), 0);
        let mut scan = std::process::Command::new(catena_tests::built::folder().join("catena"));
        assert!(scan.arg("scan").stdout(std::process::Stdio::null()).status().expect("catena").success());
        let end = Instant::now() + PATIENCE;
        while slots(&host) == 0 {
            assert!(Instant::now() < end, "nothing is found");
            desk.click(SEARCH.0, SEARCH.1);
            // What an earlier try has left.
            desk.press(&[CONTROL, u32::from(b'a')]);
            std::thread::sleep(Duration::from_millis(200));
            b"fixture gain".iter().for_each(|sign| desk.press(&[u32::from(*sign)]));
            // Nobody types so fast that a line and what adds it fall into one picture.
            std::thread::sleep(Duration::from_millis(500));
            desk.press(&[RETURN]);
            for _ in 0..100 {
                assert!(window.idle(), "the window is gone");
                host.play(&[], 256, &[]);
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    });
}

#[test]
fn a_closed_plugin_lets_its_chain_go_whether_its_window_was_open_or_not() {
    on_a_screen("a_closed_plugin_lets_its_chain_go_whether_its_window_was_open_or_not", &[], || {
        let (bundle, desk, outside) = (Bundle::new(), HostWindow::new(), Outside::new());
        let file = Lv2File::open(&bundle.lv2());
        for (opened, name) in [(false, "gain"), (true, "delay"), (true, "recorder")] {
            let mut host = Lv2Host::new(&file, URI, Offer::all(256));
            assert_eq!(host.restore(&[Stored::chain(&chain(&[(name, &[])]))], None), 0);
            host.activate();
            host.play(&[], 256, &[]);
            if opened {
                let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
                wait(&window, "its size", || desk.size(window.widget) == (1000, 620));
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
    on_a_screen("a_window_leaves_the_bypass_as_the_host_has_set_it", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
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
    on_a_screen("keys_that_nobody_wants_reach_the_host_and_typed_text_does_not", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
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
