//! `atom`: sequences and objects, written and read as bytes in place. Nothing here allocates.

use super::urid::Known;

/// Bytes before a sequence's first event: the atom's head, unit and padding.
const SEQUENCE_HEAD: usize = 16;

fn put(bytes: &mut [u8], at: usize, value: &[u8]) -> bool {
    let Some(room) = bytes.get_mut(at..at + value.len()) else { return false };
    room.copy_from_slice(value);
    true
}

/// The 32-bit word at `at`. `[audio]`
pub fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn frame(bytes: &[u8], at: usize) -> Option<i64> {
    Some(i64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Makes `buffer` an empty sequence. `[audio]`
pub fn clear(buffer: &mut [u8], known: &Known) {
    put(buffer, 0, &8_u32.to_ne_bytes());
    put(buffer, 4, &known.atom_sequence.to_ne_bytes());
    put(buffer, 8, &[0; 8]);
}

/// Makes `buffer` what an output port is before a run: a chunk that tells its room. `[audio]`
pub fn offer(buffer: &mut [u8], known: &Known) {
    let room = buffer.len().saturating_sub(8) as u32;
    put(buffer, 0, &room.to_ne_bytes());
    put(buffer, 4, &known.atom_chunk.to_ne_bytes());
}

/// Appends an event to the sequence in `buffer`. False: no room. `[audio]`
pub fn append(buffer: &mut [u8], frame: i64, kind: u32, body: &[u8]) -> bool {
    let Some(used) = word(buffer, 0) else { return false };
    let at = 8 + used as usize;
    let padded = body.len().next_multiple_of(8);
    if at + 16 + padded > buffer.len() {
        return false;
    }
    put(buffer, at, &frame.to_ne_bytes());
    put(buffer, at + 8, &(body.len() as u32).to_ne_bytes());
    put(buffer, at + 12, &kind.to_ne_bytes());
    put(buffer, at + 16, body);
    put(buffer, 0, &(used + 16 + padded as u32).to_ne_bytes())
}

/// Whether `buffer` holds a sequence with something in it. `[audio]`
pub fn has_events(buffer: &[u8], known: &Known) -> bool {
    word(buffer, 4) == Some(known.atom_sequence) && word(buffer, 0).is_some_and(|size| size > 8)
}

/// Hands out every event of the sequence in `buffer`: frame, type, body. Stops at damage. `[audio]`
pub fn events(buffer: &[u8], each: &mut dyn FnMut(i64, u32, &[u8])) {
    let end = word(buffer, 0).map_or(0, |size| (8 + size as usize).min(buffer.len()));
    let mut at = SEQUENCE_HEAD;
    while at + 16 <= end {
        let (Some(time), Some(size), Some(kind)) = (frame(buffer, at), word(buffer, at + 8), word(buffer, at + 12))
        else {
            return;
        };
        let size = size as usize;
        let Some(body) = buffer.get(at + 16..(at + 16).saturating_add(size)).filter(|_| at + 16 + size <= end) else {
            return;
        };
        each(time, kind, body);
        at += 16 + size.next_multiple_of(8);
    }
}

/// The type of an object whose body this is. `[audio]`
pub fn object_type(body: &[u8]) -> Option<u32> {
    word(body, 4)
}

/// Hands out every property of an object's body: key, type, value. `[audio]`
pub fn properties(body: &[u8], each: &mut dyn FnMut(u32, u32, &[u8])) {
    let mut at = 8;
    while at + 16 <= body.len() {
        let (Some(key), Some(size), Some(kind)) = (word(body, at), word(body, at + 8), word(body, at + 12)) else {
            return;
        };
        let size = size as usize;
        let Some(value) = body.get(at + 16..(at + 16).saturating_add(size)) else { return };
        each(key, kind, value);
        at += 16 + size.next_multiple_of(8);
    }
}

/// The number in an atom, where it is one. `[audio]`
pub fn as_number(known: &Known, kind: u32, body: &[u8]) -> Option<f64> {
    let four = || body.get(..4)?.try_into().ok();
    let eight = || body.get(..8)?.try_into().ok();
    match kind {
        k if k == known.atom_float => Some(f64::from(f32::from_ne_bytes(four()?))),
        k if k == known.atom_double => Some(f64::from_ne_bytes(eight()?)),
        k if k == known.atom_int || k == known.atom_bool => Some(f64::from(i32::from_ne_bytes(four()?))),
        k if k == known.atom_long => Some(i64::from_ne_bytes(eight()?) as f64),
        _ => None,
    }
}

/// An object's body under construction, on the stack.
pub struct Object {
    bytes: [u8; 384],
    len: usize,
}

impl Object {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { bytes: [0; 384], len: 0 }
    }

    /// Begins an object of type `kind`. `[audio]`
    pub fn begin(&mut self, _known: &Known, kind: u32) {
        put(&mut self.bytes, 0, &0_u32.to_ne_bytes());
        put(&mut self.bytes, 4, &kind.to_ne_bytes());
        self.len = 8;
    }

    /// Adds a property with a URI's number as value. `[audio]`
    pub fn urid(&mut self, known: &Known, key: u32, value: u32) {
        self.number(key, known.atom_urid, &value.to_ne_bytes());
    }

    /// Adds a property of at most 8 bytes. What does not fit is left out: our own objects all fit. `[audio]`
    pub fn number(&mut self, key: u32, kind: u32, value: &[u8]) {
        let at = self.len;
        if value.len() > 8 || at + 24 > self.bytes.len() {
            return;
        }
        put(&mut self.bytes, at, &key.to_ne_bytes());
        put(&mut self.bytes, at + 4, &0_u32.to_ne_bytes());
        put(&mut self.bytes, at + 8, &(value.len() as u32).to_ne_bytes());
        put(&mut self.bytes, at + 12, &kind.to_ne_bytes());
        put(&mut self.bytes, at + 16, &[0; 8]);
        put(&mut self.bytes, at + 16, value);
        self.len = at + 24;
    }

    /// The body, for [`append`] as an `atom:Object`. `[audio]`
    pub fn body(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Default for Object {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::urid;
    use super::*;

    #[test]
    fn a_sequence_reads_back_as_written_and_a_full_one_refuses() {
        let known = urid::known();
        let mut buffer = [0_u8; 64];
        clear(&mut buffer, known);
        assert!(!has_events(&buffer, known));
        assert!(append(&mut buffer, 7, known.midi_event, &[0x90, 60, 1]));
        assert!(append(&mut buffer, 9, known.midi_event, &[]));
        assert!(!append(&mut buffer, 9, known.midi_event, &[1]));
        let mut read = vec![];
        events(&buffer, &mut |frame, kind, body| read.push((frame, kind, body.to_vec())));
        assert_eq!(read, [(7, known.midi_event, vec![0x90, 60, 1]), (9, known.midi_event, vec![])]);
    }

    #[test]
    fn a_damaged_sequence_ends_where_the_damage_begins() {
        let known = urid::known();
        let mut buffer = [0_u8; 64];
        clear(&mut buffer, known);
        append(&mut buffer, 0, known.midi_event, &[1]);
        put(&mut buffer, 24, &u32::MAX.to_ne_bytes());
        put(&mut buffer, 0, &u32::MAX.to_ne_bytes());
        events(&buffer, &mut |_, _, _| panic!("nothing whole is in there"));
    }
}
