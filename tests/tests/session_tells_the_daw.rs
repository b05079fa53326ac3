//! What a session leaves for the DAW's thread: a changed latency, a changed chain, and nothing for what the user did not do.

use std::sync::mpsc::channel;
use std::time::Duration;

use catena_tests::session_bench::{add, fixtures_catalog, live, session, until};
use catena_tests::slow_player::SlowPlayer;
use host_core::session::{Command, HostSetup, SessionHandle, SlotStatus};

#[test]
fn a_plugin_that_changes_its_latency_often_ends_at_the_last_one() {
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "latency-jump");
    let player = SlowPlayer::start(processor);
    for frames in 1..=14_u32 {
        handle.send(Command::Param(slot, "100".into(), f64::from(frames) * 10.0));
        player.wait(20);
    }
    assert!(until(|| handle.latency() == 140), "the latency told stays {}", handle.latency());
    player.stop();
}

#[test]
fn a_chain_that_was_just_loaded_is_not_changed_but_a_plugin_may_say_so_later() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "talks");
    let bytes = handle.save().unwrap();
    let (second, _processor) = session(&fixtures_catalog());
    second.load(&bytes).unwrap();
    second.activate(live(64)).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert!(!second.take_outbox().dirty, "loading is no change");
    assert!(!second.snapshot().dirty);
    second.apply(Command::Param(slot, "100".into(), 1.0)).unwrap();
    second.take_outbox();
    // The plugin marks its state in a callback that the parameter made it ask for.
    assert!(until(|| second.take_outbox().dirty), "a change said by the plugin is heard");
}

#[test]
fn the_daw_may_end_the_outbox_from_inside_its_own_callback() {
    let (handle, _processor) = session(&fixtures_catalog());
    let (told, heard) = channel();
    let inner = handle.clone();
    handle.on_outbox(Box::new(move || {
        inner.end_outbox();
        let _gone = told.send(());
    }));
    handle.send(Command::RenameChain("named".into()));
    assert!(heard.recv_timeout(Duration::from_secs(5)).is_ok(), "home is not stuck in the DAW's callback");
    handle.apply(Command::RenameChain("named again".into())).unwrap();
    assert!(heard.recv_timeout(Duration::from_millis(50)).is_err(), "nobody is woken any more");
}

#[test]
fn when_the_outbox_has_ended_no_call_is_under_way() {
    let (handle, _processor) = session(&fixtures_catalog());
    let (begins, begun) = channel();
    let (ends, ended) = channel();
    handle.on_outbox(Box::new(move || {
        let _gone = begins.send(());
        std::thread::sleep(Duration::from_millis(100));
        let _gone = ends.send(());
    }));
    handle.send(Command::RenameChain("named".into()));
    begun.recv_timeout(Duration::from_secs(5)).unwrap();
    handle.end_outbox();
    assert!(ended.try_recv().is_ok(), "the call that was under way is over");
}

#[test]
fn a_plugin_that_refused_one_rate_runs_at_another() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "fails");
    handle.activate(HostSetup { rate: 8000.0, ..live(64) }).unwrap();
    let status = |handle: &SessionHandle| {
        let view = handle.snapshot();
        view.slots.iter().find(|view| view.id == slot).unwrap().status.clone()
    };
    assert!(matches!(status(&handle), SlotStatus::Faulted(_)), "{:?}", status(&handle));
    handle.activate(live(64)).unwrap();
    assert_eq!(status(&handle), SlotStatus::Running);
}
