//! One plugin in a chain, as home and the audio thread both hold it.
//!
//! 1. [`SlotNode::new`] at home, from the audio halves that activation gave; a slot without any passes its delayed dry;
//! 2. a plan that contains it goes to the audio thread, where the node is run;
//! 3. home moves its [`SlotControls`] and reads its meters ([`MeterReading`]);
//! 4. [`SlotNode::take`] at home, when no plan on the audio thread holds the node, when it is parked, or under the lease,
//!    gives the audio halves back; [`SlotNode::put`] returns them.

mod adapt;
mod aux;
mod block;
mod collect;
mod controls;
mod hear;
mod held;
mod midi;
mod path;
mod rest;
mod run;
mod setup;
mod shape;
mod side;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use atomic_refcell::AtomicRefCell;
use smallvec::SmallVec;
use sync_wrapper::SyncWrapper;

pub use adapt::instances_needed;
pub(super) use block::{Entered, Outlet};
pub(super) use collect::{count_clips, scan};
pub use controls::SlotControls;
pub(super) use controls::balance;
pub(super) use path::MOST_PARAMS;
pub(super) use run::{Moment, Scratch, Taps};
pub use setup::{FirstRun, SlotSetup};
pub(super) use shape::{Lines, Shape};

use super::delay::DelayLine;
use super::meters::{MeterReading, Meters};
use super::oversample;
use super::side::SideKey;
use super::taps::Tap;
use crate::backend::audio::{ParamEvent, PluginAudio};
use crate::model::{MAX_LATENCY, PortLayout, SlotId};
use adapt::Wiring;
use hear::Heard;
pub(super) use held::Instance;
use held::{Core, Held, Pace};
use path::Path;

/// Time of a cross-fade between dry and wet, and of one between two lengths of a delay, seconds.
pub const FADE_SECONDS: f64 = 0.010;
/// Time in which mix and gains reach their target, seconds.
pub const SMOOTH_SECONDS: f64 = 0.020;

/// How often home looks for a plugin's place to be free: the audio thread has it for some nanoseconds.
const PATIENCE: u32 = 100_000;

/// A slot. Home and every plan that contains it hold it together. What a steady block looks at comes first, together.
#[repr(C, align(64))]
pub struct SlotNode {
    /// A steady block needs its input nowhere but in the plugin's own buffer.
    takes_direct: bool,
    adds: bool,
    midi_in: bool,
    midi_out: bool,
    /// It listens to the container's sidechain.
    hears_side: bool,
    /// It has outputs beside the main one.
    has_aux: bool,
    /// Home listens to its sound.
    heard: AtomicBool,
    /// The plugin's main buses, as in `wiring`.
    main_in: Option<u8>,
    main_out: Option<u8>,
    controls: SlotControls,
    meters: Meters,
    core: AtomicRefCell<SyncWrapper<Core>>,
    /// The plugin while home has it.
    shelf: AtomicRefCell<SyncWrapper<Held>>,
    wiring: Wiring,
    first_run: Option<Box<dyn FirstRun>>,
    latency: AtomicU32,
    tail: AtomicU32,
    /// Time of a block as home measured it, nanoseconds; 0 where it did not yet.
    cost: AtomicU32,
    /// Longest delays of the lines that `path` owns now, so that home knows when a plan must bring longer ones.
    longest: Lines<AtomicU32>,
    id: SlotId,
    key: u64,
    pace: Pace,
    shape: Shape,
    ports: PortLayout,
    tap: Tap,
}

impl SlotNode {
    /// Makes a slot. `[home]`
    pub fn new(setup: SlotSetup) -> Arc<Self> {
        static KEYS: AtomicU64 = AtomicU64::new(1);
        let pace = Pace::new(&setup);
        let latency = pace.latency(pace.told.load(Relaxed));
        let wiring = Wiring::new(&setup.ports, setup.adapt, setup.channels.into(), setup.instances.len());
        let shape = Shape {
            channels: setup.channels.into(),
            sidechain: if wiring.sidechain.is_some() { setup.sidechain.max(setup.channels).into() } else { 0 },
            aux: if wiring.aux.is_empty() { 0 } else { setup.aux.into() },
            aux_outputs: wiring.aux.len(),
            max_block: setup.max_block.max(1),
            rate: setup.rate,
            makes_midi: setup.ports.midi_out,
        };
        let takes_direct = wiring.straight && !setup.is_instrument;
        let bus = |bus: Option<usize>| bus.and_then(|bus| u8::try_from(bus).ok());
        let path = Path::new(&shape, latency, setup.fade_in);
        let max_block = shape.max_block;
        let wrap = |inner| Instance::new(inner, &pace, &setup.ports, max_block);
        let instances = setup.instances.into_iter().map(wrap).collect();
        Arc::new(Self {
            id: setup.id,
            key: KEYS.fetch_add(1, Relaxed),
            hears_side: wiring.sidechain.is_some(),
            has_aux: shape.aux > 0,
            heard: AtomicBool::new(false),
            tap: Tap::default(),
            main_in: bus(wiring.main_in),
            main_out: bus(wiring.main_out),
            wiring,
            shape,
            adds: setup.is_instrument,
            takes_direct,
            midi_in: setup.ports.midi_in,
            midi_out: setup.ports.midi_out,
            pace,
            latency: AtomicU32::new(latency),
            tail: AtomicU32::new(0),
            cost: AtomicU32::new(0),
            controls: SlotControls::default(),
            meters: Meters::default(),
            longest: Lines { dry: latency.into(), sidechain: 0.into(), aux: 0.into() },
            core: AtomicRefCell::new(SyncWrapper::new(Core { held: Held::new(instances, &setup.first_run), path })),
            shelf: AtomicRefCell::new(SyncWrapper::new(Held::new(SmallVec::new(), &None))),
            first_run: setup.first_run,
            ports: setup.ports,
        })
    }

    /// The slot's id in its chain. `[any]`
    pub fn id(&self) -> SlotId {
        self.id
    }

    /// What home may set. `[any]`
    pub fn controls(&self) -> &SlotControls {
        &self.controls
    }

    /// Peak, level, times and faults since the last call. `[home]`
    pub fn meters(&self) -> MeterReading {
        self.meters.read()
    }

    /// Notes what a block of it takes, nanoseconds: plans share lanes out by it. `[home]`
    pub fn note_cost(&self, nanos: u32) {
        self.cost.store(nanos, Relaxed);
    }

    /// What a block of it takes, as far as it was measured, nanoseconds. `[home]`
    pub(super) fn cost(&self) -> u32 {
        self.cost.load(Relaxed)
    }

    /// Latency, frames, re-blocking included. `[any]`
    pub fn latency(&self) -> u32 {
        self.latency.load(Relaxed)
    }

    /// Notes another latency of the plugin, frames at its own rate, without that of re-blocking. Heard with the next plan that is
    /// built. `[home]`
    pub fn set_latency(&self, plugin: u32) {
        let told = plugin.saturating_add(self.pace.reblock);
        self.pace.told.store(told, Relaxed);
        self.latency.store(self.pace.latency(told), Relaxed);
    }

    /// Sample rate, Hz. `[any]`
    pub fn rate(&self) -> f64 {
        self.shape.rate
    }

    /// How many times the chain's rate its plugin runs at. `[any]`
    pub fn oversample(&self) -> u32 {
        self.pace.factor
    }

    /// Latency, frames, that it would have at `factor` times the rate if its plugin told `plugin` frames there. `[home]`
    pub fn latency_at(&self, factor: u32, plugin: u32) -> u32 {
        oversample::latency(factor, plugin.saturating_add(self.pace.reblock)).min(MAX_LATENCY)
    }

    /// Frames by which sound is late when the plugin hears it, beside the latency before the slot. `[any]`
    pub(super) fn ahead(&self) -> u32 {
        oversample::before(self.pace.factor)
    }

    /// Frames at the plugin's rate that re-blocking adds to its own latency. `[any]`
    pub fn reblock_latency(&self) -> u32 {
        self.pace.reblock
    }

    /// Notes how long the plugin sounds on, frames at its own rate; `u32::MAX` for ever. Counts with the next plan that is built. `[home]`
    pub fn set_tail(&self, tail: u32) {
        self.tail.store(self.pace.tail(tail), Relaxed);
    }

    /// How long the plugin sounds on, frames. `[any]`
    pub fn tail(&self) -> u32 {
        self.tail.load(Relaxed)
    }

    /// Takes the audio halves home, stopped. `None`: the audio thread is running them this moment. Where a plan on the
    /// audio thread still holds the node, park it first: otherwise its sound ends with a step. `[home]`
    pub fn take(&self) -> Option<Vec<Box<dyn PluginAudio>>> {
        let mut shelf = self.shelf.try_borrow_mut().ok()?;
        let shelf = shelf.get_mut();
        if !self.controls.parked() && shelf.instances.is_empty() {
            // The audio thread is kept out for no longer than that: what the plugin does to stop is its own time.
            std::mem::swap(shelf, &mut self.core.try_borrow_mut().ok()?.get_mut().held);
        }
        shelf.stop();
        Some(std::mem::take(&mut shelf.instances).into_iter().map(Instance::into_inner).collect())
    }

    /// Returns audio halves that [`SlotNode::take`] gave, in their order, or new ones with the same ports and blocks in
    /// their place. Gives them back where the audio thread is in the node this moment. `[home]`
    pub fn put(&self, instances: Vec<Box<dyn PluginAudio>>) -> Result<(), Vec<Box<dyn PluginAudio>>> {
        // The audio thread holds it for a swap alone.
        let free = (0..PATIENCE).find_map(|_| {
            std::hint::spin_loop();
            self.shelf.try_borrow_mut().ok()
        });
        let Some(mut shelf) = free else { return Err(instances) };
        let wrap = |inner| Instance::new(inner, &self.pace, &self.ports, self.shape.max_block);
        *shelf.get_mut() = Held::new(instances.into_iter().map(wrap).collect(), &self.first_run);
        Ok(())
    }

    /// Lends the audio halves to home one by one, with their number: while parked, or under the lease. False: the audio
    /// thread is running them this moment. `[home]`
    pub fn with_instances(&self, mut f: impl FnMut(usize, &mut dyn PluginAudio)) -> bool {
        let mut lend = |held: &mut Held| {
            for (number, instance) in held.instances.iter_mut().enumerate() {
                f(number, instance.plugin());
            }
        };
        let Ok(mut shelf) = self.shelf.try_borrow_mut() else { return false };
        let shelf = shelf.get_mut();
        if self.controls.parked() || !shelf.instances.is_empty() {
            lend(shelf);
            return true;
        }
        let Ok(mut core) = self.core.try_borrow_mut() else { return false };
        lend(&mut core.get_mut().held);
        true
    }

    /// Takes the parameter changes that wait for the next block, so that home can carry them out itself. `[home & lease]`
    pub fn take_params(&self) -> Vec<ParamEvent> {
        // The list keeps its room: the audio thread fills it without allocating.
        self.with_path(|path| path.params.drain(..).collect()).unwrap_or_default()
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Longer lines for the delays `wanted`, where those that the node has are too short; and one for a sidechain that `turns` to
    /// another source. `[home]`
    pub(super) fn spares(&self, wanted: &Lines<u32>, turns: bool) -> Lines<Option<DelayLine>> {
        let spare = |channels: usize, longest: &AtomicU32, wanted: u32| {
            let needed = channels > 0 && wanted > longest.load(Relaxed);
            needed.then(|| self.shape.line(channels, wanted))
        };
        Lines {
            dry: spare(self.shape.channels, &self.longest.dry, wanted.dry),
            sidechain: match turns {
                true => Some(self.shape.line(self.shape.sidechain, wanted.sidechain)),
                false => spare(self.shape.sidechain, &self.longest.sidechain, wanted.sidechain),
            },
            aux: spare(self.shape.aux, &self.longest.aux, wanted.aux),
        }
    }

    /// What the audio thread keeps of the slot. `None`: another thread has it. In the audio role.
    fn with_path<R>(&self, f: impl FnOnce(&mut Path) -> R) -> Option<R> {
        let mut core = self.core.try_borrow_mut().ok()?;
        Some(f(&mut core.get_mut().path))
    }

    /// A plan with this node begins: takes longer lines over and goes to its delays. `[audio]`
    pub(super) fn enter(
        &self,
        wanted: &Lines<u32>,
        spares: &mut Lines<Option<DelayLine>>,
        side: SideKey,
        in_copy: bool,
    ) {
        self.with_path(|path| {
            path.enter(wanted, spares, side, in_copy);
            self.controls.note_turning(path.side.turns());
            self.longest.dry.store(path.lines.dry.longest(), Relaxed);
            self.longest.sidechain.store(path.lines.sidechain.longest(), Relaxed);
            self.longest.aux.store(path.lines.aux.longest(), Relaxed);
        });
    }

    /// Whether MIDI past the slot is its plugin's. `[any]`
    pub(super) fn makes_midi(&self) -> bool {
        self.midi_out
    }

    /// A plan begins in which `feeder` makes MIDI before the slot. `[audio]`
    pub(super) fn fed_by(&self, feeder: u64) {
        self.with_path(|path| path.midi.fed_by(feeder));
    }

    /// What sounds in the plugin is ended with the next block: what was to end it went past it. `[audio]`
    pub(super) fn end_notes(&self) {
        self.with_path(|path| path.midi.end());
    }

    /// Ends every note. `[audio]`
    pub(super) fn panic(&self) {
        self.with_path(|path| path.midi.panic());
    }

    /// Queues a parameter change for the next block. `[audio]`
    pub(super) fn push_param(&self, event: ParamEvent) -> bool {
        self.with_path(|path| path.push_param(event)).unwrap_or(false)
    }

    /// The same; where there is no room it takes the place of its parameter's last change. `[audio]`
    pub(super) fn push_last(&self, event: ParamEvent) {
        self.with_path(|path| path.push_last(event));
    }

    /// Forgets what still sounds. `[audio]`
    pub(super) fn reset(&self) {
        if let Ok(mut core) = self.core.try_borrow_mut() {
            let core = core.get_mut();
            core.path.clear();
            core.held.reset();
        }
    }
}
