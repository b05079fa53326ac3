//! In Ardour's own window the editor opens, shows the chain, obeys the mouse, closes, and opens again.

use std::time::Duration;

use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::ardour_window::{ArdourWindow, cards};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::desk::Desk;

/// How often the editor is opened again.
const CYCLES: usize = 10;

/// Ground of a button that is on.
const ON: [u8; 3] = [0x1f, 0x46, 0x58];

fn opens_again(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[stereo("chain")], 0.0);
    ardour.set_chain("chain", &chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.25)])]));
    let desk = Desk::new();
    let mut window = ArdourWindow::open(&ardour, &desk);
    let editor = window.open_editor();
    assert_eq!((editor.width, editor.height), (1000, 620));
    window.wait_for("both slots", |_| cards(&desk.picture(), &editor).len() == 2);
    desk.show("ardour-editor");
    // The button that bypasses the second slot does, and nothing else: what is shown there is the gain.
    let button = || (editor.x + 513, cards(&desk.picture(), &editor).get(1).map_or(0, |card| card + 24));
    window.click_until(
        "the button to be on",
        |_| button(),
        |_| {
            let (x, y) = button();
            desk.picture().count(x - 20, y - 10, 40, 20, |point| point == ON) > 300
        },
    );
    desk.show("ardour-editor-bypassed");
    window.save_until("the second slot's bypass in the session", |chain| {
        chain.slots().map(|slot| slot.bypass).eq([false, true])
    });
    window.close_editor();
    // What a window leaves behind for a moment, Mesa's threads above all, is gone when three looks agree.
    let mut looks = Vec::new();
    window.wait_for("threads and descriptors to come to rest", |window| {
        std::thread::sleep(Duration::from_secs(1));
        looks.push([window.threads(), window.descriptors(), desk.windows().len()]);
        looks.len() > 2 && looks.iter().rev().take(3).all(|look| *look == looks[looks.len() - 1])
    });
    let before = looks[looks.len() - 1];
    for _ in 0..CYCLES {
        let editor = window.open_editor();
        window.wait_for("both slots again", |_| cards(&desk.picture(), &editor).len() == 2);
        window.close_editor();
    }
    // Ardour's own come and go (a hint under the mouse); what the editor left behind would be one a time.
    window.wait_for("what the editors left of threads, descriptors and windows to go", |window| {
        let after = [window.threads(), window.descriptors(), desk.windows().len()];
        before.iter().zip(&after).all(|(before, after)| *after < before + CYCLES / 2)
    });
    assert!(window.lives());
}

#[test]
fn the_vst3s_editor_opens_in_ardours_window_and_opens_again() {
    with_fixtures("the_vst3s_editor_opens_in_ardours_window_and_opens_again", || opens_again(Format::Vst3));
}

#[test]
fn the_lv2s_editor_opens_in_ardours_window_and_opens_again() {
    with_fixtures("the_lv2s_editor_opens_in_ardours_window_and_opens_again", || opens_again(Format::Lv2));
}
