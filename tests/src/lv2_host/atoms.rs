//! Sequences as a host writes and reads them.

use super::urid;

const ATOM: &str = "http://lv2plug.in/ns/ext/atom#";
const TIME: &str = "http://lv2plug.in/ns/ext/time#";

/// Where a song is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Song {
    /// Rolling.
    pub playing: bool,
    /// Frames since its start.
    pub frame: i64,
    /// Quarter notes a minute.
    pub tempo: f32,
    /// The bar, first is 0.
    pub bar: i64,
    /// Beats in it.
    pub bar_beat: f32,
    /// Beats of a bar, and the note that is one.
    pub signature: (f32, i32),
}

/// One event of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub enum Played {
    /// A frame and a MIDI message.
    Midi(i64, Vec<u8>),
    /// A frame and where the song is.
    Position(i64, Song),
    /// The plugin says that its state has changed.
    StateChanged,
    /// Something else: type and size.
    Other(u32, usize),
}

fn property(body: &mut Vec<u8>, key: &str, kind: &str, value: &[u8]) {
    for word in [urid(&format!("{TIME}{key}")), 0, value.len() as u32, urid(&format!("{ATOM}{kind}"))] {
        body.extend(word.to_ne_bytes());
    }
    body.extend(value);
    body.resize(body.len().next_multiple_of(8), 0);
}

fn position(song: &Song) -> Vec<u8> {
    let mut body = vec![0; 4];
    body.extend(urid(&format!("{TIME}Position")).to_ne_bytes());
    property(&mut body, "frame", "Long", &song.frame.to_ne_bytes());
    property(&mut body, "speed", "Float", &f32::from(u8::from(song.playing)).to_ne_bytes());
    property(&mut body, "bar", "Long", &song.bar.to_ne_bytes());
    property(&mut body, "barBeat", "Float", &song.bar_beat.to_ne_bytes());
    property(&mut body, "beatsPerBar", "Float", &song.signature.0.to_ne_bytes());
    property(&mut body, "beatUnit", "Int", &song.signature.1.to_ne_bytes());
    property(&mut body, "beatsPerMinute", "Float", &song.tempo.to_ne_bytes());
    body
}

/// Writes a sequence of `events` into a port's buffer.
pub fn write(buffer: &mut [u64], events: &[Played]) {
    let mut bytes = vec![0; 8];
    for event in events {
        let (frame, kind, body) = match event {
            Played::Midi(frame, bytes) => (*frame, urid("http://lv2plug.in/ns/ext/midi#MidiEvent"), bytes.clone()),
            Played::Position(frame, song) => (*frame, urid(&format!("{ATOM}Object")), position(song)),
            Played::StateChanged | Played::Other(..) => panic!("a host sends no {event:?}"),
        };
        bytes.extend(frame.to_ne_bytes());
        bytes.extend((body.len() as u32).to_ne_bytes());
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(body);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
    let mut all = (bytes.len() as u32).to_ne_bytes().to_vec();
    all.extend(urid(&format!("{ATOM}Sequence")).to_ne_bytes());
    all.extend(bytes);
    for (to, from) in buffer.iter_mut().zip(all.chunks_exact(8)) {
        *to = u64::from_ne_bytes(from.try_into().expect("eight bytes"));
    }
}

/// Tells an output port's room, as LV2 wants it before `run`; `chunk` is the number of `atom:Chunk`.
pub fn make_room(buffer: &mut [u64], chunk: u32) {
    let mut head = [0; 8];
    head[..4].copy_from_slice(&(buffer.len() as u32 * 8 - 8).to_ne_bytes());
    head[4..].copy_from_slice(&chunk.to_ne_bytes());
    buffer[0] = u64::from_ne_bytes(head);
}

/// Reads a sequence.
pub fn read(buffer: &[u64]) -> Vec<Played> {
    let bytes: Vec<u8> = buffer.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let word = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    if word(4) != urid(&format!("{ATOM}Sequence")) {
        return Vec::new();
    }
    let (mut at, end) = (16, 8 + word(0) as usize);
    let mut events = Vec::new();
    while at < end {
        let frame = i64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let (size, kind) = (word(at + 8) as usize, word(at + 12));
        let body = &bytes[at + 16..at + 16 + size];
        events.push(if kind == urid("http://lv2plug.in/ns/ext/midi#MidiEvent") {
            Played::Midi(frame, body.to_vec())
        } else if kind == urid(&format!("{ATOM}Object"))
            && word(at + 20) == urid("http://lv2plug.in/ns/ext/state#StateChanged")
        {
            Played::StateChanged
        } else {
            Played::Other(kind, size)
        });
        at += 16 + size.next_multiple_of(8);
    }
    events
}
