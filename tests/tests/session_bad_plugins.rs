//! A plugin that writes what is no number, asks to be restarted for ever, or allocates while it plays harms nobody else; it is named,
//! and runs again when the user says so.

use std::time::Duration;

use catena_tests::session_bench::{Player, add, fixtures_catalog, live, session, until};
use host_core::model::SlotId;
use host_core::session::{Command, SessionHandle, SlotStatus, SlotView};

/// Long enough for some hundred blocks after the last edit.
const PLAYS_ON: Duration = Duration::from_millis(300);

fn view(handle: &SessionHandle, slot: SlotId) -> SlotView {
    handle.snapshot().slots.iter().find(|view| view.id == slot).expect("the slot").clone()
}

#[test]
fn a_feedback_delay_behind_a_plugin_that_writes_what_is_no_number_stays_clean_and_the_right_one_is_named() {
    let (handle, processor) = session(&fixtures_catalog());
    let (before, bad, behind) = (add(&handle, "gain"), add(&handle, "nan"), add(&handle, "feedback"));
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    for mode in [1.0, 2.0] {
        handle.apply(Command::Param(bad, "100".into(), mode)).unwrap();
        let faulted = || matches!(view(&handle, bad).status, SlotStatus::Faulted(_));
        assert!(until(faulted), "mode {mode}: {:?}", view(&handle, bad));
        let SlotStatus::Faulted(reason) = view(&handle, bad).status else { unreachable!() };
        assert!(!reason.is_empty());
        for other in [before, behind] {
            assert_eq!(view(&handle, other).status, SlotStatus::Running, "nobody else is blamed");
        }
        // The user has put it right, and tries it again.
        handle.apply(Command::Param(bad, "100".into(), 0.0)).unwrap();
        handle.apply(Command::Retry(bad)).unwrap();
        assert!(until(|| view(&handle, bad).status == SlotStatus::Running), "{:?}", view(&handle, bad));
    }
    let (_processor, heard) = player.stop();
    let worst = heard.iter().fold(0.0_f32, |worst, sample| worst.max(sample.abs()));
    assert!(heard.iter().all(|sample| sample.is_finite()) && worst < 2.0, "{worst}");
}

#[test]
fn a_plugin_that_asks_to_be_restarted_for_ever_is_named_and_the_chain_goes_on() {
    let (handle, processor) = session(&fixtures_catalog());
    let (restless, gain) = (add(&handle, "restart-loop"), add(&handle, "gain"));
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    assert!(until(|| view(&handle, restless).notice.contains("again and again")), "{:?}", view(&handle, restless));
    assert_eq!(view(&handle, gain).notice, "");
    // Edits and saves are as ever.
    handle.apply(Command::Param(gain, "100".into(), 0.5)).unwrap();
    assert_eq!(handle.chain().unwrap().slot(gain).unwrap().params["100"], 0.5);
    handle.save().unwrap();
    handle.apply(Command::Remove(restless)).unwrap();
    handle.settle();
    std::thread::sleep(PLAYS_ON);
    let (_processor, heard) = player.stop();
    let last = heard[heard.len() - 960..].iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    assert!((last - 0.25).abs() < 1e-3, "{last}: the gain after it is heard");
    let silent = heard.chunks_exact(64).skip(1).position(|block| block.iter().all(|sample| sample.abs() < 1e-4));
    assert_eq!(silent, None, "a silent block");
}

#[test]
fn a_plugin_that_allocates_while_it_plays_plays() {
    let (handle, processor) = session(&fixtures_catalog());
    let (careless, gain) = (add(&handle, "alloc"), add(&handle, "gain"));
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    handle.apply(Command::Param(gain, "100".into(), 0.5)).unwrap();
    std::thread::sleep(PLAYS_ON);
    let (_processor, heard) = player.stop();
    assert_eq!(view(&handle, careless).status, SlotStatus::Running);
    assert!(heard.iter().all(|sample| sample.abs() <= 0.51));
    assert!(heard.iter().any(|sample| sample.abs() > 0.2));
}
