//! Snapshots A to D: a recall is heard within a block and 10 ms where slots are equal, without a click; where plugins have to be opened
//! what sounds goes on until they are ready. They are kept with the chain.

use catena_tests::fixtures;
use catena_tests::outside::Outside;
use catena_tests::rig::assert_smooth;
use catena_tests::session_bench::{Player, add, fixtures_catalog, live, session, until};
use host_core::model::{Letter, Node, PluginId, SlotId};
use host_core::session::{Command, EditError, SessionHandle, SnapshotEdit, StripEdit};

fn snapshot(handle: &SessionHandle, letter: Letter, edit: SnapshotEdit) {
    handle.apply(Command::Snapshot(letter, edit)).unwrap_or_else(|error| panic!("{letter} {edit:?}: {error}"));
}

fn nodes(handle: &SessionHandle) -> Vec<Node> {
    handle.chain().unwrap().nodes
}

/// Highest sample of each millisecond.
fn levels(out: &[f32]) -> Vec<f32> {
    out.chunks_exact(48).map(|period| period.iter().fold(0.0, |peak, sample| sample.abs().max(peak))).collect()
}

/// Milliseconds of the longest way between two levels, beside the two themselves.
fn longest_way(out: &[f32], low: f32, high: f32) -> usize {
    let at = |level: f32, wanted: f32| (level - wanted).abs() < 0.004;
    let (mut longest, mut now) = (0, 0);
    for level in levels(out) {
        now = if at(level, low) || at(level, high) { 0 } else { now + 1 };
        longest = longest.max(now);
    }
    longest
}

#[test]
fn equal_slots_switch_within_a_block_and_ten_milliseconds_without_a_click() {
    let (handle, processor) = session(&fixtures_catalog());
    let (one, two) = (add(&handle, "gain"), add(&handle, "delay"));
    handle.activate(live(64)).unwrap();
    snapshot(&handle, Letter::A, SnapshotEdit::Store);
    let a = nodes(&handle);
    handle.apply(Command::OutputGain(one, -6.0)).unwrap();
    handle.apply(Command::Strip(two, StripEdit::Mono(true))).unwrap();
    snapshot(&handle, Letter::B, SnapshotEdit::Store);
    let b = nodes(&handle);
    let player = Player::start(processor);
    for _ in 0..5 {
        for (letter, wanted) in [(Letter::A, &a), (Letter::B, &b)] {
            // The one before is over: 43 ms of sound.
            player.wait(32);
            snapshot(&handle, letter, SnapshotEdit::Recall);
            assert_eq!(&nodes(&handle), wanted, "{letter}");
            assert_eq!(handle.snapshot().snapshots.current, Some(letter));
        }
    }
    let (processor, out) = player.stop();
    assert_smooth(&out[64..], "recalls");
    let way = longest_way(&out[480..], 0.5 * 10f32.powf(-0.3), 0.5);
    // Gains take what they always take, 20 ms at most; and the periods that lie on both ends.
    assert!((1..=23).contains(&way), "{way} ms from one gain to the other");
    // B is bypassed from now on, which takes 10 ms; a block before it.
    handle.apply(Command::Bypass(one, true)).unwrap();
    snapshot(&handle, Letter::C, SnapshotEdit::Store);
    let player = Player::start(processor);
    for letter in [Letter::B, Letter::C, Letter::B, Letter::C] {
        player.wait(32);
        snapshot(&handle, letter, SnapshotEdit::Recall);
    }
    let (_processor, out) = player.stop();
    assert_smooth(&out[64..], "recalls of a bypass");
    let way = longest_way(&out[480..], 0.5 * 10f32.powf(-0.3), 0.5);
    assert!((1..=13).contains(&way), "{way} ms into the bypass or out of it");
}

#[test]
fn another_plugin_is_made_ready_beside_what_sounds_and_recalls_undo() {
    let (handle, processor) = session(&fixtures_catalog());
    let first = add(&handle, "gain");
    handle.apply(Command::Param(first, "100".into(), 0.75)).unwrap();
    handle.activate(live(64)).unwrap();
    snapshot(&handle, Letter::A, SnapshotEdit::Store);
    let player = Player::start(processor);
    handle.apply(Command::Remove(first)).unwrap();
    let other = handle
        .apply(Command::Add { plugin: PluginId::clap(fixtures::clap_id("channels")), index: 0 })
        .unwrap()
        .expect("a slot");
    snapshot(&handle, Letter::B, SnapshotEdit::Store);
    let before = handle.save().unwrap();
    let ids = || handle.snapshot().slots.iter().map(|slot| slot.id).collect::<Vec<SlotId>>();
    snapshot(&handle, Letter::A, SnapshotEdit::Recall);
    assert_eq!(ids(), [first]);
    assert_eq!(handle.snapshot().slots[0].values, [0.75]);
    snapshot(&handle, Letter::B, SnapshotEdit::Recall);
    assert_eq!(ids(), [other]);
    handle.apply(Command::Undo).unwrap();
    assert_eq!(ids(), [first]);
    handle.apply(Command::Undo).unwrap();
    assert!(handle.save().unwrap() == before);
    let (_processor, out) = player.stop();
    assert_smooth(&out[64..], "recalls of other plugins");
}

#[test]
fn a_recall_says_that_it_gets_ready_and_another_edit_calls_it_off() {
    let (handle, _processor) = session(&fixtures_catalog());
    let outside = Outside::new();
    let ready = || handle.snapshot().snapshots.getting_ready;
    let ids = || handle.snapshot().slots.iter().map(|slot| slot.id).collect::<Vec<SlotId>>();
    let slow = [add(&handle, "stalls"), add(&handle, "gain")];
    snapshot(&handle, Letter::A, SnapshotEdit::Store);
    handle.apply(Command::Clear).unwrap();
    let other = add(&handle, "delay");
    for calls_off in [true, false] {
        outside.stall("open");
        handle.send(Command::Snapshot(Letter::A, SnapshotEdit::Recall));
        assert!(until(|| ready() == Some(Letter::A)), "said while the first of two plugins is opened");
        assert_eq!(ids(), [other]);
        if calls_off {
            handle.send(Command::Rename(other, Some("x".into())));
        }
        outside.release();
        handle.settle();
        assert_eq!(ready(), None);
        assert_eq!(ids(), if calls_off { vec![other] } else { slow.to_vec() });
    }
}

#[test]
fn snapshots_are_kept_with_the_chain_copied_and_cleared() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    snapshot(&handle, Letter::A, SnapshotEdit::Store);
    handle.apply(Command::Param(slot, "100".into(), 0.25)).unwrap();
    snapshot(&handle, Letter::C, SnapshotEdit::Store);
    snapshot(&handle, Letter::A, SnapshotEdit::CopyTo(Letter::D));
    let bytes = handle.save().unwrap();
    drop(handle);
    let (handle, _processor) = session(&fixtures_catalog());
    assert_eq!(handle.load(&bytes).unwrap(), []);
    assert!(handle.save().unwrap() == bytes, "the same bytes");
    let shown = handle.snapshot().snapshots;
    assert_eq!((shown.stored, shown.current), ([true, false, true, true], Some(Letter::C)));
    let value = || handle.snapshot().slots[0].values[0];
    snapshot(&handle, Letter::D, SnapshotEdit::Recall);
    assert_eq!(value(), 1.0);
    snapshot(&handle, Letter::C, SnapshotEdit::Recall);
    assert_eq!(value(), 0.25);
    snapshot(&handle, Letter::C, SnapshotEdit::Clear);
    for edit in [SnapshotEdit::Recall, SnapshotEdit::Clear, SnapshotEdit::CopyTo(Letter::A)] {
        let refused = handle.apply(Command::Snapshot(Letter::C, edit));
        assert_eq!(refused, Err(EditError::NoSnapshot(Letter::C)), "{edit:?}");
    }
}
