//! Lanes in the rack: shown, mixed, made, taken apart, and what stands in them moved by keyboard and by mouse.

mod common;

use common::{Fake, group, harness, lane, slot};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host_core::model::{LaneDelay, PluginId, SlotId, Split};
use host_core::session::{Command, LaneEdit, NodeView};

/// A gate; lanes with a compressor, a hall and nothing; a limiter.
fn drums() -> Fake {
    let fake = Fake::new(vec![slot(1, "Gate", 0), slot(2, "Comp", 64), slot(3, "Hall", 512), slot(4, "Limiter", 32)]);
    fake.change(|snapshot| {
        let lanes = vec![lane(11, "Lane 1", &[2]), lane(12, "Room", &[3]), lane(13, "Lane 3", &[])];
        let node = |id| NodeView::Slot(SlotId(id));
        snapshot.nodes = vec![node(1), NodeView::Lanes(group(10, Split::Copy, lanes)), node(4)];
    });
    fake
}

fn shown(fake: &Fake) -> Harness<'static> {
    let mut harness = harness(fake);
    harness.set_size(egui::vec2(1000.0, 1000.0));
    harness.run();
    harness
}

fn into(node: u64, lane: Option<u64>, index: usize) -> Command {
    Command::MoveInto { node: SlotId(node), into: lane.map(SlotId), index }
}

fn press(harness: &mut Harness<'static>, focus: &str, modifiers: Modifiers, key: Key) {
    harness.get_by_label(focus).focus();
    harness.run();
    harness.key_press_modifiers(modifiers, key);
    harness.run();
}

#[test]
fn lanes_stand_in_the_chain_with_numbers_and_the_longest_path_is_named() {
    let mut harness = shown(&drums());
    let lines = [
        "Slot 1: Gate, running",
        "Lanes 2: 3 parallel lanes",
        "Lane 2.1: Lane 1",
        "Slot 2.1.1: Comp, running",
        "Lane 2.2: Room",
        "Slot 2.2.1: Hall, running",
        "Lane 2.3: Lane 3, not heard",
        "Slot 3: Limiter, running",
    ];
    let tops: Vec<_> = lines.iter().map(|name| harness.get_by_label(name).rect().top()).collect();
    assert!(tops.is_sorted(), "{tops:?}");
    harness.get_by_label("latency 64 samples (1.3 ms) · Maker · CLAP");
    harness.get_by_label("latency 512 samples (10.7 ms), on the longest path · Maker · CLAP");
    harness.get_by_label("512 samples (10.7 ms), the longest");
    harness.get_by_label_contains("Nothing in this lane yet: it is silent.");
    harness.get_by_label("Latency 608 samples (12.7 ms)").hover();
    harness.run_steps(40);
    harness.get_by_label_contains("2.2.1 Hall: 512 samples (10.7 ms)");
    assert!(harness.query_by_label_contains("2.1.1 Comp: 64").is_none());
}

#[test]
fn a_lane_is_mixed_by_its_own_controls() {
    let fake = drums();
    let mut harness = shown(&fake);
    harness.get_by_role_and_label(Role::Slider, "Gain of Room").set_value_accesskit(-6.0);
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "Pan of Room").set_value_accesskit(-0.5);
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "Delay of Room").set_value_accesskit(2.5);
    harness.run();
    harness.get_by_label("Mute Room").click();
    harness.run();
    harness.get_by_label("Solo Lane 1").click();
    harness.run();
    harness.get_by_label("Name of Lane 3").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_label("Name of Lane 3").type_text("Air");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    let of = |lane, edit| Command::Lane(SlotId(lane), edit);
    let expected = [
        of(12, LaneEdit::Gain(-6.0)),
        of(12, LaneEdit::Pan(-0.5)),
        of(12, LaneEdit::Delay(LaneDelay::Ms(2.5))),
        of(12, LaneEdit::Mute(true)),
        of(11, LaneEdit::Solo(true)),
        of(13, LaneEdit::Name(Some("Air".into()))),
    ];
    assert_eq!(fake.sent(), expected);
}

#[test]
fn one_key_puts_a_slot_in_parallel_and_another_adds_a_lane() {
    let fake = drums();
    let mut harness = shown(&fake);
    press(&mut harness, "Slot 1: Gate, running", Modifiers::NONE, Key::P);
    press(&mut harness, "Lane 2.1: Lane 1", Modifiers::NONE, Key::L);
    press(&mut harness, "Lane 2.1: Lane 1", Modifiers::NONE, Key::M);
    harness.get_by_label("Add a lane to 3 parallel lanes").click();
    harness.run();
    // The mouse takes two clicks.
    harness.get_by_label("More of Limiter").click();
    harness.run();
    harness.get_by_label("Put Limiter in parallel").click();
    harness.run();
    let gate = SlotId(1);
    let add = |index| Command::AddLane { group: SlotId(10), index };
    let expected = [
        Command::Parallel { from: gate, to: gate, split: Split::Copy },
        add(1),
        Command::Lane(SlotId(11), LaneEdit::Mute(true)),
        add(3),
        Command::Parallel { from: SlotId(4), to: SlotId(4), split: Split::Copy },
    ];
    assert_eq!(fake.sent(), expected);
}

#[test]
fn keys_move_a_slot_into_lanes_through_them_and_out() {
    let fake = drums();
    let mut harness = shown(&fake);
    let mut sent = |focus: &str, key| {
        press(&mut harness, focus, Modifiers::ALT, key);
        fake.sent()
    };
    // Into the lane that holds nothing.
    assert_eq!(sent("Slot 1: Gate, running", Key::ArrowRight), [into(1, Some(13), 0)]);
    assert_eq!(sent("Slot 3: Limiter, running", Key::ArrowRight), [into(4, Some(13), 0)]);
    assert_eq!(sent("Slot 2.1.1: Comp, running", Key::ArrowRight), [], "nothing to go into");
    // Lane by lane, and out at both ends.
    assert_eq!(sent("Slot 2.1.1: Comp, running", Key::ArrowDown), [into(2, Some(12), 0)]);
    assert_eq!(sent("Slot 2.2.1: Hall, running", Key::ArrowUp), [into(3, Some(11), 1)]);
    assert_eq!(sent("Slot 2.1.1: Comp, running", Key::ArrowUp), [into(2, None, 1)]);
    assert_eq!(sent("Slot 2.2.1: Hall, running", Key::ArrowLeft), [into(3, None, 2)]);
    // Past the lanes, lanes past a slot, a lane past a lane.
    let by = |slot, index| Command::Move { slot: SlotId(slot), index };
    assert_eq!(sent("Slot 1: Gate, running", Key::ArrowDown), [by(1, 1)]);
    assert_eq!(sent("Lanes 2: 3 parallel lanes", Key::ArrowDown), [by(10, 2)]);
    assert_eq!(sent("Lane 2.1: Lane 1", Key::ArrowDown), [Command::MoveLane { lane: SlotId(11), index: 1 }]);
    assert_eq!(sent("Lane 2.1: Lane 1", Key::ArrowUp), []);
}

#[test]
fn arrows_walk_through_lanes_and_delete_takes_what_has_the_keys() {
    let fake = drums();
    let mut harness = shown(&fake);
    harness.get_by_label("Slot 1: Gate, running").focus();
    harness.run();
    for name in ["Lanes 2: 3 parallel lanes", "Lane 2.1: Lane 1", "Slot 2.1.1: Comp, running", "Lane 2.2: Room"] {
        harness.key_press(Key::ArrowDown);
        harness.run();
        assert!(harness.get_by_label(name).is_focused(), "{name}");
    }
    harness.key_press(Key::Delete);
    harness.run();
    // The lane beside it has the keys now.
    assert!(harness.get_by_label("Lane 2.3: Lane 3, not heard").is_focused());
    assert_eq!(fake.sent(), [Command::RemoveLane(SlotId(12))]);
    harness.get_by_label("Lanes 2: 3 parallel lanes").focus();
    harness.run();
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(fake.sent(), [Command::Remove(SlotId(10))]);
}

#[test]
fn a_lane_of_a_split_that_needs_it_stays() {
    let fake = drums();
    fake.change(|snapshot| {
        let NodeView::Lanes(group) = &mut snapshot.nodes[1] else { panic!() };
        group.split = Split::Bands(vec![200.0, 2500.0]);
    });
    let mut harness = shown(&fake);
    press(&mut harness, "Lane 2.2: Room", Modifiers::NONE, Key::Delete);
    assert_eq!(fake.sent(), []);
    assert!(harness.query_by_label("Add a lane to 3 parallel lanes").is_none());
    let field = harness.get_by_role_and_label(Role::Slider, "Where bands 2 and 3 meet");
    field.set_value_accesskit(4000.0);
    harness.run();
    assert_eq!(fake.sent(), [Command::Split(SlotId(10), Split::Bands(vec![200.0, 4000.0]))]);
}

#[test]
fn the_split_offers_what_leaves_every_plugin_a_lane() {
    let fake = drums();
    let mut harness = shown(&fake);
    harness.get_by_role_and_label(Role::ComboBox, "Split of 3 parallel lanes").click();
    harness.run();
    harness.get_by_label("Mid/side");
    harness.get_by_label("4 bands").click();
    harness.run();
    let bands = Split::Bands(vec![120.0, 600.0, 3000.0]);
    assert_eq!(fake.sent(), [Command::Split(SlotId(10), bands)]);
    fake.change(|snapshot| {
        let NodeView::Lanes(group) = &mut snapshot.nodes[1] else { panic!() };
        group.lanes.swap(1, 2);
    });
    harness.run();
    harness.get_by_role_and_label(Role::ComboBox, "Split of 3 parallel lanes").click();
    harness.run();
    assert!(harness.query_by_label("Mid/side").is_none(), "the third lane holds a plugin");
    harness.get_by_label("3 bands");
}

#[test]
fn menus_level_dissolve_and_let_sound_pass() {
    let fake = drums();
    let mut harness = shown(&fake);
    for (menu, entry, command) in [
        ("More of 3 parallel lanes", "Level", Command::LevelLanes(SlotId(10))),
        ("More of 3 parallel lanes", "Dissolve", Command::Dissolve(SlotId(10))),
        ("More of Lane 3", "Pass sound while empty", Command::Lane(SlotId(13), LaneEdit::Dry(true))),
        ("More of Lane 1", "Remove lane", Command::RemoveLane(SlotId(11))),
    ] {
        harness.get_by_label(menu).click();
        harness.run();
        harness.get_by_label(entry).click();
        harness.run();
        assert_eq!(fake.sent(), [command]);
        harness.key_press(Key::Escape);
        harness.run();
    }
}

#[test]
fn what_is_dropped_on_a_lane_or_a_slot_in_it_goes_there() {
    let fake = drums();
    let mut harness = shown(&fake);
    let mut drag = |from: &str, to: &str, low: bool| {
        let grip = |name: &str| harness.get_by_label(name).rect().left_center() + egui::vec2(5.0, 0.0);
        let (from, to) = (grip(from), grip(to) + egui::vec2(0.0, if low { 8.0 } else { -8.0 }));
        common::drag(&mut harness, from, to);
        fake.sent()
    };
    assert_eq!(drag("Slot 1: Gate, running", "Lane 2.3: Lane 3, not heard", false), [into(1, Some(13), 0)]);
    assert_eq!(drag("Slot 1: Gate, running", "Slot 2.1.1: Comp, running", true), [into(1, Some(11), 1)]);
    assert_eq!(drag("Slot 2.2.1: Hall, running", "Slot 2.1.1: Comp, running", false), [into(3, Some(11), 0)]);
    assert_eq!(drag("Slot 2.2.1: Hall, running", "Slot 3: Limiter, running", false), [into(3, None, 2)]);
    assert_eq!(
        drag("Slot 3: Limiter, running", "Slot 1: Gate, running", false),
        [Command::Move { slot: SlotId(4), index: 0 }]
    );
    assert_eq!(
        drag("Slot 1: Gate, running", "Slot 3: Limiter, running", true),
        [Command::Move { slot: SlotId(1), index: 2 }]
    );
    assert_eq!(drag("Lanes 2: 3 parallel lanes", "Lane 2.2: Room", false), [], "never into itself");
    let lane = Command::MoveLane { lane: SlotId(13), index: 0 };
    assert_eq!(drag("Lane 2.3: Lane 3, not heard", "Lane 2.1: Lane 1", false), [lane]);
}

#[test]
fn what_is_added_goes_into_the_lane_that_is_selected() {
    let fake = drums();
    let mut harness = shown(&fake);
    let mut add = |select: &str, says: &str| {
        harness.get_by_label(select).click_accesskit();
        harness.run();
        harness.get_by_label(&format!("304 plugins. {says}."));
        harness.get_by_label("Add Tape Delay, Oak · CLAP · delay").click();
        harness.run();
        fake.sent()
    };
    let plugin = || PluginId::clap("test.Tape Delay");
    let to = |lane, index| Command::AddInto { plugin: plugin(), lane: SlotId(lane), index };
    assert_eq!(add("Lane 2.3: Lane 3, not heard", "Enter adds to Lane 3"), [to(13, 0)]);
    assert_eq!(add("Slot 2.1.1: Comp, running", "Enter adds after Comp, with Shift in its place"), [to(11, 1)]);
    let after = [Command::Add { plugin: plugin(), index: 2 }];
    assert_eq!(add("Lanes 2: 3 parallel lanes", "Enter adds after 3 parallel lanes"), after);
}

#[test]
fn bands_that_meet_closer_than_a_hand_brings_them_are_shown_as_they_are() {
    for meet in [vec![1000.0, 1010.0, 1020.0], vec![19_500.0, 20_000.0], vec![20.0, 20.5]] {
        let fake = drums();
        let lanes = (0..=meet.len() as u64).map(|at| lane(11 + at, "Band", &[])).collect();
        let bands = group(10, Split::Bands(meet.clone()), lanes);
        fake.change(|snapshot| snapshot.nodes = vec![NodeView::Lanes(bands.clone())]);
        let harness = shown(&fake);
        harness.get_by_label("Where bands 1 and 2 meet");
        assert_eq!(fake.sent(), [], "nobody moved one: {meet:?}");
    }
}
