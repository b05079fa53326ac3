//! `resize-port`: buffers of atom ports are as large as the plugin asks.

/// Bytes where the plugin asks for nothing: one 64 KiB system-exclusive message and much besides. Pages that
/// nothing touches cost nothing.
pub const DEFAULT_SIZE: usize = 128 << 10;
/// The most that is granted.
const MOST: usize = 256 << 20;

/// Bytes of a port's buffer for the size it asks for.
pub fn size(asked: Option<f64>) -> usize {
    let asked = asked.filter(|size| size.is_finite() && *size > 0.0).unwrap_or(0.0);
    (asked.ceil() as usize).clamp(DEFAULT_SIZE, MOST)
}
