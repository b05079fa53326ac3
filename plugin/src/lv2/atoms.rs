//! Sequences of atoms, read from bytes and written to bytes, in the host's byte order (LV2 `atom.h`).

use super::time::Position;

/// Types and keys by the numbers that the host gave them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// `atom:Sequence`.
    pub sequence: u32,
    /// `atom:Object`.
    pub object: u32,
    /// `atom:Blank`, what older hosts call an object.
    pub blank: u32,
    /// `atom:Int`.
    pub int: u32,
    /// `atom:Long`.
    pub long: u32,
    /// `atom:Float`.
    pub float: u32,
    /// `atom:Double`.
    pub double: u32,
    /// `midi:MidiEvent`.
    pub midi: u32,
    /// `state:StateChanged`.
    pub state_changed: u32,
    /// `time:Position`.
    pub position: u32,
    /// `time:frame`.
    pub frame: u32,
    /// `time:speed`.
    pub speed: u32,
    /// `time:bar`.
    pub bar: u32,
    /// `time:barBeat`.
    pub bar_beat: u32,
    /// `time:beat`.
    pub beat: u32,
    /// `time:beatUnit`.
    pub beat_unit: u32,
    /// `time:beatsPerBar`.
    pub beats_per_bar: u32,
    /// `time:beatsPerMinute`.
    pub beats_per_minute: u32,
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<i64> {
    Some(i64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Bytes up to the next multiple of eight, as everything in a sequence is padded.
fn padded(len: usize) -> usize {
    len.next_multiple_of(8)
}

/// One event of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// Frame of the block.
    pub frame: i64,
    /// Type of the body.
    pub kind: u32,
    /// The body.
    pub body: &'a [u8],
}

/// The events of a sequence. What is cut short ends it.
#[derive(Clone, Copy)]
pub struct Events<'a>(&'a [u8]);

impl<'a> Events<'a> {
    /// From the body of an `atom:Sequence`: a unit, which is frames in `run`, and the events. `[audio]`
    pub fn new(body: &'a [u8]) -> Self {
        Self(body.get(8..).unwrap_or(&[]))
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        let (frame, size, kind) = (long(self.0, 0)?, word(self.0, 8)? as usize, word(self.0, 12)?);
        let body = self.0.get(16..16 + size)?;
        self.0 = self.0.get(16 + padded(size)..).unwrap_or(&[]);
        Some(Event { frame, kind, body })
    }
}

impl Types {
    /// The position that an event tells, where it is one. `[audio]`
    pub fn position(&self, event: &Event<'_>) -> Option<Position> {
        if event.kind != self.object && event.kind != self.blank || word(event.body, 4)? != self.position {
            return None;
        }
        let mut position = Position::default();
        let mut rest = event.body.get(8..)?;
        while let (Some(key), Some(size), Some(kind)) = (word(rest, 0), word(rest, 8), word(rest, 12)) {
            let Some(value) = rest.get(16..16 + size as usize) else { break };
            let number = self.number(kind, value);
            let whole = number.map(|number| number as i64);
            // 64 bits of frames do not fit a double.
            let frame = if kind == self.long { long(value, 0) } else { whole };
            match key {
                key if key == self.frame => position.frame = frame,
                key if key == self.speed => position.speed = number,
                key if key == self.bar => position.bar = whole,
                key if key == self.bar_beat => position.bar_beat = number,
                key if key == self.beat => position.beat = number,
                key if key == self.beat_unit => position.beat_unit = whole,
                key if key == self.beats_per_bar => position.beats_per_bar = number,
                key if key == self.beats_per_minute => position.tempo = number,
                _ => {}
            }
            rest = rest.get(16 + padded(size as usize)..).unwrap_or(&[]);
        }
        Some(position)
    }

    fn number(&self, kind: u32, value: &[u8]) -> Option<f64> {
        let number = match kind {
            kind if kind == self.float => f64::from(f32::from_bits(word(value, 0)?)),
            kind if kind == self.double => f64::from_bits(long(value, 0)? as u64),
            kind if kind == self.int => f64::from(word(value, 0)? as i32),
            kind if kind == self.long => long(value, 0)? as f64,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }
}

/// Writes a sequence into a port's buffer.
pub struct Writer<'a> {
    bytes: &'a mut [u8],
    used: usize,
    types: Types,
}

impl<'a> Writer<'a> {
    /// An empty sequence in `bytes`, the whole buffer; `None` where not even that fits. `[audio]`
    pub fn new(bytes: &'a mut [u8], types: Types) -> Option<Self> {
        bytes.get_mut(..16)?.fill(0);
        bytes[4..8].copy_from_slice(&types.sequence.to_ne_bytes());
        let mut writer = Self { bytes, used: 16, types };
        writer.size();
        Some(writer)
    }

    fn size(&mut self) {
        self.bytes[..4].copy_from_slice(&(self.used as u32 - 8).to_ne_bytes());
    }

    fn event(&mut self, frame: u32, kind: u32, parts: &[&[u8]]) -> bool {
        let size: usize = parts.iter().map(|part| part.len()).sum();
        let end = self.used + 16 + padded(size);
        let Some(to) = self.bytes.get_mut(self.used..end) else { return false };
        to[..8].copy_from_slice(&i64::from(frame).to_ne_bytes());
        to[8..12].copy_from_slice(&(size as u32).to_ne_bytes());
        to[12..16].copy_from_slice(&kind.to_ne_bytes());
        let mut at = 16;
        for part in parts {
            to[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        to[at..].fill(0);
        self.used = end;
        self.size();
        true
    }

    /// Adds a MIDI message. False: no room. `[audio]`
    pub fn midi(&mut self, frame: u32, bytes: &[u8]) -> bool {
        self.event(frame, self.types.midi, &[bytes])
    }

    /// Adds that the state has changed. False: no room. `[audio]`
    pub fn state_changed(&mut self, frame: u32) -> bool {
        let changed = self.types.state_changed.to_ne_bytes();
        self.event(frame, self.types.object, &[&[0; 4], &changed])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: Types = Types {
        sequence: 1,
        object: 2,
        blank: 3,
        int: 4,
        long: 5,
        float: 6,
        double: 7,
        midi: 8,
        state_changed: 9,
        position: 10,
        frame: 11,
        speed: 12,
        bar: 13,
        bar_beat: 14,
        beat: 15,
        beat_unit: 16,
        beats_per_bar: 17,
        beats_per_minute: 18,
    };

    #[test]
    fn what_is_written_is_read() {
        let mut buffer = vec![0xAA; 256];
        let mut writer = Writer::new(&mut buffer, TYPES).expect("room");
        let long: Vec<u8> = (0..40).collect();
        assert!(writer.midi(3, &[0x90, 60, 1]) && writer.midi(9, &long) && writer.state_changed(10));
        assert!(!writer.midi(11, &[0; 200]), "no room");
        let size = word(&buffer, 0).expect("a size") as usize;
        let read: Vec<_> = Events::new(&buffer[8..8 + size]).collect();
        assert_eq!(read.len(), 3);
        assert_eq!((read[0].frame, read[0].kind, read[0].body), (3, 8, &[0x90, 60, 1][..]));
        assert_eq!((read[1].frame, read[1].body), (9, &long[..]));
        assert_eq!((read[2].kind, word(read[2].body, 4)), (2, Some(9)));
        assert!(Writer::new(&mut [0; 15], TYPES).is_none());
    }

    #[test]
    fn a_position_is_read_whatever_numbers_the_host_uses() {
        let mut body = vec![0; 4];
        body.extend(TYPES.position.to_ne_bytes());
        let mut property = |key: u32, kind: u32, value: &[u8]| {
            for word in [key, 0, value.len() as u32, kind] {
                body.extend(word.to_ne_bytes());
            }
            body.extend(value);
            body.resize(body.len().next_multiple_of(8), 0);
        };
        property(TYPES.frame, TYPES.long, &(i64::MAX - 1).to_ne_bytes());
        property(TYPES.speed, TYPES.float, &1_f32.to_ne_bytes());
        property(TYPES.bar, TYPES.int, &7_i32.to_ne_bytes());
        property(TYPES.beat, TYPES.double, &28.5_f64.to_ne_bytes());
        property(TYPES.beats_per_minute, TYPES.float, &f32::NAN.to_ne_bytes());
        property(99, TYPES.float, &1_f32.to_ne_bytes());
        let event = Event { frame: 0, kind: TYPES.blank, body: &body };
        let read = TYPES.position(&event).expect("a position");
        let expected = Position {
            frame: Some(i64::MAX - 1),
            speed: Some(1.0),
            bar: Some(7),
            beat: Some(28.5),
            ..Position::default()
        };
        assert_eq!(read, expected);
        assert_eq!(TYPES.position(&Event { body: &body[..20], ..event }), Some(Position::default()), "cut short");
        assert_eq!(TYPES.position(&Event { body: &[], ..event }), None);
    }

    #[test]
    fn a_sequence_that_lies_about_its_sizes_ends() {
        let mut bytes = vec![0; 24];
        bytes[16..20].copy_from_slice(&u32::MAX.to_ne_bytes());
        assert_eq!(Events::new(&bytes).count(), 0);
        assert_eq!(Events::new(&[]).count(), 0);
    }
}
