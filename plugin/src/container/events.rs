//! What a block brings and takes, between a format's own half of the plugin and the container.

use host_core::backend::audio::EventBuffer;
use host_core::engine::Processor;

use super::{EVENTS, clamp_frame};

/// Moves of macros that a block may bring.
const MOVES: usize = 16_384;

/// The events of one block between the CLAP entry and the container.
pub struct HostEvents {
    /// What the host sent, in its order, frames from the block's start.
    pub input: EventBuffer,
    /// What goes to the host.
    pub output: EventBuffer,
    /// Frames of the block already run: nice-plug may cut it.
    pub done: u32,
    /// Frames of the block.
    pub total: u32,
    /// Macros that the host moves, in its order.
    pub macros: Vec<MacroMove>,
}

/// A macro that the host moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacroMove {
    /// Frame, from the block's start.
    pub frame: u32,
    /// Its place, first is 0.
    pub index: usize,
    /// Where it goes, 0..1.
    pub value: f64,
}

impl Default for HostEvents {
    fn default() -> Self {
        Self {
            input: EventBuffer::new(EVENTS, true),
            output: EventBuffer::new(EVENTS, true),
            done: 0,
            total: 0,
            macros: Vec::with_capacity(MOVES),
        }
    }
}

impl HostEvents {
    /// Begins a block of `total` frames. `[audio]`
    pub fn begin(&mut self, total: u32) {
        self.input.clear();
        self.output.clear();
        self.macros.clear();
        self.done = 0;
        self.total = total;
    }

    /// Adds a move of a macro; where there is no room the last of that macro goes where this one would. `[audio]`
    pub fn move_macro(&mut self, moved: MacroMove) {
        if self.macros.len() < self.macros.capacity() {
            self.macros.push(moved);
        } else if let Some(last) = self.macros.iter_mut().rev().find(|other| other.index == moved.index) {
            last.value = moved.value;
        }
    }

    /// Hands the moves of `frames` frames from `base` to the engine, which counts from `base`. Moves past the block belong to its
    /// last part. `[audio]`
    pub(super) fn play_macros(&self, base: u32, frames: u32, processor: &mut Processor) {
        let last = base + frames >= self.total;
        let here = |moved: &&MacroMove| moved.frame >= base && (last || moved.frame < base + frames);
        for moved in self.macros.iter().filter(here) {
            processor.set_macro((moved.frame - base).min(frames.saturating_sub(1)), moved.index, moved.value);
        }
    }

    /// Copies the events of the part of `frames` frames from `base` to `out`, counted from `base`. Events past the
    /// block belong to its last part. `[audio]`
    pub fn take(&self, base: u32, frames: u32, out: &mut EventBuffer) {
        let last = base + frames >= self.total;
        for (event, bytes) in self.input.iter() {
            let frame = u32::from(event.frame);
            if frame >= base && (last || frame < base + frames) {
                out.copy(clamp_frame((frame - base).min(frames.saturating_sub(1))), event, bytes);
            }
        }
    }
}
