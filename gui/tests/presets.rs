//! The page of a slot's presets.

mod common;

use common::{Fake, harness, slot};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use host_core::model::{PluginId, Preset, PresetFrom, SlotId};
use host_core::session::{Answer, Command, Errand, Presets};

fn preset(name: &str, from: PresetFrom) -> Preset {
    let scheme = if from == PresetFrom::Catena { "catena-preset:" } else { "urn:" };
    Preset { name: name.into(), uri: format!("{scheme}{name}"), from }
}

fn listed(has_default: bool) -> Result<Answer, String> {
    let all = vec![
        preset("Bright", PresetFrom::Factory),
        preset("Dark", PresetFrom::Factory),
        preset("Mine", PresetFrom::Catena),
    ];
    Ok(Answer::Presets(Presets { plugin: PluginId::clap("test.Gate"), all, has_default }))
}

fn done(line: &str) -> Result<Answer, String> {
    Ok(Answer::Done(vec![line.into()]))
}

/// The page of the first slot.
fn page(fake: &Fake) -> Harness<'static> {
    let mut harness = harness(fake);
    harness.run_steps(3);
    harness.get_by_label("Presets").click();
    harness.run_steps(3);
    harness
}

fn chosen(fake: &Fake) -> Harness<'static> {
    fake.answers([listed(false)]);
    let mut harness = page(fake);
    harness.get_by_label("Slot 1: Gate, running").click_accesskit();
    harness.run_steps(4);
    harness
}

fn gate() -> Fake {
    Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 64)])
}

#[test]
fn without_a_slot_the_page_says_what_to_do() {
    let fake = gate();
    let harness = page(&fake);
    harness.get_by_label_contains("Choose a slot");
    assert_eq!(fake.errands(), []);
}

#[test]
fn both_kinds_are_one_list_that_is_searched_and_loaded_by_a_click() {
    let fake = gate();
    let mut harness = chosen(&fake);
    assert_eq!(fake.errands(), [Errand::Presets(SlotId(1))]);
    harness.get_by_label("Load Bright, factory");
    harness.get_by_label("Load Mine, own").click();
    harness.run_steps(3);
    assert_eq!(fake.sent(), [Command::Preset(SlotId(1), "catena-preset:Mine".into())]);
    harness.get_by_label("Find a preset").focus();
    harness.run_steps(2);
    harness.get_by_label("Find a preset").type_text("dark");
    harness.run_steps(3);
    assert!(harness.query_by_label("Load Bright, factory").is_none());
    harness.key_press(Key::Enter);
    harness.run_steps(2);
    assert_eq!(fake.sent(), [Command::Preset(SlotId(1), "urn:Dark".into())]);
}

#[test]
fn arrows_go_through_the_list_and_load_to_be_listened_to() {
    let fake = gate();
    let mut harness = chosen(&fake);
    harness.get_by_label("Find a preset").focus();
    harness.run_steps(2);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp] {
        harness.key_press(key);
        harness.run_steps(2);
    }
    let loaded = |name: &str| Command::Preset(SlotId(1), format!("urn:{name}"));
    assert_eq!(fake.sent(), [loaded("Bright"), loaded("Dark"), loaded("Bright")]);
}

#[test]
fn the_state_is_kept_under_a_name_and_replaces_another_only_when_asked() {
    let fake = gate();
    let mut harness = chosen(&fake);
    fake.errands();
    fake.answers([Ok(Answer::Taken("/x/Soft.catena".into())), done("Kept in /x/Soft.catena"), listed(false)]);
    harness.get_by_label("Save as").focus();
    harness.run_steps(2);
    harness.get_by_label("Save as").type_text("Soft");
    harness.run_steps(2);
    harness.get_by_label("Save Gate as a preset").click();
    harness.run_steps(3);
    harness.get_by_label_contains("There is a preset of that name");
    harness.get_by_label("Replace").click();
    harness.run_steps(4);
    let save = |replace| Errand::SavePreset { slot: SlotId(1), name: "Soft".into(), replace };
    assert_eq!(fake.errands(), [save(false), save(true), Errand::Presets(SlotId(1))]);
    harness.get_by_label("Kept in /x/Soft.catena");
    // What goes wrong is said where it was asked for.
    fake.answers([Err("the disk is full".into())]);
    harness.get_by_label("Begin Gate like this").click();
    harness.run_steps(3);
    assert_eq!(fake.errands(), [Errand::SaveDefault(SlotId(1))]);
    harness.get_by_label("the disk is full");
}

#[test]
fn own_ones_are_renamed_and_deleted_after_a_question_and_others_are_not() {
    let fake = gate();
    let mut harness = chosen(&fake);
    harness.get_by_label("Load Bright, factory").click();
    harness.run_steps(3);
    assert!(harness.query_by_label("Delete Bright").is_none());
    harness.get_by_label("Load Mine, own").click();
    harness.run_steps(3);
    fake.errands();
    harness.get_by_label("Delete Mine").click();
    harness.run_steps(3);
    assert_eq!(fake.errands(), [], "it is asked first");
    harness.get_by_label("Cancel").click();
    harness.run_steps(3);
    harness.get_by_label("Delete Mine").click();
    harness.run_steps(3);
    fake.answers([done("The preset \"Mine\" is gone"), listed(true)]);
    harness.get_by_label("Delete it").click();
    harness.run_steps(4);
    let mine = preset("Mine", PresetFrom::Catena);
    assert_eq!(
        fake.errands(),
        [Errand::DeletePreset { slot: SlotId(1), preset: mine.clone() }, Errand::Presets(SlotId(1))]
    );
    harness.get_by_label("Begin Gate as it is made").click();
    harness.run_steps(3);
    assert_eq!(fake.errands(), [Errand::ForgetDefault(PluginId::clap("test.Gate"))]);
}
