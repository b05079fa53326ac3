//! A bench for one hosted CLAP plugin: opens it through the backend and runs it block by block, with no engine.

use std::path::Path;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use host_core::backend::audio::{Block, EventBuffer, ParamEvent, ParamQueue, PluginAudio, RunStatus, Transport};
use host_core::backend::{self, Activation, HostContext, OpenError, PluginMain};
use host_core::model::{GRID, PluginEntry, PluginId, PluginLocation, PortLayout};

/// The host that test plugins see.
pub fn host() -> Rc<HostContext> {
    backend::log::listen();
    let assets = std::env::temp_dir().join("catena-tests-assets");
    Rc::new(HostContext { name: "Catena tests".into(), version: "0".into(), assets })
}

/// An entry for `id` in `path`, as a catalog would hold it.
pub fn entry(path: &Path, id: &str) -> PluginEntry {
    PluginEntry {
        id: PluginId::clap(id),
        name: id.into(),
        vendor: String::new(),
        version: String::new(),
        location: PluginLocation::Clap(path.into()),
        categories: vec![],
        ports: PortLayout::default(),
        params: vec![],
        presets: vec![],
        min_block: 1,
    }
}

/// Opens `id` in `path`.
pub fn open(path: &Path, id: &str) -> Result<Box<dyn PluginMain>, OpenError> {
    backend::open(&entry(path, id), &host())
}

/// 48 kHz, blocks of 1 to `max_block`.
pub fn at_48k(max_block: u32) -> Activation {
    Activation { rate: 48_000.0, min_block: 1, max_block, offline: false }
}

/// Index of the parameter called `name`.
pub fn param(main: &dyn PluginMain, name: &str) -> usize {
    let found = main.params().iter().position(|param| param.name == name);
    found.unwrap_or_else(|| panic!("{} has no parameter {name}", main.id()))
}

/// Every line logged so far in this process: tests that run at once share one queue.
pub fn log_lines() -> Vec<String> {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    lines.extend(std::iter::from_fn(backend::log::pop).map(|line| line.text().into_owned()));
    lines.clone()
}

/// Everything that goes in and out of a block, kept between blocks.
pub struct Bench {
    /// Frames so far.
    pub time: i64,
    /// MIDI for the next block.
    pub events: EventBuffer,
    /// Parameter changes for the next block.
    pub params: Vec<ParamEvent>,
    /// MIDI of the last block.
    pub events_out: EventBuffer,
    /// Parameter changes of the last block.
    pub params_out: ParamQueue,
    /// Transport of the next block.
    pub transport: Option<Transport>,
}

impl Default for Bench {
    fn default() -> Self {
        Self {
            time: 0,
            events: EventBuffer::new(4096, true),
            params: Vec::with_capacity(4096),
            events_out: EventBuffer::new(4096, true),
            params_out: ParamQueue::new(4096),
            transport: None,
        }
    }
}

impl Bench {
    /// Runs one block and forgets its input events.
    pub fn run(&mut self, audio: &mut dyn PluginAudio, frames: u32) -> RunStatus {
        self.events_out.clear();
        self.params_out.clear();
        let status = audio.run(&mut Block {
            frames,
            steady_time: self.time,
            grid: GRID,
            transport: self.transport.as_ref(),
            events: &self.events,
            params: &self.params,
            events_out: &mut self.events_out,
            params_out: &mut self.params_out,
        });
        self.time += i64::from(frames);
        self.events.clear();
        self.params.clear();
        status
    }
}

/// Deterministic noise, -0.5 to 0.5.
pub struct Noise(u32);

impl Noise {
    /// Noise from `seed`.
    pub fn new(seed: u32) -> Self {
        Self(seed | 1)
    }

    /// Fills every input of a plugin.
    pub fn fill(&mut self, audio: &mut dyn PluginAudio, frames: usize) {
        for bus in &mut audio.buffers().inputs {
            for channel in &mut bus.channels {
                channel[..frames].iter_mut().for_each(|sample| *sample = self.next());
            }
        }
    }

    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32 - 0.5
    }
}
