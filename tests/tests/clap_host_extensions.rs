//! What a CLAP plugin finds when it asks its host for everything there is.

use catena_tests::clap_bench::{at_48k, param};
use catena_tests::fixtures::open_clap;
use host_core::backend::{Activation, AudioAt, PluginMain};

fn told(main: &mut dyn PluginMain, name: &str) -> u32 {
    let index = param(main, name);
    main.value(index).unwrap() as u32
}

#[test]
fn every_extension_of_use_is_there_and_nothing_unknown_is_claimed() {
    let mut main = open_clap("asks");
    assert_eq!(told(main.as_mut(), "missing"), 0, "bits of extensions that are not offered");
    assert_eq!(told(main.as_mut(), "wrong"), 0, "bits of answers that we cannot give");
    assert_eq!(told(main.as_mut(), "dialects"), 0b1111, "CLAP, MIDI, MPE, MIDI 2");
}

#[test]
fn a_plugin_hears_of_offline_rendering() {
    let mut main = open_clap("asks");
    main.set_offline(true);
    assert_eq!(told(main.as_mut(), "render"), 2);
    let audio = main.activate(at_48k(64)).unwrap();
    assert_eq!(told(main.as_mut(), "render"), 1);
    main.deactivate(audio);
    let audio = main.activate(Activation { offline: true, ..at_48k(64) }).unwrap();
    assert_eq!(told(main.as_mut(), "render"), 2);
    main.deactivate(audio);
}

#[test]
fn its_state_is_saved_and_loaded_for_a_project() {
    let mut main = open_clap("asks");
    let saved = main.save(AudioAt::Inactive).unwrap();
    assert_eq!(told(main.as_mut(), "context"), 3);
    main.load(&saved, AudioAt::Inactive).unwrap();
    assert_eq!(told(main.as_mut(), "context"), 13);
}

#[test]
fn every_port_is_said_to_be_used_before_each_activation() {
    let mut main = open_clap("asks");
    for times in 1..3 {
        let audio = main.activate(at_48k(64)).unwrap();
        main.deactivate(audio);
        assert_eq!(told(main.as_mut(), "ports"), 2 * times, "one input and one output, as 32-bit");
    }
}

#[test]
fn channels_are_asked_for_outright() {
    let mut main = open_clap("channels");
    for count in [1, 6, 2] {
        assert!(main.fit_channels(count, count), "{count}");
        assert_eq!((main.ports().main_inputs(), main.ports().main_outputs()), (count, count));
        let mut audio = main.activate(at_48k(64)).unwrap();
        assert_eq!(audio.buffers().outputs[0].channels.len(), usize::from(count));
        main.deactivate(audio);
    }
    assert!(!main.fit_channels(1, 2), "the plugin takes equal counts only");
}
