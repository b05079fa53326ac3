//! Ten tasks in a counted number of keys and clicks; a name that is typed counts one. The README's table has the same numbers.

mod common;

use common::{Fake, harness, param, slot, watched};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::{MacroId, PluginId, SlotId, Split, Steps};
use host_core::session::{Command, MacroEdit, SlotStatus, StripEdit};

/// A user whose keys and clicks are counted.
struct Hand {
    fake: Fake,
    harness: Harness<'static>,
    count: usize,
}

impl Hand {
    fn at(fake: Fake) -> Self {
        let mut harness = harness(&fake);
        harness.run();
        Self { fake, harness, count: 0 }
    }

    fn four() -> Fake {
        Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 64), slot(3, "Hall", 512), slot(4, "Limiter", 0)])
    }

    fn rest(&mut self) {
        self.harness.run();
        self.harness.run();
    }

    fn click(&mut self, label: &str) {
        self.count += 1;
        self.harness.get_by_label(label).click();
        self.rest();
    }

    fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.count += 1;
        self.harness.key_press_modifiers(modifiers, key);
        self.rest();
    }

    /// Types where the keys are.
    fn name(&mut self, text: &str) {
        self.count += 1;
        self.harness.event(Event::Text(text.to_owned()));
        self.rest();
    }

    fn sees(&self, text: &str) {
        self.harness.get_by_label_contains(text);
    }
}

#[test]
fn a_plugin_after_slot_two_takes_three() {
    let mut hand = Hand::at(Hand::four());
    hand.click("Add after Equalizer");
    hand.name("tape");
    hand.key(Modifiers::NONE, Key::Enter);
    assert_eq!(hand.fake.titles(), ["Gate", "Equalizer", "Tape Delay", "Hall", "Limiter"]);
    assert_eq!(hand.count, 3);
}

#[test]
fn another_plugin_in_its_place_takes_three() {
    let mut hand = Hand::at(Hand::four());
    hand.click("Replace Equalizer");
    hand.name("tape");
    hand.key(Modifiers::NONE, Key::Enter);
    let plugin = PluginId::clap("test.Tape Delay");
    assert_eq!(hand.fake.sent(), [Command::Replace { slot: SlotId(2), plugin }]);
    assert_eq!(hand.count, 3);
}

#[test]
fn to_hear_only_what_slot_three_does_takes_one() {
    let mut hand = Hand::at(Hand::four());
    hand.click("Delta Hall");
    assert_eq!(hand.fake.sent(), [Command::Strip(SlotId(3), StripEdit::Delta(true))]);
    assert_eq!(hand.count, 1);
}

#[test]
fn the_slot_that_clips_and_where_the_latency_comes_from_are_seen_at_once() {
    let fake = Hand::four();
    fake.change(|snapshot| snapshot.slots[2].output.since.clips = 7);
    let hand = Hand::at(fake);
    hand.sees("latency 512 samples (10.7 ms) · 7 samples over 0 dBFS");
    hand.sees("latency 64 samples (1.3 ms)");
    hand.sees("Latency 576 samples (12.0 ms)");
    assert_eq!(hand.count, 0);
}

#[test]
fn a_mapped_knob_takes_two() {
    let fake = Hand::four();
    fake.change(|snapshot| {
        snapshot.slots[0].params = [param("threshold", "Threshold", Steps::Toggle)].into();
        snapshot.slots[0].values = vec![0.0];
    });
    let mut hand = Hand::at(fake);
    hand.click("Learn the next free macro");
    let learn = Command::Macro(MacroId::new(1).unwrap(), MacroEdit::Learn(true));
    assert_eq!(hand.fake.sent(), [learn]);
    // The second is a touch of the control itself, in the plugin's own window or here.
    assert_eq!(hand.count + 1, 2);
}

#[test]
fn a_slot_in_parallel_takes_two() {
    let mut hand = Hand::at(Hand::four());
    hand.count += 1;
    hand.harness.get_by_label("Slot 2: Equalizer, running").click_accesskit();
    hand.rest();
    hand.harness.get_by_label("Slot 2: Equalizer, running").focus();
    hand.rest();
    hand.key(Modifiers::NONE, Key::P);
    let id = SlotId(2);
    assert_eq!(hand.fake.sent(), [Command::Parallel { from: id, to: id, split: Split::Copy }]);
    assert_eq!(hand.count, 2);
}

#[test]
fn a_chain_on_another_track_takes_four() {
    let mut hand = Hand::at(Hand::four());
    hand.click("Copy the chain");
    assert_eq!(hand.fake.0.lock().unwrap().copied, [1, 2, 3, 4].map(SlotId));
    // The other track's editor is opened (one), its rack clicked (one), and what was copied pasted (one).
    let mut other = Hand::at(Fake::new(vec![slot(9, "Gain", 0)]));
    other.count = hand.count + 1;
    let at = other.harness.get_by_label("Slot 1: Gain, running").rect().left_center() + egui::vec2(5.0, 0.0);
    other.count += 1;
    other.harness.drag_at(at);
    other.harness.drop_at(at);
    other.rest();
    other.count += 1;
    other.harness.event(Event::Paste("catena-slots:1:x;".into()));
    other.rest();
    assert_eq!(other.fake.0.lock().unwrap().pasted.len(), 1);
    assert_eq!(other.count, 4);
}

#[test]
fn what_is_missing_and_how_to_install_it_is_seen_at_once() {
    let fake = Hand::four();
    fake.change(|snapshot| {
        snapshot.slots[1].status = SlotStatus::Missing;
        snapshot.slots[1].install = "apt install zam-plugins".into();
    });
    let hand = Hand::at(fake);
    hand.sees("This plugin is not installed (clap:test.Equalizer)");
    hand.sees("To install it, in a terminal: sudo apt install zam-plugins");
    assert_eq!(hand.count, 0);
}

#[test]
fn everything_is_silenced_by_one() {
    let mut hand = Hand::at(Hand::four());
    hand.click("Panic");
    assert_eq!(hand.fake.sent(), [Command::Panic]);
    assert_eq!(hand.count, 1);
}

#[test]
fn a_name_is_typed_where_the_keys_are() {
    // What the others lean on: after a plus the field has the keys.
    let fake = Hand::four();
    let (mut harness, _left) = watched(&fake);
    harness.run();
    harness.get_by_label("Add after Equalizer").click();
    harness.run();
    harness.run();
    assert!(harness.get_by_role_and_label(Role::TextInput, "Find a plugin").is_focused());
}
