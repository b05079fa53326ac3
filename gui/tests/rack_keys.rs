//! The rack's keys: whose they are, what they do, and that none of them is the DAW's as well.

mod common;

use std::sync::{Arc, Mutex};

use common::{Fake, harness, slot, three, watched};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use host_core::model::SlotId;
use host_core::session::{Command, HistoryView, StepView};

/// Presses a key; whether the editor left it to the DAW.
fn is_left((harness, left): &mut (Harness<'static>, Arc<Mutex<Vec<Key>>>), modifiers: Modifiers, key: Key) -> bool {
    left.lock().unwrap().clear();
    harness.key_press_modifiers(modifiers, key);
    harness.run();
    left.lock().unwrap().contains(&key)
}

#[test]
fn a_slot_with_the_focus_takes_keys() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 3: Hall, running").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Hall", "Equalizer"]);
    harness.key_press(Key::B);
    harness.run();
    harness.get_by_label("Slot 2: Hall, bypassed");
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Equalizer"]);
    // The neighbour has the focus now: a second Delete takes it, never a slot the user did not see.
    assert!(harness.get_by_label("Slot 2: Equalizer, running").is_focused());
}

#[test]
fn the_tab_key_walks_the_rack_backwards_from_its_end() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Tab);
    harness.run_steps(3);
    let at = |harness: &Harness<'static>| {
        harness
            .ctx
            .memory(|memory| memory.focused())
            .and_then(|id| harness.ctx.read_response(id))
            .map(|found| found.rect)
    };
    assert!(harness.get_by_label("Add at the end").is_focused());
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Tab);
    harness.run_steps(3);
    let last = harness.get_by_label_contains("Slot 3").rect();
    let focused = at(&harness).expect("something has the focus");
    assert!(last.contains(focused.center()), "{focused:?} is not in the last slot {last:?}");
}

#[test]
fn a_hand_on_a_slot_or_in_it_has_the_keys_there_and_the_keys_that_edit_stay() {
    let fake = three();
    let mut watched = watched(&fake);
    watched.0.run();
    // Its title, then a button in it.
    let grip = watched.0.get_by_label("Slot 2: Equalizer, running").rect().left_center() + egui::vec2(6.0, 0.0);
    watched.0.drag_at(grip);
    watched.0.drop_at(grip);
    watched.0.run();
    assert!(watched.0.get_by_label("Slot 2: Equalizer, running").is_focused());
    watched.0.get_by_label("Bypass Equalizer").click();
    watched.0.run();
    assert!(watched.0.get_by_label("Slot 2: Equalizer, bypassed").is_focused());
    fake.sent();
    for (modifiers, key) in [
        (Modifiers::COMMAND, Key::Z),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::Z),
        (Modifiers::COMMAND, Key::X),
        (Modifiers::NONE, Key::Backspace),
    ] {
        assert!(!is_left(&mut watched, modifiers, key), "{modifiers:?} {key:?}");
    }
    assert_eq!(fake.sent(), [Command::Undo, Command::Redo], "whatever the snapshot says: it may be behind");
    assert!(is_left(&mut watched, Modifiers::COMMAND, Key::S), "the DAW's");
    // On a button that the Tab key found, they are the rack's too, and do nothing.
    watched.0.get_by_label("Remove Gate").focus();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert_eq!((fake.sent(), fake.titles().len()), (vec![], 3));
    // In the search they are not.
    watched.0.get_by_role_and_label(egui::accesskit::Role::TextInput, "Find a plugin").focus();
    watched.0.run();
    watched.0.key_press(Key::Delete);
    watched.0.run();
    assert_eq!(fake.titles().len(), 3);
}

#[test]
fn a_delete_after_the_last_slot_is_the_empty_racks() {
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let mut watched = watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Slot 1: Gate, running").focus();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert_eq!(fake.titles().len(), 0);
    assert!(watched.0.get_by_label("Rack without a plugin").is_focused());
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert!(!is_left(&mut watched, Modifiers::COMMAND, Key::Z));
    assert_eq!(fake.sent(), [Command::Remove(SlotId(1)), Command::Undo]);
}

#[test]
fn a_slot_whose_button_was_clicked_hands_its_keys_on_when_it_goes() {
    let fake = three();
    let mut watched = watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Remove Gate").click();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::COMMAND, Key::Z), "after a click on Remove");
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let mut watched = self::watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Bypass Gate").click();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert_eq!(fake.titles().len(), 0);
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete), "one too many");
}

#[test]
fn arrows_walk_from_slot_to_slot() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 1: Gate, running").focus();
    harness.run();
    for name in ["Slot 2: Equalizer, running", "Slot 3: Hall, running"] {
        harness.key_press(Key::ArrowDown);
        harness.run();
        assert!(harness.get_by_label(name).is_focused(), "{name}");
    }
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert!(harness.get_by_label("Slot 2: Equalizer, running").is_focused());
    assert_eq!(fake.sent(), []);
}

#[test]
fn undo_and_redo_are_the_racks_keys_and_two_buttons_that_say_what_they_do() {
    let fake = three();
    let mut watched = watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Slot 2: Equalizer, running").focus();
    watched.0.run();
    let step = |label: &str| StepView { label: label.into(), slot: None };
    let steps = [step("Add Gate"), step("Move Gate")].into();
    fake.change(|snapshot| snapshot.history = HistoryView { steps, at: 1 });
    watched.0.run();
    for (modifiers, key, command) in [
        (Modifiers::COMMAND, Key::Z, Command::Undo),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::Z, Command::Redo),
        (Modifiers::COMMAND, Key::Y, Command::Redo),
    ] {
        assert!(!is_left(&mut watched, modifiers, key), "{modifiers:?} {key:?}");
        assert_eq!(fake.sent(), [command]);
    }
    // Each press in one frame counts, in its order.
    for (modifiers, key) in [(Modifiers::COMMAND, Key::Z), (Modifiers::COMMAND, Key::Z), (Modifiers::COMMAND, Key::Y)] {
        watched.0.key_press_modifiers(modifiers, key);
    }
    watched.0.run();
    assert_eq!(fake.sent(), [Command::Undo, Command::Undo, Command::Redo]);
    for (name, words, command) in
        [("Undo", "Undo: Add Gate", Command::Undo), ("Redo", "Redo: Move Gate", Command::Redo)]
    {
        let button = watched.0.get_by_label(name);
        button.hover();
        watched.0.run();
        watched.0.get_by_label(words);
        watched.0.get_by_label(name).click();
        watched.0.run();
        assert_eq!(fake.sent(), [command]);
    }
    fake.change(|snapshot| snapshot.history.at = 0);
    watched.0.run();
    assert!(watched.0.get_by_label("Undo").accesskit_node().is_disabled());
    // What is pressed while a field has the keys is the field's.
    watched.0.get_by_role_and_label(egui::accesskit::Role::TextInput, "Find a plugin").focus();
    watched.0.run();
    watched.0.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    watched.0.run();
    assert_eq!(fake.sent(), []);
}

#[test]
fn ctrl_d_puts_a_copy_behind_the_slot_that_has_the_keys() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 2: Equalizer, running").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::D);
    harness.run();
    assert_eq!(fake.sent(), [Command::Duplicate(SlotId(2))]);
}

#[test]
fn the_keys_that_edit_are_the_chains_on_a_page_beside_the_rack_too() {
    let fake = three();
    let mut watched = watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Settings").click_accesskit();
    watched.0.run();
    watched.0.get_by_label("Use several cores").focus();
    watched.0.run();
    fake.sent();
    for (modifiers, key) in [(Modifiers::COMMAND, Key::Z), (Modifiers::NONE, Key::Delete)] {
        assert!(!is_left(&mut watched, modifiers, key), "{key:?} is the DAW's as well");
    }
    assert_eq!(fake.sent(), [Command::Undo]);
}
