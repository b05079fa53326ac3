//! What becomes of a plugin's outputs. `[audio]` all through.

use super::adapt::Take;
use super::path::Path;
use super::run::Moment;
use super::{Heard, Held, SlotNode};
use crate::backend::audio::{Bus, Samples};
use crate::engine::kernels::{self, Level};
use crate::engine::messages::FaultKind;
use crate::engine::ramp::Ramp;

impl SlotNode {
    /// Brings the plugin's outputs to `output`, with what the fades ask for.
    pub(super) fn collect(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> Level {
        let frames = moment.frames;
        path.lines.dry.write(input, frames);
        match (path.plain, self.adds) {
            (true, false) => self.collect_steady(path, held, moment, input, output),
            (true, true) => self.collect_added(path, held, moment, input, output),
            (false, _) => self.collect_faded(path, held, moment, input, output),
        }
    }

    /// What an instrument plays is added to what was there before it.
    fn collect_added(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> Level {
        let frames = moment.frames;
        let scratch = &mut *moment.scratch;
        let dry = dry_of(path, &mut scratch.dry, input, frames);
        let straight = if self.wiring.gives_straight { self.wiring.main_out } else { None };
        let wet = match (straight, held.instances.first_mut()) {
            (Some(main), Some(instance)) => &instance.audio().buffers().outputs[main],
            _ => {
                self.gather(held, dry, &mut scratch.wet, frames);
                &scratch.wet
            }
        };
        let level = add_scan(dry, wet, output, frames);
        self.let_hear(Heard::Wet, wet, frames);
        if level.energy.is_finite() || all_finite(output, frames) {
            path.good_block();
            self.collect_aux(path, held, moment);
            return level;
        }
        if all_finite(wet, frames) {
            // A sum of finite samples ran over: nobody's fault, but it must not leave.
            path.good_block();
        } else {
            self.fault(path, FaultKind::NonFinite, moment);
        }
        self.finish_dry(path, moment, input, output)
    }

    fn collect_steady(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> Level {
        let frames = moment.frames;
        let dry = if path.lines.dry.idle() || !self.wiring.passes_dry() {
            input
        } else {
            path.lines.dry.read(&mut moment.scratch.dry, frames);
            &moment.scratch.dry
        };
        let level = self.gather(held, dry, output, frames);
        self.let_hear(Heard::Wet, output, frames);
        if level.energy.is_finite() || all_finite(output, frames) {
            path.good_block();
            self.collect_aux(path, held, moment);
            return level;
        }
        self.fault(path, FaultKind::NonFinite, moment);
        self.write_dry(path, moment, input, output)
    }

    fn collect_faded(
        &self,
        path: &mut Path,
        held: &mut Held,
        moment: &mut Moment<'_>,
        input: &Bus,
        output: &mut Bus,
    ) -> Level {
        let frames = moment.frames;
        let scratch = &mut *moment.scratch;
        let dry = dry_of(path, &mut scratch.dry, input, frames);
        let raw = self.gather(held, dry, &mut scratch.wet, frames);
        if !raw.energy.is_finite() && !all_finite(&scratch.wet, frames) {
            self.fault(path, FaultKind::NonFinite, moment);
            return self.finish_dry(path, moment, input, output);
        }
        path.good_block();
        self.let_hear(Heard::Wet, &scratch.wet, frames);
        if !path.is_straight() {
            turn(&mut path.factors, &mut scratch.factors, &mut scratch.wet, frames);
        }
        let (amount, gain) = (&mut scratch.amount[..frames], &mut scratch.gain[..frames]);
        path.mix.fill(amount);
        path.wet.fill(gain);
        kernels::scale_in_place(amount, gain);
        path.output_gain.fill(gain);
        let mix = if self.adds { kernels::mix } else { kernels::blend };
        for ((out, dry), wet) in output.channels.iter_mut().zip(&dry.channels).zip(&scratch.wet.channels) {
            mix(&mut out[..frames], &dry[..frames], &wet[..frames], amount, gain);
        }
        if !path.delta.is(0.0) {
            take_away(&mut path.delta, gain, dry, output);
        }
        let mut level = scan(output, frames);
        if !level.energy.is_finite() && !all_finite(output, frames) {
            // Gains made an overflow of finite samples: nobody's fault, but it must not leave.
            return self.finish_dry(path, moment, input, output);
        }
        if let Some(faded) = fade_output(path, moment, output) {
            kernels::scale_in_place(&mut moment.scratch.amount[..frames], &moment.scratch.gain[..frames]);
            level = faded;
        }
        self.collect_aux(path, held, moment);
        level
    }

    /// The plugin's output, channel by channel.
    #[inline]
    fn gather_straight(&self, held: &mut Held, to: &mut Bus, frames: usize) -> Level {
        match (self.wiring.main_out, held.instances.first_mut()) {
            (Some(main), Some(instance)) => copy_scan(&instance.audio().buffers().outputs[main], to, frames),
            _ => Level::default(),
        }
    }

    /// The plugin's outputs as the chain's channels.
    fn gather(&self, held: &mut Held, dry: &Bus, to: &mut Bus, frames: usize) -> Level {
        match (self.wiring.main_out, held.instances.first_mut()) {
            (Some(_), Some(_)) if self.wiring.gives_straight => self.gather_straight(held, to, frames),
            (Some(main), _) => {
                self.gather_wired(held, main, dry, to, frames);
                scan(to, frames)
            }
            (None, _) if self.adds => {
                to.channels.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
                Level::default()
            }
            (None, _) => copy_scan(dry, to, frames),
        }
    }

    fn gather_wired(&self, held: &mut Held, main: usize, dry: &Bus, to: &mut Bus, frames: usize) {
        for (c, (take, to)) in self.wiring.takes.iter().zip(&mut to.channels).enumerate() {
            let to = &mut to[..frames];
            match take {
                Take::Dry if self.adds => to.fill(0.0),
                Take::Dry => to.copy_from_slice(&dry.channels[c][..frames]),
                Take::Channel(instance, channel) => {
                    if let Some(instance) = held.instances.get_mut(*instance) {
                        to.copy_from_slice(&instance.audio().buffers().outputs[main].channels[*channel][..frames]);
                    }
                }
                Take::Mean(channels) => {
                    if let Some(instance) = held.instances.first_mut() {
                        mean(channels, &instance.audio().buffers().outputs[main], to);
                    }
                }
            }
        }
    }
}

fn dry_of<'a>(path: &mut Path, scratch: &'a mut Bus, input: &'a Bus, frames: usize) -> &'a Bus {
    if path.lines.dry.idle() {
        return input;
    }
    path.lines.dry.read(scratch, frames);
    scratch
}

/// Phase, mono and pan of the wet.
fn turn(ramps: &mut [Ramp; 5], rooms: &mut [Samples; 5], wet: &mut Bus, frames: usize) {
    for (ramp, factor) in ramps.iter_mut().zip(&mut *rooms) {
        ramp.fill(&mut factor[..frames]);
    }
    let [ll, lr, rl, rr, alone] = rooms.each_ref().map(|factor| &factor[..frames]);
    for pair in wet.channels.chunks_mut(2) {
        match pair {
            [left, right] => kernels::turn(&mut left[..frames], &mut right[..frames], [ll, lr, rl, rr]),
            [only] => kernels::scale_in_place(&mut only[..frames], alone),
            _ => {}
        }
    }
}

pub(super) fn fade_output(path: &mut Path, moment: &mut Moment<'_>, output: &mut Bus) -> Option<Level> {
    if path.dry_gain.is(1.0) {
        return None;
    }
    let gain = &mut moment.scratch.gain[..moment.frames];
    path.dry_gain.fill(gain);
    for channel in &mut output.channels {
        kernels::scale_in_place(&mut channel[..moment.frames], gain);
    }
    Some(scan(output, moment.frames))
}

/// Takes a share of `dry` out of `output`.
pub(super) fn take_away(share: &mut Ramp, room: &mut [f32], dry: &Bus, output: &mut Bus) {
    share.fill(room);
    for (to, dry) in output.channels.iter_mut().zip(&dry.channels) {
        kernels::take_away(&mut to[..room.len()], &dry[..room.len()], room);
    }
}

pub(super) fn all_finite(bus: &Bus, frames: usize) -> bool {
    bus.channels.iter().all(|channel| kernels::all_finite(&channel[..frames]))
}

/// One pass over all channels: copy, peak, power and whether all is finite.
#[inline]
pub(super) fn copy_scan(from: &Bus, to: &mut Bus, frames: usize) -> Level {
    let channels = to.channels.iter_mut().zip(&from.channels);
    kernels::copy_scan(channels.map(|(to, from)| (&mut to[..frames], &from[..frames])))
}

/// One pass over all channels: sum, peak, power and whether all is finite.
#[inline]
fn add_scan(dry: &Bus, wet: &Bus, to: &mut Bus, frames: usize) -> Level {
    let given = dry.channels.iter().zip(&wet.channels);
    let channels = to.channels.iter_mut().zip(given);
    kernels::add_scan(channels.map(|(to, (dry, wet))| (&mut to[..frames], (&dry[..frames], &wet[..frames]))))
}

pub(in crate::engine) fn scan(bus: &Bus, frames: usize) -> Level {
    kernels::scan(bus.channels.iter().map(|channel| &channel[..frames]))
}

/// Samples beyond -1 to 1 in a bus of that level.
pub(in crate::engine) fn count_clips(bus: &Bus, level: Level, frames: usize) -> u32 {
    level.clips(bus.channels.iter().map(|channel| &channel[..frames]))
}

pub(super) fn mean(channels: &[usize], from: &Bus, to: &mut [f32]) {
    to.fill(0.0);
    for &channel in channels {
        kernels::add(to, &from.channels[channel][..to.len()]);
    }
    let share = 1.0 / channels.len().max(1) as f32;
    for x in to {
        *x *= share;
    }
}
