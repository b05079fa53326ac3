//! The audio thread's end. `[audio]` all through.

mod desk;
pub(super) mod host;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Relaxed, Release};

use super::cpu::FlushToZero;
use super::loud::Watch;
use super::messages::{Report, ToAudio};
use super::plan::Plan;
use super::{EngineConfig, Shared};
use crate::backend::audio::{EventBuffer, Transport};
use desk::Desk;

/// What a container gives the engine for one block.
pub struct ContainerBlock<'a, 'b> {
    /// The main signal, in place: one slice per channel, all of one length (1 to 8192 frames; longer blocks
    /// are cut by the engine).
    pub main: &'a mut [&'b mut [f32]],
    /// The container's sidechain; fewer channels than the engine was made for are taken as silent.
    pub sidechain: &'a [&'b [f32]],
    /// Auxiliary outputs, two channels each, written by the engine.
    pub aux: &'a mut [&'b mut [f32]],
    /// MIDI from the host, any order; frames are counted from the start of this block.
    pub events_in: &'a mut EventBuffer,
    /// MIDI to the host.
    pub events_out: &'a mut EventBuffer,
    /// The host's transport.
    pub transport: Option<Transport>,
    /// The container's own bypass as the host wants it now.
    pub bypass: bool,
}

/// The plan and its rings: whoever borrows it plays the audio role.
pub(super) struct Runner {
    plan: Option<Box<Plan>>,
    /// The container's end of a panic is still to be done.
    panic: bool,
    inbox: rtrb::Consumer<ToAudio>,
    reports: rtrb::Producer<Report>,
}

impl Runner {
    /// `[home]`
    pub fn new(inbox: rtrb::Consumer<ToAudio>, reports: rtrb::Producer<Report>) -> Self {
        Self { plan: None, panic: false, inbox, reports }
    }

    /// Takes what home sent. A plan is left waiting, with all behind it, while there is no room to send the old one back.
    fn take_messages(&mut self, shared: &Shared) {
        while let Ok(next) = self.inbox.peek() {
            if matches!(next, ToAudio::Plan(_)) && self.plan.is_some() && self.reports.is_full() {
                return;
            }
            let Ok(message) = self.inbox.pop() else { return };
            if let Some(old) = self.carry_out(message, shared) {
                let _room = self.reports.push(Report::Retired(old));
            }
        }
    }

    /// The plan that was replaced.
    fn carry_out(&mut self, message: ToAudio, shared: &Shared) -> Option<Box<Plan>> {
        match message {
            ToAudio::Plan(mut plan) => {
                plan.enter();
                if let Some(before) = &mut self.plan {
                    plan.macros.follow(&mut before.macros);
                }
                shared.tail.store(plan.tail(), Relaxed);
                self.plan.replace(plan)
            }
            ToAudio::Param(key, event) => {
                if let Some(node) = self.plan.as_ref().and_then(|plan| plan.node(key)) {
                    node.push_param(event);
                }
                None
            }
            ToAudio::Panic => {
                self.panic = true;
                if let Some(plan) = &self.plan {
                    plan.reset();
                    plan.slots().for_each(|node| node.panic());
                }
                None
            }
        }
    }

    /// Everything that waits, at home. `[home & lease]`
    pub fn drain(&mut self, shared: &Shared, replaced: &mut impl Extend<Box<Plan>>) {
        while let Ok(message) = self.inbox.pop() {
            replaced.extend(self.carry_out(message, shared));
        }
    }

    /// Puts a plan in the place of the one that is there. `[home & lease]`
    pub fn exchange(&mut self, plan: Option<Box<Plan>>, shared: &Shared) -> Option<Box<Plan>> {
        match plan {
            Some(plan) => self.carry_out(ToAudio::Plan(plan), shared),
            None => {
                shared.tail.store(0, Relaxed);
                let mut before = self.plan.take()?;
                // Where macros led is kept in the slots.
                before.macros.release_all();
                Some(before)
            }
        }
    }
}

/// The audio thread's end of a chain. Owned by the container.
pub struct Processor {
    shared: Arc<Shared>,
    desk: Desk,
    watch: Watch,
    reset: bool,
}

impl Processor {
    /// `[home]`
    pub(super) fn new(shared: Arc<Shared>, config: EngineConfig) -> Self {
        let desk = Desk::new(config.channels.into(), shared.macros.clone());
        Self { shared, desk, watch: Watch::default(), reset: false }
    }

    /// Runs one block. Passes the delayed input where the chain cannot run. `[audio]`
    pub fn process(&mut self, block: &mut ContainerBlock<'_, '_>) {
        let mode = FlushToZero::on();
        let frames = length(block);
        let shared = &*self.shared;
        if shared.own_restart.load(Relaxed) {
            // The restart is over. A host that sent no reset with it may send one for another reason later.
            shared.own_restart.store(false, Relaxed);
        }
        if shared.class.is_asked() {
            shared.class.answer();
        }
        let (offline, rolls) = block.transport.as_ref().map_or((false, false), |now| (now.offline, now.playing));
        note(&shared.offline, offline);
        note(&shared.rolls, rolls);
        let Ok(mut runner) = shared.runner.try_borrow_mut() else {
            self.desk.pass(block, frames);
            return;
        };
        shared.blocks.store(shared.blocks.load(Relaxed).wrapping_add(1), Release);
        let runner = runner.get_mut();
        runner.take_messages(shared);
        if std::mem::take(&mut self.reset) {
            reset(runner, &mut self.desk);
        }
        if std::mem::take(&mut runner.panic) {
            self.desk.clear(true);
        }
        if shared.listened.load(Relaxed) {
            shared.tap.begin(frames);
            shared.tap.give(0, block.main, 0, frames);
        }
        (self.desk.levels, self.desk.ticks) = Default::default();
        self.desk.shut(shared.loud.muted(), offline);
        self.desk.run(runner, block, frames, &mode);
        let [(came, came_over), (left, left_over)] = self.desk.levels;
        if self.watch.wants(left.peak) {
            let rate = runner.plan.as_ref().map_or(48_000.0, |plan| plan.rate);
            match block.bypass {
                // What is heard is not the chain.
                true => self.watch.forget(),
                false => self.watch.look(&shared.loud, block.main, rate, offline),
            }
        }
        let samples = (frames * block.main.len()) as u32;
        shared.input.note(came, samples);
        shared.meters.note(self.desk.ticks, left, samples);
        if came_over + left_over > 0 {
            shared.input.clip(came_over);
            shared.meters.clip(left_over);
        }
        if shared.listened.load(Relaxed) {
            shared.tap.give(1, block.main, 0, frames);
            shared.tap.end(frames);
        }
    }

    /// Moves a macro (by its place, first is 0) to `value`, 0..1, at `frame` of the next block: counted from that block's first
    /// frame. `[audio]`
    pub fn set_macro(&mut self, frame: u32, index: usize, value: f64) {
        self.desk.macros.push(frame, index, value);
    }

    /// Forgets everything that still sounds: the host asked for it. A reset that belongs to a restart which our
    /// own latency change asked for is ignored. `[audio]`
    pub fn reset(&mut self) {
        if self.shared.own_restart.swap(false, Relaxed) {
            return;
        }
        match self.shared.runner.try_borrow_mut() {
            Ok(mut runner) => reset(runner.get_mut(), &mut self.desk),
            Err(_) => self.reset = true,
        }
    }

    /// Frames the chain sounds on after silence: latency plus the longest path's tails; `u32::MAX` for ever. `[audio]`
    pub fn tail(&self) -> u32 {
        self.shared.tail.load(Relaxed)
    }
}

/// Home reads it now and then: it is written where it is another.
#[inline]
fn note(word: &AtomicBool, now: bool) {
    if word.load(Relaxed) != now {
        word.store(now, Relaxed);
    }
}

/// Frames of a block: of the main signal, or where the container has none, of whatever else it has.
fn length(block: &ContainerBlock<'_, '_>) -> usize {
    let shortest = |lengths: &mut dyn Iterator<Item = usize>| lengths.min();
    shortest(&mut block.main.iter().map(|channel| channel.len()))
        .or_else(|| shortest(&mut block.aux.iter().map(|channel| channel.len())))
        .or_else(|| shortest(&mut block.sidechain.iter().map(|channel| channel.len())))
        .unwrap_or(0)
}

fn reset(runner: &mut Runner, desk: &mut Desk) {
    if let Some(plan) = &mut runner.plan {
        plan.reset();
        desk.macros.reset(plan);
    }
    desk.clear(false);
}
