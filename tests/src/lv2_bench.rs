//! One LV2 fixture, both halves in the test's hands.

use host_core::backend::audio::{Block, EventBuffer, ParamEvent, ParamQueue, RunStatus, Transport};
use host_core::backend::{self, Activation, AudioAt, PluginAudio, PluginMain};
use host_core::model::GRID;

use crate::fixtures_lv2::Fixtures;

/// A plugin, and what passes between it and a host.
pub struct Bench {
    /// Home half.
    pub main: Box<dyn PluginMain>,
    /// Audio half while active.
    pub audio: Option<Box<dyn PluginAudio>>,
    /// MIDI to the plugin.
    pub events: EventBuffer,
    /// MIDI from the plugin's last block.
    pub events_out: EventBuffer,
    /// Parameter changes of the plugin's last block.
    pub params_out: ParamQueue,
    /// The song's position.
    pub transport: Option<Transport>,
    /// Frames run so far.
    pub steady_time: i64,
    /// Frames of the grid on which control inputs change.
    pub grid: u32,
}

impl Bench {
    /// Opens a fixture.
    pub fn open(fixtures: &Fixtures, name: &str) -> Self {
        let main = backend::open(fixtures.entry(name), &fixtures.host).unwrap_or_else(|error| panic!("{error}"));
        Self {
            main,
            audio: None,
            events: EventBuffer::new(64, true),
            events_out: EventBuffer::new(64, true),
            params_out: ParamQueue::new(64),
            transport: None,
            steady_time: 0,
            grid: GRID,
        }
    }

    /// Opens and starts one at 48 kHz with blocks of up to 256 frames.
    pub fn started(fixtures: &Fixtures, name: &str) -> Self {
        let mut bench = Self::open(fixtures, name);
        bench.start(48_000.0, 256, false);
        bench
    }

    /// Activates and starts.
    pub fn start(&mut self, rate: f64, max_block: u32, offline: bool) {
        let how = Activation { rate, min_block: 1, max_block, offline };
        let mut audio = self.main.activate(how).unwrap_or_else(|error| panic!("{error}"));
        assert!(audio.start());
        self.audio = Some(audio);
        self.steady_time = 0;
    }

    /// Stops and deactivates.
    pub fn stop(&mut self) {
        let mut audio = self.audio.take().unwrap();
        audio.stop();
        self.main.deactivate(audio);
    }

    /// Runs a block with parameter changes.
    pub fn run_with(&mut self, frames: u32, params: &[ParamEvent]) -> RunStatus {
        self.events_out.clear();
        self.params_out.clear();
        let mut block = Block {
            frames,
            steady_time: self.steady_time,
            grid: self.grid,
            transport: self.transport.as_ref(),
            events: &self.events,
            params,
            events_out: &mut self.events_out,
            params_out: &mut self.params_out,
        };
        let status = self.audio.as_mut().unwrap().run(&mut block);
        self.steady_time += i64::from(frames);
        status
    }

    /// Runs a block.
    pub fn run(&mut self, frames: u32) {
        assert_eq!(self.run_with(frames, &[]), RunStatus::Ok);
    }

    /// Index of the parameter with `key`.
    pub fn index(&self, key: &str) -> usize {
        self.main.params().iter().position(|param| param.key == key).unwrap_or_else(|| panic!("no parameter {key}"))
    }

    /// A change of the parameter with `key`.
    pub fn change(&self, key: &str, frame: u32, value: f64) -> ParamEvent {
        ParamEvent { frame, index: self.index(key) as u32, value }
    }

    /// Value of the parameter with `key`.
    pub fn value(&mut self, key: &str) -> f64 {
        let index = self.index(key);
        self.main.value(index).unwrap()
    }

    /// Sets a parameter while the audio half is inactive or at home.
    pub fn set(&mut self, key: &str, value: f64) {
        let index = self.index(key);
        let at = match &mut self.audio {
            Some(audio) => AudioAt::Home(audio.as_mut()),
            None => AudioAt::Inactive,
        };
        self.main.set_value(index, value, at);
    }

    /// Input samples of a channel.
    pub fn input(&mut self, bus: usize, channel: usize) -> &mut [f32] {
        &mut self.audio.as_mut().unwrap().buffers().inputs[bus].channels[channel]
    }

    /// Output samples of a channel.
    pub fn output(&mut self, bus: usize, channel: usize) -> &[f32] {
        &self.audio.as_mut().unwrap().buffers().outputs[bus].channels[channel]
    }
}
