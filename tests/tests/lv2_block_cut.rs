//! An LV2 plugin's block is cut only where one of its control inputs changes, on a grid counted from the stream's
//! start, and not at all where the plugin asks for coarse blocks.

use catena_tests::fixtures_lv2::Fixtures;
use catena_tests::lv2_bench::Bench;
use catena_tests::session_bench::{block, live, lv2_catalog, session};
use host_core::backend::AudioAt;
use host_core::engine::Processor;
use host_core::model::{Aim, MacroId, PluginId};
use host_core::session::{Command, MacroEdit};

/// Lengths of the runs that a block was made of; the recorder's outputs are the two channels of one bus.
fn split(bench: &mut Bench, frames: usize) -> Vec<u32> {
    bench.output(0, 1)[..frames].iter().filter(|length| **length > 0.0).map(|length| *length as u32).collect()
}

/// Runs blocks of the given sizes over changes at absolute frames; the value at every frame.
fn render(fixtures: &Fixtures, sizes: &[u32], changes: &[(i64, f64)]) -> Vec<f32> {
    let mut bench = Bench::open(fixtures, "recorder");
    bench.start(48_000.0, 1024, false);
    let mut out = Vec::new();
    for size in sizes {
        let from = bench.steady_time;
        let inside = |at: &i64| (from..from + i64::from(*size)).contains(at);
        let changes: Vec<_> = changes
            .iter()
            .filter(|(at, _)| inside(at))
            .map(|(at, value)| bench.change("level", (at - from) as u32, *value))
            .collect();
        bench.run_with(*size, &changes);
        out.extend_from_slice(&bench.output(0, 0)[..*size as usize]);
    }
    out
}

#[test]
fn a_block_without_changes_is_whole_and_one_with_changes_is_cut_at_the_grid() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::open(&fixtures, "recorder");
    bench.start(48_000.0, 1024, false);
    bench.run(512);
    assert_eq!(split(&mut bench, 512), [512]);
    let changes = [bench.change("level", 0, 1.0), bench.change("level", 65, 2.0), bench.change("level", 130, 3.0)];
    bench.run_with(512, &changes);
    assert_eq!(split(&mut bench, 512), [128, 64, 320]);
    assert_eq!(bench.output(0, 0)[127..129], [1.0, 2.0]);
    assert_eq!(bench.output(0, 0)[191..193], [2.0, 3.0]);
    bench.run(100);
    bench.run_with(100, &[bench.change("level", 10, 4.0)]);
    assert_eq!(split(&mut bench, 100), [28, 72], "the grid is the stream's, not the block's");
}

#[test]
fn the_grid_is_as_fine_or_coarse_as_it_was_set_and_counted_from_the_streams_start() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::open(&fixtures, "recorder");
    bench.start(48_000.0, 1024, false);
    bench.grid = 1;
    let changes = [bench.change("level", 1, 1.0), bench.change("level", 65, 2.0)];
    bench.run_with(200, &changes);
    assert_eq!(split(&mut bench, 200), [1, 64, 135]);
    assert_eq!(bench.output(0, 0)[64..66], [1.0, 2.0]);
    bench.grid = 100;
    bench.run_with(150, &[bench.change("level", 1, 3.0)]);
    assert_eq!(split(&mut bench, 150), [100, 50], "at frame 300 of the stream");
    bench.grid = 8192;
    bench.run_with(1000, &[bench.change("level", 0, 4.0)]);
    assert_eq!(split(&mut bench, 1000), [1000]);
    for _ in 0..6 {
        bench.run(1000);
    }
    assert_eq!(bench.output(0, 0)[999], 3.0, "it waits");
    bench.run(1000);
    assert_eq!(split(&mut bench, 1000), [842, 158], "at frame 8192");
    assert_eq!(bench.output(0, 0)[999], 4.0);
}

#[test]
fn the_same_changes_give_the_same_values_at_any_block_size() {
    let fixtures = Fixtures::new();
    let mut changes: Vec<_> = (0..40_u32).map(|i| (i64::from(i * 37 % 1024), f64::from(i))).collect();
    changes.sort_by_key(|(at, _)| *at);
    let whole = render(&fixtures, &[1024], &changes);
    assert!(whole.windows(2).filter(|pair| pair[0] != pair[1]).count() > 8);
    for sizes in [vec![1; 1024], vec![64; 16], vec![100, 300, 1, 623], vec![441, 441, 142]] {
        assert!(render(&fixtures, &sizes, &changes) == whole, "{:?}...", &sizes[..3.min(sizes.len())]);
    }
}

#[test]
fn a_plugin_that_asks_for_coarse_blocks_is_not_cut() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "coarse-recorder");
    let changes = [bench.change("level", 0, 1.0), bench.change("level", 100, 2.0)];
    bench.run_with(256, &changes);
    assert_eq!(split(&mut bench, 256), [256]);
    assert_eq!(bench.output(0, 0)[0], 2.0);
}

#[test]
fn a_change_that_waits_for_the_grid_does_not_undo_what_is_set_or_loaded_after_it() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "recorder");
    let state = bench.main.save(AudioAt::Away).unwrap();
    bench.run_with(100, &[bench.change("level", 70, 5.0)]);
    bench.set("level", 6.0);
    bench.run(100);
    assert_eq!(bench.output(0, 0)[99], 6.0);
    bench.run_with(50, &[bench.change("level", 49, 7.0)]);
    let half = bench.audio.as_mut().unwrap();
    bench.main.load(&state, AudioAt::Home(half.as_mut())).unwrap();
    bench.run(100);
    assert_eq!(bench.output(0, 0)[99], 0.0);
    bench.run_with(5, &[bench.change("level", 1, 8.0)]);
    bench.stop();
    assert_eq!(bench.value("level"), 8.0, "the stream ended before its point of the grid");
}

/// Does something while blocks of 256 frames of 0.5 come, and plays until its fades are over; how many frames that took.
fn meanwhile(processor: &mut Processor, what: impl FnOnce() + Send) -> usize {
    let mut frames = 0;
    let mut play = || {
        block(processor, &mut [0.5; 256], &mut [0.5; 256]);
        frames += 256;
    };
    std::thread::scope(|scope| {
        let done = scope.spawn(what);
        while !done.is_finished() {
            play();
        }
    });
    (0..60).for_each(|_| play());
    frames
}

#[test]
fn a_macro_reaches_a_real_plugin_on_the_grid_that_the_chain_sets() {
    let (handle, mut processor) = session(&lv2_catalog(&["eg-amp.lv2"]));
    let amp = Command::Add { plugin: PluginId::lv2("http://lv2plug.in/plugins/eg-amp"), index: 0 };
    let amp = handle.apply(amp).unwrap().unwrap();
    let map = MacroEdit::Map { aim: Aim::Param(amp, "gain".into()), range: Some((-20.0, 0.0)) };
    handle.apply(Command::Macro(MacroId::at(0).unwrap(), map)).unwrap();
    handle.activate(live(256)).unwrap();
    let mut at = 0;
    for grid in [None, Some(16), Some(1), Some(100), Some(1000)] {
        at += meanwhile(&mut processor, || {
            if let Some(frames) = grid {
                handle.apply(Command::Grid(frames)).unwrap();
            }
            handle.settle();
        });
        let (mut heard, from) = (vec![], at);
        for _ in 0..16 {
            let (mut left, mut right) = ([0.5; 256], [0.5; 256]);
            for frame in 0..256_u32 {
                let value = f64::from((at as u32 + frame) % 997) / 997.0;
                processor.set_macro(frame, 0, value);
            }
            block(&mut processor, &mut left, &mut right);
            heard.extend_from_slice(&left);
            at += 256;
        }
        let changes = (1..heard.len()).filter(|frame| heard[*frame] != heard[*frame - 1]);
        let changes: Vec<usize> = changes.map(|frame| from + frame).collect();
        let grid = grid.unwrap_or(64) as usize;
        assert!(changes.iter().all(|frame| frame.is_multiple_of(grid)), "every {grid}: {changes:?}");
        assert!(changes.len() + 2 >= 4096 / grid, "every {grid}: {} changes", changes.len());
    }
}
