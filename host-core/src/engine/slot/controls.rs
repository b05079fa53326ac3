//! What home may set on a slot at any time: single words that the audio thread reads at each block.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64};

use super::aux::Wishes;
use crate::engine::midi::pack;
use crate::model::{IfFails, MidiSettings, Phase, Slot};

/// Switches that a slot has, as bits of one word.
mod switch {
    pub const ASIDE: u8 = 1;
    pub const MUTE: u8 = 2;
    pub const DELTA: u8 = 4;
    pub const MONO: u8 = 8;
    pub const LEFT: u8 = 16;
    pub const RIGHT: u8 = 32;
    pub const IDLE: u8 = 64;
}

/// A slot's settings. Home writes; the audio thread follows them without a click.
#[repr(C)]
pub struct SlotControls {
    /// Rises with every change: the one word the audio thread looks at where nothing changed.
    generation: AtomicU32,
    /// The generation whose fades are all done.
    settled: AtomicU32,
    wet: AtomicBool,
    present: AtomicBool,
    bypass: AtomicBool,
    merge_midi: AtomicBool,
    side: AtomicBool,
    midi: AtomicU64,
    aux: Wishes,
    /// Odd: parked. A word that only rises, so that an answer to an older request is never taken for the newest.
    park: AtomicU32,
    /// The last value of `park` that the audio thread has carried out.
    parked: AtomicU32,
    faulted: AtomicBool,
    /// The sidechain fades from one source to another.
    turning: AtomicBool,
    if_fails: AtomicU8,
    switches: AtomicU8,
    /// The plugin is not run: it has nothing to do.
    resting: AtomicBool,
    mix: AtomicU32,
    input_gain: AtomicU32,
    output_gain: AtomicU32,
    retries: AtomicU32,
    pan: AtomicU32,
    sleep: AtomicU32,
}

/// The settings as the audio thread took them.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Settings {
    pub generation: u32,
    pub bypass: bool,
    pub wet: bool,
    pub present: bool,
    pub merge_midi: bool,
    pub side: bool,
    pub midi: u64,
    pub park: u32,
    pub if_fails: IfFails,
    pub(super) switches: u8,
    pub mix: f32,
    pub input_gain: f32,
    pub output_gain: f32,
    pub retries: u32,
}

impl Settings {
    fn has(&self, switch: u8) -> bool {
        self.switches & switch != 0
    }

    /// Sound passes by the plugin, by the user's will.
    pub fn passes_by(&self) -> bool {
        self.bypass || self.has(switch::ASIDE)
    }

    /// Nothing comes out.
    pub fn is_muted(&self) -> bool {
        self.has(switch::MUTE) && !self.has(switch::ASIDE)
    }

    /// What comes out is what the plugin changes.
    pub fn is_delta(&self) -> bool {
        self.has(switch::DELTA) && !self.passes_by()
    }

    /// The plugin rests while sound passes by it.
    pub fn is_idle(&self) -> bool {
        self.has(switch::IDLE) && self.passes_by()
    }

    /// How a pair of the plugin's channels is heard: left from left, left from right, right from left, right from right; and a
    /// channel that has no partner.
    pub fn factors(&self, pan: f32) -> [f32; 5] {
        let sign = |inverted| if self.has(inverted) { -1.0 } else { 1.0 };
        let (left, right) = (sign(switch::LEFT), sign(switch::RIGHT));
        let [to_left, to_right] = balance(pan);
        if self.has(switch::MONO) {
            let (left_half, right_half) = (left * 0.5, right * 0.5);
            return [to_left * left_half, to_left * right_half, to_right * left_half, to_right * right_half, left];
        }
        [to_left * left, 0.0, 0.0, to_right * right, left]
    }
}

/// Gains of the left and the right channel at a balance of -1 (left) to 1 (right): the other side gets quieter.
pub fn balance(pan: f32) -> [f32; 2] {
    [(1.0 - pan).min(1.0), (1.0 + pan).min(1.0)]
}

impl Default for SlotControls {
    fn default() -> Self {
        let one = || AtomicU32::new(1.0_f32.to_bits());
        Self {
            generation: AtomicU32::new(1),
            settled: AtomicU32::new(0),
            wet: AtomicBool::new(true),
            present: AtomicBool::new(true),
            bypass: AtomicBool::new(false),
            merge_midi: AtomicBool::new(false),
            side: AtomicBool::new(true),
            midi: AtomicU64::new(pack(MidiSettings::default())),
            aux: Wishes::default(),
            park: AtomicU32::new(0),
            parked: AtomicU32::new(0),
            faulted: AtomicBool::new(false),
            turning: AtomicBool::new(false),
            if_fails: AtomicU8::new(0),
            switches: AtomicU8::new(0),
            resting: AtomicBool::new(false),
            mix: one(),
            input_gain: one(),
            output_gain: one(),
            retries: AtomicU32::new(0),
            pan: AtomicU32::new(0),
            sleep: AtomicU32::new(u32::MAX),
        }
    }
}

impl SlotControls {
    /// Whether the plugin is heard at all: the fade of edits, 10 ms. `[home]`
    pub fn set_wet(&self, wet: bool) {
        self.change(|| self.wet.store(wet, Relaxed));
    }

    /// Makes ready to be taken out of the chain (false): fades to the delayed dry, then from that to the undelayed one.
    /// When it is settled, a plan without the slot sounds the same. `[home]`
    pub fn set_present(&self, present: bool) {
        self.change(|| self.present.store(present, Relaxed));
    }

    /// The user's bypass, 10 ms. `[home]`
    pub fn set_bypass(&self, bypass: bool) {
        self.change(|| self.bypass.store(bypass, Relaxed));
    }

    /// Wet share, 0..1, reached in 20 ms. `[home]`
    pub fn set_mix(&self, mix: f32) {
        self.change(|| self.mix.store(clean(mix, 1.0).clamp(0.0, 1.0).to_bits(), Relaxed));
    }

    /// Gain before the plugin, linear, reached in 20 ms. `[home]`
    pub fn set_input_gain(&self, gain: f32) {
        self.change(|| self.input_gain.store(clean(gain, 1.0).to_bits(), Relaxed));
    }

    /// Gain after the plugin (wet only), linear, reached in 20 ms. `[home]`
    pub fn set_output_gain(&self, gain: f32) {
        self.change(|| self.output_gain.store(clean(gain, 1.0).to_bits(), Relaxed));
    }

    /// Another node beside it is soloed: sound passes by the plugin as in bypass. `[home]`
    pub fn set_aside(&self, aside: bool) {
        self.switch(switch::ASIDE, aside);
    }

    /// Nothing comes out of the slot, 10 ms. `[home]`
    pub fn set_mute(&self, mute: bool) {
        self.switch(switch::MUTE, mute);
    }

    /// What comes out is the output minus the delayed dry, 10 ms. `[home]`
    pub fn set_delta(&self, delta: bool) {
        self.switch(switch::DELTA, delta);
    }

    /// Both channels of a pair are the mean of both (wet only), reached in 20 ms. `[home]`
    pub fn set_mono(&self, mono: bool) {
        self.switch(switch::MONO, mono);
    }

    /// Channels turned upside down (wet only), reached in 20 ms. `[home]`
    pub fn set_phase(&self, phase: Phase) {
        let [left, right] = phase.inverts();
        self.switch(switch::LEFT, left);
        self.switch(switch::RIGHT, right);
    }

    /// The plugin is not run while sound passes by it, and begins afresh when it is heard again. `[home]`
    pub fn set_idle(&self, idle: bool) {
        self.switch(switch::IDLE, idle);
    }

    /// Balance, -1 (left) to 1 (right) (wet only), reached in 20 ms. `[home]`
    pub fn set_pan(&self, pan: f32) {
        self.change(|| self.pan.store(clean(pan, 0.0).clamp(-1.0, 1.0).to_bits(), Relaxed));
    }

    /// Frames of silence after which the plugin sleeps until something comes in; `None`: never. `[home]`
    pub fn set_sleep(&self, after: Option<u32>) {
        let after = after.unwrap_or(u32::MAX);
        if self.sleep.swap(after, Relaxed) != after {
            self.change(|| ());
        }
    }

    /// Whether the plugin is not run at present: it is idle or asleep. `[any]`
    pub fn resting(&self) -> bool {
        self.resting.load(Relaxed)
    }

    fn switch(&self, switch: u8, on: bool) {
        let before = match on {
            true => self.switches.fetch_or(switch, Relaxed),
            false => self.switches.fetch_and(!switch, Relaxed),
        };
        if (before & switch != 0) != on {
            self.change(|| ());
        }
    }

    /// What the slot does when it cannot run. `[home]`
    pub fn set_if_fails(&self, if_fails: IfFails) {
        self.change(|| self.if_fails.store(if_fails as u8, Relaxed));
    }

    /// Whether MIDI that the plugin makes joins what it was given. `[home]`
    pub fn set_merge_midi(&self, merge: bool) {
        self.change(|| self.merge_midi.store(merge, Relaxed));
    }

    /// Whether the sidechain is heard: the fade of a source that goes, 10 ms. `[home]`
    pub fn set_side(&self, heard: bool) {
        self.change(|| self.side.store(heard, Relaxed));
    }

    /// Which MIDI the plugin hears; ranges out of order are put in order. `[home]`
    pub fn set_midi(&self, settings: MidiSettings) {
        self.change(|| self.midi.store(pack(settings), Relaxed));
    }

    /// Where the plugin's further outputs go, 10 ms. `[home]`
    pub fn set_aux(&self, slot: &Slot) {
        self.change(|| self.aux.set(slot));
    }

    /// Asks the audio thread to fade to the delayed dry and to let go of the plugin (true) or to run it again. When
    /// [`SlotControls::parked`], home has the plugin to itself. `[home]`
    pub fn set_park(&self, park: bool) {
        let now = self.park.load(Relaxed);
        if (now % 2 == 1) != park {
            self.change(|| self.park.store(now.wrapping_add(1), Relaxed));
        }
    }

    /// Whether the audio thread has stopped the plugin and does not touch it until it is un-parked. `[home]`
    pub fn parked(&self) -> bool {
        let now = self.park.load(Relaxed);
        now % 2 == 1 && self.parked.load(Acquire) == now
    }

    /// Runs a slot again that faults have stopped. `[home]`
    pub fn retry(&self) {
        self.change(|| self.retries.store(self.retries.load(Relaxed).wrapping_add(1), Relaxed));
    }

    /// Whether faults have stopped the slot. `[home]`
    pub fn faulted(&self) -> bool {
        self.faulted.load(Acquire)
    }

    /// Whether the sidechain still fades from one source to another. `[home]`
    pub fn side_turns(&self) -> bool {
        self.turning.load(Acquire)
    }

    /// Whether the last change was heard and every fade is done. Where no blocks are run it stays as it is. `[home]`
    pub fn settled(&self) -> bool {
        self.settled.load(Acquire) == self.generation.load(Relaxed)
    }

    fn change(&self, set: impl FnOnce()) {
        set();
        // Release: whoever sees the new generation sees what was set before it.
        self.generation.fetch_add(1, Release);
    }

    pub(super) fn aux(&self) -> &Wishes {
        &self.aux
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation.load(Acquire)
    }

    pub(super) fn note_settled(&self, generation: u32) {
        self.settled.store(generation, Release);
    }

    pub(super) fn note_parked(&self, park: u32) {
        self.parked.store(park, Release);
    }

    pub(super) fn note_turning(&self, turning: bool) {
        if self.turning.load(Relaxed) != turning {
            self.turning.store(turning, Release);
        }
    }

    pub(super) fn note_faulted(&self, faulted: bool) {
        self.faulted.store(faulted, Release);
    }

    pub(super) fn note_resting(&self, resting: bool) {
        if self.resting.load(Relaxed) != resting {
            self.resting.store(resting, Relaxed);
        }
    }

    /// What only the slot that is not steady looks at: balance, and frames of silence before sleep.
    pub(super) fn read_more(&self) -> (f32, u32) {
        (f32::from_bits(self.pan.load(Relaxed)), self.sleep.load(Relaxed))
    }

    pub(super) fn read(&self) -> Settings {
        let value = |word: &AtomicU32| f32::from_bits(word.load(Relaxed));
        Settings {
            generation: self.generation(),
            wet: self.wet.load(Relaxed),
            present: self.present.load(Relaxed),
            bypass: self.bypass.load(Relaxed),
            merge_midi: self.merge_midi.load(Relaxed),
            side: self.side.load(Relaxed),
            midi: self.midi.load(Relaxed),
            park: self.park.load(Relaxed),
            if_fails: match self.if_fails.load(Relaxed) {
                1 => IfFails::Mute,
                2 => IfFails::MuteChain,
                _ => IfFails::Dry,
            },
            switches: self.switches.load(Relaxed),
            mix: value(&self.mix),
            input_gain: value(&self.input_gain),
            output_gain: value(&self.output_gain),
            retries: self.retries.load(Relaxed),
        }
    }
}

fn clean(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}
