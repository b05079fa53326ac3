//! Finding and adding plugins.

mod common;

use common::{Fake, harness, slot};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::{PluginId, SlotId};
use host_core::session::Command;

fn search(harness: &mut Harness<'_>, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, "Find a plugin").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Find a plugin").type_text(text);
    harness.run();
}

#[test]
fn an_empty_chain_teaches_the_first_step() {
    let fake = Fake::new(vec![]);
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("This chain is empty");
    harness.get_by_label("Type part of a name under “Find a plugin” and press Enter.");
}

#[test]
fn a_computer_without_plugins_says_where_they_are_looked_for() {
    let fake = Fake::new(vec![]);
    fake.0.lock().unwrap().catalog = Default::default();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("They are looked for under “Find”, and appear there as soon as that is done.");
}

#[test]
fn typing_and_enter_add_the_plugin_at_the_end() {
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let mut harness = harness(&fake);
    harness.run();
    search(&mut harness, "hall");
    harness.get_by_label("1 of 304 plugins. Enter adds at the end.");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Hall"]);
    assert_eq!(fake.sent(), [Command::Add { plugin: PluginId::clap("test.Hall"), index: 1 }]);
    // The field keeps the focus and the text: a second Enter adds a second one.
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Hall", "Hall"]);
}

#[test]
fn makers_and_kinds_are_found_too_and_arrows_choose() {
    let fake = Fake::new(vec![]);
    let mut harness = harness(&fake);
    harness.run();
    search(&mut harness, "pine");
    harness.get_by_label("2 of 304 plugins. Enter adds at the end.");
    harness.key_press(Key::ArrowDown);
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.titles(), ["Equalizer"]);
}

#[test]
fn what_is_typed_is_what_stands_in_the_field() {
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let mut harness = harness(&fake);
    harness.run();
    search(&mut harness, "abc def");
    let field = harness.get_by_role_and_label(Role::TextInput, "Find a plugin");
    assert_eq!(field.value().as_deref(), Some("abc def"));
    harness.get_by_label("No plugin fits “abc def”. Fewer letters find more.");
    harness.key_press(Key::Enter);
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(fake.sent(), [], "keys of the field never edit the chain");
}

#[test]
fn a_click_adds_after_the_chosen_slot() {
    let fake = Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 0)]);
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 1: Gate, running").click_accesskit();
    harness.run();
    harness.get_by_label("304 plugins. Enter adds after Gate, with Shift in its place.");
    harness.get_by_label("Add Tape Delay, Oak · CLAP · delay").click();
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Tape Delay", "Equalizer"]);
}

#[test]
fn enter_with_shift_puts_a_plugin_in_the_chosen_slots_place() {
    let fake = Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 0)]);
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 1: Gate, running").click_accesskit();
    harness.run();
    search(&mut harness, "tape");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Enter);
    harness.run();
    let [Command::Replace { slot, plugin }] = &fake.sent()[..] else { panic!("one edit") };
    assert_eq!((*slot, plugin), (SlotId(1), &PluginId::clap("test.Tape Delay")));
}
