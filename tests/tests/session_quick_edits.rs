//! Edits that come while an earlier one still fades: none of them is heard as a step, and all of them arrive.

use catena_tests::outside::Outside;
use catena_tests::session_bench::{add, fixtures_catalog, live, session, until};
use catena_tests::slow_player::{LEVEL, SlowPlayer, largest_step};
use host_core::model::{Adapt, SlotId};
use host_core::session::{Command, SessionHandle};

/// A step as large as this is no fade of 10 ms between what these chains give.
const STEP: f32 = 0.01;

/// A chain of `count` slots that halve, playing.
fn halving(count: usize) -> (SessionHandle, SlowPlayer, Vec<SlotId>) {
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slots: Vec<_> = (0..count).map(|_| add(&handle, "gain")).collect();
    for slot in &slots {
        handle.apply(Command::Param(*slot, "100".into(), 0.5)).unwrap();
    }
    (handle, SlowPlayer::start(processor), slots)
}

/// Everything has arrived, and nothing was heard as a step.
fn assert_ends_at(handle: &SessionHandle, player: SlowPlayer, level: f32) {
    handle.settle();
    player.wait(20);
    let (_processor, out) = player.stop();
    let (at, step) = largest_step(&out);
    assert!(step < STEP, "a step of {step} at frame {at}");
    let last = out[out.len() - 1];
    assert!((last - level).abs() < 1e-6, "ends at {last}, not at {level}");
}

#[test]
fn a_slot_that_is_removed_while_another_fades_out_fades_too() {
    let (handle, player, slots) = halving(2);
    handle.send(Command::Remove(slots[0]));
    player.wait(4);
    handle.send(Command::Remove(slots[1]));
    assert_ends_at(&handle, player, LEVEL);
}

#[test]
fn a_slot_that_is_moved_and_moved_back_plays_on() {
    let (handle, player, slots) = halving(2);
    handle.send(Command::Move { slot: slots[0], index: 1 });
    player.wait(4);
    handle.send(Command::Move { slot: slots[0], index: 0 });
    assert_ends_at(&handle, player, LEVEL / 4.0);
}

#[test]
fn a_chain_that_is_loaded_while_a_slot_fades_out_comes_whole() {
    let (handle, player, slots) = halving(4);
    let chain = handle.chain().unwrap();
    handle.send(Command::Remove(slots[3]));
    player.wait(4);
    assert_eq!(handle.load_chain(chain).unwrap(), []);
    assert_ends_at(&handle, player, LEVEL / 16.0);
}

#[test]
fn a_plugin_that_asks_for_a_restart_while_another_slot_fades_out_is_restarted_in_silence() {
    let (handle, player, slots) = halving(2);
    let jump = add(&handle, "latency-jump");
    handle.settle();
    assert!(!handle.take_outbox().latency);
    handle.send(Command::Remove(slots[0]));
    player.wait(3);
    handle.send(Command::Param(jump, "100".into(), 480.0));
    player.wait(30);
    handle.settle();
    assert_eq!(handle.latency(), 480);
    assert!(handle.take_outbox().latency);
    player.wait(10);
    assert!(!handle.take_outbox().latency, "one errand for one change");
    assert_ends_at(&handle, player, LEVEL / 2.0);
}

#[test]
fn a_host_that_restarts_us_in_the_middle_of_a_fade_hears_the_whole_chain_after_it() {
    let (handle, player, slots) = halving(2);
    let jump = add(&handle, "latency-jump");
    handle.settle();
    handle.send(Command::Param(jump, "100".into(), 100.0));
    handle.send(Command::Move { slot: slots[0], index: 1 });
    player.wait(4);
    let (processor, _) = player.stop();
    handle.deactivate();
    handle.activate(live(64)).unwrap();
    let player = SlowPlayer::start(processor);
    player.wait(20);
    assert_ends_at_level(&handle, player, LEVEL / 4.0);
}

fn assert_ends_at_level(handle: &SessionHandle, player: SlowPlayer, level: f32) {
    handle.settle();
    player.wait(20);
    let (_processor, out) = player.stop();
    let last = out[out.len() - 1];
    assert!((last - level).abs() < 1e-6, "ends at {last}, not at {level}");
}

#[test]
fn a_slot_that_is_opened_anew_before_it_was_opened_is_opened_once_and_goes_whole() {
    let outside = Outside::new();
    let (handle, player, slots) = halving(1);
    for adapt in [Adapt::Multi, Adapt::Map, Adapt::Sum, Adapt::Auto].repeat(8) {
        handle.send(Command::Adapt(slots[0], adapt));
    }
    handle.settle();
    handle.apply(Command::Remove(slots[0])).unwrap();
    let count = |what: &str| outside.log().iter().filter(|line| *line == what).count();
    assert!(until(|| count("gain made") == count("gain gone")), "{:?}", outside.log());
    assert_ends_at(&handle, player, LEVEL);
}
