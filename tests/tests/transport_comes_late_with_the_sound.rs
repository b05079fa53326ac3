//! Each plugin sees the host's position minus the latency before it, at this block's tempo; play, record and loop come as late as the
//! sound does.

use std::sync::{Arc, Mutex};

use catena_tests::rig::{RATE, Rig};
use catena_tests::rust_plugins::{Delay, Gain, Work, make, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus, Transport};
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::SlotId;

/// Keeps the transport it was told last.
struct Told(Arc<Mutex<Option<Transport>>>);

impl Work for Told {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        *self.0.lock().unwrap() = block.transport.copied();
        Gain(1.0).run(buffers, block)
    }
}

/// A chain whose last slot is `before` frames late; what that slot is told of each block of 64 frames.
fn told(before: u32, blocks: impl IntoIterator<Item = Transport>) -> Vec<Transport> {
    let layout = ports(2, 2);
    let late = SlotNode::new(SlotSetup {
        latency: before,
        ..SlotSetup::new(SlotId(1), vec![make(&layout, 1024, Delay::new(2, before as usize))], layout.clone())
    });
    let told = Arc::new(Mutex::new(None));
    let last = SlotNode::new(SlotSetup::new(SlotId(2), vec![make(&layout, 1024, Told(told.clone()))], layout));
    let mut rig = Rig::new(2);
    rig.send(&[late, last]);
    let each = |transport| {
        rig.transport = Some(transport);
        rig.block(&mut vec![vec![0.0; 64]; 2]);
        told.lock().unwrap().expect("the last slot was told")
    };
    blocks.into_iter().map(each).collect()
}

/// A song of 150 quarter notes a minute in 3/4, `frame` frames in.
fn song(playing: bool, frame: i64) -> Transport {
    let beats = frame as f64 / RATE * 2.5;
    Transport {
        playing,
        tempo: Some(150.0),
        time_signature: Some((3, 4)),
        frames: Some(frame),
        beats: Some(beats),
        bar_start: Some((beats / 3.0).floor() * 3.0),
        bar: Some((beats / 3.0).floor() as i32),
        ..Transport::default()
    }
}

#[test]
fn position_bar_and_beat_are_the_hosts_minus_the_latency_through_loops_and_tempo_changes() {
    let start = 48_000 * 30;
    let rolling = (0..200).map(|block| song(true, start + block * 64));
    for (at, seen) in (0..).zip(told(6400, rolling)) {
        let due = song(true, start + at * 64 - 6400);
        let near = |a: Option<f64>, b: Option<f64>| (a.unwrap() - b.unwrap()).abs() < 1e-9;
        assert!(near(seen.beats, due.beats) && near(seen.bar_start, due.bar_start), "{seen:?} for {due:?}");
        assert_eq!((seen.frames, seen.bar, seen.playing), (due.frames, due.bar, true));
    }
    // A jump is seen at once, and so is another tempo.
    let jump = [song(true, start), Transport { tempo: Some(75.0), ..song(true, 96_000) }];
    let seen = told(6400, jump);
    assert_eq!(seen[1].frames, Some(96_000 - 6400));
    assert!((seen[1].beats.unwrap() - (96_000.0 / RATE * 2.5 - 6400.0 / RATE * 1.25)).abs() < 1e-9);
}

#[test]
fn play_and_stop_come_as_late_as_the_sound_and_the_song_rolls_until_then() {
    let latency = 10 * 64;
    let blocks = (0..20).map(|_| song(false, 96_000)).chain((0..30).map(|b| song(true, 96_000 + b * 64)));
    let stopped = 96_000 + 30 * 64;
    let seen = told(latency, blocks.chain((0..30).map(|_| song(false, stopped))));
    let playing: Vec<_> = seen.iter().map(|seen| seen.playing).collect();
    let due: Vec<_> = (0..80).map(|block| (30..60).contains(&block)).collect();
    assert_eq!(playing, due);
    for (block, seen) in seen.iter().enumerate().filter(|(_, seen)| seen.playing) {
        assert_eq!(seen.frames, Some(96_000 + (block as i64 - 30) * 64), "block {block}");
    }
    assert_eq!(seen[79].frames, Some(stopped));
}

#[test]
fn recording_and_the_loop_come_as_late_as_the_sound() {
    let set = |block: i64| {
        let on = block >= 5;
        Transport { recording: on, looping: on.then_some((4.0, 8.0)), ..song(true, 96_000 + block * 64) }
    };
    let seen = told(3 * 64, (0..12).map(set));
    for (block, seen) in seen.iter().enumerate() {
        let on = block >= 8;
        assert_eq!((seen.recording, seen.looping), (on, on.then_some((4.0, 8.0))), "block {block}");
    }
}

#[test]
fn a_slot_without_latency_before_it_sees_what_the_host_says_in_every_part_of_a_block_that_is_cut() {
    let layout = ports(2, 2);
    let told = Arc::new(Mutex::new(None));
    let slot = SlotNode::new(SlotSetup {
        max_block: 50,
        ..SlotSetup::new(SlotId(2), vec![make(&layout, 50, Told(told.clone()))], layout)
    });
    let mut rig = Rig::new(2);
    rig.max_block = 50;
    rig.send(&[slot]);
    for (playing, last) in [(true, 1150), (false, 1000)] {
        rig.transport = Some(song(playing, 1000));
        rig.block(&mut vec![vec![0.0; 200]; 2]);
        assert_eq!(told.lock().unwrap().unwrap().frames, Some(last), "playing {playing}");
    }
}
