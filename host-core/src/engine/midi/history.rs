//! What the container was given, kept as long as a slot may still ask for it.

use std::collections::VecDeque;

use crate::backend::audio::{EventBuffer, Kind};
use crate::engine::events::EVENTS;
use crate::model::MAX_LATENCY;

/// Bytes of long messages that are kept.
const LONG_BYTES: usize = 256 * 1024;
/// Frames after which nobody asks any more.
const KEPT: i64 = MAX_LATENCY as i64 + 8192;

struct Past {
    at: i64,
    port: u8,
    kind: Kind,
    len: u32,
    /// Bytes; those of events over four lie in `long`.
    data: [u8; 4],
}

/// The container's events with their times. A slot reads them as late as its sound is. Fixed room: what finds none pushes the oldest
/// out.
pub struct History {
    past: VecDeque<Past>,
    long: VecDeque<u8>,
    /// Time of the first frame of the block that is run.
    now: i64,
}

impl History {
    /// Nothing yet. `[home]`
    pub fn new() -> Self {
        Self { past: VecDeque::with_capacity(EVENTS), long: VecDeque::with_capacity(LONG_BYTES), now: 0 }
    }

    /// Time of the first frame of the block that is run.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Takes down the events of a block that begins now.
    #[inline]
    pub fn note(&mut self, events: &EventBuffer) {
        for (event, bytes) in events.iter() {
            self.push(event.frame, event.port, event.kind(), bytes);
        }
    }

    /// The block is over.
    #[inline]
    pub fn pass(&mut self, frames: usize) {
        self.now += frames as i64;
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.past.clear();
        self.long.clear();
    }

    fn push(&mut self, frame: u16, port: u8, kind: Kind, bytes: &[u8]) {
        let mut data = [0; 4];
        let long = bytes.len() > data.len();
        let needed = if long { bytes.len() } else { 0 };
        while self.past.len() >= EVENTS
            || self.long.len() + needed > LONG_BYTES
            || self.past.front().is_some_and(|oldest| oldest.at < self.now - KEPT)
        {
            let Some(oldest) = self.past.pop_front() else { return };
            if oldest.len > 4 {
                self.long.drain(..oldest.len as usize);
            }
        }
        if long {
            self.long.extend(bytes);
            // Each message in one piece, for who reads it. In place.
            self.long.make_contiguous();
        } else {
            data[..bytes.len()].copy_from_slice(bytes);
        }
        self.past.push_back(Past { at: self.now + i64::from(frame), port, kind, len: bytes.len() as u32, data });
    }

    /// Hands out what came from time `from` to before `until`: time, port, kind and bytes.
    pub fn read(&self, from: i64, until: i64, mut each: impl FnMut(i64, u8, Kind, &[u8])) {
        let long = self.long.as_slices().0;
        let mut at = 0;
        for event in &self.past {
            let len = event.len as usize;
            let bytes = if len > 4 { long.get(at..at + len).unwrap_or(&[]) } else { &event.data[..len] };
            at += if len > 4 { len } else { 0 };
            if (from..until).contains(&event.at) {
                each(event.at, event.port, event.kind, bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_readers_get_everything_whole_and_the_oldest_makes_room() {
        let mut history = History::new();
        let mut block = EventBuffer::new(EVENTS, true);
        for number in 0..200_u8 {
            block.clear();
            block.push(5, 0, &[0x90, number, 1]);
            block.push(6, 0, &vec![number; 5000]);
            history.note(&block);
            history.pass(64);
        }
        let mut heard = Vec::new();
        let now = history.now();
        history.read(now - 640, now, |at, _, _, bytes| heard.push((at, bytes.to_vec())));
        let due = (190..200_u8).flat_map(|number| {
            let start = i64::from(number) * 64;
            [(start + 5, vec![0x90, number, 1]), (start + 6, vec![number; 5000])]
        });
        assert!(heard.into_iter().eq(due));
        let mut all = 0;
        history.read(0, now, |_, _, _, _| all += 1);
        assert_eq!(all, 2 * (LONG_BYTES / 5000));
    }
}
