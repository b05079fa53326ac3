//! The page Find in daily use: formats, filters, favourites, what is hidden, what cannot be used, and where a plugin goes.

mod common;

use common::{Fake, harness, slot};
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use host_core::model::{BadFile, Catalog, Foreign, Format, PluginEntry, PluginId, PluginLocation, SlotId};
use host_core::scan::Progress;
use host_core::session::{Command, Look};

fn three() -> (Fake, Harness<'static>) {
    let fake = Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 0), slot(3, "Hall", 0)]);
    let mut harness = harness(&fake);
    harness.run();
    (fake, harness)
}

fn type_text(harness: &mut Harness<'_>, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, "Find a plugin").type_text(text);
    harness.run();
}

fn has_caret(harness: &Harness<'_>) -> bool {
    harness.get_by_role_and_label(Role::TextInput, "Find a plugin").is_focused()
}

fn click(harness: &mut Harness<'_>, label: &str) {
    harness.get_by_label(label).click();
    harness.run();
    harness.run();
}

/// The first entry in the other format too.
fn in_both(fake: &Fake) {
    let mut inner = fake.0.lock().unwrap();
    let mut catalog = Catalog::clone(&inner.catalog);
    let mut other = PluginEntry { id: PluginId::lv2("urn:delay"), ..catalog.plugins[0].clone() };
    other.location = PluginLocation::Lv2(vec!["/lv2/delay.lv2".into()]);
    catalog.plugins.insert(1, other);
    inner.catalog = catalog.into();
}

#[test]
fn a_plus_on_a_slot_finds_a_plugin_for_behind_it() {
    let (fake, mut harness) = three();
    click(&mut harness, "Add after Equalizer");
    assert!(has_caret(&harness));
    type_text(&mut harness, "tape");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Equalizer", "Tape Delay", "Hall"]);
}

#[test]
fn replace_finds_a_plugin_for_the_slots_place_once() {
    let (fake, mut harness) = three();
    click(&mut harness, "Replace Equalizer");
    assert!(has_caret(&harness));
    harness.get_by_label("304 plugins. Enter puts it in the place of Equalizer.");
    type_text(&mut harness, "tape");
    harness.key_press(Key::Enter);
    harness.run();
    let plugin = PluginId::clap("test.Tape Delay");
    assert_eq!(fake.sent(), [Command::Replace { slot: SlotId(2), plugin: plugin.clone() }]);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.sent(), [Command::Add { plugin, index: 2 }], "the next is added");
}

#[test]
fn the_racks_end_has_a_plus_too() {
    let (fake, mut harness) = three();
    harness.get_by_label("Slot 1: Gate, running").click_accesskit();
    harness.run();
    click(&mut harness, "Add at the end");
    type_text(&mut harness, "tape");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Equalizer", "Hall", "Tape Delay"]);
}

#[test]
fn ctrl_f_gives_the_search_the_keys_from_any_page() {
    let (_fake, mut harness) = three();
    click(&mut harness, "Settings");
    assert!(harness.query_by_role_and_label(Role::TextInput, "Find a plugin").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run();
    harness.run();
    assert!(has_caret(&harness));
}

#[test]
fn a_plugin_in_two_formats_is_one_line_with_a_switch() {
    let (fake, mut harness) = three();
    in_both(&fake);
    harness.run();
    harness.get_by_label("304 plugins. Enter adds at the end.");
    harness.get_by_label("Add Tape Delay, Oak · CLAP · delay");
    click(&mut harness, "Format of Tape Delay: CLAP");
    harness.get_by_label("Add Tape Delay, Oak · LV2 · delay").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::Add { plugin: PluginId::lv2("urn:delay"), index: 3 }]);
    fake.0.lock().unwrap().desk.settings.format = Format::Lv2;
    click(&mut harness, "Format of Tape Delay: LV2");
    harness.get_by_label("Add Tape Delay, Oak · CLAP · delay");
}

#[test]
fn the_format_of_the_settings_comes_first() {
    let (fake, mut harness) = three();
    in_both(&fake);
    fake.0.lock().unwrap().desk.settings.format = Format::Lv2;
    harness.run();
    harness.get_by_label("Add Tape Delay, Oak · LV2 · delay");
}

#[test]
fn favourites_and_hidden_plugins_are_kept_and_shown_on_demand() {
    let (fake, mut harness) = three();
    click(&mut harness, "Favourite: Gate");
    assert_eq!(fake.0.lock().unwrap().desk.shelf.favourites, [PluginId::clap("test.Gate")]);
    assert_eq!(harness.get_by_label("Favourite: Gate").accesskit_node().toggled(), Some(Toggled::True));
    harness.get_by_label("Add Hall, Pine · CLAP · reverb").focus();
    harness.run();
    harness.key_press(Key::F);
    harness.run();
    harness.get_by_label("Add Equalizer, Pine · CLAP · eq").focus();
    harness.run();
    harness.key_press(Key::H);
    harness.run();
    harness.get_by_label("303 plugins. Enter adds at the end.");
    assert!(harness.query_by_label("Add Equalizer, Pine · CLAP · eq").is_none());
    click(&mut harness, "Show favourites");
    harness.get_by_label("2 of 303 plugins. Enter adds at the end.");
    click(&mut harness, "Show hidden");
    harness.get_by_label("Add Equalizer, Pine · CLAP · eq");
    assert_eq!(fake.sent(), [], "none of it touches the chain");
}

#[test]
fn what_was_used_last_is_found_again() {
    let (fake, mut harness) = three();
    harness.get_by_label("Add Hall, Pine · CLAP · reverb").click();
    harness.run();
    click(&mut harness, "Show recent");
    harness.get_by_label("1 of 304 plugins. Enter adds at the end.");
    harness.get_by_label("Add Hall, Pine · CLAP · reverb");
    assert_eq!(fake.0.lock().unwrap().desk.shelf.recent, [PluginId::clap("test.Hall")]);
}

#[test]
fn a_kind_and_a_maker_narrow_the_list() {
    let (_fake, mut harness) = three();
    click(&mut harness, "Kind");
    click(&mut harness, "Reverbs");
    harness.get_by_label("1 of 304 plugins. Enter adds at the end.");
    click(&mut harness, "Kind");
    click(&mut harness, "All kinds");
    click(&mut harness, "Maker");
    click(&mut harness, "Oak");
    harness.get_by_label("2 of 304 plugins. Enter adds at the end.");
}

#[test]
fn what_cannot_be_used_says_why_and_can_be_tried_again() {
    let (fake, mut harness) = three();
    let bad = BadFile { path: "/clap/broken.clap".into(), plugin: None, reason: "it crashed".into() };
    {
        let mut inner = fake.0.lock().unwrap();
        let mut catalog = Catalog::clone(&inner.catalog);
        catalog.bad.push(bad.clone());
        inner.catalog = catalog.into();
        let foreign = Foreign { name: "Surge XT".into(), format: "VST3".into(), path: "/vst3/Surge XT.vst3".into() };
        inner.scans.foreign = vec![foreign].into();
    }
    click(&mut harness, "Show what cannot be used");
    harness.get_by_label("Cannot be used: it crashed.");
    click(&mut harness, "Try again: broken.clap");
    assert_eq!(fake.0.lock().unwrap().looks, [Look::Again(bad)]);
    let why = "Is here as VST3 alone. Catena hosts CLAP and LV2: its maker may offer one of them.";
    harness.get_by_label(why);
    // Who looks for it by name learns it too.
    click(&mut harness, "Show what cannot be used");
    harness.get_by_role_and_label(Role::TextInput, "Find a plugin").focus();
    harness.run();
    type_text(&mut harness, "surge");
    harness.get_by_label(why);
}

#[test]
fn a_search_for_plugins_shows_how_far_it_is_and_can_be_stopped() {
    let (fake, mut harness) = three();
    let at = Progress { done: 12, total: 40, current: "x.clap".into() };
    fake.0.lock().unwrap().scans.progress = Some(at);
    harness.step();
    harness.get_by_label("Add Hall, Pine · CLAP · reverb");
    harness.get_by_label("Stop looking for plugins").click();
    harness.run();
    assert!(harness.query_by_label("Stop looking for plugins").is_none());
}

#[test]
fn a_plugin_is_dragged_to_its_place() {
    let (fake, mut harness) = three();
    let from = harness.get_by_label("Add Tape Delay, Oak · CLAP · delay").rect().center();
    let to = harness.get_by_label("Slot 2: Equalizer, running").rect().center_top() + egui::vec2(0.0, 6.0);
    harness.drag_at(from);
    harness.run();
    for part in [0.3, 0.7, 1.0] {
        harness.hover_at(from + (to - from) * part);
        harness.run();
    }
    harness.drop_at(to);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Tape Delay", "Equalizer", "Hall"]);
}

#[test]
fn one_plugin_is_called_one_plugin() {
    let (fake, mut harness) = three();
    {
        let mut inner = fake.0.lock().unwrap();
        let mut catalog = Catalog::clone(&inner.catalog);
        catalog.plugins.truncate(1);
        inner.catalog = catalog.into();
    }
    click(&mut harness, "Add after Equalizer");
    let count = |text: &str| harness.query_all_by_label_contains(text).count();
    assert_eq!((count("1 plugin"), count("1 plugins")), (1, 0));
}
