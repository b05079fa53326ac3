//! Events, writable parameters, the song's position, and the worker.

use catena_tests::fixtures_lv2::Fixtures;
use catena_tests::lv2_bench::Bench;
use host_core::backend::AudioAt;
use host_core::backend::audio::Transport;

#[test]
fn a_note_sounds_at_its_frame_and_only_once() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "instrument");
    bench.events.push(100, 0, &[0x90, 60, 127]);
    bench.run(256);
    let at: Vec<_> = bench.output(0, 1).iter().enumerate().filter(|(_, s)| **s != 0.0).map(|(at, _)| at).collect();
    assert_eq!(at, [100]);
    bench.events.clear();
    bench.run(256);
    assert!(bench.output(0, 1).iter().all(|s| *s == 0.0));
}

#[test]
fn midi_comes_back_byte_for_byte_at_its_frame_sysex_too() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "note-echo");
    let sysex: Vec<u8> = (0..60_000_u32).map(|i| (i % 127) as u8).collect();
    let sent = [(0, vec![0x9F, 60, 100]), (7, vec![0xF8]), (7, sysex), (255, vec![0xC3, 5])];
    for (frame, bytes) in &sent {
        assert!(bench.events.push(*frame, 0, bytes));
    }
    bench.run(256);
    let got: Vec<_> = bench.events_out.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect();
    assert!(got == sent, "{} events", got.len());
}

#[test]
fn a_writable_parameter_is_set_at_its_frame_without_a_cut_and_the_plugin_tells_its_own() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "patch");
    let key = "urn:catena-fixture:patch#level";
    let info = &bench.main.params()[bench.index(key)];
    assert_eq!((info.name.as_str(), info.unit.as_str(), info.default), ("Level", "dB", 0.5));
    bench.run(64);
    assert_eq!(bench.value(key), 0.25, "the plugin's own value, asked for at the start");
    assert!(bench.main.take_requests().values);
    let change = bench.change(key, 37, 0.75);
    bench.run_with(256, &[change]);
    assert_eq!(bench.output(0, 0)[36..38], [0.25, 0.75]);
    assert!(bench.main.take_requests().dirty, "state:StateChanged");
    assert_eq!(bench.value(key), 0.75);
    bench.set(key, 0.125);
    bench.run(64);
    assert_eq!(bench.output(0, 0)[0], 0.125, "set at home, told at the next run");
}

#[test]
fn a_writable_parameter_of_a_plugin_without_a_state_is_saved_and_told_again() {
    let fixtures = Fixtures::new();
    let key = "urn:catena-fixture:patch#level";
    let mut bench = Bench::started(&fixtures, "patch");
    bench.run(64);
    bench.run_with(64, &[bench.change(key, 0, 0.875)]);
    let state = bench.main.save(AudioAt::Away).unwrap();
    let mut again = Bench::open(&fixtures, "patch");
    again.main.load(&state, AudioAt::Inactive).unwrap();
    assert_eq!(again.value(key), 0.875);
    again.start(44_100.0, 64, false);
    again.run(64);
    assert_eq!(again.output(0, 0)[63], 0.875);
    assert_eq!(again.main.save(AudioAt::Away).unwrap(), state);
}

#[test]
fn the_position_is_told_when_it_is_not_where_the_last_one_leads() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "time-recorder");
    let mut now = Transport {
        playing: true,
        tempo: Some(120.0),
        time_signature: Some((6, 8)),
        frames: Some(48_000),
        beats: Some(2.0),
        bar_start: Some(0.0),
        bar: Some(0),
        ..Transport::default()
    };
    let told = |bench: &mut Bench, now: &mut Transport| {
        bench.transport = Some(*now);
        bench.run(240);
        now.frames = now.frames.map(|at| at + 240);
        now.beats = now.beats.map(|at| at + 240.0 / 48_000.0 * 2.0);
        bench.value("count")
    };
    assert_eq!(told(&mut bench, &mut now), 1.0);
    for (key, value) in [
        ("frame", 48_000.0),
        ("speed", 1.0),
        ("bpm", 120.0),
        ("bar_beat", 4.0),
        ("beats_per_bar", 6.0),
        ("beat_unit", 8.0),
        ("bar", 0.0),
        ("beat", 4.0),
    ] {
        assert_eq!(bench.value(key), value, "{key}");
    }
    assert_eq!(told(&mut bench, &mut now), 1.0, "it rolls on");
    now.tempo = Some(90.0);
    assert_eq!(told(&mut bench, &mut now), 2.0, "tempo");
    now.beats = Some(100.0);
    assert_eq!(told(&mut bench, &mut now), 3.0, "locate");
    now.beats = now.beats.map(|at| at - 240.0 / 48_000.0 * 2.0 + 240.0 / 48_000.0 * 1.5);
    assert_eq!(told(&mut bench, &mut now), 3.0, "it rolls on at the new tempo");
    now.playing = false;
    assert_eq!(told(&mut bench, &mut now), 4.0, "stop");
}

#[test]
fn work_is_done_on_another_thread_and_answered_in_a_later_run() {
    let fixtures = Fixtures::new();
    host_core::backend::log::listen();
    let mut bench = Bench::started(&fixtures, "worker");
    bench.set("bytes", 614_400.0);
    bench.run_with(64, &[bench.change("ask", 0, 21.0)]);
    for _ in 0..2000 {
        bench.run(64);
        if bench.value("answer") != 0.0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    bench.run(64);
    assert_eq!(bench.value("answer"), 42.0);
    assert_eq!(bench.value("other_thread"), 1.0);
    assert!(bench.value("ends") > 1.0, "every run ends with end_run");
    let lines: Vec<_> = std::iter::from_fn(host_core::backend::log::pop).map(|line| line.text().into_owned()).collect();
    assert!(lines.iter().any(|line| line == "Fixture worker: work of 614400 bytes, 21"), "{lines:?}");
}

#[test]
fn the_worker_thread_takes_no_signals() {
    let fixtures = Fixtures::new();
    let bench = Bench::started(&fixtures, "worker");
    let workers = || {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten().map(|task| task.path());
        let ours = |task: &std::path::PathBuf| {
            std::fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "catena-lv2work")
        };
        tasks.filter(ours).filter_map(|task| std::fs::read_to_string(task.join("status")).ok()).collect::<Vec<_>>()
    };
    // A thread gives itself its name, after it began.
    let running = (0..2000)
        .find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            Some(workers()).filter(|all| !all.is_empty())
        })
        .expect("a worker thread runs");
    for status in &running {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap().trim();
        // SIGKILL and SIGSTOP cannot be blocked, and the C library keeps two for itself.
        let blocked = u64::from_str_radix(mask, 16).unwrap();
        assert_eq!(blocked | 1 << 8 | 1 << 18 | 0b11 << 31, u64::MAX, "{mask}");
    }
    drop(bench);
}

#[test]
fn offline_the_work_is_answered_within_the_same_run() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::open(&fixtures, "worker");
    bench.start(48_000.0, 64, true);
    for ask in 1..50_u32 {
        bench.run_with(64, &[bench.change("ask", 0, ask.into())]);
        bench.run(1);
        assert_eq!(bench.value("answer"), f64::from(ask * 2));
    }
}
