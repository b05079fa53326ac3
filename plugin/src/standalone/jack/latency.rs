//! Latency ranges: what JACK's other clients are told of the chain's delay.
//!
//! Rule (jack/jack.h, "Managing and determining latency"): captured sound reaches our outputs later by the chain's
//! latency than our inputs, and what enters our inputs is played later by it than what leaves our outputs.
#![expect(unsafe_code, reason = "the jack crate has no latency callback; its raw library does")]

use std::ffi::c_void;

use host_core::session::SessionHandle;
use jack::jack_sys;
use jack::{Client, LatencyType, Port, Unowned};

use super::client::Ports;

/// What the callback reads; lives longer than the client.
pub struct LatencyCallback {
    data: Box<Data>,
}

struct Data {
    session: SessionHandle,
    inputs: Vec<Port<Unowned>>,
    side: Vec<Port<Unowned>>,
    outputs: Vec<Port<Unowned>>,
}

impl LatencyCallback {
    /// Registers the callback on a client that is not active yet.
    pub fn register(client: &Client, session: SessionHandle, ports: &Ports) -> Self {
        let data = Box::new(Data {
            session,
            inputs: ports.inputs.iter().map(Port::clone_unowned).collect(),
            side: ports.side.iter().map(Port::clone_unowned).collect(),
            outputs: ports.outputs.iter().map(Port::clone_unowned).collect(),
        });
        let pointer: *const Data = &raw const *data;
        // SAFETY: the client is open and not active. `data` is boxed, so its address stays, and the driver drops it after
        // the client (field order of `Jack`), so the callback never sees it freed. A failed registration only leaves
        // the latency untold.
        let _refused = unsafe {
            jack_sys::jack_set_latency_callback(client.raw(), Some(latency_callback), pointer.cast_mut().cast())
        };
        Self { data }
    }

    /// Asks the server to ask everybody again.
    pub fn recompute(&self, client: &Client) {
        let _known = &self.data;
        // SAFETY: the client is open: `client` borrows it.
        let _refused = unsafe { jack_sys::jack_recompute_total_latencies(client.raw()) };
    }
}

// SAFETY: the signature is JACK's; it is called with the pointer given at registration, on a thread of the library's own.
unsafe extern "C" fn latency_callback(mode: jack_sys::jack_latency_callback_mode_t, data: *mut c_void) {
    // SAFETY: `data` is the pointer that `register` gave, alive as said there, and only read.
    let data = unsafe { &*data.cast::<Data>() };
    let latency = data.session.latency();
    if mode == jack_sys::JackCaptureLatency {
        tell(LatencyType::Capture, &data.inputs, latency, &[&data.outputs]);
    } else {
        tell(LatencyType::Playback, &data.outputs, latency, &[&data.inputs, &data.side]);
    }
}

/// Sets on all of `to` the widest range of `from`, later by `latency` frames.
fn tell(kind: LatencyType, from: &[Port<Unowned>], latency: u32, to: &[&[Port<Unowned>]]) {
    let ranges = || from.iter().map(|port| port.get_latency_range(kind));
    let min = ranges().map(|(min, _)| min).min().unwrap_or(0);
    let max = ranges().map(|(_, max)| max).max().unwrap_or(0);
    for port in to.iter().copied().flatten() {
        port.set_latency_range(kind, (min.saturating_add(latency), max.saturating_add(latency)));
    }
}
