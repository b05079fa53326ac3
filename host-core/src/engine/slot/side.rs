//! A slot's sidechain: what it hears is as late as the slot's sound, and another source cross-fades with the one before.
//! `[audio]` all through.

use super::path::Path;
use super::run::Moment;
use super::{Held, SlotNode};
use crate::backend::audio::{Bus, Samples};
use crate::engine::delay::DelayLine;
use crate::engine::ramp::Ramp;
use crate::engine::side::SideKey;

/// What becomes of a slot's sidechain between two blocks.
pub struct Side {
    source: SideKey,
    /// The line of the source before, while that fades out.
    old: DelayLine,
    /// Share of the source against the one before.
    share: Ramp,
    /// Whether it is heard at all: a source that goes fades out before it is gone.
    pub heard: Ramp,
    /// Frames until the source's line is full.
    wait: u32,
}

impl Side {
    /// `old`: a line without memory. `[home]`
    pub fn new(old: DelayLine) -> Self {
        Self { source: SideKey::default(), old, share: Ramp::new(1.0), heard: Ramp::new(1.0), wait: 0 }
    }

    /// A plan begins in which the source is `source`, delayed by `wanted` frames in `line`. A source that is another needs a line
    /// of its own, in `spare`; what is not needed any more is left there, to be freed on home.
    pub fn enter(
        &mut self,
        source: SideKey,
        line: &mut DelayLine,
        spare: &mut Option<DelayLine>,
        wanted: u32,
        fresh: bool,
    ) {
        let other = std::mem::replace(&mut self.source, source) != source;
        match spare {
            Some(spare) if other && !fresh => {
                std::mem::swap(line, spare);
                std::mem::swap(&mut self.old, spare);
                line.jump(wanted);
                self.share.jump(0.0);
                self.wait = wanted;
                return;
            }
            Some(spare) => line.grow(spare),
            None => {}
        }
        match other || fresh {
            true => line.jump(wanted),
            false => line.aim(wanted),
        }
    }

    /// Whether nothing fades and all is heard.
    pub fn is_plain(&self) -> bool {
        self.share.is(1.0) && self.heard.is(1.0)
    }

    /// Whether the source before is still heard.
    pub fn turns(&self) -> bool {
        !self.share.is(1.0)
    }

    /// Whether nothing fades.
    pub fn settled(&self) -> bool {
        self.share.is(1.0) && self.heard.settled()
    }

    /// Nobody hears the slot's plugin: what fades is where it was to go.
    pub fn finish(&mut self) {
        self.share.jump(1.0);
        self.heard.finish();
        self.wait = 0;
    }

    pub fn clear(&mut self) {
        self.old.clear();
    }

    /// Fades what is heard now, in `to` or, where the line passes it, as it comes in `now`, over what was heard before.
    fn fade(
        &mut self,
        to: &mut Bus,
        (now, was): (Option<&Bus>, &Bus),
        count: usize,
        (share, heard): (&mut [f32], &mut [f32]),
        fade: u32,
    ) {
        let frames = share.len();
        if self.wait == 0 {
            self.share.go(1.0, fade);
        }
        self.wait = self.wait.saturating_sub(frames as u32);
        self.share.fill(share);
        self.heard.fill(heard);
        // What has fewer channels than another is spread over as many. Downwards: a channel is read where it still is what came.
        for c in (0..to.channels.len()).rev() {
            let old = was.channels.get(c % was.channels.len().max(1));
            let from = c % count.max(1);
            for i in 0..frames {
                let new = match now {
                    Some(now) => now.channels.get(from).map_or(0.0, |channel| channel[i]),
                    None if count == 0 => 0.0,
                    None => to.channels[from][i],
                };
                let old = old.map_or(0.0, |channel: &Samples| channel[i]);
                to.channels[c][i] = (old * (1.0 - share[i]) + new * share[i]) * heard[i];
            }
        }
    }
}

impl SlotNode {
    /// Whether its plugin has a sidechain. `[any]`
    pub fn hears_side(&self) -> bool {
        self.hears_side
    }

    /// Writes the plugin's sidechain.
    pub(super) fn feed_sidechain(&self, path: &mut Path, held: &mut Held, moment: &mut Moment<'_>, bus: usize) {
        let frames = moment.frames;
        let hear = |number: u16| match number {
            0 => moment.sidechain,
            tap => moment.taps.all().get(usize::from(tap) - 1).unwrap_or(moment.sidechain),
        };
        let (now, scratch) = (hear(moment.ears.now), &mut *moment.scratch);
        let line = &mut path.lines.sidechain;
        line.write(now, frames);
        let mut count = now.channels.len();
        let mut from = now;
        if !line.idle() {
            line.read(&mut scratch.sidechain, frames);
            from = &scratch.sidechain;
        }
        if !path.side.is_plain() {
            let was = hear(moment.ears.was);
            let side = &mut path.side;
            let was = side.old.through(was, &mut scratch.side, frames);
            let gains = (&mut scratch.amount[..frames], &mut scratch.gain[..frames]);
            let now = line.idle().then_some(now);
            side.fade(&mut scratch.sidechain, (now, was), count, gains, path.fade);
            count = scratch.sidechain.channels.len();
            from = &scratch.sidechain;
        }
        for instance in &mut held.instances {
            for (i, to) in instance.audio().buffers().inputs[bus].channels.iter_mut().enumerate() {
                match from.channels.get(i % count.max(1)) {
                    Some(from) => to[..frames].copy_from_slice(&from[..frames]),
                    None => to[..frames].fill(0.0),
                }
            }
        }
    }
}
