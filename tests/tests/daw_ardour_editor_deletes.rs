//! In Ardour's own window: while the rack of the editor has the keys, Delete and Ctrl+Z are the rack's and never reach Ardour,
//! whose selected region stays and whose last edit is not undone; space and what else the rack has no use for is Ardour's. What is
//! typed into the search is there, letter for letter.

use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::ardour_window::{ArdourWindow, cards};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::desk::{Desk, Place};
use host_core::model::Chain;

/// Places of the tracks in Ardour's window.
const CHAIN: i32 = 0;
const OTHER: i32 = 1;

/// Puts the keys where a click there does.
fn click(window: &mut ArdourWindow, desk: &Desk, editor: &Place, at: (i32, i32)) {
    desk.wait_until_still(editor);
    desk.click(at.0, at.1);
    window.wait_for("the editor to have the keys", |_| desk.has_keys(editor));
}

fn deletes_stay(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[stereo("chain"), stereo("other")], 1.1);
    ardour.set_chain("chain", &chain(&[("delay", &[("100", 512.0)]), ("gain", &[])]));
    let desk = Desk::new();
    let mut window = ArdourWindow::open(&ardour, &desk);

    // Something that Ardour could undo, and a region that it could delete.
    window.select_region(OTHER);
    desk.press("Delete");
    window.save_until_regions("a region deleted by Ardour", &[("chain", 1), ("other", 0)]);
    window.select_region(CHAIN);

    let editor = window.open_editor();
    window.wait_for("both slots", |_| cards(&desk.picture(), &editor).len() == 2);
    desk.wait_until_still(&editor);
    let card = |desk: &Desk, place: usize| {
        let cards = cards(&desk.picture(), &editor);
        (editor.x + 60, cards.get(place).map_or(editor.y + 200, |top| top + 14))
    };
    let second = card(&desk, 1);
    click(&mut window, &desk, &editor, second);
    desk.wait_until_still(&editor);
    desk.show("ardour-rack-focused");
    desk.press("ctrl+z");
    desk.press("space");
    window.wait_for_roll(true);
    desk.press("space");
    window.wait_for_roll(false);
    assert!(desk.has_keys(&editor), "the rack keeps the keys");
    desk.press("Delete");
    window.wait_for("the second slot to go", |_| cards(&desk.picture(), &editor).len() == 1);
    // A button of the one that is left, which then has the keys.
    let bypass = (editor.x + 513, card(&desk, 0).1 + 10);
    click(&mut window, &desk, &editor, bypass);
    desk.press("ctrl+z");
    desk.press("Delete");
    window.wait_for("the first slot to go", |_| cards(&desk.picture(), &editor).is_empty());
    desk.wait_until_still(&editor);
    desk.show("ardour-rack-empty");
    // Once too often; what went comes back and goes again.
    desk.press("Delete");
    desk.press("ctrl+z");
    window.wait_for("the first slot to come back", |_| cards(&desk.picture(), &editor).len() == 1);
    desk.press("ctrl+shift+z");
    window.wait_for("the first slot to go again", |_| cards(&desk.picture(), &editor).is_empty());
    assert!(desk.has_keys(&editor), "the empty rack keeps the keys");

    // The search; what is in it is cut out and put into the chain's name.
    click(&mut window, &desk, &editor, (editor.right() - 120, editor.y + 143));
    desk.wait_until_still(&editor);
    desk.type_text("abc def");
    desk.wait_until_still(&editor);
    desk.show("ardour-search");
    desk.press("ctrl+a");
    desk.press("ctrl+x");
    click(&mut window, &desk, &editor, (editor.x + 150, editor.y + 20));
    desk.wait_until_still(&editor);
    desk.press("ctrl+v");
    desk.press("Return");
    let wanted = |chain: &Chain| chain.name == "abc def" && chain.slots().count() == 0;
    window.save_until("the name and the empty rack in the session", wanted);
    window.save_until_regions("the regions as they were", &[("chain", 1), ("other", 0)]);

    // It was selected all the time, and there was something to undo.
    let main = window.main();
    desk.activate(&main);
    desk.press("Delete");
    window.save_until_regions("the other region deleted by Ardour", &[("chain", 0), ("other", 0)]);
    desk.press("ctrl+z");
    window.save_until_regions("Ardour to undo one", &[("chain", 1), ("other", 0)]);
    desk.press("ctrl+z");
    window.save_until_regions("Ardour to undo the other", &[("chain", 1), ("other", 1)]);
    assert!(window.lives());
}

#[test]
fn deletes_in_the_vst3s_rack_are_not_ardours() {
    with_fixtures("deletes_in_the_vst3s_rack_are_not_ardours", || deletes_stay(Format::Vst3));
}

#[test]
fn deletes_in_the_lv2s_rack_are_not_ardours() {
    with_fixtures("deletes_in_the_lv2s_rack_are_not_ardours", || deletes_stay(Format::Lv2));
}
