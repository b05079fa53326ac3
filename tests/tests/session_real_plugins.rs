//! A session with real plugins: edits, saves and loads while audio runs and while it does not.

use std::path::Path;
use std::sync::Arc;

use catena_tests::session_bench::{Player, block, catalog, id, live, session};
use host_core::model::{Catalog, PluginId};
use host_core::session::{Command, EditError, SlotStatus};

fn zam() -> Arc<Catalog> {
    let folder = Path::new("/usr/lib/clap");
    catalog(&[&folder.join("ZamEQ2.clap"), &folder.join("ZamTube.clap"), &folder.join("ZamCompX2.clap")])
}

#[test]
fn a_chain_saves_and_loads_to_the_same_bytes_and_values() {
    let zam = zam();
    let (first, _processor) = session(&zam);
    first.activate(live(256)).unwrap();
    for name in ["ZamEQ2", "ZamTube", "ZamCompX2"] {
        first.apply(Command::Add { plugin: id(&zam, name), index: 99 }).unwrap();
    }
    let slots = first.snapshot().slots.clone();
    assert_eq!(slots.len(), 3);
    let param = slots[0].params.iter().find(|param| param.automatable).unwrap();
    let value = param.min + (param.max - param.min) * 0.25;
    first.apply(Command::Param(slots[0].id, param.key.clone(), value)).unwrap();
    let bytes = first.save().unwrap();
    drop(first);

    let (second, mut processor) = session(&zam);
    assert_eq!(second.load(&bytes).unwrap(), []);
    second.activate(live(512)).unwrap();
    let (mut left, mut right) = ([0.1; 512], [0.1; 512]);
    block(&mut processor, &mut left, &mut right);
    let again = second.snapshot();
    let index = slots[0].params.iter().position(|other| other.key == param.key).unwrap();
    assert_eq!(again.slots[0].values[index], value);
    assert!(again.slots.iter().all(|slot| slot.status == SlotStatus::Running), "{again:?}");
    assert_eq!(second.save().unwrap(), bytes);
}

#[test]
fn edits_while_audio_runs_arrive_and_every_block_sounds() {
    let zam = zam();
    let (handle, processor) = session(&zam);
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    let eq = handle.apply(Command::Add { plugin: id(&zam, "ZamEQ2"), index: 0 }).unwrap().unwrap();
    let tube = handle.apply(Command::Add { plugin: id(&zam, "ZamTube"), index: 1 }).unwrap().unwrap();
    handle.apply(Command::Move { slot: tube, index: 0 }).unwrap();
    assert_eq!(handle.snapshot().slots.iter().map(|slot| slot.id).collect::<Vec<_>>(), [tube, eq]);
    handle.apply(Command::Remove(tube)).unwrap();
    handle.apply(Command::Bypass(eq, true)).unwrap();
    handle.apply(Command::Remove(eq)).unwrap();
    let (_processor, out) = player.stop();
    assert!(out.chunks(64).all(|block| block.iter().any(|sample| sample.abs() > 0.01)));
    assert!(handle.snapshot().slots.is_empty());
}

#[test]
fn a_missing_plugin_keeps_its_place_and_what_cannot_be_done_is_said() {
    let zam = zam();
    let (handle, _processor) = session(&zam);
    let missing = PluginId::clap("org.nowhere.nothing");
    let refused = handle.apply(Command::Add { plugin: missing.clone(), index: 0 });
    assert_eq!(refused, Err(EditError::NoPlugin(missing.clone())));
    let eq = handle.apply(Command::Add { plugin: id(&zam, "ZamEQ2"), index: 0 }).unwrap().unwrap();
    let refused = handle.apply(Command::Param(eq, "nonsense".into(), 0.0)).unwrap_err();
    assert!(refused.to_string().contains("\"nonsense\""), "{refused}");

    let mut chain = handle.chain().unwrap();
    let ghost = chain.insert(0, missing);
    chain.slot_mut(ghost).unwrap().identity.latency = 100;
    let reports = handle.load_chain(chain.clone()).unwrap();
    assert_eq!(reports.len(), 1);
    assert_eq!(reports[0].slot, ghost);
    handle.activate(live(256)).unwrap();
    assert_eq!(handle.snapshot().slots[0].status, SlotStatus::Missing);
    assert_eq!(handle.latency(), 100 + handle.snapshot().slots[1].latency);
    assert_eq!(handle.chain().unwrap().slot(ghost), chain.slot(ghost));
}

#[test]
fn bytes_that_are_no_chain_give_an_empty_chain_and_come_back_with_the_next_save() {
    let (handle, _processor) = session(&zam());
    let garbage = b"PK\x03\x04 not a chain at all";
    assert!(handle.load(garbage).is_err());
    assert!(handle.snapshot().slots.is_empty());
    assert_eq!(handle.save().unwrap(), garbage);
}
