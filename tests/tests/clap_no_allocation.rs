//! The audio half of a CLAP plugin allocates and frees nothing, whatever passes through it.
#![allow(unsafe_code, reason = "a global allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use catena_tests::clap_bench::{Bench, at_48k};
use catena_tests::fixtures::open_clap;
use host_core::backend::audio::{MAX_SYSEX, ParamEvent, RunStatus, Transport};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    COUNT.with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is passed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn counted(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn the_audio_half_allocates_nothing() {
    assert!(counted(|| drop(std::hint::black_box(vec![1_u8]))) >= 2, "the net holds");
    let mut long = vec![0x22; MAX_SYSEX];
    (long[0], long[MAX_SYSEX - 1]) = (0xF0, 0xF7);
    for name in [
        "gain",
        "delay",
        "instrument",
        "note-echo",
        "clap-notes",
        "recorder",
        "thread-pool",
        "talks",
        "wrong-thread",
        "fails",
    ] {
        let mut main = open_clap(name);
        let mut audio = main.activate(at_48k(256)).unwrap();
        let mut bench = Bench { transport: Some(Transport::default()), ..Bench::default() };
        // On a thread that is not home: there some calls of a plugin are refused, and that must cost nothing either.
        let run = || {
            counted(|| {
                assert!(audio.start());
                for block in 0..50_u32 {
                    for frame in 0..256 {
                        bench.params.push(ParamEvent { frame, index: frame % 3, value: f64::from(block % 2) });
                    }
                    bench.events.push(1, 0, &[0x90, 60, 100]);
                    bench.events.push(2, 0, &[0x80, 60, 100]);
                    bench.events.push(3, 0, &long);
                    bench.run(audio.as_mut(), 1 + block * 5);
                    audio.wants_run();
                }
                audio.reset();
                audio.stop();
            })
        };
        let worked = std::thread::scope(|scope| scope.spawn(run).join().unwrap());
        assert_eq!(worked, 0, "{name}");
        main.deactivate(audio);
    }
}

#[test]
fn a_thousand_more_events_than_there_is_room_for_are_dropped_without_an_allocation() {
    let mut main = open_clap("gain");
    let mut audio = main.activate(at_48k(64)).unwrap();
    let mut bench = Bench { params: Vec::with_capacity(20_000), ..Bench::default() };
    assert!(audio.start());
    bench.params.extend((0..20_000).map(|_| ParamEvent { frame: 0, index: 0, value: 1.0 }));
    assert_eq!(counted(|| assert_eq!(bench.run(audio.as_mut(), 64), RunStatus::Ok)), 0);
    main.deactivate(audio);
}
