//! What the audio thread walks: a list of steps over a set of buffers, worked out at home.

use std::sync::Arc;

use super::cpu::{self, FlushToZero};
use super::delay::DelayLine;
use super::kernels;
use super::macros::{Route, Table};
use super::messages::Report;
use super::processor::host;
use super::slot::{FADE_SECONDS, Lines, Moment, Outlet, Scratch, SlotNode};
use super::source::Source;
use crate::backend::audio::{Bus, Transport};
use crate::model::{BLOCK_RANGE, LatencyMode, MAX_LATENCY};

/// Frames in which the container's dry is passed on where there is no plan.
pub(super) const CHUNK: u32 = 256;

/// What a plan is made of.
pub struct PlanSpec {
    /// The slots, first to last.
    pub slots: Vec<Arc<SlotNode>>,
    /// What the host is told.
    pub mode: LatencyMode,
    /// Sample rate, Hz.
    pub rate: f64,
    /// Largest block, frames. A plan runs in blocks of at most this, and of at most what each of its slots takes.
    pub max_block: u32,
    /// Channels of the chain.
    pub channels: u16,
    /// Channels of the container's sidechain.
    pub sidechain: u16,
    /// Channels of the container's auxiliary outputs.
    pub aux: u16,
    /// What the macros move.
    pub macros: Vec<Route>,
}

/// One piece of work: a slot, from one buffer to another.
pub(super) struct Step {
    pub node: Arc<SlotNode>,
    input: usize,
    output: usize,
    /// Latency of the path before the slot, frames.
    before: u32,
    wanted: Lines<u32>,
    spares: Lines<Option<DelayLine>>,
}

/// The chain as the audio thread runs it. Immutable but for its buffers.
pub struct Plan {
    pub(super) steps: Vec<Step>,
    pub(super) buffers: Vec<Bus>,
    pub(super) sidechain: Bus,
    pub(super) aux: Bus,
    pub(super) scratch: Scratch,
    /// A line for the container's own dry, long enough for this plan; what it replaces is left here.
    pub(super) dry: DelayLine,
    pub(super) dry_out: Bus,
    /// The processor has taken over what it needs from it.
    pub(super) adopted: bool,
    /// A line for the padding of a constant latency.
    pub(super) pad: DelayLine,
    pub(super) padding: u32,
    pub(super) max_block: u32,
    pub(super) rate: f64,
    /// Which plugins make the MIDI that leaves the chain, as a number.
    pub(super) feeder: u64,
    pub(super) macros: Table,
    output: usize,
    inner: u32,
    reported: u32,
    tail: u32,
}

impl Plan {
    /// Works a chain out. `[home]`
    pub fn build(spec: PlanSpec) -> Box<Self> {
        let max_block = spec.slots.iter().map(|node| node.shape().max_block).fold(spec.max_block, u32::min);
        let max_block = max_block.clamp(*BLOCK_RANGE.start(), *BLOCK_RANGE.end());
        let inner = sum(spec.slots.iter().map(|node| node.latency()));
        let (reported, padding) = report(spec.mode, spec.rate, inner);
        let frames = max_block as usize;
        let channels = usize::from(spec.channels);
        let whole = inner.saturating_add(padding).min(MAX_LATENCY);
        let fade = (spec.rate * FADE_SECONDS) as u32;
        let line = |longest| DelayLine::new(channels, longest, max_block.max(CHUNK), fade);
        let output = if spec.slots.is_empty() { 0 } else { 1 + (spec.slots.len() - 1) % 2 };
        let tail = spec.slots.iter().fold(whole, |tail, node| tail.saturating_add(node.tail()));
        let steps = steps(&spec.slots, whole);
        let before = |node: &SlotNode| Some(steps.iter().find(|step| step.node.key() == node.key())?.before);
        Box::new(Self {
            macros: Table::new(spec.macros, before, max_block),
            steps,
            buffers: (0..3).map(|_| Bus::new(channels, frames)).collect(),
            sidechain: Bus::new(spec.sidechain.into(), frames),
            aux: Bus::new(spec.aux.into(), frames),
            scratch: Scratch::new(channels, spec.sidechain.into(), max_block),
            dry: line(whole),
            dry_out: Bus::new(channels, frames),
            adopted: false,
            pad: line(padding),
            padding,
            max_block,
            rate: spec.rate,
            feeder: 0,
            output,
            inner,
            reported,
            tail,
        })
    }

    /// Latency to report to the host, frames. `[any]`
    pub fn latency(&self) -> u32 {
        self.reported
    }

    /// Latency that an impulse shows, frames. `[any]`
    pub fn true_latency(&self) -> u32 {
        self.inner.saturating_add(self.padding).min(MAX_LATENCY)
    }

    /// Frames the chain sounds on after silence; `u32::MAX` for ever. `[any]`
    pub fn tail(&self) -> u32 {
        self.tail
    }

    /// Largest block it runs, frames; longer ones are cut. `[any]`
    pub fn max_block(&self) -> u32 {
        self.max_block
    }

    /// The slots it runs, first to last. `[any]`
    pub fn slots(&self) -> impl Iterator<Item = &Arc<SlotNode>> {
        self.steps.iter().map(|step| &step.node)
    }

    /// Whether it runs this node. `[any]`
    pub fn holds(&self, node: &Arc<SlotNode>) -> bool {
        self.slots().any(|held| held.key() == node.key())
    }

    /// Begins: its slots take over longer lines and go to their new delays. `[audio]`
    pub(super) fn enter(&mut self) {
        self.feeder = 0;
        for step in &mut self.steps {
            step.node.enter(&step.wanted, &mut step.spares);
            step.node.fed_by(self.feeder);
            if step.node.makes_midi() {
                // One number for each row of makers; keys are never used twice.
                self.feeder = (self.feeder + step.node.key()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
        }
    }

    /// The slot with this key. `[audio]`
    pub(super) fn node(&self, key: u64) -> Option<&SlotNode> {
        self.steps.iter().find(|step| step.node.key() == key).map(|step| step.node.as_ref())
    }

    /// Walks the steps. `[audio]`
    pub(super) fn run(
        &mut self,
        frames: usize,
        transport: Option<&Transport>,
        source: &Source,
        reports: &mut rtrb::Producer<Report>,
        mode: &FlushToZero,
        mut ends: Ends<'_, '_>,
    ) -> Ran {
        let mut moment = Moment {
            frames,
            share: 1.0 / (frames * self.buffers[0].channels.len()).max(1) as f32,
            transport,
            late: None,
            source,
            before: 0,
            sidechain: &self.sidechain,
            aux: &mut self.aux,
            scratch: &mut self.scratch,
            reports,
            mode,
            tick: cpu::ticks(),
            mute: false,
        };
        let mut steps = self.steps.iter();
        let mut next = steps.next().map(|step| (step, step.node.begin()));
        let first = next.as_mut().and_then(|(_, slot)| slot.direct());
        ends.read(first, &mut self.buffers[0], frames);
        while let Some((step, slot)) = next {
            next = steps.next().map(|step| (step, step.node.begin()));
            moment.before = step.before;
            if let Some(now) = transport {
                moment.late = (step.before > 0).then(|| source.song.seen(now, step.before, self.rate));
            }
            let Ok([input, output]) = self.buffers.get_disjoint_mut([step.input, step.output]) else { continue };
            let outlet = match (&mut next, &mut ends) {
                (Some((_, slot)), _) => Outlet::Bus(slot.direct().unwrap_or(output)),
                (None, Ends::Host(main, at)) => Outlet::Host { main, at: *at, spare: output },
                (None, Ends::Buffers) => Outlet::Bus(output),
            };
            slot.run(&mut moment, input, outlet);
        }
        Ran { output: self.output, mute: moment.mute }
    }
}

/// Where a chain's sound comes from and goes to.
pub(super) enum Ends<'a, 'b> {
    /// Buffer 0 holds what comes in; [`Ran::output`] says which one holds what goes out.
    Buffers,
    /// The host's samples, from this frame on.
    Host(&'a mut [&'b mut [f32]], usize),
}

impl Ends<'_, '_> {
    /// Brings what comes in to where the first step wants it.
    fn read(&self, direct: Option<&mut Bus>, buffer: &mut Bus, frames: usize) {
        match (self, direct) {
            (Self::Host(main, at), direct) => {
                host::read(main, direct.unwrap_or(buffer), *at, frames);
            }
            (Self::Buffers, Some(direct)) => {
                let channels = direct.channels.iter_mut().zip(&buffer.channels);
                kernels::copy(channels.map(|(to, from)| (&mut to[..frames], &from[..frames])));
            }
            (Self::Buffers, None) => {}
        }
    }
}

/// What became of a block.
pub(super) struct Ran {
    /// The buffer that holds what goes out, where it is not with the host already.
    pub output: usize,
    /// The chain is to be silent.
    pub mute: bool,
}

fn sum(latencies: impl Iterator<Item = u32>) -> u32 {
    latencies.fold(0, u32::saturating_add).min(MAX_LATENCY)
}

/// What is reported for a chain of latency `inner`, and the frames that are added to it.
fn report(mode: LatencyMode, rate: f64, inner: u32) -> (u32, u32) {
    match mode {
        LatencyMode::True => (inner, 0),
        LatencyMode::Live => (0, 0),
        LatencyMode::Constant(milliseconds) => {
            let asked = (milliseconds / 1000.0 * rate).round().clamp(0.0, f64::from(MAX_LATENCY)) as u32;
            (inner.max(asked), asked.saturating_sub(inner))
        }
    }
}

/// The slots in series: the first reads what came in, the others the buffer that the one before wrote. Two buffers take
/// turns, so that what a slot was fed is there until the next one is done.
fn steps(slots: &[Arc<SlotNode>], whole: u32) -> Vec<Step> {
    let mut before = 0_u32;
    let step = |(i, node): (usize, &Arc<SlotNode>)| {
        let dry = node.latency();
        let after = whole.saturating_sub(before.saturating_add(dry));
        let wanted = Lines { dry, sidechain: before.min(MAX_LATENCY), aux: after };
        let spares = node.spares(&wanted);
        let step = Step {
            node: node.clone(),
            input: if i == 0 { 0 } else { 1 + (i - 1) % 2 },
            output: 1 + i % 2,
            before,
            wanted,
            spares,
        };
        before = before.saturating_add(dry);
        step
    };
    slots.iter().enumerate().map(step).collect()
}

/// The host's transport `frames` later, at this block's tempo.
pub(super) fn shift(now: &Transport, frames: i64, rate: f64) -> Transport {
    let mut then = *now;
    then.frames = now.frames.map(|at| at + frames);
    if let (Some(beats), Some(tempo)) = (now.beats, now.tempo) {
        let beats = beats + frames as f64 / rate * tempo / 60.0;
        then.beats = Some(beats);
        if let (Some(start), Some((count, unit))) = (now.bar_start, now.time_signature) {
            let bar = f64::from(count.max(1)) * 4.0 / f64::from(unit.max(1));
            let bars = ((beats - start) / bar).floor();
            then.bar_start = Some(start + bars * bar);
            then.bar = now.bar.map(|number| number + bars as i32);
        }
    }
    then
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_follows_the_mode() {
        assert_eq!(report(LatencyMode::True, 48_000.0, 700), (700, 0));
        assert_eq!(report(LatencyMode::Live, 48_000.0, 700), (0, 0));
        assert_eq!(report(LatencyMode::Constant(20.0), 48_000.0, 700), (960, 260));
        assert_eq!(report(LatencyMode::Constant(10.0), 48_000.0, 700), (700, 0));
        assert_eq!(sum([MAX_LATENCY, 1, u32::MAX].into_iter()), MAX_LATENCY);
    }

    #[test]
    fn a_late_slot_sees_the_song_where_its_sound_is() {
        let now = Transport {
            frames: Some(48_000),
            beats: Some(8.5),
            tempo: Some(120.0),
            bar_start: Some(8.0),
            bar: Some(2),
            time_signature: Some((4, 4)),
            ..Transport::default()
        };
        let then = shift(&now, -24_000, 48_000.0);
        assert_eq!((then.frames, then.beats, then.bar_start, then.bar), (Some(24_000), Some(7.5), Some(4.0), Some(1)));
    }
}
