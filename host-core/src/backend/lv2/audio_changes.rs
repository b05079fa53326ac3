//! Where in a block control inputs change. `[audio]` all through.

use super::audio::Audio;
use super::describe::Target;
use crate::backend::audio::{Block, ParamEvent};

/// No place in a block.
const NEVER: u32 = u32::MAX;

/// Where in a block control inputs change.
pub(super) struct Changes {
    /// The next event not yet looked at.
    next: usize,
    /// Where what waited from earlier blocks changes.
    pub(super) waiting_at: u32,
    /// Frames of the grid.
    grid: u32,
    /// Frames from the block's start to the stream's last point of the grid before it.
    phase: u32,
    whole: bool,
}

impl Changes {
    pub(super) fn new(block: &Block<'_>, whole: bool) -> Self {
        let grid = block.grid.max(1);
        let phase = block.steady_time.rem_euclid(i64::from(grid)) as u32;
        Self { next: 0, waiting_at: NEVER, grid, phase, whole }
    }

    /// The point of the grid at or after `frame`; the block's start where it is not cut.
    pub(super) fn point(&self, frame: u32) -> u32 {
        if self.whole {
            return 0;
        }
        (self.phase + frame).next_multiple_of(self.grid) - self.phase
    }
}

impl Audio {
    /// Sets the control inputs that change at `start`; where the part that begins there ends.
    pub(super) fn take_changes(&mut self, changes: &mut Changes, block: &Block<'_>, start: u32) -> u32 {
        let mut due = start;
        loop {
            if changes.waiting_at <= due {
                self.settle();
                changes.waiting_at = NEVER;
            }
            while let Some((port, event)) = self.next_control(changes, block.params) {
                if changes.point(event.frame) > due {
                    break;
                }
                self.machine.shared.set(port, event.value as f32);
                changes.next += 1;
            }
            let next = self.next_control(changes, block.params).map_or(NEVER, |(_, event)| changes.point(event.frame));
            let next = next.min(changes.waiting_at);
            if next >= block.frames {
                return block.frames;
            }
            if next - start >= self.rules.min_block && block.frames - next >= self.rules.min_block {
                return next;
            }
            // A part too short for the plugin: its changes come early, with this part's.
            due = next;
        }
    }

    /// The next change of a control input.
    fn next_control(&self, changes: &mut Changes, params: &[ParamEvent]) -> Option<(usize, ParamEvent)> {
        while let Some(event) = params.get(changes.next) {
            if let Some(Target::Input(port)) = self.targets.get(event.index as usize) {
                return Some((*port, *event));
            }
            changes.next += 1;
        }
        None
    }

    /// Keeps what changes at a point of the grid that lies in a later block.
    pub(super) fn keep_waiting(&mut self, changes: &Changes, params: &[ParamEvent]) {
        for event in params.get(changes.next..).unwrap_or(&[]) {
            let Some(Target::Input(port)) = self.targets.get(event.index as usize) else { continue };
            let value = event.value as f32;
            match self.waiting.iter().position(|(p, _)| p == port) {
                Some(at) => self.waiting[at].1 = value,
                None if self.waiting.len() < self.waiting.capacity() => self.waiting.push((*port, value)),
                None => self.machine.shared.set(*port, value),
            }
        }
    }
}
