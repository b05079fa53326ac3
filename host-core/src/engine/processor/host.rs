//! The host's samples, and the engine's own buffers. `[audio]` all through.

use crate::backend::audio::Bus;
use crate::engine::kernels::{self, Level};
use crate::engine::slot::scan;

/// Copies in, with every sample that is no number made 0, and silence for what is not there.
#[inline]
pub fn read<S: AsRef<[f32]>>(from: &[S], to: &mut Bus, at: usize, frames: usize) {
    if to.channels.is_empty() {
        return;
    }
    let whole = from.iter().all(|channel| channel.as_ref().len() >= at + frames);
    if !whole || from.len() < to.channels.len() {
        return read_part(from, to, at, frames);
    }
    let channels = to.channels.iter_mut().zip(from);
    let pairs = channels.map(|(to, from)| (&mut to[..frames], &from.as_ref()[at..at + frames]));
    if !kernels::copy_finite(pairs) {
        sanitise(to, frames);
    }
}

/// The same, scanned in the same pass.
#[inline]
pub fn read_scan<S: AsRef<[f32]>>(from: &[S], to: &mut Bus, at: usize, frames: usize) -> Level {
    let whole = from.iter().all(|channel| channel.as_ref().len() >= at + frames);
    if to.channels.is_empty() || !whole || from.len() < to.channels.len() {
        read(from, to, at, frames);
        return scan(to, frames);
    }
    let channels = to.channels.iter_mut().zip(from);
    let level = kernels::copy_scan(channels.map(|(to, from)| (&mut to[..frames], &from.as_ref()[at..at + frames])));
    if !level.energy.is_finite() {
        sanitise(to, frames);
        return scan(to, frames);
    }
    level
}

#[cold]
fn read_part<S: AsRef<[f32]>>(from: &[S], to: &mut Bus, at: usize, frames: usize) {
    for (c, to) in to.channels.iter_mut().enumerate() {
        let from = from.get(c).and_then(|channel| channel.as_ref().get(at..)).unwrap_or(&[]);
        let given = from.len().min(frames);
        to[..given].copy_from_slice(&from[..given]);
        to[given..frames].fill(0.0);
    }
    sanitise(to, frames);
}

#[cold]
fn sanitise(bus: &mut Bus, frames: usize) {
    bus.channels.iter_mut().for_each(|channel| kernels::sanitise(&mut channel[..frames]));
}

/// Copies out and scans in the same pass; silence for channels of the host's that the chain does not have.
pub fn write_scan(from: &Bus, to: &mut [&mut [f32]], at: usize, frames: usize) -> Level {
    for to in to.iter_mut().skip(from.channels.len()) {
        if let Some(to) = to.get_mut(at..at + frames) {
            to.fill(0.0);
        }
    }
    kernels::copy_scan(to.iter_mut().zip(&from.channels).map(|(to, from)| {
        let to = to.get_mut(at..at + frames).unwrap_or(&mut []);
        let from = &from[..to.len()];
        (to, from)
    }))
}

/// Scans what the host is given.
pub fn scan_main(main: &[&mut [f32]], at: usize, frames: usize) -> Level {
    kernels::scan(main.iter().filter_map(|channel| channel.get(at..at + frames)))
}

/// Samples beyond -1 to 1 in the host's, whose level this is.
pub fn count_clips(main: &[&mut [f32]], level: Level, at: usize, frames: usize) -> u32 {
    level.clips(main.iter().filter_map(|channel| channel.get(at..at + frames)))
}

/// Copies out, and silence for channels of the host's that the chain does not have.
pub fn write(from: &Bus, to: &mut [&mut [f32]], at: usize, frames: usize) {
    for (to, from) in to.iter_mut().zip(&from.channels) {
        if let Some(to) = to.get_mut(at..at + frames) {
            to.copy_from_slice(&from[..frames]);
        }
    }
    for to in to.iter_mut().skip(from.channels.len()) {
        if let Some(to) = to.get_mut(at..at + frames) {
            to.fill(0.0);
        }
    }
}
