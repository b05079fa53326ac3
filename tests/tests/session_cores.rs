//! A chain that may use several cores: what it gets, what it sounds like, and what is said where it gets none.

use std::time::Duration;

use catena_tests::fixtures;
use catena_tests::session_bench::{block, fixtures_catalog, live, session, until};
use host_core::engine::Processor;
use host_core::model::{Helpers, PluginId, SlotId, Split};
use host_core::session::{Command, CoresView, HostSetup, SessionHandle, listen_to_plugins, take_said};

fn offline() -> HostSetup {
    HostSetup { offline: true, ..live(256) }
}

fn cores(handle: &SessionHandle) -> CoresView {
    handle.snapshot().cores.clone()
}

fn voices(handle: &SessionHandle, lane: Option<SlotId>) -> SlotId {
    let plugin = PluginId::clap(fixtures::clap_id("voices"));
    let add = match lane {
        None => Command::Add { plugin, index: 99 },
        Some(lane) => Command::AddInto { plugin, lane, index: 99 },
    };
    handle.apply(add).unwrap().unwrap()
}

/// Two lanes that each take much longer than a helper does to come.
fn two_lanes(handle: &SessionHandle) {
    let slot = voices(handle, None);
    let group = handle.apply(Command::Parallel { from: slot, to: slot, split: Split::Copy }).unwrap().unwrap();
    let lane = handle.chain().unwrap().group(group).unwrap().lanes[1].id;
    voices(handle, Some(lane));
}

fn run(processor: &mut Processor, at: usize) -> Vec<u32> {
    let mut left: Vec<f32> = (0..256).map(|i| ((at * 256 + i) as f32 * 0.05).sin() * 0.3).collect();
    let mut right = left.clone();
    block(processor, &mut left, &mut right);
    left.iter().chain(&right).map(|x| x.to_bits()).collect()
}

/// The next block.
fn next(processor: &mut Processor, at: &mut usize) {
    run(processor, *at);
    *at += 1;
}

/// Threads of this process that are the pool's.
fn helpers() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.starts_with("catena-pool-")).count()
}

fn several() -> bool {
    host_core::pool::cores().len() > 1
}

/// All in one: helpers are counted in the whole process, and a process has one pool.
#[test]
fn lanes_go_to_helpers_where_that_gains_and_sound_as_without() {
    if !several() {
        return;
    }
    let (plain, mut serial) = session(&fixtures_catalog());
    let (handle, mut pooled) = session(&fixtures_catalog());
    for handle in [&plain, &handle] {
        two_lanes(handle);
        handle.activate(offline()).unwrap();
        handle.settle();
    }
    let mut at = 0;
    let mut both = |times: usize| {
        for _ in 0..times {
            assert!(run(&mut serial, at) == run(&mut pooled, at), "block {at}");
            at += 1;
        }
        // The ticks that look at costs and exchange plans.
        std::thread::sleep(Duration::from_millis(2));
    };
    both(10);
    assert_eq!((cores(&handle).on, cores(&handle).threads, helpers()), (false, 0, 0));

    handle.apply(Command::Cores(true)).unwrap();
    assert!(until(|| {
        both(2);
        cores(&handle).items == 2
    }));
    let before = cores(&handle);
    both(50);
    handle.look();
    assert!(cores(&handle).pooled >= before.pooled + 40, "{before:?}, {:?}", cores(&handle));
    assert_eq!(cores(&handle).threads, host_core::pool::cores().len());
    assert_eq!((cores(&handle).why_not.as_str(), cores(&plain).threads), ("", 0));
    assert_eq!(helpers(), host_core::pool::cores().len());

    // Another instance shares them.
    plain.apply(Command::Cores(true)).unwrap();
    assert!(until(|| {
        both(2);
        cores(&plain).items == 2
    }));
    assert_eq!(helpers(), host_core::pool::cores().len());
    plain.apply(Command::Cores(false)).unwrap();
    both(20);
    assert_eq!(helpers(), host_core::pool::cores().len());

    // The last one that wants none ends them.
    handle.apply(Command::Undo).unwrap();
    assert!(until(|| {
        both(2);
        helpers() == 0
    }));
    assert_eq!((cores(&handle).on, cores(&handle).items), (false, 0));
    both(10);

    // And so does one that goes.
    handle.apply(Command::Redo).unwrap();
    assert!(until(|| {
        both(2);
        helpers() > 0
    }));
    drop(handle);
    assert!(until(|| helpers() == 0));
    eight_instances_share_the_pool();
    a_plugin_asks_for_helpers_and_gets_them_where_the_user_wants_it();
}

fn eight_instances_share_the_pool() {
    let open = |_| {
        let (handle, processor) = session(&fixtures_catalog());
        two_lanes(&handle);
        handle.apply(Command::Cores(true)).unwrap();
        handle.activate(offline()).unwrap();
        (handle, processor)
    };
    let instances: Vec<_> = (0..8).map(open).collect();
    let threads: Vec<_> = instances
        .into_iter()
        .map(|(handle, mut processor)| {
            std::thread::spawn(move || {
                let mut at = 0;
                let shared = until(|| {
                    (0..4).for_each(|_| next(&mut processor, &mut at));
                    cores(&handle).items == 2
                });
                (0..200).for_each(|_| next(&mut processor, &mut at));
                handle.look();
                (shared, cores(&handle), handle)
            })
        })
        .collect();
    let done: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(done.iter().all(|(shared, ..)| *shared));
    assert_eq!(helpers(), host_core::pool::cores().len());
    let counts: Vec<_> = done.iter().map(|(_, cores, _)| (cores.pooled, cores.refused)).collect();
    assert!(counts.iter().all(|(pooled, refused)| pooled + refused >= 200), "{counts:?}");
    assert!(counts.iter().map(|(pooled, _)| pooled).sum::<u64>() > 0, "{counts:?}");
    drop(done);
    assert!(until(|| helpers() == 0));
}

fn a_plugin_asks_for_helpers_and_gets_them_where_the_user_wants_it() {
    let (handle, mut processor) = session(&fixtures_catalog());
    let slot = voices(&handle, None);
    handle.apply(Command::Cores(true)).unwrap();
    handle.activate(offline()).unwrap();
    let mut at = 0;
    let mut blocks = || (0..10).for_each(|_| next(&mut processor, &mut at));
    assert!(until(|| {
        blocks();
        cores(&handle).threads > 0
    }));
    (0..5).for_each(|_| blocks());
    assert_eq!(cores(&handle).pooled, 0, "unmeasured, it gets none");
    handle.apply(Command::Helpers(slot, Helpers::On)).unwrap();
    assert!(until(|| {
        blocks();
        handle.look();
        cores(&handle).pooled > 20
    }));
    handle.apply(Command::Helpers(slot, Helpers::Off)).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    blocks();
    handle.look();
    let before = cores(&handle).pooled;
    (0..5).for_each(|_| blocks());
    handle.look();
    assert_eq!(cores(&handle).pooled, before);
}

#[test]
fn a_pool_of_a_render_is_not_kept_for_playing_live() {
    if !several() {
        return;
    }
    let (handle, mut processor) = session(&fixtures_catalog());
    two_lanes(&handle);
    handle.apply(Command::Cores(true)).unwrap();
    handle.activate(offline()).unwrap();
    let mut at = 0;
    assert!(until(|| {
        next(&mut processor, &mut at);
        cores(&handle).threads > 0
    }));
    handle.activate(live(256)).unwrap();
    next(&mut processor, &mut at);
    assert_eq!(cores(&handle).items, 0, "shared out to helpers of the ordinary class");
    assert!(until(|| {
        next(&mut processor, &mut at);
        cores(&handle).why_not.contains("real-time priority")
    }));
    assert_eq!((cores(&handle).threads, helpers()), (0, 0));
}

#[test]
fn an_ordinary_audio_thread_gets_no_pool_and_one_line_says_so() {
    if !several() {
        return;
    }
    listen_to_plugins();
    let (handle, mut processor) = session(&fixtures_catalog());
    two_lanes(&handle);
    handle.apply(Command::Cores(true)).unwrap();
    handle.activate(live(256)).unwrap();
    let mut at = 0;
    assert!(until(|| {
        run(&mut processor, at);
        at += 1;
        !cores(&handle).why_not.is_empty()
    }));
    assert!(cores(&handle).why_not.contains("no real-time priority"), "{}", cores(&handle).why_not);
    // It is asked again, and nothing is said again.
    let began = std::time::Instant::now();
    while began.elapsed() < Duration::from_secs(5) {
        run(&mut processor, at);
        at += 1;
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = std::iter::from_fn(take_said).filter(|(_, line)| line.contains("runs on one core")).count();
    assert_eq!((said, cores(&handle).threads), (1, 0));
}

/// An audio thread with a real-time priority, where the machine grants one.
#[test]
fn a_real_time_audio_thread_gets_helpers_of_its_own_priority() {
    let (handle, mut processor) = session(&fixtures_catalog());
    two_lanes(&handle);
    handle.apply(Command::Cores(true)).unwrap();
    handle.activate(live(256)).unwrap();
    let audio = std::thread::spawn(move || {
        let param = libc::sched_param { sched_priority: 15 };
        // SAFETY: 0 is the calling thread; `param` is plain data.
        #[allow(unsafe_code, reason = "as an audio driver does")]
        let granted = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO | 0x4000_0000, &raw const param) } == 0;
        let mut at = 0;
        let pooled = granted
            && until(|| {
                run(&mut processor, at);
                at += 1;
                cores(&handle).items == 2
            });
        (granted, pooled, cores(&handle))
    });
    let (granted, pooled, cores) = audio.join().unwrap();
    if granted && several() {
        assert!(pooled, "{cores:?}");
        assert_eq!(cores.threads, host_core::pool::cores().len());
    }
}
