//! Events of one block: MIDI in 8 bytes each with long messages in a side buffer, and parameter changes.

/// Largest system-exclusive message that passes, bytes.
pub const MAX_SYSEX: usize = 64 * 1024;
/// Bytes that all long messages of a block share.
const SIDE_BYTES: usize = 256 * 1024;
/// `len` of an event whose bytes lie in the side buffer.
const LONG: u8 = u8::MAX;

/// One MIDI message: a frame, and up to four bytes or a place in the side buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Frame in the block.
    pub frame: u16,
    /// Event port, first is 0.
    pub port: u8,
    len: u8,
    data: [u8; 4],
}

/// The MIDI of one block. Fixed room: what does not fit is dropped and counted.
pub struct EventBuffer {
    events: Vec<Event>,
    side: Vec<u8>,
    dropped: u32,
}

impl EventBuffer {
    /// Room for `capacity` events and, if `sysex`, 256 KiB of long messages. `[home]`
    pub fn new(capacity: usize, sysex: bool) -> Self {
        Self {
            events: Vec::with_capacity(capacity),
            side: Vec::with_capacity(if sysex { SIDE_BYTES } else { 0 }),
            dropped: 0,
        }
    }

    /// Forgets all events, and the count of dropped ones. `[audio]`
    pub fn clear(&mut self) {
        self.events.clear();
        self.side.clear();
        self.dropped = 0;
    }

    /// Adds a message of any length. False: no room, or empty; it is dropped and counted. `[audio]`
    pub fn push(&mut self, frame: u16, port: u8, bytes: &[u8]) -> bool {
        let fits = self.events.len() < self.events.capacity() && !bytes.is_empty();
        let event = match bytes.len() {
            _ if !fits => None,
            len @ 1..=4 => {
                let mut data = [0; 4];
                data[..len].copy_from_slice(bytes);
                Some(Event { frame, port, len: len as u8, data })
            }
            len if len <= MAX_SYSEX && self.side.len() + 4 + len <= self.side.capacity() => {
                let at = (self.side.len() as u32).to_ne_bytes();
                self.side.extend_from_slice(&(len as u32).to_ne_bytes());
                self.side.extend_from_slice(bytes);
                Some(Event { frame, port, len: LONG, data: at })
            }
            _ => None,
        };
        match event {
            Some(event) => self.events.push(event),
            None => self.dropped += 1,
        }
        event.is_some()
    }

    /// The bytes of an event of this buffer. `[audio]`
    pub fn bytes<'a>(&'a self, event: &'a Event) -> &'a [u8] {
        if event.len != LONG {
            return &event.data[..event.len as usize];
        }
        let at = u32::from_ne_bytes(event.data) as usize;
        let Some(head) = self.side.get(at..at + 4) else { return &[] };
        let len = u32::from_ne_bytes([head[0], head[1], head[2], head[3]]) as usize;
        self.side.get(at + 4..at + 4 + len).unwrap_or(&[])
    }

    /// Events in their order, with their bytes. `[audio]`
    pub fn iter(&self) -> impl Iterator<Item = (&Event, &[u8])> {
        self.events.iter().map(|event| (event, self.bytes(event)))
    }

    /// Number of events. `[audio]`
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are none. `[audio]`
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Messages that found no room since the last clear. `[audio]`
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    /// Sorts by frame, equal frames in the order they came. In place: insertion sort, since hosts send
    /// events sorted or nearly so. `[audio]`
    pub fn sort(&mut self) {
        for i in 1..self.events.len() {
            let mut j = i;
            while j > 0 && self.events[j - 1].frame > self.events[j].frame {
                self.events.swap(j - 1, j);
                j -= 1;
            }
        }
    }

    /// Adds every event of `other`. `[audio]`
    pub fn append(&mut self, other: &EventBuffer) {
        for (event, bytes) in other.iter() {
            self.push(event.frame, event.port, bytes);
        }
    }
}

/// One parameter change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamEvent {
    /// Frame in the block.
    pub frame: u32,
    /// Index in the plugin's list of parameters.
    pub index: u32,
    /// Value in the plugin's own unit.
    pub value: f64,
}

/// Parameter changes with fixed room.
pub struct ParamQueue {
    events: Vec<ParamEvent>,
    dropped: u32,
}

impl ParamQueue {
    /// Room for `capacity` changes. `[home]`
    pub fn new(capacity: usize) -> Self {
        Self { events: Vec::with_capacity(capacity), dropped: 0 }
    }

    /// Adds a change. False: no room; it is dropped and counted. `[audio]`
    pub fn push(&mut self, event: ParamEvent) -> bool {
        let fits = self.events.len() < self.events.capacity();
        if fits {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
        fits
    }

    /// The changes, in the order they came. `[audio]`
    pub fn as_slice(&self) -> &[ParamEvent] {
        &self.events
    }

    /// Forgets all changes. `[audio]`
    pub fn clear(&mut self) {
        self.events.clear();
        self.dropped = 0;
    }

    /// Changes that found no room since the last clear. `[audio]`
    pub fn dropped(&self) -> u32 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_every_length_come_back_byte_for_byte_and_sorted_stably() {
        assert_eq!(size_of::<Event>(), 8);
        let mut buffer = EventBuffer::new(8, true);
        let long = vec![0x55; MAX_SYSEX];
        assert!(buffer.push(7, 0, &long));
        assert!(buffer.push(3, 0, &[0x90, 60, 100]));
        assert!(buffer.push(3, 0, &[0x80, 60, 0]));
        assert!(!buffer.push(3, 0, &vec![0; MAX_SYSEX + 1]));
        assert_eq!(buffer.dropped(), 1);
        buffer.sort();
        let read: Vec<_> = buffer.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect();
        assert_eq!(read, [(3, vec![0x90, 60, 100]), (3, vec![0x80, 60, 0]), (7, long)]);
    }

    #[test]
    fn a_full_buffer_drops_and_counts() {
        let mut buffer = EventBuffer::new(1, false);
        assert!(buffer.push(0, 0, &[0xF8]));
        assert!(!buffer.push(0, 0, &[0xF8]));
        assert!(!buffer.push(0, 0, &[0xF0; 9]));
        assert_eq!((buffer.len(), buffer.dropped()), (1, 2));
    }
}
