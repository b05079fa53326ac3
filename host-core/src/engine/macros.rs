//! Macros on the audio thread.
//!
//! 1. [`MacroBank`] holds where every macro stands; home, the container and the audio thread share it without waiting;
//! 2. home makes a [`Route`] of each target that is there, and a plan holds them all as a [`Table`];
//! 3. the container hands over what the DAW moves, with its frames ([`super::Processor::set_macro`]); controllers that move macros are
//!    heard in the MIDI that comes in ([`Controllers`]), each once it has picked its macro up;
//! 4. before each part of a block [`MacroDesk::run`] turns it into parameter changes and settings of the slots, each late by the
//!    latency of the path before its slot;
//! 5. home [looks](MacroBank::take_moved) which macros moved, and brings the model after them.
//!
//! A macro that is set to where it stands is not moved: its targets keep what they have. It is the same where it is the same as a
//! 32-bit number, since that is what some hosts make of it.

mod bank;
mod controllers;
mod table;

use super::plan::Plan;
use crate::backend::audio::{EventBuffer, ParamEvent};
use controllers::{Hands, Knob};

pub use bank::MacroBank;
pub use controllers::Controllers;
pub(super) use table::Table;
pub use table::{Goal, Route};

/// Moves that one block of the container may bring; of more, the last of each macro still counts.
const MOVES: usize = 16_384;

/// A macro moved by the host, or by a knob.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move {
    frame: u32,
    index: u8,
    value: f64,
    /// From one place of the knob to the next; `None`: it is the host's.
    knob: Option<f32>,
}

/// What the processor keeps of macros from block to block.
pub(super) struct MacroDesk {
    bank: std::sync::Arc<MacroBank>,
    moves: Vec<Move>,
    /// The first of `moves` that was not carried out.
    next: usize,
    /// Frames run.
    clock: u64,
    hands: Hands,
}

impl MacroDesk {
    /// `[home]`
    pub fn new(bank: std::sync::Arc<MacroBank>) -> Self {
        Self { bank, moves: Vec::with_capacity(MOVES), next: 0, clock: 0, hands: Hands::new() }
    }

    /// Takes a move for the next block in. `[audio]`
    pub fn push(&mut self, frame: u32, index: usize, value: f64) {
        if index >= crate::model::MACROS {
            return;
        }
        if self.moves.len() == self.moves.capacity() {
            // Too many for one block: the last of each macro counts. Where it has none it is heard at the start of this one.
            let mut hosts = self.moves.iter_mut().rev().filter(|other| other.knob.is_none());
            let last = hosts.find(|other| usize::from(other.index) == index);
            match last {
                Some(last) if last.frame <= frame => last.value = value,
                Some(_) => {}
                None => drop(self.bank.tell(index, value)),
            }
            return;
        }
        insert(&mut self.moves, Move { frame, index: index as u8, value, knob: None });
    }

    /// Hears the controllers among the MIDI of the next block. `[audio]`
    #[inline]
    pub fn hear(&mut self, events: &EventBuffer) {
        if !events.is_empty() && self.bank.controllers.awake() {
            self.hear_knobs(events);
        }
    }

    #[inline(never)]
    fn hear_knobs(&mut self, events: &EventBuffer) {
        let moves = &mut self.moves;
        self.hands.hear(&self.bank.controllers, events, |frame, Knob { index, value, step }| {
            if moves.len() < moves.capacity() {
                insert(moves, Move { frame: frame.into(), index: index as u8, value, knob: Some(step as f32) });
            }
        });
    }

    /// Where a move leads to. `None`: a knob that has not picked its macro up.
    fn led(&mut self, moved: &Move) -> Option<f64> {
        let Some(step) = moved.knob else { return Some(moved.value) };
        let index = usize::from(moved.index);
        let knob = Knob { index, value: moved.value, step: step.into() };
        self.hands.pick_up(knob, self.bank.value(index))
    }

    /// Carries out what is due in the part of a block that is run next. `[audio]`
    #[inline]
    pub fn run(&mut self, plan: &mut Plan, at: usize, frames: usize, last: bool) {
        if !self.moves.is_empty() || plan.macros.busy() || self.bank.waits() {
            self.carry_out(&mut plan.macros, at, frames, last);
        }
        self.clock += frames as u64;
    }

    #[inline(never)]
    fn carry_out(&mut self, table: &mut Table, at: usize, frames: usize, last: bool) {
        for index in self.bank.take_waiting() {
            table.play(index, self.bank.value(index), 0, self.clock);
        }
        while let Some(moved) = self.moves.get(self.next).copied() {
            let frame = moved.frame as usize;
            if frame >= at + frames && !last {
                break;
            }
            let index = usize::from(moved.index);
            if let Some(value) = self.led(&moved)
                && self.bank.play(index, value)
            {
                let frame = frame.saturating_sub(at).min(frames - 1) as u32;
                table.play(index, value, frame, self.clock);
                self.note(&moved);
            }
            self.next += 1;
        }
        if last {
            self.moves.clear();
            self.next = 0;
        }
        table.release(self.clock, frames as u64);
    }

    /// No plan runs in this block: what the host moved waits for the next one that does. `[audio]`
    pub fn pass(&mut self) {
        for at in 0..self.moves.len() {
            let moved = self.moves[at];
            if let Some(value) = self.led(&moved)
                && self.bank.tell(moved.index.into(), value)
            {
                self.note(&moved);
            }
        }
        self.moves.clear();
        self.next = 0;
    }

    /// Notes who moved a macro.
    fn note(&self, moved: &Move) {
        if moved.knob.is_some() {
            self.bank.note_turned(moved.index.into());
        }
    }

    /// What is under way is forgotten as sound is, but where it leads to is kept. `[audio]`
    pub fn reset(&mut self, plan: &mut Plan) {
        plan.macros.release_all();
    }
}

/// Puts a move in its place: behind those of the same frame. There is room.
fn insert(moves: &mut Vec<Move>, moved: Move) {
    let at = moves.len() - moves.iter().rev().take_while(|other| other.frame > moved.frame).count();
    moves.insert(at, moved);
}

/// A change of a parameter of a slot. `[audio]`
fn change(frame: u32, index: u32, value: f64) -> ParamEvent {
    ParamEvent { frame, index, value }
}
