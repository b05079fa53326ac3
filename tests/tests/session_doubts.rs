//! A plugin that is another than the one that was saved is asked about when the chain is loaded: where its parameters are other ones, it
//! refused the state, or it is later than it was. Another file alone is told and not asked. Until the answer a save keeps what there was.

use catena_tests::fixtures::clap_id;
use catena_tests::session_bench::{Player, add, fixtures_catalog, live, session};
use host_core::model::{Adapt, Chain, Folders, Identity, Known, PluginId, PluginState, SlotId};
use host_core::scan;
use host_core::session::{Command, EditError, SessionHandle, SlotStatus};

/// A chain of one fixture as a session saves it.
fn saved(name: &str) -> (Chain, SlotId) {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, name);
    handle.activate(live(64)).unwrap();
    (handle.chain().unwrap(), slot)
}

/// The chain in a session; `change`: what was saved of the plugin was otherwise.
fn loaded(name: &str, change: impl FnOnce(&mut Identity)) -> (SessionHandle, Chain, SlotId) {
    let (mut chain, slot) = saved(name);
    change(&mut chain.slot_mut(slot).unwrap().identity);
    let (handle, _processor) = session(&fixtures_catalog());
    handle.load_chain(chain.clone()).unwrap();
    handle.activate(live(64)).unwrap();
    handle.settle();
    (handle, chain, slot)
}

fn doubts(handle: &SessionHandle) -> Vec<String> {
    handle.snapshot().slots[0].doubts.clone()
}

fn without_one(identity: &mut Identity) {
    let mut all = identity.parameters.to_vec();
    all[1].max += 1.0;
    all.push(Known { key: "999".into(), name: "Warmth".into(), ..Known::default() });
    identity.parameters = all[1..].into();
}

#[test]
fn nothing_is_asked_of_what_is_the_same_or_only_in_another_file() {
    let (handle, chain, slot) = loaded("eight", |_| ());
    assert_eq!((doubts(&handle), handle.snapshot().slots[0].notice.as_str()), (vec![], ""));
    assert_eq!(handle.chain().unwrap(), chain);
    assert_eq!(handle.apply(Command::Accept(slot)), Err(EditError::NoDoubt("Fixture eight".into())));
    assert_eq!(handle.apply(Command::Close(slot)), Err(EditError::NoDoubt("Fixture eight".into())));
    drop(handle);
    let cache = tempfile::tempdir().unwrap();
    let folders = Folders { cache: cache.path().into(), ..Folders::from_env() };
    scan::find_origins(fixtures_catalog().plugins.iter(), &folders);
    let (handle, _chain, slot) = loaded("eight", |identity| identity.hash = "00".into());
    assert_eq!(doubts(&handle), [""; 0]);
    let notice = handle.snapshot().slots[0].notice.clone();
    assert_eq!(notice, "its file is another than the one it was saved with");
    let kept = handle.chain().unwrap().slot(slot).unwrap().identity.hash.clone();
    assert_eq!(kept.len(), 64, "the next save has this one: {kept}");
}

#[test]
fn other_parameters_are_asked_about_until_the_user_takes_them() {
    let (handle, chain, slot) = loaded("eight", without_one);
    let asked = ["its parameters are other ones: Warmth gone; one new; two with another range"];
    assert_eq!(doubts(&handle), asked);
    assert_eq!(handle.snapshot().slots[0].status, SlotStatus::Running);
    handle.apply(Command::Mix(slot, 0.5)).unwrap();
    let kept = handle.chain().unwrap();
    assert_eq!(kept.slot(slot).unwrap().identity, chain.slot(slot).unwrap().identity, "it is asked again");
    handle.apply(Command::Accept(slot)).unwrap();
    assert_eq!(doubts(&handle), [""; 0]);
    let taken = handle.chain().unwrap();
    assert_eq!(taken.slot(slot).unwrap().identity.parameters.len(), 8);
    handle.load_chain(taken).unwrap();
    assert_eq!(doubts(&handle), [""; 0]);
}

#[test]
fn a_slot_that_the_user_closes_keeps_what_was_saved_until_it_is_opened() {
    let (handle, chain, slot) = loaded("eight", without_one);
    handle.apply(Command::Param(slot, "101".into(), -20.0)).unwrap();
    handle.apply(Command::Close(slot)).unwrap();
    assert!(matches!(&handle.snapshot().slots[0].status, SlotStatus::Closed(why) if why.contains("closed by you")));
    let (kept, was) = (handle.chain().unwrap(), chain.slot(slot).unwrap());
    assert_eq!(kept.slot(slot), Some(was));
    handle.apply(Command::Retry(slot)).unwrap();
    assert_eq!(handle.snapshot().slots[0].status, SlotStatus::Running);
    assert_eq!(doubts(&handle).len(), 1, "it is what it was");
    // Made anew, it is still not the one that was saved.
    handle.apply(Command::Adapt(slot, Adapt::Multi)).unwrap();
    handle.settle();
    assert_eq!(doubts(&handle).len(), 1);
    // Another plugin in its place has nothing to do with it.
    handle.load_chain(chain).unwrap();
    handle.apply(Command::Close(slot)).unwrap();
    let plugin = PluginId::clap(clap_id("gain"));
    handle.apply(Command::Replace { slot, plugin }).unwrap();
    assert_eq!(handle.snapshot().slots[0].status, SlotStatus::Running);
}

#[test]
fn a_refused_state_and_another_latency_are_asked_about_while_sound_runs() {
    let (mut chain, slot) = saved("refuse-state");
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    handle.load_chain(chain.clone()).unwrap();
    let asked = doubts(&handle);
    assert!(asked.len() == 1 && asked[0].starts_with("the saved state was refused"), "{asked:?}");
    assert_eq!(handle.chain().unwrap(), chain);
    chain = saved("gain").0;
    for (latency, rate, asks) in [(100, 48_000.0, true), (100, 44_100.0, false), (0, 0.0, false)] {
        let identity = &mut chain.slot_mut(slot).unwrap().identity;
        (identity.latency, identity.rate) = (latency, rate);
        handle.load_chain(chain.clone()).unwrap();
        let wanted = format!("it is 0 frames late, and was {latency} when it was saved");
        assert_eq!(doubts(&handle), if asks { vec![wanted] } else { vec![] }, "{latency} at {rate}");
    }
    player.stop();
}

#[test]
fn a_state_that_was_refused_outlives_every_touch_until_the_user_takes_the_plugin_as_it_is() {
    let (mut chain, slot) = saved("refuse-state");
    let foreign = PluginState { bytes: b"of a newer version".as_slice().into(), ..PluginState::default() };
    chain.slot_mut(slot).unwrap().state = Some(foreign.clone());
    let (handle, processor) = session(&fixtures_catalog());
    handle.load_chain(chain).unwrap();
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    handle.settle();
    assert_eq!(doubts(&handle).len(), 1);
    let key = handle.snapshot().slots[0].params[0].key.clone();
    handle.apply(Command::Param(slot, key.clone(), 0.5)).unwrap();
    player.wait(20);
    let kept = handle.chain().unwrap().slot(slot).unwrap().clone();
    assert_eq!((kept.state, kept.params[&key]), (Some(foreign.clone()), 0.5));
    handle.apply(Command::Accept(slot)).unwrap();
    let taken = handle.chain().unwrap().slot(slot).unwrap().clone();
    assert_ne!(taken.state, Some(foreign), "its own is saved now");
    assert_eq!(taken.params[&key], 0.5);
    player.stop();
}
