//! The page of the selected slot: room for its plugin's own window, or its parameters.

mod common;

use std::sync::{Arc, Mutex};

use catena_gui::{Editor, Inside};
use common::{Fake, param};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::{SlotId, Steps};
use host_core::session::{Command, WindowOffer};

const EQUALIZER: SlotId = SlotId(2);

/// Three slots: one without a window, one with, one whose window cannot be shown.
fn three() -> Fake {
    let fake = common::three();
    fake.change(|snapshot| {
        snapshot.slots[1].window.offer = WindowOffer::Inside;
        snapshot.slots[2].window.offer = WindowOffer::Needs("GTK 2");
    });
    fake
}

/// The editor, where it has room for a window, and what is to lie over it: 1 a menu, 2 a dialog.
fn harness(fake: &Fake) -> (Harness<'static, u8>, Arc<Mutex<Option<Inside>>>) {
    let (mut editor, inside) = (Editor::with_host(Box::new(fake.clone())), Arc::new(Mutex::new(None)));
    let told = Arc::clone(&inside);
    let draw = move |ui: &mut egui::Ui, over: &mut u8| {
        egui::CentralPanel::default().show(ui, |ui| editor.ui(ui));
        if *over == 1 {
            let area = egui::Area::new(egui::Id::unique("menu")).order(egui::Order::Foreground);
            area.fixed_pos([800.0, 300.0]).show(ui.ctx(), |ui| ui.label("A menu"));
        } else if *over == 2 {
            egui::Modal::new(egui::Id::unique("dialog")).show(ui.ctx(), |ui| ui.label("A dialog"));
        }
        *told.lock().unwrap() = editor.inside(ui.ctx());
    };
    let mut harness = Harness::builder().with_size([1000.0, 620.0]).build_ui_state(draw, 0);
    harness.run();
    (harness, inside)
}

/// Gives a slot the keys and presses Enter.
fn show(harness: &mut Harness<'static, u8>, name: &str) {
    harness.get_by_label(name).focus();
    harness.run();
    press(harness, Key::Enter);
}

fn press(harness: &mut Harness<'static, u8>, key: Key) {
    harness.key_press(key);
    harness.run();
}

fn shows(slot: u64, parameters: bool) -> Command {
    Command::Show { slot: Some(SlotId(slot)), parameters }
}

#[test]
fn enter_shows_the_slot_and_arrows_the_next_one() {
    let fake = three();
    let (mut harness, inside) = harness(&fake);
    harness.get_by_label("Slot 2: Equalizer, running").focus();
    harness.run();
    assert_eq!(*inside.lock().unwrap(), None, "a slot that is only selected is not shown");
    press(&mut harness, Key::Enter);
    let room = inside.lock().unwrap().clone().expect("room for the equaliser's window");
    assert_eq!((room.slot, room.covered), (EQUALIZER, false));
    assert!(room.view.width() > 450.0 && room.view.height() > 350.0 && room.whole == room.view.size(), "{room:?}");
    assert_eq!(fake.sent(), [shows(2, false)]);
    press(&mut harness, Key::ArrowDown);
    assert_eq!(*inside.lock().unwrap(), None);
    assert!(harness.query_all_by_label_contains("needs GTK 2").count() >= 2, "on the page too");
    press(&mut harness, Key::ArrowUp);
    press(&mut harness, Key::ArrowUp);
    harness.get_by_label("This plugin has nothing to set here.");
    assert_eq!(fake.sent(), [shows(3, false), shows(2, false), shows(1, false)]);
    // Another page, and no room any more.
    press(&mut harness, Key::ArrowDown);
    harness.get_by_role_and_label(Role::Tab, "Find").click();
    harness.run();
    assert_eq!(*inside.lock().unwrap(), None);
    assert_eq!(fake.sent(), [shows(2, false), Command::Show { slot: None, parameters: false }]);
}

#[test]
fn its_parameters_are_there_on_demand() {
    let fake = three();
    let (mut harness, inside) = harness(&fake);
    show(&mut harness, "Slot 2: Equalizer, running");
    harness.get_by_role_and_label(Role::RadioButton, "Parameters").click();
    harness.run();
    assert_eq!(*inside.lock().unwrap(), None);
    assert_eq!(fake.sent(), [shows(2, false), shows(2, true)]);
    harness.get_by_role_and_label(Role::RadioButton, "Own window").click();
    harness.run();
    assert!(inside.lock().unwrap().is_some());
    assert_eq!(fake.sent(), [shows(2, false)]);
}

#[test]
fn a_window_pops_out_and_is_put_back() {
    let fake = three();
    let (mut harness, inside) = harness(&fake);
    show(&mut harness, "Slot 2: Equalizer, running");
    fake.sent();
    harness.get_by_label("Pop out the window of Equalizer").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::OpenWindow(EQUALIZER)]);
    fake.change(|snapshot| snapshot.slots[1].window.open = true);
    harness.run();
    assert_eq!(*inside.lock().unwrap(), None);
    harness.get_by_label("Its window floats beside the editor.");
    harness.get_by_label("Put back the window of Equalizer").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::PutBack(EQUALIZER)]);
}

#[test]
fn a_window_that_is_refused_says_why_and_may_be_tried_again() {
    let fake = three();
    fake.change(|snapshot| snapshot.slots[1].window.refused = "the plugin closed it".into());
    let (mut harness, inside) = harness(&fake);
    show(&mut harness, "Slot 2: Equalizer, running");
    assert_eq!(*inside.lock().unwrap(), None);
    harness.get_by_label("Its window cannot be shown: the plugin closed it.");
    fake.sent();
    harness.get_by_label("Try again").click();
    harness.run();
    assert_eq!(fake.sent(), [shows(2, false)]);
}

#[test]
fn a_window_that_is_larger_than_its_room_is_scrolled() {
    let fake = three();
    fake.change(|snapshot| snapshot.slots[1].window.inside = Some((2000, 100)));
    let (mut harness, inside) = harness(&fake);
    show(&mut harness, "Slot 2: Equalizer, running");
    let room = inside.lock().unwrap().clone().unwrap();
    assert!(room.view.height() < room.whole.y, "a bar stands below: {room:?}");
    assert_eq!(room.scrolled, egui::Vec2::ZERO);
}

#[test]
fn what_the_last_editor_showed_is_shown_again() {
    let fake = three();
    fake.change(|snapshot| snapshot.slots[1].window.shown = true);
    let (mut harness, inside) = harness(&fake);
    assert_eq!(inside.lock().unwrap().as_ref().map(|room| room.slot), Some(EQUALIZER));
    assert_eq!(fake.sent(), []);
    fake.change(|snapshot| snapshot.slots[1].window.parameters = true);
    harness.run();
    assert!(inside.lock().unwrap().is_some(), "what the user chose since stays");
}

#[test]
fn a_dialog_covers_a_window_and_a_menu_a_part_of_it() {
    let fake = three();
    let (mut harness, inside) = harness(&fake);
    show(&mut harness, "Slot 2: Equalizer, running");
    let over = || inside.lock().unwrap().as_ref().map(|room| (room.over.len(), room.covered));
    assert_eq!(over(), Some((0, false)));
    *harness.state_mut() = 1;
    harness.run();
    assert_eq!(over(), Some((1, false)));
    *harness.state_mut() = 2;
    harness.run();
    assert_eq!(over().map(|over| over.1), Some(true));
}

#[test]
fn parameters_stand_in_their_groups_and_are_searched() {
    let fake = three();
    fake.change(|snapshot| {
        let of = |group: &str, name: &str| {
            let mut param = param(name, name, Steps::Continuous);
            param.group = group.into();
            param
        };
        let bands = (1..=4).flat_map(|band| {
            let group = format!("Band/{band}");
            [of(&group, &format!("Gain {band}")), of(&group, &format!("Width {band}"))]
        });
        let params: Vec<_> = [of("", "Drive")].into_iter().chain(bands).collect();
        snapshot.slots[0].values = vec![1.0; params.len()];
        snapshot.slots[0].params = params.into();
    });
    let (mut harness, _) = harness(&fake);
    show(&mut harness, "Slot 1: Gate, running");
    for name in ["Band, 1", "Band, 4"] {
        harness.get_by_label(name);
    }
    harness.get_by_role_and_label(Role::Slider, "Gain 3");
    harness.get_by_label("Search parameters").focus();
    harness.run();
    harness.get_by_label("Search parameters").type_text("band 3 wid");
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Slider, "Gain 3").is_none());
    let slider = harness.get_by_role_and_label(Role::Slider, "Width 3");
    slider.set_value_accesskit(4.0);
    harness.run();
    assert_eq!(fake.sent().last(), Some(&Command::Param(SlotId(1), "Width 3".into(), 4.0)));
    harness.get_by_label("Search parameters").type_text("x");
    harness.run();
    harness.get_by_label("No parameter is called so.");
}

#[test]
fn groups_of_one_parameter_each_are_no_groups() {
    let fake = three();
    fake.change(|snapshot| {
        let params: Vec<_> = ["Threshold", "Ratio", "Knee", "Attack", "Release", "Makeup", "Slew", "Mix", "Link"]
            .into_iter()
            .map(|name| {
                let mut param = param(name, name, Steps::Continuous);
                param.group = name.to_lowercase();
                param
            })
            .collect();
        snapshot.slots[0].values = vec![1.0; params.len()];
        snapshot.slots[0].params = params.into();
    });
    let (mut harness, _) = harness(&fake);
    show(&mut harness, "Slot 1: Gate, running");
    harness.get_by_role_and_label(Role::Slider, "Ratio");
    assert!(harness.query_by_label("ratio").is_none(), "no heading");
}
