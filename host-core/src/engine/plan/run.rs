//! Walking a plan, block by block. `[audio]` all through.

use super::fork::Team;
use super::{Bus, Ears, JoinStep, LaneStep, Plan, SlotStep, Step, Transport};
use crate::engine::cpu::{self, FlushToZero};
use crate::engine::kernels::{self, Level};
use crate::engine::messages::{Mail, Report};
use crate::engine::processor::host;
use crate::engine::slot::{Entered, Moment, Outlet, Taps};
use crate::engine::source::Source;

/// Where a chain's sound comes from and goes to.
pub enum Ends<'a, 'b> {
    /// Buffer 0 holds what comes in; [`Ran::output`] says which one holds what goes out.
    Buffers,
    /// The host's samples, from this frame on.
    Host(&'a mut [&'b mut [f32]], usize),
}

impl Ends<'_, '_> {
    /// Brings what comes in to where the first step wants it. How loud it is, and how much of it clips, where it comes from the
    /// host.
    fn read(&self, own: Option<&mut Bus>, buffer: &mut Bus, frames: usize) -> (Level, u32) {
        match (self, own) {
            (Self::Host(main, at), own) => {
                let level = host::read_scan(main, own.unwrap_or(buffer), *at, frames);
                return (level, host::count_clips(main, level, *at, frames));
            }
            (Self::Buffers, Some(own)) => copy(buffer, own, frames),
            (Self::Buffers, None) => {}
        }
        (Level::default(), 0)
    }
}

/// What became of a block.
pub struct Ran {
    /// The buffer that holds what goes out, where it is not with the host already.
    pub output: usize,
    /// The chain is to be silent.
    pub mute: bool,
    /// How loud is what came in from the host, and what went out to it, and how much of each clips.
    pub levels: [(Level, u32); 2],
    /// How long it took, ticks.
    pub ticks: u64,
}

impl Plan {
    /// Walks the steps. `[audio]`
    pub(in crate::engine) fn run(
        &mut self,
        frames: usize,
        transport: Option<&Transport>,
        source: &Source,
        reports: &mut rtrb::Producer<Report>,
        mode: &FlushToZero,
        mut ends: Ends<'_, '_>,
    ) -> Ran {
        let began = cpu::ticks();
        let mut moment = Moment {
            frames,
            samples: (frames * self.buffers[0].channels.len()) as u32,
            grid: self.grid,
            transport,
            late: None,
            source,
            before: 0,
            sidechain: &self.sidechain,
            taps: Taps::Filled(&mut self.taps),
            ears: Ears::default(),
            aux: &mut self.aux,
            scratch: &mut self.scratch,
            reports: Mail::Ring(reports),
            mode,
            tick: began,
            mute: false,
            clips: 0,
        };
        let buffers = &mut self.buffers[..];
        let mut ready = begin(self.steps.first());
        let came = ends.read(ready.as_mut().and_then(Entered::direct), &mut buffers[0], frames);
        let team = Team { kits: &self.kits, share: self.share.as_deref(), rate: self.rate };
        let (level, outside) = walk(&self.steps, ready, buffers, &mut moment, &mut ends, &team);
        let mut left = (level, if level.peak > 1.0 { moment.clips } else { 0 });
        if let (Ends::Host(main, at), false) = (&mut ends, outside) {
            let level = host::write_scan(&buffers[self.output], main, *at, frames);
            left = (level, host::count_clips(main, level, *at, frames));
        }
        let ticks = moment.tick.wrapping_sub(began);
        Ran { output: self.output, mute: moment.mute, levels: [came, left], ticks }
    }
}

/// Walks steps; `ready` is the first slot where it is begun already. How loud is what the last slot made, and whether that is where
/// it is to go.
#[inline(always)]
pub(super) fn walk<'a>(
    steps: &'a [Step],
    mut ready: Option<Entered<'a>>,
    buffers: &mut [Bus],
    moment: &mut Moment<'_>,
    ends: &mut Ends<'_, '_>,
    team: &Team<'_>,
) -> (Level, bool) {
    let frames = moment.frames;
    let mut outside = matches!(ends, Ends::Buffers);
    let mut level = Level::default();
    for (place, step) in steps.iter().enumerate() {
        match step {
            Step::Slot(step) => {
                let next = steps.get(place + 1);
                let mut then = begin(next.filter(|_| step.feeds_next));
                let slot = ready.take().unwrap_or_else(|| fed(step, buffers, frames));
                moment.before = step.before;
                moment.ears = step.ears;
                if let Some(now) = moment.transport {
                    moment.late = (step.song > 0).then(|| moment.source.song.seen(now, step.song, team.rate));
                }
                let Ok([input, output]) = buffers.get_disjoint_mut([step.input, step.output]) else { continue };
                let outlet = match (&mut then, &mut *ends) {
                    (Some(then), _) => Outlet::Bus(then.direct().unwrap_or(output)),
                    (None, Ends::Host(main, at)) if next.is_none() => {
                        outside = true;
                        Outlet::Host { main, at: *at, spare: output }
                    }
                    (None, _) => Outlet::Bus(output),
                };
                level = slot.run(moment, input, outlet);
                ready = then;
            }
            Step::Load { .. } | Step::Fork(_) | Step::Gather { .. } => team.run(step, buffers, moment),
            step => run_lanes(step, buffers, moment),
        }
    }
    (level, outside)
}

/// Begins a slot's block ahead of the slot before it, so that that one can write into it.
#[inline]
fn begin(step: Option<&Step>) -> Option<Entered<'_>> {
    match step {
        Some(Step::Slot(step)) => Some(step.node.begin()),
        _ => None,
    }
}

/// Begins the block of a slot whose input lies in a buffer.
#[inline]
fn fed<'a>(step: &'a SlotStep, buffers: &[Bus], frames: usize) -> Entered<'a> {
    let mut slot = step.node.begin();
    if let Some(own) = slot.direct() {
        copy(&buffers[step.input], own, frames);
    }
    slot
}

/// All that is not a slot.
fn run_lanes(step: &Step, buffers: &mut [Bus], moment: &mut Moment<'_>) {
    let frames = moment.frames;
    let stream = &mut moment.scratch.stream;
    match step {
        Step::Slot(_) | Step::Load { .. } | Step::Fork(_) | Step::Gather { .. } => {}
        Step::Split { node, input, first, count } => {
            // A split's outputs lie behind every buffer that was there before it.
            let (before, behind) = buffers.split_at_mut(*first);
            node.run(&before[*input], &mut behind[..*count], frames);
        }
        Step::BeginLane { group, node, place, input } => {
            node.note_input(&buffers[*input], frames);
            group.begin_events(stream, *place == 0);
        }
        Step::EndLane(step) => {
            let LaneStep { group, node, place, input, sum, own, makes_midi, .. } = &**step;
            let first = *place == 0;
            if let Some(own) = own {
                if let Ok([input, own, sum]) = buffers.get_disjoint_mut([*input, *own, *sum]) {
                    node.run(group, *place, input, own, frames, true);
                    node.give(own, (sum, moment.aux), frames, first);
                }
            } else if let Ok([input, sum]) = buffers.get_disjoint_mut([*input, *sum]) {
                node.run(group, *place, input, sum, frames, first);
            }
            if *makes_midi {
                node.run_events(stream, frames);
                group.keep_events(stream);
            }
        }
        Step::Tap { from, tap } => {
            // Where others only look at them none is filled: see `Sharing`.
            if let Taps::Filled(taps) = &mut moment.taps {
                copy(&buffers[*from], &mut taps[*tap], frames);
            }
        }
        Step::Join(JoinStep { group, input, sum, makes_midi, latency, .. }) => {
            if let Ok([input, sum]) = buffers.get_disjoint_mut([*input, *sum]) {
                group.go_round(input, sum, frames);
            }
            group.note_sum(&buffers[*sum], frames);
            group.end_events(stream, *makes_midi, *latency, frames);
        }
    }
}

fn copy(from: &Bus, to: &mut Bus, frames: usize) {
    let channels = to.channels.iter_mut().zip(&from.channels);
    kernels::copy(channels.map(|(to, from)| (&mut to[..frames], &from[..frames])));
}
