//! Where the user wants it, edits that change the latency wait until the DAW's transport stops. What sounds until then is what
//! sounded before, and everything else that the user does is heard on it at once.

use catena_tests::rolling_daw::Daw;
use host_core::model::{Adapt, Aim, LatencyMode, MacroId, Split};
use host_core::session::{Command, LaneEdit, LatencyChange, MacroEdit, StripEdit};

#[test]
fn oversampling_a_mode_and_a_reopened_slot_wait_as_any_edit_does() {
    let (mut daw, late) = Daw::rolling();
    daw.edit(Command::HoldLatency(false));
    let gain = daw.fixture("gain");
    daw.edit(Command::HoldLatency(true));
    daw.handle.settle();
    daw.roll(100);
    let preview = daw.handle.preview(Command::Oversample(gain, 4)).unwrap();
    assert_eq!(preview, Some(LatencyChange { before: 512, after: 578 }));
    daw.edit_rolling(Command::Oversample(gain, 4));
    daw.held(512, 578);
    assert_eq!(daw.level(512), 1.0);
    daw.edit_rolling(Command::Oversample(gain, 1));
    daw.roll_until(|handle| handle.snapshot().held.is_none());
    daw.edit_rolling(Command::Oversample(gain, 4));
    daw.held(512, 578);
    daw.stop(578);
    daw.edit_rolling(Command::Latency(LatencyMode::Constant(20.0)));
    daw.held(578, 960);
    assert_eq!(daw.level(578), 1.0);
    daw.edit_rolling(Command::ApplyHeld);
    daw.roll_until(|handle| handle.latency() == 960);
    daw.edit_rolling(Command::Latency(LatencyMode::True));
    daw.held(960, 578);
    daw.stop(578);
    // Made anew, but as late as before: nothing to wait for.
    daw.edit_rolling(Command::Adapt(late, Adapt::Multi));
    daw.roll(200);
    assert_eq!((daw.handle.latency(), daw.handle.snapshot().held), (578, None));
}

#[test]
fn a_preset_that_makes_a_plugin_ask_for_another_latency_waits_with_it() {
    let (mut daw, late) = Daw::rolling();
    daw.roll(100);
    daw.edit_rolling(Command::Preset(late, "Late".into()));
    daw.held(512, 1024);
    assert_eq!(daw.level(512), 1.0);
    // Made anew it has that latency from the start, and so waits as a whole; what was there before sounds on.
    daw.edit_rolling(Command::Adapt(late, Adapt::Multi));
    daw.held(512, 1024);
    assert_eq!(daw.level(512), 1.0);
    daw.stop(1024);
    // What it asks for by itself does not wait.
    daw.edit_rolling(Command::Param(late, "100".into(), 256.0));
    std::thread::sleep(std::time::Duration::from_millis(2100));
    daw.edit_rolling(Command::Param(late, "100".into(), 128.0));
    daw.roll_until(|handle| handle.latency() == 128);
}

#[test]
fn an_edit_that_comes_while_another_is_heard_waits_too() {
    let (mut daw, late) = Daw::rolling();
    let gain = daw.fixture("gain");
    daw.roll(100);
    // The first one changes no latency and fades; the second arrives within that fade, which takes longer than these blocks.
    daw.handle.send(Command::Remove(gain));
    for _ in 0..5 {
        daw.roll(1);
        std::thread::sleep(std::time::Duration::from_millis(12));
    }
    daw.handle.send(Command::Remove(late));
    daw.held(512, 0);
    assert_eq!(daw.level(512), 1.0);
    daw.stop(0);
}

#[test]
fn what_is_done_while_an_edit_waits_is_heard_on_what_sounds() {
    let (mut daw, late) = Daw::rolling();
    let gains: Vec<_> = (0..2).map(|_| daw.fixture("gain")).collect();
    for gain in &gains {
        daw.edit(Command::Param(*gain, "100".into(), 0.5));
    }
    daw.roll(100);
    assert_eq!(daw.level(512), 0.25);
    daw.edit_rolling(Command::Strip(late, StripEdit::Solo(true)));
    assert_eq!(daw.level(512), 1.0);
    daw.edit_rolling(Command::Remove(late));
    daw.held(512, 0);
    assert_eq!(daw.level(512), 1.0, "the soloed slot still sounds, and its neighbours do not");
    // What is added and soloed is not there yet, and passes nobody by.
    daw.edit_rolling(Command::Strip(gains[0], StripEdit::Solo(true)));
    assert_eq!(daw.level(512), 0.5);
    daw.edit_rolling(Command::Strip(gains[0], StripEdit::Solo(false)));
    let number = MacroId::at(0).unwrap();
    let aim = Aim::Param(gains[1], "100".into());
    daw.stop(0);
    assert_eq!(daw.level(0), 0.25);
    // Macros are mapped to what sounds, and move it.
    let late = daw.add_rolling("latency-lie");
    daw.roll_until(|handle| handle.snapshot().held.is_some());
    daw.edit_rolling(Command::Strip(late, StripEdit::Solo(true)));
    assert_eq!(daw.level(0), 0.25, "what is not there yet passes nobody by");
    daw.edit_rolling(Command::Strip(late, StripEdit::Solo(false)));
    daw.edit_rolling(Command::Macro(number, MacroEdit::Map { aim, range: Some((0.0, 1.0)) }));
    daw.processor.set_macro(0, 0, 1.0);
    assert_eq!(daw.level(0), 0.5);
    daw.edit_rolling(Command::Mix(gains[0], 0.0));
    assert_eq!(daw.level(0), 1.0);
    // What is set of a plugin that waits is set when it comes.
    let next = daw.add_rolling("gain");
    daw.edit_rolling(Command::Param(next, "100".into(), 0.25));
    assert!(daw.handle.snapshot().held.is_some());
    assert_eq!(daw.level(0), 1.0);
    daw.stop(32);
    assert_eq!(daw.level(0), 0.25, "`latency-lie` says 32 and is not late");
}

#[test]
fn lanes_obey_their_settings_while_an_edit_waits() {
    let (mut daw, late) = Daw::rolling();
    let gain = daw.fixture("gain");
    daw.edit(Command::Param(gain, "100".into(), 0.5));
    let group = daw.edit(Command::Parallel { from: gain, to: gain, split: Split::Copy }).unwrap();
    let lanes: Vec<_> = daw.handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    daw.edit(Command::Lane(lanes[1], LaneEdit::Dry(true)));
    daw.handle.settle();
    daw.roll(100);
    assert_eq!(daw.level(512), 1.5);
    daw.edit_rolling(Command::Remove(late));
    daw.held(512, 0);
    daw.edit_rolling(Command::Lane(lanes[0], LaneEdit::Solo(true)));
    assert_eq!(daw.level(512), 0.5);
    daw.edit_rolling(Command::Lane(lanes[0], LaneEdit::Solo(false)));
    daw.edit_rolling(Command::Lane(lanes[1], LaneEdit::Mute(true)));
    assert_eq!(daw.level(512), 0.5);
    daw.edit_rolling(Command::Lane(lanes[1], LaneEdit::Mute(false)));
    // A lane that goes, and one that comes, wait with it.
    daw.edit_rolling(Command::RemoveLane(lanes[1]));
    assert_eq!(daw.level(512), 1.5);
    let presets = daw.add_rolling("presets");
    daw.edit_rolling(Command::Preset(presets, "Quiet".into()));
    assert_eq!(daw.level(512), 1.5, "what waits lets nothing through");
    daw.stop(0);
    assert_eq!(daw.level(0), 0.125);
}

#[test]
fn a_preset_that_waits_outlasts_a_removal_that_is_undone() {
    let (mut daw, _late) = Daw::rolling();
    let presets = daw.add_rolling("presets");
    let value = |daw: &Daw| {
        let snapshot = daw.handle.snapshot();
        snapshot.slots.iter().find(|slot| slot.id == presets).map(|slot| slot.values[0])
    };
    let before = value(&daw);
    // No block comes meanwhile, so the plugin is not faded out yet when its slot goes.
    for command in [Command::Preset(presets, "Loud".into()), Command::Remove(presets), Command::Undo] {
        daw.handle.send(command);
    }
    daw.settle_rolling();
    daw.roll_until(|handle| handle.snapshot().slots.iter().any(|slot| slot.id == presets && slot.values[0] == 1.75));
    daw.edit_rolling(Command::Undo);
    assert_eq!(value(&daw), before, "the preset is a step of its own");
}
