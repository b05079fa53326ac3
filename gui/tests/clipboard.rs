//! Copy, cut and paste in the rack, as the window tells of them, and never the DAW's.

mod common;

use common::{Fake, slot, watched};
use egui::{Event, Key, Modifiers, OutputCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::SlotId;
use host_core::session::{Command, NodeView};

fn three() -> Fake {
    let fake = Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 64), slot(3, "Hall", 512)]);
    fake.change(|snapshot| snapshot.nodes = snapshot.slots.iter().map(|slot| NodeView::Slot(slot.id)).collect());
    fake
}

fn key(key: Key) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::COMMAND }
}

/// What goes to the clipboard in the two frames after these events.
fn after(harness: &mut Harness<'static>, events: &[Event]) -> Vec<String> {
    // In one frame, as a window tells of them.
    harness.input_mut().events.extend(events.iter().cloned());
    let mut texts = Vec::new();
    for _ in 0..2 {
        harness.step();
        texts.extend(harness.output().platform_output.commands.iter().filter_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        }));
    }
    texts
}

#[test]
fn what_has_the_focus_is_copied_and_cut_and_pasted_behind_it() {
    let fake = three();
    let (mut harness, left) = watched(&fake);
    harness.run();
    harness.get_by_label("Slot 2: Equalizer, running").focus();
    harness.run();
    left.lock().unwrap().clear();
    let texts = after(&mut harness, &[key(Key::C), Event::Copy]);
    assert_eq!(texts, ["text of [SlotId(2)]"]);
    assert_eq!(fake.sent(), []);
    // As baseview tells of a paste, and as others do.
    after(&mut harness, &[key(Key::V), Event::Text("one".into())]);
    after(&mut harness, &[Event::Paste("two".into())]);
    // Nothing is on the clipboard: what was copied here last is pasted.
    after(&mut harness, &[key(Key::V)]);
    let pasted: Vec<_> = std::mem::take(&mut fake.0.lock().unwrap().pasted);
    let wanted = ["one", "two", "text of [SlotId(2)]"].map(|text| (text.to_owned(), None, 2));
    assert_eq!(pasted, wanted);
    // What is cut goes once it is on the clipboard.
    let texts = after(&mut harness, &[key(Key::X), Event::Cut]);
    assert_eq!(texts, ["text of [SlotId(2)]"]);
    assert_eq!(fake.sent(), [Command::Remove(SlotId(2))]);
    assert_eq!(fake.titles(), ["Gate", "Hall"]);
    assert_eq!(*left.lock().unwrap(), [], "the DAW hears of none of these keys");
}

#[test]
fn where_nothing_has_the_focus_or_something_is_typed_the_keys_are_not_the_racks() {
    let fake = three();
    let (mut harness, _left) = watched(&fake);
    harness.run();
    let events = [key(Key::C), Event::Copy, key(Key::X), Event::Cut, key(Key::V), Event::Paste("text".into())];
    after(&mut harness, &events);
    harness.get_by_role_and_label(egui::accesskit::Role::TextInput, "Find a plugin").focus();
    harness.run();
    after(&mut harness, &events);
    let inner = fake.0.lock().unwrap();
    assert!(inner.copied.is_empty() && inner.pasted.is_empty() && inner.sent.is_empty());
}

#[test]
fn an_empty_chain_is_pasted_into() {
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let (mut harness, _left) = watched(&fake);
    harness.run();
    harness.get_by_label("Slot 1: Gate, running").focus();
    harness.run();
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(fake.titles(), Vec::<String>::new());
    harness.run();
    after(&mut harness, &[key(Key::V), Event::Text("slots".into())]);
    assert_eq!(fake.0.lock().unwrap().pasted, [("slots".to_owned(), None, 0)]);
}
