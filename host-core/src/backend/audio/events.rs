//! Events of one block: MIDI in 8 bytes each with long messages and what is not MIDI 1.0 in a side buffer, and parameter changes.

/// Largest system-exclusive message that passes, bytes.
pub const MAX_SYSEX: usize = 64 * 1024;
/// Bytes that all long messages of a block share.
const SIDE_BYTES: usize = 256 * 1024;
/// `len` of an event whose bytes lie in the side buffer, by their kind.
const LONG: u8 = u8::MAX;
const UMP: u8 = u8::MAX - 1;
const EXPRESSION: u8 = u8::MAX - 2;

/// What an event's bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One MIDI 1.0 message.
    Midi,
    /// One Universal MIDI Packet of up to four words, each in the machine's byte order.
    Ump,
    /// An [`Expression`].
    Expression,
}

/// One event: a frame, and up to four bytes or a place in the side buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Frame in the block.
    pub frame: u16,
    /// Event port, first is 0.
    pub port: u8,
    len: u8,
    data: [u8; 4],
}

impl Event {
    /// What its bytes are. `[any]`
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.len {
            UMP => Kind::Ump,
            EXPRESSION => Kind::Expression,
            _ => Kind::Midi,
        }
    }
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

    /// Adds a MIDI 1.0 message of any length. False: no room, or empty; it is dropped and counted. `[audio]`
    pub fn push(&mut self, frame: u16, port: u8, bytes: &[u8]) -> bool {
        self.push_as(frame, port, Kind::Midi, bytes)
    }

    /// Adds an event of any kind. False: no room, or empty; it is dropped and counted. `[audio]`
    pub fn push_as(&mut self, frame: u16, port: u8, kind: Kind, bytes: &[u8]) -> bool {
        let fits = self.events.len() < self.events.capacity() && !bytes.is_empty();
        let event = match bytes.len() {
            _ if !fits => None,
            len @ 1..=4 if kind == Kind::Midi => {
                let mut data = [0; 4];
                data[..len].copy_from_slice(bytes);
                Some(Event { frame, port, len: len as u8, data })
            }
            len if len <= MAX_SYSEX && self.side.len() + 4 + len <= self.side.capacity() => {
                let data = (self.side.len() as u32).to_ne_bytes();
                self.side.extend_from_slice(&(len as u32).to_ne_bytes());
                self.side.extend_from_slice(bytes);
                let len = match kind {
                    Kind::Midi => LONG,
                    Kind::Ump => UMP,
                    Kind::Expression => EXPRESSION,
                };
                Some(Event { frame, port, len, data })
            }
            _ => None,
        };
        match event {
            Some(event) => self.events.push(event),
            None => self.dropped += 1,
        }
        event.is_some()
    }

    /// Adds an event of another buffer at `frame`. `[audio]`
    pub fn copy(&mut self, frame: u16, event: &Event, bytes: &[u8]) -> bool {
        self.push_as(frame, event.port, event.kind(), bytes)
    }

    /// The bytes of an event of this buffer. `[audio]`
    pub fn bytes<'a>(&'a self, event: &'a Event) -> &'a [u8] {
        if event.len <= 4 {
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
            self.copy(event.frame, event, bytes);
        }
    }
}

/// A CLAP note expression, for the notes that it names by channel and key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expression {
    /// CLAP's number of the expression (`events.h`: 0 volume, 1 pan, 2 tuning, 3 vibrato, 4 expression, 5 brightness, 6 pressure).
    pub id: u8,
    /// Channel, 0..15; -1 for all.
    pub channel: i8,
    /// Key, 0..127; -1 for all.
    pub key: i8,
    /// Value in the expression's own unit.
    pub value: f64,
}

impl Expression {
    /// As an event's bytes. `[any]`
    pub fn to_bytes(self) -> [u8; 11] {
        let mut bytes = [0; 11];
        bytes[..3].copy_from_slice(&[self.id, self.channel as u8, self.key as u8]);
        bytes[3..].copy_from_slice(&self.value.to_ne_bytes());
        bytes
    }

    /// From an event's bytes. `None`: they are something else. `[any]`
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let [id, channel, key, value @ ..] = bytes.first_chunk::<11>()?;
        Some(Self { id: *id, channel: *channel as i8, key: *key as i8, value: f64::from_ne_bytes(*value) })
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

/// Adds a change to a list that must not grow; where it is full it takes the place of its parameter's last one, so that where a
/// move ends is never lost. `[audio]`
pub(crate) fn push_last(changes: &mut Vec<ParamEvent>, event: ParamEvent) {
    if changes.len() < changes.capacity() {
        changes.push(event);
    } else if let Some(last) = changes.iter_mut().rev().find(|change| change.index == event.index) {
        last.value = event.value;
    }
}

/// What a plugin says of its parameters by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    /// The user takes hold of this parameter, by index.
    Begin(u32),
    /// It is another.
    Value(ParamEvent),
    /// The user lets go of it.
    End(u32),
}

/// Gestures that one queue takes beside its changes.
const GESTURES: usize = 64;

/// Parameter changes with fixed room, and the gestures they belong to.
pub struct ParamQueue {
    events: Vec<ParamEvent>,
    /// Begins (true) and ends, each with the number of changes before it.
    gestures: Vec<(usize, u32, bool)>,
    dropped: u32,
}

impl ParamQueue {
    /// Room for `capacity` changes. `[home]`
    pub fn new(capacity: usize) -> Self {
        let gestures = Vec::with_capacity(capacity.min(GESTURES));
        Self { events: Vec::with_capacity(capacity), gestures, dropped: 0 }
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

    /// Adds a change; where there is no room it takes the place of its parameter's last one. `[audio]`
    pub fn push_last(&mut self, event: ParamEvent) {
        push_last(&mut self.events, event);
    }

    /// Adds the begin or end of a gesture. False: no room; it is dropped and counted. `[audio]`
    pub fn push_gesture(&mut self, index: u32, begin: bool) -> bool {
        let fits = self.gestures.len() < self.gestures.capacity();
        if fits {
            self.gestures.push((self.events.len(), index, begin));
        } else {
            self.dropped += 1;
        }
        fits
    }

    /// Changes and gestures, in the order they came. `[audio]`
    pub fn told(&self) -> impl Iterator<Item = Told> {
        let mut gestures = self.gestures.iter().peekable();
        let mut changes = self.events.iter().enumerate().peekable();
        std::iter::from_fn(move || {
            let at = changes.peek().map_or(usize::MAX, |(at, _)| *at);
            match gestures.next_if(|(before, ..)| *before <= at) {
                Some(&(_, index, true)) => Some(Told::Begin(index)),
                Some(&(_, index, false)) => Some(Told::End(index)),
                None => changes.next().map(|(_, change)| Told::Value(*change)),
            }
        })
    }

    /// Whether there is nothing in it. `[audio]`
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.gestures.is_empty()
    }

    /// The changes, in the order they came. `[audio]`
    pub fn as_slice(&self) -> &[ParamEvent] {
        &self.events
    }

    /// Forgets all changes. `[audio]`
    pub fn clear(&mut self) {
        self.events.clear();
        self.gestures.clear();
        self.dropped = 0;
    }

    /// Changes and gestures that found no room since the last clear. `[audio]`
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
    fn kinds_stay_what_they_are_when_they_are_copied() {
        let (mut one, mut other) = (EventBuffer::new(8, true), EventBuffer::new(8, true));
        let expression = Expression { id: 3, channel: -1, key: 60, value: -0.25 };
        assert!(one.push_as(1, 0, Kind::Ump, &[1, 2, 3, 4]));
        assert!(one.push_as(2, 0, Kind::Expression, &expression.to_bytes()));
        assert!(one.push(3, 0, &[0xF8]));
        other.append(&one);
        let read: Vec<_> = other.iter().map(|(event, bytes)| (event.kind(), bytes.to_vec())).collect();
        assert_eq!(read[0], (Kind::Ump, vec![1, 2, 3, 4]));
        assert_eq!(Expression::from_bytes(&read[1].1), Some(expression));
        assert_eq!(read[2], (Kind::Midi, vec![0xF8]));
    }

    #[test]
    fn gestures_stand_where_they_came_and_a_full_queue_keeps_the_last_value() {
        let mut queue = ParamQueue::new(2);
        let value = |value| ParamEvent { frame: 0, index: 5, value };
        assert!(queue.push_gesture(5, true) && queue.push(value(0.1)) && queue.push(value(0.2)));
        queue.push_last(value(0.3));
        assert!(queue.push_gesture(5, false));
        let told: Vec<_> = queue.told().collect();
        assert_eq!(told, [Told::Begin(5), Told::Value(value(0.1)), Told::Value(value(0.3)), Told::End(5)]);
        queue.clear();
        assert!(queue.is_empty() && queue.told().next().is_none());
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
