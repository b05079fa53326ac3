//! While a replacement or a removal waits for the DAW's stop, what sounds is still the old plugin: what the user turns of the new one
//! and what automation moves is heard on it, and an undo brings it back as it is by then.

use catena_tests::fixtures::clap_id;
use catena_tests::rolling_daw::Daw;
use catena_tests::session_bench::{fixtures_catalog, session};
use host_core::model::{Aim, MacroId, PluginId, SlotId};
use host_core::session::{Command, MacroEdit};

/// A gain of a half whose macro 1 moves it from silence to one.
fn gain() -> (Daw, SlotId) {
    let (mut daw, late) = Daw::rolling();
    daw.edit(Command::HoldLatency(false));
    daw.edit(Command::Remove(late));
    let gain = daw.fixture("gain");
    daw.edit(Command::Param(gain, "100".into(), 0.5));
    map(&daw, 1, Aim::Param(gain, "100".into()));
    daw.edit(Command::HoldLatency(true));
    daw.roll(100);
    daw.settle_rolling();
    assert_eq!(daw.level(0), 0.5);
    (daw, gain)
}

fn map(daw: &Daw, number: usize, aim: Aim) {
    daw.edit(Command::Macro(MacroId::new(number).unwrap(), MacroEdit::Map { aim, range: Some((0.0, 1.0)) }));
}

fn replace(daw: &mut Daw, slot: SlotId, by: &str, latency: u32) {
    daw.edit_rolling(Command::Replace { slot, plugin: PluginId::clap(clap_id(by)) });
    if latency == 0 {
        daw.settle_rolling();
        return;
    }
    daw.held(0, latency);
}

fn value(daw: &Daw) -> Option<f64> {
    daw.handle.chain().unwrap().slots().next()?.params.get("100").copied()
}

fn plugin(daw: &Daw) -> PluginId {
    daw.handle.snapshot().slots[0].plugin.clone()
}

#[test]
fn what_is_turned_while_a_replacement_waits_is_heard_on_what_sounds() {
    let (mut daw, slot) = gain();
    replace(&mut daw, slot, "late-gain", 32);
    assert_eq!((plugin(&daw), value(&daw)), (PluginId::clap(clap_id("late-gain")), Some(1.0)));
    assert_eq!(daw.level(0), 0.5, "a plugin of another maker has its own values, and is not heard yet");
    daw.edit_rolling(Command::Param(slot, "100".into(), 0.25));
    assert_eq!(daw.level(0), 0.25);
    // Its loudness would be that of the old one.
    daw.edit_rolling(Command::Match(slot));
    daw.roll_until(|handle| handle.snapshot().notice.contains("it is not heard before the transport stops"));
    // A session that is saved and closed before the stop has what was done.
    let (other, _processor) = session(&fixtures_catalog());
    other.load(&daw.handle.save().unwrap()).unwrap();
    let saved = other.chain().unwrap().slot(slot).unwrap().clone();
    assert_eq!((saved.plugin, saved.params["100"]), (PluginId::clap(clap_id("late-gain")), 0.25));
    drop(other);
    daw.processor.set_macro(0, 0, 0.75);
    assert_eq!(daw.level(0), 0.75);
    daw.edit_rolling(Command::Macro(MacroId::new(1).unwrap(), MacroEdit::Value(0.375)));
    assert_eq!(daw.level(0), 0.375);
    // Another macro that is mapped meanwhile moves it too.
    daw.edit_rolling(Command::Macro(MacroId::new(1).unwrap(), MacroEdit::Unmap(None)));
    map_rolling(&mut daw, 2, Aim::Param(slot, "100".into()));
    daw.processor.set_macro(0, 0, 0.1);
    daw.processor.set_macro(0, 1, 0.625);
    assert_eq!(daw.level(0), 0.625);
    daw.stop(32);
    assert_eq!((daw.level(0), value(&daw)), (0.625, Some(0.625)), "the new one has it as well");
}

fn map_rolling(daw: &mut Daw, number: usize, aim: Aim) {
    daw.edit_rolling(Command::Macro(MacroId::new(number).unwrap(), MacroEdit::Map { aim, range: Some((0.0, 1.0)) }));
}

#[test]
fn a_replacement_that_is_undone_while_it_waits_leaves_the_old_plugin_as_it_was() {
    let (mut daw, slot) = gain();
    let before = daw.handle.save().unwrap();
    replace(&mut daw, slot, "late-gain", 32);
    daw.edit_rolling(Command::Param(slot, "100".into(), 0.25));
    assert_eq!(daw.level(0), 0.25);
    daw.edit_rolling(Command::Undo);
    daw.edit_rolling(Command::Undo);
    // The first undo went back to the new plugin's own value, of which the old one heard; its own comes back with it.
    assert_eq!((daw.level(0), value(&daw), plugin(&daw)), (0.5, Some(0.5), PluginId::clap(clap_id("gain"))));
    assert!(daw.handle.save().unwrap() == before, "the same bytes");
    // What automation moved meanwhile stays.
    replace(&mut daw, slot, "late-gain", 32);
    daw.processor.set_macro(0, 0, 0.75);
    assert_eq!(daw.level(0), 0.75);
    daw.edit_rolling(Command::Undo);
    assert_eq!((daw.level(0), value(&daw)), (0.75, Some(0.75)));
    // Another one that is taken back leaves the first to follow what sounds.
    replace(&mut daw, slot, "late-gain", 32);
    replace(&mut daw, slot, "latency-lie", 32);
    daw.edit_rolling(Command::Undo);
    daw.held(0, 32);
    daw.edit_rolling(Command::Param(slot, "100".into(), 0.125));
    assert_eq!(daw.level(0), 0.125);
    daw.stop(32);
    assert_eq!(daw.level(0), 0.125);
}

#[test]
fn automation_moves_what_still_sounds_though_nothing_follows_it() {
    let (mut daw, slot) = gain();
    // The new plugin has no such parameter.
    replace(&mut daw, slot, "latency-lie", 32);
    daw.processor.set_macro(0, 0, 0.75);
    assert_eq!(daw.level(0), 0.75);
    daw.edit_rolling(Command::Undo);
    assert_eq!((daw.level(0), value(&daw)), (0.75, Some(0.75)));
    daw.edit_rolling(Command::ApplyHeld);
    replace(&mut daw, slot, "late-gain", 32);
    daw.stop(32);
    assert_eq!(daw.level(0), 1.0);
    // A plugin that was taken out sounds on; another plan is made meanwhile.
    daw.edit_rolling(Command::Remove(slot));
    daw.held(32, 0);
    daw.edit_rolling(Command::Grid(16));
    daw.processor.set_macro(0, 0, 0.25);
    assert_eq!(daw.level(0), 0.25);
    daw.edit_rolling(Command::Undo);
    daw.edit_rolling(Command::Undo);
    assert_eq!((daw.handle.snapshot().held, daw.level(0), value(&daw)), (None, 0.25, Some(0.25)));
}
