//! An audio thread slow enough that edits can be made in the middle of a fade: a constant signal, 64 frames every few
//! milliseconds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use host_core::engine::Processor;

use crate::session_bench::block;

/// What a slow player plays.
pub const LEVEL: f32 = 0.5;

/// An audio thread of 64 frames every 8 ms: a fade of 10 ms takes 60 ms of the wall's clock.
pub struct SlowPlayer {
    stop: Arc<AtomicBool>,
    blocks: Arc<AtomicUsize>,
    last: Arc<AtomicU32>,
    thread: JoinHandle<(Processor, Vec<f32>)>,
}

impl SlowPlayer {
    /// Starts playing.
    pub fn start(mut processor: Processor) -> Self {
        let (stop, blocks) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let last = Arc::new(AtomicU32::new(0));
        let (ended, count, heard) = (stop.clone(), blocks.clone(), last.clone());
        let thread = std::thread::spawn(move || {
            let mut out = Vec::new();
            while !ended.load(Ordering::Relaxed) {
                let (mut left, mut right) = ([LEVEL; 64], [LEVEL; 64]);
                block(&mut processor, &mut left, &mut right);
                out.extend_from_slice(&left);
                heard.store(left[63].to_bits(), Ordering::Relaxed);
                count.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(8));
            }
            (processor, out)
        });
        let player = Self { stop, blocks, last, thread };
        player.wait(4);
        player
    }

    /// The last sample that was heard.
    pub fn last(&self) -> f32 {
        f32::from_bits(self.last.load(Ordering::Relaxed))
    }

    /// Waits for so many blocks.
    pub fn wait(&self, blocks: usize) {
        let until = self.blocks.load(Ordering::Relaxed) + blocks;
        while self.blocks.load(Ordering::Relaxed) < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Stops playing; what came out on the left.
    pub fn stop(self) -> (Processor, Vec<f32>) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("the audio thread ends well")
    }
}

/// Largest difference between neighbours, and where.
pub fn largest_step(out: &[f32]) -> (usize, f32) {
    let steps = out.windows(2).enumerate().map(|(at, pair)| (at + 1, (pair[1] - pair[0]).abs()));
    steps.max_by(|a, b| a.1.total_cmp(&b.1)).expect("something was played")
}
