//! Through a whole session: notes that a plugin made are ended when the user bypasses, removes, replaces or re-opens it; a panic is no
//! edit; what a slot hears is set by a command and saved.

use std::time::{Duration, Instant};

use catena_tests::session_bench::{fixtures_catalog, id, live, session};
use host_core::backend::audio::EventBuffer;
use host_core::engine::{ContainerBlock, Processor};
use host_core::model::{Adapt, MidiSettings, MidiSource, SlotId};
use host_core::session::{Command, SessionHandle};

/// One block of 64 frames with `sent` in it; what came out.
fn block(processor: &mut Processor, sent: Option<[u8; 3]>) -> Vec<Vec<u8>> {
    let (mut events_in, mut events_out) = (EventBuffer::new(64, true), EventBuffer::new(256, true));
    if let Some(bytes) = sent {
        assert!(events_in.push(5, 0, &bytes));
    }
    let (mut left, mut right) = ([0.0_f32; 64], [0.0_f32; 64]);
    processor.process(&mut ContainerBlock {
        main: &mut [&mut left, &mut right],
        sidechain: &[],
        aux: &mut [],
        events_in: &mut events_in,
        events_out: &mut events_out,
        transport: None,
        bypass: false,
    });
    events_out.iter().map(|(_, bytes)| bytes.to_vec()).collect()
}

/// Runs blocks until `wanted` comes out; what came before it.
fn until(processor: &mut Processor, wanted: &[u8]) -> Vec<Vec<u8>> {
    let began = Instant::now();
    let mut heard = Vec::new();
    loop {
        for bytes in block(processor, None) {
            if bytes == wanted {
                return heard;
            }
            heard.push(bytes);
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{wanted:02x?} never came; heard {heard:02x?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A session with a note echo that holds a note.
fn holding() -> (SessionHandle, Processor, SlotId) {
    let catalog = fixtures_catalog();
    let (session, mut processor) = session(&catalog);
    let slot = session.apply(Command::Add { plugin: id(&catalog, "note-echo"), index: 0 }).unwrap().unwrap();
    session.activate(live(64)).unwrap();
    assert_eq!(block(&mut processor, Some([0x92, 60, 99])), [[0x92, 60, 99]]);
    (session, processor, slot)
}

#[test]
fn a_note_that_a_plugin_made_is_ended_when_it_is_bypassed_removed_replaced_or_opened_anew() {
    type Edit = fn(&SessionHandle, SlotId);
    let edits: [(&str, Edit); 5] = [
        ("bypassed", |session, slot| session.send(Command::Bypass(slot, true))),
        ("removed", |session, slot| session.send(Command::Remove(slot))),
        ("replaced", |session, slot| {
            session.send(Command::Replace { slot, plugin: id(&session.catalog(), "gain") });
        }),
        ("removed for another", |session, slot| {
            session.send(Command::Remove(slot));
            session.send(Command::Add { plugin: id(&session.catalog(), "gain"), index: 0 });
        }),
        ("opened anew", |session, slot| session.send(Command::Adapt(slot, Adapt::Map))),
    ];
    for (what, edit) in edits {
        let (session, mut processor, slot) = holding();
        edit(&session, slot);
        let before = until(&mut processor, &[0x82, 60, 64]);
        assert!(before.is_empty(), "{what}: {before:02x?}");
        session.deactivate();
    }
}

#[test]
fn a_panic_ends_all_and_is_no_edit() {
    let (session, mut processor, _) = holding();
    let chain = session.chain().unwrap();
    let began = Instant::now();
    while session.snapshot().dirty {
        assert!(began.elapsed() < Duration::from_secs(60), "a save does not end what is unsaved");
        std::thread::sleep(Duration::from_millis(1));
    }
    session.take_outbox();
    session.send(Command::Panic);
    until(&mut processor, &[0x82, 60, 64]);
    session.settle();
    assert!(!session.snapshot().dirty && !session.take_outbox().dirty);
    assert_eq!(session.chain().unwrap(), chain);
    session.deactivate();
}

#[test]
fn what_a_slot_hears_is_an_edit_that_is_heard_and_saved() {
    let (session, mut processor, slot) = holding();
    let wanted =
        MidiSettings { source: MidiSource::Container, transpose: 7, channels: 0b100, ..MidiSettings::default() };
    session.send(Command::Midi(slot, wanted));
    // Another source: what it held is ended in the plugin, which sends that on.
    until(&mut processor, &[0x82, 60, 64]);
    assert_eq!(block(&mut processor, Some([0x92, 61, 9])), [[0x92, 68, 9]]);
    assert!(block(&mut processor, Some([0x93, 61, 9])).is_empty());
    let saved = session.save().unwrap();
    session.load(&saved).unwrap();
    assert_eq!(session.chain().unwrap().slot(slot).unwrap().midi, wanted);
    session.deactivate();
}
