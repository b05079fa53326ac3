//! What CLAP plugins ask of their host: timers, descriptors, threads, tasks, callbacks and restarts, served from home's
//! tick with no editor anywhere, and never from inside one another.

use std::time::{Duration, Instant};

use catena_tests::clap_bench::{Bench, at_48k, log_lines, param};
use catena_tests::fixtures::open_clap;
use host_core::backend::audio::{ParamEvent, RunStatus, Transport};
use host_core::backend::{AudioAt, PluginMain, Watch};

fn told(main: &mut dyn PluginMain, name: &str) -> f64 {
    let index = param(main, name);
    main.value(index).unwrap()
}

#[test]
fn timers_and_descriptors_are_served_and_may_change_inside_their_call() {
    let mut main = open_clap("timers");
    let mut last = Instant::now();
    let mut watches = Vec::new();
    main.watches(&mut watches);
    assert_eq!(watches.len(), 1);
    assert!(watches[0].read && !watches[0].write);
    for _ in 0..12 {
        let due = main.deadline().expect("a timer runs");
        assert!(due <= last.max(Instant::now()) + Duration::from_millis(33), "30 Hz or better");
        main.serve(due - Duration::from_millis(1), &[]);
        let before = told(main.as_mut(), "ticks");
        last = due;
        main.serve(due, &[]);
        assert_eq!(told(main.as_mut(), "ticks"), before + 1.0, "once when due, not before");
        // Level-triggered: the pipe holds what the tick wrote. At the true time, at which no timer is due again.
        main.serve(Instant::now(), &watches);
    }
    assert_eq!(told(main.as_mut(), "reads"), 12.0);
    assert_eq!(told(main.as_mut(), "swaps"), 4.0, "timers ended and made inside their own call");
    // A descriptor that is not watched is not reported.
    main.serve(last, &[Watch { fd: 12345, read: true, write: true, error: true }]);
    assert_eq!(told(main.as_mut(), "reads"), 12.0);
}

#[test]
fn thread_check_tells_main_from_audio_by_thread_and_role() {
    let mut main = open_clap("threads");
    let mut audio = main.activate(at_48k(64)).unwrap();
    let audio = std::thread::spawn(move || {
        assert!(audio.start());
        Bench::default().run(audio.as_mut(), 64);
        audio
    });
    let audio = audio.join().unwrap();
    assert_eq!(told(main.as_mut(), "init"), 1.0);
    assert_eq!(told(main.as_mut(), "activate"), 1.0);
    assert_eq!(told(main.as_mut(), "start"), 2.0);
    assert_eq!(told(main.as_mut(), "process"), 2.0);
    main.deactivate(audio);
}

#[test]
fn tasks_run_all_or_not_at_all_and_only_inside_process() {
    let mut main = open_clap("thread-pool");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert_eq!(told(main.as_mut(), "outside"), 0.0, "refused in activate");
    assert!(audio.start());
    let mut bench = Bench::default();
    for (tasks, ran, taken) in
        [(16, 16, true), (0, 0, true), (1, 1, true), (65_535, 65_535, true), (65_536, 65_536, true)]
    {
        bench.params.push(ParamEvent { frame: 0, index: 0, value: f64::from(tasks) });
        bench.run(audio.as_mut(), 64);
        assert_eq!(told(main.as_mut(), "ran"), f64::from(ran), "{tasks}");
        assert_eq!(told(main.as_mut(), "taken"), f64::from(u8::from(taken)), "{tasks}");
    }
    assert_eq!(told(main.as_mut(), "nested"), 0.0, "a request from inside a task is refused");
    main.deactivate(audio);
}

#[test]
fn a_restart_loop_and_callbacks_from_callbacks_never_reenter_and_end() {
    let mut main = open_clap("restart-loop");
    let start = Instant::now();
    let mut restarts = 0;
    for _ in 0..200 {
        let audio = main.activate(at_48k(64)).unwrap();
        main.serve(start, &[]);
        let granted = main.take_requests().restart;
        main.deactivate(audio);
        if !granted {
            break;
        }
        restarts += 1;
    }
    assert!((1..=20).contains(&restarts), "the loop was broken after {restarts}");
    assert_eq!(told(main.as_mut(), "callbacks"), told(main.as_mut(), "activates"), "one for each serve");
    assert_eq!(told(main.as_mut(), "depth"), 1.0, "none inside another");
    let lines = log_lines();
    assert!(lines.iter().any(|line| line.contains("restart-loop") && line.contains("again and again")), "{lines:?}");
}

#[test]
fn main_thread_calls_from_audio_are_named_and_harm_nothing() {
    let mut main = open_clap("wrong-thread");
    let mut audio = main.activate(at_48k(64)).unwrap();
    main.take_requests();
    let audio = std::thread::spawn(move || {
        assert!(audio.start());
        assert_eq!(Bench::default().run(audio.as_mut(), 64), RunStatus::Ok);
        audio
    });
    let audio = audio.join().unwrap();
    assert_eq!(told(main.as_mut(), "timer"), 0.0, "no timer is given out");
    assert!(main.take_requests().latency, "a notice of latency is taken from anywhere");
    main.serve(Instant::now(), &[]);
    let lines = log_lines();
    assert!(lines.iter().any(|line| line.contains("wrong-thread") && line.contains("main-thread")), "{lines:?}");
    main.deactivate(audio);
}

#[test]
fn what_a_plugin_says_is_queued_and_a_dirty_state_is_told() {
    let mut main = open_clap("talks");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    bench.params.push(ParamEvent { frame: 0, index: 0, value: 1.0 });
    bench.run(audio.as_mut(), 64);
    assert!(!main.take_requests().dirty);
    main.serve(Instant::now(), &[]);
    assert!(main.take_requests().dirty && !main.take_requests().dirty);
    let lines = log_lines();
    assert!(lines.iter().any(|line| line == "Fixture talks: spoken from process"), "{lines:?}");
    main.deactivate(audio);
}

#[test]
fn the_transport_and_the_steady_time_reach_the_plugin() {
    let mut main = open_clap("transport");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    bench.run(audio.as_mut(), 64);
    assert_eq!(told(main.as_mut(), "tempo"), -1.0, "no transport at all: free-running");
    bench.transport =
        Some(Transport { playing: true, tempo: Some(133.5), beats: Some(17.25), bar: Some(4), ..Transport::default() });
    bench.run(audio.as_mut(), 64);
    assert_eq!(told(main.as_mut(), "steady"), 64.0);
    assert_eq!((told(main.as_mut(), "tempo"), told(main.as_mut(), "beats")), (133.5, 17.25));
    assert_eq!(told(main.as_mut(), "bar"), 4.0);
    assert_eq!(told(main.as_mut(), "flags") as u32, 0b10011, "tempo, beats, playing");
    main.deactivate(audio);
}

#[test]
fn a_sleeping_plugin_can_wake_itself_and_a_failing_one_is_told() {
    let mut main = open_clap("quiet");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Ok);
    assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Quiet);
    assert!(!audio.wants_run());
    main.set_value(0, 1.0, AudioAt::Home(audio.as_mut()));
    assert!(audio.wants_run());
    bench.run(audio.as_mut(), 64);
    assert!(!audio.wants_run());
    main.deactivate(audio);

    let mut main = open_clap("fails");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Ok);
    bench.params.push(ParamEvent { frame: 0, index: 0, value: 1.0 });
    assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Failed);
    main.deactivate(audio);
}
