//! A plugin that kills the program leaves a session that opens next time with that slot closed, named, its state kept; and
//! with `CATENA_SAFE=1` every slot stays closed until the user opens it.

use std::path::Path;
use std::process::{Command as Process, Output};

use catena_tests::session_bench::{block, live};
use catena_tests::{fixtures, fixtures_lv2};
use host_core::model::{Bytes, Chain, Folders, PluginId, PluginState, SlotId};
use host_core::session::{CatalogSource, Command, Purpose, SessionConfig, SessionHandle};
use host_core::store;

/// This test program again, in an environment of its own.
fn run(scene: &str, root: &Path, safe: bool) -> Output {
    let mut child = Process::new(std::env::current_exe().unwrap());
    child.args(["--exact", "scene", "--nocapture"]).env("CATENA_TEST_SCENE", scene).env("HOME", root);
    for variable in ["DATA", "CACHE", "CONFIG", "STATE"] {
        child.env(format!("XDG_{variable}_HOME"), root.join(variable));
    }
    child.env("CLAP_PATH", root.join("clap")).env("LV2_PATH", root.join("lv2"));
    if safe {
        child.env("CATENA_SAFE", "1");
    }
    child.output().unwrap()
}

/// Opens the chain that lies in the user's folder, runs a block, and tells how each slot fares.
#[test]
fn scene() {
    let Ok(scene) = std::env::var("CATENA_TEST_SCENE") else { return };
    let chain = store::read(&Folders::from_env().data.join("crash.catena")).unwrap();
    let config =
        SessionConfig { purpose: Purpose::Daw, channels: 2, sidechain: 0, aux: 0, catalog: CatalogSource::Cache };
    let (handle, mut processor) = SessionHandle::open(config).unwrap();
    handle.load_chain(chain).unwrap();
    if scene == "retry" {
        let closed: Vec<_> = handle.snapshot().slots.iter().map(|slot| slot.id).collect();
        closed.into_iter().for_each(|slot| drop(handle.apply(Command::Retry(slot))));
    }
    handle.activate(live(64)).unwrap();
    let (mut left, mut right) = ([0.25; 64], [0.25; 64]);
    block(&mut processor, &mut left, &mut right);
    assert_eq!(left[63], 0.25, "a closed slot passes its input");
    for slot in &handle.snapshot().slots {
        println!("slot {} {:?}", slot.id, slot.status);
    }
    let kept = handle.chain().unwrap();
    let culprit = kept.slot(SlotId(2)).unwrap();
    println!("kept {:?} {:?}", culprit.params, culprit.state.as_ref().map(|state| state.bytes.len()));
}

/// A chain of two in the user's folder; the second kills the program, and has a value and a state.
fn install(root: &Path, culprit: PluginId) {
    fixtures::worker();
    for folder in ["clap", "lv2", "DATA/catena"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    std::fs::copy(fixtures::clap(), root.join("clap/harmless.clap")).unwrap();
    fixtures_lv2::lay_out(&root.join("lv2"));
    let mut chain = Chain::default();
    chain.insert(0, PluginId::clap(fixtures::clap_id("gain")));
    let culprit = chain.insert(1, culprit);
    assert_eq!(culprit, SlotId(2));
    let slot = chain.slot_mut(culprit).unwrap();
    slot.params.insert("100".into(), 1.0);
    slot.state = Some(PluginState { bytes: Bytes::from(vec![7; 9]), ..PluginState::default() });
    store::write(&root.join("DATA/catena/crash.catena"), &chain).unwrap();
}

fn is_closed_at_the_next_start_until_it_is_tried_again(culprit: PluginId, when: &str) {
    let root = tempfile::tempdir().unwrap();
    install(root.path(), culprit);
    assert!(!run("open", root.path(), false).status.success(), "the fixture kills its host");
    let again = run("open", root.path(), false);
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success(), "{said}\n{}", String::from_utf8_lossy(&again.stderr));
    assert!(said.contains("slot 1 Running"), "{said}");
    assert!(said.contains(&format!("slot 2 Closed(\"ended the program last time, {when}")), "{said}");
    assert!(said.contains("kept {\"100\": 1.0} Some(9)"), "{said}");
    assert!(!run("retry", root.path(), false).status.success(), "opened by the user's will, it kills again");
}

#[test]
fn the_slot_that_killed_the_program_is_closed_at_the_next_start_until_it_is_tried_again() {
    let culprit = PluginId::clap(fixtures::clap_id("crash-run"));
    is_closed_at_the_next_start_until_it_is_tried_again(culprit, "in its first block");
}

#[test]
fn a_slot_that_kills_the_program_while_it_is_opened_is_closed_at_the_next_start_too() {
    is_closed_at_the_next_start_until_it_is_tried_again(fixtures_lv2::id("crash-open"), "while it was opened");
}

#[test]
fn safe_mode_opens_every_chain_with_its_slots_closed() {
    let root = tempfile::tempdir().unwrap();
    install(root.path(), PluginId::clap(fixtures::clap_id("crash-run")));
    let safe = run("open", root.path(), true);
    let said = String::from_utf8_lossy(&safe.stdout);
    assert!(safe.status.success(), "{said}\n{}", String::from_utf8_lossy(&safe.stderr));
    assert_eq!(said.matches("CATENA_SAFE=1").count(), 2, "{said}");
    let kept = said.lines().any(|line| line == "kept {\"100\": 1.0} Some(9)");
    assert!(kept, "{said}");
}
