//! Parameters of a slot, the same for every plugin.

mod common;

use std::sync::Arc;

use common::{Fake, harness, param, slot};
use egui_kittest::kittest::Queryable;
use host_core::model::{SlotId, Steps};
use host_core::session::Command;

fn with_parameters() -> Fake {
    let fake = Fake::new(vec![slot(7, "Gate", 0)]);
    fake.change(|snapshot| {
        let mut hidden = param("secret", "Secret", Steps::Continuous);
        hidden.hidden = true;
        let shapes = vec![(0.0, "Soft".to_owned()), (10.0, "Hard".to_owned())];
        snapshot.slots[0].params = Arc::new([
            param("threshold", "Threshold", Steps::Continuous),
            param("listen", "Listen", Steps::Toggle),
            param("knee", "Knee", Steps::Named(shapes)),
            hidden,
        ]);
        snapshot.slots[0].values = vec![2.5, 0.0, 0.0, 0.0];
    });
    fake
}

#[test]
fn they_open_show_their_values_and_are_set() {
    let fake = with_parameters();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Parameters of Gate").click();
    harness.run();
    assert!(harness.query_by_label("Secret").is_none());
    let slider = harness.get_by_role_and_label(egui::accesskit::Role::Slider, "Threshold");
    slider.set_value_accesskit(7.5);
    harness.run();
    harness.get_by_role_and_label(egui::accesskit::Role::CheckBox, "Listen").click();
    harness.run();
    let id = SlotId(7);
    let expected = [Command::Param(id, "threshold".into(), 7.5), Command::Param(id, "listen".into(), 10.0)];
    assert_eq!(fake.sent(), expected);
}

#[test]
fn a_named_value_is_chosen_by_its_name() {
    let fake = with_parameters();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Parameters of Gate").click();
    harness.run();
    harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Knee").click();
    harness.run();
    harness.get_by_label("Hard").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::Param(SlotId(7), "knee".into(), 10.0)]);
}

#[test]
fn a_drag_is_one_gesture_from_its_first_value_to_its_last() {
    let fake = with_parameters();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Parameters of Gate").click();
    harness.run();
    let rect = harness.get_by_role_and_label(egui::accesskit::Role::Slider, "Threshold").rect();
    harness.drag_at(rect.left_center() + egui::vec2(rect.width() * 0.25, 0.0));
    harness.run();
    for at in [0.3, 0.4, 0.5] {
        harness.hover_at(rect.left_center() + egui::vec2(rect.width() * at, 0.0));
        harness.run();
    }
    harness.drop_at(rect.left_center() + egui::vec2(rect.width() * 0.5, 0.0));
    harness.run();
    let sent = fake.sent();
    let (first, last) = (sent.first(), sent.last());
    assert_eq!((first, last), (Some(&Command::Gesture(true)), Some(&Command::Gesture(false))), "{sent:?}");
    assert!(
        sent.len() > 4 && sent[1..sent.len() - 1].iter().all(|sent| matches!(sent, Command::Param(..))),
        "{sent:?}"
    );
}
