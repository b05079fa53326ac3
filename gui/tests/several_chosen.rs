//! More than one slot chosen in the rack.

mod common;

use common::{Fake, harness, three};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::SlotId;
use host_core::session::{Command, StripEdit};

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
    assert_eq!(fake.sent(), [Command::Many(vec![Command::Remove(SlotId(1)), Command::Remove(SlotId(2))])]);
    assert_eq!(fake.titles(), ["Hall"]);
}

#[test]
fn ctrl_and_a_click_choose_one_more_or_less_and_bypass_is_of_all() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 3: Hall, running", Modifiers::COMMAND);
    harness.key_press(Key::B);
    harness.run();
    assert_eq!(fake.sent(), [Command::Many(vec![Command::Bypass(SlotId(1), true), Command::Bypass(SlotId(3), true)])]);
    click(&mut harness, "Slot 3: Hall, bypassed", Modifiers::COMMAND);
    click(&mut harness, "Slot 2: Equalizer, running", Modifiers::COMMAND);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::D);
    harness.run();
    assert_eq!(fake.sent(), [Command::Many(vec![Command::Duplicate(SlotId(1)), Command::Duplicate(SlotId(2))])]);
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

#[test]
fn alt_and_an_arrow_move_all_that_is_chosen_in_one_step() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 2: Equalizer, running", Modifiers::SHIFT);
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowDown);
    harness.run();
    let moved = [(2, 2), (1, 1)].map(|(slot, index)| Command::Move { slot: SlotId(slot), index });
    assert_eq!(fake.sent(), [Command::Many(moved.into())]);
    assert_eq!(fake.titles(), ["Hall", "Gate", "Equalizer"]);
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowDown);
    harness.run();
    assert_eq!(fake.sent(), [], "they are at the end");
}

#[test]
fn a_value_moves_as_far_on_all_that_is_chosen_and_a_switch_stands_as_there() {
    let (fake, mut harness) = opened();
    fake.change(|snapshot| snapshot.slots[2].mix = 0.5);
    harness.run();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 3: Hall, running", Modifiers::COMMAND);
    harness.get_by_role_and_label(Role::Slider, "Mix of Gate").focus();
    harness.run();
    harness.key_press(Key::ArrowLeft);
    harness.run();
    let sent = fake.sent();
    let both = sent.iter().find_map(|command| if let Command::Many(both) = command { Some(both) } else { None });
    let both = both.unwrap_or_else(|| panic!("{sent:?}"));
    let [Command::Mix(SlotId(1), one), Command::Mix(SlotId(3), other)] = both[..] else { panic!("{both:?}") };
    assert!(one < 1.0 && (1.0 - one - (0.5 - other)).abs() < 1e-9, "{one} {other}");
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 3: Hall, running", Modifiers::COMMAND);
    harness.key_press(Key::S);
    harness.run();
    let solo = [1, 3].map(|id| Command::Strip(SlotId(id), StripEdit::Solo(true)));
    assert_eq!(fake.sent(), [Command::Many(solo.into())]);
}

#[test]
fn what_is_dragged_takes_all_that_is_chosen_along_in_one_step() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Slot 1: Gate, running", Modifiers::NONE);
    click(&mut harness, "Slot 2: Equalizer, running", Modifiers::SHIFT);
    let card = |name: &str| harness.get_by_label(name).rect();
    let from = card("Slot 1: Gate, running").left_center() + egui::vec2(6.0, 0.0);
    let to = card("Slot 3: Hall, running").left_bottom() + egui::vec2(6.0, -4.0);
    common::drag(&mut harness, from, to);
    let moved = [(1, 2), (2, 2)].map(|(slot, index)| Command::Move { slot: SlotId(slot), index });
    assert_eq!(fake.sent(), [Command::Many(moved.into())]);
    assert_eq!(fake.titles(), ["Hall", "Gate", "Equalizer"]);
}
