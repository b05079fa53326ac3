//! More than one slot chosen in the rack.

mod common;

use common::{Fake, harness, three};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::SlotId;
use host_core::session::Command;

fn opened() -> (Fake, Harness<'static>) {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    (fake, harness)
}

/// A click on a slot's edge, where no button is.
fn click(harness: &mut Harness<'_>, label: &str, modifiers: Modifiers) {
    let at = harness.get_by_label(label).rect().left_top() + egui::vec2(5.0, 5.0);
    harness.hover_at(at);
    harness.run();
    harness.event(egui::Event::ModifiersChanged(modifiers));
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton { pos: at, button: egui::PointerButton::Primary, pressed, modifiers });
        harness.run();
    }
    harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    harness.run();
}

#[test]
fn shift_and_a_click_choose_all_between_and_delete_removes_them() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 2: Equalizer, running", Modifiers::SHIFT);
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(fake.sent(), [Command::Remove(SlotId(1)), Command::Remove(SlotId(2))]);
    assert_eq!(fake.titles(), ["Hall"]);
}

#[test]
fn ctrl_and_a_click_choose_one_more_or_less_and_bypass_is_of_all() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 3: Hall, running", Modifiers::COMMAND);
    harness.key_press(Key::B);
    harness.run();
    assert_eq!(fake.sent(), [Command::Bypass(SlotId(1), true), Command::Bypass(SlotId(3), true)]);
    click(&mut harness, "Slot 3: Hall, bypassed", Modifiers::COMMAND);
    click(&mut harness, "Slot 2: Equalizer, running", Modifiers::COMMAND);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::D);
    harness.run();
    assert_eq!(fake.sent(), [Command::Duplicate(SlotId(1)), Command::Duplicate(SlotId(2))]);
}

#[test]
fn the_arrows_with_shift_choose_and_ctrl_a_chooses_everything_for_the_clipboard() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    harness.run();
    harness.run();
    harness.event(egui::Event::Copy);
    harness.run();
    assert_eq!(fake.0.lock().unwrap().copied, [SlotId(1), SlotId(2)]);
    fake.0.lock().unwrap().copied.clear();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    harness.event(egui::Event::Cut);
    harness.run();
    harness.run();
    assert_eq!(fake.0.lock().unwrap().copied, [1, 2, 3].map(SlotId));
    assert!(fake.titles().is_empty());
}

#[test]
fn the_cross_on_a_slot_takes_that_one_away_alone() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 3: Hall, running", Modifiers::SHIFT);
    fake.sent();
    harness.get_by_label("Remove Equalizer").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::Remove(SlotId(2))]);
}
