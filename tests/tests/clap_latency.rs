//! Latency of CLAP plugins: read while active, and one restart for each change.

use std::time::Instant;

use catena_tests::clap_bench::{Bench, at_48k};
use catena_tests::fixtures::open_clap;
use host_core::backend::audio::{ParamEvent, PluginAudio};
use host_core::backend::{AudioAt, Tail};

/// The frame at which an impulse in frame 0 comes out.
fn measured(audio: &mut dyn PluginAudio) -> Option<usize> {
    let mut bench = Bench::default();
    for block in 0..100 {
        let input = &mut audio.buffers().inputs[0].channels[0];
        input.fill(0.0);
        if block == 0 {
            input[0] = 1.0;
        }
        bench.run(audio, 64);
        if let Some(at) = audio.buffers().outputs[0].channels[0][..64].iter().position(|sample| *sample == 1.0) {
            return Some(block * 64 + at);
        }
    }
    None
}

#[test]
fn an_impulse_comes_out_at_the_reported_latency() {
    for frames in [0, 1, 63, 512, 4800] {
        let mut main = open_clap("delay");
        main.set_value(0, f64::from(frames), AudioAt::Inactive);
        let mut audio = main.activate(at_48k(64)).unwrap();
        assert!(audio.start());
        assert_eq!(main.latency(), frames);
        assert_eq!(measured(audio.as_mut()), Some(frames as usize));
        assert_eq!(main.tail(), Tail::Frames(frames));
        main.deactivate(audio);
        assert_eq!(main.identity().latency, frames, "remembered");
        assert_eq!(main.latency(), frames);
    }
}

#[test]
fn a_change_while_running_asks_for_one_restart_and_is_true_after_it() {
    let mut main = open_clap("latency-jump");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    main.take_requests();
    let mut bench = Bench::default();
    bench.params.push(ParamEvent { frame: 5, index: 0, value: 480.0 });
    bench.run(audio.as_mut(), 64);
    main.serve(Instant::now(), &[]);
    assert!(main.take_requests().restart);
    assert!(!main.take_requests().restart, "asked once");
    assert_eq!(main.latency(), 0, "still what it delays");

    audio.stop();
    main.deactivate(audio);
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    assert_eq!(main.latency(), 480);
    assert_eq!(measured(audio.as_mut()), Some(480));
    let requests = main.take_requests();
    assert!(!requests.restart && !requests.latency, "what it said inside activate was read there: {requests:?}");
    main.deactivate(audio);
}

#[test]
fn a_tail_without_end_is_one() {
    let mut main = open_clap("feedback");
    let audio = main.activate(at_48k(64)).unwrap();
    assert_eq!(main.tail(), Tail::Infinite);
    main.deactivate(audio);
}
