//! What the container does around the chain: bypass, padding, the gate of a failed slot, events, cuts. `[audio]` all through.

use std::sync::Arc;

use super::{ContainerBlock, Runner, host};
use crate::backend::audio::{Bus, EventBuffer, Samples};
use crate::engine::FADE_SECONDS;
use crate::engine::cpu::FlushToZero;
use crate::engine::delay::DelayLine;
use crate::engine::events::{EVENTS, EventDelay};
use crate::engine::kernels::{self, Level};
use crate::engine::macros::{MacroBank, MacroDesk};
use crate::engine::messages::Report;
use crate::engine::midi::{DRY, Out, ends_something};
use crate::engine::plan::{CHUNK, Ends, Plan, shift};
use crate::engine::ramp::Ramp;
use crate::engine::source::Source;
use crate::model::BLOCK_RANGE;

/// A piece of a block that is run at once.
#[derive(Clone, Copy)]
struct Piece {
    /// Where it begins in the block.
    at: usize,
    frames: usize,
    /// It is the block's last.
    last: bool,
}

/// What the container keeps from block to block, whatever plan runs.
pub struct Desk {
    /// The container's own dry, as late as the chain.
    dry: DelayLine,
    dry_events: EventDelay,
    /// What a constant latency adds.
    pad: DelayLine,
    pad_events: EventDelay,
    events: EventBuffer,
    /// The container's block as it came, and what leaves it.
    source: Source,
    out: Out,
    /// Share of the chain against the dry.
    wet: Ramp,
    /// Silence asked for by a failed slot, or by the level guard.
    gate: Ramp,
    amount: Samples,
    chunk: [Bus; 2],
    fade: u32,
    /// No block has run yet: nothing to fade from.
    fresh: bool,
    /// Nothing faded, waited or was delayed round the chain when the last block ended.
    calm: bool,
    /// Frames that the chain has run since it last could not: until they are as many as its latency, what it gives is of
    /// before.
    since: u32,
    /// Something ended in a block that the slots did not hear.
    missed: bool,
    /// The level guard mutes the chain.
    shut: bool,
    /// What came in and what went out in this block, and how much of it clips.
    pub(super) levels: [(Level, u32); 2],
    /// How long the plan was walked in this block, ticks.
    pub(super) ticks: u64,
    pub(super) macros: MacroDesk,
}

impl Desk {
    /// For a container of `channels`, whose macros stand in `bank`. `[home]`
    pub fn new(channels: usize, bank: Arc<MacroBank>) -> Self {
        let line = || DelayLine::new(channels, 0, CHUNK, 1);
        let bus = || Bus::new(channels, CHUNK as usize);
        Self {
            dry: line(),
            dry_events: EventDelay::new(),
            pad: line(),
            pad_events: EventDelay::new(),
            events: EventBuffer::new(EVENTS, true),
            source: Source::new(),
            out: Out::new(),
            wet: Ramp::new(1.0),
            gate: Ramp::new(1.0),
            amount: Samples::new(*BLOCK_RANGE.end() as usize),
            chunk: [bus(), bus()],
            fade: 1,
            fresh: true,
            calm: false,
            since: u32::MAX,
            missed: false,
            shut: false,
            levels: Default::default(),
            ticks: 0,
            macros: MacroDesk::new(bank),
        }
    }

    /// Forgets what still sounds and ends every note that left; `panic`: on all channels, whether one is known to sound or not.
    pub fn clear(&mut self, panic: bool) {
        self.dry.clear();
        self.pad.clear();
        self.dry_events.clear();
        self.pad_events.clear();
        self.source.events.clear();
        self.out.end(panic);
    }

    /// Mutes the chain, or lets it sound again; offline it is never muted, and is whole from its first frame.
    pub fn shut(&mut self, muted: bool, offline: bool) {
        let was = std::mem::replace(&mut self.shut, muted && !offline);
        if was && offline {
            self.gate.jump(1.0);
        }
    }

    /// Runs a block through the plan, or passes it on where there is none.
    pub fn run(&mut self, runner: &mut Runner, block: &mut ContainerBlock<'_, '_>, frames: usize, mode: &FlushToZero) {
        let Some(plan) = &mut runner.plan else {
            self.pass(block, frames);
            return;
        };
        if !plan.adopted {
            self.adopt(plan);
        }
        if std::mem::take(&mut self.missed) {
            plan.slots().for_each(|node| node.end_notes());
        }
        block.events_in.sort();
        self.macros.hear(block.events_in);
        let longest = plan.max_block as usize;
        let mut at = 0;
        while at < frames {
            let count = (frames - at).min(longest);
            let piece = Piece { at, frames: count, last: at + count == frames };
            self.macros.run(plan, at, count, piece.last);
            match self.is_quiet(block) {
                true => self.run_quiet(plan, &mut runner.reports, block, piece, mode),
                false => self.run_piece(plan, &mut runner.reports, block, piece, mode),
            }
            at += count;
        }
    }

    /// Takes over from a new plan what outlives it.
    fn adopt(&mut self, plan: &mut Plan) {
        plan.adopted = true;
        self.calm = false;
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

    /// Whether the chain's own input and output are all that matters of a block: the desk is calm and no event comes in.
    #[inline]
    fn is_quiet(&self, block: &ContainerBlock<'_, '_>) -> bool {
        self.calm && !self.shut && !block.bypass && block.events_in.is_empty() && block.aux.is_empty()
    }

    /// Whether nothing fades, waits or is delayed round the chain.
    fn is_calm(&self, plan: &Plan) -> bool {
        self.wet.is(1.0)
            && self.gate.is(1.0)
            && self.since >= plan.true_latency()
            && self.dry.idle()
            && self.pad.idle()
            && self.dry_events.is_empty()
            && self.pad_events.is_empty()
            && plan.aux.channels.is_empty()
    }

    /// A quiet block: from the host's samples to the host's samples with nothing in between but the slots.
    fn run_quiet(
        &mut self,
        plan: &mut Plan,
        reports: &mut rtrb::Producer<Report>,
        block: &mut ContainerBlock<'_, '_>,
        Piece { at, frames, .. }: Piece,
        mode: &FlushToZero,
    ) {
        if plan.hears_container {
            host::read(block.sidechain, &mut plan.sidechain, at, frames);
        }
        plan.scratch.stream.clear();
        self.since = self.since.saturating_add(frames as u32);
        self.dry_events.skip(frames);
        self.pad_events.skip(frames);
        let later = block.transport.as_ref().filter(|now| at > 0 && now.playing);
        let later = later.map(|now| shift(now, at as i64, plan.rate));
        let transport = later.as_ref().or(block.transport.as_ref());
        self.source.song.note(transport);
        let ran = plan.run(frames, transport, &self.source, reports, mode, Ends::Host(block.main, at));
        match ran.mute {
            // Not copied before they are added up: two words that have just been written are slow to read as one.
            false => self.note_levels(&ran.levels, ran.ticks),
            true => {
                self.begin_mute(block.main, at, frames);
                self.note_levels(&[ran.levels[0], measure(block.main, at, frames)], ran.ticks);
            }
        }
        self.out.send(&plan.scratch.stream, plan.feeder, at, block.events_out);
        self.source.pass(frames);
    }

    fn run_piece(
        &mut self,
        plan: &mut Plan,
        reports: &mut rtrb::Producer<Report>,
        block: &mut ContainerBlock<'_, '_>,
        piece: Piece,
        mode: &FlushToZero,
    ) {
        let Piece { at, frames, .. } = piece;
        let came = host::read_scan(block.main, &mut plan.buffers[0], at, frames);
        let came = (came, host::count_clips(block.main, came, at, frames));
        if plan.hears_container {
            host::read(block.sidechain, &mut plan.sidechain, at, frames);
        }
        for channel in &mut plan.aux.channels {
            channel[..frames].fill(0.0);
        }
        self.read_events(plan, block.events_in, piece);
        self.dry.write(&plan.buffers[0], frames);
        let later = block.transport.as_ref().filter(|now| at > 0 && now.playing);
        let later = later.map(|now| shift(now, at as i64, plan.rate));
        let transport = later.as_ref().or(block.transport.as_ref());
        self.source.song.note(transport);
        let ran = plan.run(frames, transport, &self.source, reports, mode, Ends::Buffers);
        let out = ran.output;
        self.pad.write(&plan.buffers[out], frames);
        let padded = !self.pad.idle();
        if padded {
            self.pad.read(&mut plan.pad_out, frames);
        }
        let bus = if padded { &mut plan.pad_out } else { &mut plan.buffers[out] };
        self.mute(ran.mute || self.shut, bus.channels.iter_mut().chain(&mut plan.aux.channels), frames);
        let out = if padded { None } else { Some(out) };
        self.write_main(plan, out, block, at, frames);
        self.note_levels(&[came, measure(block.main, at, frames)], ran.ticks);
        self.write_aux(plan, block, at, frames);
        self.write_events(plan, block, at, frames);
        self.source.pass(frames);
        self.fresh = false;
        self.calm = self.is_calm(plan);
    }

    /// A slot's failure silences the chain in a block that went straight to the host.
    #[cold]
    fn begin_mute(&mut self, main: &mut [&mut [f32]], at: usize, frames: usize) {
        self.calm = false;
        self.gate.go(0.0, self.fade);
        let gain = &mut self.amount[..frames];
        self.gate.fill(gain);
        for channel in main {
            kernels::scale_in_place(&mut channel[at..at + frames], gain);
        }
    }

    /// Adds what came in and what went out.
    #[inline]
    fn note_levels(&mut self, levels: &[(Level, u32); 2], ticks: u64) {
        for ((level, clips), (more, others)) in self.levels.iter_mut().zip(levels) {
            (*level, *clips) = (level.and(*more), clips.saturating_add(*others));
        }
        self.ticks += ticks;
    }

    fn read_events(&mut self, plan: &mut Plan, events: &EventBuffer, Piece { at, frames, last }: Piece) {
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
            stream.copy(frame, event, bytes);
            self.events.copy(frame, event, bytes);
        }
        self.source.events.note(&self.events);
        self.dry_events.run(&mut self.events, self.dry.delay(), frames);
    }

    fn mute<'a>(&mut self, mute: bool, channels: impl Iterator<Item = &'a mut Samples>, frames: usize) {
        self.gate.go(f32::from(!mute), self.fade);
        if self.gate.is(1.0) {
            return;
        }
        let gain = &mut self.amount[..frames];
        self.gate.fill(gain);
        for channel in channels {
            kernels::scale_in_place(&mut channel[..frames], gain);
        }
    }

    /// The chain's output, or what the container's bypass makes of it.
    fn write_main(
        &mut self,
        plan: &mut Plan,
        out: Option<usize>,
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
            host::write(out.map_or(&plan.pad_out, |out| &plan.buffers[out]), block.main, at, frames);
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
        let out = out.map_or(&plan.pad_out, |out| &plan.buffers[out]);
        for ((to, dry), wet) in block.main.iter_mut().zip(&dry.channels).zip(&out.channels) {
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
        host::write(&plan.aux, block.aux, at, frames);
    }

    fn write_events(&mut self, plan: &mut Plan, block: &mut ContainerBlock<'_, '_>, at: usize, frames: usize) {
        let stream = &mut plan.scratch.stream;
        self.pad_events.run(stream, self.pad.delay(), frames);
        let (heard, origin) = if self.wet.is(0.0) { (&self.events, DRY) } else { (&*stream, plan.feeder) };
        self.out.send(heard, origin, at, block.events_out);
    }

    /// The container's fallback: its delayed dry. The chain fades in again after it.
    pub fn pass(&mut self, block: &mut ContainerBlock<'_, '_>, frames: usize) {
        self.wet.jump(0.0);
        (self.fresh, self.calm, self.since) = (false, false, 0);
        block.events_in.sort();
        self.macros.hear(block.events_in);
        self.macros.pass();
        let mut at = 0;
        while at < frames {
            let count = (frames - at).min(CHUNK as usize);
            let [input, output] = &mut self.chunk;
            host::read(block.main, input, at, count);
            self.dry.write(input, count);
            if self.dry.idle() {
                host::write(input, block.main, at, count);
            } else {
                self.dry.read(output, count);
                host::write(output, block.main, at, count);
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
        self.missed |= ends_something(block.events_in);
        self.events.clear();
        self.events.append(block.events_in);
        self.dry_events.run(&mut self.events, self.dry.delay(), frames);
        self.out.send(&self.events, DRY, 0, block.events_out);
    }
}

/// What the host is given.
fn measure(main: &[&mut [f32]], at: usize, frames: usize) -> (Level, u32) {
    let level = host::scan_main(main, at, frames);
    (level, host::count_clips(main, level, at, frames))
}
