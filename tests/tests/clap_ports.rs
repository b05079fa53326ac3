//! Audio ports of CLAP plugins: every layout opens, a choice is taken, and wrong counts harm nobody.

use catena_tests::clap_bench::{Bench, at_48k};
use catena_tests::fixtures::{open_clap, try_open_clap};
use host_core::backend::OpenError;
use host_core::backend::audio::RunStatus;
use host_core::model::BusRole::{Aux, Main, Sidechain};

#[test]
fn mono_sidechain_and_instrument_are_what_they_say() {
    let layout = |name: &str| {
        let main = open_clap(name);
        let ports = main.ports();
        let roles =
            |buses: &[host_core::model::AudioBus]| buses.iter().map(|bus| (bus.role, bus.channels)).collect::<Vec<_>>();
        (roles(&ports.inputs), roles(&ports.outputs))
    };
    assert_eq!(layout("gain"), (vec![(Main, 2)], vec![(Main, 2)]));
    assert_eq!(layout("mono"), (vec![(Main, 1)], vec![(Main, 1)]));
    assert_eq!(layout("sidechain"), (vec![(Main, 2), (Sidechain, 2)], vec![(Main, 2)]));
    assert_eq!(layout("instrument"), (vec![], vec![(Main, 2), (Aux, 2)]));
    assert!(open_clap("instrument").ports().is_instrument());
}

#[test]
fn the_sidechain_reaches_the_plugin_on_its_own_bus() {
    let mut main = open_clap("sidechain");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let buffers = audio.buffers();
    buffers.inputs[0].channels[0].fill(0.25);
    buffers.inputs[1].channels[0].fill(0.5);
    buffers.inputs[1].channels[1].fill(-1.0);
    Bench::default().run(audio.as_mut(), 64);
    let out = &audio.buffers().outputs[0].channels;
    assert_eq!((out[0][63], out[1][63]), (0.75, -1.0));
    main.deactivate(audio);
}

#[test]
fn a_plugin_that_offers_mono_takes_it() {
    let mut main = open_clap("layouts");
    assert_eq!((main.ports().main_inputs(), main.ports().main_outputs()), (2, 2));
    assert!(main.fit_channels(1, 1));
    assert_eq!((main.ports().main_inputs(), main.ports().main_outputs()), (1, 1));
    assert!(!main.fit_channels(6, 6), "it offers no such layout");
    let audio = main.activate(at_48k(64)).unwrap();
    assert!(!main.fit_channels(2, 2), "not while it is active");
    main.deactivate(audio);
    assert!(!open_clap("gain").fit_channels(1, 1), "this one offers no choice");
}

#[test]
fn ports_that_are_counted_but_not_described_are_passed_empty() {
    let mut main = open_clap("wrong-ports");
    assert_eq!(main.ports().inputs.len(), 1);
    assert_eq!(main.ports().inputs[0].name.len(), 256, "a name without an end is cut at its array's");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    assert_eq!(Bench::default().run(audio.as_mut(), 64), RunStatus::Ok);
    main.deactivate(audio);
}

#[test]
fn an_absurd_count_is_refused_by_name() {
    let error = try_open_clap("absurd-ports").err().expect("refused");
    assert!(matches!(error, OpenError::Refused { .. }));
    let text = error.to_string();
    assert!(text.contains("absurd-ports") && text.contains("4294967295"), "{text}");
}

#[test]
fn blocks_out_of_bounds_and_a_plugin_not_started_are_failures_not_crashes() {
    let mut main = open_clap("gain");
    let mut audio = main.activate(at_48k(64)).unwrap();
    let mut bench = Bench::default();
    assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Failed, "not started");
    assert!(audio.start());
    assert_eq!(bench.run(audio.as_mut(), 65), RunStatus::Failed);
    assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Ok);
    audio.buffers().outputs[0].channels.pop();
    assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Failed, "a buffer is missing");
    main.deactivate(audio);
}
