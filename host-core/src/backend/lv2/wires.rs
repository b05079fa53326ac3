//! Messages between a plugin that runs and its user interface, which lives on home: two rings of bytes.

use super::atom;
use super::audio::Routes;
use super::ffi::machine::AtomPort;

/// Bytes before a message's body: port, type, length.
const HEAD: usize = 12;
/// Least and most room of a ring, bytes. Memory is taken where it is used.
const ROOM: (usize, usize) = (1 << 16, 1 << 22);
/// Longest message for the plugin, bytes.
pub const LONGEST: usize = 1 << 16;

/// The audio half's ends.
pub struct Wires {
    heard: rtrb::Consumer<u8>,
    told: rtrb::Producer<u8>,
    body: Box<[u8]>,
    /// The head of the message in `body`, which had no room in the last block.
    held: Option<(u32, u32, usize)>,
}

/// Home's ends.
pub struct Line {
    to_plugin: rtrb::Producer<u8>,
    from_plugin: rtrb::Consumer<u8>,
}

/// Both ends, for ports that hold `inputs` and `outputs` bytes in all. `[home]`
pub fn wires(inputs: usize, outputs: usize) -> (Wires, Line) {
    let room = |bytes: usize| bytes.saturating_mul(8).clamp(ROOM.0 * 2, ROOM.1);
    let (to_plugin, heard) = rtrb::RingBuffer::new(room(inputs));
    let (told, from_plugin) = rtrb::RingBuffer::new(room(outputs));
    (Wires { heard, told, body: vec![0; LONGEST].into(), held: None }, Line { to_plugin, from_plugin })
}

fn head(port: u32, kind: u32, len: usize) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..4].copy_from_slice(&port.to_ne_bytes());
    head[4..8].copy_from_slice(&kind.to_ne_bytes());
    head[8..].copy_from_slice(&(len as u32).to_ne_bytes());
    head
}

/// Sends a message whole, or not at all. False: there is no room. `[any]`
fn send(ring: &mut rtrb::Producer<u8>, port: u32, kind: u32, body: &[u8]) -> bool {
    let Ok(mut chunk) = ring.write_chunk(HEAD + body.len()) else { return false };
    let (first, second) = chunk.as_mut_slices();
    let head = head(port, kind, body.len());
    let split = first.len();
    for (part, from) in [(&head[..], 0), (body, HEAD)] {
        let in_first = split.saturating_sub(from).min(part.len());
        if in_first > 0 {
            first[from..from + in_first].copy_from_slice(&part[..in_first]);
        }
        let rest = &part[in_first..];
        if !rest.is_empty() {
            let at = from + in_first - split;
            second[at..at + rest.len()].copy_from_slice(rest);
        }
    }
    chunk.commit_all();
    true
}

/// Port, type and length of the next message. `[any]`
fn next(ring: &mut rtrb::Consumer<u8>) -> Option<(u32, u32, usize)> {
    let mut head = [0; HEAD];
    ring.pop_entire_slice(&mut head).ok()?;
    Some((atom::word(&head, 0)?, atom::word(&head, 4)?, atom::word(&head, 8)? as usize))
}

impl Wires {
    /// Whether the user interface sent something. `[audio]`
    #[inline]
    pub fn waits(&self) -> bool {
        self.held.is_some() || !self.heard.is_empty()
    }

    /// Writes what the user interface sent into the plugin's inputs, as far as there is room: the rest comes with the next block. One
    /// that alone is too long for its port is dropped. `[audio]`
    pub fn deliver(&mut self, atoms: &mut [AtomPort], routes: &mut Routes) {
        loop {
            let again = self.held.take();
            let Some((port, kind, len)) = again.or_else(|| next(&mut self.heard)) else { return };
            let Some(body) = self.body.get_mut(..len) else { return };
            if again.is_none() && self.heard.pop_entire_slice(body).is_err() {
                return;
            }
            let Some(atom) = atoms.iter_mut().find(|atom| atom.input && atom.index == port as usize) else { continue };
            if atom::append(atom.buffer.bytes_mut(), 0, kind, body) {
                routes.filled = true;
            } else if again.is_none() {
                self.held = Some((port, kind, len));
                return;
            }
        }
    }

    /// Hands on what came out of a port, as far as there is room. `[audio]`
    pub fn tell(&mut self, port: usize, kind: u32, body: &[u8]) {
        let _full = send(&mut self.told, port as u32, kind, body);
    }
}

impl Line {
    /// Sends an atom into an input port. False: there is no room, or it is too long. `[home]`
    pub fn send(&mut self, port: u32, kind: u32, body: &[u8]) -> bool {
        body.len() <= LONGEST && send(&mut self.to_plugin, port, kind, body)
    }

    /// The next atom that came out of a port: port, type, body. `[home]`
    pub fn take(&mut self) -> Option<(u32, u32, Vec<u8>)> {
        let (port, kind, len) = next(&mut self.from_plugin)?;
        let mut body = vec![0; len];
        self.from_plugin.pop_entire_slice(&mut body).ok()?;
        Some((port, kind, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::lv2::ffi::buffer::AtomBuffer;
    use crate::backend::lv2::urid;

    #[test]
    fn a_message_comes_whole_or_not_at_all() {
        let (mut wires, mut line) = wires(0, 0);
        wires.tell(3, 7, b"whole");
        wires.tell(4, 8, &vec![1; ROOM.1 * 2]);
        wires.tell(5, 9, b"");
        assert_eq!(line.take(), Some((3, 7, b"whole".to_vec())));
        assert_eq!(line.take(), Some((5, 9, vec![])));
        assert_eq!(line.take(), None);
        assert!(!line.send(1, 2, &vec![0; LONGEST + 1]));
        assert!(!wires.waits());
        assert!(line.send(1, 2, b"message"));
        assert!(wires.waits());
    }

    #[test]
    fn what_has_no_room_in_a_block_comes_with_the_next_and_what_never_has_goes() {
        let (mut wires, mut line) = wires(0, 0);
        let mut atoms = [AtomPort { index: 3, input: true, buffer: AtomBuffer::new(256) }];
        let (size, known) = (atoms[0].buffer.bytes().len(), urid::known());
        let mut routes = Routes::default();
        let sent: Vec<Vec<u8>> = (1..6).map(|number| vec![number; size / 2]).collect();
        assert!(line.send(3, 7, &vec![9; size * 2]), "too long for its port");
        sent.iter().for_each(|body| assert!(line.send(3, 7, body)));
        let mut heard = Vec::new();
        for _ in 0..20 {
            atom::clear(atoms[0].buffer.bytes_mut(), known);
            wires.deliver(&mut atoms, &mut routes);
            atom::events(atoms[0].buffer.bytes(), &mut |_, _, body| heard.push(body[0]));
        }
        assert_eq!(heard, [1, 2, 3, 4, 5]);
        assert!(!wires.waits());
    }

    #[test]
    fn messages_go_round_the_end_of_the_ring() {
        let (mut wires, mut line) = wires(0, 0);
        let body: Vec<u8> = (0..10_007).map(|at| at as u8).collect();
        for round in 0..100 {
            wires.tell(round, 1, &body);
            assert_eq!(line.take(), Some((round as u32, 1, body.clone())));
        }
    }
}
