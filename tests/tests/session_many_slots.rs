//! Chains of 1, 8 and 64 slots save, load and save again to the same bytes with every plugin asked afresh, and take edits while
//! sound runs.

use catena_tests::session_bench::{add, block, fixtures_catalog, live, session};
use catena_tests::slow_player::SlowPlayer;
use host_core::engine::Processor;
use host_core::session::{Command, SessionHandle, SlotStatus};

/// Fixtures with a state and parameters, in turns. `overrides` sets its own value in activate.
const KINDS: [&str; 8] = ["gain", "delay", "no-state", "mono", "layouts", "overrides", "presets", "channels"];

/// Sets every parameter of every slot to where it is: a plugin that was touched is asked for its state by the next save.
fn touch_all(handle: &SessionHandle) {
    for slot in handle.snapshot().slots.iter() {
        for (param, value) in slot.params.iter().zip(&slot.values).filter(|(param, _)| !param.read_only) {
            handle.apply(Command::Param(slot.id, param.key.clone(), *value)).unwrap();
        }
    }
}

fn round_trip(slots: usize) {
    let (first, _processor) = session(&fixtures_catalog());
    for number in 0..slots {
        let name = if number == 1 { "big-state" } else { KINDS[number % KINDS.len()] };
        let slot = add(&first, name);
        let value = if name == "delay" { number as f64 } else { 0.25 + number as f64 / 1000.0 };
        first.apply(Command::Param(slot, "100".into(), value)).unwrap();
        first.apply(Command::Rename(slot, Some(format!("№ {number}")))).unwrap();
        first.apply(Command::Mix(slot, 1.0 - number as f64 / 100.0)).unwrap();
    }
    first.activate(live(64)).unwrap();
    touch_all(&first);
    let bytes = first.save().unwrap();
    drop(first);

    let (second, _processor) = session(&fixtures_catalog());
    assert_eq!(second.load(&bytes).unwrap(), []);
    second.activate(live(512)).unwrap();
    let shown = second.snapshot();
    assert_eq!(shown.slots.len(), slots);
    assert!(shown.slots.iter().all(|slot| slot.status == SlotStatus::Running && slot.notice.is_empty()), "{shown:?}");
    touch_all(&second);
    assert!(second.save().unwrap() == bytes, "the bytes differ with {slots} slots");
}

#[test]
fn one_slot_comes_back_byte_for_byte() {
    round_trip(1);
}

#[test]
fn eight_slots_come_back_byte_for_byte() {
    round_trip(8);
}

#[test]
fn sixty_four_slots_come_back_byte_for_byte() {
    round_trip(64);
}

/// What comes out for 1.0, when every fade is over.
fn heard(processor: &mut Processor) -> f32 {
    let mut last = 0.0;
    for _ in 0..40 {
        let (mut left, mut right) = ([1.0; 64], [1.0; 64]);
        block(processor, &mut left, &mut right);
        last = left[63];
    }
    last
}

#[test]
fn sixty_four_slots_take_edits_while_sound_runs() {
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slots: Vec<_> = (0..64).map(|_| add(&handle, "gain")).collect();
    let player = SlowPlayer::start(processor);
    handle.apply(Command::Param(slots[5], "100".into(), 0.5)).unwrap();
    handle.apply(Command::Param(slots[63], "100".into(), 0.5)).unwrap();
    handle.apply(Command::Move { slot: slots[63], index: 0 }).unwrap();
    handle.apply(Command::Move { slot: slots[0], index: 63 }).unwrap();
    handle.apply(Command::Remove(slots[20])).unwrap();
    handle.apply(Command::Bypass(slots[5], true)).unwrap();
    handle.settle();
    player.wait(3);
    let order: Vec<_> = handle.snapshot().slots.iter().map(|slot| slot.id).collect();
    assert_eq!((order.len(), order[0], order[62]), (63, slots[63], slots[0]));
    let (mut processor, _out) = player.stop();
    assert_eq!(heard(&mut processor), 0.5, "one of the two is bypassed");
    assert!(handle.snapshot().slots.iter().all(|slot| slot.status == SlotStatus::Running));
    handle.apply(Command::Clear).unwrap();
    assert_eq!(heard(&mut processor), 1.0);
}
