//! A controller that is assigned to a macro moves it once it has come to where the macro stands, at its frame, in every format; the DAW
//! hears of it as of a hand, and the message passes on.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost, HostEvent};
use catena_tests::daw::{chain_with_macros, impulse, with_fixtures};
use catena_tests::fixtures;
use catena_tests::lv2_host::{Lv2File, Lv2Host, Offer, Played, Stored};
use catena_tests::session_bench::{add, block_with, fixtures_catalog, live, session, until};
use catena_tests::vst3_host::Vst3Module;
use catena_tests::vst3_state::wrap;
use host_core::engine::Processor;
use host_core::model::{Aim, Assigned, Controller, Law, MacroId, PluginId, SlotId};
use host_core::session::{Assignment, Command, MacroEdit, MacroSaid, SessionHandle};
use host_core::store;

const BLOCK: usize = 64;

fn number(number: usize) -> MacroId {
    MacroId::new(number).unwrap()
}

/// A session with fixture `name`, of which macro 3 moves the first parameter, and controller `cc` of channel 2 the macro.
fn turned(name: &str, cc: u8, wide: bool) -> (SessionHandle, Processor, SlotId) {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(BLOCK as u32)).unwrap();
    let slot = add(&handle, name);
    let edit = |edit| handle.apply(Command::Macro(number(3), edit)).unwrap();
    edit(MacroEdit::Map { aim: Aim::Param(slot, "100".into()), range: None });
    edit(MacroEdit::Assign(Assignment::Chain(Controller::new(2, cc, wide).unwrap())));
    handle.settle();
    let settled = || {
        play(&mut processor, &[]);
        handle.snapshot().macros.iter().any(|view| view.controller.is_some())
    };
    assert!(until(settled));
    // The table is told at the tick.
    std::thread::sleep(std::time::Duration::from_millis(60));
    for _ in 0..20 {
        play(&mut processor, &[]);
    }
    (handle, processor, slot)
}

/// A block of 0.5 with `midi`; what is heard on the left, and the MIDI that comes out.
fn play(processor: &mut Processor, midi: &[(u16, &[u8])]) -> (Vec<f32>, Vec<(u16, Vec<u8>)>) {
    let (mut left, mut right) = ([0.5; BLOCK], [0.5; BLOCK]);
    let out = block_with(processor, &mut left, &mut right, midi);
    (left.to_vec(), out)
}

#[test]
fn a_knob_that_is_elsewhere_changes_no_sound_until_it_comes_by() {
    // The gain stands at 1 of 0..2: the macro at 0.5, which is 63.5 of 127.
    let (handle, mut processor, slot) = turned("gain", 74, false);
    handle.take_macros_said();
    for value in [10, 30, 60, 63] {
        let (heard, out) = play(&mut processor, &[(5, &[0xB1, 74, value])]);
        // 63 is the nearest that the knob has: it takes hold there.
        let expected = if value == 63 { 0.5 * 2.0 * 63.0 / 127.0 } else { 0.5 };
        assert!((heard[BLOCK - 1] - expected).abs() < 1e-6, "{value}: {}", heard[BLOCK - 1]);
        assert_eq!(out, [(5, vec![0xB1, 74, value])], "it is passed on");
    }
    let (heard, _) = play(&mut processor, &[(5, &[0xB1, 74, 127])]);
    assert_eq!((heard[4], heard[5]), ((2.0_f64 * 63.0 / 127.0 * 0.5) as f32, 1.0), "held, at its frame");
    // Another channel and another controller are none of it.
    play(&mut processor, &[(0, &[0xB0, 74, 0]), (1, &[0xB1, 75, 0])]);
    assert_eq!(handle.macros().value(2), 1.0);
    // The DAW takes it away.
    processor.set_macro(0, 2, 0.25);
    assert_eq!(play(&mut processor, &[]).0[1], 0.25);
    assert_eq!(play(&mut processor, &[(0, &[0xB1, 74, 100])]).0[1], 0.25, "the knob is above");
    assert_eq!(play(&mut processor, &[(0, &[0xB1, 74, 0])]).0[1], 0.0, "and passed it");
    // The user takes it away, and mapping it to something else: nothing is heard of where the knob is.
    handle.apply(Command::Param(slot, "100".into(), 1.5)).unwrap();
    for _ in 0..4 {
        play(&mut processor, &[]);
    }
    assert_eq!(play(&mut processor, &[(0, &[0xB1, 74, 1])]).0[BLOCK - 1], 0.75);
}

#[test]
fn fourteen_bits_are_heard_and_a_block_without_a_chain_loses_none() {
    let (handle, mut processor, _) = turned("recorder", 7, true);
    // The macro stands at 0, and so does the knob.
    let coarse_and_fine: [(u16, &[u8]); 3] = [(0, &[0xB1, 7, 0]), (10, &[0xB1, 7, 64]), (20, &[0xB1, 39, 3])];
    let (heard, _) = play(&mut processor, &coarse_and_fine);
    let at = |value: f64| (1.0e6 * value / 16_383.0) as f32;
    assert_eq!((heard[10], heard[20]), (at(64.0 * 128.0), at(64.0 * 128.0 + 3.0)));
    assert!((handle.macros().value(2) - 8195.0 / 16_383.0).abs() < 1e-12);
    assert_eq!(play(&mut processor, &[(7, &[0xB1, 7, 127])]).0[7], 1.0e6, "the top without the finer half");
    // No chain runs: the macro is moved all the same.
    handle.deactivate();
    play(&mut processor, &[(0, &[0xB1, 7, 32])]);
    assert!((handle.macros().value(2) - 4096.0 / 16_383.0).abs() < 1e-12);
}

#[test]
fn the_daw_hears_begin_values_and_an_end_when_the_knob_is_still() {
    let (handle, mut processor, _) = turned("gain", 74, false);
    play(&mut processor, &[(0, &[0xB1, 74, 63])]);
    let mut said = Vec::new();
    assert!(until(|| {
        said.extend(handle.take_macros_said());
        said.len() >= 2
    }));
    play(&mut processor, &[(0, &[0xB1, 74, 127])]);
    assert!(until(|| {
        said.extend(handle.take_macros_said());
        said.last() == Some(&MacroSaid::End(number(3)))
    }));
    let first = MacroSaid::Value(number(3), 63.0 / 127.0);
    assert_eq!(said[..2], [MacroSaid::Begin(number(3)), first]);
    assert_eq!(said[said.len() - 2], MacroSaid::Value(number(3), 1.0));
    assert_eq!(handle.chain().unwrap().macro_of(number(3)).unwrap().value, 1.0, "the model says so too");
}

/// A chain of `gain` at 1 in which controller 74 of channel 1 turns macro 2.
fn turned_chain() -> Vec<u8> {
    let law = Law::straight(0.0, 2.0);
    let mut chain = store::unpack(&chain_with_macros(&[("gain", &[])], &[(2, 0, "100", law)])).unwrap();
    let one = chain.macro_mut(number(2));
    (one.value, one.controller) = (0.5, Controller::new(1, 74, false).map(Assigned::To));
    assert_eq!(chain.nodes.len(), 1);
    assert_eq!(chain.slots().next().unwrap().plugin, PluginId::clap(fixtures::clap_id("gain")));
    store::pack(&chain).unwrap()
}

#[test]
fn in_clap_a_knob_is_recorded_as_the_macros_automation() {
    with_fixtures("in_clap_a_knob_is_recorded_as_the_macros_automation", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&turned_chain()));
        host.activate(48_000.0, BLOCK as u32);
        for _ in 0..30 {
            host.process(&impulse(BLOCK, 0), &[]);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let turn = |frame, value| HostEvent::Midi(frame, vec![0xB0, 74, value]);
        let out = host.process(&impulse(BLOCK, 0), &[turn(3, 0)]).1;
        assert_eq!(out, [turn(3, 0)], "elsewhere, and passed on");
        let heard = host.process(&impulse(BLOCK, 10), &[turn(10, 127)]).0;
        assert_eq!(heard[0][0][10], 1.0, "passed by, at its frame");
        let id = host.macro_id(2);
        let mut told = Vec::new();
        assert!(until(|| {
            host.pump();
            told.extend(host.process(&impulse(BLOCK, 0), &[]).1);
            told.contains(&HostEvent::Gesture(0, id, false))
        }));
        let wanted = [HostEvent::Gesture(0, id, true), HostEvent::Param(0, id, 1.0), HostEvent::Gesture(0, id, false)];
        assert_eq!(told, wanted);
        assert_eq!(host.value(id), 1.0);
    });
}

#[test]
fn in_vst3_the_controllers_that_the_host_maps_turn_macros() {
    with_fixtures("in_vst3_the_controllers_that_the_host_maps_turn_macros", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        let host = module.make(b"CatenaAudioChain");
        let id = host.parameter("Macro 2").expect("a macro");
        let cc = host.controller(0, 74).expect("a parameter for the controller");
        assert!(host.set_state(&wrap(&turned_chain())));
        host.activate(48_000.0, BLOCK);
        for _ in 0..30 {
            host.process(&impulse(BLOCK, 0));
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let level = |value: f64| {
            *host.moves.borrow_mut() = vec![(cc, 0, value)];
            host.process(&impulse(BLOCK, 8))[0][8]
        };
        assert_eq!(level(0.0), 0.5, "elsewhere");
        assert_eq!(level(1.0), 1.0);
        assert!(until(|| {
            host.process(&impulse(BLOCK, 0));
            host.changed.borrow().contains(&(id, 1.0))
        }));
    });
}

#[test]
fn in_lv2_a_knob_turns_a_macro_at_its_frame() {
    with_fixtures("in_lv2_a_knob_turns_a_macro_at_its_frame", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, "urn:catena-audio:catena", Offer::all(BLOCK as i32));
        assert_eq!(host.restore(&[Stored::chain(&turned_chain())], None), 0);
        host.activate();
        for _ in 0..30 {
            host.play(&[], BLOCK as u32, &[]);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let level = [0.5_f32; BLOCK];
        let mut turn = |value| {
            let midi = Played::Midi(9, vec![0xB0, 74, value]);
            let (heard, passed) = host.play(&[&level, &level], BLOCK as u32, std::slice::from_ref(&midi));
            assert_eq!(passed, [midi]);
            (heard[0][8], heard[0][BLOCK - 1])
        };
        assert_eq!(turn(0), (0.5, 0.5), "elsewhere");
        assert_eq!(turn(127), (0.5, 1.0));
        // The host's port stands where it stood: that is no move.
        assert_eq!(turn(126).1, 126.0 / 127.0);
    });
}
