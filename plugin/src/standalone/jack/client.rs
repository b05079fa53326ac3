//! The client: callbacks, ports, connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use host_core::backend::audio::to_midi_1;
use host_core::session::{HostSetup, SessionHandle};
use jack::{
    AsyncClient, AudioIn, AudioOut, Client, ClientStatus, Control, Frames, MidiIn, MidiOut, NotificationHandler, Port,
    PortFlags, ProcessHandler, ProcessScope, RawMidi,
};

use super::latency::LatencyCallback;
use super::transport::transport;
use crate::cli::{Connect, Play};
use crate::standalone::driver::Driver;
use crate::standalone::rig::{MAX_BLOCK, SharedRig};

/// What callbacks tell the keeper.
#[derive(Default)]
struct Flags {
    shut_down: AtomicBool,
    freewheel: AtomicBool,
    late: AtomicU32,
    block: AtomicU32,
    rate_changed: AtomicBool,
}

/// A running client.
struct Jack {
    flags: Arc<Flags>,
    rate: u32,
    // Dropped in this order: the client with its callbacks first, then what the latency callback reads.
    client: Option<AsyncClient<Notifications, Process>>,
    latency: LatencyCallback,
}

/// Makes a client of the running server.
pub fn open(play: &Play, session: &SessionHandle, rig: &SharedRig) -> Result<Box<dyn Driver>, String> {
    let client = super::connect(&play.name).map_err(|error| match error {
        jack::Error::LibraryError(why) => format!("JACK: its library cannot be loaded ({why})"),
        _ => "JACK: no server runs; start one, for instance with: jackd -d alsa".to_owned(),
    })?;
    let rate = client.sample_rate();
    let setup = HostSetup { rate: rate.into(), max_block: MAX_BLOCK as u32, offline: false };
    session.activate(setup).map_err(|error| error.to_string())?;
    let flags = Arc::new(Flags::default());
    flags.block.store(client.buffer_size(), Ordering::Relaxed);
    let process = Process::new(&client, rig.clone(), flags.clone()).map_err(|error| format!("JACK: {error}"))?;
    let latency = LatencyCallback::register(&client, session.clone(), &process.ports);
    let names = process.ports.names();
    let notifications = Notifications { flags: flags.clone() };
    let client = client.activate_async(notifications, process).map_err(|error| format!("JACK: {error}"))?;
    connect_ports(client.as_client(), &names, play.connect);
    Ok(Box::new(Jack { flags, rate, client: Some(client), latency }))
}

impl Driver for Jack {
    fn describe(&self) -> String {
        let freewheel = if self.flags.freewheel.load(Ordering::Relaxed) { ", freewheeling" } else { "" };
        format!("JACK, {} Hz, blocks of {}{freewheel}", self.rate, self.flags.block.load(Ordering::Relaxed))
    }

    fn dead(&self) -> Option<String> {
        if self.flags.shut_down.load(Ordering::Acquire) {
            return Some("the JACK server has ended".into());
        }
        self.flags.rate_changed.load(Ordering::Acquire).then(|| "the JACK server changed its sample rate".into())
    }

    fn latency_changed(&self) {
        if let Some(client) = &self.client {
            self.latency.recompute(client.as_client());
        }
    }

    fn play(&self, play: bool) {
        let Some(client) = &self.client else { return };
        let transport = client.as_client().transport();
        // A server that is gone has no transport.
        let _gone = if play { transport.start() } else { transport.stop() };
    }

    fn late(&self) -> u32 {
        self.flags.late.swap(0, Ordering::Relaxed)
    }
}

impl Drop for Jack {
    fn drop(&mut self) {
        // A client of a server that is gone cannot be deactivated; dropping it is all that is left.
        if let Some(client) = self.client.take() {
            let _server_gone = client.deactivate();
        }
    }
}

struct Notifications {
    flags: Arc<Flags>,
}

impl NotificationHandler for Notifications {
    #[expect(unsafe_code, reason = "the trait declares this callback unsafe to implement")]
    // SAFETY: called by the JACK library like a signal handler; only an atomic is written.
    unsafe fn shutdown(&mut self, _status: ClientStatus, _reason: &str) {
        self.flags.shut_down.store(true, Ordering::Release);
    }

    fn freewheel(&mut self, _: &Client, on: bool) {
        self.flags.freewheel.store(on, Ordering::Relaxed);
    }

    fn sample_rate(&mut self, client: &Client, rate: Frames) -> Control {
        // Called once at the start with the rate that is known already.
        if rate != client.sample_rate() {
            self.flags.rate_changed.store(true, Ordering::Release);
        }
        Control::Continue
    }

    fn xrun(&mut self, _: &Client) -> Control {
        self.flags.late.fetch_add(1, Ordering::Relaxed);
        Control::Continue
    }
}

/// The client's ports.
pub struct Ports {
    /// Main inputs.
    pub inputs: [Port<AudioIn>; 2],
    /// Sidechain inputs.
    pub side: [Port<AudioIn>; 2],
    /// Outputs.
    pub outputs: [Port<AudioOut>; 2],
    midi_in: Port<MidiIn>,
    midi_out: Port<MidiOut>,
}

impl Ports {
    fn register(client: &Client) -> Result<Self, jack::Error> {
        Ok(Self {
            inputs: [
                client.register_port("in_1", AudioIn::default())?,
                client.register_port("in_2", AudioIn::default())?,
            ],
            outputs: [
                client.register_port("out_1", AudioOut::default())?,
                client.register_port("out_2", AudioOut::default())?,
            ],
            side: [
                client.register_port("sidechain_1", AudioIn::default())?,
                client.register_port("sidechain_2", AudioIn::default())?,
            ],
            midi_in: client.register_port("midi_in", MidiIn::default())?,
            midi_out: client.register_port("midi_out", MidiOut::default())?,
        })
    }

    fn names(&self) -> [Vec<String>; 2] {
        let inputs = self.inputs.iter().filter_map(|port| port.name().ok()).collect();
        [inputs, self.outputs.iter().filter_map(|port| port.name().ok()).collect()]
    }
}

struct Process {
    rig: SharedRig,
    ports: Ports,
    flags: Arc<Flags>,
}

impl Process {
    fn new(client: &Client, rig: SharedRig, flags: Arc<Flags>) -> Result<Self, jack::Error> {
        Ok(Self { rig, ports: Ports::register(client)?, flags })
    }
}

impl ProcessHandler for Process {
    fn process(&mut self, client: &Client, scope: &ProcessScope) -> Control {
        let frames = scope.n_frames() as usize;
        let offline = self.flags.freewheel.load(Ordering::Relaxed);
        let ports = &mut self.ports;
        let mut midi_out = ports.midi_out.writer(scope);
        let [out_left, out_right] = &mut ports.outputs;
        let mut outputs = [out_left.as_mut_slice(scope), out_right.as_mut_slice(scope)];
        let Ok(mut rig) = self.rig.try_borrow_mut() else {
            outputs.into_iter().for_each(|output| output.fill(0.0));
            return Control::Continue;
        };
        let rig = rig.get_mut();
        let mut start = 0;
        while start < frames {
            let length = (frames - start).min(MAX_BLOCK);
            // Inputs are copied first: JACK hands out one buffer twice where an output feeds an input of the same client.
            for (plane, port) in rig.main.iter_mut().zip(&ports.inputs).chain(rig.side.iter_mut().zip(&ports.side)) {
                plane[..length].copy_from_slice(&port.as_slice(scope)[start..start + length]);
            }
            rig.events_in.clear();
            for message in ports.midi_in.iter(scope) {
                if let Some(frame) = (message.time as usize).checked_sub(start).filter(|frame| *frame < length) {
                    rig.events_in.push(frame as u16, 0, message.bytes);
                }
            }
            rig.run(length, true, transport(client, start, offline), client.sample_rate());
            for (event, bytes) in rig.events_out.iter() {
                let time = (start + usize::from(event.frame)) as u32;
                to_midi_1(event.kind(), bytes, &mut |bytes| drop(midi_out.write(&RawMidi { time, bytes })));
            }
            for (plane, output) in rig.main.iter().zip(&mut outputs) {
                output[start..start + length].copy_from_slice(&plane[..length]);
            }
            start += length;
        }
        Control::Continue
    }

    fn buffer_size(&mut self, _: &Client, frames: Frames) -> Control {
        // Plugins are active for MAX_BLOCK frames already, and buffers are as long.
        self.flags.block.store(frames, Ordering::Relaxed);
        Control::Continue
    }
}

/// Connects to the sound card as asked. A connection that cannot be made is the patchbay's matter.
fn connect_ports(client: &Client, [inputs, outputs]: &[Vec<String>; 2], connect: Connect) {
    let audio = Some(jack::jack_sys::FLOAT_MONO_AUDIO);
    if matches!(connect, Connect::Both | Connect::In) {
        let sources = client.ports(None, audio, PortFlags::IS_PHYSICAL | PortFlags::IS_OUTPUT);
        for (from, to) in sources.iter().zip(inputs) {
            let _left_open = client.connect_ports_by_name(from, to);
        }
    }
    if matches!(connect, Connect::Both | Connect::Out) {
        let sinks = client.ports(None, audio, PortFlags::IS_PHYSICAL | PortFlags::IS_INPUT);
        for (from, to) in outputs.iter().zip(&sinks) {
            let _left_open = client.connect_ports_by_name(from, to);
        }
    }
}
