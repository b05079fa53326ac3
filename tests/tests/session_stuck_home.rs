//! A plugin that sits in a call for long costs one time-out, its own slot's checkpoint and a notice: the DAW's save holds all else
//! as it is, and what the DAW asked for meanwhile is not lost.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use catena_tests::outside::Outside;
use catena_tests::session_bench::{add, block, fixtures_catalog, live, session, until};
use host_core::engine::Processor;
use host_core::home::{PATIENCE, home};
use host_core::model::{Aim, Chain, MacroId, SlotId};
use host_core::session::{Command, LoadError, MacroEdit, SlotStatus};
use host_core::store;

/// The first parameter in the plugin's own bytes.
fn in_bytes(chain: &Chain, slot: SlotId) -> f64 {
    let state = chain.slot(slot).unwrap().state.clone().unwrap();
    f64::from_le_bytes(state.bytes[..8].try_into().unwrap())
}

fn heard(processor: &mut Processor) -> f32 {
    let (mut left, mut right) = ([1.0; 64], [1.0; 64]);
    block(processor, &mut left, &mut right);
    left[63]
}

#[test]
fn a_save_lacks_the_own_bytes_of_the_stuck_slot_alone_and_says_so() {
    let (handle, _processor) = session(&fixtures_catalog());
    let outside = Outside::new();
    let (before, stuck, after) = (add(&handle, "gain"), add(&handle, "stalls"), add(&handle, "no-state"));
    handle.apply(Command::Rename(stuck, Some("Der Hänger".into()))).unwrap();
    handle.apply(Command::Param(stuck, "100".into(), 0.75)).unwrap();
    handle.save().unwrap();
    let _told = handle.take_outbox();

    // Edits after the last save, to every slot.
    handle.apply(Command::Param(before, "100".into(), 0.5)).unwrap();
    handle.apply(Command::Param(stuck, "100".into(), 0.25)).unwrap();
    handle.apply(Command::Param(after, "101".into(), -1.0)).unwrap();
    handle.apply(Command::OutputGain(after, -6.0)).unwrap();
    handle.apply(Command::Move { slot: after, index: 0 }).unwrap();
    let number = MacroId::new(5).unwrap();
    for aim in [Aim::Mix(after), Aim::Param(before, "100".into())] {
        handle.apply(Command::Macro(number, MacroEdit::Map { aim, range: None })).unwrap();
    }
    handle.settle();

    outside.stall("save");
    let (bytes, said) = handle.save_telling().unwrap();
    let said = said.expect("it says so");
    assert!(said.contains("saving Der Hänger"), "{said}");
    assert!(said.contains("Der Hänger was saved as it was last kept"), "{said}");
    assert!(said.contains("of Fixture no-state, Fixture gain the parameters"), "{said}");
    let saved = store::unpack(&bytes).unwrap();
    assert_eq!(saved.slots().map(|slot| slot.id).collect::<Vec<_>>(), [after, before, stuck]);
    let slot = |id: SlotId| saved.slot(id).unwrap();
    assert_eq!(slot(before).params["100"], 0.5);
    assert_eq!((slot(after).params["101"], slot(after).output_gain), (-1.0, -6.0));
    assert_eq!(in_bytes(&saved, stuck), 0.75, "its own bytes are those of the last save");

    // Nobody waits again until it answers; the slot is named.
    let begun = Instant::now();
    assert_eq!(handle.save().unwrap(), bytes);
    assert!(handle.activate(live(64)).is_err());
    handle.deactivate();
    handle.send(Command::Bypass(before, true));
    // The DAW moves a macro meanwhile: home has not seen it, but the save has.
    assert!(handle.macros().tell(4, 0.75));
    let saved = store::unpack(&handle.save().unwrap()).unwrap();
    let slot = |id: SlotId| saved.slot(id).unwrap();
    assert_eq!(saved.macro_of(number).unwrap().value, 0.75);
    assert_eq!((slot(after).mix, slot(before).params["100"]), (0.75, 1.5));
    assert!(begun.elapsed() < PATIENCE, "waited again: {:?}", begun.elapsed());
    let shown = handle.snapshot();
    let fault = shown.slots.iter().find(|slot| slot.id == stuck).unwrap();
    assert!(matches!(&fault.status, SlotStatus::Faulted(why) if why.contains("does not answer")), "{fault:?}");
    assert!(shown.notice.starts_with("Der Hänger does not answer"), "{}", shown.notice);

    // It answers: what was asked for meanwhile is done, the notice goes, and the DAW is told that its save is old.
    outside.release();
    assert!(until(|| handle.snapshot().slots.iter().any(|slot| slot.id == before && slot.bypass)));
    assert!(until(|| handle.snapshot().notice.is_empty()), "{}", handle.snapshot().notice);
    assert!(until(|| handle.take_outbox().dirty));
    assert!(handle.snapshot().slots.iter().all(|slot| slot.status == SlotStatus::Running), "{:?}", handle.snapshot());
    let (bytes, said) = handle.save_telling().unwrap();
    assert_eq!(said, None);
    assert_eq!(in_bytes(&store::unpack(&bytes).unwrap(), stuck), 0.25);
}

#[test]
fn a_slot_that_did_not_change_since_it_was_kept_is_saved_whole() {
    let (handle, _processor) = session(&fixtures_catalog());
    let (other, _processor) = session(&fixtures_catalog());
    let outside = Outside::new();
    add(&handle, "big-state");
    add(&other, "stalls");
    let whole = handle.save().unwrap();
    outside.stall("save");
    assert!(other.save_telling().unwrap().1.is_some());
    let (bytes, said) = handle.save_telling().unwrap();
    let said = said.unwrap();
    assert!(said.contains("busy with saving Fixture stalls") && said.contains("nothing is missing"), "{said}");
    assert!(bytes == whole, "the same bytes");
    assert_eq!(handle.snapshot().slots[0].status, SlotStatus::Running, "it is not this chain's plugin that is stuck");
    outside.release();
}

#[test]
fn a_load_that_a_plugin_holds_up_ends_with_the_fallback_and_a_fault_and_is_made_good_later() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let (gain, stuck) = (add(&handle, "gain"), add(&handle, "stalls"));
    handle.apply(Command::Param(gain, "100".into(), 0.5)).unwrap();
    let bytes = handle.save().unwrap();
    handle.apply(Command::Clear).unwrap();
    handle.activate(live(64)).unwrap();

    let outside = Outside::new();
    outside.stall("load");
    let begun = Instant::now();
    let error = handle.load(&bytes).unwrap_err();
    assert!(matches!(error, LoadError::Busy(_)) && error.to_string().contains("restoring Fixture stalls"), "{error}");
    assert!(begun.elapsed() >= Duration::from_secs(29), "given up after {:?}", begun.elapsed());
    let shown = handle.snapshot();
    let fault = shown.slots.iter().find(|slot| slot.id == stuck).expect("the slot is shown");
    assert!(matches!(fault.status, SlotStatus::Faulted(_)), "{shown:?}");
    assert_eq!(heard(&mut processor), 1.0, "the fallback, not half a chain");
    let begun = Instant::now();
    assert_eq!(handle.save().unwrap(), bytes, "the very bytes that were loaded");
    assert!(begun.elapsed() < PATIENCE, "the one time-out was the load's");

    outside.release();
    handle.settle();
    assert!(until(|| heard(&mut processor) == 0.5), "the whole chain in the end");
    assert_eq!(handle.save().unwrap(), bytes);
    assert_eq!(handle.snapshot().notice, "");
}

#[test]
fn a_chain_that_is_loaded_while_home_is_stuck_is_there_when_it_answers() {
    let (first, _processor) = session(&fixtures_catalog());
    add(&first, "gain");
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
    assert!(until(|| home().unwrap().ask(PATIENCE, || ()).is_ok()));
    second.settle();
    assert_eq!(second.snapshot().slots.len(), 1, "loaded when home came to it");
    assert_eq!(second.save().unwrap(), bytes);
}

#[test]
fn a_chain_that_ends_while_it_is_loaded_or_home_is_stuck_is_taken_down_when_home_answers() {
    let (handle, processor) = session(&fixtures_catalog());
    let (gain, _stuck) = (add(&handle, "gain"), add(&handle, "stalls"));
    handle.apply(Command::Param(gain, "100".into(), 0.5)).unwrap();
    let bytes = handle.save().unwrap();
    drop((handle, processor));

    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let outside = Outside::new();
    outside.stall("open");
    let loader = {
        let (handle, bytes) = (handle.clone(), bytes.clone());
        std::thread::spawn(move || handle.load(&bytes).map_err(|error| error.to_string()))
    };
    assert!(until(|| outside.log().iter().any(|line| line == "gain made")), "{:?}", outside.log());
    // The DAW destroys its plugin under the load: the last handle goes with the thread that loads.
    drop(handle);
    assert_eq!(heard(&mut processor), 1.0);
    drop(processor);
    assert!(loader.join().unwrap().is_err());
    let begun = Instant::now();
    // Another one comes while home is still stuck.
    let (late, mut processor) = session(&fixtures_catalog());
    assert!(late.load(&bytes).is_err());
    assert!(late.activate(live(64)).is_err());
    assert_eq!(heard(&mut processor), 1.0, "the fallback");
    outside.release();
    assert!(until(|| heard(&mut processor) == 0.5), "its chain is there when home answers: {:?}", late.snapshot());
    assert!(until(|| outside.log().iter().filter(|line| line.ends_with("gone")).count() == 2), "{:?}", outside.log());
    drop((late, processor));

    // The last handle goes while home is stuck: that is not waited for.
    let (handle, _processor) = session(&fixtures_catalog());
    add(&handle, "stalls");
    outside.stall("save");
    assert!(handle.save_telling().unwrap().1.is_some());
    let gone = |outside: &Outside| outside.log().iter().filter(|line| *line == "stalls gone").count();
    let before = gone(&outside);
    let ended = Instant::now();
    drop(handle);
    assert!(ended.elapsed() < PATIENCE, "{:?}", ended.elapsed());
    assert_eq!(gone(&outside), before, "its plugin sits in its call");
    outside.release();
    assert!(until(|| gone(&outside) == before + 1), "{:?}", outside.log());
    assert!(begun.elapsed() < Duration::from_secs(120));
}
