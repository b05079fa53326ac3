//! Undo as users meet it: 200 steps deep, a drag at a time, in plugins' own windows, with real plugins, in the middle of other things.

use catena_tests::rig::assert_smooth;
use catena_tests::session_bench::{
    Player, add, block, catalog, fixtures_catalog, id, live, lv2_catalog, session, until,
};
use host_core::model::{Aim, MacroId, PluginId, SlotId, Split};
use host_core::session::{Command, LaneEdit, MacroEdit, MacroSaid, SessionHandle, SlotStatus, StripEdit};

fn labels(handle: &SessionHandle) -> Vec<String> {
    handle.snapshot().history.steps.iter().map(|step| step.label.clone()).collect()
}

fn value(handle: &SessionHandle, slot: SlotId, key: &str) -> f64 {
    let shown = handle.snapshot();
    let view = shown.slots.iter().find(|view| view.id == slot).expect("the slot");
    view.values[view.params.iter().position(|param| param.key == key).expect("the parameter")]
}

/// Makes `edits`, undoes them all one by one, does them again one by one, and jumps: the same bytes each time.
fn walk(handle: &SessionHandle, edits: impl IntoIterator<Item = Command>) {
    let first = handle.snapshot().history.at;
    let mut saved = vec![handle.save().unwrap()];
    for edit in edits {
        handle.apply(edit.clone()).unwrap_or_else(|error| panic!("{edit:?}: {error}"));
        let bytes = handle.save().unwrap();
        assert!(Some(&bytes) != saved.last(), "{edit:?} changes something");
        saved.push(bytes);
    }
    let last = saved.len() - 1;
    assert_eq!(handle.snapshot().history.at, first + last, "{:?}", labels(handle));
    let at = |at: usize| assert!(handle.save().unwrap() == saved[at], "step {at} of {:?}", labels(handle));
    for step in (0..last).rev() {
        handle.apply(Command::Undo).unwrap();
        at(step);
    }
    for step in 1..=last {
        handle.apply(Command::Redo).unwrap();
        at(step);
    }
    for step in [0, last, last / 2, last / 3, last] {
        handle.apply(Command::GoTo(first + step)).unwrap();
        at(step);
    }
}

#[test]
fn two_hundred_steps_are_kept_and_the_next_drops_the_oldest() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    handle.load(&handle.save().unwrap()).unwrap();
    let name = |step: usize| Command::Rename(slot, Some(format!("name {step}")));
    let mut saved = vec![handle.save().unwrap()];
    for step in 1..=201 {
        handle.apply(name(step)).unwrap();
        saved.push(handle.save().unwrap());
        assert_eq!(handle.snapshot().history.steps.len(), step.min(200));
    }
    for step in (1..=200).rev() {
        handle.apply(Command::Undo).unwrap();
        assert!(handle.save().unwrap() == saved[step], "step {step}");
    }
    // No further: what the first of them did has been forgotten.
    handle.apply(Command::Undo).unwrap();
    assert!(handle.save().unwrap() == saved[1]);
    handle.apply(Command::GoTo(usize::MAX)).unwrap();
    assert!(handle.save().unwrap() == saved[201]);
    // What is still being turned is one of them.
    handle.apply(Command::Mix(slot, 0.5)).unwrap();
    assert_eq!(handle.snapshot().history.steps.len(), 200);
    handle.apply(Command::Undo).unwrap();
    assert!(handle.save().unwrap() == saved[201]);
    // A new edit after an undo drops what was undone.
    handle.apply(Command::GoTo(100)).unwrap();
    handle.apply(name(999)).unwrap();
    let shown = handle.snapshot().history.clone();
    assert_eq!((shown.steps.len(), shown.at, shown.redo()), (101, 101, None));
    assert_eq!(shown.undo().unwrap().slot, Some(slot));
}

#[test]
fn the_values_of_one_drag_are_one_step_and_two_drags_are_two() {
    let (handle, processor) = session(&fixtures_catalog());
    let slot = add(&handle, "gain");
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    let drag = |from: f64, to: f64| {
        handle.send(Command::Gesture(true));
        (0..=50)
            .for_each(|at| handle.send(Command::Param(slot, "100".into(), from + (to - from) * f64::from(at) / 50.0)));
        handle.send(Command::Gesture(false));
        handle.settle();
    };
    let steps = handle.snapshot().history.at;
    drag(1.0, 0.5);
    drag(0.5, 0.25);
    assert_eq!(handle.snapshot().history.at, steps + 2, "{:?}", labels(&handle));
    handle.apply(Command::Undo).unwrap();
    assert!(until(|| value(&handle, slot, "100") == 0.5));
    handle.apply(Command::Undo).unwrap();
    assert!(until(|| value(&handle, slot, "100") == 1.0));
    handle.apply(Command::Redo).unwrap();
    assert!(until(|| value(&handle, slot, "100") == 0.5));
    handle.apply(Command::Undo).unwrap();
    // Without a hand, what comes quickly belongs together; another value in between does not.
    (1..=50).for_each(|at| handle.send(Command::Mix(slot, 1.0 - f64::from(at) / 100.0)));
    handle.send(Command::OutputGain(slot, 1.0));
    handle.send(Command::Mix(slot, 0.2));
    handle.settle();
    assert_eq!(handle.snapshot().history.at, steps + 3, "{:?}", labels(&handle));
    assert_eq!(labels(&handle).last().map(String::as_str), Some("Mix of Fixture gain"));
    handle.apply(Command::GoTo(steps)).unwrap();
    assert_eq!(handle.snapshot().slots[0].mix, 1.0);
    player.stop();
}

#[test]
fn a_gesture_in_a_plugins_own_window_is_one_step() {
    let (handle, processor) = session(&fixtures_catalog());
    let slot = add(&handle, "touch");
    handle.apply(Command::Param(slot, "100".into(), 0.0)).unwrap();
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    handle.settle();
    let steps = handle.snapshot().history.at;
    handle.apply(Command::Param(slot, "101".into(), 1.0)).unwrap();
    assert!(until(|| handle.snapshot().history.at == steps + 2), "{:?}", labels(&handle));
    assert!(until(|| value(&handle, slot, "100") == 0.75));
    assert_eq!(labels(&handle).last().map(String::as_str), Some("knob of Fixture touch"));
    handle.apply(Command::Undo).unwrap();
    assert!(until(|| value(&handle, slot, "100") == 0.0));
    assert_eq!(value(&handle, slot, "101"), 1.0);
    handle.apply(Command::Redo).unwrap();
    assert!(until(|| value(&handle, slot, "100") == 0.75));
    player.stop();
}

#[test]
fn a_slot_comes_back_with_its_state_its_values_and_its_macro() {
    for sound in [false, true] {
        let (handle, processor) = session(&fixtures_catalog());
        let (slot, _other) = (add(&handle, "gain"), add(&handle, "delay"));
        let number = MacroId::new(7).unwrap();
        handle.apply(Command::Param(slot, "100".into(), 1.5)).unwrap();
        let map = MacroEdit::Map { aim: Aim::Param(slot, "100".into()), range: Some((0.0, 2.0)) };
        handle.apply(Command::Macro(number, map)).unwrap();
        handle.activate(live(64)).unwrap();
        let player = sound.then(|| Player::start(processor));
        let before = handle.save().unwrap();
        handle.apply(Command::Remove(slot)).unwrap();
        handle.apply(Command::Undo).unwrap();
        assert!(handle.save().unwrap() == before);
        assert_eq!(value(&handle, slot, "100"), 1.5);
        handle.apply(Command::Macro(number, MacroEdit::Value(0.25))).unwrap();
        assert!(until(|| value(&handle, slot, "100") == 0.5), "the macro drives it again");
        handle.apply(Command::Undo).unwrap();
        assert!(until(|| value(&handle, slot, "100") == 1.5));
        assert_eq!(handle.macros().value(number.index()), 0.75);
        assert!(handle.save().unwrap() == before);
        player.into_iter().for_each(|player| drop(player.stop()));
    }
}

#[test]
fn what_automation_moved_meanwhile_stays() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let (one, two) = (add(&handle, "gain"), add(&handle, "delay"));
    let number = MacroId::new(1).unwrap();
    handle.apply(Command::Macro(number, MacroEdit::Map { aim: Aim::Mix(one), range: None })).unwrap();
    handle.activate(live(64)).unwrap();
    handle.apply(Command::Rename(one, Some("first".into()))).unwrap();
    handle.apply(Command::Mix(two, 0.5)).unwrap();
    // The DAW moves the macro.
    processor.set_macro(0, number.index(), 0.25);
    let (mut left, mut right) = ([0.0; 64], [0.0; 64]);
    block(&mut processor, &mut left, &mut right);
    assert!(until(|| handle.snapshot().slots[0].mix == 0.25));
    handle.apply(Command::Undo).unwrap();
    handle.apply(Command::Undo).unwrap();
    let shown = handle.snapshot();
    assert_eq!((shown.slots[0].mix, shown.slots[1].mix), (0.25, 1.0));
    assert_eq!(shown.slots[0].title, "Fixture gain");
    // It moves one while a hand is on another.
    let other = MacroId::new(2).unwrap();
    handle.apply(Command::Macro(other, MacroEdit::Map { aim: Aim::Mix(two), range: None })).unwrap();
    handle.apply(Command::Macro(other, MacroEdit::Value(0.5))).unwrap();
    processor.set_macro(0, number.index(), 0.75);
    block(&mut processor, &mut left, &mut right);
    assert!(until(|| handle.snapshot().slots[0].mix == 0.75));
    let _earlier = handle.take_macros_said();
    handle.apply(Command::Undo).unwrap();
    let shown = handle.snapshot();
    assert_eq!((shown.slots[0].mix, shown.slots[1].mix), (0.75, 1.0));
    let said = handle.take_macros_said();
    assert!(
        said.iter().all(|said| matches!(said,
        MacroSaid::Begin(of) | MacroSaid::Value(of, _) | MacroSaid::End(of) if *of == other)),
        "{said:?}"
    );
}

#[test]
fn undo_in_the_middle_of_other_things_ends_where_it_should() {
    let (handle, processor) = session(&fixtures_catalog());
    let slot = add(&handle, "presets");
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    let before = handle.save().unwrap();
    // Each edit is taken back before the engine, or the plugin, has come to it.
    for edit in [
        Command::Preset(slot, "Quiet".into()),
        Command::Remove(slot),
        Command::Oversample(slot, 4),
        Command::Parallel { from: slot, to: slot, split: Split::MidSide },
        Command::Clear,
    ] {
        for _ in 0..3 {
            handle.send(edit.clone());
            handle.send(Command::Undo);
        }
        handle.settle();
        assert!(handle.save().unwrap() == before, "{edit:?}");
        assert_eq!(handle.snapshot().history.at, 1);
        assert_eq!(handle.snapshot().slots.iter().map(|slot| slot.id).collect::<Vec<_>>(), [slot], "{edit:?}");
        assert_eq!(handle.snapshot().slots[0].status, SlotStatus::Running);
    }
    // Taken back while its plugin is still opened, and brought back to an older value then.
    handle.apply(Command::Param(slot, "100".into(), 0.5)).unwrap();
    handle.apply(Command::Remove(slot)).unwrap();
    handle.send(Command::GoTo(1));
    handle.settle();
    assert!(handle.save().unwrap() == before);
    // Done again before it was done at all.
    handle.send(Command::Preset(slot, "Quiet".into()));
    handle.send(Command::Undo);
    handle.send(Command::Redo);
    handle.settle();
    assert!(until(|| value(&handle, slot, "100") == 0.25));
    // The plugin is asked again: what sounds is what is saved, and the step is there.
    let after = handle.save().unwrap();
    assert!(after != before);
    for (edit, wanted) in [(Command::Undo, &before), (Command::Redo, &after)] {
        handle.apply(edit.clone()).unwrap();
        handle.settle();
        assert!(handle.save().unwrap() == *wanted, "{edit:?}");
    }
    // Removed while its old state waits for it, and back again.
    for edit in [Command::Undo, Command::Remove(slot), Command::Undo] {
        handle.send(edit);
    }
    handle.settle();
    assert!(handle.save().unwrap() == before);
    assert!(until(|| value(&handle, slot, "100") == 1.0), "the plugin has it too: {}", value(&handle, slot, "100"));
    player.stop();
}

#[test]
fn real_plugins_undo_to_the_same_bytes() {
    let lv2 = lv2_catalog(&["fil4.lv2", "dpl.lv2", "calf.lv2", "mda.lv2"]);
    let mut all = host_core::model::Catalog::clone(&lv2);
    let zam = ["ZamEQ2.clap", "ZamTube.clap"].map(|file| std::path::Path::new("/usr/lib/clap").join(file));
    all.plugins.extend(catalog(&zam.each_ref().map(|path| path.as_path())).plugins.clone());
    let all = std::sync::Arc::new(all);
    let plugins = [
        PluginId::lv2("http://gareus.org/oss/lv2/fil4#stereo"),
        PluginId::lv2("http://gareus.org/oss/lv2/dpl#stereo"),
        PluginId::lv2("http://calf.sourceforge.net/plugins/Equalizer8Band"),
        PluginId::lv2("http://drobilla.net/plugins/mda/Delay"),
        id(&all, "ZamEQ2"),
        id(&all, "ZamTube"),
    ];
    for sound in [false, true] {
        let (handle, processor) = session(&all);
        handle.activate(live(64)).unwrap();
        let player = sound.then(|| Player::start(processor));
        for plugin in &plugins {
            let slot = handle.apply(Command::Add { plugin: plugin.clone(), index: 99 }).unwrap().unwrap();
            let shown = handle.snapshot();
            let view = shown.slots.iter().find(|view| view.id == slot).unwrap();
            let settable = view.params.iter().filter(|param| !param.read_only && !param.is_bypass && !param.hidden);
            let turned = settable.take(3).map(|param| {
                let now = view.values[view.params.iter().position(|other| other.key == param.key).unwrap()];
                let to = if now == param.min { param.max } else { param.min };
                Command::Param(slot, param.key.clone(), to)
            });
            let others = [Command::Mix(slot, 0.5), Command::Strip(slot, StripEdit::Pan(-0.5)), Command::Remove(slot)];
            let around = [
                Command::Rename(slot, Some("it".into())),
                Command::Parallel { from: slot, to: slot, split: Split::Copy },
            ];
            walk(&handle, around.into_iter().chain(turned).chain(others));
            handle.apply(Command::GoTo(0)).unwrap();
            assert!(handle.snapshot().slots.is_empty());
        }
        player.into_iter().for_each(|player| drop(player.stop()));
    }
}

#[test]
fn undo_and_redo_leave_no_step_in_a_sine() {
    let (handle, processor) = session(&fixtures_catalog());
    let (first, presets) = (add(&handle, "gain"), add(&handle, "presets"));
    // Far from 1, so that a hard switch is a step that shows.
    [first, presets].into_iter().for_each(|slot| _ = handle.apply(Command::OutputGain(slot, -8.0)).unwrap());
    handle.activate(live(64)).unwrap();
    let start = handle.snapshot().history.at;
    let player = Player::start(processor);
    let group = handle.apply(Command::Parallel { from: first, to: first, split: Split::Copy }).unwrap().unwrap();
    let lane = handle.chain().unwrap().group(group).unwrap().lanes[0].id;
    for edit in [
        Command::Lane(lane, LaneEdit::Gain(-12.0)),
        Command::Move { slot: presets, index: 0 },
        Command::Bypass(first, true),
        Command::OutputGain(presets, 0.0),
        Command::Remove(presets),
        Command::Dissolve(group),
    ] {
        handle.apply(edit).unwrap();
        handle.apply(Command::Undo).unwrap();
        handle.apply(Command::Redo).unwrap();
    }
    let all = handle.snapshot().history.at;
    for to in [start, all, start + 1, all - 1, start] {
        handle.apply(Command::GoTo(to)).unwrap();
    }
    let (_processor, out) = player.stop();
    assert_smooth(&out[64..], "undo and redo");
}
