//! One block of one slot. `[audio]` all through.

use super::adapt::{Feed, Take};
use super::path::{Path, State};
use super::{Held, SlotNode};
use crate::backend::audio::RunStatus;
use crate::backend::audio::{Block, Bus, EventBuffer, ParamQueue, Samples, Transport};
use crate::engine::cpu::{self, FlushToZero};
use crate::engine::events::EVENTS;
use crate::engine::foreign::foreign;
use crate::engine::kernels::{self, Level};
use crate::engine::messages::{FaultKind, Report};

/// Parameter changes that a plugin may make by itself in one block.
const PARAMS_OUT: usize = 512;

/// Buffers that every slot uses in turn.
pub struct Scratch {
    dry: Bus,
    wet: Bus,
    sidechain: Bus,
    amount: Samples,
    gain: Samples,
    /// The MIDI stream at the place in the chain that is run now.
    pub stream: EventBuffer,
    made: EventBuffer,
    none: EventBuffer,
    params_out: ParamQueue,
}

impl Scratch {
    /// For a chain of `channels` with a sidechain. `[home]`
    pub fn new(channels: usize, sidechain: usize, max_block: u32) -> Self {
        let frames = max_block as usize;
        Self {
            dry: Bus::new(channels, frames),
            wet: Bus::new(channels, frames),
            sidechain: Bus::new(sidechain, frames),
            amount: Samples::new(frames),
            gain: Samples::new(frames),
            stream: EventBuffer::new(EVENTS, true),
            made: EventBuffer::new(EVENTS, true),
            none: EventBuffer::new(0, false),
            params_out: ParamQueue::new(PARAMS_OUT),
        }
    }
}

/// What is the same for all slots of a block, and what they leave behind.
pub struct Moment<'a> {
    /// Frames in the block.
    pub frames: usize,
    /// 1 / samples in the block.
    pub share: f32,
    /// The host's transport.
    pub transport: Option<&'a Transport>,
    /// The same at the slot's own place in time, where that is another.
    pub late: Option<Transport>,
    /// The container's sidechain.
    pub sidechain: &'a Bus,
    /// The container's auxiliary outputs, added to.
    pub aux: &'a mut Bus,
    /// Buffers in common.
    pub scratch: &'a mut Scratch,
    /// The way home.
    pub reports: &'a mut rtrb::Producer<Report>,
    /// The floating-point mode to return to after a plugin.
    pub mode: &'a FlushToZero,
    /// When the slot before ended, ticks.
    pub tick: u64,
    /// A slot whose failure silences the chain has failed.
    pub mute: bool,
}

impl Moment<'_> {
    fn report(&mut self, report: Report) {
        // A full ring loses a report, never a plan: those are sent only where there is room.
        let _full = self.reports.push(report);
    }
}

impl SlotNode {
    /// Runs one block from `input` to `output`. `[audio]`
    pub(in crate::engine) fn run(&self, moment: &mut Moment<'_>, input: &Bus, output: &mut Bus) {
        let Ok(mut path) = self.path.try_borrow_mut() else {
            copy(input, output, moment.frames);
            self.meters.fault(FaultKind::Busy);
            return;
        };
        let path = path.get_mut();
        let retry = path.follow(&self.controls);
        let mut held = if path.is_parked() { None } else { self.plugin.try_borrow_mut().ok() };
        let held = held.as_mut().map(|held| held.get_mut());
        let state = self.state(path, held.as_deref(), moment);
        if !path.steady {
            path.advance(state);
        }
        let (level, ran) = match held {
            Some(held) if state == State::Ready => self.run_held(path, held, retry, moment, input, output),
            _ => (self.pass_dry(path, moment, input, output), false),
        };
        moment.mute |= path.mutes_chain(state);
        self.pass_events(path, moment, ran);
        path.close(&self.controls, state, ran, moment.frames);
        let now = cpu::ticks();
        self.meters.note(now.wrapping_sub(moment.tick), level, moment.share);
        moment.tick = now;
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
                State::Away
            }
        }
    }

    fn run_held(
        &self,
        path: &mut Path,
        held: &mut Held,
        retry: bool,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> (Level, bool) {
        if path.must_park() {
            held.stop();
            path.park();
            let park = path.settings.park;
            let level = self.pass_dry(path, moment, input, output);
            self.controls.note_parked(park);
            return (level, false);
        }
        if retry {
            held.reset();
        }
        self.feed(path, held, moment, input);
        match self.call(path, held, moment) {
            Ok(()) => (self.collect(path, held, moment, input, output), true),
            Err(kind) => {
                self.fault(path, kind, moment);
                (self.pass_dry(path, moment, input, output), false)
            }
        }
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

    fn feed_sidechain(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>, bus: usize) {
        let frames = moment.frames;
        let line = &mut path.lines.sidechain;
        line.write(moment.sidechain, frames);
        let from = if line.idle() {
            moment.sidechain
        } else {
            line.read(&mut moment.scratch.sidechain, frames);
            &moment.scratch.sidechain
        };
        for instance in &mut held.instances {
            for (i, to) in instance.audio().buffers().inputs[bus].channels.iter_mut().enumerate() {
                match from.channels.get(i % from.channels.len().max(1)) {
                    Some(from) => to[..frames].copy_from_slice(&from[..frames]),
                    None => to[..frames].fill(0.0),
                }
            }
        }
    }

    /// Calls the plugin.
    fn call(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>) -> Result<(), FaultKind> {
        if !held.start() {
            moment.mode.reassert();
            return Err(FaultKind::NotStarted);
        }
        let frames = moment.frames as u32;
        let due = path.params.partition_point(|change| change.frame < frames);
        let scratch = &mut *moment.scratch;
        scratch.made.clear();
        scratch.params_out.clear();
        let mut failed = false;
        for (number, instance) in held.instances.iter_mut().enumerate() {
            let mut block = Block {
                frames,
                steady_time: path.clock,
                transport: moment.late.as_ref().or(moment.transport),
                events: if self.ports.midi_in { &scratch.stream } else { &scratch.none },
                params: &path.params[..due],
                events_out: &mut scratch.made,
                params_out: &mut scratch.params_out,
            };
            failed |= foreign(|| instance.audio().run(&mut block)) == RunStatus::Failed;
            moment.mode.reassert();
            if number > 0 {
                continue;
            }
            if let Some(latency) = instance.audio().latency() {
                self.hear_latency(path, latency, moment.reports);
            }
        }
        if due > 0 {
            path.drop_params(due, frames);
        } else if !path.params.is_empty() {
            path.drop_params(0, frames);
        }
        for change in moment.scratch.params_out.as_slice() {
            let _full = moment.reports.push(Report::Param(self.id, change.index, change.value));
        }
        if failed { Err(FaultKind::Failed) } else { Ok(()) }
    }

    fn hear_latency(&self, path: &mut Path, latency: u32, reports: &mut rtrb::Producer<Report>) {
        if path.told_latency != Some(latency) {
            let news = path.told_latency.is_some() || latency != self.latency();
            if !news || reports.push(Report::Latency(self.id, latency)).is_ok() {
                path.told_latency = Some(latency);
            }
        }
    }

    /// Brings the plugin's outputs to `output`, with what the fades ask for.
    fn collect(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> Level {
        let frames = moment.frames;
        path.lines.dry.write(input, frames);
        let direct = path.steady && !self.adds;
        if direct {
            let dry = if path.lines.dry.idle() || !self.wiring.passes_dry() {
                input
            } else {
                path.lines.dry.read(&mut moment.scratch.dry, frames);
                &moment.scratch.dry
            };
            let level = self.gather(held, dry, output, frames);
            if level.energy.is_finite() || all_finite(output, frames) {
                path.good_block();
                if !path.aux.channels.is_empty() {
                    self.collect_aux(path, held, moment);
                }
                return level;
            }
            self.fault(path, FaultKind::NonFinite, moment);
            return self.write_dry(path, moment, input, output);
        }
        self.collect_faded(path, held, moment, input, output)
    }

    fn collect_faded(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> Level {
        let frames = moment.frames;
        let scratch = &mut *moment.scratch;
        let dry = dry_of(path, &mut scratch.dry, input, frames);
        let raw = self.gather(held, dry, &mut scratch.wet, frames);
        if !raw.energy.is_finite() && !all_finite(&scratch.wet, frames) {
            self.fault(path, FaultKind::NonFinite, moment);
            return self.finish_dry(path, moment, input, output);
        }
        path.good_block();
        let (amount, gain) = (&mut scratch.amount[..frames], &mut scratch.gain[..frames]);
        path.mix.fill(amount);
        path.wet.fill(gain);
        kernels::scale_in_place(amount, gain);
        path.output_gain.fill(gain);
        let mix = if self.adds { kernels::mix } else { kernels::blend };
        for ((out, dry), wet) in output.channels.iter_mut().zip(&dry.channels).zip(&scratch.wet.channels) {
            mix(&mut out[..frames], &dry[..frames], &wet[..frames], amount, gain);
        }
        let level = scan(output, frames);
        if !level.energy.is_finite() && !all_finite(output, frames) {
            // Gains made an overflow of finite samples: nobody's fault, but it must not leave.
            return self.finish_dry(path, moment, input, output);
        }
        if !path.dry_gain.is(1.0) {
            fade_output(path, moment, output);
        }
        self.collect_aux(path, held, moment);
        level
    }

    /// The plugin's outputs as the chain's channels.
    #[inline(always)]
    fn gather(&self, held: &mut Held, dry: &Bus, to: &mut Bus, frames: usize) -> Level {
        match (self.wiring.main_out, held.instances.first_mut()) {
            (Some(main), Some(instance)) if self.wiring.straight => {
                copy_scan(&instance.audio().buffers().outputs[main], to, frames)
            }
            (Some(main), _) => {
                self.gather_wired(held, main, dry, to, frames);
                scan(to, frames)
            }
            (None, _) if self.adds => {
                to.channels.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
                Level::default()
            }
            (None, _) => copy_scan(dry, to, frames),
        }
    }

    fn gather_wired(&self, held: &mut Held, main: usize, dry: &Bus, to: &mut Bus, frames: usize) {
        for (c, (take, to)) in self.wiring.takes.iter().zip(&mut to.channels).enumerate() {
            let to = &mut to[..frames];
            match take {
                Take::Dry if self.adds => to.fill(0.0),
                Take::Dry => to.copy_from_slice(&dry.channels[c][..frames]),
                Take::Channel(instance, channel) => {
                    if let Some(instance) = held.instances.get_mut(*instance) {
                        to.copy_from_slice(&instance.audio().buffers().outputs[main].channels[*channel][..frames]);
                    }
                }
                Take::Mean(channels) => {
                    if let Some(instance) = held.instances.first_mut() {
                        mean(channels, &instance.audio().buffers().outputs[main], to);
                    }
                }
            }
        }
    }

    /// Adds the plugin's further outputs to the container's auxiliary outputs, late by the latency after the slot.
    fn collect_aux(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>) {
        let frames = moment.frames;
        if path.aux.channels.is_empty() {
            return;
        }
        let Some(instance) = held.instances.first_mut() else { return };
        for channel in &mut path.aux.channels {
            channel[..frames].fill(0.0);
        }
        for (pair, &bus) in self.wiring.aux.iter().enumerate() {
            let from = &instance.audio().buffers().outputs[bus];
            for c in 0..2 {
                let source = from.channels.get(c).or(from.channels.first());
                let (Some(to), Some(from)) = (path.aux.channels.get_mut(pair * 2 + c), source) else { continue };
                let to = &mut to[..frames];
                to.copy_from_slice(&from[..frames]);
                kernels::sanitise(to);
                if !path.steady {
                    kernels::scale_in_place(to, &moment.scratch.amount[..frames]);
                }
            }
        }
        path.lines.aux.write(&path.aux, frames);
        if !path.lines.aux.idle() {
            path.lines.aux.read(&mut path.aux, frames);
        }
        for (to, from) in moment.aux.channels.iter_mut().zip(&path.aux.channels) {
            kernels::add(&mut to[..frames], &from[..frames]);
        }
    }

    fn fault(&self, path: &mut Path, kind: FaultKind, moment: &mut Moment<'_>) {
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
    fn write_dry(&self, path: &mut Path, moment: &mut Moment<'_>, input: &Bus, output: &mut Bus) -> Level {
        if !path.lines.dry.idle() {
            path.lines.dry.read(&mut moment.scratch.dry, moment.frames);
        }
        self.finish_dry(path, moment, input, output)
    }

    /// What was read from the line in this block, or the input where the line is idle.
    fn finish_dry(&self, path: &mut Path, moment: &mut Moment<'_>, input: &Bus, output: &mut Bus) -> Level {
        let frames = moment.frames;
        let dry = if path.lines.dry.idle() { input } else { &moment.scratch.dry };
        let level = copy_scan(dry, output, frames);
        if !path.dry_gain.is(1.0) {
            fade_output(path, moment, output);
        }
        level
    }

    /// The MIDI stream after the slot, late by the slot's latency.
    fn pass_events(&self, path: &mut Path, moment: &mut Moment<'_>, ran: bool) {
        let scratch = &mut *moment.scratch;
        if ran && self.ports.midi_out && !path.settings.bypass {
            if path.settings.merge_midi {
                scratch.stream.append(&scratch.made);
                scratch.stream.sort();
            } else {
                std::mem::swap(&mut scratch.stream, &mut scratch.made);
                scratch.stream.sort();
            }
        }
        path.events.run(&mut scratch.stream, path.lines.dry.delay(), moment.frames);
    }
}

fn dry_of<'a>(path: &mut Path, scratch: &'a mut Bus, input: &'a Bus, frames: usize) -> &'a Bus {
    if path.lines.dry.idle() {
        return input;
    }
    path.lines.dry.read(scratch, frames);
    scratch
}

fn fade_output(path: &mut Path, moment: &mut Moment<'_>, output: &mut Bus) {
    let gain = &mut moment.scratch.gain[..moment.frames];
    path.dry_gain.fill(gain);
    for channel in &mut output.channels {
        kernels::scale_in_place(&mut channel[..moment.frames], gain);
    }
}

fn all_finite(bus: &Bus, frames: usize) -> bool {
    bus.channels.iter().all(|channel| kernels::all_finite(&channel[..frames]))
}

/// One pass over all channels: copy, peak, power and whether all is finite.
#[inline(never)]
fn copy_scan(from: &Bus, to: &mut Bus, frames: usize) -> Level {
    let channels = to.channels.iter_mut().zip(&from.channels);
    let pairs = channels.map(|(to, from)| (&mut to[..frames], &from[..frames]));
    cpu::wide(
        #[inline(always)]
        || kernels::copy_scan(pairs),
    )
}

fn scan(bus: &Bus, frames: usize) -> Level {
    kernels::scan(bus.channels.iter().map(|channel| &channel[..frames]))
}

fn copy(input: &Bus, output: &mut Bus, frames: usize) {
    for (to, from) in output.channels.iter_mut().zip(&input.channels) {
        to[..frames].copy_from_slice(&from[..frames]);
    }
}

fn fill(feed: &Feed, input: &Bus, to: &mut [f32]) {
    match feed {
        Feed::Silence => to.fill(0.0),
        Feed::Channel(channel) => to.copy_from_slice(&input.channels[*channel][..to.len()]),
        Feed::Mean(channels) => mean(channels, input, to),
    }
}

fn mean(channels: &[usize], from: &Bus, to: &mut [f32]) {
    to.fill(0.0);
    for &channel in channels {
        kernels::add(to, &from.channels[channel][..to.len()]);
    }
    let share = 1.0 / channels.len().max(1) as f32;
    for x in to {
        *x *= share;
    }
}
