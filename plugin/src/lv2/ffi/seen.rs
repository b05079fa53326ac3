//! What the host has at its control ports: a change of it is what the host sets, and nothing else is.

use std::sync::atomic::{AtomicU32, Ordering};

use super::params::{ParamInfo, Params};

/// No value: bits of no number.
const NONE: u32 = u32::MAX;

/// One port.
struct Port {
    /// The value last seen there, as bits.
    last: AtomicU32,
    /// What the host had there when the restored state was saved, until it has something else. A host that brings it back
    /// sets nothing: the state knows better.
    saved: AtomicU32,
}

/// The parameters' ports, by place. Wait-free.
pub struct Seen(Vec<Port>);

impl Seen {
    /// Nothing seen but what a fresh plugin has. `[main]`
    pub fn new(params: &Params) -> Self {
        let port = |port| Port { last: params.value(port).to_bits().into(), saved: NONE.into() };
        Self((0..params.infos.len()).map(port).collect())
    }

    /// Takes in the value at a port. True: the host has set it. `[audio]`
    pub fn take(&self, port: usize, value: f32) -> bool {
        let (Some(port), bits) = (self.0.get(port), value.to_bits()) else { return false };
        if port.last.load(Ordering::Relaxed) == bits {
            return false;
        }
        port.last.store(bits, Ordering::Relaxed);
        port.saved.swap(NONE, Ordering::Relaxed) != bits
    }

    /// Values other than a fresh plugin's, a line of symbol and value for each. A bypass is what the host says. `[main]`
    pub fn save(&self, infos: &[ParamInfo]) -> String {
        let values = self.0.iter().map(|port| f32::from_bits(port.last.load(Ordering::Relaxed)));
        let others = infos.iter().zip(values).filter(|(info, value)| !info.enabled && *value != info.default);
        others.map(|(info, value)| format!("{} {value}\n", info.symbol)).collect()
    }

    /// Takes in what [`Seen::save`] gave with the state that is about to be restored. `[main]`
    pub fn restore(&self, infos: &[ParamInfo], text: &str) {
        let value = |symbol: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(symbol)?.strip_prefix(' '));
            line.and_then(|value| value.parse::<f32>().ok())
        };
        for (info, port) in infos.iter().zip(&self.0).filter(|(info, _)| !info.enabled) {
            port.saved.store(value(&info.symbol).unwrap_or(info.default).to_bits(), Ordering::Relaxed);
        }
    }
}
