//! The page Settings.

mod common;

use common::{Fake, harness, slot};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::{Format, LatencyMode, Theme};
use host_core::session::{Command, Look};

fn opened() -> (Fake, Harness<'static>) {
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let mut harness = harness(&fake);
    harness.run();
    click(&mut harness, "Settings");
    (fake, harness)
}

/// Chooses from a menu.
fn choose(harness: &mut Harness<'_>, menu: &str, what: &str) {
    harness.get_by_role_and_label(Role::ComboBox, menu).click();
    harness.run();
    harness.run();
    harness.get_by_role_and_label(Role::Button, what).click();
    harness.run();
    harness.run();
}

fn click(harness: &mut Harness<'_>, label: &str) {
    harness.get_by_label(label).click_accesskit();
    harness.run();
    harness.run();
}

#[test]
fn the_latency_that_the_daw_is_told_is_chosen_here() {
    let (fake, mut harness) = opened();
    choose(&mut harness, "Latency that the DAW is told", "Always the same");
    assert_eq!(fake.sent(), [Command::Latency(LatencyMode::Constant(20.0))]);
    fake.change(|snapshot| snapshot.latency_mode = LatencyMode::Constant(20.0));
    harness.run();
    harness.get_by_label("Constant latency");
    choose(&mut harness, "Latency that the DAW is told", "None told, for playing live");
    assert_eq!(fake.sent(), [Command::Latency(LatencyMode::Live)]);
}

#[test]
fn several_cores_are_switched_here_and_say_what_comes_of_it() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Use several cores");
    assert_eq!(fake.sent(), [Command::Cores(true)]);
    fake.change(|snapshot| (snapshot.cores.on, snapshot.cores.why_not) = (true, "there is one core".into()));
    harness.run();
    harness.get_by_label("there is one core");
}

#[test]
fn colours_and_size_are_followed_at_once() {
    let (fake, mut harness) = opened();
    let ground = |harness: &Harness<'_>| harness.ctx.global_style().visuals.panel_fill;
    let dark = ground(&harness);
    choose(&mut harness, "Colours", "Light");
    assert_eq!(fake.0.lock().unwrap().desk.settings.theme, Theme::Light);
    assert_ne!(ground(&harness), dark);
    choose(&mut harness, "Size", "150 %");
    assert_eq!(fake.0.lock().unwrap().desk.settings.scale, Some(1.5));
    assert_eq!(harness.ctx.zoom_factor(), 1.5);
    choose(&mut harness, "Size", "As the DAW says");
    assert_eq!(harness.ctx.zoom_factor(), 1.0);
}

#[test]
fn meters_are_set_and_loudness_is_worked_out_only_on_demand() {
    let (fake, mut harness) = opened();
    click(&mut harness, "Hold peaks");
    assert!(!fake.0.lock().unwrap().desk.settings.peak_hold);
    assert!(fake.0.lock().unwrap().listens.is_empty());
    click(&mut harness, "Loudness");
    assert_eq!(fake.0.lock().unwrap().listens, [true]);
    drop(harness);
    assert_eq!(fake.0.lock().unwrap().listens, [true, false], "a closed editor listens no more");
}

#[test]
fn folders_are_added_and_removed_and_everything_is_looked_at_again() {
    let (fake, mut harness) = opened();
    harness.get_by_role_and_label(Role::TextInput, "Folder to search").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Folder to search").type_text("/opt/plugins");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    harness.run();
    assert_eq!(fake.0.lock().unwrap().desk.settings.clap_folders, [std::path::PathBuf::from("/opt/plugins")]);
    click(&mut harness, "Remove folder /opt/plugins");
    assert!(fake.0.lock().unwrap().desk.settings.clap_folders.is_empty());
    click(&mut harness, "Look at all plugins again");
    assert_eq!(fake.0.lock().unwrap().looks, [Look::All]);
    choose(&mut harness, "Format where there are both", "LV2");
    assert_eq!(fake.0.lock().unwrap().desk.settings.format, Format::Lv2);
}

#[test]
fn a_report_says_where_it_is_or_what_to_do_instead() {
    let (fake, mut harness) = opened();
    fake.0.lock().unwrap().report = Some(Err("no room".into()));
    click(&mut harness, "Report a problem");
    harness.get_by_label("No report could be written: no room. In a terminal: catena doctor --report");
    fake.0.lock().unwrap().report = Some(Ok("/state/report.md".into()));
    click(&mut harness, "Report a problem");
    harness.get_by_label("The report is in /state/report.md");
}
