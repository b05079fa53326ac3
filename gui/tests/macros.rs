//! The page of macros, the list of steps, and what else the header has.

mod common;

use common::{Fake, harness, slot};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use host_core::model::{Aim, Law, MacroId, SlotId};
use host_core::session::{Command, HistoryView, MacroEdit, MacroView, StepView, TargetView};

fn mapped() -> Fake {
    let fake = Fake::new(vec![slot(1, "Hall", 512)]);
    fake.change(|snapshot| {
        let target = TargetView {
            aim: Aim::Mix(SlotId(1)),
            title: "Hall: Mix".into(),
            unit: "%".into(),
            law: Law::straight(0.0, 0.5),
        };
        snapshot.macros = vec![MacroView {
            number: MacroId::new(2).unwrap(),
            name: Some("Space".into()),
            title: "Space".into(),
            value: 0.25,
            controller: None,
            targets: vec![target],
        }];
    });
    fake
}

fn of(edit: MacroEdit) -> Command {
    Command::Macro(MacroId::new(2).unwrap(), edit)
}

#[test]
fn a_knob_is_turned_named_mapped_by_touch_and_let_go() {
    let fake = mapped();
    let mut harness = harness(&fake);
    harness.run();
    assert!(harness.query_by_label("Macro 2: Space").is_none());
    harness.get_by_label("Macros").click();
    harness.run();
    let knob = harness.get_by_role_and_label(Role::Slider, "Macro 2: Space");
    assert_eq!(knob.value().as_deref(), Some("25 %"));
    knob.set_value_accesskit(0.5);
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "Macro 2: Space").focus();
    harness.run();
    harness.get_by_label("Learn macro 2").click();
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "To of Hall: Mix").set_value_accesskit(0.8);
    harness.run();
    harness.get_by_label("Turn Hall: Mix round").click();
    harness.run();
    harness.get_by_label("Let go of Hall: Mix").click();
    harness.run();
    harness.get_by_label("Clear macro 2").click();
    harness.run();
    let aim = Aim::Mix(SlotId(1));
    let law = Law::straight(0.0, 0.5);
    let shape = |law| of(MacroEdit::Shape { aim: aim.clone(), law });
    let expected = [
        of(MacroEdit::Value(0.5)),
        of(MacroEdit::Learn(true)),
        shape(Law { max: 0.8, ..law }),
        shape(Law { inverted: true, ..law }),
        of(MacroEdit::Unmap(Some(aim.clone()))),
        of(MacroEdit::Unmap(None)),
    ];
    assert_eq!(fake.sent(), expected);
    fake.change(|snapshot| snapshot.learning = MacroId::new(2));
    harness.run();
    harness.get_by_label("Learn macro 2").click();
    harness.run();
    assert_eq!(fake.sent(), [of(MacroEdit::Learn(false))]);
}

#[test]
fn the_list_of_steps_goes_to_any_of_them() {
    let fake = mapped();
    let step = |label: &str| StepView { label: label.into(), slot: None };
    let steps = [step("Add Hall"), step("Mix of Hall"), step("Move Hall")].into();
    fake.change(|snapshot| snapshot.history = HistoryView { steps, at: 3 });
    let mut harness = harness(&fake);
    harness.run();
    for (entry, to) in [("Add Hall", 1), ("As it was at the beginning", 0)] {
        harness.get_by_label("History").click();
        harness.run();
        harness.get_by_label(entry).click();
        harness.run();
        assert_eq!(fake.sent(), [Command::GoTo(to)]);
    }
}

#[test]
fn the_header_has_the_load_and_the_latency_can_be_copied() {
    let fake = mapped();
    fake.change(|snapshot| snapshot.cost.share = 0.123);
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Load 12.3 %");
    harness.get_by_label("Latency 512 samples (10.7 ms)").click();
    harness.step();
    let copied = harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(copied.as_deref(), Some("512"));
}

#[test]
fn targets_of_one_title_are_moved_each_by_itself() {
    let fake = mapped();
    let aims = [1, 2].map(|slot| Aim::Param(SlotId(slot), "gain".into()));
    fake.change(|snapshot| {
        let target = |aim: &Aim| TargetView {
            aim: aim.clone(),
            title: "Hall: Gain".into(),
            unit: String::new(),
            law: Law::straight(0.0, 1.0),
        };
        snapshot.macros[0].targets = aims.iter().map(target).collect();
    });
    let mut harness = harness(&fake);
    harness.get_by_label("Macros").click();
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "Macro 2: Space").focus();
    harness.run();
    let places: Vec<_> = harness
        .query_all_by_role_and_label(Role::Slider, "To of Hall: Gain")
        .map(|field| field.rect().center())
        .collect();
    assert_eq!(places.len(), 2);
    harness.drag_at(places[1]);
    harness.run();
    harness.hover_at(places[1] - egui::vec2(30.0, 0.0));
    harness.run();
    harness.drop_at(places[1] - egui::vec2(30.0, 0.0));
    harness.run();
    let moved: Vec<_> = fake
        .sent()
        .into_iter()
        .filter_map(|command| match command {
            Command::Macro(_, MacroEdit::Shape { aim, .. }) => Some(aim),
            _ => None,
        })
        .collect();
    assert!(!moved.is_empty() && moved.iter().all(|aim| *aim == aims[1]), "{moved:?}");
}
