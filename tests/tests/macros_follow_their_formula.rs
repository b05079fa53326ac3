//! A macro with eight targets, each with another range, curve and direction: every value is what the formula says.

use std::time::{Duration, Instant};

use catena_tests::fixtures;
use catena_tests::session_bench::{block, fixtures_catalog, live, session};
use host_core::model::{Aim, Law, MacroId, PluginId, SlotId};
use host_core::session::{Command, MacroEdit, SessionHandle};

fn number(number: usize) -> MacroId {
    MacroId::new(number).unwrap()
}

fn add(handle: &SessionHandle, name: &str) -> SlotId {
    let plugin = PluginId::clap(fixtures::clap_id(name));
    handle.apply(Command::Add { plugin, index: 99 }).unwrap().unwrap()
}

fn values(handle: &SessionHandle, slot: SlotId) -> Vec<f64> {
    let snapshot = handle.snapshot();
    snapshot.slots.iter().find(|view| view.id == slot).unwrap().values.clone()
}

/// The eight laws, as they are documented: `min + (max - min) * u ^ (8 ^ curve)`, u turned round where it is inverted.
const LAWS: [(f64, f64, f64, bool); 8] = [
    (0.0, 1.0, 0.0, false),
    (-60.0, 12.0, 0.0, true),
    (20.0, 20_000.0, 1.0, false),
    (0.0, 1.0e-3, -1.0, false),
    (1.0, -1.0, 0.5, false),
    (0.0, 1.0e6, 0.0, true),
    (1.25, 1.75, -0.5, true),
    (-1.0e3, 0.0, 0.3, false),
];

fn formula((min, max, curve, inverted): (f64, f64, f64, bool), x: f64) -> f64 {
    let u: f64 = if inverted { 1.0 - x } else { x };
    min + (max - min) * u.powf(8_f64.powf(curve))
}

#[test]
fn eight_targets_of_one_macro_each_follow_their_own_law() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "eight");
    for (at, (min, max, curve, inverted)) in LAWS.into_iter().enumerate() {
        let aim = Aim::Param(slot, (100 + at).to_string());
        let edit = |edit| handle.apply(Command::Macro(number(3), edit)).unwrap();
        edit(MacroEdit::Map { aim: aim.clone(), range: None });
        edit(MacroEdit::Shape { aim, law: Law { min, max, curve, inverted } });
    }
    // 0.123456789: no 32-bit number.
    for x in [1.0, 0.123_456_789, 0.5, 0.999_999, 0.0, 0.75] {
        processor.set_macro(17, 2, x);
        let start = Instant::now();
        let near = |values: &[f64]| {
            LAWS.iter().zip(values).all(|(law, value)| (formula(*law, x) - value).abs() <= 1e-6 * (law.1 - law.0).abs())
        };
        while !near(&values(&handle, slot)) {
            let (mut left, mut right) = ([0.0; 64], [0.0; 64]);
            block(&mut processor, &mut left, &mut right);
            let wanted = LAWS.map(|law| formula(law, x));
            assert!(start.elapsed() < Duration::from_secs(20), "{x}: {:?} for {wanted:?}", values(&handle, slot));
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(handle.macros().value(2), x);
    }
    // What home does by itself follows the same formula: no block comes any more.
    handle.deactivate();
    handle.apply(Command::Macro(number(3), MacroEdit::Value(0.25))).unwrap();
    let chain = handle.chain().unwrap();
    for (at, law) in LAWS.into_iter().enumerate() {
        let value = chain.slot(slot).unwrap().params[&(100 + at).to_string()];
        assert!((value - formula(law, 0.25)).abs() <= 1e-6 * (law.1 - law.0).abs(), "{at}: {value}");
    }
}

#[test]
fn mix_gains_and_bypass_follow_a_macro() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "gain");
    let aims = [Aim::Mix(slot), Aim::InputGain(slot), Aim::OutputGain(slot), Aim::Bypass(slot)];
    for (at, aim) in aims.into_iter().enumerate() {
        handle.apply(Command::Macro(number(at + 1), MacroEdit::Map { aim, range: None })).unwrap();
    }
    let mut heard = |moves: &[(usize, f64)]| {
        moves.iter().for_each(|(index, value)| processor.set_macro(0, *index, *value));
        let mut last = 0.0;
        for _ in 0..40 {
            let (mut left, mut right) = ([0.25; 64], [0.25; 64]);
            block(&mut processor, &mut left, &mut right);
            last = left[63];
        }
        last
    };
    assert_eq!(heard(&[]), 0.25);
    // 6 dB in, 12 dB out, half of it wet.
    let (six, twelve) = (10_f32.powf(0.3), 10_f32.powf(0.6));
    let wet = heard(&[(1, 30.0 / 48.0), (2, 36.0 / 48.0)]);
    assert!((wet - 0.25 * six * twelve).abs() < 1e-4, "{wet}");
    let half = heard(&[(0, 0.5)]);
    assert!((half - (0.125 + 0.125 * six * twelve)).abs() < 1e-4, "{half}");
    assert_eq!(heard(&[(3, 0.8)]), 0.25, "bypassed");
    let view = handle.chain().unwrap();
    let slot = view.slot(slot).unwrap();
    assert_eq!((slot.mix, slot.input_gain, slot.output_gain, slot.bypass), (0.5, 6.0, 12.0, true));
}
