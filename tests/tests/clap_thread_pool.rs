//! `clap.thread-pool` on the pool: every task once, each on what the plugin is told is its audio thread, and none inside another.

use catena_tests::clap_bench::{Bench, at_48k, param};
use catena_tests::fixtures::open_clap;
use catena_tests::helpers;
use host_core::backend::PluginMain;
use host_core::backend::audio::{ParamEvent, PluginAudio};
use host_core::pool::Share;
use std::sync::Arc;

fn told(main: &mut dyn PluginMain, name: &str) -> f64 {
    let index = param(main, name);
    main.value(index).unwrap()
}

fn ask(bench: &mut Bench, audio: &mut dyn PluginAudio, tasks: u32, slow: bool) {
    bench.params.push(ParamEvent { frame: 0, index: 0, value: f64::from(tasks) });
    bench.params.push(ParamEvent { frame: 0, index: 6, value: f64::from(u8::from(slow)) });
    bench.run(audio, 64);
}

fn share() -> Arc<Share> {
    helpers::share(2)
}

#[test]
fn every_task_runs_once_on_helpers_too_and_none_may_ask_for_more() {
    let mut main = open_clap("thread-pool");
    let share = share();
    assert!(main.set_helpers(Some(share.clone())));
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert_eq!(told(main.as_mut(), "outside"), 0.0, "refused in activate");
    assert!(audio.start());
    let mut bench = Bench::default();
    for tasks in [16, 0, 1, 2, 65_535, 65_536, 100_000] {
        ask(&mut bench, audio.as_mut(), tasks, false);
        assert_eq!(told(main.as_mut(), "ran"), f64::from(tasks));
        assert_eq!(told(main.as_mut(), "audio"), f64::from(tasks), "each was told that it is on the audio thread");
        assert_eq!(told(main.as_mut(), "taken"), 1.0, "{tasks}");
        assert_eq!(told(main.as_mut(), "nested"), 0.0, "a request from inside a task is refused");
    }
    // In slices of 65,535: a rest of one task needs nobody.
    assert_eq!(share.counts().pooled, 6);
    let mut elsewhere = 0.0;
    for _ in 0..200 {
        ask(&mut bench, audio.as_mut(), 8, true);
        assert_eq!((told(main.as_mut(), "ran"), told(main.as_mut(), "audio")), (8.0, 8.0));
        elsewhere += told(main.as_mut(), "elsewhere");
    }
    assert!(elsewhere > 0.0, "the helpers took none of 1600 tasks");
    main.deactivate(audio);
}

#[test]
fn a_plugin_that_is_run_by_a_helper_runs_its_tasks_there() {
    let mut main = open_clap("thread-pool");
    let share = share();
    assert!(main.set_helpers(Some(share.clone())));
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let bench = std::sync::Mutex::new((Bench::default(), audio));
    // As a lane is run: the pool is held by the request that this task belongs to.
    assert!(share.run(2, &|task| {
        if task == 0 {
            let (bench, audio) = &mut *bench.lock().unwrap();
            ask(bench, audio.as_mut(), 16, false);
        }
    }));
    let (_, audio) = bench.into_inner().unwrap();
    assert_eq!((told(main.as_mut(), "ran"), told(main.as_mut(), "audio")), (16.0, 16.0));
    assert_eq!(told(main.as_mut(), "elsewhere"), 0.0);
    assert_eq!((share.counts().pooled, share.counts().refused), (1, 1));
    main.deactivate(audio);
}

#[test]
fn what_was_given_can_be_taken_away() {
    let mut main = open_clap("thread-pool");
    let share = share();
    assert!(main.set_helpers(Some(share.clone())));
    assert!(main.set_helpers(None));
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    ask(&mut Bench::default(), audio.as_mut(), 16, false);
    assert_eq!((told(main.as_mut(), "ran"), told(main.as_mut(), "taken")), (16.0, 1.0));
    assert_eq!(share.counts().pooled, 0);
    assert_eq!(Arc::strong_count(&share), 1, "nothing holds the pool any more");
    main.deactivate(audio);
}

#[test]
fn voices_sound_the_same_on_helpers_and_without() {
    let sound = |share: Option<Arc<Share>>| {
        let mut main = open_clap("voices");
        assert!(main.set_helpers(share));
        let mut audio = main.activate(at_48k(256)).unwrap();
        assert!(audio.start());
        let mut bench = Bench::default();
        let mut heard: Vec<u32> = Vec::new();
        for _ in 0..40 {
            bench.run(audio.as_mut(), 256);
            let left = &audio.buffers().outputs[0].channels[0];
            heard.extend(left[..256].iter().map(|x| x.to_bits()));
        }
        main.deactivate(audio);
        heard
    };
    let (serial, pooled) = (sound(None), sound(Some(share())));
    assert!(serial.iter().any(|x| *x != 0));
    assert!(serial == pooled);
}
