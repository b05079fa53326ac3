//! The part of a plugin that runs: its `run`, and the memory its ports are connected to.

use std::ffi::c_void;
use std::sync::Arc;

use super::buffer::AtomBuffer;
use super::instance::Instance;
use super::spec::Handle;
use super::worker::Answers;
use crate::backend::audio::PortBuffers;
use crate::backend::lv2::describe::{Description, Kind};
use crate::backend::lv2::shared::Shared;

/// One atom port with its memory.
pub struct AtomPort {
    /// Its index among the plugin's ports.
    pub index: usize,
    /// The plugin reads it.
    pub input: bool,
    /// Its memory.
    pub buffer: AtomBuffer,
}

/// Where one audio or CV port's samples are.
#[derive(Clone, Copy)]
struct Channel {
    port: u32,
    input: bool,
    bus: usize,
    channel: usize,
}

/// Owns what the ports are connected to, so that running is safe to call. Ports are connected once, at the start of
/// their buffers; [`Machine::run_part`] moves the audio ports for the length of a call.
pub struct Machine {
    handle: Handle,
    run: extern "C" fn(Handle, u32),
    connect: extern "C" fn(Handle, u32, *mut c_void),
    max_block: u32,
    moved: bool,
    /// The engine's buffers. The engine reads and writes samples; it must not replace a bus or channel.
    pub buffers: PortBuffers,
    /// Atom ports, in port order.
    pub atoms: Vec<AtomPort>,
    /// Control values.
    pub shared: Arc<Shared>,
    /// The worker's answers, where the plugin has a worker.
    pub answers: Option<Answers>,
    channels: Vec<Channel>,
    _instance: Arc<Instance>,
}

// SAFETY: one thread at a time runs it; handle and functions are the plugin's, whose audio class of functions may be
// called from any one thread (lv2.h); the rest is memory of our own.
unsafe impl Send for Machine {}

impl Machine {
    /// Makes the memory and connects every port. `[home & !active]`
    pub fn new(instance: Arc<Instance>, about: &Description, max_block: u32, shared: Arc<Shared>) -> Self {
        // SAFETY: the instance is alive, and so is the descriptor of its library, which stays loaded.
        let (run, connect) = unsafe {
            let descriptor = &*(*instance.raw()).lv2_descriptor;
            (descriptor.run, descriptor.connect_port)
        };
        let mut machine = Self {
            handle: instance.handle(),
            run,
            connect,
            max_block,
            moved: false,
            buffers: PortBuffers::new(&about.layout, max_block),
            atoms: about
                .atoms()
                .map(|(index, input, size)| AtomPort { index, input, buffer: AtomBuffer::new(size) })
                .collect(),
            shared,
            answers: instance.answers(),
            channels: channels(about),
            _instance: instance,
        };
        for (index, port) in about.ports.iter().enumerate() {
            if matches!(port.kind, Kind::Control) {
                let cell =
                    machine.shared.cell(index).map_or(std::ptr::null_mut(), std::sync::atomic::AtomicU32::as_ptr);
                machine.connect(index as u32, cell.cast());
            } else if matches!(port.kind, Kind::Other(_)) {
                machine.connect(index as u32, std::ptr::null_mut());
            }
        }
        for at in 0..machine.atoms.len() {
            machine.connect(machine.atoms[at].index as u32, machine.atoms[at].buffer.as_ptr().cast());
        }
        machine.connect_audio(0);
        machine
    }

    fn connect(&self, port: u32, data: *mut c_void) {
        // Every pointer that comes here is null, for an optional port, or into memory that `self` owns or shares and
        // neither moves nor frees before the plugin is connected anew or gone.
        (self.connect)(self.handle, port, data);
    }

    /// Connects the audio ports `offset` frames into their buffers.
    fn connect_audio(&mut self, offset: u32) {
        for at in 0..self.channels.len() {
            let Channel { port, input, bus, channel } = self.channels[at];
            let buses = if input { &mut self.buffers.inputs } else { &mut self.buffers.outputs };
            let Some(samples) = buses.get_mut(bus).and_then(|bus| bus.channels.get_mut(channel)) else { continue };
            let Some(from) = samples.get_mut(offset as usize..) else { continue };
            let data = from.as_mut_ptr().cast();
            self.connect(port, data);
        }
    }

    /// Runs `frames` frames from the start of the buffers. `[audio]`
    #[inline]
    pub fn run(&mut self, frames: u32) {
        if self.moved {
            self.connect_audio(0);
            self.moved = false;
        }
        // The foreign call: reads and writes within the ports' memory, which holds `max_block` frames.
        (self.run)(self.handle, frames.min(self.max_block));
    }

    /// Runs `frames` frames from frame `offset` on. `[audio]`
    pub fn run_part(&mut self, offset: u32, frames: u32) {
        if offset >= self.max_block {
            return;
        }
        if offset > 0 || self.moved {
            self.connect_audio(offset);
            self.moved = offset > 0;
        }
        (self.run)(self.handle, frames.min(self.max_block - offset));
    }

    /// Deactivates and activates: the one way LV2 has to make a plugin forget what sounds. `[audio]`, the plugin
    /// active and not running.
    pub fn restart(&mut self) {
        self._instance.deactivate();
        self._instance.activate();
    }
}

/// Every audio and CV port's place in the layout's buses.
fn channels(about: &Description) -> Vec<Channel> {
    let place = |(port, place): (usize, &Option<(usize, usize)>)| {
        let (bus, channel) = (*place)?;
        Some(Channel { port: port as u32, input: about.ports[port].input, bus, channel })
    };
    about.places.iter().enumerate().filter_map(place).collect()
}
