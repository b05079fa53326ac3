//! `units`: what is written after a number.

use super::ffi::lilv::{Node, World};
use super::uri;

/// The symbol of a unit: the specification's own units by name, others by their `units:symbol`.
pub fn symbol(world: &World, unit: &Node<'_>) -> String {
    match unit.text().strip_prefix("http://lv2plug.in/ns/extensions/units#") {
        Some(name) => known(name).into(),
        None => world.text(unit, uri::UNIT_SYMBOL).unwrap_or_default(),
    }
}

/// Symbols as units.ttl gives them.
fn known(name: &str) -> &'static str {
    match name {
        "bar" => "bars",
        "beat" => "beats",
        "bpm" => "BPM",
        "cent" => "ct",
        "cm" => "cm",
        "coef" => "(coef)",
        "db" => "dB",
        "degree" => "deg",
        "frame" => "frames",
        "hz" => "Hz",
        "inch" => "\"",
        "khz" => "kHz",
        "km" => "km",
        "m" => "m",
        "mhz" => "MHz",
        "midiNote" => "MIDI note",
        "mile" => "mi",
        "min" => "mins",
        "mm" => "mm",
        "ms" => "ms",
        "octave" => "oct",
        "pc" => "%",
        "s" => "s",
        "semitone12TET" => "semi",
        "volt" => "V",
        _ => "",
    }
}
