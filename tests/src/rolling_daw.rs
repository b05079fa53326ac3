//! A DAW's transport that rolls over a chain whose edits are held until it stops.

use std::time::{Duration, Instant};

use host_core::engine::Processor;
use host_core::model::{PluginId, SlotId};
use host_core::session::{Command, LatencyChange, SessionHandle};

use crate::fixtures::clap_id;
use crate::session_bench::{add, fixtures_catalog, live, roll, session, sine, until};

/// A DAW whose transport rolls over a sine, and the chain in it.
pub struct Daw {
    /// The chain.
    pub handle: SessionHandle,
    /// What is run in blocks.
    pub processor: Processor,
    at: usize,
    /// Whether the transport rolls.
    pub playing: bool,
}

impl Daw {
    /// A chain with a delay of 512 frames in front, whose edits are held.
    pub fn rolling() -> (Self, SlotId) {
        let (handle, processor) = session(&fixtures_catalog());
        handle.activate(live(64)).unwrap();
        let late = add(&handle, "latency-jump");
        handle.apply(Command::Param(late, "100".into(), 512.0)).unwrap();
        assert!(until(|| handle.latency() == 512));
        handle.apply(Command::HoldLatency(true)).unwrap();
        (Self { handle, processor, at: 0, playing: true }, late)
    }

    /// Puts a fixture at the chain's end, while no block is played.
    pub fn fixture(&self, name: &str) -> SlotId {
        add(&self.handle, name)
    }

    /// Makes an edit while no block is played.
    pub fn edit(&self, command: Command) -> Option<SlotId> {
        self.handle.apply(command).unwrap()
    }

    /// Plays blocks; what comes out.
    pub fn roll(&mut self, blocks: usize) -> Vec<f32> {
        roll(&mut self.processor, &mut self.at, blocks, self.playing)
    }

    /// Plays until `done`.
    pub fn roll_until(&mut self, done: impl Fn(&SessionHandle) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while !done(&self.handle) {
            let shown = self.handle.snapshot();
            let told: Vec<_> = shown.slots.iter().map(|slot| (&slot.status, &slot.notice, slot.latency)).collect();
            assert!(
                Instant::now() < end,
                "it never came: {:?} {:?} {} {told:?}",
                shown.held,
                shown.notice,
                shown.latency
            );
            self.roll(4);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Makes an edit while blocks are played, as a DAW does.
    pub fn edit_rolling(&mut self, command: Command) -> Option<SlotId> {
        let handle = self.handle.clone();
        let made = std::thread::spawn(move || handle.apply(command).unwrap());
        while !made.is_finished() {
            self.roll(4);
            std::thread::sleep(Duration::from_millis(1));
        }
        self.roll(60);
        made.join().unwrap()
    }

    /// Puts a fixture at the chain's end while blocks are played.
    pub fn add_rolling(&mut self, name: &str) -> SlotId {
        self.edit_rolling(Command::Add { plugin: PluginId::clap(clap_id(name)), index: 99 }).unwrap()
    }

    /// Rolls until home has done what was sent and all fades are over.
    pub fn settle_rolling(&mut self) {
        let handle = self.handle.clone();
        let settled = std::thread::spawn(move || handle.settle());
        while !settled.is_finished() {
            self.roll(4);
            std::thread::sleep(Duration::from_millis(1));
        }
        self.roll(60);
    }

    /// Plays until such a change is held.
    pub fn held(&mut self, before: u32, after: u32) {
        self.roll_until(|handle| handle.snapshot().held == Some(LatencyChange { before, after }));
        assert_eq!(self.handle.latency(), before);
        self.settle_rolling();
    }

    /// How loud it is, as a share of the sine's own level; it must come as late as `latency`.
    pub fn level(&mut self, latency: usize) -> f32 {
        self.roll(60);
        let from = self.at;
        let heard = self.roll(30);
        let level = heard.iter().fold(0.0_f32, |peak, x| peak.max(x.abs())) * 2.0;
        let odd = (0..heard.len()).find(|i| (heard[*i] - level * sine(from + i - latency)).abs() > 2e-3);
        assert_eq!(odd, None, "level {level}");
        (level * 1000.0).round() / 1000.0
    }

    /// Stops the transport until what was held is heard; it is to roll then.
    pub fn stop(&mut self, latency: u32) {
        self.playing = false;
        self.roll_until(|handle| handle.latency() == latency);
        self.handle.settle();
        assert_eq!(self.handle.snapshot().held, None);
        self.playing = true;
    }
}
