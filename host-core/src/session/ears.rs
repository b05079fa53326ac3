//! Home's ears: the samples of what is listened to, and how loud they are by ITU-R BS.1770 (crate `ebur128`). All `[home]`.
//!
//! The weighting costs a block many times what a slot does, so it is done here and not on the audio thread, which copies the
//! samples into a ring, and only where somebody looks.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use ebur128::{Channel, EbuR128, Mode};

use super::levels::Levels;
use super::owner::Owner;
use super::{HostSetup, Listen};
use crate::engine::{Heard, LaneNode, SlotNode};
use crate::model::SlotId;

/// Parts of a second that loudness is summed up in.
const PARTS: u32 = 10;
/// Parts in the window of a short-term loudness: 3 s.
pub(super) const WINDOW: usize = 3 * PARTS as usize;
/// Longest alignment that a match looks over, parts.
const SPARE: usize = 120;

/// Whose sound is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EarAt {
    /// The container's: in, out.
    Container,
    /// A slot's (in, what the plugin makes, out) or a lane's (in, out).
    Node(SlotId),
}

/// The ring of what goes in.
pub(super) const IN: usize = 0;
/// The ring of what a slot's plugin makes.
pub(super) const WET: usize = 1;
/// The ring of what comes out of a slot.
pub(super) const SLOT_OUT: usize = 2;
/// The ring of what comes out of a lane or the container.
pub(super) const OUT: usize = 1;

/// How loud one stream is.
pub(super) struct Loud {
    meter: EbuR128,
    /// Frames of a part, and how many of the one under way are there.
    part: usize,
    filled: usize,
    channels: usize,
    /// Frames that are dropped before the first counts.
    skip: usize,
    /// Energy of the last parts, and how many there were in all.
    parts: VecDeque<f64>,
    count: u64,
    highest: f64,
    integrated: f64,
}

impl Loud {
    fn new(channels: u16, rate: f64, skip: usize) -> Option<Self> {
        let rate = rate.round() as u32;
        let mut meter = EbuR128::new(channels.into(), rate, Mode::I | Mode::HISTOGRAM).ok()?;
        if let Some(map) = channel_map(channels) {
            meter.set_channel_map(&map).ok()?;
        }
        let part = (rate / PARTS).max(1) as usize;
        Some(Self {
            meter,
            part,
            filled: 0,
            channels: channels.into(),
            skip,
            parts: VecDeque::new(),
            count: 0,
            highest: f64::NEG_INFINITY,
            integrated: f64::NEG_INFINITY,
        })
    }

    /// Takes in frames, channel by channel within each.
    fn hear(&mut self, samples: &[f32]) {
        let skipped = self.skip.min(samples.len() / self.channels);
        self.skip -= skipped;
        let mut left = &samples[skipped * self.channels..];
        while !left.is_empty() {
            let now = ((self.part - self.filled) * self.channels).min(left.len());
            let (these, later) = left.split_at(now);
            // Whole frames of as many channels as it was made for: it refuses nothing else.
            let _taken = self.meter.add_frames_f32(these);
            self.filled += now / self.channels;
            if self.filled == self.part {
                self.filled = 0;
                self.end_part();
            }
            left = later;
        }
    }

    fn end_part(&mut self) {
        let loudness = self.meter.loudness_window(1000 / PARTS).unwrap_or(f64::NEG_INFINITY);
        self.parts.push_back(energy(loudness));
        if self.parts.len() > WINDOW + SPARE {
            self.parts.pop_front();
        }
        self.count += 1;
        self.highest = self.highest.max(self.short_term());
        self.integrated = self.meter.loudness_global().unwrap_or(f64::NEG_INFINITY);
    }

    /// Loudness of the last 3 s, LUFS; what was before it was listened to counts as silence.
    pub(super) fn short_term(&self) -> f64 {
        loudness(self.parts.iter().rev().take(WINDOW).sum::<f64>() / WINDOW as f64)
    }

    /// The highest of these.
    pub(super) fn highest(&self) -> f64 {
        self.highest
    }

    /// Loudness of the whole with gates, LUFS.
    pub(super) fn integrated(&self) -> f64 {
        self.integrated
    }

    /// Parts heard so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Loudness of the 3 s that end with part number `end`, LUFS. `None` where they are not all there.
    pub(super) fn until(&self, end: u64) -> Option<f64> {
        let past = usize::try_from(self.count.checked_sub(end)?).ok()?;
        let last = self.parts.len().checked_sub(past)?;
        let first = last.checked_sub(WINDOW)?;
        Some(loudness(self.parts.range(first..last).sum::<f64>() / WINDOW as f64))
    }

    fn reset(&mut self) {
        self.meter.reset();
        self.parts.clear();
        (self.filled, self.count) = (0, 0);
        (self.highest, self.integrated) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    }
}

/// Where the crate's own guess at the channels is another than ours: 5.1 and 7.1 in the order of VST3 and CLAP; others count all.
fn channel_map(channels: u16) -> Option<Vec<Channel>> {
    use Channel::{Center, Left, LeftSurround, Mm135, Mp135, Right, RightSurround, Unused};
    match channels {
        0..=4 => None,
        6 => Some(vec![Left, Right, Center, Unused, LeftSurround, RightSurround]),
        8 => Some(vec![Left, Right, Center, Unused, LeftSurround, RightSurround, Mp135, Mm135]),
        other => Some(vec![Center; other.into()]),
    }
}

/// BS.1770: loudness of a mean square of weighted samples, LUFS.
fn loudness(energy: f64) -> f64 {
    if energy > 0.0 { 10.0 * energy.log10() - 0.691 } else { f64::NEG_INFINITY }
}

fn energy(loudness: f64) -> f64 {
    10f64.powf((loudness + 0.691) / 10.0)
}

/// The node that is listened to.
enum Source {
    Container,
    Slot(Arc<SlotNode>, u32),
    Lane(Arc<LaneNode>),
}

impl Source {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Container, Self::Container) => true,
            (Self::Slot(a, late), Self::Slot(b, other)) => Arc::ptr_eq(a, b) && late == other,
            (Self::Lane(a), Self::Lane(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// Listens to one slot, one lane or the container.
pub(super) struct Ear {
    source: Source,
    rings: Heard,
    louds: Vec<Loud>,
    buffer: Vec<f32>,
}

impl Ear {
    /// How loud a point is.
    pub(super) fn loud(&self, point: usize) -> Option<&Loud> {
        self.louds.get(point)
    }

    /// Takes in what came.
    fn hear(&mut self) {
        for (ring, loud) in self.rings.iter_mut().zip(&mut self.louds) {
            let whole = ring.slots() / loud.channels * loud.channels;
            let Ok(chunk) = ring.read_chunk(whole) else { continue };
            self.buffer.clear();
            // The container's own input may hold what is no number.
            self.buffer.extend(chunk.into_iter().map(|x| if x.is_finite() { x } else { 0.0 }));
            loud.hear(&self.buffer);
        }
    }

    /// Begins anew.
    pub(super) fn reset(&mut self) {
        self.louds.iter_mut().for_each(Loud::reset);
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        match &self.source {
            Source::Slot(node, _) => node.close_tap(),
            Source::Lane(node) => node.close_tap(),
            Source::Container => {}
        }
    }
}

impl Owner {
    /// Loudness is worked out there from now on.
    pub(super) fn listen(&mut self, listen: Listen) {
        self.levels.listen = listen;
        self.use_ears(Instant::now());
    }

    /// Listens where somebody wants it and nowhere else, and takes in what came.
    pub(super) fn use_ears(&mut self, now: Instant) {
        let Some(setup) = self.setup else { return };
        let wanted = self.wanted_ears();
        if wanted.is_empty() && self.levels.ears.is_empty() {
            return;
        }
        if !wanted.contains_key(&EarAt::Container) && self.levels.ears.contains_key(&EarAt::Container) {
            self.engine.close_tap();
        }
        self.levels.ears.retain(|at, ear| wanted.get(at).is_some_and(|source| source.is(&ear.source)));
        for (at, source) in wanted {
            if !self.levels.ears.contains_key(&at)
                && let Some(ear) = self.open_ear(source, setup)
            {
                self.levels.ears.insert(at, ear);
            }
        }
        self.levels.ears.values_mut().for_each(Ear::hear);
        self.follow_matches(now);
    }

    fn wanted_ears(&self) -> BTreeMap<EarAt, Source> {
        let Levels { listen, matching, .. } = &self.levels;
        let mut nodes: BTreeSet<SlotId> = matching.keys().copied().collect();
        let mut wanted = BTreeMap::new();
        match listen {
            Listen::Nothing => {}
            Listen::Container => drop(wanted.insert(EarAt::Container, Source::Container)),
            Listen::To(ids) => nodes.extend(ids),
            Listen::Everything => {
                wanted.insert(EarAt::Container, Source::Container);
                nodes.extend(self.lives.keys());
                nodes.extend(self.lanes.lane_ids());
            }
        }
        for id in nodes {
            let slot = self.lives.get(&id).and_then(|live| live.node.clone());
            let source = match slot {
                Some(node) => {
                    let late = node.latency();
                    Some(Source::Slot(node, late))
                }
                None => self.lanes.lane(id).map(Source::Lane),
            };
            if let Some(source) = source {
                wanted.insert(EarAt::Node(id), source);
            }
        }
        wanted
    }

    /// `None`: the audio thread is there this moment; the next tick tries again.
    fn open_ear(&mut self, source: Source, setup: HostSetup) -> Option<Ear> {
        let channels = self.config.channels;
        let frames = (setup.rate as usize).max(4 * setup.max_block as usize);
        // What a plugin makes is as late as it says: the first frames belong to no input.
        let (rings, late) = match &source {
            Source::Container => (self.engine.open_tap(channels.into(), frames)?, 0),
            Source::Slot(node, late) => (node.open_tap(frames)?, *late as usize),
            Source::Lane(node) => (node.open_tap(frames)?, 0),
        };
        let skip = |point| if matches!(source, Source::Slot(..)) && point == WET { late } else { 0 };
        let louds: Option<Vec<_>> =
            (0..rings.len()).map(|point| Loud::new(channels, setup.rate, skip(point))).collect();
        Some(Ear { source, rings, louds: louds?, buffer: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EBU Tech 3341: 1 kHz in both channels at -23 dBFS is -23 LUFS, whatever lengths it comes in.
    #[test]
    fn a_sine_at_minus_23_dbfs_is_minus_23_lufs() {
        let mut loud = Loud::new(2, 48_000.0, 480).unwrap();
        let level = 10f64.powf(-23.0 / 20.0);
        let sine = |frame: usize| (frame as f64 / 48.0 * std::f64::consts::TAU).sin() * level;
        let samples: Vec<f32> = (0..192_480).flat_map(|frame| [sine(frame) as f32; 2]).collect();
        for piece in samples.chunks(2 * 777) {
            loud.hear(piece);
        }
        assert_eq!(loud.count(), 40);
        for value in [loud.short_term(), loud.integrated(), loud.highest(), loud.until(35).unwrap()] {
            assert!((value + 23.0).abs() < 0.1, "{value}");
        }
        assert_eq!((loud.until(29), loud.until(41)), (None, None));
        loud.hear(&[0.0; 2 * 48_000 * 4]);
        assert!(loud.short_term() < -70.0 && (loud.highest() + 23.0).abs() < 0.1);
    }
}
