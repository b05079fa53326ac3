//! One block of one slot. `[audio]` all through.

use super::adapt::Feed;
use super::collect::{copy_scan, count_clips, fade_output, mean, scan, take_away};
use super::midi::Ear;
use super::path::{Path, State};
use super::rest::Pause;
use super::{Heard, Held, SlotNode};
use crate::backend::audio::RunStatus;
use crate::backend::audio::{Block, Bus, EventBuffer, ParamQueue, Samples, Told, Transport};
use crate::engine::cpu::{self, FlushToZero};
use crate::engine::events::EVENTS;
use crate::engine::kernels::{self, Level};
use crate::engine::messages::{FaultKind, Mail, Report};
use crate::engine::side::Ears;
use crate::engine::source::Source;

/// Parameter changes that a plugin may make by itself in one block.
const PARAMS_OUT: usize = 512;

/// Buffers that every slot uses in turn.
pub struct Scratch {
    pub(super) dry: Bus,
    pub(super) wet: Bus,
    pub(super) sidechain: Bus,
    /// What a sidechain heard before, while that fades out.
    pub(super) side: Bus,
    pub(super) amount: Samples,
    pub(super) gain: Samples,
    pub(super) factors: [Samples; 5],
    /// The MIDI stream at the place in the chain that is run now.
    pub stream: EventBuffer,
    pub(super) made: EventBuffer,
    /// What one slot hears, where that is not the stream.
    pub(super) heard: EventBuffer,
    none: EventBuffer,
    params_out: ParamQueue,
}

impl Scratch {
    /// For a chain of `channels` whose sidechains have as many as `sidechain` at most. `[home]`
    pub fn new(channels: usize, sidechain: usize, max_block: u32) -> Self {
        let frames = max_block as usize;
        Self {
            dry: Bus::new(channels, frames),
            wet: Bus::new(channels, frames),
            sidechain: Bus::new(sidechain, frames),
            side: Bus::new(sidechain, frames),
            amount: Samples::new(frames),
            gain: Samples::new(frames),
            factors: std::array::from_fn(|_| Samples::new(frames)),
            stream: EventBuffer::new(EVENTS, true),
            made: EventBuffer::new(EVENTS, true),
            heard: EventBuffer::new(EVENTS, true),
            none: EventBuffer::new(0, false),
            params_out: ParamQueue::new(PARAMS_OUT),
        }
    }
}

/// What sidechains may hear beside the container's.
pub enum Taps<'a> {
    /// Filled as the plan is walked.
    Filled(&'a mut [Bus]),
    /// Filled before: other lanes are run at the same time.
    Seen(&'a [Bus]),
}

impl Taps<'_> {
    /// All of them.
    pub fn all(&self) -> &[Bus] {
        match self {
            Self::Filled(taps) => taps,
            Self::Seen(taps) => taps,
        }
    }
}

/// What is the same for all slots of a block, and what they leave behind.
pub struct Moment<'a> {
    /// Frames in the block.
    pub frames: usize,
    /// Samples of all channels in the block.
    pub samples: u32,
    /// Frames of the grid on which LV2 plugins hear controls change.
    pub grid: u32,
    /// The host's transport.
    pub transport: Option<&'a Transport>,
    /// The same at the slot's own place in time, where that is another.
    pub late: Option<Transport>,
    /// The container's block as it came.
    pub source: &'a Source,
    /// Latency of the path before the slot, frames.
    pub before: u32,
    /// The container's sidechain.
    pub sidechain: &'a Bus,
    /// What else sidechains may hear.
    pub taps: Taps<'a>,
    /// What this slot's hears.
    pub ears: Ears,
    /// The container's auxiliary outputs, added to.
    pub aux: &'a mut Bus,
    /// Buffers in common.
    pub scratch: &'a mut Scratch,
    /// The way home.
    pub reports: Mail<'a>,
    /// The floating-point mode to return to after a plugin.
    pub mode: &'a FlushToZero,
    /// When the slot before ended, ticks.
    pub tick: u64,
    /// A slot whose failure silences the chain has failed.
    pub mute: bool,
    /// Samples beyond -1 to 1 in what came out of the slot that was run last, where its peak says that there are any.
    pub clips: u32,
}

impl Moment<'_> {
    fn report(&mut self, report: Report) {
        // A full ring loses a report, never a plan: those are sent only where there is room.
        let _full = self.reports.push(report);
    }
}

impl SlotNode {
    pub(super) fn run_from(
        &self,
        path: &mut Path,
        held: Option<&mut Held>,
        retry: bool,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> Level {
        let state = self.state(path, held.as_deref(), moment);
        let mut afresh = retry;
        if !path.steady {
            afresh |= state == State::Ready && path.must_begin_afresh();
            path.advance(state);
        }
        self.let_hear(Heard::In, input, moment.frames);
        let mut held = held;
        let parks = path.must_park() && held.as_deref_mut().is_some_and(|held| self.shelve(held));
        let (level, ran) = match held {
            _ if parks => (self.park(path, moment, input, output), false),
            Some(held) if state == State::Ready => self.run_held(path, held, afresh, moment, input, output),
            _ => (self.pass_dry(path, moment, input, output), false),
        };
        self.let_hear(Heard::Out, output, moment.frames);
        moment.clips = count_clips(output, level, moment.frames);
        self.end(path, moment, state, ran, level);
        level
    }

    /// Ends a block: events, counts, meters.
    #[inline]
    pub(super) fn end(&self, path: &mut Path, moment: &mut Moment<'_>, state: State, ran: bool, level: Level) {
        moment.mute |= state == State::Failed && path.mutes_chain();
        if self.has_aux {
            self.rest_aux(path, moment);
        }
        self.pass_events(path, moment, ran);
        self.hush(moment.frames);
        path.close(&self.controls, state, ran, moment.frames);
        let now = cpu::ticks();
        self.meters.note(now.wrapping_sub(moment.tick), level, moment.samples);
        moment.tick = now;
        if level.peak > 1.0 {
            self.meters.clip(moment.clips);
        }
    }

    fn state(&self, path: &mut Path, held: Option<&Held>, moment: &mut Moment<'_>) -> State {
        match held {
            Some(held) if path.faulted || held.instances.is_empty() => State::Failed,
            Some(_) => State::Ready,
            None => {
                if !path.is_parked() {
                    path.fall_back();
                    self.meters.fault(FaultKind::Busy);
                    moment.report(Report::Fault(self.id, FaultKind::Busy, false));
                }
                // What has stopped is silent where the user wants that, also while home has it.
                if path.faulted { State::Failed } else { State::Away }
            }
        }
    }

    fn run_held(
        &self,
        path: &mut Path,
        held: &mut Held,
        afresh: bool,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> (Level, bool) {
        if afresh {
            held.reset();
        }
        self.feed(path, held, moment, input);
        let ear = self.listen(path, moment);
        match self.rests(path, held, moment, ear) {
            Some(Pause::Idle) => return (self.pass_dry(path, moment, input, output), false),
            Some(Pause::Asleep) => {
                moment.scratch.made.clear();
                return (self.collect(path, held, moment, input, output), true);
            }
            None => {}
        }
        match self.call_watched(path, held, moment, ear) {
            Ok(()) => {
                self.look_for_sleep(path, held, moment);
                (self.collect(path, held, moment, input, output), true)
            }
            Err(kind) => {
                self.fault(path, kind, moment);
                (self.pass_dry(path, moment, input, output), false)
            }
        }
    }

    /// Puts the plugin, stopped, where home finds it. False: home looks there this moment, and the next block tries again; or
    /// there is none.
    fn shelve(&self, held: &mut Held) -> bool {
        if held.instances.is_empty() {
            return false;
        }
        let Ok(mut shelf) = self.shelf.try_borrow_mut() else { return false };
        held.stop();
        std::mem::swap(held, shelf.get_mut());
        true
    }

    /// The plugin lies on the shelf: home may have it.
    fn park(&self, path: &mut Path, moment: &mut Moment<'_>, input: &Bus, output: &mut Bus) -> Level {
        path.park();
        let park = path.settings.park;
        let level = self.pass_dry(path, moment, input, output);
        self.controls.note_parked(park);
        level
    }

    /// Runs the plugin, its very first block under a note.
    #[inline]
    pub(super) fn call_watched(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        ear: Ear,
    ) -> Result<(), FaultKind> {
        if held.proven {
            return self.call(path, held, moment, ear);
        }
        if let Some(first) = &self.first_run {
            first.begins();
        }
        let outcome = self.call(path, held, moment, ear);
        if let Some(first) = &self.first_run {
            first.ends();
        }
        held.proven = true;
        outcome
    }

    /// Writes the plugin's inputs.
    fn feed(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>, input: &Bus) {
        let frames = moment.frames;
        if let Some(main) = self.wiring.main_in {
            for (instance, feeds) in held.instances.iter_mut().zip(&self.wiring.feeds) {
                let bus = &mut instance.audio().buffers().inputs[main];
                if self.wiring.straight {
                    copy(input, bus, frames);
                } else {
                    for (feed, to) in feeds.iter().zip(&mut bus.channels) {
                        fill(feed, input, &mut to[..frames]);
                    }
                }
            }
            if !path.steady && !path.input_gain.is(1.0) {
                path.input_gain.fill(&mut moment.scratch.gain[..frames]);
                for instance in &mut held.instances {
                    for channel in &mut instance.audio().buffers().inputs[main].channels {
                        kernels::scale_in_place(&mut channel[..frames], &moment.scratch.gain[..frames]);
                    }
                }
            }
        }
        if let Some(bus) = self.wiring.sidechain {
            self.feed_sidechain(path, held, moment, bus);
        }
    }

    /// Calls the plugin.
    fn call(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>, ear: Ear) -> Result<(), FaultKind> {
        if !held.start() {
            moment.mode.reassert();
            return Err(FaultKind::NotStarted);
        }
        let frames = moment.frames as u32;
        let due = path.params.partition_point(|change| change.frame < frames);
        let scratch = &mut *moment.scratch;
        scratch.made.clear();
        scratch.params_out.clear();
        let (mut failed, mut quiet) = (false, true);
        for (number, instance) in held.instances.iter_mut().enumerate() {
            let mut block = Block {
                frames,
                steady_time: path.clock,
                grid: moment.grid,
                transport: moment.late.as_ref().or(moment.transport),
                events: match ear {
                    Ear::Nothing => &scratch.none,
                    Ear::Stream => &scratch.stream,
                    Ear::Own => &scratch.heard,
                },
                params: &path.params[..due],
                events_out: &mut scratch.made,
                params_out: &mut scratch.params_out,
            };
            let status = instance.run(&mut block);
            failed |= status == RunStatus::Failed;
            quiet &= status == RunStatus::Quiet;
            moment.mode.reassert();
            if number == 0 && path.tells_latency {
                match instance.audio().latency() {
                    Some(latency) => self.hear_latency(path, latency, &mut moment.reports),
                    None => path.tells_latency = false,
                }
            }
        }
        if !path.steady {
            path.rest.says_quiet = quiet;
        }
        if !path.params.is_empty() {
            path.drop_params(due, frames);
        }
        if !moment.scratch.params_out.is_empty() {
            self.report_params(moment);
        }
        if failed { Err(FaultKind::Failed) } else { Ok(()) }
    }

    #[inline(never)]
    fn report_params(&self, moment: &mut Moment<'_>) {
        for told in moment.scratch.params_out.told() {
            let _full = moment.reports.push(match told {
                Told::Begin(index) => Report::Gesture(self.id, index, true),
                Told::Value(change) => Report::Param(self.id, change.index, change.value),
                Told::End(index) => Report::Gesture(self.id, index, false),
            });
        }
    }

    fn hear_latency(&self, path: &mut Path, latency: u32, reports: &mut Mail<'_>) {
        if path.told_latency != Some(latency) {
            let news = path.told_latency.is_some() || self.pace.latency(latency) != self.latency();
            if !news || reports.push(Report::Latency(self.id, latency)) {
                path.told_latency = Some(latency);
            }
        }
    }

    pub(super) fn fault(&self, path: &mut Path, kind: FaultKind, moment: &mut Moment<'_>) {
        self.meters.fault(kind);
        path.fall_back();
        let (first, stops) = path.bad_block(&self.controls);
        if first || stops {
            moment.report(Report::Fault(self.id, kind, stops));
        }
    }

    /// The whole slot's fallback for a block: its delayed dry.
    fn pass_dry(&self, path: &mut Path, moment: &mut Moment<'_>, input: &Bus, output: &mut Bus) -> Level {
        path.fall_back();
        path.lines.dry.write(input, moment.frames);
        self.write_dry(path, moment, input, output)
    }

    /// The delayed counterpart of what was written to the line in this block.
    pub(super) fn write_dry(&self, path: &mut Path, moment: &mut Moment<'_>, input: &Bus, output: &mut Bus) -> Level {
        if !path.lines.dry.idle() {
            path.lines.dry.read(&mut moment.scratch.dry, moment.frames);
        }
        self.finish_dry(path, moment, input, output)
    }

    /// What was read from the line in this block, or the input where the line is idle.
    pub(super) fn finish_dry(&self, path: &mut Path, moment: &mut Moment<'_>, input: &Bus, output: &mut Bus) -> Level {
        let frames = moment.frames;
        let dry = if path.lines.dry.idle() { input } else { &moment.scratch.dry };
        let level = copy_scan(dry, output, frames);
        if path.delta.is(0.0) {
            return fade_output(path, moment, output).unwrap_or(level);
        }
        let (gain, delta) = (&mut moment.scratch.gain[..frames], &mut path.delta);
        take_away(delta, gain, dry, output);
        fade_output(path, moment, output).unwrap_or_else(|| scan(output, frames))
    }
}

/// Fades what goes out, where it is to be; its level then.
pub(super) fn copy(input: &Bus, output: &mut Bus, frames: usize) {
    let channels = output.channels.iter_mut().zip(&input.channels);
    kernels::copy(channels.map(|(to, from)| (&mut to[..frames], &from[..frames])));
}

fn fill(feed: &Feed, input: &Bus, to: &mut [f32]) {
    match feed {
        Feed::Silence => to.fill(0.0),
        Feed::Channel(channel) => to.copy_from_slice(&input.channels[*channel][..to.len()]),
        Feed::Mean(channels) => mean(channels, input, to),
    }
}
