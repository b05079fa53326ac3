//! A gesture on a mapped parameter in a hosted plugin reaches the DAW as begin, values, end; a slot that goes away ends its own.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost, HostEvent};
use catena_tests::daw::{chain_with_macros, impulse, with_fixtures};
use catena_tests::fixtures;
use catena_tests::session_bench::{block, fixtures_catalog, live, session};
use host_core::model::{Aim, Law, MacroId, PluginId};
use host_core::session::{Command, MacroEdit, MacroSaid};

#[test]
fn begin_values_and_end_reach_the_host_and_other_targets_follow() {
    with_fixtures("begin_values_and_end_reach_the_host_and_other_targets_follow", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        let knob = (3, 0, "100", Law { min: 0.0, max: 1.0, curve: 0.0, inverted: true });
        // Macro 1 sets the user's hand in motion; macro 3 moves the knob and the gain.
        let macros = [(1, 0, "101", Law::straight(0.0, 1.0)), knob, (3, 1, "100", Law::straight(0.0, 2.0))];
        assert!(host.load(&chain_with_macros(&[("touch", &[]), ("gain", &[("100", 2.0)])], &macros)));
        host.activate(48_000.0, 64);
        let (start, moved) = (host.macro_id(1), host.macro_id(3));
        for _ in 0..20 {
            host.process(&impulse(64, 0), &[]);
        }
        let mut told = host.process(&impulse(64, 0), &[HostEvent::Param(0, start, 1.0)]).1;
        let done = host.pump_until(|host| host.asked.flushes.load(std::sync::atomic::Ordering::SeqCst) > 0);
        assert!(done, "the host is asked for a list of events");
        let mut level = 0.0;
        for _ in 0..400 {
            host.pump();
            let (out, events) = host.process(&impulse(64, 0), &[]);
            told.extend(events);
            level = out[0][0][0];
            if told.len() >= 4 && level == 0.25 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let expected = [
            HostEvent::Gesture(0, moved, true),
            HostEvent::Param(0, moved, 0.5),
            HostEvent::Param(0, moved, 0.25),
            HostEvent::Gesture(0, moved, false),
        ];
        assert_eq!(told, expected);
        assert_eq!((host.value(moved), level), (0.25, 0.25), "0.5 of the impulse, at a gain of 0.5");
    });
}

#[test]
fn a_slot_that_goes_away_ends_the_gesture_that_its_user_made_even_where_it_is_mapped_no_more() {
    for unmap in [false, true] {
        a_gesture_ends_with_its_slot(unmap);
    }
}

fn a_gesture_ends_with_its_slot(unmap: bool) {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let plugin = PluginId::clap(fixtures::clap_id("touch"));
    let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    let number = MacroId::new(2).unwrap();
    let aim = Aim::Param(slot, "100".into());
    handle.apply(Command::Macro(number, MacroEdit::Map { aim, range: None })).unwrap();
    assert_eq!(handle.macros().value(1), 0.25);
    let mut said = Vec::new();
    // A quarter: the hand stays on the knob.
    handle.send(Command::Param(slot, "101".into(), 0.25));
    let start = std::time::Instant::now();
    while said.len() < 3 && start.elapsed().as_secs() < 20 {
        let (mut left, mut right) = ([0.0; 64], [0.0; 64]);
        block(&mut processor, &mut left, &mut right);
        std::thread::sleep(std::time::Duration::from_millis(2));
        said.extend(handle.take_macros_said());
    }
    let values = [MacroSaid::Begin(number), MacroSaid::Value(number, 0.5), MacroSaid::Value(number, 0.75)];
    assert_eq!(said, values);
    if unmap {
        handle.apply(Command::Macro(number, MacroEdit::Unmap(None))).unwrap();
    }
    handle.apply(Command::Remove(slot)).unwrap();
    assert_eq!(handle.take_macros_said(), [MacroSaid::End(number)]);
}

#[test]
fn a_knob_turned_in_our_own_editor_is_a_gesture_too() {
    let (handle, _processor) = session(&fixtures_catalog());
    let plugin = PluginId::clap(fixtures::clap_id("gain"));
    let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    let number = MacroId::new(128).unwrap();
    handle.apply(Command::Macro(number, MacroEdit::Map { aim: Aim::Mix(slot), range: None })).unwrap();
    assert!(handle.take_macros_said().is_empty(), "mapping is no move");
    handle.apply(Command::Mix(slot, 0.5)).unwrap();
    let told = [MacroSaid::Begin(number), MacroSaid::Value(number, 0.5), MacroSaid::End(number)];
    assert_eq!(handle.take_macros_said(), told);
    assert_eq!(handle.macros().value(127), 0.5);
}
