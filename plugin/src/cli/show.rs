//! `catena show`.

use host_core::model::{Chain, LatencyMode, Node, Slot};

use super::args::Show;
use super::chain::read_chain;
use super::{Failure, macros, midi, out};

/// Shows what a chain file holds.
pub fn run(task: &Show) -> Result<(), Failure> {
    let chain = read_chain(&task.file)?;
    if task.json {
        return out::json(&chain);
    }
    head(&task.file, &chain)?;
    for (place, node) in chain.nodes.iter().enumerate() {
        match node {
            Node::Slot(slot) => slot_lines(place + 1, slot)?,
            Node::Unknown(_) => {
                out::say(format_args!("{}  something of a newer version; it is kept as it is", place + 1))?;
            }
        }
    }
    macros::show(&chain)
}

fn head(file: &std::path::Path, chain: &Chain) -> Result<(), Failure> {
    let name = if chain.name.is_empty() { String::new() } else { format!(" \"{}\"", chain.name) };
    let slots = match chain.nodes.len() {
        0 => "empty".to_owned(),
        1 => "1 slot".to_owned(),
        count => format!("{count} slots"),
    };
    let latency = match chain.latency {
        LatencyMode::True => String::new(),
        LatencyMode::Constant(ms) => format!(", latency constant {} ms", out::short(ms)),
        LatencyMode::Live => ", latency told as 0".to_owned(),
    };
    let bypass = if chain.bypass { ", bypassed" } else { "" };
    out::say(format_args!("{}{name}: {slots}{latency}{bypass}", file.display()))
}

fn slot_lines(place: usize, slot: &Slot) -> Result<(), Failure> {
    let mut marks = Vec::new();
    if slot.bypass {
        marks.push("bypassed".to_owned());
    }
    for (label, value, rest) in
        [("mix", slot.mix, 1.0), ("input gain", slot.input_gain, 0.0), ("output gain", slot.output_gain, 0.0)]
    {
        if value != rest {
            marks.push(format!("{label} {}", out::short(value)));
        }
    }
    marks.extend(midi::marks(&slot.midi));
    if slot.merge_midi {
        marks.push("its MIDI joins what it was given".to_owned());
    }
    if slot.identity.latency > 0 {
        marks.push(format!("latency {} frames", slot.identity.latency));
    }
    if let Some(state) = &slot.state {
        marks.push(format!("{} bytes of state", state.bytes.len()));
    }
    let marks = if marks.is_empty() { String::new() } else { format!("  ({})", marks.join(", ")) };
    out::say(format_args!("{place}  {}  {}{marks}", slot.title(), slot.plugin))?;
    let rows: Vec<_> = slot.params.iter().map(|(key, value)| vec![format!("     {key}"), out::short(*value)]).collect();
    if rows.is_empty() { Ok(()) } else { out::say(out::table(&rows)) }
}
