//! Working a chain out: order of work, buffer of each step, delay of each lane. `[home]` all through.

use super::{
    BLOCK_RANGE, Bus, CHUNK, DelayLine, Entry, FADE_SECONDS, JoinStep, LaneStep, LatencyMode, Lines, MAX_LATENCY, Plan,
    PlanLanes, PlanNode, PlanSpec, Scratch, SlotStep, Step, Table,
    taps::{Heard, Taps},
};
use crate::engine::macros::Goal;
use crate::engine::midi::DRY;
use crate::engine::side::SideSource;

impl Plan {
    /// Works a chain out. `[home]`
    pub fn build(spec: PlanSpec) -> Box<Self> {
        let max_block = max_block(&spec.nodes, spec.max_block).clamp(*BLOCK_RANGE.start(), *BLOCK_RANGE.end());
        let inner = latency(&spec.nodes);
        let (reported, padding) = report(spec.mode, spec.rate, inner);
        let frames = max_block as usize;
        let channels = usize::from(spec.channels);
        let whole = inner.saturating_add(padding).min(MAX_LATENCY);
        let fade = (spec.rate * FADE_SECONDS) as u32;
        let line = |longest| DelayLine::new(channels, longest, max_block.max(CHUNK), fade);
        let taps = Taps::new(spec.sides, spec.sidechain);
        let mut builder = Builder { steps: Vec::new(), buffers: 1, free: Vec::new(), whole, taps };
        builder.tap(&SideSource::Input, 0, 0);
        let start = Place { input: 0, kept: true, before: 0, in_copy: false, feeder: DRY };
        let (output, feeder) = builder.chain(&spec.nodes, start);
        builder.link();
        let hears = |step: &Step| matches!(step, Step::Slot(slot) if slot.hears_container());
        let hears_container = builder.steps.iter().any(hears);
        let before = |goal: &Goal| builder.before(goal);
        Box::new(Self {
            macros: Table::new(spec.macros, before, max_block),
            steps: builder.steps,
            buffers: (0..builder.buffers).map(|_| Bus::new(channels, frames)).collect(),
            sidechain: Bus::new(spec.sidechain.into(), frames),
            hears_container,
            taps: (0..builder.taps.buses()).map(|_| Bus::new(channels, frames)).collect(),
            late: builder.taps.late,
            aux: Bus::new(spec.aux.into(), frames),
            scratch: Scratch::new(channels, channels.max(spec.sidechain.into()), max_block),
            dry: line(whole),
            dry_out: Bus::new(channels, frames),
            adopted: false,
            pad: line(padding),
            pad_out: Bus::new(channels, frames),
            padding,
            max_block,
            rate: spec.rate,
            grid: spec.grid,
            feeder,
            output,
            inner,
            reported,
            tail: tail(&spec.nodes).saturating_add(whole),
        })
    }
}

/// Latency of nodes in series, frames: that of the longest lane where there are lanes.
pub fn latency(nodes: &[PlanNode]) -> u32 {
    let of = |node: &PlanNode| match node {
        PlanNode::Slot(node) => node.latency(),
        PlanNode::Lanes(lanes) => longest(lanes),
    };
    nodes.iter().map(of).fold(0, u32::saturating_add).min(MAX_LATENCY)
}

fn longest(lanes: &PlanLanes) -> u32 {
    lanes.lanes.iter().map(|lane| latency(&lane.nodes)).max().unwrap_or(0)
}

/// How long nodes in series sound on, without their latency, frames.
fn tail(nodes: &[PlanNode]) -> u32 {
    let of = |node: &PlanNode| match node {
        PlanNode::Slot(node) => node.tail(),
        PlanNode::Lanes(lanes) => {
            lanes.lanes.iter().map(|lane| tail(&lane.nodes).saturating_add(lane.delay)).max().unwrap_or(0)
        }
    };
    nodes.iter().map(of).fold(0, u32::saturating_add)
}

/// The largest block that all nodes take.
fn max_block(nodes: &[PlanNode], at_most: u32) -> u32 {
    nodes.iter().fold(at_most, |block, node| match node {
        PlanNode::Slot(node) => block.min(node.shape().max_block),
        PlanNode::Lanes(lanes) => {
            lanes.lanes.iter().fold(block.min(lanes.node.max_block()), |block, lane| max_block(&lane.nodes, block))
        }
    })
}

/// Whether some slot of `nodes` makes MIDI.
fn makes_midi(nodes: &[PlanNode]) -> bool {
    nodes.iter().any(|node| match node {
        PlanNode::Slot(node) => node.makes_midi(),
        PlanNode::Lanes(lanes) => lanes.lanes.iter().any(|lane| makes_midi(&lane.nodes)),
    })
}

/// What a host is told of a chain of latency `inner`, frames. `[any]`
pub fn reported(mode: LatencyMode, rate: f64, inner: u32) -> u32 {
    report(mode, rate, inner).0
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

/// Where a series of nodes stands.
#[derive(Clone, Copy)]
struct Place {
    /// The buffer it begins with.
    input: usize,
    /// That buffer is still needed when the series is done.
    kept: bool,
    /// Latency before it, frames.
    before: u32,
    in_copy: bool,
    /// Which slots' MIDI comes to it.
    feeder: u64,
}

/// One number for each row of slots that make MIDI; keys are never used twice.
fn behind(feeder: u64, maker: u64) -> u64 {
    feeder.wrapping_add(maker).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

struct Builder {
    steps: Vec<Step>,
    buffers: usize,
    free: Vec<usize>,
    /// Latency of the whole chain, frames.
    whole: u32,
    taps: Taps,
}

impl Builder {
    fn take(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| self.take_row(1))
    }

    /// Buffers side by side, behind all others.
    fn take_row(&mut self, count: usize) -> usize {
        let first = self.buffers;
        self.buffers += count;
        first
    }

    /// Brings a buffer to where somebody listens to that place, if anybody does.
    fn tap(&mut self, source: &SideSource, from: usize, latency: u32) {
        if let Some(tap) = self.taps.tap(source, latency) {
            self.steps.push(Step::Tap { from, tap });
        }
    }

    /// Latency before a slot's plugin, or before the place where a lane goes into the sum, frames.
    fn before(&self, goal: &Goal) -> Option<u32> {
        self.steps.iter().find_map(|step| match (step, goal) {
            (Step::Slot(step), Goal::Slot(node)) if step.node.key() == node.key() => Some(step.song),
            (Step::EndLane(step), Goal::Lane(node)) if step.node.key() == node.key() => Some(step.before),
            _ => None,
        })
    }

    /// Adds nodes in series. The answer: the buffer that holds what they make, and whose MIDI comes out.
    fn chain(&mut self, nodes: &[PlanNode], place: Place) -> (usize, u64) {
        let Place { mut input, mut kept, mut before, in_copy, mut feeder } = place;
        for node in nodes {
            let output = match node {
                PlanNode::Slot(node) => {
                    let output = self.take();
                    let dry = node.latency();
                    let after = self.whole.saturating_sub(before.saturating_add(dry));
                    let Heard { ears, key: side, delay, turns } = self.taps.heard(node, before);
                    let wanted = Lines { dry, sidechain: delay, aux: after };
                    let spares = node.spares(&wanted, turns);
                    self.steps.push(Step::Slot(SlotStep {
                        node: node.clone(),
                        input,
                        output,
                        feeds_next: false,
                        in_copy,
                        before,
                        song: before.saturating_add(node.ahead()),
                        ears,
                        feeder,
                        entry: Box::new(Entry { wanted, spares, side }),
                    }));
                    before = before.saturating_add(dry);
                    self.tap(&SideSource::Slot(node.clone()), output, before);
                    if node.makes_midi() {
                        feeder = behind(feeder, node.key());
                    }
                    output
                }
                PlanNode::Lanes(lanes) if lanes.lanes.is_empty() => continue,
                PlanNode::Lanes(lanes) => {
                    let output;
                    (output, feeder) = self.lanes(lanes, (input, before, feeder));
                    before = before.saturating_add(longest(lanes));
                    output
                }
            };
            if !kept {
                self.free.push(input);
            }
            (input, kept) = (output, false);
        }
        (input, feeder)
    }

    fn lanes(&mut self, lanes: &PlanLanes, (input, before, feeder): (usize, u32, u64)) -> (usize, u64) {
        let (count, longest) = (lanes.lanes.len(), longest(lanes));
        let first = self.take_row(count);
        let group = || lanes.node.clone();
        self.steps.push(Step::Split { node: group(), input, first, count });
        let sum = self.take();
        let mut out = feeder;
        for (place, lane) in lanes.lanes.iter().enumerate() {
            self.steps.push(Step::BeginLane { group: group(), node: lane.node.clone(), place, input: first + place });
            let start = Place { input: first + place, kept: false, before, in_copy: lanes.siblings, feeder };
            let (output, made) = self.chain(&lane.nodes, start);
            if makes_midi(&lane.nodes) {
                out = behind(out, made);
            }
            let align = longest.saturating_sub(latency(&lane.nodes));
            let wanted = align.saturating_add(lane.delay).min(MAX_LATENCY);
            let after = before.saturating_add(longest);
            let tap = self.taps.tap(&SideSource::Lane(lane.node.clone()), after);
            let aux = lane.sends.then(|| self.whole.saturating_sub(after));
            let own = (tap.is_some() || lane.sends).then(|| self.take());
            self.steps.push(Step::EndLane(Box::new(LaneStep {
                group: group(),
                node: lane.node.clone(),
                place,
                input: output,
                sum,
                own,
                aux,
                aux_spare: aux.and_then(|wanted| lane.node.spare_aux(wanted)),
                makes_midi: makes_midi(&lane.nodes),
                before: before.saturating_add(longest),
                wanted,
                spare: lane.node.spare(wanted),
            })));
            self.free.push(output);
            if let (Some(from), Some(tap)) = (own, tap) {
                self.steps.push(Step::Tap { from, tap });
            }
            self.free.extend(own);
        }
        let makes_midi = lanes.lanes.iter().any(|lane| makes_midi(&lane.nodes));
        let spare = lanes.node.spare(longest);
        self.steps.push(Step::Join(JoinStep { group: group(), input, sum, makes_midi, latency: longest, spare }));
        self.tap(&SideSource::Lanes(group()), sum, before.saturating_add(longest));
        (sum, out)
    }

    /// Notes which slots write what the next one alone reads.
    fn link(&mut self) {
        for i in 1..self.steps.len() {
            let [one, next] = &mut self.steps[i - 1..=i] else { continue };
            if let (Step::Slot(one), Step::Slot(next)) = (one, next) {
                one.feeds_next = one.output == next.input;
            }
        }
    }
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
    }
}
