//! What the audio thread keeps of a slot from block to block: fades, delay lines, pending parameters.

use super::aux::Aux;
use super::controls::{Settings, SlotControls};
use super::midi::SlotMidi;
use super::rest::Rest;
use super::shape::{Lines, Shape};
use super::side::Side;
use super::{FADE_SECONDS, SMOOTH_SECONDS};
use crate::backend::audio::{ParamEvent, push_last};
use crate::engine::delay::DelayLine;
use crate::engine::events::EventDelay;
use crate::engine::ramp::Ramp;
use crate::engine::side::SideKey;
use crate::model::IfFails;

/// Parameter changes that wait for one block, beside those that macros bring: up to two for each frame.
const PARAMS: usize = 1024;
/// What macros bring is no more than this over one for each frame: the backends have room for that many.
const MORE_PARAMS: usize = 2048;
/// Parameter changes of one block at most, beside one for each frame.
pub const MOST_PARAMS: usize = PARAMS + MORE_PARAMS;
/// Bad blocks running that stop a slot.
const BAD_BLOCKS: u8 = 3;

/// Channels that are heard as they are.
const STRAIGHT: [f32; 5] = [1.0, 0.0, 0.0, 1.0, 1.0];

/// Whether a slot's plugin can be run in this block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is there.
    Ready,
    /// Home has it, or another thread: for a while.
    Away,
    /// There is none, or faults have stopped it.
    Failed,
}

/// A slot between two blocks. What a steady block looks at comes first, together: chains are long and caches small.
#[repr(C)]
pub struct Path {
    /// Nothing fades, the plugin's output passes as it is, and nobody watches whether it may sleep.
    pub steady: bool,
    /// Nothing was read from the controls yet: the first settings are taken at once.
    fresh: bool,
    bad: u8,
    pub faulted: bool,
    /// The generation of the settings.
    generation: u32,
    /// The plugin tells its latency while it runs; one that did not in its first block is not asked again.
    pub tells_latency: bool,
    pub clock: i64,
    pub params: Vec<ParamEvent>,
    pub events: EventDelay,
    pub lines: Lines<DelayLine>,
    pub settings: Settings,
    pub aux: Aux,
    pub midi: SlotMidi,
    pub side: Side,
    pub wet: Ramp,
    pub mix: Ramp,
    pub input_gain: Ramp,
    pub output_gain: Ramp,
    pub dry_gain: Ramp,
    /// How a pair of the plugin's channels is heard: left from left, left from right, right from left, right from right; and a
    /// channel that has no partner.
    pub factors: [Ramp; 5],
    /// Share of the dry that is taken out.
    pub delta: Ramp,
    /// Nothing fades and the plugin's output passes as it is.
    pub plain: bool,
    pan: f32,
    pub rest: Rest,
    pub told_latency: Option<u32>,
    /// The plan's word on the slot's latency, frames.
    latency: u32,
    /// Frames run since the plugin started, to know when its output is full.
    ran: u32,
    /// The last request to park that was carried out.
    parked: u32,
    /// In a lane whose siblings carry the sound: silent where it cannot run.
    in_copy: bool,
    pub fade: u32,
    smooth: u32,
}

impl Path {
    /// `[home]`
    pub fn new(shape: &Shape, latency: u32, fade_in: bool) -> Self {
        let frames = shape.max_block as usize;
        let mut dry = shape.line(shape.channels, latency);
        if !fade_in {
            dry.jump(latency);
        }
        Self {
            settings: Settings { generation: 0, ..SlotControls::default().read() },
            fresh: !fade_in,
            generation: 0,
            steady: false,
            wet: Ramp::new(0.0),
            mix: Ramp::new(1.0),
            input_gain: Ramp::new(1.0),
            output_gain: Ramp::new(1.0),
            dry_gain: Ramp::new(1.0),
            factors: STRAIGHT.map(Ramp::new),
            delta: Ramp::new(0.0),
            plain: false,
            pan: 0.0,
            rest: Rest::new(u32::MAX),
            lines: Lines { dry, sidechain: shape.line(shape.sidechain, 0), aux: shape.line(shape.aux, 0) },
            aux: Aux::new(shape.aux, shape.aux_outputs, shape.max_block),
            events: EventDelay::new(),
            midi: SlotMidi::new(shape.makes_midi),
            side: Side::new(shape.line(0, 0)),
            params: Vec::with_capacity(PARAMS + frames + frames.min(MORE_PARAMS)),
            clock: 0,
            told_latency: None,
            tells_latency: true,
            latency,
            ran: if fade_in { 0 } else { u32::MAX },
            bad: 0,
            faulted: false,
            parked: 0,
            in_copy: false,
            fade: shape.frames(FADE_SECONDS),
            smooth: shape.frames(SMOOTH_SECONDS),
        }
    }

    /// `[audio]`
    pub fn enter(&mut self, wanted: &Lines<u32>, spares: &mut Lines<Option<DelayLine>>, side: SideKey, in_copy: bool) {
        self.in_copy = in_copy;
        let grow = |line: &mut DelayLine, spare: &mut Option<DelayLine>| {
            if let Some(spare) = spare {
                line.grow(spare);
            }
        };
        grow(&mut self.lines.dry, &mut spares.dry);
        grow(&mut self.lines.aux, &mut spares.aux);
        self.latency = wanted.dry;
        if self.fresh {
            self.lines.dry.jump(wanted.dry);
            self.lines.aux.jump(wanted.aux);
        }
        self.side.enter(side, &mut self.lines.sidechain, &mut spares.sidechain, wanted.sidechain, self.fresh);
        self.lines.aux.aim(wanted.aux);
        self.unsettle();
    }

    fn unsettle(&mut self) {
        (self.steady, self.plain) = (false, false);
    }

    /// `[audio]`
    pub fn push_param(&mut self, event: ParamEvent) -> bool {
        let room = self.params.len() < self.params.capacity();
        if room {
            let at = self.params.partition_point(|waiting| waiting.frame <= event.frame);
            self.params.insert(at, event);
        }
        room
    }

    /// The same; where there is no room it takes the place of its parameter's last change. `[audio]`
    pub fn push_last(&mut self, event: ParamEvent) {
        if !self.push_param(event) {
            push_last(&mut self.params, event);
        }
    }

    /// Forgets the parameter changes of a block that was run. `[audio]`
    pub fn drop_params(&mut self, count: usize, frames: u32) {
        self.params.drain(..count);
        for waiting in &mut self.params {
            waiting.frame = waiting.frame.saturating_sub(frames);
        }
    }

    /// `[audio]`
    pub fn clear(&mut self) {
        self.lines.dry.clear();
        self.lines.sidechain.clear();
        self.side.clear();
        self.lines.aux.clear();
        self.aux.clear();
        self.events.clear();
        self.midi.end();
        self.rest.wake();
        self.unsettle();
    }

    /// Looks for new settings. True: the slot is to be tried again. `[audio]`
    #[inline]
    pub fn follow(&mut self, controls: &SlotControls) -> bool {
        if controls.generation() == self.generation {
            return false;
        }
        let retries = self.settings.retries;
        self.settings = controls.read();
        self.generation = self.settings.generation;
        (self.pan, self.rest.after) = controls.read_more();
        self.unsettle();
        let retry = self.faulted && retries != self.settings.retries;
        if retry {
            (self.faulted, self.bad, self.ran) = (false, 0, 0);
            controls.note_faulted(false);
        }
        retry
    }

    /// Whether home holds the plugin. `[audio]`
    pub fn is_parked(&self) -> bool {
        self.wants_park() && self.parked == self.settings.park
    }

    /// Whether home waits for the plugin and its sound is gone. `[audio]`
    pub fn must_park(&self) -> bool {
        self.wants_park() && self.parked != self.settings.park && self.wet.is(0.0)
    }

    /// The plugin was stopped for home. `[audio]`
    pub fn park(&mut self) {
        self.tells_latency = true;
        self.parked = self.settings.park;
        self.ran = 0;
        self.rest = Rest::new(self.rest.after);
    }

    fn wants_park(&self) -> bool {
        self.settings.park % 2 == 1
    }

    fn heard(&self) -> bool {
        self.settings.wet && self.settings.present && !self.settings.passes_by() && !self.wants_park()
    }

    /// Whether the plugin's output is full and the dry beside it aligned. `[audio]`
    fn aligned(&self) -> bool {
        self.ran >= self.latency && self.lines.dry.delay() == self.latency.min(self.lines.dry.longest())
    }

    /// Sets the targets of all fades. `[audio]`
    pub fn advance(&mut self, state: State) {
        let set = self.settings;
        let leave = !set.present && self.wet.is(0.0);
        self.lines.dry.aim(if leave { 0 } else { self.latency });
        let wet = self.heard() && state == State::Ready && (self.aligned() || !self.wet.is(0.0));
        let silent = match state {
            State::Ready => false,
            State::Away => self.in_copy,
            State::Failed => self.in_copy || set.if_fails != IfFails::Dry,
        };
        let mute = (set.is_muted() || silent && !set.passes_by()) && set.present;
        let delta = set.is_delta() && set.present;
        let own = [
            (&mut self.delta, f32::from(delta), self.fade),
            (&mut self.wet, f32::from(wet), self.fade),
            (&mut self.mix, set.mix, self.smooth),
            (&mut self.input_gain, set.input_gain, self.smooth),
            (&mut self.output_gain, set.output_gain, self.smooth),
            (&mut self.dry_gain, f32::from(!mute), self.fade),
            (&mut self.side.heard, f32::from(set.side), self.fade),
        ];
        let factors = self.factors.iter_mut().zip(set.factors(self.pan));
        for (ramp, target, frames) in own.into_iter().chain(factors.map(|(ramp, to)| (ramp, to, self.smooth))) {
            if self.fresh {
                ramp.jump(target);
            } else {
                ramp.go(target, frames);
            }
        }
        self.fresh = false;
    }

    /// Whether the slot is one whose failure silences the chain. `[audio]`
    pub fn mutes_chain(&self) -> bool {
        self.settings.if_fails == IfFails::MuteChain && !self.settings.passes_by()
    }

    /// Ends a block: counts, and tells home when all fades are done. `[audio]`
    pub fn close(&mut self, controls: &SlotControls, state: State, ran: bool, frames: usize) {
        self.clock += frames as i64;
        if self.steady {
            return;
        }
        if ran {
            self.ran = self.ran.saturating_add(frames as u32);
            self.rest.known = true;
        }
        controls.note_turning(self.side.turns());
        let still = self.wet.settled()
            && self.mix.settled()
            && self.input_gain.settled()
            && self.output_gain.settled()
            && self.dry_gain.settled()
            && self.side.settled()
            && self.aux.settled(controls.aux())
            && self.delta.settled()
            && self.factors.iter().all(Ramp::settled)
            && self.lines.dry.settled()
            && (!self.wants_park() || self.is_parked());
        let there = match (self.heard(), state) {
            (true, State::Ready) => self.wet.is(1.0),
            (true, State::Away) => false,
            _ => self.wet.is(0.0),
        } && (self.settings.present || self.is_gone());
        if still && there {
            controls.note_settled(self.settings.generation);
        }
        let plain = |ramp: &Ramp| ramp.is(1.0);
        self.plain = still
            && there
            && state == State::Ready
            && plain(&self.wet)
            && plain(&self.mix)
            && plain(&self.input_gain)
            && plain(&self.output_gain)
            && plain(&self.dry_gain)
            && self.delta.is(0.0)
            && self.is_straight()
            && self.side.is_plain();
        self.steady = self.plain && !self.rest.watches();
    }

    /// Whether the plugin's channels are heard as they are. `[audio]`
    pub fn is_straight(&self) -> bool {
        self.factors.iter().zip(STRAIGHT).all(|(ramp, value)| ramp.is(value))
    }

    /// The plugin rested while sound passed by it, and is to be heard again or kept running: what sounds in it is old. `[audio]`
    pub fn must_begin_afresh(&mut self) -> bool {
        let afresh = self.rest.idle && !self.settings.is_idle();
        if afresh {
            self.rest.wake();
            self.ran = 0;
        }
        afresh
    }

    /// Whether nothing is left of a slot that is to be taken out. `[audio]`
    fn is_gone(&self) -> bool {
        self.lines.dry.idle() && self.aux.is_silent(self.lines.aux.delay())
    }

    /// The plugin gave nothing to hear in this block: its next good one fades in. `[audio]`
    pub fn fall_back(&mut self) {
        if !self.wet.is(0.0) {
            self.wet.jump(0.0);
        }
        self.side.finish();
        // Nobody hears these on their way.
        let unheard = [&mut self.mix, &mut self.input_gain, &mut self.output_gain];
        unheard.into_iter().chain(&mut self.factors).for_each(Ramp::finish);
        self.unsettle();
    }

    /// Counts a bad block. First of a run; and whether the slot stops for it. `[audio]`
    pub fn bad_block(&mut self, controls: &SlotControls) -> (bool, bool) {
        self.bad = self.bad.saturating_add(1);
        if self.bad == BAD_BLOCKS {
            self.faulted = true;
            controls.note_faulted(true);
        }
        (self.bad == 1, self.bad == BAD_BLOCKS)
    }

    /// A block was good. `[audio]`
    #[inline]
    pub fn good_block(&mut self) {
        self.bad = 0;
    }
}
