//! Another plugin takes a slot's place: the slot stays what it is, macros go on moving the parameters of the same name, and one undo
//! brings the old plugin back to the byte. The same plugin in the other format gets the values too. A copy of a slot has its state.

use std::path::Path;
use std::sync::Arc;

use catena_tests::fixtures::{self, clap_id};
use catena_tests::rig::assert_smooth;
use catena_tests::session_bench::{
    Player, add, block, catalog, fixtures_catalog, live, lv2_catalog, roll, session, until,
};
use host_core::model::{
    Aim, Catalog, IfFails, Law, Letter, MacroId, MidiSettings, PluginId, SidechainSource, Slot, SlotId, Target,
};
use host_core::session::{
    Command, EditError, HostSetup, LatencyChange, MacroEdit, SessionHandle, SnapshotEdit, StripEdit,
};

fn fixture(name: &str) -> PluginId {
    PluginId::clap(clap_id(name))
}

fn replace(handle: &SessionHandle, slot: SlotId, plugin: &PluginId) -> Result<Option<SlotId>, EditError> {
    handle.apply(Command::Replace { slot, plugin: plugin.clone() })
}

fn map(handle: &SessionHandle, number: usize, aim: Aim, range: Option<(f64, f64)>) {
    handle.apply(Command::Macro(MacroId::new(number).unwrap(), MacroEdit::Map { aim, range })).unwrap();
}

fn targets(handle: &SessionHandle, number: usize) -> Vec<Target> {
    let chain = handle.chain().unwrap();
    chain.macro_of(MacroId::new(number).unwrap()).unwrap().targets.clone()
}

fn value(handle: &SessionHandle, slot: SlotId, key: &str) -> f64 {
    let shown = handle.snapshot();
    let view = shown.slots.iter().find(|view| view.id == slot).expect("the slot");
    view.values[view.params.iter().position(|param| param.key == key).expect("the parameter")]
}

/// ZamComp, which Debian has in both formats.
fn zam() -> (Arc<Catalog>, PluginId, PluginId) {
    let mut both = Catalog::clone(&lv2_catalog(&["ZamComp.lv2"]));
    both.plugins.extend(catalog(&[Path::new("/usr/lib/clap/ZamComp.clap")]).plugins.clone());
    (Arc::new(both), PluginId::clap("com.zamaudio.ZamComp"), PluginId::lv2("urn:zamaudio:ZamComp"))
}

#[test]
fn all_that_is_the_slots_own_stays_and_one_undo_brings_back_the_same_bytes() {
    for sound in [false, true] {
        let (handle, processor) = session(&fixtures_catalog());
        let (first, side, last) = (add(&handle, "gain"), add(&handle, "sidechain"), add(&handle, "eight"));
        for edit in [
            Command::Param(first, "100".into(), 0.25),
            Command::Rename(first, Some("mine".into())),
            Command::Mix(first, 0.5),
            Command::InputGain(first, -3.0),
            Command::Strip(first, StripEdit::Pan(0.25)),
            Command::IfFails(first, IfFails::Mute),
            Command::Midi(first, MidiSettings { transpose: 7, ..MidiSettings::default() }),
            Command::Oversample(first, 2),
            Command::Sidechain(side, SidechainSource::Output(first)),
        ] {
            handle.apply(edit).unwrap();
        }
        map(&handle, 1, Aim::Mix(first), None);
        map(&handle, 2, Aim::Param(first, "100".into()), Some((0.0, 1.0)));
        map(&handle, 3, Aim::Param(last, "101".into()), None);
        handle.activate(live(64)).unwrap();
        let player = sound.then(|| Player::start(processor));
        handle.settle();
        let (before, old) = (handle.save().unwrap(), handle.chain().unwrap());
        assert_eq!(replace(&handle, first, &fixture("presets")), Ok(Some(first)));
        let (after, new) = (handle.save().unwrap(), handle.chain().unwrap());
        let slot = |chain: &host_core::model::Chain| chain.slot(first).unwrap().clone();
        assert_eq!(new.place(first), Some((None, 0)));
        let Slot { plugin, identity, params, state, .. } = slot(&new);
        assert_eq!((plugin.clone(), identity.name.as_str()), (fixture("presets"), "Fixture presets"));
        assert_eq!(params.get("100"), Some(&1.0), "another plugin has its own values");
        assert_eq!(Slot { plugin, identity, params, state, ..slot(&old) }, slot(&new), "everything else is as it was");
        assert_eq!((new.slot(side), &new.macros), (old.slot(side), &old.macros));
        // Its macro moves it.
        handle.apply(Command::Macro(MacroId::new(2).unwrap(), MacroEdit::Value(0.5))).unwrap();
        assert!(until(|| value(&handle, first, "100") == 0.5));
        for (edit, wanted) in
            [(Command::Undo, &after), (Command::Undo, &before), (Command::Redo, &after), (Command::Undo, &before)]
        {
            handle.apply(edit.clone()).unwrap();
            assert!(handle.save().unwrap() == *wanted, "{edit:?}");
        }
        assert_eq!(value(&handle, first, "100"), 0.25);
        player.into_iter().for_each(|player| drop(player.stop()));
    }
}

#[test]
fn macros_lose_what_the_new_plugin_has_not_and_that_is_said() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "eight");
    map(&handle, 1, Aim::Param(slot, "101".into()), None);
    map(&handle, 1, Aim::OutputGain(slot), None);
    replace(&handle, slot, &fixture("gain")).unwrap();
    let aims = || targets(&handle, 1).into_iter().map(|target| target.aim).collect::<Vec<_>>();
    assert_eq!(aims(), [Aim::OutputGain(slot)]);
    let notice = handle.snapshot().notice.clone();
    assert_eq!(notice, "Fixture gain could not take over: what macro 1 moves (two)");
    handle.apply(Command::Undo).unwrap();
    assert_eq!(aims(), [Aim::Param(slot, "101".into()), Aim::OutputGain(slot)]);
    assert_eq!(handle.snapshot().notice, "");
}

#[test]
fn a_plugin_that_does_not_open_or_start_changes_nothing() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    handle.activate(HostSetup { rate: 8000.0, ..live(64) }).unwrap();
    let (before, steps) = (handle.save().unwrap(), handle.snapshot().history.steps.len());
    let missing = PluginId::clap("org.nowhere");
    assert_eq!(replace(&handle, slot, &missing), Err(EditError::NoPlugin(missing)));
    // It refuses this rate.
    let refused = replace(&handle, slot, &fixture("fails")).unwrap_err();
    assert!(matches!(&refused, EditError::Plugin(why) if why.contains("8000")), "{refused}");
    assert_eq!(replace(&handle, SlotId(99), &fixture("gain")), Err(EditError::NoSlot(SlotId(99))));
    assert!(handle.save().unwrap() == before);
    assert_eq!(handle.snapshot().history.steps.len(), steps);
}

#[test]
fn snapshots_hold_the_one_and_the_other() {
    let (handle, processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    handle.apply(Command::Param(slot, "100".into(), 0.5)).unwrap();
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    let snapshot = |letter, edit| _ = handle.apply(Command::Snapshot(letter, edit)).unwrap();
    let plugin = || handle.chain().unwrap().slot(slot).unwrap().plugin.clone();
    snapshot(Letter::A, SnapshotEdit::Store);
    replace(&handle, slot, &fixture("mono")).unwrap();
    snapshot(Letter::B, SnapshotEdit::Store);
    for _ in 0..3 {
        snapshot(Letter::A, SnapshotEdit::Recall);
        assert_eq!((plugin(), value(&handle, slot, "100")), (fixture("gain"), 0.5));
        snapshot(Letter::B, SnapshotEdit::Recall);
        assert_eq!((plugin(), value(&handle, slot, "100")), (fixture("mono"), 1.0));
    }
    let (_processor, out) = player.stop();
    assert_smooth(&out[64..], "recalls of two plugins in one slot");
}

#[test]
fn what_it_does_to_the_latency_is_said_before() {
    fixtures::worker();
    let (handle, _processor) = session(&fixtures_catalog());
    let (late, other) = (add(&handle, "latency-jump"), add(&handle, "gain"));
    handle.apply(Command::Param(late, "100".into(), 512.0)).unwrap();
    handle.activate(live(64)).unwrap();
    handle.settle();
    for (command, after) in [
        (Command::Duplicate(late), 1024),
        (Command::Duplicate(other), 1024),
        (Command::Replace { slot: other, plugin: fixture("latency-lie") }, 1056),
        (Command::Replace { slot: late, plugin: fixture("latency-lie") }, 576),
    ] {
        let before = handle.latency();
        assert_eq!(handle.preview(command.clone()).unwrap(), Some(LatencyChange { before, after }), "{command:?}");
        handle.apply(command).unwrap();
        // A latency that is told in the start of a plugin comes with the next tick.
        assert!(until(|| handle.latency() == after), "{} instead of {after}", handle.latency());
    }
}

#[test]
fn where_the_latency_is_held_the_old_one_sounds_on_under_the_slots_own_settings() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    map(&handle, 1, Aim::OutputGain(slot), Some((-6.0, 0.0)));
    handle.apply(Command::HoldLatency(true)).unwrap();
    handle.activate(live(64)).unwrap();
    let mut at = 0;
    roll(&mut processor, &mut at, 8, true);
    handle.send(Command::Replace { slot, plugin: fixture("latency-lie") });
    let held = Some(LatencyChange { before: 0, after: 32 });
    assert!(until(|| {
        roll(&mut processor, &mut at, 4, true);
        handle.snapshot().held == held
    }));
    processor.set_macro(0, 0, 0.0);
    let heard = roll(&mut processor, &mut at, 60, true);
    let peak = heard[heard.len() - 960..].iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    assert!((peak - 0.5 * 10f32.powf(-0.3)).abs() < 0.01, "the slot's own macro is heard on what sounds: {peak}");
    assert_eq!(handle.latency(), 0);
    assert!(until(|| {
        roll(&mut processor, &mut at, 4, false);
        handle.latency() == 32
    }));
    roll(&mut processor, &mut at, 60, false);
    handle.settle();
    assert_eq!(handle.snapshot().slots[0].plugin, fixture("latency-lie"));
}

#[test]
fn the_other_format_of_a_plugin_gets_its_values_and_its_macros() {
    let (both, clap, lv2) = zam();
    for (first, second, keys) in
        [(&clap, &lv2, [("4", "thr"), ("3", "rat")]), (&lv2, &clap, [("thr", "4"), ("rat", "3")])]
    {
        let (handle, processor) = session(&both);
        handle.activate(live(64)).unwrap();
        let slot = handle.apply(Command::Add { plugin: first.clone(), index: 0 }).unwrap().unwrap();
        let [(threshold, new_threshold), (ratio, new_ratio)] = keys;
        handle.apply(Command::Param(slot, threshold.into(), -32.5)).unwrap();
        handle.apply(Command::Param(slot, ratio.into(), 7.0)).unwrap();
        let law = Law { min: -60.0, max: -10.0, curve: 0.5, inverted: true };
        map(&handle, 5, Aim::Param(slot, threshold.into()), Some((-60.0, -10.0)));
        let shape = MacroEdit::Shape { aim: Aim::Param(slot, threshold.into()), law };
        handle.apply(Command::Macro(MacroId::new(5).unwrap(), shape)).unwrap();
        let player = Player::start(processor);
        let before = handle.save().unwrap();
        replace(&handle, slot, second).unwrap();
        let chain = handle.chain().unwrap();
        let new = chain.slot(slot).unwrap();
        assert_eq!((new.plugin.clone(), handle.snapshot().notice.clone()), (second.clone(), String::new()));
        let values = [new_threshold, new_ratio].map(|key| new.params[key]);
        assert!((values[0] + 32.5).abs() < 1e-4 && (values[1] - 7.0).abs() < 1e-4, "{values:?}");
        assert_eq!(targets(&handle, 5), [Target::new(Aim::Param(slot, new_threshold.into()), law)]);
        handle.apply(Command::Undo).unwrap();
        assert!(handle.save().unwrap() == before, "the old plugin's own bytes");
        player.stop();
    }
}

#[test]
fn what_stands_in_for_a_missing_plugin_gets_what_is_kept_of_it() {
    let (both, clap, lv2) = zam();
    let (handle, _processor) = session(&both);
    let slot = handle.apply(Command::Add { plugin: clap.clone(), index: 0 }).unwrap().unwrap();
    handle.apply(Command::Param(slot, "4".into(), -20.0)).unwrap();
    let saved = handle.save().unwrap();
    drop(handle);
    // Another machine has it as LV2 alone.
    let only = Catalog { plugins: both.plugins.iter().filter(|entry| entry.id == lv2).cloned().collect(), bad: vec![] };
    let (handle, mut processor) = session(&Arc::new(only));
    assert_eq!(handle.load(&saved).unwrap().len(), 1);
    handle.activate(live(256)).unwrap();
    let kept = handle.chain().unwrap().slot(slot).unwrap().clone();
    assert_eq!((kept.params["4"], kept.plugin.clone()), (-20.0, clap));
    assert_eq!(handle.snapshot().slots[0].offers, std::slice::from_ref(&lv2), "offered, not put in");
    replace(&handle, slot, &lv2).unwrap();
    let (mut left, mut right) = ([0.1; 256], [0.1; 256]);
    block(&mut processor, &mut left, &mut right);
    assert_eq!(handle.chain().unwrap().slot(slot).unwrap().params["thr"], -20.0);
    handle.apply(Command::Undo).unwrap();
    assert!(handle.save().unwrap() == saved, "the missing one's bytes are back");
}

#[test]
fn a_copy_stands_behind_its_slot_with_its_state_of_now() {
    for sound in [false, true] {
        let (handle, processor) = session(&fixtures_catalog());
        let (slot, last) = (add(&handle, "presets"), add(&handle, "gain"));
        map(&handle, 1, Aim::Param(slot, "100".into()), None);
        handle.activate(live(64)).unwrap();
        let player = sound.then(|| Player::start(processor));
        handle.apply(Command::Preset(slot, "Quiet".into())).unwrap();
        handle.apply(Command::Mix(slot, 0.75)).unwrap();
        let before = handle.save().unwrap();
        let copy = handle.apply(Command::Duplicate(slot)).unwrap().unwrap();
        let chain = handle.chain().unwrap();
        assert_eq!(chain.slots().map(|slot| slot.id).collect::<Vec<_>>(), [slot, copy, last]);
        assert_eq!(&Slot { id: slot, ..chain.slot(copy).unwrap().clone() }, chain.slot(slot).unwrap());
        assert_eq!(value(&handle, copy, "100"), value(&handle, slot, "100"));
        assert_eq!(targets(&handle, 1).len(), 1, "a macro moves what it moved");
        handle.apply(Command::Undo).unwrap();
        assert!(handle.save().unwrap() == before);
        player.into_iter().for_each(|player| drop(player.stop()));
    }
}
