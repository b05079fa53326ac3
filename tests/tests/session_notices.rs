//! What was said of a chain stays until it is past: looking for plugins on the way to another edit does not clear it.

use catena_tests::fixtures;
use catena_tests::session_bench::{fixtures_catalog, session};
use host_core::model::PluginId;
use host_core::session::Command;

#[test]
fn a_damaged_chain_is_named_until_an_edit_or_another_chain_takes_its_place() {
    let (handle, _processor) = session(&fixtures_catalog());
    let gain = PluginId::clap(fixtures::clap_id("gain"));
    handle.apply(Command::Add { plugin: gain.clone(), index: 0 }).unwrap();
    let good = handle.save().unwrap();

    handle.load(b"no chain at all").unwrap_err();
    handle.settle();
    let damaged = |handle: &host_core::session::SessionHandle| handle.snapshot().notice.contains("not a Catena chain");
    assert!(damaged(&handle), "{}", handle.snapshot().notice);
    handle.apply(Command::Add { plugin: PluginId::clap("org.example.none"), index: 0 }).unwrap_err();
    handle.settle();
    assert!(damaged(&handle), "the search for a plugin cleared it: {:?}", handle.snapshot().notice);

    handle.load(&good).unwrap();
    assert_eq!(handle.snapshot().notice, "");
    handle.load(b"no chain at all").unwrap_err();
    handle.apply(Command::Add { plugin: gain, index: 0 }).unwrap();
    assert_eq!(handle.snapshot().notice, "");
}
