//! Catena inside Catena: a session that a hosted plugin opens from within home is whole at once, and leaves nothing behind.

use std::sync::Arc;

use catena_tests::session_bench::{add, fixtures_catalog, live, session};
use host_core::home::{LOAD_PATIENCE, home};
use host_core::model::PluginId;
use host_core::session::Command;

#[test]
fn a_session_that_is_opened_on_home_keeps_what_it_loads() {
    let catalog = fixtures_catalog();
    let (outer, _processor) = session(&catalog);
    add(&outer, "gain");
    let bytes = outer.save().unwrap();
    let given = bytes.clone();
    let (inner, processor, saved, reports) = home()
        .unwrap()
        .ask(LOAD_PATIENCE, move || {
            let (inner, processor) = session(&catalog);
            let reports = inner.load(&given).expect("it is loaded");
            let saved = inner.save().expect("it is saved");
            inner.activate(live(64)).expect("it is activated");
            let plugin = PluginId::clap(catena_tests::fixtures::clap_id("gain"));
            inner.apply(Command::Add { plugin, index: usize::MAX }).expect("it is edited");
            (inner, processor, saved, reports)
        })
        .unwrap();
    assert_eq!(reports, [], "its plugins are found");
    assert_eq!(saved, bytes, "nothing is lost");
    assert_eq!(inner.chain().unwrap().slots().count(), 2);
    inner.settle();
    assert_eq!(inner.snapshot().slots.len(), 2, "what home came to later left it as it was");
    drop((inner, processor));
}

#[test]
fn a_session_that_is_opened_and_dropped_within_one_call_on_home_leaves_nothing() {
    let catalog = fixtures_catalog();
    let left = home()
        .unwrap()
        .ask(LOAD_PATIENCE, move || {
            let (inner, processor) = session(&catalog);
            let left = Arc::downgrade(inner.macros());
            drop((inner, processor));
            left
        })
        .unwrap();
    home().unwrap().ask(LOAD_PATIENCE, || ()).unwrap();
    assert!(left.upgrade().is_none(), "its owner lives on");
}
