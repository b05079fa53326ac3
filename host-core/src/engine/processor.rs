//! The audio thread's end. `[audio]` all through.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, Release};

use super::cpu::FlushToZero;
use super::delay::DelayLine;
use super::events::{EVENTS, EventDelay};
use super::kernels;
use super::messages::{Report, ToAudio};
use super::plan::{CHUNK, Plan, shift};
use super::ramp::Ramp;
use super::{EngineConfig, FADE_SECONDS, Shared};
use crate::backend::audio::{Bus, EventBuffer, Samples, Transport};
use crate::model::BLOCK_RANGE;

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
    inbox: rtrb::Consumer<ToAudio>,
    reports: rtrb::Producer<Report>,
}

impl Runner {
    /// `[home]`
    pub fn new(inbox: rtrb::Consumer<ToAudio>, reports: rtrb::Producer<Report>) -> Self {
        Self { plan: None, inbox, reports }
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
                shared.tail.store(plan.tail(), Relaxed);
                self.plan.replace(plan)
            }
            ToAudio::Param(key, event) => {
                if let Some(node) = self.plan.as_ref().and_then(|plan| plan.node(key)) {
                    node.push_param(event);
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
                self.plan.take()
            }
        }
    }
}

/// What the container keeps from block to block, whatever plan runs.
struct Desk {
    /// The container's own dry, as late as the chain.
    dry: DelayLine,
    dry_events: EventDelay,
    /// What a constant latency adds.
    pad: DelayLine,
    pad_events: EventDelay,
    events: EventBuffer,
    /// Share of the chain against the dry.
    wet: Ramp,
    /// Silence asked for by a failed slot.
    gate: Ramp,
    amount: Samples,
    chunk: [Bus; 2],
    fade: u32,
    /// No block has run yet: nothing to fade from.
    fresh: bool,
    /// Frames that the chain has run since it last could not: until they are as many as its latency, what it gives is of
    /// before.
    since: u32,
}

/// The audio thread's end of a chain. Owned by the container.
pub struct Processor {
    shared: Arc<Shared>,
    desk: Desk,
    reset: bool,
}

impl Processor {
    /// `[home]`
    pub(super) fn new(shared: Arc<Shared>, config: EngineConfig) -> Self {
        let channels = usize::from(config.channels);
        let line = || DelayLine::new(channels, 0, CHUNK, 1);
        let bus = || Bus::new(channels, CHUNK as usize);
        let desk = Desk {
            dry: line(),
            dry_events: EventDelay::new(),
            pad: line(),
            pad_events: EventDelay::new(),
            events: EventBuffer::new(EVENTS, true),
            wet: Ramp::new(1.0),
            gate: Ramp::new(1.0),
            amount: Samples::new(*BLOCK_RANGE.end() as usize),
            chunk: [bus(), bus()],
            fade: 1,
            fresh: true,
            since: u32::MAX,
        };
        Self { shared, desk, reset: false }
    }

    /// Runs one block. Passes the delayed input where the chain cannot run. `[audio]`
    pub fn process(&mut self, block: &mut ContainerBlock<'_, '_>) {
        let mode = FlushToZero::on();
        let frames = block.main.iter().map(|channel| channel.len()).min().unwrap_or(0);
        let shared = &*self.shared;
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
        self.desk.run(runner, block, frames, &mode);
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

fn reset(runner: &mut Runner, desk: &mut Desk) {
    if let Some(plan) = &runner.plan {
        plan.slots().for_each(|node| node.reset());
    }
    desk.dry.clear();
    desk.pad.clear();
    desk.dry_events.clear();
    desk.pad_events.clear();
}

impl Desk {
    fn run(&mut self, runner: &mut Runner, block: &mut ContainerBlock<'_, '_>, frames: usize, mode: &FlushToZero) {
        let Some(plan) = &mut runner.plan else {
            self.pass(block, frames);
            return;
        };
        if !plan.adopted {
            self.adopt(plan);
        }
        block.events_in.sort();
        let longest = plan.max_block as usize;
        let mut at = 0;
        while at < frames {
            let count = (frames - at).min(longest);
            self.run_chunk(plan, &mut runner.reports, block, (at, count, at + count == frames), mode);
            at += count;
        }
    }

    /// Takes over from a new plan what outlives it.
    fn adopt(&mut self, plan: &mut Plan) {
        plan.adopted = true;
        self.dry.grow(&mut plan.dry);
        self.pad.grow(&mut plan.pad);
        self.fade = (plan.rate * FADE_SECONDS) as u32;
        if self.fresh {
            self.dry.jump(plan.true_latency());
            self.pad.jump(plan.padding);
        }
        self.dry.aim(plan.true_latency());
        self.pad.aim(plan.padding);
    }

    fn run_chunk(
        &mut self,
        plan: &mut Plan,
        reports: &mut rtrb::Producer<Report>,
        block: &mut ContainerBlock<'_, '_>,
        (at, frames, last): (usize, usize, bool),
        mode: &FlushToZero,
    ) {
        read_bus(block.main.iter().map(|channel| &**channel), &mut plan.buffers[0], at, frames);
        read_bus(block.sidechain.iter().copied(), &mut plan.sidechain, at, frames);
        for channel in &mut plan.aux.channels {
            channel[..frames].fill(0.0);
        }
        self.read_events(plan, block.events_in, (at, frames, last));
        self.dry.write(&plan.buffers[0], frames);
        let later = block.transport.as_ref().filter(|_| at > 0).map(|now| shift(now, at as i64, plan.rate));
        let transport = later.as_ref().or(block.transport.as_ref());
        let (mut out, mute) = plan.run(frames, transport, reports, mode);
        self.pad.write(&plan.buffers[out], frames);
        if !self.pad.idle() {
            out = if out == 1 { 2 } else { 1 };
            self.pad.read(&mut plan.buffers[out], frames);
        }
        self.mute(mute, &mut plan.buffers[out], frames);
        self.write_main(plan, out, block, at, frames);
        self.write_aux(plan, block, at, frames);
        self.write_events(plan, block, at, frames);
        self.fresh = false;
    }

    fn read_events(&mut self, plan: &mut Plan, events: &EventBuffer, (at, frames, last): (usize, usize, bool)) {
        let stream = &mut plan.scratch.stream;
        stream.clear();
        self.events.clear();
        if events.is_empty() {
            self.dry_events.run(&mut self.events, self.dry.delay(), frames);
            return;
        }
        let end = if last { usize::MAX } else { at + frames };
        for (event, bytes) in events.iter().filter(|(event, _)| (at..end).contains(&event.frame.into())) {
            let frame = (usize::from(event.frame) - at).min(frames - 1) as u16;
            stream.push(frame, event.port, bytes);
            self.events.push(frame, event.port, bytes);
        }
        self.dry_events.run(&mut self.events, self.dry.delay(), frames);
    }

    fn mute(&mut self, mute: bool, bus: &mut Bus, frames: usize) {
        self.gate.go(f32::from(!mute), self.fade);
        if self.gate.is(1.0) {
            return;
        }
        let gain = &mut self.amount[..frames];
        self.gate.fill(gain);
        for channel in &mut bus.channels {
            kernels::scale_in_place(&mut channel[..frames], gain);
        }
    }

    /// The chain's output, or what the container's bypass makes of it.
    fn write_main(
        &mut self,
        plan: &mut Plan,
        out: usize,
        block: &mut ContainerBlock<'_, '_>,
        at: usize,
        frames: usize,
    ) {
        let wet = f32::from(!block.bypass && self.since >= plan.true_latency());
        self.since = self.since.saturating_add(frames as u32);
        if self.fresh {
            self.wet.jump(wet);
        }
        self.wet.go(wet, self.fade);
        if self.wet.is(1.0) {
            if !self.dry.settled() {
                self.dry.skip(frames);
            }
            write_bus(&plan.buffers[out], block.main, at, frames);
            return;
        }
        let dry = if self.dry.idle() {
            &plan.buffers[0]
        } else {
            self.dry.read(&mut plan.dry_out, frames);
            &plan.dry_out
        };
        let amount = &mut self.amount[..frames];
        self.wet.fill(amount);
        for ((to, dry), wet) in block.main.iter_mut().zip(&dry.channels).zip(&plan.buffers[out].channels) {
            for (((to, &dry), &wet), &amount) in to[at..at + frames].iter_mut().zip(&**dry).zip(&**wet).zip(&*amount) {
                *to = if amount == 0.0 { dry } else { dry * (1.0 - amount) + wet * amount };
            }
        }
    }

    fn write_aux(&mut self, plan: &mut Plan, block: &mut ContainerBlock<'_, '_>, at: usize, frames: usize) {
        if !self.wet.is(1.0) {
            for channel in &mut plan.aux.channels {
                kernels::scale_in_place(&mut channel[..frames], &self.amount[..frames]);
            }
        }
        write_bus(&plan.aux, block.aux, at, frames);
    }

    fn write_events(&mut self, plan: &mut Plan, block: &mut ContainerBlock<'_, '_>, at: usize, frames: usize) {
        let stream = &mut plan.scratch.stream;
        self.pad_events.run(stream, self.pad.delay(), frames);
        let heard = if self.wet.is(0.0) { &self.events } else { &*stream };
        for (event, bytes) in heard.iter() {
            let frame = (at + usize::from(event.frame)).min(u16::MAX.into()) as u16;
            block.events_out.push(frame, event.port, bytes);
        }
    }

    /// The container's fallback: its delayed dry. The chain fades in again after it.
    fn pass(&mut self, block: &mut ContainerBlock<'_, '_>, frames: usize) {
        self.wet.jump(0.0);
        (self.fresh, self.since) = (false, 0);
        let mut at = 0;
        while at < frames {
            let count = (frames - at).min(CHUNK as usize);
            let [input, output] = &mut self.chunk;
            read_bus(block.main.iter().map(|channel| &**channel), input, at, count);
            self.dry.write(input, count);
            if self.dry.idle() {
                write_bus(input, block.main, at, count);
            } else {
                self.dry.read(output, count);
                write_bus(output, block.main, at, count);
            }
            at += count;
        }
        for channel in &mut *block.aux {
            channel.fill(0.0);
        }
        self.pass_events(block, frames);
    }

    fn pass_events(&mut self, block: &mut ContainerBlock<'_, '_>, frames: usize) {
        block.events_in.sort();
        self.events.clear();
        self.events.append(block.events_in);
        self.dry_events.run(&mut self.events, self.dry.delay(), frames);
        block.events_out.append(&self.events);
    }
}

/// Copies in, with every sample that is no number made 0, and silence for channels that are not there.
fn read_bus<'a>(from: impl Iterator<Item = &'a [f32]>, to: &mut Bus, at: usize, frames: usize) {
    let mut given = 0;
    let level = kernels::copy_scan(to.channels.iter_mut().zip(from).map(|(to, from)| {
        given += 1;
        let from = from.get(at..at + frames).unwrap_or(&[]);
        (&mut to[..from.len()], from)
    }));
    for channel in to.channels.iter_mut().skip(given) {
        channel[..frames].fill(0.0);
    }
    if !level.energy.is_finite() {
        for channel in &mut to.channels {
            kernels::sanitise(&mut channel[..frames]);
        }
    }
}

fn write_bus(from: &Bus, to: &mut [&mut [f32]], at: usize, frames: usize) {
    for (to, from) in to.iter_mut().zip(&from.channels) {
        if let Some(to) = to.get_mut(at..at + frames) {
            to.copy_from_slice(&from[..frames]);
        }
    }
    for to in to.iter_mut().skip(from.channels.len()) {
        if let Some(to) = to.get_mut(at..at + frames) {
            to.fill(0.0);
        }
    }
}
