//! Levels and costs: read from the engine at each tick, kept for those who look. All `[home]`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::ears::{Ear, EarAt, Loud};
use super::lanes::LaneBook;
use super::live::Live;
use super::matching::Matching;
use super::owner::Owner;
use super::{CostView, Listen, MeterView};
use crate::engine::{MeterReading, PlanNode, PointReading};
use crate::model::SlotId;

/// How long the highest peak is shown.
const HOLD: Duration = Duration::from_secs(2);
/// How long the last reading stands where no block comes: some blocks are longer than a tick.
const STANDS: Duration = Duration::from_millis(200);
/// Time that an RMS looks back on, seconds.
const RMS_SECONDS: f64 = 0.3;
/// Time that a cost looks back on, seconds.
const COST_SECONDS: f64 = 1.0;
/// A share of a block's time that is so much another, itself and in proportion, is worth a picture by itself.
const COST_STEP: (f32, f32) = (0.002, 0.2);

/// How samples and frames become time.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    rate: f64,
    channels: f64,
    now: Instant,
}

impl Pace {
    fn seconds(self, samples: u64) -> f64 {
        samples as f64 / self.channels / self.rate
    }
}

/// The sound at one point.
#[derive(Default)]
pub(super) struct PointState {
    view: MeterView,
    held: Option<Instant>,
    heard: Option<Instant>,
    mean: f64,
    energy: f64,
    samples: u64,
}

impl PointState {
    /// Takes in what came since the last tick. True: something else is to be shown.
    fn note(&mut self, reading: Option<PointReading>, pace: Pace) -> bool {
        let before = self.view;
        let reading = reading.filter(|reading| reading.samples > 0);
        match reading {
            Some(reading) => self.take(reading, pace),
            None if self.heard.is_some_and(|heard| pace.now.duration_since(heard) < STANDS) => return false,
            None => {
                self.mean = 0.0;
                (self.view.peak, self.view.rms) = (0.0, 0.0);
            }
        }
        let view = &mut self.view;
        if view.peak >= view.hold {
            self.held = Some(pace.now);
            view.hold = view.peak;
        } else if self.held.is_none_or(|held| pace.now.duration_since(held) >= HOLD) {
            view.hold = view.peak;
        }
        self.view != before
    }

    fn take(&mut self, reading: PointReading, pace: Pace) {
        self.heard = Some(pace.now);
        let share = 1.0 - (-pace.seconds(reading.samples) / RMS_SECONDS).exp();
        self.mean += (reading.energy / reading.samples as f64 - self.mean) * share;
        self.energy += reading.energy;
        self.samples += reading.samples;
        let view = &mut self.view;
        (view.peak, view.rms) = (reading.peak, self.mean.max(0.0).sqrt() as f32);
        view.since.peak = view.since.peak.max(reading.peak);
        view.since.clips += u64::from(reading.clips);
        view.since.rms = (self.energy / self.samples as f64).sqrt() as f32;
    }

    fn reset(&mut self) {
        (self.energy, self.samples, self.view.since) = (0.0, 0, Default::default());
        (self.view.hold, self.held) = (self.view.peak, None);
    }

    /// As shown, with the loudness where somebody listens.
    pub(super) fn view(&self, loud: Option<&Loud>) -> MeterView {
        let mut view = self.view;
        if let Some(loud) = loud {
            view.short_term = Some(loud.short_term());
            (view.since.short_term_max, view.since.integrated) = (Some(loud.highest()), Some(loud.integrated()));
        }
        view
    }
}

/// What a slot or the whole costs.
#[derive(Default)]
pub(super) struct CostState {
    pub(super) view: CostView,
    nanos: u64,
    blocks: u64,
    seconds: f64,
    /// Of the last second or so: nanoseconds a block, and seconds a block.
    recent: Option<(f64, f64)>,
    /// The share when it was last told of.
    told: f32,
}

impl CostState {
    /// Takes in what came since the last tick. True: what is shown is so much another that somebody is to look.
    fn note(&mut self, reading: &MeterReading, pace: Pace) -> bool {
        let Some(output) = reading.output.filter(|_| reading.blocks > 0) else { return false };
        let (blocks, seconds) = (f64::from(reading.blocks), pace.seconds(output.samples));
        self.nanos += reading.nanos;
        self.blocks += u64::from(reading.blocks);
        self.seconds += seconds;
        let now = (reading.nanos as f64 / blocks, seconds / blocks);
        let share = 1.0 - (-seconds / COST_SECONDS).exp();
        let (nanos, length) = self.recent.unwrap_or(now);
        let (nanos, length) = (nanos + (now.0 - nanos) * share, length + (now.1 - length) * share);
        self.recent = Some((nanos, length));
        let part = |nanos: f64, seconds: f64| if seconds > 0.0 { (nanos / 1e9 / seconds) as f32 } else { 0.0 };
        let longest = self.view.since.max_nanos.max(reading.max_nanos);
        let view = &mut self.view;
        (view.nanos, view.share) = (nanos as u32, part(nanos, length));
        view.since.nanos = (self.nanos / self.blocks) as u32;
        view.since.share = part(self.nanos as f64, self.seconds);
        view.since.max_nanos = longest;
        view.since.max_share = part(f64::from(longest), self.seconds / self.blocks as f64);
        let (share, step) = (view.share, (view.share - self.told).abs());
        let differs = step > COST_STEP.0 && step > self.told * COST_STEP.1;
        self.told = if differs { share } else { self.told };
        differs
    }

    fn reset(&mut self) {
        (self.nanos, self.blocks, self.seconds, self.view.since) = (0, 0, 0.0, Default::default());
    }
}

/// A slot's meters.
#[derive(Default)]
pub(super) struct SlotMeters {
    pub(super) input: PointState,
    pub(super) output: PointState,
    pub(super) cost: CostState,
    /// It was played in this tick.
    played: bool,
}

/// Everything that is metered beside the slots, and what is listened to.
#[derive(Default)]
pub(super) struct Levels {
    pub(super) input: PointState,
    pub(super) output: PointState,
    pub(super) cost: CostState,
    pub(super) lanes: BTreeMap<SlotId, [PointState; 2]>,
    pub(super) listen: Listen,
    pub(super) ears: BTreeMap<EarAt, Ear>,
    pub(super) matching: BTreeMap<SlotId, Matching>,
}

impl Levels {
    /// The loudness at a point, where somebody listens.
    pub(super) fn loud(&self, at: EarAt, point: usize) -> Option<&Loud> {
        self.ears.get(&at).and_then(|ear| ear.loud(point))
    }

    /// A lane's input or output, as shown.
    pub(super) fn lane(&self, id: SlotId, point: usize) -> MeterView {
        let loud = self.loud(EarAt::Node(id), point);
        self.lanes.get(&id).map_or_else(MeterView::default, |points| points[point].view(loud))
    }
}

/// One reading of everything that is played.
struct Round<'a> {
    lives: &'a mut BTreeMap<SlotId, Live>,
    book: &'a LaneBook,
    lanes: &'a mut BTreeMap<SlotId, [PointState; 2]>,
    pace: Pace,
    news: bool,
}

impl Round<'_> {
    /// Reads nodes in series: what goes into each is what came out of the one before it.
    fn read(&mut self, nodes: &[PlanNode], mut before: Option<PointReading>) -> Option<PointReading> {
        for node in nodes {
            match node {
                PlanNode::Slot(node) => {
                    let reading = node.meters();
                    let live = self.lives.get_mut(&node.id());
                    if let Some(live) = live
                        && live.node.as_ref().is_some_and(|own| Arc::ptr_eq(own, node))
                    {
                        live.meters.played = true;
                        self.news |= live.meters.input.note(before, self.pace);
                        self.news |= live.meters.output.note(reading.output, self.pace);
                        self.news |= live.meters.cost.note(&reading, self.pace);
                        node.note_cost(live.meters.cost.view.nanos);
                    }
                    before = reading.output;
                }
                PlanNode::Lanes(group) if group.lanes.is_empty() => {}
                PlanNode::Lanes(group) => {
                    for lane in &group.lanes {
                        let reading = lane.node.meters();
                        if let Some(id) = self.book.lane_of(&lane.node) {
                            let [input, output] = self.lanes.entry(id).or_default();
                            self.news |= input.note(reading.input, self.pace);
                            self.news |= output.note(reading.output, self.pace);
                        }
                        self.read(&lane.nodes, reading.input);
                    }
                    before = group.node.meters();
                }
            }
        }
        before
    }
}

impl Owner {
    /// Reads the meters; what moved is news. What blocks cost is another number at every look, and none by itself until it is much
    /// another: an editor of a chain that rests would be drawn all the time.
    pub(super) fn look_at_meters(&mut self, now: Instant) {
        let Some(setup) = self.setup else { return self.levels.ears.clear() };
        let pace = Pace { rate: setup.rate, channels: f64::from(self.config.channels.max(1)), now };
        self.lives.values_mut().for_each(|live| live.meters.played = false);
        let container = self.engine.meters();
        let mut round =
            Round { lives: &mut self.lives, book: &self.lanes, lanes: &mut self.levels.lanes, pace, news: false };
        round.read(&self.playing.tree, container.input);
        let mut news = round.news;
        for live in self.lives.values_mut().filter(|live| !live.meters.played) {
            news |= live.meters.input.note(None, pace);
            news |= live.meters.output.note(None, pace);
        }
        let levels = &mut self.levels;
        news |= levels.input.note(container.input, pace);
        news |= levels.output.note(container.all.output, pace);
        news |= levels.cost.note(&container.all, pace);
        levels.lanes.retain(|id, _| self.lanes.has_lane(*id));
        self.news |= news;
        self.costs |= container.all.blocks > 0;
        self.use_ears(now);
    }

    /// Begins anew with all that is counted since the last time.
    pub(super) fn reset_meters(&mut self) {
        let levels = &mut self.levels;
        let slots = self.lives.values_mut().flat_map(|live| [&mut live.meters.input, &mut live.meters.output]);
        let lanes = levels.lanes.values_mut().flatten();
        slots.chain(lanes).chain([&mut levels.input, &mut levels.output]).for_each(PointState::reset);
        let costs = self.lives.values_mut().map(|live| &mut live.meters.cost);
        costs.chain([&mut levels.cost]).for_each(CostState::reset);
        levels.ears.values_mut().for_each(Ear::reset);
        self.news = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(peak: f32, energy: f64, clips: u32) -> Option<PointReading> {
        Some(PointReading { peak, energy, clips, samples: 960 })
    }

    fn pace(now: Instant) -> Pace {
        Pace { rate: 48_000.0, channels: 2.0, now }
    }

    #[test]
    fn a_peak_is_held_for_two_seconds_and_a_clip_until_it_is_reset() {
        let (mut point, began) = (PointState::default(), Instant::now());
        let at = |milliseconds| began + Duration::from_millis(milliseconds);
        point.note(reading(1.5, 0.0, 3), pace(at(0)));
        for ms in (10..2000).step_by(10) {
            point.note(reading(0.1, 0.0, 0), pace(at(ms)));
            assert_eq!((point.view.peak, point.view.hold), (0.1, 1.5));
        }
        point.note(reading(0.2, 0.0, 0), pace(at(2000)));
        assert_eq!((point.view.hold, point.view.since.peak, point.view.since.clips), (0.2, 1.5, 3));
        point.reset();
        assert_eq!((point.view.since.peak, point.view.since.clips), (0.0, 0));
    }

    #[test]
    fn a_tick_without_a_block_changes_nothing_and_silence_after_the_end_shows() {
        let (mut point, began) = (PointState::default(), Instant::now());
        // A sine at full scale: mean square 0.5.
        for tick in 0..300 {
            point.note(reading(1.0, 480.0, 0), pace(began + Duration::from_millis(10 * tick)));
        }
        assert!((point.view.rms - 0.5_f32.sqrt()).abs() < 1e-3 && (point.view.since.rms - 0.5_f32.sqrt()).abs() < 1e-6);
        assert!(!point.note(None, pace(began + Duration::from_millis(3010))));
        assert_eq!(point.view.peak, 1.0);
        assert!(point.note(None, pace(began + Duration::from_millis(3300))));
        assert_eq!((point.view.peak, point.view.rms), (0.0, 0.0));
    }
}
