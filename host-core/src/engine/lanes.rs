//! Parallel lanes, as home and the audio thread both hold them: what shares the sound out, and what sums it.
//!
//! 1. [`LanesNode::new`] and [`LaneNode::new`] at home; a [`PlanLanes`](super::PlanLanes) names them with what each lane holds;
//! 2. the plan fills each lane's input, runs the lane's steps, and adds its output to the sum, as late as the longest lane;
//! 3. home moves their controls. What sounds in them survives every edit elsewhere, since each plan holds the same nodes.

mod around;
mod bands;
mod controls;
mod mix;
mod send;
mod split;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use atomic_refcell::AtomicRefCell;
use sync_wrapper::SyncWrapper;

pub use controls::{GroupControls, LaneControls};

use super::delay::DelayLine;
use super::kernels::Level;
use super::meters::{LaneReading, Point, PointReading};
use super::taps::{Heard, Tap};
use super::{FADE_SECONDS, SMOOTH_SECONDS};
use crate::backend::audio::{Bus, EventBuffer};
use crate::model::{BLOCK_RANGE, Split};
use around::Around;
use controls::Kind;
use mix::MixPath;
use split::{SplitPath, matrix};

static KEYS: AtomicU64 = AtomicU64::new(1);

/// What lanes are made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LanesSetup {
    /// Channels of the chain.
    pub channels: u16,
    /// Largest block, frames.
    pub max_block: u32,
    /// Sample rate, Hz.
    pub rate: f64,
    /// The chain is heard already: begin as if the lanes were not there, and fade. Otherwise they are heard from their first
    /// frame.
    pub fade_in: bool,
}

impl LanesSetup {
    fn frames(&self, seconds: f64) -> u32 {
        ((self.rate * seconds) as u32).max(1)
    }

    fn block(&self) -> u32 {
        self.max_block.clamp(*BLOCK_RANGE.start(), *BLOCK_RANGE.end())
    }

    fn line(&self, longest: u32) -> DelayLine {
        DelayLine::new(self.channels.into(), longest, self.block(), self.frames(FADE_SECONDS))
    }
}

/// What shares the sound out among lanes.
pub struct LanesNode {
    key: u64,
    setup: LanesSetup,
    controls: GroupControls,
    sum: Point,
    path: AtomicRefCell<SyncWrapper<SplitPath>>,
    /// Longest delay of the line round the group, so that home knows when a plan must bring a longer one.
    longest: AtomicU32,
    around: AtomicRefCell<SyncWrapper<Around>>,
}

impl LanesNode {
    /// For lanes that are split as `split` says. `[home]`
    pub fn new(split: &Split, setup: LanesSetup) -> Arc<Self> {
        let controls = GroupControls::new(split);
        let kind = if setup.fade_in { Kind::Thru } else { Kind::of(split) };
        let times = (setup.frames(FADE_SECONDS), setup.frames(SMOOTH_SECONDS));
        let (channels, block) = (setup.channels.into(), setup.block());
        let path = SplitPath::new(kind, channels, block, setup.rate, times);
        let around = Around::new(setup.line(0), channels, block, times.0, setup.fade_in);
        Arc::new(Self {
            key: KEYS.fetch_add(1, Relaxed),
            setup,
            controls,
            sum: Point::default(),
            path: AtomicRefCell::new(SyncWrapper::new(path)),
            longest: AtomicU32::new(0),
            around: AtomicRefCell::new(SyncWrapper::new(around)),
        })
    }

    /// What home may set. `[any]`
    pub fn controls(&self) -> &GroupControls {
        &self.controls
    }

    /// Whether `other` is this node. `[any]`
    pub fn is(&self, other: &Self) -> bool {
        self.key == other.key
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// What the lanes made together, since the last call. `[home]`
    pub fn meters(&self) -> Option<PointReading> {
        self.sum.read()
    }

    /// A line for the way round of `wanted` frames, where the one that the node has is too short. `[home]`
    pub(super) fn spare(&self, wanted: u32) -> Option<DelayLine> {
        (wanted > self.longest.load(Relaxed)).then(|| self.setup.line(wanted))
    }

    /// A plan with these lanes begins, the longest of which is as late as `wanted` says. `[audio]`
    pub(super) fn enter(&self, wanted: u32, spare: &mut Option<DelayLine>) {
        if let Ok(mut around) = self.around.try_borrow_mut() {
            self.longest.store(around.get_mut().enter(wanted, spare), Relaxed);
        }
    }

    /// Puts what came in in the place of the sum, as far as a slot beside the lanes is soloed. `[audio]`
    pub(super) fn go_round(&self, input: &Bus, sum: &mut Bus, frames: usize) {
        if let Ok(mut around) = self.around.try_borrow_mut() {
            // A group that is as if it were not there delays nothing.
            let aside = self.controls.aside() && self.controls.kind() != Kind::Thru;
            around.get_mut().run(aside, input, sum, frames);
        }
    }

    pub(super) fn max_block(&self) -> u32 {
        self.setup.block()
    }

    /// Notes how loud the lanes are together. `[audio]`
    pub(super) fn note_sum(&self, sum: &Bus, frames: usize) {
        self.sum.note_bus(sum, frames);
    }

    /// Shares a block out. `[audio]`
    pub(super) fn run(&self, input: &Bus, outputs: &mut [Bus], frames: usize) {
        if let Ok(mut path) = self.path.try_borrow_mut() {
            path.get_mut().run(&self.controls, input, outputs, frames);
        }
    }

    /// Keeps what came in, and gives it to the next lane. `[audio]`
    pub(super) fn begin_events(&self, stream: &mut EventBuffer, first: bool) {
        let Ok(mut path) = self.path.try_borrow_mut() else { return };
        let path = path.get_mut();
        if first {
            path.came.clear();
            path.made.clear();
            path.came.append(stream);
        } else {
            stream.clear();
            stream.append(&path.came);
        }
    }

    /// Keeps what a lane made. `[audio]`
    pub(super) fn keep_events(&self, stream: &EventBuffer) {
        if let Ok(mut path) = self.path.try_borrow_mut() {
            path.get_mut().made.append(stream);
        }
    }

    /// The MIDI behind the lanes: what they made where one of them makes any, else what came in, as late as the sound.
    /// `[audio]`
    pub(super) fn end_events(&self, stream: &mut EventBuffer, made: bool, latency: u32, frames: usize) {
        let Ok(mut path) = self.path.try_borrow_mut() else { return };
        let path = path.get_mut();
        stream.clear();
        if made {
            stream.append(&path.made);
            stream.sort();
        } else {
            stream.append(&path.came);
            path.by.run(stream, latency, frames);
        }
    }

    /// Forgets what still sounds. `[audio]`
    pub(super) fn reset(&self) {
        if let Ok(mut path) = self.path.try_borrow_mut() {
            path.get_mut().clear();
        }
        if let Ok(mut around) = self.around.try_borrow_mut() {
            around.get_mut().clear();
        }
    }
}

/// One lane's end: its delay and its gain.
pub struct LaneNode {
    key: u64,
    setup: LanesSetup,
    /// It joins lanes that are heard already, and begins silent. Otherwise it begins as its group does.
    joins: bool,
    controls: LaneControls,
    /// Longest delay of the line that `path` owns now, so that home knows when a plan must bring a longer one.
    longest: AtomicU32,
    input: Point,
    output: Point,
    /// Home listens to its sound.
    heard: AtomicBool,
    tap: Tap,
    /// The same of what delays it to an auxiliary output.
    longest_aux: AtomicU32,
    path: AtomicRefCell<SyncWrapper<MixPath>>,
}

impl LaneNode {
    /// A lane. `joins`: its group is there already, and it fades in. `[home]`
    pub fn new(setup: LanesSetup, joins: bool) -> Arc<Self> {
        let smooth = setup.frames(SMOOTH_SECONDS);
        let path = MixPath::new(setup.line(0), setup.line(0), setup.channels.into(), setup.block(), smooth);
        Arc::new(Self {
            key: KEYS.fetch_add(1, Relaxed),
            setup,
            joins,
            controls: LaneControls::default(),
            longest: AtomicU32::new(0),
            input: Point::default(),
            output: Point::default(),
            heard: AtomicBool::new(false),
            tap: Tap::default(),
            longest_aux: AtomicU32::new(0),
            path: AtomicRefCell::new(SyncWrapper::new(path)),
        })
    }

    /// What home may set. `[any]`
    pub fn controls(&self) -> &LaneControls {
        &self.controls
    }

    /// Whether `other` is this node. `[any]`
    pub fn is(&self, other: &Self) -> bool {
        self.key == other.key
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// What came in and what went into the sum, since the last call. `[home]`
    pub fn meters(&self) -> LaneReading {
        LaneReading { input: self.input.read(), output: self.output.read() }
    }

    /// Begins to listen to what comes in and what goes into the sum, with room for `frames` of each. `None`: the audio thread is
    /// here this moment. `[home]`
    pub fn open_tap(&self, frames: usize) -> Option<Heard> {
        let heard = self.tap.open(2, self.setup.channels.into(), frames)?;
        self.heard.store(true, Relaxed);
        Some(heard)
    }

    /// Listens no more. `[home]`
    pub fn close_tap(&self) {
        self.heard.store(false, Relaxed);
        // Where the audio thread is here this moment, the rings are freed with the node or by the next that listens.
        let _freed = self.tap.close();
    }

    /// Notes what the split gave the lane. `[audio]`
    pub(super) fn note_input(&self, input: &Bus, frames: usize) {
        self.input.note_bus(input, frames);
        if self.heard.load(Relaxed) {
            self.tap.begin(frames);
            self.tap.give(0, &input.channels, 0, frames);
        }
    }

    /// A line for a delay of `wanted` frames, where the one that the node has is too short. `[home]`
    pub(super) fn spare(&self, wanted: u32) -> Option<DelayLine> {
        (wanted > self.longest.load(Relaxed)).then(|| self.setup.line(wanted))
    }

    /// The same for the way to an auxiliary output. `[home]`
    pub(super) fn spare_aux(&self, wanted: u32) -> Option<DelayLine> {
        (wanted > self.longest_aux.load(Relaxed)).then(|| self.setup.line(wanted))
    }

    /// A plan that sends it to an auxiliary output begins. `[audio]`
    pub(super) fn enter_aux(&self, wanted: u32, spare: &mut Option<DelayLine>) {
        let Ok(mut path) = self.path.try_borrow_mut() else { return };
        let send = &mut path.get_mut().send;
        send.enter(wanted, spare);
        self.longest_aux.store(send.line.longest(), Relaxed);
    }

    /// Gives what the lane adds to the sum, `own`, to the sum and to the auxiliary outputs. `[audio]`
    pub(super) fn give(&self, own: &Bus, outs: (&mut Bus, &mut Bus), frames: usize, first: bool) {
        if let Ok(mut path) = self.path.try_borrow_mut() {
            path.get_mut().give(own, outs, frames, first);
        }
    }

    /// A plan with this lane at `place` begins. `[audio]`
    pub(super) fn enter(&self, place: usize, wanted: u32, spare: &mut Option<DelayLine>) {
        let Ok(mut path) = self.path.try_borrow_mut() else { return };
        let path = path.get_mut();
        if let Some(spare) = spare {
            path.line.grow(spare);
        }
        let start = match (self.setup.fade_in, self.joins) {
            (false, _) => None,
            (true, true) => Some([0.0; 4]),
            (true, false) => Some(matrix(Kind::Thru, place)),
        };
        path.enter(wanted, start);
        self.longest.store(path.line.longest(), Relaxed);
    }

    /// Adds a block to the sum, or writes it there where it is the `first`. `[audio]`
    pub(super) fn run(&self, group: &LanesNode, place: usize, input: &Bus, sum: &mut Bus, frames: usize, first: bool) {
        if let Ok(mut path) = self.path.try_borrow_mut() {
            let what = (&self.controls, group.controls.kind(), place);
            let made = path.get_mut().run(what, input, sum, frames, first);
            match made {
                Some(made) => self.output.note_bus(made, frames),
                None => drop(self.output.note(Level::default(), (frames * sum.channels.len()) as u32)),
            }
            if self.heard.load(Relaxed) {
                if let Some(made) = made {
                    self.tap.give(1, &made.channels, 0, frames);
                }
                self.tap.end(frames);
            }
        }
    }

    /// Makes the lane's MIDI as late as its sound. `[audio]`
    pub(super) fn run_events(&self, stream: &mut EventBuffer, frames: usize) {
        if let Ok(mut path) = self.path.try_borrow_mut() {
            path.get_mut().run_events(stream, frames);
        }
    }

    /// Forgets what still sounds. `[audio]`
    pub(super) fn reset(&self) {
        if let Ok(mut path) = self.path.try_borrow_mut() {
            path.get_mut().clear();
        }
    }
}
