//! Delay lines whose length can change while sound runs through them.
//!
//! A line keeps its content when its length changes: the old tap fades out and the new one in over 10 ms. A longer tap
//! is not faded to before the line holds that much sound, so a change is never heard as silence.

use crate::backend::audio::{Bus, Samples};

/// Several channels delayed by one number of frames. What an idle line looks at comes first.
#[repr(C)]
pub struct DelayLine {
    delay: u32,
    aim: u32,
    /// Where the fade that runs goes to; what is asked for meanwhile waits. Without one it is `delay`.
    to: u32,
    /// Frames of sound in the ring.
    held: usize,
    /// Frames written, counted on for ever; the ring index is this masked.
    at: usize,
    rings: Vec<Samples>,
    mask: usize,
    longest: u32,
    fade: u32,
    /// Frames of the cross-fade from `delay` to `to` already done.
    faded: u32,
    fading: bool,
}

impl DelayLine {
    /// A line for delays up to `longest` frames in blocks of at most `max_block`, cross-fading over `fade` frames. A line
    /// for 0 frames has no memory of its own. `[home]`
    pub fn new(channels: usize, longest: u32, max_block: u32, fade: u32) -> Self {
        // One more than is read: what is held is counted up to one less than there is room for.
        let frames = if longest == 0 { 0 } else { (longest as usize + max_block as usize + 1).next_power_of_two() };
        let rings = if frames == 0 { Vec::new() } else { (0..channels).map(|_| Samples::new(frames)).collect() };
        let mask = frames.saturating_sub(1);
        Self {
            rings,
            mask,
            longest,
            fade: fade.max(1),
            at: 0,
            held: 0,
            delay: 0,
            aim: 0,
            to: 0,
            faded: 0,
            fading: false,
        }
    }

    /// Longest delay it has room for, frames. `[any]`
    pub fn longest(&self) -> u32 {
        self.longest
    }

    /// Delay of what is read now, frames. `[audio]`
    pub fn delay(&self) -> u32 {
        self.delay
    }

    /// Asks for another delay; it is faded to when the line holds enough. `[audio]`
    pub fn aim(&mut self, delay: u32) {
        self.aim = delay.min(self.longest);
    }

    /// Takes another delay at once: for a line nobody hears yet. `[audio]`
    pub fn jump(&mut self, delay: u32) {
        self.aim(delay);
        (self.delay, self.to) = (self.aim, self.aim);
        self.fading = false;
        self.held = self.mask;
    }

    /// Whether it has the delay last asked for. `[audio]`
    pub fn settled(&self) -> bool {
        self.delay == self.aim && !self.fading
    }

    /// Whether it passes its input as it is, and holds nothing. `[audio]`
    pub fn idle(&self) -> bool {
        self.delay | self.aim | self.to == 0
    }

    /// Takes the place of a line that is shorter, or made for shorter blocks: `spare` becomes this line with its
    /// content, and the smaller one is left in `spare`, to be freed on home. `[audio]`
    pub fn grow(&mut self, spare: &mut DelayLine) {
        if spare.longest <= self.longest && spare.mask <= self.mask {
            return;
        }
        let keep = if self.rings.is_empty() { 0 } else { self.held.min(self.mask).min(spare.mask) };
        for (new, old) in spare.rings.iter_mut().zip(&self.rings) {
            for back in 1..=keep {
                let at = self.at.wrapping_sub(back);
                new[at & spare.mask] = old[at & self.mask];
            }
        }
        (spare.at, spare.held, spare.delay, spare.aim) = (self.at, keep, self.delay, self.aim);
        (spare.to, spare.faded, spare.fading) = (self.to, self.faded, self.fading);
        std::mem::swap(self, spare);
    }

    /// Forgets its content. `[audio]`
    pub fn clear(&mut self) {
        for ring in &mut self.rings {
            ring.fill(0.0);
        }
        (self.delay, self.to) = (self.aim, self.aim);
        self.fading = false;
        self.held = self.mask;
    }

    /// Writes the first `frames` of `input`. An idle line writes nothing. `[audio]`
    #[inline]
    pub fn write(&mut self, input: &Bus, frames: usize) {
        if self.idle() {
            self.held = 0;
        } else {
            self.write_ring(input, frames);
        }
    }

    fn write_ring(&mut self, input: &Bus, frames: usize) {
        let start = self.at & self.mask;
        for (ring, channel) in self.rings.iter_mut().zip(&input.channels) {
            let first = frames.min(self.mask + 1 - start);
            ring[start..start + first].copy_from_slice(&channel[..first]);
            ring[..frames - first].copy_from_slice(&channel[first..frames]);
        }
        self.at = self.at.wrapping_add(frames);
        self.held = (self.held + frames).min(self.mask);
    }

    /// Reads the delayed counterpart of the `frames` last written. Not for an idle line. `[audio]`
    pub fn read(&mut self, output: &mut Bus, frames: usize) {
        self.begin_fade(frames);
        let start = self.at.wrapping_sub(frames).wrapping_sub(self.delay as usize) & self.mask;
        for (ring, channel) in self.rings.iter().zip(&mut output.channels) {
            let first = frames.min(self.mask + 1 - start);
            channel[..first].copy_from_slice(&ring[start..start + first]);
            channel[first..frames].copy_from_slice(&ring[..frames - first]);
        }
        if self.fading {
            self.go_on(output, frames);
        }
    }

    /// Writes a block and answers its delayed counterpart: `input` itself where the line is idle, else what it read into
    /// `late`. `[audio]`
    #[inline]
    pub fn through<'a>(&mut self, input: &'a Bus, late: &'a mut Bus, frames: usize) -> &'a Bus {
        self.write(input, frames);
        if self.idle() {
            return input;
        }
        self.read(late, frames);
        late
    }

    /// Goes on where nobody hears it: takes the new delay when the line holds enough. `[audio]`
    pub fn skip(&mut self, frames: usize) {
        self.begin_fade(frames);
        if self.fading {
            self.delay = self.to;
            self.fading = false;
        }
    }

    fn begin_fade(&mut self, frames: usize) {
        if !self.fading && self.delay != self.aim && self.held >= self.aim as usize + frames {
            self.fading = true;
            self.to = self.aim;
            self.faded = 0;
        }
    }

    fn go_on(&mut self, output: &mut Bus, frames: usize) {
        let start = self.at.wrapping_sub(frames).wrapping_sub(self.to as usize);
        for (ring, channel) in self.rings.iter().zip(&mut output.channels) {
            for (i, x) in channel[..frames].iter_mut().enumerate() {
                let share = ((self.faded as usize + i + 1) as f32 / self.fade as f32).min(1.0);
                let new = ring[start.wrapping_add(i) & self.mask];
                *x = if share >= 1.0 { new } else { *x + (new - *x) * share };
            }
        }
        self.faded = self.faded.saturating_add(frames as u32);
        if self.faded >= self.fade {
            self.delay = self.to;
            self.fading = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &mut DelayLine, signal: impl Fn(usize) -> f32, from: usize, blocks: usize, block: usize) -> Vec<f32> {
        let (mut input, mut output) = (Bus::new(1, block), Bus::new(1, block));
        let mut heard = Vec::new();
        for b in 0..blocks {
            for i in 0..block {
                input.channels[0][i] = signal(from + b * block + i);
            }
            line.write(&input, block);
            if line.idle() {
                heard.extend_from_slice(&input.channels[0]);
            } else {
                line.read(&mut output, block);
                heard.extend_from_slice(&output.channels[0]);
            }
        }
        heard
    }

    #[test]
    fn delays_by_what_was_asked_at_every_block_size() {
        for (delay, block) in [(1, 1), (1, 64), (63, 17), (512, 64), (4800, 1024), (7, 64)] {
            let mut line = DelayLine::new(1, delay, block as u32, 480);
            line.jump(delay);
            let heard = run(&mut line, |i| i as f32 + 1.0, 0, 12_000 / block, block);
            for (i, x) in heard.iter().enumerate() {
                let due = if i < delay as usize { 0.0 } else { (i - delay as usize) as f32 + 1.0 };
                assert_eq!(*x, due, "delay {delay}, block {block}, frame {i}");
            }
        }
    }

    #[test]
    fn a_line_for_longer_blocks_takes_the_place_of_one_of_the_same_length() {
        let mut line = DelayLine::new(1, 100, 64, 480);
        line.jump(100);
        let mut heard = run(&mut line, |i| i as f32, 0, 10, 64);
        line.grow(&mut DelayLine::new(1, 100, 8192, 480));
        heard.extend(run(&mut line, |i| i as f32, 640, 2, 8192));
        for (i, x) in heard.iter().enumerate() {
            assert_eq!(*x, i.saturating_sub(100) as f32, "frame {i}");
        }
    }

    #[test]
    fn another_delay_asked_for_in_the_middle_of_a_fade_waits_for_its_end() {
        let sine = |i: usize| (i as f32 * std::f32::consts::TAU * 1000.0 / 48_000.0).sin() * 0.5;
        let steepest = 0.5 * std::f32::consts::TAU * 1000.0 / 48_000.0;
        let mut line = DelayLine::new(1, 200, 64, 480);
        line.jump(0);
        line.aim(24);
        let mut heard = run(&mut line, sine, 0, 4, 64);
        // Back to where it came from, and then elsewhere.
        line.aim(0);
        assert!(!line.idle() && !line.settled());
        heard.extend(run(&mut line, sine, 256, 2, 64));
        line.aim(120);
        heard.extend(run(&mut line, sine, 384, 2, 64));
        line.aim(0);
        heard.extend(run(&mut line, sine, 512, 40, 64));
        assert!(line.idle());
        for (i, pair) in heard[64..].windows(2).enumerate() {
            assert!((pair[1] - pair[0]).abs() <= 1.5 * steepest, "step at {i}: {pair:?}");
        }
    }

    #[test]
    fn a_longer_line_keeps_the_content_and_a_change_is_neither_silence_nor_a_step() {
        let sine = |i: usize| (i as f32 * std::f32::consts::TAU * 1000.0 / 48_000.0).sin() * 0.5;
        let steepest = 0.5 * std::f32::consts::TAU * 1000.0 / 48_000.0;
        let mut line = DelayLine::new(1, 100, 64, 480);
        line.jump(100);
        let mut heard = run(&mut line, sine, 0, 50, 64);
        let mut spare = DelayLine::new(1, 5000, 64, 480);
        line.grow(&mut spare);
        assert_eq!((line.longest(), spare.longest()), (5000, 100));
        line.aim(5000);
        heard.extend(run(&mut line, sine, 3200, 150, 64));
        assert!(line.settled());
        line.aim(0);
        heard.extend(run(&mut line, sine, 12_800, 50, 64));
        assert!(line.idle());
        for (i, pair) in heard[200..].windows(2).enumerate() {
            assert!((pair[1] - pair[0]).abs() <= 2.0 * steepest, "step at {i}: {pair:?}");
        }
        for block in heard[128..].chunks_exact(64) {
            assert!(block.iter().any(|x| x.abs() > 0.01));
        }
        assert_eq!(heard[12_000], sine(12_000 - 5000));
    }

    #[test]
    fn the_longest_delay_is_reached_where_it_and_a_block_fill_a_power_of_two() {
        for (longest, block) in [(960, 64), (3840, 256), (1, 1), (448, 64), (959, 64)] {
            let mut line = DelayLine::new(1, longest, block, 480);
            line.aim(longest);
            run(&mut line, |_| 1.0, 0, 8192 / block as usize, block as usize);
            assert!(line.settled(), "{longest} frames in blocks of {block}");
        }
    }
}
