//! Home's end, and the lease by which home plays the audio role where no blocks come.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::time::{Duration, Instant};

use atomic_refcell::AtomicRefMut;
use sync_wrapper::SyncWrapper;

use super::messages::{FaultReport, ParamDeed, ParamReport, Report, Reports, ToAudio};
use super::processor::Runner;
use super::{ContainerReading, Heard, LevelGuard, MacroBank, Plan, Shared, SlotNode};
use crate::backend::audio::ParamEvent;
use crate::pool::Class;

/// Time without a block after which home may take the lease.
const SILENCE: Duration = Duration::from_millis(200);

/// Home's end of a chain.
pub struct Controller {
    shared: Arc<Shared>,
    to_audio: rtrb::Producer<ToAudio>,
    reports: rtrb::Consumer<Report>,
    deactivated: bool,
    /// The block counter as last seen, and since when it has stood there.
    seen: (u64, Instant),
}

impl Controller {
    /// `[home]`
    pub(super) fn new(shared: Arc<Shared>, to_audio: rtrb::Producer<ToAudio>, reports: rtrb::Consumer<Report>) -> Self {
        Self { shared, to_audio, reports, deactivated: true, seen: (0, Instant::now()) }
    }

    /// Sends a plan; it is taken at the start of a block. Gives it back where the ring is full. `[home]`
    pub fn send(&mut self, plan: Box<Plan>) -> Result<(), Box<Plan>> {
        if self.to_audio.is_full() {
            return Err(plan);
        }
        let _room = self.to_audio.push(ToAudio::Plan(plan));
        Ok(())
    }

    /// Sends a parameter change for the next block, behind the plans already sent; it is dropped where the slot is in no
    /// plan by then. False: the ring is full. `[home]`
    pub fn param(&mut self, node: &Arc<SlotNode>, event: ParamEvent) -> bool {
        self.to_audio.push(ToAudio::Param(node.key(), event)).is_ok()
    }

    /// Ends every note and forgets all that sounds, with the next block. False: the ring is full. `[home]`
    pub fn panic(&mut self) -> bool {
        self.to_audio.push(ToAudio::Panic).is_ok()
    }

    /// What came back since the last call. `[home]`
    pub fn poll(&mut self) -> Reports {
        self.look();
        let mut all = Reports::default();
        while let Ok(report) = self.reports.pop() {
            match report {
                Report::Retired(plan) => all.retired.push(plan),
                Report::Fault(slot, kind, stopped) => all.faults.push(FaultReport { slot, kind, stopped }),
                Report::Latency(slot, frames) => all.latencies.push((slot, frames)),
                Report::Param(slot, index, value) => {
                    all.params.push(ParamReport { slot, index, deed: ParamDeed::Value(value) });
                }
                Report::Gesture(slot, index, begin) => {
                    let deed = if begin { ParamDeed::Begin } else { ParamDeed::End };
                    all.params.push(ParamReport { slot, index, deed });
                }
            }
        }
        all
    }

    /// Where the macros stand. `[home]`
    pub fn macros(&self) -> Arc<MacroBank> {
        self.shared.macros.clone()
    }

    /// What came into the container and left it, and the time it took, since the last call. `[home]`
    pub fn meters(&self) -> ContainerReading {
        ContainerReading { input: self.shared.input.read(), all: self.shared.meters.read() }
    }

    /// Begins to listen to what comes in and what goes out, with room for `frames` of `channels` each. `None`: a block is run
    /// this moment. `[home]`
    pub fn open_tap(&self, channels: usize, frames: usize) -> Option<Heard> {
        let heard = self.shared.tap.open(2, channels, frames)?;
        self.shared.listened.store(true, Relaxed);
        Some(heard)
    }

    /// Listens no more. `[home]`
    pub fn close_tap(&self) {
        self.shared.listened.store(false, Relaxed);
        // Where a block is run this moment, the rings are freed by the next that listens.
        let _freed = self.shared.tap.close();
    }

    /// What comes of an output above +18 dBFS for 20 ms. Anything but [`LevelGuard::Mute`] ends a mute. `[home]`
    pub fn set_level_guard(&self, kind: LevelGuard) {
        self.shared.loud.set(kind);
    }

    /// Ends the mute of a level guard, 10 ms. `[home]`
    pub fn reopen(&self) {
        self.shared.loud.reopen();
    }

    /// Whether the level guard has muted the container, and how often the output was too loud. `[home]`
    pub fn loud(&self) -> (bool, u32) {
        (self.shared.loud.muted(), self.shared.loud.times())
    }

    /// Asks of which scheduling class the audio thread is: the next block answers. `[home]`
    pub fn ask_class(&self) {
        self.shared.class.ask();
    }

    /// The answer; `None`: not yet. `[home]`
    pub fn class(&self) -> Option<Class> {
        self.shared.class.told()
    }

    /// Whether the last block was rendered offline, by its transport. `[home]`
    pub fn offline(&self) -> bool {
        self.shared.offline.load(Relaxed)
    }

    /// Whether the host's transport rolled in the last block. `[home]`
    pub fn rolls(&self) -> bool {
        self.shared.rolls.load(Relaxed)
    }

    /// Whether the audio thread has taken all that was sent. `[home]`
    pub fn all_taken(&self) -> bool {
        self.to_audio.slots() == self.to_audio.buffer().capacity()
    }

    /// Whether blocks have come within the last 200 ms. `[home]`
    pub fn runs(&mut self) -> bool {
        !self.look()
    }

    /// Whether the container is deactivated: no block comes until it is activated again. A new engine is. `[home]`
    pub fn deactivated(&mut self, deactivated: bool) {
        self.deactivated = deactivated;
        if !deactivated {
            self.seen.1 = Instant::now();
        }
    }

    /// The next reset of the container belongs to a restart that our own latency change asked for: it is not passed on.
    /// `[home]`
    pub fn expect_own_restart(&self) {
        self.shared.own_restart.store(true, Relaxed);
    }

    /// Takes the audio role, where no block has come for 200 ms or the container is deactivated. A block that comes
    /// meanwhile gets the container's delayed dry. `[home]`
    pub fn lease(&mut self) -> Option<Lease<'_>> {
        if !self.look() && !self.deactivated {
            return None;
        }
        let runner = self.shared.runner.try_borrow_mut().ok()?;
        Some(Lease { shared: &self.shared, runner })
    }

    /// Whether no block has come for 200 ms.
    fn look(&mut self) -> bool {
        let blocks = self.shared.blocks.load(Acquire);
        if blocks != self.seen.0 {
            self.seen = (blocks, Instant::now());
        }
        self.seen.1.elapsed() >= SILENCE
    }
}

impl Drop for Controller {
    /// Takes the plan home, so that no plugin is freed by the thread that drops the [`super::Processor`].
    fn drop(&mut self) {
        for _ in 0..100 {
            if let Ok(mut runner) = self.shared.runner.try_borrow_mut() {
                let mut plans = Vec::new();
                runner.get_mut().drain(&self.shared, &mut plans);
                plans.extend(runner.get_mut().exchange(None, &self.shared));
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The audio role, held by home. Dropping it gives it back.
pub struct Lease<'a> {
    shared: &'a Shared,
    runner: AtomicRefMut<'a, SyncWrapper<Runner>>,
}

impl Lease<'_> {
    /// Carries out what waits for the audio thread, then puts `plan` in place, or none. All plans that were replaced come
    /// back. `[home & lease]`
    pub fn exchange(&mut self, plan: Option<Box<Plan>>) -> Vec<Box<Plan>> {
        let mut replaced = Vec::new();
        let runner = self.runner.get_mut();
        runner.drain(self.shared, &mut replaced);
        replaced.extend(runner.exchange(plan, self.shared));
        replaced
    }

    /// Carries out what waits for the audio thread: plans and parameters. Plans that were replaced come back. Parameters wait
    /// in their slots for the next block. `[home & lease]`
    pub fn drain(&mut self) -> Vec<Box<Plan>> {
        let mut replaced = Vec::new();
        self.runner.get_mut().drain(self.shared, &mut replaced);
        replaced
    }
}
