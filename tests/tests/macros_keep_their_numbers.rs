//! A macro's number leads to the same target after slots were moved, removed and put back, and after a preset, a save and a load.

use catena_tests::fixtures;
use catena_tests::session_bench::{block, fixtures_catalog, live, session};
use host_core::engine::Processor;
use host_core::model::{Aim, Law, MacroId, PluginId, SlotId, Target};
use host_core::session::{Command, MacroEdit, SessionHandle};

fn add(handle: &SessionHandle, name: &str) -> SlotId {
    let plugin = PluginId::clap(fixtures::clap_id(name));
    handle.apply(Command::Add { plugin, index: 99 }).unwrap().unwrap()
}

/// Automation of macro 77, as it was drawn on the first day: what comes out of a signal of 1.
fn automate(processor: &mut Processor, value: f64) -> f32 {
    let mut last = 0.0;
    // One value first that it is not at, so that it moves each time.
    for value in [1.0 - value, value] {
        processor.set_macro(0, 76, value);
        for _ in 0..40 {
            let (mut left, mut right) = ([1.0; 64], [1.0; 64]);
            block(processor, &mut left, &mut right);
            last = left[63];
        }
    }
    last
}

/// Makes an edit while blocks come.
fn edit(handle: &SessionHandle, processor: &mut Processor, command: Command) {
    std::thread::scope(|scope| {
        let done = scope.spawn(|| handle.apply(command).unwrap());
        while !done.is_finished() {
            let (mut left, mut right) = ([1.0; 64], [1.0; 64]);
            block(processor, &mut left, &mut right);
        }
    });
}

#[test]
fn automation_drives_the_same_target_after_every_edit() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let (other, target, preset) = (add(&handle, "gain"), add(&handle, "gain"), add(&handle, "presets"));
    let number = MacroId::new(77).unwrap();
    let aim = Aim::Param(target, "100".into());
    handle.apply(Command::Macro(number, MacroEdit::Map { aim: aim.clone(), range: None })).unwrap();
    assert_eq!(automate(&mut processor, 0.25), 0.5);
    let wanted = [Target::new(aim, Law::straight(0.0, 2.0))];
    let mapped = |handle: &SessionHandle| handle.chain().unwrap().macro_of(number).unwrap().targets == wanted;
    edit(&handle, &mut processor, Command::Move { slot: target, index: 0 });
    assert_eq!(automate(&mut processor, 0.75), 1.5, "moved");
    edit(&handle, &mut processor, Command::Preset(preset, "Loud".into()));
    edit(&handle, &mut processor, Command::Param(preset, "100".into(), 1.0));
    edit(&handle, &mut processor, Command::Remove(other));
    assert_eq!(automate(&mut processor, 0.25), 0.5, "another removed");
    assert!(mapped(&handle));
    let saved = handle.save().unwrap();
    let (again, mut processor) = session(&fixtures_catalog());
    again.activate(live(64)).unwrap();
    again.load(&saved).unwrap();
    assert!(mapped(&again));
    assert_eq!(again.macros().value(76), 0.25, "it stands where it stood");
    assert_eq!(automate(&mut processor, 0.75), 1.5, "loaded");
    // The slot goes; the macro drives nothing. The slot comes back with its id, as undo brings it: it is driven again.
    let whole = again.chain().unwrap();
    edit(&again, &mut processor, Command::Remove(target));
    assert_eq!(automate(&mut processor, 0.25), 1.0);
    again.load_chain(whole).unwrap();
    assert_eq!(automate(&mut processor, 0.75), 1.5, "put back");
}
