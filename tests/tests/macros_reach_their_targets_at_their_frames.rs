//! A ramp of one event for each sample reaches a CLAP target at the same frames, late by the latency before it.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost, HostEvent};
use catena_tests::daw::{chain_with_macros, impulse, with_fixtures};
use catena_tests::session_bench::{add, block, fixtures_catalog, live, session};
use host_core::model::{Aim, Law, MacroId};
use host_core::session::{Command, MacroEdit};

const FRAMES: usize = 512;

/// A value for each frame of two blocks, none the same as the one before.
fn ramp() -> Vec<f64> {
    (1..=2 * FRAMES).map(|at| at as f64 / (2 * FRAMES) as f64).collect()
}

/// What the recorder wrote for two blocks of [`ramp`] on macro `number`, and for as many blocks behind them.
fn record(host: &mut ClapHost, number: usize) -> Vec<f32> {
    let id = host.macro_id(number);
    let mut heard = Vec::new();
    for block in ramp().chunks(FRAMES).map(Some).chain([None, None]) {
        let values = block.into_iter().flatten().zip(0..);
        let events: Vec<_> = values.map(|(value, frame)| HostEvent::Param(frame, id, *value)).collect();
        let (out, _) = host.process(&impulse(FRAMES, 0), &events);
        heard.extend_from_slice(&out[0][0]);
    }
    heard
}

#[test]
fn a_ramp_of_one_event_a_sample_arrives_frame_by_frame() {
    with_fixtures("a_ramp_of_one_event_a_sample_arrives_frame_by_frame", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let law = Law { min: 0.0, max: 1000.0, curve: 0.25, inverted: false };
        for delay in [0_usize, 100, 700] {
            let slots: &[_] = &[("delay", &[("100", delay as f64)] as &[_]), ("recorder", &[])];
            let mut host = ClapHost::new(&file, "catena-audio.catena");
            assert!(host.load(&chain_with_macros(slots, &[(7, 1, "100", law)])), "{:?}", host.asked.log());
            host.activate(48_000.0, FRAMES as u32);
            for _ in 0..8 {
                host.process(&impulse(FRAMES, 0), &[]);
            }
            let heard = record(&mut host, 7);
            for (at, x) in ramp().into_iter().enumerate() {
                assert_eq!(heard[at + delay], law.at(x) as f32, "delay {delay}, frame {at}");
            }
            assert!(heard[..delay].iter().all(|x| *x == 0.0), "nothing before its time");
        }
    });
}

#[test]
fn all_macros_are_parameters_whose_numbers_and_ids_stay() {
    with_fixtures("all_macros_are_parameters_whose_numbers_and_ids_stay", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        for id in ["catena-audio.catena", "catena-audio.catena-instrument"] {
            let host = ClapHost::new(&file, id);
            let described = host.described();
            assert_eq!(described.len(), 129, "bypass and 128 macros");
            assert_eq!(described[0].name, "Bypass");
            for (number, param) in described.iter().enumerate().skip(1) {
                assert_eq!((param.name.as_str(), param.range), (&*format!("Macro {number}"), [0.0, 1.0, 0.0]));
            }
            // A DAW's project knows them by these.
            let ids = [1, 2, 64, 128].map(|number| described[number].id);
            assert_eq!(ids, [825_613_936, 825_613_937, 1_971_712_095, 993_527_990], "{id}");
        }
    });
}

#[test]
fn a_setting_of_a_late_slot_waits_for_its_frame_whatever_home_does_meanwhile() {
    let (made, _processor) = session(&fixtures_catalog());
    let (delay, gain) = (add(&made, "delay"), add(&made, "gain"));
    made.apply(Command::Param(delay, "100".into(), 700.0)).unwrap();
    made.apply(Command::Param(gain, "100".into(), 0.5)).unwrap();
    made.apply(Command::Macro(MacroId::new(1).unwrap(), MacroEdit::Map { aim: Aim::Mix(gain), range: None })).unwrap();
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.load(&made.save().unwrap()).unwrap();
    handle.activate(live(64)).unwrap();
    assert_eq!(handle.latency(), 700);
    let run = |processor: &mut _| {
        let (mut left, mut right) = ([0.5; 64], [0.5; 64]);
        block(processor, &mut left, &mut right);
        left
    };
    (0..60).for_each(|_| {
        run(&mut processor);
    });
    processor.set_macro(0, 0, 0.0);
    for at in 0..10 {
        assert!(run(&mut processor).iter().all(|x| (x - 0.25).abs() < 1e-6), "block {at}");
        // Home brings the model after the macro.
        handle.settle();
    }
    assert_eq!(handle.chain().unwrap().slot(gain).unwrap().mix, 0.0);
    let last = (0..60).map(|_| run(&mut processor)[63]).last();
    assert!(last.is_some_and(|x| (x - 0.5).abs() < 1e-6), "{last:?}");
}
