//! MIDI from the ALSA sequencer: a port that keyboards can be connected to.

use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use alsa::Direction;
use alsa::seq::{MidiEvent, PortCap, PortType, Seq};
use host_core::backend::audio::EventBuffer;

/// Bytes that wait for the audio thread at most.
const RING: usize = 128 * 1024;
/// Longest message, bytes.
const LONGEST: usize = 64 * 1024;
/// How often the thread looks whether it shall end, milliseconds.
const LOOK: i32 = 100;

/// The sequencer's thread.
pub struct MidiInput {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl MidiInput {
    /// Opens a port. Without a sequencer there is sound but no MIDI.
    pub fn open(name: &str) -> (Option<Self>, Events) {
        let (ring, taken) = rtrb::RingBuffer::new(RING);
        let stop = Arc::new(AtomicBool::new(false));
        let (ended, name) = (stop.clone(), name.to_owned());
        let thread = std::thread::Builder::new().name("catena-midi".into()).spawn(move || {
            let _quiet = alsa::Output::local_error_handler();
            let _no_sequencer = run(&name, &ended, ring);
        });
        (thread.ok().map(|thread| Self { stop, thread: Some(thread) }), Events::new(taken))
    }
}

impl Drop for MidiInput {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}

fn run(name: &str, stop: &AtomicBool, mut ring: rtrb::Producer<u8>) -> alsa::Result<()> {
    let seq = Seq::open(None, Some(Direction::Capture), true)?;
    seq.set_client_name(&CString::new(name).unwrap_or_else(|_| c"Catena".to_owned()))?;
    seq.create_simple_port(
        c"midi in",
        PortCap::WRITE | PortCap::SUBS_WRITE,
        PortType::MIDI_GENERIC | PortType::APPLICATION,
    )?;
    let decoder = MidiEvent::new(LONGEST as u32)?;
    decoder.enable_running_status(false);
    let mut bytes = vec![0; LONGEST];
    while !stop.load(Ordering::Acquire) {
        alsa::poll::poll_all(&[&(&seq, Some(Direction::Capture))], LOOK)?;
        let mut input = seq.input();
        while let Ok(mut event) = input.event_input() {
            if let Ok(length) = decoder.decode(&mut bytes, &mut event) {
                send(&mut ring, &bytes[..length]);
            }
        }
    }
    Ok(())
}

/// Puts a message into the ring, its length first; drops it where there is no room.
fn send(ring: &mut rtrb::Producer<u8>, message: &[u8]) {
    if message.is_empty() || ring.slots() < message.len() + 4 {
        return;
    }
    for byte in (message.len() as u32).to_ne_bytes().iter().chain(message) {
        let _room_was_seen = ring.push(*byte);
    }
}

/// The audio thread's end of the ring.
pub struct Events {
    ring: rtrb::Consumer<u8>,
    /// A message that the ring's end cut is put together here.
    whole: Box<[u8]>,
}

impl Events {
    fn new(ring: rtrb::Consumer<u8>) -> Self {
        Self { ring, whole: vec![0; LONGEST + 4].into() }
    }

    /// Takes all messages out. `[audio]`
    pub fn take(&mut self, events: &mut EventBuffer) {
        while let Some(length) = self.length() {
            let Ok(chunk) = self.ring.read_chunk(4 + length) else { return };
            let (first, second) = chunk.as_slices();
            let Some(whole) = self.whole.get_mut(..4 + length) else { return };
            whole[..first.len()].copy_from_slice(first);
            whole[first.len()..].copy_from_slice(second);
            chunk.commit_all();
            events.push(0, 0, &whole[4..]);
        }
    }

    /// Length of the message in front.
    fn length(&mut self) -> Option<usize> {
        let head = self.ring.read_chunk(4).ok()?;
        let mut length = [0; 4];
        let (first, second) = head.as_slices();
        length.iter_mut().zip(first.iter().chain(second)).for_each(|(to, from)| *to = *from);
        Some(u32::from_ne_bytes(length) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_every_length_come_through_also_where_the_ring_ends() {
        let (mut ring, taken) = rtrb::RingBuffer::new(RING);
        let (mut events, mut buffer) = (Events::new(taken), EventBuffer::new(16, true));
        for round in 0..40u8 {
            let long = vec![round; 30_000 + usize::from(round)];
            send(&mut ring, &[0x90, round, 100]);
            send(&mut ring, &long);
            buffer.clear();
            events.take(&mut buffer);
            let read: Vec<_> = buffer.iter().map(|(_, bytes)| bytes.to_vec()).collect();
            assert_eq!(read, [vec![0x90, round, 100], long]);
        }
    }
}
