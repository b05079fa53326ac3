//! MIDI on its way through the chain: delayed as the sound beside it is.

use std::collections::VecDeque;

use crate::backend::audio::{EventBuffer, Kind};

/// Events of one chunk of a block.
pub const EVENTS: usize = 1024;
/// Bytes of long messages under way in one delay.
const LONG_BYTES: usize = 256 * 1024;

struct Timed {
    due: u64,
    port: u8,
    kind: Kind,
    /// Bytes; those of messages over four lie in `long`, in the order of their messages.
    len: u32,
    data: [u8; 4],
}

/// Delays MIDI by frames. Fixed room: what does not fit is dropped. What every block looks at comes first.
#[repr(C)]
pub struct EventDelay {
    now: u64,
    /// The delay of the last block.
    delay: u32,
    waiting: VecDeque<Timed>,
    last: u64,
    long: VecDeque<u8>,
}

impl EventDelay {
    /// An empty one. `[home]`
    pub fn new() -> Self {
        Self {
            waiting: VecDeque::with_capacity(EVENTS),
            long: VecDeque::with_capacity(LONG_BYTES),
            now: 0,
            last: 0,
            delay: 0,
        }
    }

    /// Replaces the events of a block by those due in it, each `delay` frames after it came. `[audio]`
    #[inline(always)]
    pub fn run(&mut self, events: &mut EventBuffer, delay: u32, frames: usize) {
        if delay < self.delay {
            self.pull_in(self.delay - delay);
        }
        if delay != self.delay {
            self.delay = delay;
        }
        // The usual case costs nothing: no delay, or no events.
        if !self.waiting.is_empty() || (delay > 0 && !events.is_empty()) {
            self.pass(events, delay, frames);
        }
        self.now += frames as u64;
    }

    /// Whether nothing is under way. `[audio]`
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Goes on by a block without events, where nothing is under way. `[audio]`
    pub fn skip(&mut self, frames: usize) {
        self.now += frames as u64;
    }

    fn pass(&mut self, events: &mut EventBuffer, delay: u32, frames: usize) {
        for (event, bytes) in events.iter() {
            self.push(u64::from(event.frame) + u64::from(delay), (event.port, event.kind()), bytes);
        }
        events.clear();
        self.release(events, frames);
    }

    /// The delay became shorter: what is under way comes as much earlier, now at the earliest. Whoever goes with the delay loses nothing.
    #[cold]
    fn pull_in(&mut self, frames: u32) {
        let earlier = |due: u64| due.saturating_sub(frames.into()).max(self.now);
        self.last = earlier(self.last);
        self.waiting.iter_mut().for_each(|event| event.due = earlier(event.due));
    }

    /// Forgets what is under way. `[audio]`
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.long.clear();
    }

    fn push(&mut self, after: u64, (port, kind): (u8, Kind), bytes: &[u8]) {
        let short = bytes.len() <= 4;
        let room = short || self.long.len() + bytes.len() <= LONG_BYTES;
        if self.waiting.len() >= EVENTS || !room {
            return;
        }
        let mut data = [0; 4];
        if short {
            data[..bytes.len()].copy_from_slice(bytes);
        } else {
            self.long.extend(bytes);
        }
        // No event overtakes one before it.
        self.last = (self.now + after).max(self.last);
        self.waiting.push_back(Timed { due: self.last, port, kind, len: bytes.len() as u32, data });
    }

    fn release(&mut self, events: &mut EventBuffer, frames: usize) {
        let end = self.now + frames as u64;
        while let Some(event) = self.waiting.pop_front_if(|event| event.due < end) {
            let frame = event.due.saturating_sub(self.now) as u16;
            let len = event.len as usize;
            if len <= 4 {
                events.push_as(frame, event.port, event.kind, &event.data[..len]);
                continue;
            }
            if self.long.as_slices().0.len() < len {
                self.long.make_contiguous();
            }
            events.push_as(frame, event.port, event.kind, &self.long.as_slices().0[..len]);
            self.long.drain(..len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_in_a_delay_that_goes_comes_out_at_once_and_in_order() {
        let mut delay = EventDelay::new();
        let mut events = EventBuffer::new(EVENTS, true);
        events.push(3, 0, &[0x90, 1, 1]);
        events.push(63, 0, &[0x80, 1, 1]);
        delay.run(&mut events, 4800, 64);
        assert!(events.is_empty());
        events.push(0, 0, &[0x90, 2, 1]);
        delay.run(&mut events, 0, 64);
        let heard: Vec<_> = events.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect();
        assert_eq!(heard, [(0, vec![0x90, 1, 1]), (0, vec![0x80, 1, 1]), (0, vec![0x90, 2, 1])]);
    }

    #[test]
    fn events_come_out_late_by_the_delay_in_order_and_whole() {
        let mut delay = EventDelay::new();
        let mut events = EventBuffer::new(EVENTS, true);
        let long: Vec<u8> = (0..40_000).map(|i| i as u8).collect();
        let mut heard = Vec::new();
        for block in 0..40_u64 {
            events.clear();
            if block < 20 {
                events.push(3, 0, &[0x90, block as u8, 1]);
                events.push(3, 1, &[0x80, block as u8, 1]);
                if block % 4 == 0 {
                    events.push(60, 0, &long);
                }
            }
            delay.run(&mut events, 100, 64);
            heard.extend(events.iter().map(|(e, bytes)| (block * 64 + u64::from(e.frame), e.port, bytes.to_vec())));
        }
        assert_eq!(heard.len(), 45);
        assert!(heard.is_sorted_by_key(|(at, ..)| *at));
        for block in 0..20 {
            let at = block * 64 + 103;
            let pair: Vec<_> = heard.iter().filter(|(t, _, b)| *t == at && b.len() == 3).collect();
            assert_eq!(pair.iter().map(|(_, port, _)| *port).collect::<Vec<_>>(), [0, 1]);
            assert_eq!(pair[0].2, [0x90, block as u8, 1]);
        }
        assert!(heard.iter().filter(|(.., bytes)| bytes.len() > 4).all(|(.., bytes)| *bytes == long));
    }
}
