//! States of CLAP plugins: large ones, none at all, refused ones, and values that the plugin overrides by itself.

use catena_tests::clap_bench::{Bench, at_48k, param};
use catena_tests::fixtures::open_clap;
use host_core::backend::{AudioAt, StateError};
use host_core::model::PluginState;

#[test]
fn eight_mebibytes_in_odd_pieces_come_back() {
    let mut main = open_clap("big-state");
    main.set_value(0, 77.0, AudioAt::Inactive);
    let saved = main.save(AudioAt::Inactive).unwrap();
    assert_eq!(saved.bytes.len(), 8 + (8 << 20));
    let mut again = open_clap("big-state");
    again.load(&saved, AudioAt::Inactive).unwrap();
    assert_eq!(again.value(0), Some(77.0));
    assert!(again.save(AudioAt::Inactive).unwrap() == saved, "the second save is the first");

    let mut damaged = saved.bytes.to_vec();
    damaged[4_000_000] ^= 1;
    let damaged = PluginState { bytes: damaged.into(), ..PluginState::default() };
    assert!(matches!(again.load(&damaged, AudioAt::Inactive), Err(StateError::Refused(_))));
}

#[test]
fn a_plugin_without_a_state_is_saved_as_its_values_in_any_locale() {
    // Opening this one makes the process's locale a comma locale (where the machine has it).
    let _locale = open_clap("locale");
    let mut main = open_clap("no-state");
    main.set_value(0, 0.125, AudioAt::Inactive);
    main.set_value(1, -0.3, AudioAt::Inactive);
    let saved = main.save(AudioAt::Inactive).unwrap();
    assert_eq!(std::str::from_utf8(&saved.bytes).unwrap(), r#"{"clap-parameter-values":{"100":0.125,"101":-0.3}}"#);

    for active in [false, true] {
        let mut again = open_clap("no-state");
        if active {
            let mut audio = again.activate(at_48k(64)).unwrap();
            again.load(&saved, AudioAt::Home(audio.as_mut())).unwrap();
            again.deactivate(audio);
        } else {
            again.load(&saved, AudioAt::Inactive).unwrap();
        }
        assert_eq!((again.value(0), again.value(1)), (Some(0.125), Some(-0.3)));
        assert!(again.save(AudioAt::Inactive).unwrap() == saved);
    }
    let garbage = PluginState { bytes: (*b"garbage").into(), ..PluginState::default() };
    assert!(matches!(main.load(&garbage, AudioAt::Inactive), Err(StateError::Damaged { .. })));
}

#[test]
fn a_refused_state_is_named_and_harms_nothing() {
    let mut main = open_clap("refuse-state");
    main.set_value(0, 0.5, AudioAt::Inactive);
    let saved = main.save(AudioAt::Inactive).unwrap();
    let error = main.load(&saved, AudioAt::Inactive).unwrap_err();
    assert_eq!(error.to_string(), "clap:catena.fixture.refuse-state: refused the state it was given");
    assert_eq!(main.value(0), Some(0.5));
}

#[test]
fn a_state_is_not_loaded_while_the_plugin_may_be_processing() {
    let mut main = open_clap("gain");
    let saved = main.save(AudioAt::Inactive).unwrap();
    let audio = main.activate(at_48k(64)).unwrap();
    assert!(main.save(AudioAt::Away).is_ok(), "but saved it is");
    assert!(matches!(main.load(&saved, AudioAt::Away), Err(StateError::Running(_))));
    main.deactivate(audio);
}

#[test]
fn values_that_the_plugin_overrides_in_its_own_activate_are_put_back() {
    let mut main = open_clap("overrides");
    let gain = param(main.as_ref(), "gain");
    main.set_value(gain, 1.75, AudioAt::Inactive);
    let saved = main.save(AudioAt::Inactive).unwrap();
    let mut again = open_clap("overrides");
    again.load(&saved, AudioAt::Inactive).unwrap();
    for _ in 0..3 {
        let mut audio = again.activate(at_48k(64)).unwrap();
        assert_eq!(again.value(gain), Some(1.75));
        assert!(audio.start());
        audio.buffers().inputs[0].channels[0].fill(1.0);
        Bench::default().run(audio.as_mut(), 64);
        assert_eq!(audio.buffers().outputs[0].channels[0][0], 1.75, "in the very first block");
        again.deactivate(audio);
    }
    assert!(again.save(AudioAt::Inactive).unwrap() == saved);
}
