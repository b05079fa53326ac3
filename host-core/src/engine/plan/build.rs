//! Working a chain out: order of work, buffer of each step, delay of each lane. `[home]` all through.

use atomic_refcell::AtomicRefCell;
use sync_wrapper::SyncWrapper;

use super::fork::Kit;
use super::sharing::{self, Sharing};
use super::{
    Arc, BLOCK_RANGE, Bus, CHUNK, DelayLine, Entry, FADE_SECONDS, JoinStep, LaneStep, LatencyMode, Lines, MAX_LATENCY,
    Plan, PlanLane, PlanLanes, PlanNode, PlanSpec, Scratch, SlotNode, SlotStep, Step, Table,
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
        let scratch = || Scratch::new(channels, channels.max(spec.sidechain.into()), max_block);
        let buses = |count| (0..count).map(|_| Bus::new(channels, frames)).collect::<Vec<_>>();
        let (share, sharing) = spec.share.unzip();
        let mut builder = Builder { whole, taps, sharing: sharing.unwrap_or_default(), ..Builder::default() };
        builder.tap(&SideSource::Input, 0, 0);
        let start = Place { input: 0, kept: true, before: 0, in_copy: false, feeder: DRY };
        let (output, feeder) = builder.chain(&spec.nodes, start);
        link(&mut builder.walk.steps);
        let hears = |step: &Step| matches!(step, Step::Slot(slot) if slot.hears_container());
        let hears_container = builder.all_steps().any(hears);
        let before = |goal: &Goal| builder.before(goal);
        let kit = |walk: Walk, output| {
            AtomicRefCell::new(SyncWrapper::new(Kit::new(walk.steps, buses(walk.buffers), output, scratch())))
        };
        let forks = !builder.kits.is_empty();
        Box::new(Self {
            macros: Table::new(spec.macros, before, max_block),
            steps: builder.walk.steps,
            kits: builder.kits.into_iter().map(|(walk, output)| kit(walk, output)).collect(),
            share: share.filter(|_| forks),
            sharing: builder.sharing,
            nodes: builder.nodes,
            buffers: buses(builder.walk.buffers),
            sidechain: Bus::new(spec.sidechain.into(), frames),
            hears_container,
            taps: buses(builder.taps.buses()),
            late: builder.taps.late,
            aux: Bus::new(spec.aux.into(), frames),
            scratch: scratch(),
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

/// Steps that one thread walks, and the buffers that they need. The first is there already.
struct Walk {
    steps: Vec<Step>,
    buffers: usize,
    free: Vec<usize>,
}

impl Default for Walk {
    fn default() -> Self {
        Self { steps: Vec::new(), buffers: 1, free: Vec::new() }
    }
}

#[derive(Default)]
struct Builder {
    /// What is added to.
    walk: Walk,
    /// The lanes that are walked side by side, and where each has what it makes.
    kits: Vec<(Walk, usize)>,
    sharing: Sharing,
    nodes: Vec<Arc<SlotNode>>,
    /// Latency of the whole chain, frames.
    whole: u32,
    taps: Taps,
}

/// A group of lanes that are run side by side, on the way in.
struct Opened {
    first: usize,
    sum: usize,
    members: Vec<Member>,
}

enum Member {
    /// A lane, and whose MIDI comes out of it.
    Kit(usize, u64),
    /// Lanes are all that it holds.
    Group(Opened),
}

/// Where a group of lanes stands: its input, the latency before it, and whose MIDI comes to it.
type Stand = (usize, u32, u64);

impl Builder {
    fn push(&mut self, step: Step) {
        self.walk.steps.push(step);
    }

    fn take(&mut self) -> usize {
        self.walk.free.pop().unwrap_or_else(|| self.take_row(1))
    }

    /// Buffers side by side, behind all others.
    fn take_row(&mut self, count: usize) -> usize {
        let first = self.walk.buffers;
        self.walk.buffers += count;
        first
    }

    fn all_steps(&self) -> impl Iterator<Item = &Step> {
        self.walk.steps.iter().chain(self.kits.iter().flat_map(|(walk, _)| &walk.steps))
    }

    /// Brings a buffer to where somebody listens to that place, if anybody does.
    fn tap(&mut self, source: &SideSource, from: usize, latency: u32) {
        if let Some(tap) = self.taps.tap(source, latency) {
            self.push(Step::Tap { from, tap });
        }
    }

    /// Latency before a slot's plugin, or before the place where a lane goes into the sum, frames.
    fn before(&self, goal: &Goal) -> Option<u32> {
        self.all_steps().find_map(|step| match (step, goal) {
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
                    self.nodes.push(node.clone());
                    let output = self.take();
                    let dry = node.latency();
                    let after = self.whole.saturating_sub(before.saturating_add(dry));
                    let Heard { ears, key: side, delay, turns } = self.taps.heard(node, before);
                    let wanted = Lines { dry, sidechain: delay, aux: after };
                    let spares = node.spares(&wanted, turns);
                    self.push(Step::Slot(SlotStep {
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
                self.walk.free.push(input);
            }
            (input, kept) = (output, false);
        }
        (input, feeder)
    }

    fn lanes(&mut self, lanes: &PlanLanes, stand: Stand) -> (usize, u64) {
        if let Some(items) = self.sharing.items_of(lanes).map(<[_]>::to_vec) {
            let first = self.kits.len();
            let opened = self.open(lanes, stand);
            let item = |item: Vec<usize>| item.into_iter().map(|leaf| first + leaf).collect();
            self.push(Step::Fork(items.into_iter().map(item).collect()));
            return self.close(lanes, opened, stand);
        }
        let (input, before, feeder) = stand;
        let (first, sum) = self.split(lanes, input);
        let mut out = feeder;
        for (place, lane) in lanes.lanes.iter().enumerate() {
            self.begin_lane(lanes, place, first);
            let start = Place { input: first + place, kept: false, before, in_copy: lanes.siblings, feeder };
            let (output, made) = self.chain(&lane.nodes, start);
            out = self.end_lane(lanes, place, (output, sum), before, (out, made));
        }
        self.join(lanes, (input, sum), before);
        (sum, out)
    }

    fn split(&mut self, lanes: &PlanLanes, input: usize) -> (usize, usize) {
        let count = lanes.lanes.len();
        let first = self.take_row(count);
        self.push(Step::Split { node: lanes.node.clone(), input, first, count });
        (first, self.take())
    }

    fn begin_lane(&mut self, lanes: &PlanLanes, place: usize, first: usize) {
        let (group, node) = (lanes.node.clone(), lanes.lanes[place].node.clone());
        self.push(Step::BeginLane { group, node, place, input: first + place });
    }

    /// A lane goes into the sum. The answer: whose MIDI comes out of the lanes, with it.
    fn end_lane(
        &mut self,
        lanes: &PlanLanes,
        place: usize,
        (output, sum): (usize, usize),
        before: u32,
        (out, made): (u64, u64),
    ) -> u64 {
        let (lane, longest) = (&lanes.lanes[place], longest(lanes));
        let align = longest.saturating_sub(latency(&lane.nodes));
        let wanted = align.saturating_add(lane.delay).min(MAX_LATENCY);
        let after = before.saturating_add(longest);
        let tap = self.taps.tap(&SideSource::Lane(lane.node.clone()), after);
        let aux = lane.sends.then(|| self.whole.saturating_sub(after));
        let own = (tap.is_some() || lane.sends).then(|| self.take());
        let makes_midi = makes_midi(&lane.nodes);
        self.push(Step::EndLane(Box::new(LaneStep {
            group: lanes.node.clone(),
            node: lane.node.clone(),
            place,
            input: output,
            sum,
            own,
            aux,
            aux_spare: aux.and_then(|wanted| lane.node.spare_aux(wanted)),
            makes_midi,
            before: after,
            wanted,
            spare: lane.node.spare(wanted),
        })));
        self.walk.free.push(output);
        if let (Some(from), Some(tap)) = (own, tap) {
            self.push(Step::Tap { from, tap });
        }
        self.walk.free.extend(own);
        if makes_midi { behind(out, made) } else { out }
    }

    fn join(&mut self, lanes: &PlanLanes, (input, sum): (usize, usize), before: u32) {
        let (longest, group) = (longest(lanes), lanes.node.clone());
        let makes_midi = lanes.lanes.iter().any(|lane| makes_midi(&lane.nodes));
        let spare = lanes.node.spare(longest);
        self.push(Step::Join(JoinStep { group: group.clone(), input, sum, makes_midi, latency: longest, spare }));
        self.tap(&SideSource::Lanes(group), sum, before.saturating_add(longest));
    }

    /// Lanes that are run side by side get what comes in, those in them too.
    fn open(&mut self, lanes: &PlanLanes, (input, before, feeder): Stand) -> Opened {
        let (first, sum) = self.split(lanes, input);
        let member = |(place, lane): (usize, &PlanLane)| {
            self.begin_lane(lanes, place, first);
            if let Some(inner) = sharing::inner(&lane.nodes) {
                return Member::Group(self.open(inner, (first + place, before, feeder)));
            }
            let start = Place { input: 0, kept: false, before, in_copy: lanes.siblings, feeder };
            let kit = self.kits.len();
            self.push(Step::Load { kit, from: first + place });
            Member::Kit(kit, self.kit(&lane.nodes, start))
        };
        let members = lanes.lanes.iter().enumerate().map(member).collect();
        Opened { first, sum, members }
    }

    /// A lane with steps and buffers of its own. The answer: whose MIDI comes out.
    fn kit(&mut self, nodes: &[PlanNode], start: Place) -> u64 {
        let outer = std::mem::take(&mut self.walk);
        // What is walked by a helper asks for none.
        let sharing = std::mem::take(&mut self.sharing);
        let (output, made) = self.chain(nodes, start);
        self.sharing = sharing;
        let mut walk = std::mem::replace(&mut self.walk, outer);
        link(&mut walk.steps);
        self.kits.push((walk, output));
        made
    }

    /// What lanes made that were run side by side is summed, as if each had been run when its turn came.
    fn close(&mut self, lanes: &PlanLanes, opened: Opened, (input, before, feeder): Stand) -> (usize, u64) {
        let Opened { first, sum, members } = opened;
        let mut out = feeder;
        for (place, member) in members.into_iter().enumerate() {
            let (output, made) = match (member, sharing::inner(&lanes.lanes[place].nodes)) {
                (Member::Group(opened), Some(inner)) => self.close(inner, opened, (first + place, before, feeder)),
                (Member::Kit(kit, made), _) => {
                    self.push(Step::Gather { kit, to: first + place });
                    (first + place, made)
                }
                // `open` made a group of those alone.
                (Member::Group(_), None) => continue,
            };
            out = self.end_lane(lanes, place, (output, sum), before, (out, made));
        }
        self.join(lanes, (input, sum), before);
        (sum, out)
    }
}

/// Notes which slots write what the next one alone reads.
fn link(steps: &mut [Step]) {
    for i in 1..steps.len() {
        let [one, next] = &mut steps[i - 1..=i] else { continue };
        if let (Step::Slot(one), Step::Slot(next)) = (one, next) {
            one.feeds_next = one.output == next.input;
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
