//! Plugins written in Rust against the engine's own seam: no library is loaded, so what a test measures is the engine.

use host_core::backend::audio::{Block, PluginAudio, PortBuffers, RunStatus};
use host_core::model::{AudioBus, BusRole, PortLayout};

/// One bus each way.
pub fn ports(inputs: u16, outputs: u16) -> PortLayout {
    let bus = |channels| (channels > 0).then(|| AudioBus { name: "main".into(), channels, role: BusRole::Main });
    PortLayout {
        inputs: bus(inputs).into_iter().collect(),
        outputs: bus(outputs).into_iter().collect(),
        ..PortLayout::default()
    }
}

/// The same with MIDI both ways.
pub fn midi_ports(inputs: u16, outputs: u16) -> PortLayout {
    PortLayout { midi_in: true, midi_out: true, ..ports(inputs, outputs) }
}

/// What a plugin does in a block, channel by channel or with its events.
pub trait Work: Send + 'static {
    /// Runs a block.
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus;
    /// Forgets what sounds.
    fn reset(&mut self) {}
}

/// A plugin made of some work.
pub struct Made<W> {
    buffers: PortBuffers,
    /// What it does.
    pub work: W,
    /// Whether it is started.
    pub started: bool,
}

/// Boxes `work` as a plugin with `ports`.
pub fn make<W: Work>(ports: &PortLayout, max_block: u32, work: W) -> Box<dyn PluginAudio> {
    Box::new(Made { buffers: PortBuffers::new(ports, max_block), work, started: false })
}

impl<W: Work> PluginAudio for Made<W> {
    fn buffers(&mut self) -> &mut PortBuffers {
        &mut self.buffers
    }

    fn start(&mut self) -> bool {
        assert!(!self.started, "started twice");
        self.started = true;
        true
    }

    fn run(&mut self, block: &mut Block<'_>) -> RunStatus {
        assert!(self.started, "run while stopped");
        self.work.run(&mut self.buffers, block)
    }

    fn reset(&mut self) {
        self.work.reset();
    }

    fn stop(&mut self) {
        assert!(self.started, "stopped twice");
        self.started = false;
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

/// Input times a number.
pub struct Gain(pub f32);

impl Work for Gain {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        if let Some(change) = block.params.last() {
            self.0 = change.value as f32;
        }
        for (out, input) in buffers.outputs[0].channels.iter_mut().zip(&buffers.inputs[0].channels) {
            for (out, input) in out[..frames].iter_mut().zip(&input[..frames]) {
                *out = input * self.0;
            }
        }
        RunStatus::Ok
    }
}

/// Input late by a number of frames.
pub struct Delay {
    rings: Vec<Vec<f32>>,
    at: usize,
}

impl Delay {
    /// On `channels`, by `frames`.
    pub fn new(channels: usize, frames: usize) -> Self {
        Self { rings: vec![vec![0.0; frames]; channels], at: 0 }
    }
}

impl Work for Delay {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        let channels = buffers.outputs[0].channels.iter_mut().zip(&buffers.inputs[0].channels);
        for (ring, (out, input)) in self.rings.iter_mut().zip(channels) {
            let length = ring.len();
            for i in 0..frames {
                out[i] =
                    if length == 0 { input[i] } else { std::mem::replace(&mut ring[(self.at + i) % length], input[i]) };
            }
        }
        self.at += frames;
        RunStatus::Ok
    }

    fn reset(&mut self) {
        self.rings.iter_mut().for_each(|ring| ring.fill(0.0));
    }
}

/// A low-pass with feedback: every sample depends on all before it.
pub struct Filter {
    /// Share of the past.
    pub past: f32,
    state: Vec<f32>,
}

impl Filter {
    /// On `channels`.
    pub fn new(channels: usize, past: f32) -> Self {
        Self { past, state: vec![0.0; channels] }
    }
}

impl Work for Filter {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        let channels = buffers.outputs[0].channels.iter_mut().zip(&buffers.inputs[0].channels);
        for (state, (out, input)) in self.state.iter_mut().zip(channels) {
            for i in 0..frames {
                *state = input[i] * (1.0 - self.past) + *state * self.past;
                out[i] = *state;
            }
        }
        RunStatus::Ok
    }
}

/// Passes its input, and writes `bad` into one sample of each block from `first` to `last` counted from 0.
pub struct Bad {
    /// What it writes.
    pub bad: f32,
    /// First and last bad block.
    pub blocks: std::ops::RangeInclusive<u64>,
    /// Blocks so far.
    pub count: u64,
}

impl Work for Bad {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        for (out, input) in buffers.outputs[0].channels.iter_mut().zip(&buffers.inputs[0].channels) {
            out[..frames].copy_from_slice(&input[..frames]);
            if self.blocks.contains(&self.count) {
                out[frames / 2] = self.bad;
            }
        }
        self.count += 1;
        RunStatus::Ok
    }
}

/// Sends back each event, its first byte's channel raised by one, and passes sound by.
pub struct Echo;

impl Work for Echo {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        for (event, bytes) in block.events.iter() {
            let mut copy = bytes.to_vec();
            copy[0] += 1;
            block.events_out.push(event.frame, event.port, &copy);
        }
        Gain(1.0).run(buffers, block)
    }
}

/// Writes the same value into every output sample: an instrument that always sounds.
pub struct Tone(pub f32);

impl Work for Tone {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        for bus in &mut buffers.outputs {
            for channel in &mut bus.channels {
                channel[..block.frames as usize].fill(self.0);
            }
        }
        RunStatus::Ok
    }
}

/// What a [`Listener`] heard: frames since it first ran, and bytes.
pub type Heard = std::sync::Arc<std::sync::Mutex<Vec<(usize, Vec<u8>)>>>;

/// Keeps every event that it is given.
pub struct Listener {
    heard: Heard,
    frames: usize,
}

impl Listener {
    /// One, and what it will hear.
    pub fn new() -> (Self, Heard) {
        let heard = Heard::default();
        (Self { heard: heard.clone(), frames: 0 }, heard)
    }
}

impl Work for Listener {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let mut heard = self.heard.lock().expect("nobody panics in there");
        heard
            .extend(block.events.iter().map(|(event, bytes)| (self.frames + usize::from(event.frame), bytes.to_vec())));
        self.frames += block.frames as usize;
        Gain(1.0).run(buffers, block)
    }
}

/// An octave for each key: begins a note above each note-on, and never ends one by itself. Swallows everything else.
pub struct Octave;

impl Work for Octave {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        for (event, bytes) in block.events.iter() {
            if let [0x90..=0x9F, key, velocity @ 1..=127] = *bytes {
                block.events_out.push(event.frame, event.port, &[bytes[0], key + 12, velocity]);
            }
        }
        Gain(1.0).run(buffers, block)
    }
}
