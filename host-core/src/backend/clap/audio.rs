//! The audio half of a CLAP plugin: only what runs in real time. It is made in [`super::main`].
#![expect(
    unsafe_code,
    reason = "the process call itself, on structures built once; clack's own builds them for each block"
)]

use std::any::Any;
use std::sync::Arc;

use clack_host::prelude::PluginAudioProcessor;
use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::events::clap_event_transport;
use clap_sys::ext::params::clap_plugin_params;
use clap_sys::plugin::clap_plugin;
use clap_sys::process::*;

use super::events::{Input, Output};
use super::ext::params::Link;
use super::host::Handlers;
use super::layout::Dialect;
use super::requests::{Ask, Common, Wrong};
use super::transport;
use crate::backend::audio::{Block, Bus, ParamEvent, ParamQueue, PluginAudio, PortBuffers, RunStatus};
use crate::backend::role::AudioRole;

/// The process function of a plugin.
pub type ProcessFn = unsafe extern "C" fn(*const clap_plugin, *const clap_process) -> clap_process_status;

/// One direction's buses as the process call takes them.
pub struct Wires {
    /// Channels of every bus the plugin counts.
    counts: Box<[u16]>,
    buses: Box<[clap_audio_buffer]>,
    /// Pointers of all channels, one bus after the other.
    channels: Box<[*mut f32]>,
}

impl Wires {
    /// For buses of that many channels. `[home]`
    pub fn new(counts: &[u16]) -> Self {
        let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let empty = clap_audio_buffer {
            data32: std::ptr::null_mut(),
            data64: std::ptr::null_mut(),
            channel_count: 0,
            latency: 0,
            constant_mask: 0,
        };
        Self {
            counts: counts.into(),
            buses: vec![empty; counts.len()].into(),
            channels: vec![std::ptr::null_mut(); total].into(),
        }
    }

    /// Connects everything anew: neither a plugin that wrote into the arrays nor an exchanged buffer leaves a stale
    /// pointer. False: the buffers are not of this plugin's shape. `[audio]`
    fn connect(&mut self, buses: &mut [Bus], frames: usize) -> bool {
        let mut places = self.channels.iter_mut();
        for bus in buses {
            for samples in &mut bus.channels {
                let Some(place) = places.next() else { return false };
                if samples.len() < frames {
                    return false;
                }
                *place = samples.as_mut_ptr();
            }
        }
        let complete = places.next().is_none();
        let mut data32 = self.channels.as_mut_ptr();
        for (bus, &count) in self.buses.iter_mut().zip(&self.counts) {
            let data64 = std::ptr::null_mut();
            *bus = clap_audio_buffer { data32, data64, channel_count: count.into(), latency: 0, constant_mask: 0 };
            data32 = data32.wrapping_add(count.into());
        }
        complete
    }
}

/// The audio half.
pub struct ClapAudio {
    pub(super) processor: PluginAudioProcessor<Handlers>,
    pub(super) plugin: *const clap_plugin,
    pub(super) process: ProcessFn,
    pub(super) params: *const clap_plugin_params,
    pub(super) common: Arc<Common>,
    pub(super) number: usize,
    pub(super) started: bool,
    pub(super) rate: f64,
    pub(super) max_block: u32,
    pub(super) buffers: PortBuffers,
    pub(super) inputs: Wires,
    pub(super) outputs: Wires,
    pub(super) links: Box<[Link]>,
    pub(super) dialects: Box<[Dialect]>,
    pub(super) input: Box<Input>,
    pub(super) output: Box<Output>,
    /// Values for the first block: those that a flush could not set.
    pub(super) first: Vec<ParamEvent>,
    /// What the plugin moved during a flush.
    pub(super) flushed: ParamQueue,
}

// SAFETY: the raw pointers lead to the plugin, which `processor` keeps alive, to its extension, which lives as long,
// and into boxes of this very value. CLAP lets the audio role wander between threads, one at a time.
unsafe impl Send for ClapAudio {}

impl ClapAudio {
    fn fill_events(&mut self, block: &Block<'_>) {
        for event in self.first.drain(..) {
            if let Some(link) = self.links.get(event.index as usize) {
                self.input.push_param(0, *link, event.value);
            }
        }
        self.input.fill(block.frames, block.params, &self.links, block.events, &self.dialects);
        if self.input.take_dropped() {
            self.common.wrong(Wrong::EventsIn);
        }
    }

    /// The one call into the foreign plugin. It may do what it likes; that is why it is alone here.
    fn call(&mut self, frames: u32, steady_time: i64, transport: Option<&clap_event_transport>) -> clap_process_status {
        let (input, output) = (self.input.raw(), self.output.raw());
        let process = clap_process {
            steady_time,
            frames_count: frames,
            transport: transport.map_or(std::ptr::null(), std::ptr::from_ref),
            audio_inputs: self.inputs.buses.as_ptr(),
            audio_outputs: self.outputs.buses.as_mut_ptr(),
            audio_inputs_count: self.inputs.buses.len() as u32,
            audio_outputs_count: self.outputs.buses.len() as u32,
            in_events: &raw const input,
            out_events: &raw const output,
        };
        let _role = AudioRole::process(self.number);
        // SAFETY: `processor` keeps the plugin alive; it is started (`run` looks); every pointer in `process` leads into
        // `self` or this frame, outlives the call and was connected for `frames` frames; `self` is exclusive.
        unsafe { (self.process)(self.plugin, &raw const process) }
    }

    /// Sets values while nothing is processed. `[audio & active]`
    pub fn flush(&mut self, values: &[(usize, f64)]) {
        if self.params.is_null() {
            return;
        }
        for values in values.chunks(self.input_room()) {
            self.input.clear();
            for &(index, value) in values {
                if let Some(link) = self.links.get(index) {
                    self.input.push_param(0, *link, value);
                }
            }
            self.flush_once();
        }
    }

    fn input_room(&self) -> usize {
        self.input.room().max(1)
    }

    fn flush_once(&mut self) {
        self.common.take(Ask::Flush);
        self.output.begin(1, None, &mut self.flushed);
        let (input, output) = (self.input.raw(), self.output.raw());
        {
            let _role = AudioRole::enter(self.number);
            // SAFETY: not null (`flush` looks), and the extension lives as long as the plugin, which `processor` keeps alive.
            // This is the audio role, and `self` is exclusive, so the plugin does not process.
            if let Some(flush) = unsafe { (*self.params).flush } {
                // SAFETY: as above; both lists outlive the call.
                unsafe { flush(self.plugin, &raw const input, &raw const output) };
            }
        }
        self.end_events(None);
        self.input.clear();
    }

    fn end_events(&mut self, midi: Option<&mut crate::backend::audio::EventBuffer>) {
        let (wrongs, unsorted) = self.output.end();
        if let (Some(midi), true) = (midi, unsorted) {
            midi.sort();
        }
        if wrongs != 0 {
            self.common.wrongs(wrongs);
        }
    }

    /// What the plugin moved by itself during flushes. `[home]`
    pub fn take_flushed(&mut self) -> Vec<(usize, f64)> {
        let moved = self.flushed.as_slice().iter().map(|event| (event.index as usize, event.value)).collect();
        self.flushed.clear();
        moved
    }
}

impl PluginAudio for ClapAudio {
    fn buffers(&mut self) -> &mut PortBuffers {
        &mut self.buffers
    }

    fn start(&mut self) -> bool {
        let _role = AudioRole::enter(self.number);
        self.started = self.started || self.processor.start_processing().is_ok();
        self.started
    }

    fn run(&mut self, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames;
        if frames == 0 {
            return RunStatus::Ok;
        }
        let connected = self.inputs.connect(&mut self.buffers.inputs, frames as usize)
            && self.outputs.connect(&mut self.buffers.outputs, frames as usize);
        if !self.started || frames > self.max_block || !connected {
            return RunStatus::Failed;
        }
        self.common.take(Ask::Process);
        self.common.take(Ask::Flush);
        self.input.clear();
        if !(block.params.is_empty() && block.events.is_empty() && self.first.is_empty()) {
            self.fill_events(block);
        }
        self.output.begin(frames, Some(&mut *block.events_out), &mut *block.params_out);
        let transport = block.transport.map(|transport| transport::event(transport, self.rate));
        let status = self.call(frames, block.steady_time, transport.as_ref());
        self.end_events(Some(&mut *block.events_out));
        match status {
            CLAP_PROCESS_CONTINUE | CLAP_PROCESS_CONTINUE_IF_NOT_QUIET | CLAP_PROCESS_TAIL => RunStatus::Ok,
            CLAP_PROCESS_SLEEP => RunStatus::Quiet,
            _ => RunStatus::Failed,
        }
    }

    fn reset(&mut self) {
        let _role = AudioRole::enter(self.number);
        self.processor.reset();
    }

    fn stop(&mut self) {
        if std::mem::take(&mut self.started) {
            let _role = AudioRole::enter(self.number);
            self.processor.ensure_processing_stopped();
        }
    }

    fn wants_run(&self) -> bool {
        self.common.asked(Ask::Process)
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
