//! A slot that a macro drives is removed: the macro's moves for it are dropped, nothing else changes, and it may come back.

use catena_tests::fixtures;
use catena_tests::session_bench::{block, fixtures_catalog, live, session};
use host_core::model::{Aim, MacroId, PluginId, SlotId};
use host_core::session::{Command, MacroEdit, SessionHandle};

fn add(handle: &SessionHandle, name: &str) -> SlotId {
    let plugin = PluginId::clap(fixtures::clap_id(name));
    handle.apply(Command::Add { plugin, index: 99 }).unwrap().unwrap()
}

#[test]
fn moves_for_a_slot_that_goes_away_are_dropped_and_the_rest_goes_on() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    // Behind a delay, so that moves are under way when the slot goes.
    let delay = add(&handle, "delay");
    handle.apply(Command::Param(delay, "100".into(), 300.0)).unwrap();
    let (goes, stays) = (add(&handle, "gain"), add(&handle, "gain"));
    handle.deactivate();
    handle.activate(live(64)).unwrap();
    let number = MacroId::new(1).unwrap();
    for slot in [goes, stays] {
        let aim = Aim::Param(slot, "100".into());
        handle.apply(Command::Macro(number, MacroEdit::Map { aim, range: Some((1.0, 2.0)) })).unwrap();
    }
    let mut x = 0.0;
    let mut run = |handle: &SessionHandle, command: Option<Command>| {
        std::thread::scope(|scope| {
            let edit = command.map(|command| scope.spawn(|| handle.apply(command).unwrap()));
            let mut blocks = 0;
            while blocks < 60 || edit.as_ref().is_some_and(|edit| !edit.is_finished()) {
                for frame in 0..64 {
                    x = if x > 0.99 { 0.0 } else { x + 0.001 };
                    processor.set_macro(frame, 0, x);
                }
                let (mut left, mut right) = ([0.25; 64], [0.25; 64]);
                block(&mut processor, &mut left, &mut right);
                assert!(left.iter().all(|sample| (0.24..=1.01).contains(sample)), "{left:?}");
                blocks += 1;
            }
        });
    };
    run(&handle, None);
    run(&handle, Some(Command::Remove(goes)));
    assert_eq!(handle.snapshot().macros[0].targets.len(), 1, "only what is there is shown");
    let chain = handle.chain().unwrap();
    assert_eq!(chain.macro_of(number).unwrap().targets.len(), 2, "kept for when the slot comes back");
    run(&handle, Some(Command::Remove(delay)));
    processor.set_macro(0, 0, 0.123);
    let (mut left, mut right) = ([0.25; 64], [0.25; 64]);
    block(&mut processor, &mut left, &mut right);
    assert!((left[63] - 0.25 * 1.123).abs() < 1e-6, "{}: the one that stays is driven on", left[63]);
    run_out(&handle);
}

/// Without blocks, home carries the moves out; to a chain without slots none.
fn run_out(handle: &SessionHandle) {
    handle.deactivate();
    handle.apply(Command::Clear).unwrap();
    handle.apply(Command::Macro(MacroId::new(1).unwrap(), MacroEdit::Value(0.5))).unwrap();
    assert_eq!(handle.macros().value(0), 0.5);
}
