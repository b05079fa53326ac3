//! Parameters of CLAP plugins: values at their frames, from home in every state of the plugin, and lists that change.

use std::time::Instant;

use catena_tests::clap_bench::{Bench, at_48k, param};
use catena_tests::fixtures::open_clap;
use host_core::backend::audio::{ParamEvent, PluginAudio, RunStatus};
use host_core::backend::{AudioAt, PluginMain};

fn ones(audio: &mut dyn PluginAudio) {
    audio.buffers().inputs.iter_mut().flat_map(|bus| &mut bus.channels).for_each(|channel| channel.fill(1.0));
}

#[test]
fn a_ramp_of_one_event_per_sample_reaches_the_plugin_at_the_same_frames() {
    let mut main = open_clap("recorder");
    let target = param(main.as_ref(), "target") as u32;
    let mut audio = main.activate(at_48k(512)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    for frame in 0..512 {
        bench.params.push(ParamEvent { frame, index: target, value: f64::from(frame) + 1.0 });
    }
    assert_eq!(bench.run(audio.as_mut(), 512), RunStatus::Ok);
    for frame in 0..512 {
        assert_eq!(audio.buffers().outputs[0].channels[0][frame], frame as f32 + 1.0);
    }
    // An event past the block is its last; one for no parameter at all is not sent.
    bench.params.push(ParamEvent { frame: 3, index: 99, value: 5.0 });
    bench.params.push(ParamEvent { frame: 9999, index: target, value: 7.0 });
    bench.run(audio.as_mut(), 64);
    assert_eq!(audio.buffers().outputs[0].channels[0][63], 7.0);
    let told = |main: &mut dyn PluginMain, name: &str| {
        let index = param(main, name);
        main.value(index).unwrap()
    };
    assert_eq!(told(main.as_mut(), "events"), 513.0);
    assert_eq!(told(main.as_mut(), "cookies"), 513.0, "every event carried its cookie");
    assert_eq!((told(main.as_mut(), "unsorted"), told(main.as_mut(), "outside")), (0.0, 0.0));
    main.deactivate(audio);
}

#[test]
fn a_gain_step_is_heard_at_its_frame_and_seen_from_home() {
    let mut main = open_clap("gain");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    ones(audio.as_mut());
    let mut bench = Bench::default();
    bench.params.push(ParamEvent { frame: 17, index: 0, value: 0.25 });
    bench.run(audio.as_mut(), 64);
    let out = &audio.buffers().outputs[0].channels[1];
    assert_eq!((out[16], out[17], out[63]), (1.0, 0.25, 0.25));
    assert_eq!(main.value(0), Some(0.25));
    main.deactivate(audio);
}

#[test]
fn home_sets_values_in_every_state_of_the_plugin() {
    let mut main = open_clap("gain");
    main.set_value(0, 0.5, AudioAt::Inactive);
    assert_eq!(main.value(0), Some(0.5), "flushed while inactive");

    let mut audio = main.activate(at_48k(64)).unwrap();
    main.set_value(0, 0.75, AudioAt::Home(audio.as_mut()));
    assert_eq!(main.value(0), Some(0.75), "flushed through the audio half at home");

    assert!(audio.start());
    main.set_value(0, 1.5, AudioAt::Away);
    assert_eq!(main.value(0), Some(1.5), "remembered at home");
    ones(audio.as_mut());
    let mut bench = Bench::default();
    bench.run(audio.as_mut(), 64);
    assert_eq!(audio.buffers().outputs[0].channels[0][0], 0.75, "and not sent behind the audio thread's back");
    bench.params.push(ParamEvent { frame: 0, index: 0, value: 1.5 });
    bench.run(audio.as_mut(), 64);
    bench.params.push(ParamEvent { frame: 0, index: 0, value: 0.1 });
    bench.run(audio.as_mut(), 64);
    assert_eq!(main.value(0), Some(0.1), "what the plugin says counts again");

    main.set_value(0, 99.0, AudioAt::Home(audio.as_mut()));
    assert_eq!(main.value(0), Some(2.0), "clamped to the range");
    main.set_value(0, f64::NAN, AudioAt::Home(audio.as_mut()));
    assert_eq!(main.value(0), Some(1.0), "NaN is the default");
    assert_eq!(main.value(5), None);
    main.set_value(5, 1.0, AudioAt::Home(audio.as_mut()));
    main.deactivate(audio);
}

#[test]
fn values_are_written_and_read_by_the_plugin() {
    let mut main = open_clap("gain");
    assert_eq!(main.text(0, 0.5).as_deref(), Some("0.5 units"));
    assert_eq!(main.parse(0, "1.25 units"), Some(1.25));
    assert_eq!(main.parse(0, "loud"), None);
    assert_eq!(main.parse(0, "zero\0byte"), None);
    let info = &main.params()[0];
    assert_eq!(
        (info.key.as_str(), info.name.as_str(), info.min, info.max, info.default),
        ("100", "gain", 0.0, 2.0, 1.0)
    );
    assert!(info.automatable && !info.read_only);
}

#[test]
fn a_list_that_grows_is_read_again_while_inactive() {
    let mut main = open_clap("growing");
    assert_eq!(main.params().len(), 1);
    let audio = main.activate(at_48k(64)).unwrap();
    main.take_requests();
    let mut audio = audio;
    main.set_value(0, 1.0, AudioAt::Home(audio.as_mut()));
    main.serve(Instant::now(), &[]);
    let requests = main.take_requests();
    assert!(requests.restart && !requests.params, "{requests:?}");
    assert!(!main.take_requests().restart, "asked once");
    assert_eq!(main.params().len(), 1, "indices stay while it is active");
    main.deactivate(audio);
    assert!(main.take_requests().params);
    assert_eq!(main.params().len(), 2);
}

#[test]
fn names_texts_and_values_that_the_plugin_changes_are_read_again_while_it_is_active() {
    let mut main = open_clap("renames");
    let mut audio = main.activate(at_48k(64)).unwrap();
    main.take_requests();
    let shown = |main: &mut Box<dyn PluginMain>| (main.params()[0].name.clone(), main.text(0, 0.5).unwrap());
    assert_eq!(shown(&mut main), ("now".into(), "0.5 units".into()));
    main.set_value(0, 1.0, AudioAt::Home(audio.as_mut()));
    main.serve(Instant::now(), &[]);
    let requests = main.take_requests();
    assert!(requests.values && requests.params && !requests.restart, "{requests:?}");
    assert_eq!(shown(&mut main), ("then".into(), "0.5 others".into()));
    assert_eq!(main.value(1), Some(0.75));
    main.deactivate(audio);
}
