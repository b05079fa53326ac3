//! Where the level guard is on, what is shown of it, and how it is ended.

use catena_tests::session_bench::{add, block, fixtures_catalog, live, session};
use host_core::engine::Processor;
use host_core::model::SlotId;
use host_core::session::{CatalogSource, Command, GuardView, Purpose, SessionConfig, SessionHandle};

/// A chain that makes +24 dBFS of its input.
fn loud(purpose: Purpose) -> (SessionHandle, Processor, SlotId) {
    let config =
        SessionConfig { purpose, channels: 2, sidechain: 0, aux: 0, catalog: CatalogSource::Given(fixtures_catalog()) };
    let (handle, processor) = SessionHandle::open(config).unwrap();
    let slot = add(&handle, "gain");
    handle.activate(live(64)).unwrap();
    (handle, processor, slot)
}

/// The last sample of so many blocks of a half.
fn run(processor: &mut Processor, blocks: usize) -> f32 {
    let mut last = 0.0;
    for _ in 0..blocks {
        let (mut left, mut right) = ([0.5; 64], [0.5; 64]);
        block(processor, &mut left, &mut right);
        last = left[63];
    }
    last
}

fn guard(handle: &SessionHandle) -> GuardView {
    handle.look().guard
}

#[test]
fn it_is_on_in_the_standalone_program_and_where_the_chain_says_so() {
    for (purpose, choice, on) in [
        (Purpose::Standalone, None, true),
        (Purpose::Standalone, Some(false), false),
        (Purpose::Daw, None, false),
        (Purpose::Daw, Some(true), true),
        (Purpose::Offline, Some(true), false),
    ] {
        let (handle, mut processor, slot) = loud(purpose);
        if choice.is_some() {
            handle.apply(Command::Guard(choice)).unwrap();
        }
        handle.apply(Command::OutputGain(slot, 30.0)).unwrap();
        let last = run(&mut processor, 200);
        let seen = guard(&handle);
        assert_eq!((seen.on, seen.muted, last == 0.0), (on, on, on), "{purpose:?}, {choice:?}");
        assert_eq!(seen.times > 0, on || purpose == Purpose::Offline, "{purpose:?}, {choice:?}");
    }
}

#[test]
fn it_is_ended_by_hand_and_saved_with_the_chain() {
    let (handle, mut processor, slot) = loud(Purpose::Standalone);
    handle.apply(Command::OutputGain(slot, 30.0)).unwrap();
    assert_eq!(run(&mut processor, 200), 0.0);
    assert!(guard(&handle).muted);
    handle.apply(Command::OutputGain(slot, 0.0)).unwrap();
    assert_eq!(run(&mut processor, 200), 0.0, "until it is told to");
    let before = handle.save().unwrap();
    assert!(!handle.look().dirty);
    handle.apply(Command::Reopen).unwrap();
    assert_eq!(run(&mut processor, 200), 0.5);
    assert!(!guard(&handle).muted && !handle.look().dirty);
    assert_eq!(handle.save().unwrap(), before, "it is no edit");
    handle.apply(Command::Guard(Some(false))).unwrap();
    let saved = handle.save().unwrap();
    let (again, _processor) = session(&fixtures_catalog());
    again.load(&saved).unwrap();
    assert_eq!(again.chain().unwrap().guard, Some(false));
    assert_eq!(again.save().unwrap(), saved);
}
