//! Hosted plugins' own windows inside an editor's: shown where it has room for them, exchanged, cut, covered, made to float and taken
//! back, and none the worse for an editor that goes.
#![allow(unsafe_code, reason = "each test is a process of its own, whose display is set before anything runs")]

use std::path::Path;
use std::time::{Duration, Instant};

use catena_tests::desk::{Desk, Place};
use catena_tests::outside::Outside;
use catena_tests::session_bench::{Player, add, catalog, fixtures_catalog, live, lv2_catalog, session, until};
use host_core::model::{Catalog, PluginId, SlotId};
use host_core::session::{Area, Command, EditorId, Room, SessionHandle, SlotView};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

const BLUE: [u8; 3] = [0x20, 0x40, 0xc0];
const GROUND: [u8; 3] = [0x70, 0x70, 0x70];

/// A desk that this process's windows come up on. Each test is a process of its own.
fn desk() -> Desk {
    let desk = Desk::new();
    let home = tempfile::tempdir().unwrap().keep();
    // SAFETY: no other thread of this process runs yet. The folders are for what plugins keep of their windows.
    unsafe {
        std::env::set_var("DISPLAY", desk.display());
        std::env::set_var("HOME", &home);
        std::env::set_var("XDG_CONFIG_HOME", &home);
    }
    desk
}

/// A window as an editor has, of one colour.
struct Editor {
    id: EditorId,
    connection: RustConnection,
    window: Window,
}

impl Editor {
    fn open(desk: &Desk) -> Self {
        let (connection, screen) = RustConnection::connect(None).unwrap();
        let (root, window) = (connection.setup().roots[screen].root, connection.generate_id().unwrap());
        let look = CreateWindowAux::new().background_pixel(0x70_7070).event_mask(EventMask::KEY_PRESS);
        let class = WindowClass::INPUT_OUTPUT;
        connection.create_window(0, window, root, 0, 0, 700, 500, 0, class, 0, &look).unwrap();
        let (name, string) = (AtomEnum::WM_NAME, AtomEnum::STRING);
        connection.change_property8(PropMode::REPLACE, window, name, string, b"The editor").unwrap();
        connection.map_window(window).unwrap();
        connection.flush().unwrap();
        desk.wait_until_still(&desk.wait_for_window("The editor"));
        Self { id: EditorId::new(), connection, window }
    }

    /// Room of this size at 300, 50.
    fn room(&self, width: u32, height: u32) -> Room {
        let view = Area { x: 300, y: 50, width, height };
        Room { window: self.window, view, whole: (width, height), scale: 1.0, ..Room::default() }
    }

    fn seat(&self, handle: &SessionHandle, slot: SlotId, room: Room) {
        handle.seat(self.id, Some((slot, room)));
    }

    /// Destroys the window without a word to anybody.
    fn tear(self) {
        self.connection.destroy_window(self.window).unwrap();
        self.connection.flush().unwrap();
    }
}

fn place(desk: &Desk) -> Place {
    desk.wait_for_window("The editor")
}

/// The colour at a point of the editor.
fn at(desk: &Desk, x: i32, y: i32) -> [u8; 3] {
    let editor = place(desk);
    desk.picture().at(editor.x + x, editor.y + y)
}

fn wait_for_colours(desk: &Desk, what: &str, points: &[(i32, i32, [u8; 3])]) {
    desk.wait_for(what, || points.iter().all(|(x, y, colour)| at(desk, *x, *y) == *colour));
}

fn view(handle: &SessionHandle, slot: SlotId) -> SlotView {
    handle.snapshot().slots.iter().find(|view| view.id == slot).expect("the slot").clone()
}

fn count(outside: &Outside, what: &str) -> usize {
    outside.log().iter().filter(|line| *line == what).count()
}

#[test]
fn it_is_shown_in_its_room_and_exchanged_without_being_made_anew() {
    let (desk, outside) = (desk(), Outside::new());
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let (first, second, none) = (add(&handle, "window"), add(&handle, "window"), add(&handle, "gain"));
    let _player = Player::start(processor);
    let editor = Editor::open(&desk);
    editor.seat(&handle, first, editor.room(255, 203));
    // It takes steps of ten, and lies in the middle.
    wait_for_colours(&desk, "the window", &[(303, 51, BLUE), (550, 248, BLUE), (299, 51, GROUND), (400, 252, GROUND)]);
    assert!(until(|| view(&handle, first).window.inside == Some((250, 200))), "{:?}", view(&handle, first).window);
    assert!(!view(&handle, first).window.open, "it does not float");
    desk.show("inside-fixture");
    // It is turned where it lies.
    let corner = place(&desk);
    desk.click(corner.x + 320, corner.y + 100);
    assert!(until(|| view(&handle, first).values[0] == 0.75));
    // A larger room.
    editor.seat(&handle, first, editor.room(380, 300));
    wait_for_colours(&desk, "the larger window", &[(675, 345, BLUE)]);
    for _ in 0..3 {
        editor.seat(&handle, second, editor.room(255, 203));
        assert!(
            until(|| view(&handle, second).window.inside.is_some() && view(&handle, first).window.inside.is_none())
        );
        editor.seat(&handle, first, editor.room(255, 203));
        assert!(
            until(|| view(&handle, first).window.inside.is_some() && view(&handle, second).window.inside.is_none())
        );
        wait_for_colours(&desk, "the window again", &[(303, 51, BLUE), (299, 51, GROUND)]);
    }
    assert_eq!(count(&outside, "window window created"), 2);
    editor.seat(&handle, none, editor.room(255, 203));
    wait_for_colours(&desk, "a slot without a window", &[(400, 100, GROUND)]);
    handle.seat(editor.id, Some((first, editor.room(255, 203))));
    wait_for_colours(&desk, "the window once more", &[(400, 100, BLUE)]);
    handle.seat(editor.id, None);
    wait_for_colours(&desk, "nothing", &[(400, 100, GROUND)]);
    assert_eq!(count(&outside, "window window destroyed"), 0);
}

#[test]
fn what_lies_over_it_and_what_is_scrolled_away_is_not_seen() {
    let desk = desk();
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "window");
    let editor = Editor::open(&desk);
    let menu = Area { x: 320, y: 60, width: 50, height: 40 };
    let room = editor.room(200, 120);
    editor.seat(&handle, slot, Room { over: vec![menu], ..room.clone() });
    let points = [(310, 70, BLUE), (330, 70, GROUND), (368, 98, GROUND), (372, 70, BLUE), (330, 102, BLUE)];
    wait_for_colours(&desk, "a hole", &points);
    editor.seat(&handle, slot, room.clone());
    wait_for_colours(&desk, "no hole", &[(330, 70, BLUE)]);
    editor.seat(&handle, slot, Room { covered: true, ..room.clone() });
    wait_for_colours(&desk, "a dialog", &[(330, 70, GROUND), (480, 150, GROUND)]);
    // The window is larger than its room: a part of it is seen.
    let view = Area { width: 100, height: 60, ..room.view };
    editor.seat(&handle, slot, Room { view, ..room.clone() });
    wait_for_colours(&desk, "a part", &[(399, 109, BLUE), (401, 109, GROUND), (399, 111, GROUND)]);
    editor.seat(&handle, slot, Room { view, scrolled: (150, 0), ..room });
    wait_for_colours(&desk, "its end", &[(324, 70, GROUND), (326, 70, BLUE), (374, 70, BLUE), (376, 70, GROUND)]);
}

#[test]
fn it_floats_and_comes_back_as_it_is() {
    let (desk, outside) = (desk(), Outside::new());
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "window");
    let editor = Editor::open(&desk);
    editor.seat(&handle, slot, editor.room(250, 200));
    wait_for_colours(&desk, "the window", &[(310, 70, BLUE)]);
    handle.apply(Command::OpenWindow(slot)).unwrap();
    let floats = desk.wait_for_window("Fixture window - slot 1 - Catena");
    assert_eq!((floats.width, floats.height), (250, 200));
    assert!(view(&handle, slot).window.open);
    desk.move_to(&floats, 800, 600);
    wait_for_colours(&desk, "its room empty", &[(310, 70, GROUND)]);
    assert!(handle.chain().unwrap().slot(slot).unwrap().window.open);
    handle.apply(Command::PutBack(slot)).unwrap();
    wait_for_colours(&desk, "the window again", &[(310, 70, BLUE)]);
    desk.wait_until_gone("Fixture window");
    assert!(!view(&handle, slot).window.open);
    // Closed by its own frame it goes back as well.
    handle.apply(Command::OpenWindow(slot)).unwrap();
    let floats = desk.wait_for_window("Fixture window - slot 1 - Catena");
    wait_for_colours(&desk, "its room empty", &[(310, 70, GROUND)]);
    desk.close(&floats);
    wait_for_colours(&desk, "the window back", &[(310, 70, BLUE)]);
    assert_eq!((count(&outside, "window window created"), count(&outside, "window window destroyed")), (1, 0));
}

#[test]
fn an_editor_that_goes_takes_no_window_along() {
    let (desk, outside) = (desk(), Outside::new());
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "window");
    // With a word: everything is taken out first.
    let editor = Editor::open(&desk);
    editor.seat(&handle, slot, editor.room(250, 200));
    wait_for_colours(&desk, "the window", &[(310, 70, BLUE)]);
    handle.leave(editor.id);
    assert_eq!(at(&desk, 310, 70), GROUND, "it is out when this returns");
    // What it still asks for is too late.
    editor.seat(&handle, slot, editor.room(250, 200));
    editor.tear();
    desk.wait_until_gone("The editor");
    assert!(until(|| count(&outside, "window window destroyed") == 1), "{:?}", outside.log());
    // Without one.
    for times in 2..4 {
        let editor = Editor::open(&desk);
        editor.seat(&handle, slot, editor.room(250, 200));
        wait_for_colours(&desk, "the window", &[(310, 70, BLUE)]);
        editor.tear();
        assert!(until(|| count(&outside, "window window destroyed") == times), "{:?}", outside.log());
        assert!(until(|| view(&handle, slot).window.inside.is_none()));
    }
    assert_eq!(desk.windows().iter().filter(|place| place.name.contains("Fixture")).count(), 0);
    // An editor that has gone already.
    let editor = Editor::open(&desk);
    let (id, room) = (editor.id, editor.room(250, 200));
    editor.tear();
    handle.seat(id, Some((slot, room)));
    handle.settle();
    assert!(view(&handle, slot).window.inside.is_none());
    let editor = Editor::open(&desk);
    editor.seat(&handle, slot, editor.room(250, 200));
    wait_for_colours(&desk, "the window in the next one", &[(310, 70, BLUE)]);
}

#[test]
fn a_click_in_it_gives_it_the_keys() {
    let desk = desk();
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "window");
    let editor = Editor::open(&desk);
    editor.seat(&handle, slot, editor.room(250, 200));
    wait_for_colours(&desk, "the window", &[(310, 70, BLUE)]);
    let place = place(&desk);
    desk.activate(&place);
    desk.wait_for("the editor to have the keys", || desk.has_keys(&place));
    desk.point(place.x + 320, place.y + 100);
    std::thread::sleep(Duration::from_millis(100));
    assert!(desk.has_keys(&place), "a mouse that passes by takes no keys");
    desk.click(place.x + 320, place.y + 100);
    desk.wait_for("the plugin to have the keys", || !desk.has_keys(&place));
    let inside = desk.windows().into_iter().filter(|other| other.x >= place.x + 300 && other.width == 250);
    assert!(inside.into_iter().any(|other| desk.has_keys(&other)));
}

#[test]
fn of_eight_plugins_the_next_is_there_at_once() {
    let desk = desk();
    let mut plugins = Catalog::clone(&lv2_catalog(&["fil4.lv2", "lsp-plugins.lv2"]));
    plugins.plugins.extend(catalog(&[Path::new("/usr/lib/clap/ZamEQ2.clap")]).plugins.iter().cloned());
    plugins.plugins.extend(fixtures_catalog().plugins.iter().cloned());
    let (handle, processor) = session(&std::sync::Arc::new(plugins));
    handle.activate(live(256)).unwrap();
    let _player = Player::start(processor);
    let ids = [
        PluginId::clap("com.zamaudio.ZamEQ2"),
        PluginId::lv2("http://gareus.org/oss/lv2/fil4#stereo"),
        PluginId::clap("catena.fixture.window"),
        PluginId::lv2("http://lsp-plug.in/plugins/lv2/compressor_stereo"),
    ];
    let slots: Vec<_> = (0..8)
        .map(|index| {
            let plugin = ids[index % ids.len()].clone();
            handle.apply(Command::Add { plugin, index }).unwrap().unwrap()
        })
        .collect();
    let editor = Editor::open(&desk);
    for round in 0..3 {
        for slot in &slots {
            let begun = Instant::now();
            editor.seat(&handle, *slot, editor.room(390, 400));
            assert!(until(|| view(&handle, *slot).window.inside.is_some()), "{:?}", view(&handle, *slot).window);
            println!("round {round}: {} after {:?}", view(&handle, *slot).title, begun.elapsed());
            let seated = handle.snapshot().slots.iter().filter(|slot| slot.window.inside.is_some()).count();
            assert_eq!(seated, 1);
        }
    }
    desk.show("inside-eighth");
}
