//! What a slot does with its plugin's sound: small fields on it, and the rest folded away.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use catena_gui::Editor;
use common::{Fake, harness, paced, slot};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::{IfFails, MidiSettings, MidiSource, Phase, SidechainSource, Sleep, SlotId};
use host_core::session::{Command, MatchView, StripEdit};

const ID: SlotId = SlotId(2);

fn two() -> Fake {
    Fake::new(vec![slot(1, "Gate", 0), slot(2, "Comp", 0)])
}

fn shown(fake: &Fake) -> Harness<'static> {
    let mut harness = harness(fake);
    harness.set_size(egui::vec2(1000.0, 900.0));
    harness.run();
    harness
}

#[test]
fn mix_gains_and_pan_stand_on_the_slot_with_their_values() {
    let fake = two();
    fake.change(|snapshot| {
        snapshot.slots[1].mix = 0.4;
        snapshot.slots[1].gains = (0.0, -3.5);
        snapshot.slots[1].strip.pan = -0.3;
    });
    let mut harness = shown(&fake);
    for (name, value) in [
        ("Mix of Comp", "40 %"),
        ("Input gain of Comp", "0.0 dB"),
        ("Output gain of Comp", "-3.5 dB"),
        ("Pan of Comp", "L 30"),
    ] {
        let field = harness.get_by_role_and_label(Role::Slider, name);
        assert_eq!(field.value().as_deref(), Some(value), "{name}");
    }
    for (name, value) in [("Mix of Comp", 0.5), ("Input gain of Comp", 3.0), ("Output gain of Comp", -12.0)] {
        harness.get_by_role_and_label(Role::Slider, name).set_value_accesskit(value);
        harness.run();
    }
    harness.get_by_role_and_label(Role::Slider, "Pan of Comp").set_value_accesskit(1.0);
    harness.run();
    let expected = [
        Command::Mix(ID, 0.5),
        Command::InputGain(ID, 3.0),
        Command::OutputGain(ID, -12.0),
        Command::Strip(ID, StripEdit::Pan(1.0)),
    ];
    assert_eq!(fake.sent(), expected);
}

#[test]
fn a_value_is_typed_with_a_comma_stepped_by_arrows_and_left_by_escape() {
    let fake = two();
    let mut harness = shown(&fake);
    let field = "Output gain of Comp";
    harness.get_by_role_and_label(Role::Slider, field).focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, field).type_text("-4,5");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.sent(), [Command::OutputGain(ID, -4.5)]);
    assert!(harness.get_by_role_and_label(Role::Slider, field).is_focused(), "the field keeps the keys");
    harness.key_press(Key::Enter);
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, field).type_text("9");
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(fake.sent(), []);
    fake.change(|snapshot| snapshot.slots[1].mix = 0.5);
    harness.get_by_role_and_label(Role::Slider, "Mix of Comp").focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
    harness.run();
    let sent = fake.sent();
    assert_eq!(sent[0], Command::Mix(ID, 0.55));
    assert_eq!(sent[1], Command::Mix(ID, 0.545), "from where it was set to a moment ago");
}

#[test]
fn a_drag_is_one_gesture_and_a_double_click_resets() {
    let fake = two();
    fake.change(|snapshot| snapshot.slots[1].gains.1 = 6.0);
    let mut harness = shown(&fake);
    let at = harness.get_by_role_and_label(Role::Slider, "Output gain of Comp").rect().center();
    harness.drag_at(at);
    harness.run();
    for right in [10.0, 20.0, 30.0] {
        harness.hover_at(at + egui::vec2(right, 0.0));
        harness.run();
    }
    harness.drop_at(at + egui::vec2(30.0, 0.0));
    harness.run();
    let sent = fake.sent();
    assert_eq!((sent.first(), sent.last()), (Some(&Command::Gesture(true)), Some(&Command::Gesture(false))));
    let values: Vec<_> = sent
        .iter()
        .filter_map(|command| match command {
            Command::OutputGain(ID, gain) => Some(*gain),
            _ => None,
        })
        .collect();
    assert!(values.len() >= 2 && values.is_sorted() && values[0] > 6.0, "{sent:?}");
    let mut harness = paced(&fake, 0.03).0;
    harness.set_size(egui::vec2(1000.0, 900.0));
    harness.run_steps(20);
    for _ in 0..2 {
        harness.drag_at(at);
        harness.drop_at(at);
    }
    harness.run_steps(20);
    assert_eq!(fake.sent().last(), Some(&Command::OutputGain(ID, 0.0)));
}

#[test]
fn the_wheel_turns_what_it_begins_over_and_shift_is_finer() {
    let fake = two();
    let mut harness = shown(&fake);
    let at = harness.get_by_role_and_label(Role::Slider, "Input gain of Comp").rect().center();
    harness.hover_at(at);
    harness.run();
    let turn = |harness: &mut Harness<'static>, modifiers| {
        harness.event_modifiers(
            egui::Event::MouseWheel {
                unit: egui::MouseWheelUnit::Line,
                delta: egui::vec2(0.0, 1.0),
                phase: egui::TouchPhase::Move,
                source: egui::MouseWheelSource::Wheel,
                modifiers,
            },
            modifiers,
        );
        harness.run_steps(3);
    };
    turn(&mut harness, Modifiers::NONE);
    turn(&mut harness, Modifiers::SHIFT);
    assert_eq!(fake.sent(), [Command::InputGain(ID, 0.5), Command::InputGain(ID, 0.55)]);
    // What scrolls the rack goes on scrolling it.
    let mut harness = paced(&fake, 0.02).0;
    harness.set_size(egui::vec2(1000.0, 900.0));
    harness.run_steps(5);
    harness.hover_at(harness.get_by_label("Slot 1: Gate, running").rect().left_center());
    harness.run_steps(1);
    turn(&mut harness, Modifiers::NONE);
    harness.hover_at(at);
    turn(&mut harness, Modifiers::NONE);
    assert_eq!(fake.sent(), []);
    harness.run_steps(40);
    turn(&mut harness, Modifiers::NONE);
    assert_eq!(fake.sent().len(), 1, "it has rested");
}

#[test]
fn more_folds_out_switches_and_choices() {
    let fake = two();
    fake.change(|snapshot| {
        snapshot.slots[1].sidechain = Some(SidechainSource::Container);
        snapshot.slots[1].midi = Some(MidiSettings::default());
    });
    let mut harness = shown(&fake);
    assert!(harness.query_by_label("Mono Comp").is_none());
    harness.get_by_label("More of Comp").click();
    harness.run();
    for name in ["Mute Comp", "Solo Comp", "Delta Comp", "Mono Comp", "Rest Comp in bypass", "Rest Comp in silence"] {
        harness.get_by_role_and_label(Role::CheckBox, name).click();
        harness.run();
    }
    let strip = |edit| Command::Strip(ID, edit);
    let expected = [
        strip(StripEdit::Mute(true)),
        strip(StripEdit::Solo(true)),
        strip(StripEdit::Delta(true)),
        strip(StripEdit::Mono(true)),
        strip(StripEdit::Idle(true)),
        strip(StripEdit::Sleep(Sleep::Tail)),
    ];
    assert_eq!(fake.sent(), expected);
    let midi = MidiSettings { source: MidiSource::Container, ..MidiSettings::default() };
    for (menu, entry, command) in [
        ("Phase of Comp", "Left turned", strip(StripEdit::Phase(Phase::Left))),
        ("Sidechain of Comp", "1 Gate", Command::Sidechain(ID, SidechainSource::Output(SlotId(1)))),
        ("MIDI of Comp", "The DAW", Command::Midi(ID, midi)),
        ("Oversampling of Comp", "4 times the rate", Command::Oversample(ID, 4)),
        ("If Comp fails", "The slot is silent", Command::IfFails(ID, IfFails::Mute)),
    ] {
        harness.get_by_role_and_label(Role::ComboBox, menu).click();
        harness.run();
        harness.get_by_label(entry).click();
        harness.run();
        assert_eq!(fake.sent(), [command], "{menu}");
    }
    harness.get_by_label("Match the loudness of Comp").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::Match(ID)]);
    fake.change(|snapshot| snapshot.slots[1].matched = MatchView::Set(-2.0));
    harness.run();
    harness.get_by_label("set to -2.0 dB");
    harness.get_by_label("Name of Comp").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_label("Name of Comp").type_text("Glue");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.sent(), [Command::Rename(ID, Some("Glue".into()))]);
}

#[test]
fn a_slot_says_what_it_hears_and_does_where_that_is_not_the_usual() {
    let fake = two();
    let mut harness = shown(&fake);
    assert!(harness.query_by_label_contains("hears").is_none());
    fake.change(|snapshot| {
        let slot = &mut snapshot.slots[1];
        slot.sidechain = Some(SidechainSource::Output(SlotId(1)));
        slot.midi = Some(MidiSettings { source: MidiSource::None, ..MidiSettings::default() });
        slot.strip.mute = true;
        slot.oversample = 2;
    });
    harness.run();
    harness.get_by_label("muted · sidechain hears Gate · no MIDI · 2 times oversampled");
}

#[test]
fn letters_mute_and_solo_the_slot_that_has_the_keys() {
    let fake = two();
    let mut harness = shown(&fake);
    harness.get_by_label("Slot 2: Comp, running").focus();
    harness.run();
    harness.key_press(Key::M);
    harness.key_press(Key::S);
    harness.run();
    let strip = |edit| Command::Strip(ID, edit);
    assert_eq!(fake.sent(), [strip(StripEdit::Mute(true)), strip(StripEdit::Solo(true))]);
}

#[test]
fn space_is_the_daws_while_a_value_is_turned_and_no_value_is_typed_by_it() {
    let fake = two();
    let (mut editor, leaves) = (Editor::with_host(Box::new(fake.clone())), Arc::new(AtomicBool::new(false)));
    let seen = Arc::clone(&leaves);
    let draw = move |ui: &mut egui::Ui| {
        editor.ui(ui);
        seen.store(editor.leaves_space(), Ordering::Relaxed);
    };
    let mut harness = Harness::builder().with_size([1000.0, 900.0]).build_ui(draw);
    harness.run();
    assert!(!leaves.load(Ordering::Relaxed));
    let mix = |harness: &Harness<'_>| harness.get_by_role_and_label(Role::Slider, "Mix of Comp").rect().center();
    let at = mix(&harness);
    harness.drag_at(at);
    harness.run();
    harness.hover_at(at - egui::vec2(20.0, 0.0));
    harness.run();
    harness.drop_at(at - egui::vec2(20.0, 0.0));
    harness.run();
    assert!(leaves.load(Ordering::Relaxed), "it has the keys");
    harness.key_press(Key::Space);
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Slider, "Mix of Comp").is_some(), "no field has opened");
    assert!(leaves.load(Ordering::Relaxed));
    harness.key_press(Key::Enter);
    harness.run();
    assert!(!leaves.load(Ordering::Relaxed), "now it is typed");
}
