//! A parameter that is set reaches every instance of its plugin, whether blocks come or not, and the save holds it.

use std::time::Duration;

use catena_tests::session_bench::{add, block, fixtures_catalog, live, session};
use catena_tests::slow_player::SlowPlayer;
use host_core::engine::Processor;
use host_core::model::SlotId;
use host_core::session::{Command, SessionHandle};

fn set(handle: &SessionHandle, slot: SlotId, value: f64) {
    handle.send(Command::Param(slot, "100".into(), value));
}

/// The first parameter as it stands in the plugin's own state.
fn in_state(handle: &SessionHandle, slot: SlotId) -> f64 {
    let chain = handle.chain().unwrap();
    let state = chain.slot(slot).unwrap().state.clone().unwrap();
    f64::from_le_bytes(state.bytes[..8].try_into().unwrap())
}

/// What comes out for 1.0 on both sides.
fn heard(processor: &mut Processor) -> (f32, f32) {
    let mut last = (0.0, 0.0);
    for _ in 0..40 {
        let (mut left, mut right) = ([1.0; 64], [1.0; 64]);
        block(processor, &mut left, &mut right);
        last = (left[63], right[63]);
    }
    last
}

#[test]
fn both_halves_of_a_dual_mono_slot_follow_while_audio_runs() {
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "mono");
    let player = SlowPlayer::start(processor);
    set(&handle, slot, 0.25);
    handle.settle();
    player.wait(3);
    assert_eq!(in_state(&handle, slot), 0.25);
    let (mut processor, _out) = player.stop();
    assert_eq!(heard(&mut processor), (0.25, 0.25));
}

#[test]
fn both_halves_of_a_dual_mono_slot_follow_while_no_block_comes() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let slot = add(&handle, "mono");
    set(&handle, slot, 0.5);
    assert_eq!(in_state(&handle, slot), 0.5);
    handle.activate(live(64)).unwrap();
    assert_eq!(heard(&mut processor), (0.5, 0.5));
    std::thread::sleep(Duration::from_millis(300));
    set(&handle, slot, 0.25);
    assert_eq!(in_state(&handle, slot), 0.25);
    assert_eq!(heard(&mut processor), (0.25, 0.25));
}

#[test]
fn a_change_made_just_after_the_last_block_is_in_the_save() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    handle.activate(live(64)).unwrap();
    heard(&mut processor);
    set(&handle, slot, 0.25);
    assert_eq!(in_state(&handle, slot), 0.25);
    assert_eq!(heard(&mut processor), (0.25, 0.25));
}

#[test]
fn the_last_of_two_changes_is_heard_when_the_host_runs_again() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    handle.activate(live(64)).unwrap();
    heard(&mut processor);
    set(&handle, slot, 0.25);
    std::thread::sleep(Duration::from_millis(400));
    set(&handle, slot, 0.75);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(heard(&mut processor), (0.75, 0.75));
    assert_eq!(in_state(&handle, slot), 0.75);
}
