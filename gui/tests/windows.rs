//! A plugin's own window: opened and closed from its slot, by mouse and by keyboard; what has none says so.

mod common;

use common::{Fake, harness, slot};
use egui::Key;
use egui_kittest::kittest::Queryable;
use host_core::model::SlotId;
use host_core::session::{Command, WindowOffer};

const EQUALIZER: SlotId = SlotId(2);

/// Three slots: one without a window, one with, one whose window cannot be shown.
fn three() -> Fake {
    let fake = Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 64), slot(3, "Hall", 512)]);
    fake.change(|snapshot| {
        snapshot.slots[1].window.offer = WindowOffer::Inside;
        snapshot.slots[2].window.offer = WindowOffer::Needs("GTK 2");
    });
    fake
}

#[test]
fn a_button_and_a_key_of_the_slot_open_and_close_it() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    assert!(harness.query_by_label("Window of Gate").is_none());
    assert!(harness.query_by_label("Window of Hall").is_none());
    harness.get_by_label("Window of Equalizer").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::OpenWindow(EQUALIZER)]);
    fake.change(|snapshot| snapshot.slots[1].window.open = true);
    harness.run();
    harness.get_by_label("Window of Equalizer").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::CloseWindow(EQUALIZER)]);
    harness.get_by_label("Slot 2: Equalizer, running").focus();
    harness.run();
    harness.key_press(Key::E);
    harness.run();
    assert_eq!(fake.sent(), [Command::CloseWindow(EQUALIZER)]);
    harness.get_by_label("Slot 1: Gate, running").focus();
    harness.run();
    harness.key_press(Key::E);
    harness.run();
    assert_eq!(fake.sent(), []);
}

#[test]
fn a_window_that_needs_a_toolkit_says_which() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Its own window needs GTK 2; its parameters are in the list here.");
}

#[test]
fn a_window_that_was_open_when_the_chain_was_saved_comes_back_with_the_editor_once() {
    let fake = three();
    fake.change(|snapshot| snapshot.slots[1].window.left_open = true);
    let mut harness = harness(&fake);
    harness.run();
    harness.run();
    assert_eq!(fake.sent(), [Command::OpenWindow(EQUALIZER)]);
    fake.change(|snapshot| {
        snapshot.slots[1].window.left_open = false;
        snapshot.slots[1].window.open = true;
    });
    harness.run();
    // Removed and taken back.
    fake.change(|snapshot| {
        snapshot.slots[1].window.left_open = true;
        snapshot.slots[1].window.open = false;
    });
    harness.run();
    assert_eq!(fake.sent(), [Command::OpenWindow(EQUALIZER)]);
}
