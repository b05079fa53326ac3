//! A plugin that sits in a call for long costs one time-out, and what the DAW asked for meanwhile is not lost.

use std::sync::mpsc::channel;
use std::time::Duration;

use catena_tests::fixtures;
use catena_tests::session_bench::{fixtures_catalog, live, session};
use host_core::home::home;
use host_core::model::PluginId;
use host_core::session::Command;

#[test]
fn a_chain_that_is_loaded_while_home_is_stuck_is_there_when_it_answers() {
    let (first, _processor) = session(&fixtures_catalog());
    let plugin = PluginId::clap(fixtures::clap_id("gain"));
    first.apply(Command::Add { plugin, index: 0 }).unwrap();
    let bytes = first.save().unwrap();

    let (second, _processor) = session(&fixtures_catalog());
    let (release, released) = channel::<()>();
    home().unwrap().post(move || {
        let _gone = released.recv();
    });
    assert!(home().unwrap().ask(Duration::from_millis(20), || ()).is_err(), "the time-out");
    assert!(second.load(&bytes).is_err(), "not waited for again");
    assert!(second.activate(live(64)).is_err());
    assert_eq!(second.save().unwrap(), bytes, "the save holds what was loaded");
    drop(release);
    while home().unwrap().ask(Duration::from_secs(5), || ()).is_err() {
        std::thread::sleep(Duration::from_millis(1));
    }
    second.settle();
    assert_eq!(second.snapshot().slots.len(), 1, "loaded when home came to it");
    assert_eq!(second.save().unwrap(), bytes);
}
