//! The rack: slots in order, each with name, latency and bypass; moved, removed and bypassed by mouse and by keyboard.

mod common;

use std::sync::{Arc, Mutex};

use common::{Fake, harness, slot, watched};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use host_core::model::{Letter, PluginId, SlotId};
use host_core::session::{Command, HistoryView, LatencyChange, SlotStatus, SnapshotEdit, StepView};

fn three() -> Fake {
    Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 64), slot(3, "Hall", 512)])
}

#[test]
fn slots_stand_in_order_with_their_latency() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    let top = |name: &str| harness.get_by_label(name).rect().top();
    assert!(top("Slot 1: Gate, running") < top("Slot 2: Equalizer, running"));
    assert!(top("Slot 2: Equalizer, running") < top("Slot 3: Hall, running"));
    harness.get_by_label("Latency 576 samples (12.0 ms)");
    harness.get_by_label("latency 64 samples (1.3 ms) · Maker · CLAP");
}

#[test]
fn a_chain_that_was_too_loud_says_so_and_is_let_sound_again() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    assert!(harness.query_by_label("Reopen").is_none());
    fake.change(|snapshot| snapshot.guard.muted = true);
    harness.run();
    harness.get_by_label("Muted: the output was above +18 dBFS for 20 ms.");
    harness.get_by_label("Reopen").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::Reopen]);
}

#[test]
fn an_edit_that_waits_says_for_what_and_may_be_had_at_once() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Hold").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::HoldLatency(true)]);
    assert!(harness.query_by_label("Now").is_none());
    fake.change(|snapshot| {
        snapshot.hold_latency = true;
        snapshot.held = Some(LatencyChange { before: 512, after: 1024 });
    });
    harness.run();
    harness.get_by_label("Waits for the stop: latency 512 -> 1024 samples (+512)");
    harness.get_by_label("Now").click();
    harness.run();
    harness.get_by_label("Hold").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::ApplyHeld, Command::HoldLatency(false)]);
}

#[test]
fn buttons_bypass_move_and_remove() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Bypass Equalizer").click();
    harness.run();
    harness.get_by_label("Slot 2: Equalizer, bypassed");
    harness.get_by_label("Move Equalizer up").click();
    harness.run();
    assert_eq!(fake.titles(), ["Equalizer", "Gate", "Hall"]);
    harness.get_by_label("Move Equalizer down").click();
    harness.run();
    harness.get_by_label("Remove Hall").click();
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Equalizer"]);
    let id = SlotId(2);
    let expected = [
        Command::Bypass(id, true),
        Command::Move { slot: id, index: 0 },
        Command::Move { slot: id, index: 1 },
        Command::Remove(SlotId(3)),
    ];
    assert_eq!(fake.sent(), expected);
}

#[test]
fn the_pointer_on_remove_shows_what_that_does_to_the_latency() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    let on = |harness: &mut Harness<'static>, name: &str| {
        harness.get_by_label(name).hover();
        // The answer comes a frame later; the words, when the pointer has rested.
        harness.run_steps(40);
    };
    on(&mut harness, "Remove Hall");
    harness.get_by_label("latency 576 -> 64 samples (-512)");
    assert_eq!(std::mem::take(&mut fake.0.lock().unwrap().foreseen), [Command::Remove(SlotId(3))], "asked once");
    fake.change(|snapshot| snapshot.slots[0].latency = 100);
    on(&mut harness, "Remove Hall");
    harness.get_by_label("latency 676 -> 164 samples (-512)");
    on(&mut harness, "Remove Equalizer");
    harness.get_by_label("latency 676 -> 612 samples (-64)");
    fake.change(|snapshot| snapshot.slots[0].latency = 0);
    on(&mut harness, "Remove Gate");
    assert!(harness.query_by_label_contains(" -> ").is_none(), "nothing changes");
    assert_eq!(fake.sent(), []);
}

#[test]
fn the_first_slot_has_no_way_up_and_the_last_none_down() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Move Gate up").click();
    harness.get_by_label("Move Hall down").click();
    harness.run();
    assert_eq!(fake.sent(), []);
}

#[test]
fn a_slot_with_the_focus_takes_keys() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 3: Hall, running").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Hall", "Equalizer"]);
    harness.key_press(Key::B);
    harness.run();
    harness.get_by_label("Slot 2: Hall, bypassed");
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(fake.titles(), ["Gate", "Equalizer"]);
    // The neighbour has the focus now: a second Delete takes it, never a slot the user did not see.
    assert!(harness.get_by_label("Slot 2: Equalizer, running").is_focused());
}

#[test]
fn the_tab_key_walks_the_rack_backwards_from_its_end() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Tab);
    harness.run_steps(3);
    let at = |harness: &Harness<'static>| {
        harness
            .ctx
            .memory(|memory| memory.focused())
            .and_then(|id| harness.ctx.read_response(id))
            .map(|found| found.rect)
    };
    let last = harness.get_by_label_contains("Slot 3").rect();
    let focused = at(&harness).expect("something has the focus");
    assert!(last.contains(focused.center()), "{focused:?} is not in the last slot {last:?}");
}

/// Presses a key; whether the editor left it to the DAW.
fn is_left((harness, left): &mut (Harness<'static>, Arc<Mutex<Vec<Key>>>), modifiers: Modifiers, key: Key) -> bool {
    left.lock().unwrap().clear();
    harness.key_press_modifiers(modifiers, key);
    harness.run();
    left.lock().unwrap().contains(&key)
}

#[test]
fn a_hand_on_a_slot_or_in_it_has_the_keys_there_and_the_keys_that_edit_stay() {
    let fake = three();
    let mut watched = watched(&fake);
    watched.0.run();
    // Its title, then a button in it.
    let grip = watched.0.get_by_label("Slot 2: Equalizer, running").rect().left_center() + egui::vec2(6.0, 0.0);
    watched.0.drag_at(grip);
    watched.0.drop_at(grip);
    watched.0.run();
    assert!(watched.0.get_by_label("Slot 2: Equalizer, running").is_focused());
    watched.0.get_by_label("Bypass Equalizer").click();
    watched.0.run();
    assert!(watched.0.get_by_label("Slot 2: Equalizer, bypassed").is_focused());
    fake.sent();
    for (modifiers, key) in [
        (Modifiers::COMMAND, Key::Z),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::Z),
        (Modifiers::COMMAND, Key::X),
        (Modifiers::NONE, Key::Backspace),
    ] {
        assert!(!is_left(&mut watched, modifiers, key), "{modifiers:?} {key:?}");
    }
    assert_eq!(fake.sent(), [Command::Undo, Command::Redo], "whatever the snapshot says: it may be behind");
    assert!(is_left(&mut watched, Modifiers::COMMAND, Key::S), "the DAW's");
    // On a button that the Tab key found, they are the rack's too, and do nothing.
    watched.0.get_by_label("Remove Gate").focus();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert_eq!((fake.sent(), fake.titles().len()), (vec![], 3));
    // In the search they are not.
    watched.0.get_by_role_and_label(egui::accesskit::Role::TextInput, "Find a plugin").focus();
    watched.0.run();
    watched.0.key_press(Key::Delete);
    watched.0.run();
    assert_eq!(fake.titles().len(), 3);
}

#[test]
fn a_delete_after_the_last_slot_is_the_empty_racks() {
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let mut watched = watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Slot 1: Gate, running").focus();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert_eq!(fake.titles().len(), 0);
    assert!(watched.0.get_by_label("Rack without a plugin").is_focused());
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert!(!is_left(&mut watched, Modifiers::COMMAND, Key::Z));
    assert_eq!(fake.sent(), [Command::Remove(SlotId(1)), Command::Undo]);
}

#[test]
fn a_slot_whose_button_was_clicked_hands_its_keys_on_when_it_goes() {
    let fake = three();
    let mut watched = watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Remove Gate").click();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::COMMAND, Key::Z), "after a click on Remove");
    let fake = Fake::new(vec![slot(1, "Gate", 0)]);
    let mut watched = self::watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Bypass Gate").click();
    watched.0.run();
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete));
    assert_eq!(fake.titles().len(), 0);
    assert!(!is_left(&mut watched, Modifiers::NONE, Key::Delete), "one too many");
}

#[test]
fn arrows_walk_from_slot_to_slot() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 1: Gate, running").focus();
    harness.run();
    for name in ["Slot 2: Equalizer, running", "Slot 3: Hall, running"] {
        harness.key_press(Key::ArrowDown);
        harness.run();
        assert!(harness.get_by_label(name).is_focused(), "{name}");
    }
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert!(harness.get_by_label("Slot 2: Equalizer, running").is_focused());
    assert_eq!(fake.sent(), []);
}

#[test]
fn a_slot_dragged_onto_another_takes_its_place() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    let grip = |name: &str| harness.get_by_label(name).rect().left_center() + egui::vec2(6.0, 0.0);
    let (from, to) = (grip("Slot 3: Hall, running"), grip("Slot 1: Gate, running"));
    harness.drag_at(from);
    harness.run_steps(1);
    harness.hover_at(to);
    harness.run_steps(2);
    harness.drop_at(to);
    harness.run();
    assert_eq!(fake.titles(), ["Hall", "Gate", "Equalizer"]);
}

#[test]
fn a_slot_that_does_not_run_says_why_and_offers_a_way_out() {
    let fake = three();
    fake.change(|snapshot| {
        snapshot.slots[0].status = SlotStatus::Missing;
        snapshot.slots[1].status = SlotStatus::Faulted("it wrote no numbers in three blocks".into());
        snapshot.slots[2].status = SlotStatus::Closed("it ended the program when it was opened last".into());
    });
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label(
        "This plugin is not installed (clap:test.Gate). Its settings are kept, and sound passes by unchanged.",
    );
    harness.get_by_label("Stopped: it wrote no numbers in three blocks. Sound passes by unchanged.");
    harness.get_by_label("Kept closed: it ended the program when it was opened last.");
    for button in ["Look again: Gate", "Try again: Equalizer", "Open it: Hall"] {
        harness.get_by_label(button).click();
        harness.run();
    }
    assert_eq!(fake.sent(), [1, 2, 3].map(|id| Command::Retry(SlotId(id))));
}

#[test]
fn the_whole_chain_is_bypassed_and_renamed_in_the_header() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Bypass chain").click();
    harness.run();
    harness.get_by_label("The chain is bypassed: sound passes unchanged.");
    let field = harness.get_by_role_and_label(egui::accesskit::Role::TextInput, "Chain");
    field.focus();
    harness.run();
    harness.get_by_role_and_label(egui::accesskit::Role::TextInput, "Chain").type_text("Vocals");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(fake.sent(), [Command::BypassChain(true), Command::RenameChain("Vocals".into())]);
}

#[test]
fn a_panic_is_one_click_away_and_no_edit() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Panic").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::Panic]);
}

#[test]
fn a_slot_shows_its_levels_and_its_share_and_a_click_resets_what_is_held() {
    let fake = three();
    fake.change(|snapshot| {
        let slot = &mut snapshot.slots[1];
        slot.input.hold = 1.0;
        slot.output.since.clips = 3;
        slot.cost.share = 0.034;
    });
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("latency 64 samples (1.3 ms) · 3.4 % of the block · Maker · CLAP");
    harness.get_by_label("Levels of Gate: in silent, out -6.0 dBFS");
    harness.get_by_label("Levels of Equalizer: in 0.0 dBFS, out -6.0 dBFS, 3 samples over 0 dBFS").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::ResetMeters]);
}

#[test]
fn undo_and_redo_are_the_racks_keys_and_two_buttons_that_say_what_they_do() {
    let fake = three();
    let mut watched = watched(&fake);
    watched.0.run();
    watched.0.get_by_label("Slot 2: Equalizer, running").focus();
    watched.0.run();
    let step = |label: &str| StepView { label: label.into(), slot: None };
    let steps = [step("Add Gate"), step("Move Gate")].into();
    fake.change(|snapshot| snapshot.history = HistoryView { steps, at: 1 });
    watched.0.run();
    for (modifiers, key, command) in [
        (Modifiers::COMMAND, Key::Z, Command::Undo),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::Z, Command::Redo),
        (Modifiers::COMMAND, Key::Y, Command::Redo),
    ] {
        assert!(!is_left(&mut watched, modifiers, key), "{modifiers:?} {key:?}");
        assert_eq!(fake.sent(), [command]);
    }
    // Each press in one frame counts, in its order.
    for (modifiers, key) in [(Modifiers::COMMAND, Key::Z), (Modifiers::COMMAND, Key::Z), (Modifiers::COMMAND, Key::Y)] {
        watched.0.key_press_modifiers(modifiers, key);
    }
    watched.0.run();
    assert_eq!(fake.sent(), [Command::Undo, Command::Undo, Command::Redo]);
    for (name, words, command) in
        [("Undo", "Undo: Add Gate", Command::Undo), ("Redo", "Redo: Move Gate", Command::Redo)]
    {
        let button = watched.0.get_by_label(name);
        button.hover();
        watched.0.run();
        watched.0.get_by_label(words);
        watched.0.get_by_label(name).click();
        watched.0.run();
        assert_eq!(fake.sent(), [command]);
    }
    fake.change(|snapshot| snapshot.history.at = 0);
    watched.0.run();
    assert!(watched.0.get_by_label("Undo").accesskit_node().is_disabled());
    // What is pressed while a field has the keys is the field's.
    watched.0.get_by_role_and_label(egui::accesskit::Role::TextInput, "Find a plugin").focus();
    watched.0.run();
    watched.0.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    watched.0.run();
    assert_eq!(fake.sent(), []);
}

#[test]
fn snapshots_are_stored_where_they_are_empty_recalled_where_not_and_stored_with_shift() {
    let fake = three();
    let mut harness = harness(&fake);
    fake.change(|snapshot| snapshot.snapshots.stored = [true, false, false, false]);
    harness.run();
    harness.get_by_label("Snapshot A").click();
    harness.run();
    harness.get_by_label("Snapshot B").click();
    harness.run();
    harness.get_by_label("Snapshot A").click_modifiers(Modifiers::SHIFT);
    harness.run();
    let [recall, store] = [SnapshotEdit::Recall, SnapshotEdit::Store];
    let of = |letter, edit| Command::Snapshot(letter, edit);
    assert_eq!(fake.sent(), [of(Letter::A, recall), of(Letter::B, store), of(Letter::A, store)]);
    fake.change(|snapshot| snapshot.snapshots.getting_ready = Some(Letter::A));
    harness.run();
    harness.get_by_label("getting A ready");
}

#[test]
fn ctrl_d_puts_a_copy_behind_the_slot_that_has_the_keys() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("Slot 2: Equalizer, running").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::D);
    harness.run();
    assert_eq!(fake.sent(), [Command::Duplicate(SlotId(2))]);
}

#[test]
fn what_could_take_a_missing_plugins_place_is_offered_and_what_is_not_what_was_saved_is_asked_about() {
    let fake = three();
    let lv2 = PluginId::lv2("urn:hall");
    fake.change(|snapshot| {
        snapshot.slots[2].status = SlotStatus::Missing;
        snapshot.slots[2].offers = vec![lv2.clone()];
        snapshot.slots[0].doubts = vec!["it is 0 frames late, and was 64 when it was saved".into()];
    });
    let mut harness = harness(&fake);
    harness.run();
    harness.get_by_label("It is here as LV2: lv2:urn:hall.");
    harness
        .get_by_label("This plugin is not the one that was saved: it is 0 frames late, and was 64 when it was saved.");
    for button in ["Use LV2: Hall", "Take it: Gate", "Close it: Gate"] {
        harness.get_by_label(button).click();
        harness.run();
    }
    let replace = Command::Replace { slot: SlotId(3), plugin: lv2 };
    assert_eq!(fake.sent(), [replace, Command::Accept(SlotId(1)), Command::Close(SlotId(1))]);
}
