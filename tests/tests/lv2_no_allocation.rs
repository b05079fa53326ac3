//! Running an LV2 plugin allocates and frees nothing on the audio thread: quiet blocks, events, changes, cuts,
//! position and work alike.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use catena_tests::fixtures_lv2::Fixtures;
use catena_tests::lv2_bench::Bench;
use host_core::backend::audio::Transport;

thread_local! {
    static COUNT: Cell<Option<u32>> = const { Cell::new(None) };
}

struct Counting;

fn note() {
    COUNT.with(|count| count.set(count.get().map(|n| n + 1)));
}

// SAFETY: passes everything on to the system's allocator.
#[expect(unsafe_code, reason = "an allocator is an unsafe trait")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations and frees of this thread within `run`.
fn counted(run: impl FnOnce()) -> u32 {
    COUNT.set(Some(0));
    run();
    COUNT.replace(None).unwrap()
}

#[test]
fn running_allocates_nothing() {
    let fixtures = Fixtures::new();
    assert_ne!(counted(|| drop(std::hint::black_box(vec![1_u8]))), 0, "the counter counts");
    for entry in &fixtures.entries {
        let name = entry.id.id.rsplit(':').next().unwrap().to_owned();
        if ["crash-open", "hang-open"].contains(&name.as_str()) {
            continue;
        }
        let mut bench = Bench::started(&fixtures, &name);
        let block = bench.main.fixed_block().unwrap_or(256);
        let inputs: Vec<_> =
            bench.main.params().iter().filter(|info| info.automatable).map(|i| i.key.clone()).collect();
        // What ends the process or the test is left alone.
        let calm = !["crash-run", "hang"].contains(&name.as_str());
        let changes: Vec<_> = inputs
            .iter()
            .filter(|_| calm)
            .flat_map(|key| [(0, 0.5), (100, 0.75)].map(|(f, v)| bench.change(key, f, v)))
            .collect();
        let mut changes = changes;
        changes.sort_by_key(|change| change.frame);
        for (at, note) in [(3, 0x90), (200, 0x80)] {
            bench.events.push(at, 0, &[note, 60, 1]);
        }
        let mut transport = Transport { playing: true, tempo: Some(120.0), ..Transport::default() };
        for round in 0..8 {
            transport.frames = Some(round * 7);
            bench.transport = Some(transport);
            let count = counted(|| {
                bench.run(block);
                bench.run_with(block, &changes);
                bench.audio.as_mut().unwrap().latency();
            });
            assert_eq!(count, 0, "{name}, round {round}");
        }
    }
}
