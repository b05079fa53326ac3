//! How a slot begins and ends a block, and the usual block: nothing fades and the input is in the plugin's own buffer.
//! `[audio]` all through.

use atomic_refcell::AtomicRefMut;
use sync_wrapper::SyncWrapper;

use super::collect::{all_finite, copy_scan, count_clips};
use super::path::{Path, State};
use super::run::{Moment, copy};
use super::{Core, Heard, Held, SlotNode};
use crate::backend::audio::Bus;
use crate::engine::kernels::{self, Level};
use crate::engine::messages::FaultKind;
use crate::engine::processor::host;

/// Where a slot's sound goes.
pub enum Outlet<'a, 'b> {
    /// To a buffer: the next slot's own, or one of the plan's.
    Bus(&'a mut Bus),
    /// To the host, from this frame on; a buffer beside for what takes more than one pass.
    Host {
        /// The host's samples.
        main: &'a mut [&'b mut [f32]],
        /// Where they begin.
        at: usize,
        /// The buffer.
        spare: &'a mut Bus,
    },
}

impl Outlet<'_, '_> {
    /// Takes what a plugin wrote.
    #[inline]
    fn take(&mut self, from: &Bus, frames: usize) -> Level {
        match self {
            Self::Bus(bus) => copy_scan(from, bus, frames),
            Self::Host { main, at, .. } => host::write_scan(from, main, *at, frames),
        }
    }

    /// Takes what `work` writes to a buffer.
    fn fill(&mut self, frames: usize, work: impl FnOnce(&mut Bus)) {
        match self {
            Self::Bus(bus) => work(bus),
            Self::Host { main, at, spare } => {
                work(spare);
                host::write(spare, main, *at, frames);
            }
        }
    }
}

/// A slot at the beginning of its block: it holds its plugin and what it keeps of it until the block is done.
pub struct Entered<'a> {
    node: &'a SlotNode,
    /// `None`: another thread has it.
    core: Option<AtomicRefMut<'a, SyncWrapper<Core>>>,
    /// The plugin is here, or there is none at all: neither parked nor with home.
    here: bool,
    retry: bool,
    direct: bool,
}

impl SlotNode {
    /// Begins a block. `[audio]`
    #[inline]
    pub(in crate::engine) fn begin(&self) -> Entered<'_> {
        let mut core = self.core.try_borrow_mut().ok();
        let (mut here, mut retry, mut direct) = (false, false, false);
        if let Some(core) = &mut core {
            let Core { held, path } = core.get_mut();
            retry = path.follow(&self.controls);
            here = if held.instances.is_empty() { self.fetch(held, path) } else { true };
            direct = path.steady && self.takes_direct && !held.instances.is_empty();
        }
        Entered { node: self, core, here, retry, direct }
    }

    /// Takes the plugin back from where home had it. False: it is still there.
    #[inline(never)]
    fn fetch(&self, held: &mut Held, path: &Path) -> bool {
        if path.is_parked() {
            return false;
        }
        let Ok(mut shelf) = self.shelf.try_borrow_mut() else { return false };
        std::mem::swap(held, shelf.get_mut());
        true
    }
}

impl Entered<'_> {
    /// The plugin's own input, where the slot wants nothing else of what comes in: it is to be written there, and
    /// [`Entered::run`] looks at no other. `[audio]`
    #[inline]
    pub fn direct(&mut self) -> Option<&mut Bus> {
        let core = self.core.as_mut().filter(|_| self.direct)?;
        let instance = core.get_mut().held.instances.first_mut()?;
        instance.audio().buffers().inputs.get_mut(usize::from(self.node.main_in?))
    }

    /// Runs the block from `input`, or from what was written to [`Entered::direct`]; how loud is what came out. `[audio]`
    pub fn run(self, moment: &mut Moment<'_>, input: &Bus, mut outlet: Outlet<'_, '_>) -> Level {
        let Self { node, core, here, retry, direct } = self;
        let frames = moment.frames;
        let Some(mut core) = core else {
            node.meters.fault(FaultKind::Busy);
            let level = outlet.take(input, frames);
            moment.clips = count_clips(input, level, frames);
            return level;
        };
        let Core { held, path } = core.get_mut();
        if direct {
            return node.run_direct(path, held, moment, &mut outlet);
        }
        let held = here.then_some(held);
        let mut level = Level::default();
        outlet.fill(frames, |output| level = node.run_from(path, held, retry, moment, input, output));
        level
    }
}

impl SlotNode {
    /// Runs a steady block whose input is in the plugin's own buffer.
    fn run_direct(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        outlet: &mut Outlet<'_, '_>,
    ) -> Level {
        let frames = moment.frames;
        if !path.lines.dry.idle()
            && let Some(own) = self.own_input(held)
        {
            path.lines.dry.write(own, frames);
        }
        if self.is_heard() {
            self.let_hear_input(held, frames);
        }
        if let (true, Some(bus)) = (self.hears_side, self.wiring.sidechain) {
            self.feed_sidechain(path, held, moment, bus);
        }
        let ear = self.listen(path, moment);
        match self.call_watched(path, held, moment, ear).and_then(|()| self.take_output(held, outlet, frames)) {
            Ok(level) => {
                path.good_block();
                if level.peak > 1.0 {
                    moment.clips = self.clips_of(held, level, frames);
                }
                if self.has_aux {
                    self.collect_aux(path, held, moment);
                }
                self.end(path, moment, State::Ready, true, level);
                level
            }
            Err(kind) => {
                self.fault(path, kind, moment);
                let mut level = Level::default();
                outlet.fill(frames, |output| {
                    level = self.pass_own_input(path, held, moment, output);
                    moment.clips = count_clips(output, level, frames);
                });
                self.end(path, moment, State::Ready, kind == FaultKind::NonFinite, level);
                level
            }
        }
    }

    #[inline]
    fn take_output(&self, held: &mut Held, outlet: &mut Outlet<'_, '_>, frames: usize) -> Result<Level, FaultKind> {
        let (Some(main), Some(instance)) = (self.main_out, held.instances.first_mut()) else {
            return Err(FaultKind::Failed);
        };
        let made = &instance.audio().buffers().outputs[usize::from(main)];
        let level = outlet.take(made, frames);
        if self.is_heard() {
            self.let_hear(Heard::Wet, made, frames);
            self.let_hear(Heard::Out, made, frames);
        }
        if level.energy.is_finite() || all_finite(made, frames) { Ok(level) } else { Err(FaultKind::NonFinite) }
    }

    #[cold]
    fn let_hear_input(&self, held: &mut Held, frames: usize) {
        if let Some(own) = self.own_input(held) {
            self.let_hear(Heard::In, own, frames);
        }
    }

    #[cold]
    fn clips_of(&self, held: &mut Held, level: Level, frames: usize) -> u32 {
        let (Some(main), Some(instance)) = (self.main_out, held.instances.first_mut()) else { return 0 };
        count_clips(&instance.audio().buffers().outputs[usize::from(main)], level, frames)
    }

    fn own_input<'a>(&self, held: &'a mut Held) -> Option<&'a Bus> {
        held.instances.first_mut()?.audio().buffers().inputs.get(usize::from(self.main_in?))
    }

    /// The fallback of a slot whose input is in the plugin's own buffer and in its line. The plugin only reads that buffer,
    /// but this is one that has just failed: what it may have left there is not let out unless it is finite.
    fn pass_own_input(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>, output: &mut Bus) -> Level {
        let mut dry = std::mem::replace(&mut moment.scratch.wet, Bus::new(0, 0));
        if let Some(own) = self.own_input(held) {
            copy(own, &mut dry, moment.frames);
            dry.channels.iter_mut().for_each(|channel| kernels::sanitise(&mut channel[..moment.frames]));
        }
        let level = self.write_dry(path, moment, &dry, output);
        moment.scratch.wet = dry;
        level
    }
}
