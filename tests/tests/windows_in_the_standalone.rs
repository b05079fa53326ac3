//! Plugins' own windows in the standalone's: a slot is shown, turned, made to float, saved, and shown again by the next program.

use catena_tests::cli::Home;
use catena_tests::desk::{Desk, Place};
use catena_tests::standalone::Standalone;
use host_core::model::{Chain, Slot};
use host_core::store;

/// What the fixture's window shows.
const BLUE: [u8; 3] = [0x20, 0x40, 0xc0];

fn colours(desk: &Desk, place: &Place) -> usize {
    let part = desk.picture().part(place.x, place.y, place.width, place.height);
    part.into_iter().collect::<std::collections::BTreeSet<_>>().len()
}

fn middle(desk: &Desk, place: &Place) -> [u8; 3] {
    desk.picture().at(place.x + place.width / 2, place.y + place.height / 2)
}

fn made(home: &Home, file: &str) -> Chain {
    store::read(&home.path(file)).unwrap()
}

#[test]
fn a_slots_window_is_turned_inside_floats_and_is_there_again() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    home.ok(["new", "c.catena", "catena.fixture.window", "catena.fixture.gain"]);
    let catena = Standalone::start(&home, &desk, "c.catena");
    let blue = |place: &Place| middle(&desk, place) == BLUE;
    catena.choose(0);
    catena.press("Return");
    let place = catena.inside(blue);
    desk.show("standalone-inside");
    desk.click(place.x + place.width / 4, place.y + place.height / 2);
    catena.save_until("what was turned", 0, |slot| slot.params.values().any(|value| *value == 0.75));
    // The next slot has no window: the first one's is gone, and comes back.
    catena.choose(0);
    catena.press("Down");
    desk.wait_for("the slot without a window", || !blue(&place));
    desk.show("standalone-parameters");
    catena.press("Up");
    catena.inside(blue);
    catena.press("e");
    let floats = desk.wait_for_window("Fixture window - slot 1");
    desk.wait_for("the place to be empty", || {
        desk.move_to(&floats, 0, 900);
        !blue(&place)
    });
    catena.save_until("that it floats", 0, |slot| slot.window.open && slot.window.inside);
    desk.activate(&catena.window());
    catena.choose(0);
    catena.press("e");
    catena.inside(blue);
    assert_eq!(desk.find("Fixture window"), None);
    catena.save_until("that it is inside", 0, |slot| !slot.window.open && slot.window.inside);
    catena.close();
    assert!(made(&home, "c.catena").slots().next().unwrap().window.inside);
    let catena = Standalone::start(&home, &desk, "c.catena");
    catena.inside(blue);
    catena.close();
}

#[test]
fn a_real_plugins_window_is_turned_inside() {
    let (home, desk) = (Home::scanned(), Desk::new());
    home.ok(["new", "z.catena", "clap:com.zamaudio.ZamEQ2", "lv2:http://gareus.org/oss/lv2/fil4#stereo"]);
    let values = |slot: &Slot| slot.params.clone();
    let before = made(&home, "z.catena").slots().map(values).collect::<Vec<_>>();
    let catena = Standalone::start(&home, &desk, "z.catena");
    let drawn = |place: &Place| colours(&desk, place) > 100;
    catena.choose(0);
    catena.press("Return");
    let place = catena.inside(drawn);
    desk.show("standalone-inside-zam");
    // The gain of the low band.
    desk.drag(place.x + 112, place.y + 71, (0, -30));
    catena.save_until("what was turned", 0, |slot| slot.params != before[0]);
    catena.choose(0);
    catena.press("Down");
    catena.inside(|place| drawn(place) && place.height > 250);
    desk.show("standalone-inside-x42");
    catena.save_until("what is shown", 1, |slot| slot.window.inside);
    catena.close();
    let catena = Standalone::start(&home, &desk, "z.catena");
    catena.inside(|place| drawn(place) && place.height > 250);
    catena.close();
}
