//! The rack: slots in order, each with name, latency and bypass; moved, removed and bypassed by mouse and by keyboard.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use catena_gui::Editor;
use common::{harness, three};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::{Letter, PluginId, SlotId};
use host_core::session::{Command, LatencyChange, SlotStatus, SnapshotEdit};

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
fn a_slot_dragged_onto_another_takes_its_place() {
    let fake = three();
    let mut harness = harness(&fake);
    harness.run();
    let grip = |name: &str| harness.get_by_label(name).rect().left_center() + egui::vec2(6.0, 0.0);
    let (from, to) = (grip("Slot 3: Hall, running"), grip("Slot 1: Gate, running"));
    common::drag(&mut harness, from, to);
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
    harness.get_by_label("latency 64 samples (1.3 ms) · 3 samples over 0 dBFS · 3.4 % of the block · Maker · CLAP");
    harness.get_by_label("Levels of Gate: in silent, out -6.0 dBFS");
    harness.get_by_label("Levels of Equalizer: in 0.0 dBFS, out -6.0 dBFS, 3 samples over 0 dBFS").click();
    harness.run();
    assert_eq!(fake.sent(), [Command::ResetMeters]);
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

#[test]
fn what_the_daw_was_told_is_said_where_it_is_not_what_the_chain_delays() {
    let fake = three();
    let (mut editor, told) = (Editor::with_host(Box::new(fake.clone())), Arc::new(AtomicU32::new(64)));
    let last = Arc::clone(&told);
    let draw = move |ui: &mut egui::Ui| {
        editor.daw_was_told(last.load(Ordering::Relaxed));
        editor.ui(ui);
    };
    let mut harness = Harness::builder().with_size([1000.0, 600.0]).build_ui(draw);
    harness.run();
    harness.get_by_label("Latency 576 samples (12.0 ms)");
    harness.get_by_label("The DAW was told 64 samples (1.3 ms)");
    told.store(576, Ordering::Relaxed);
    harness.run();
    assert!(harness.query_by_label_contains("The DAW was told").is_none(), "it knows");
}
