//! Where edits that change the latency wait for the DAW's stop, a recall waits as a whole, and so does an undo of one: what is heard and
//! shown is the one chain or the other, never values of this with plugins of that.

use catena_tests::rolling_daw::Daw;
use catena_tests::session_bench::{fixtures_catalog, live, session};
use host_core::model::{Chain, Letter, SlotId};
use host_core::session::{Command, HostSetup, LatencyChange, SnapshotEdit};

/// The slots of a chain, and what a gain in it stands at.
fn side(chain: &Chain, gain: SlotId) -> (Vec<SlotId>, f64) {
    (chain.slots().map(|slot| slot.id).collect(), chain.slot(gain).unwrap().params["100"])
}

fn shown(daw: &Daw, gain: SlotId) -> (Vec<SlotId>, f64) {
    let shown = daw.handle.snapshot();
    let at = shown.slots.iter().find(|slot| slot.id == gain).expect("the gain");
    (shown.slots.iter().map(|slot| slot.id).collect(), at.values[0])
}

fn snapshot(letter: Letter, edit: SnapshotEdit) -> Command {
    Command::Snapshot(letter, edit)
}

/// A: a delay of 512 frames and half the level. B, which sounds: no delay and a quarter.
fn two_sides() -> (Daw, SlotId, SlotId) {
    let (mut daw, late) = Daw::rolling();
    let gain = daw.fixture("gain");
    daw.edit(Command::Param(gain, "100".into(), 0.5));
    daw.edit(snapshot(Letter::A, SnapshotEdit::Store));
    daw.edit(Command::HoldLatency(false));
    daw.edit(Command::Remove(late));
    daw.edit(Command::Param(gain, "100".into(), 0.25));
    daw.edit(snapshot(Letter::B, SnapshotEdit::Store));
    daw.edit(Command::HoldLatency(true));
    daw.roll(100);
    daw.settle_rolling();
    assert_eq!(daw.level(0), 0.25);
    (daw, late, gain)
}

#[test]
fn a_recall_is_heard_and_shown_whole_or_not_at_all() {
    let (mut daw, late, gain) = two_sides();
    let steps = daw.handle.snapshot().history.steps.len();
    daw.edit_rolling(snapshot(Letter::A, SnapshotEdit::Recall));
    daw.held(0, 512);
    assert_eq!(daw.level(0), 0.25);
    assert_eq!(shown(&daw, gain), (vec![gain], 0.25));
    assert_eq!(daw.handle.snapshot().snapshots.getting_ready, Some(Letter::A));
    assert_eq!(daw.handle.snapshot().history.steps.len(), steps);
    // What is turned meanwhile is turned on what sounds, and calls nothing off; what is stored is what sounds.
    daw.edit_rolling(Command::Param(gain, "100".into(), 0.75));
    daw.edit_rolling(snapshot(Letter::C, SnapshotEdit::Store));
    daw.held(0, 512);
    assert_eq!((daw.level(0), shown(&daw, gain)), (0.75, (vec![gain], 0.75)));
    // A DAW that is saved now and closed has what the user asked for.
    let (other, _processor) = session(&fixtures_catalog());
    other.load(&daw.handle.save().unwrap()).unwrap();
    let saved = other.chain().unwrap();
    assert_eq!((side(&saved, gain), saved.snapshots.current), ((vec![late, gain], 0.5), Some(Letter::A)));
    // A program that keeps its chain in a file, too; what is shown is what sounds.
    assert_eq!(side(&daw.handle.chain_to_save().unwrap(), gain), (vec![late, gain], 0.5));
    assert_eq!(side(&daw.handle.chain().unwrap(), gain), (vec![gain], 0.75));
    daw.stop(512);
    assert_eq!((daw.level(512), shown(&daw, gain)), (0.5, (vec![late, gain], 0.5)));
    let scene = daw.handle.chain().unwrap().snapshots.stored[&Letter::C].clone();
    assert_eq!(scene.nodes.len(), 1, "the side that sounded when it was stored");
    // One undo brings back what sounded before it, with what was turned, and waits as a whole too.
    daw.edit_rolling(Command::Undo);
    daw.held(512, 0);
    assert_eq!((daw.level(512), shown(&daw, gain)), (0.5, (vec![late, gain], 0.5)));
    daw.stop(0);
    assert_eq!((daw.level(0), shown(&daw, gain)), (0.75, (vec![gain], 0.75)));
}

#[test]
fn what_waits_is_undone_called_off_or_wanted_now() {
    let (mut daw, late, gain) = two_sides();
    let recall = || snapshot(Letter::A, SnapshotEdit::Recall);
    let steps = |daw: &Daw| (daw.handle.snapshot().history.at, daw.handle.snapshot().history.steps.len());
    let before = steps(&daw);
    let old = (vec![gain], 0.25);
    daw.edit_rolling(recall());
    daw.held(0, 512);
    daw.edit_rolling(Command::Undo);
    assert_eq!((daw.handle.snapshot().held, shown(&daw, gain), steps(&daw)), (None, old.clone(), before));
    daw.stop(0);
    assert_eq!((daw.level(0), shown(&daw, gain)), (0.25, old.clone()));
    // An edit of what the chain holds calls it off, and says so.
    daw.edit_rolling(recall());
    daw.held(0, 512);
    let added = daw.add_rolling("gain");
    assert_eq!(daw.handle.snapshot().held, None);
    assert_eq!(daw.handle.snapshot().notice, "the recall that waited for the stop was called off");
    daw.edit_rolling(Command::Remove(added));
    // So does clearing it, and nothing is recalled that is not there any more.
    daw.edit_rolling(recall());
    daw.held(0, 512);
    daw.edit_rolling(snapshot(Letter::A, SnapshotEdit::Clear));
    assert_eq!((daw.handle.snapshot().held, shown(&daw, gain)), (None, old.clone()));
    daw.edit_rolling(Command::Undo);
    // At once, and back at once.
    for (command, latency, side) in [(recall(), 512, (vec![late, gain], 0.5)), (Command::Undo, 0, old.clone())] {
        daw.edit_rolling(command);
        daw.held(512 - latency, latency);
        daw.edit_rolling(Command::ApplyHeld);
        daw.roll_until(|handle| handle.latency() == latency);
        daw.settle_rolling();
        assert_eq!(shown(&daw, gain), side);
    }
    // To do it again and to undo that while it waits leaves all as it was.
    let before = steps(&daw);
    daw.edit_rolling(Command::Redo);
    daw.held(0, 512);
    assert_eq!(steps(&daw), before);
    daw.edit_rolling(Command::Undo);
    assert_eq!((daw.handle.snapshot().held, shown(&daw, gain), steps(&daw)), (None, old.clone(), before));
    // Where nobody hears a gap there is nothing to wait for.
    daw.edit_rolling(recall());
    daw.held(0, 512);
    daw.handle.bypass_by_the_daw(true);
    daw.roll_until(|handle| handle.latency() == 512);
    daw.settle_rolling();
    assert_eq!(shown(&daw, gain), (vec![late, gain], 0.5));
    assert!(daw.handle.bypassed(), "a recall is none of the bypass");
}

#[test]
fn values_that_make_a_plugin_late_wait_with_the_rest() {
    let (mut daw, late) = Daw::rolling();
    let gain = daw.fixture("gain");
    daw.edit(Command::Param(gain, "100".into(), 0.5));
    daw.edit(snapshot(Letter::A, SnapshotEdit::Store));
    daw.edit(Command::Param(late, "100".into(), 128.0));
    daw.edit(Command::Param(gain, "100".into(), 0.25));
    daw.roll_until(|handle| handle.latency() == 128);
    daw.settle_rolling();
    daw.edit_rolling(snapshot(Letter::A, SnapshotEdit::Recall));
    daw.held(128, 512);
    assert_eq!((daw.level(128), shown(&daw, gain)), (0.25, (vec![late, gain], 0.25)));
    daw.stop(512);
    assert_eq!((daw.level(512), shown(&daw, gain)), (0.5, (vec![late, gain], 0.5)));
    // Several steps at once are one thing that the user asks for.
    let at = daw.handle.snapshot().history.at;
    daw.edit_rolling(Command::Param(gain, "100".into(), 1.0));
    daw.edit_rolling(Command::GoTo(at - 1));
    daw.held(512, 128);
    assert_eq!((daw.level(512), shown(&daw, gain)), (1.0, (vec![late, gain], 1.0)));
    daw.stop(128);
    assert_eq!((daw.level(128), shown(&daw, gain)), (0.25, (vec![late, gain], 0.25)));
}

#[test]
fn a_restart_of_the_daw_brings_what_waits_and_loses_nothing() {
    for setup in [live(64), HostSetup { rate: 44_100.0, ..live(64) }] {
        let (mut daw, late, gain) = two_sides();
        daw.edit_rolling(snapshot(Letter::A, SnapshotEdit::Recall));
        daw.held(0, 512);
        daw.handle.deactivate();
        daw.handle.activate(setup).unwrap();
        daw.roll(20);
        daw.settle_rolling();
        assert_eq!(daw.handle.snapshot().held, None::<LatencyChange>);
        assert_eq!((daw.level(512), shown(&daw, gain)), (0.5, (vec![late, gain], 0.5)));
        daw.edit(Command::Undo);
        daw.stop(0);
        assert_eq!((daw.level(0), shown(&daw, gain)), (0.25, (vec![gain], 0.25)));
    }
}
