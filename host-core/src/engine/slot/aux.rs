//! A slot's further outputs: to the container's auxiliary outputs, late by the latency after the slot. `[audio]` all through.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::path::Path;
use super::run::Moment;
use super::{Held, SlotNode};
use crate::backend::audio::Bus;
use crate::engine::aux::Route;
use crate::engine::kernels;
use crate::model::Slot;

/// Further outputs that can be sent somewhere, at most.
const OUTPUTS: usize = 64;
/// How many of them one word tells of.
const EACH: usize = 16;

/// Where home wants a slot's further outputs to go: four bits for each.
pub(super) struct Wishes([AtomicU64; OUTPUTS / EACH]);

impl Wishes {
    /// As the slot says.
    pub fn set(&self, slot: &Slot) {
        for (number, word) in self.0.iter().enumerate() {
            let bits = |at: usize| u64::from(slot.aux_of(number * EACH + at).unwrap_or(0)) << (4 * at);
            word.store((0..EACH).map(bits).fold(0, |a, b| a | b), Relaxed);
        }
    }

    fn of(&self, output: usize) -> u8 {
        let word = self.0.get(output / EACH).map_or(0, |word| word.load(Relaxed));
        (word >> (4 * (output % EACH)) & 0xF) as u8
    }
}

impl Default for Wishes {
    fn default() -> Self {
        // The first eight go where their number says.
        Self([AtomicU64::new(0x8765_4321), AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0)])
    }
}

/// What becomes of a slot's further outputs between two blocks.
pub struct Aux {
    /// All auxiliary outputs, as this slot sounds on them.
    bus: Bus,
    routes: Vec<Route>,
    fresh: bool,
    /// Whether the plugin was heard in this block.
    ran: bool,
    /// Whether `bus` holds what is added to the auxiliary outputs in this block.
    gave: bool,
    /// Frames of silence that went into the line last.
    quiet: u32,
}

impl Aux {
    /// For `channels` of auxiliary outputs and so many outputs of the plugin. `[home]`
    pub fn new(channels: usize, outputs: usize, max_block: u32) -> Self {
        let routes = (0..if channels > 0 { outputs } else { 0 }).map(|_| Route::new(0)).collect();
        Self {
            bus: Bus::new(channels, max_block as usize),
            routes,
            fresh: true,
            ran: false,
            gave: false,
            quiet: u32::MAX,
        }
    }

    /// Goes where home wants it.
    pub(super) fn follow(&mut self, wishes: &Wishes, fade: u32) {
        let fresh = std::mem::take(&mut self.fresh);
        for (output, route) in self.routes.iter_mut().enumerate() {
            match fresh {
                true => *route = Route::new(wishes.of(output)),
                false => route.aim(wishes.of(output), fade),
            }
        }
    }

    /// Whether everything goes where home wants it.
    pub(super) fn settled(&self, wishes: &Wishes) -> bool {
        self.fresh || self.routes.iter().enumerate().all(|(output, route)| route.is(wishes.of(output)))
    }

    /// Whether a line of `delay` frames holds silence alone.
    pub fn is_silent(&self, delay: u32) -> bool {
        self.quiet >= delay
    }

    pub fn clear(&mut self) {
        self.quiet = u32::MAX;
    }
}

impl SlotNode {
    /// Adds the plugin's further outputs to the container's auxiliary outputs.
    pub(super) fn collect_aux(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>) {
        let frames = moment.frames;
        if path.aux.bus.channels.is_empty() {
            return;
        }
        let Some(instance) = held.instances.first_mut() else { return };
        let aux = &mut path.aux;
        if !path.steady {
            aux.follow(self.controls.aux(), path.fade);
        }
        aux.bus.channels.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
        let buffers = instance.audio().buffers();
        for (route, &bus) in aux.routes.iter_mut().zip(&self.wiring.aux) {
            route.add(&buffers.outputs[bus].channels, &mut aux.bus, &mut moment.scratch.gain[..frames]);
        }
        for channel in &mut aux.bus.channels {
            kernels::sanitise(&mut channel[..frames]);
            if !path.plain {
                kernels::scale_in_place(&mut channel[..frames], &moment.scratch.amount[..frames]);
            }
        }
        aux.quiet = if path.wet.is(0.0) { aux.quiet.saturating_add(frames as u32) } else { 0 };
        aux.ran = true;
        give(path, moment);
    }

    /// Adds what it gave in a lane that was run beside others, where it could not be added.
    pub(in crate::engine) fn add_late(&self, aux: &mut Bus, frames: usize) {
        if !self.has_aux {
            return;
        }
        self.with_path(|path| {
            if std::mem::take(&mut path.aux.gave) {
                add(&path.aux.bus, aux, frames);
            }
        });
    }

    /// The plugin gave nothing to hear in this block: what is still on its way goes on.
    pub(super) fn rest_aux(&self, path: &mut Path, moment: &mut Moment<'_>) {
        let frames = moment.frames;
        path.aux.gave = path.aux.ran;
        if std::mem::take(&mut path.aux.ran) || path.aux.bus.channels.is_empty() {
            return;
        }
        if !path.aux.is_silent(path.lines.aux.longest()) {
            path.aux.bus.channels.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
            give(path, moment);
        }
        path.aux.quiet = path.aux.quiet.saturating_add(frames as u32);
        path.aux.fresh = true;
    }
}

fn give(path: &mut Path, moment: &mut Moment<'_>) {
    let frames = moment.frames;
    path.aux.gave = true;
    let (line, bus) = (&mut path.lines.aux, &mut path.aux.bus);
    line.write(bus, frames);
    if !line.idle() {
        line.read(bus, frames);
    }
    add(bus, moment.aux, frames);
}

fn add(from: &Bus, aux: &mut Bus, frames: usize) {
    for (to, from) in aux.channels.iter_mut().zip(&from.channels) {
        kernels::add(&mut to[..frames], &from[..frames]);
    }
}
