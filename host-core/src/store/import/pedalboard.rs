//! MOD's pedalboards: blocks and arcs. What stands in series, and copies side by side, become the chain.

use std::collections::BTreeMap;

use serde_json::Value;

use super::lanes::{self, Part};
use super::lv2::{ATOM_PORT, CV, INPUT, OUTPUT, PORT, PROTOTYPE, STATE};
use super::presets;
use super::series::{End, MAX_BLOCKS, MAX_WIRES, Series, series};
use super::turtle::{Graph, Term};
use super::{Files, Imported, Texts, Wrong, push, slot};
use crate::model::{Catalog, PluginId, Slot};

/// Files of a pedalboard that are no Turtle.
pub const BESIDE: [&str; 2] = ["addressings.json", "snapshots.json"];

const BLOCK: &str = "http://drobilla.net/ns/ingen#block";
const ENABLED: &str = "http://drobilla.net/ns/ingen#enabled";
const VALUE: &str = "http://drobilla.net/ns/ingen#value";
const TAIL: &str = "http://drobilla.net/ns/ingen#tail";
const HEAD: &str = "http://drobilla.net/ns/ingen#head";
const OLD_PROTOTYPE: &str = "http://drobilla.net/ns/ingen#prototype";
const NAME: &str = "http://usefulinc.com/ns/doap#name";
const BINDING: &str = "http://lv2plug.in/ns/ext/midi#binding";
const INSTANCE: &str = "http://moddevices.com/ns/modpedal#instanceNumber";

struct Board<'a> {
    graph: &'a Graph,
    /// The blocks' names in the graph, with their plugins.
    blocks: Vec<(&'a str, &'a str)>,
    untaken: Vec<String>,
}

/// A wire between two ports.
struct Wire<'a> {
    ends: (End, End),
    ports: (&'a str, &'a str),
}

/// The pedalboard, where one is described.
pub fn read(graph: &Graph, texts: &Texts, catalog: &Catalog, files: &mut Files) -> Result<Option<Imported>, Wrong> {
    let Some(whole) = graph.subjects().find(|subject| graph.one(subject, BLOCK).is_some()) else { return Ok(None) };
    let mut board = Board { graph, blocks: Vec::new(), untaken: Vec::new() };
    for name in graph.each(whole, BLOCK).filter_map(Term::node) {
        let plugin = graph.one(name, PROTOTYPE).or(graph.one(name, OLD_PROTOTYPE)).and_then(Term::node);
        match plugin {
            Some(_) if board.blocks.iter().any(|(known, _)| *known == name) => {}
            Some(plugin) => board.blocks.push((name, plugin)),
            None => board.untaken.push(format!("{}: its plugin is not named", shown(name))),
        }
    }
    if board.blocks.len() > MAX_BLOCKS {
        return Err(Wrong::Refused(format!("{} blocks; {MAX_BLOCKS} are the limit", board.blocks.len())));
    }
    let wires = board.wires()?;
    let ends: Vec<_> = wires.iter().map(|wire| wire.ends).collect();
    let found = series(board.blocks.len(), &ends);
    let mut imported = Imported::default();
    let title = graph.one(whole, NAME).and_then(Term::text).map(str::trim).filter(|title| !title.is_empty());
    imported.chain.name = title.unwrap_or("Pedalboard").into();
    imported.file_name.clone_from(&imported.chain.name);
    let audio: Vec<lanes::Wire<'_>> = wires.iter().map(|wire| (wire.ends, wire.ports)).collect();
    let parts = lanes::parts(board.blocks.len(), &audio, &found.order);
    lanes::put(&parts, &mut imported, &mut |at, imported| {
        let (name, plugin) = board.blocks[at];
        let id = PluginId::lv2(plugin);
        // What is installed has a name of its own.
        let title = if catalog.find(&id).is_some() { "" } else { shown(name) };
        let mut slot = slot(&mut imported.chain, id, title, catalog, &mut imported.untaken);
        board.fill(name, &mut slot, files);
        push(&mut imported.chain, slot);
    });
    board.name_the_rest(whole, &found, &parts, &wires);
    board.name_files(texts);
    imported.untaken.append(&mut board.untaken);
    Ok(Some(imported))
}

/// A name as the pedalboard's user saw it.
fn shown(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

impl<'a> Board<'a> {
    /// The wires that carry sound. What carries anything else is named where it cannot be had here.
    fn wires(&mut self) -> Result<Vec<Wire<'a>>, Wrong> {
        let (mut wires, graph) = (Vec::new(), self.graph);
        for arc in graph.subjects() {
            let end = |which| graph.one(arc, which).and_then(Term::node);
            let (Some(tail), Some(head)) = (end(TAIL), end(HEAD)) else { continue };
            // The types of a block's outputs are not written: an arc carries what its head hears.
            let kind = [head, tail].into_iter().find_map(|port| self.other_kind(port));
            match (kind, self.end(tail, End::In), self.end(head, End::Out)) {
                (None, Some(from), Some(to)) => wires.push(Wire { ends: (from, to), ports: (tail, head) }),
                // MIDI is one stream through the whole chain.
                (Some("MIDI"), ..) => {}
                (kind, ..) => self.untaken.push(format!(
                    "the connection from {} to {}{}",
                    shown(tail),
                    shown(head),
                    kind.map(|kind| format!(" ({kind})")).unwrap_or_default()
                )),
            }
        }
        if wires.len() > MAX_WIRES {
            return Err(Wrong::Refused(format!("{} connections; {MAX_WIRES} are the limit", wires.len())));
        }
        Ok(wires)
    }

    fn other_kind(&self, port: &str) -> Option<&'static str> {
        let kinds = [(ATOM_PORT, "MIDI"), (CV, "control voltage")];
        let named = shown(port);
        let known = kinds.into_iter().find(|(kind, _)| self.graph.is(port, kind)).map(|(_, name)| name);
        known.or_else(|| named.starts_with("cv_").then_some("control voltage")).or_else(|| {
            let midi = ["midi_", "serial_midi", "control_"].iter().any(|before| named.starts_with(before));
            midi.then_some("MIDI")
        })
    }

    fn end(&self, port: &str, outside: End) -> Option<End> {
        let block = |(name, _): &(&str, &str)| port.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        if let Some(at) = self.blocks.iter().position(block) {
            return Some(End::Block(at));
        }
        let (kind, usual) = if outside == End::In { (INPUT, "capture") } else { (OUTPUT, "playback") };
        (self.graph.is(port, kind) || shown(port).starts_with(usual)).then_some(outside)
    }

    fn fill(&mut self, name: &str, slot: &mut Slot, files: &mut Files) {
        let (graph, before) = (self.graph, format!("{name}/"));
        slot.bypass = graph.one(name, ENABLED).and_then(Term::number) == Some(0.0);
        for port in graph.each(name, PORT).filter_map(Term::node) {
            let Some(symbol) = port.strip_prefix(&before) else { continue };
            if graph.one(port, BINDING).is_some() {
                let text = format!("{}: the MIDI controller of {symbol}; a macro can have one here", slot.title());
                self.untaken.push(text);
            }
            let Some(value) = graph.one(port, VALUE) else { continue };
            match (symbol, value.number()) {
                (":bypass", Some(value)) => slot.bypass |= value > 0.5,
                (_, Some(value)) if !symbol.starts_with(':') => drop(slot.params.insert(symbol.into(), value)),
                (_, Some(_)) => {}
                (_, None) => self.untaken.push(format!("{}: the value of {symbol} is no number", slot.title())),
            }
        }
        let instance = graph.one(name, INSTANCE).and_then(Term::text).unwrap_or_default();
        let folder = format!("./effect-{instance}/");
        if let Some(preset) = graph.subjects().find(|one| one.starts_with(&folder) && graph.one(one, STATE).is_some()) {
            presets::fill(graph, preset, slot, files, &mut self.untaken);
        }
    }

    /// Blocks and connections that are no part of the series.
    fn name_the_rest(&mut self, whole: &str, found: &Series, parts: &[Part], wires: &[Wire<'_>]) {
        let mut taken = Vec::new();
        lanes::blocks(parts, &mut |at| taken.push(at));
        for at in found.aside.iter().filter(|at| !taken.contains(at)) {
            let (name, plugin) = self.blocks[*at];
            let why = match wires.iter().any(|wire| wire.ends.0 == End::Block(*at)) {
                true => "stands beside others in a way that is no lane",
                false => "nothing that leaves the pedalboard comes from it",
            };
            self.untaken.push(format!("{} ({plugin}): {why}", shown(name)));
        }
        for at in &found.back {
            let (tail, head) = wires[*at].ports;
            self.untaken.push(format!("the connection from {} back to {}", shown(tail), shown(head)));
        }
        let ends = std::iter::once(End::In).chain(found.order.iter().map(|at| End::Block(*at))).chain([End::Out]);
        let ends: Vec<_> = ends.collect();
        for pair in ends.windows(2) {
            let between: Vec<_> = wires.iter().filter(|wire| wire.ends == (pair[0], pair[1])).collect();
            self.name_crossings(&between);
        }
        let used: Vec<_> = wires.iter().flat_map(|wire| [wire.ports.0, wire.ports.1]).collect();
        let apart = |port: &&&str| {
            let end = shown(port).rsplit_once('_').filter(|(name, _)| matches!(*name, "capture" | "playback"));
            end.and_then(|(_, number)| number.parse().ok()).is_some_and(|number: u32| number > 2)
        };
        let mut hardware: Vec<_> = used.iter().filter(apart).map(|port| shown(port)).collect();
        hardware.sort_unstable();
        hardware.dedup();
        if !hardware.is_empty() {
            self.untaken.push(format!("the connections of {}: a chain has two channels", hardware.join(", ")));
        }
        let global = |name: &str| {
            let port = self.graph.each(whole, PORT).filter_map(Term::node).find(|port| port.ends_with(name))?;
            self.graph.one(port, VALUE)?.number()
        };
        if let Some(tempo) = global("/:bpm") {
            self.untaken.push(format!("the tempo, {tempo} BPM: the host of the chain says it"));
        }
    }

    /// Left and right that change places, or one side that goes on to both.
    fn name_crossings(&mut self, wires: &[&Wire<'_>]) {
        let places = |ports: Vec<&str>| -> BTreeMap<String, usize> {
            let mut ports: Vec<_> = ports.into_iter().map(str::to_owned).collect();
            ports.sort_unstable();
            ports.dedup();
            ports.into_iter().enumerate().map(|(at, port)| (port, at)).collect()
        };
        let tails = places(wires.iter().map(|wire| wire.ports.0).collect());
        let heads = places(wires.iter().map(|wire| wire.ports.1).collect());
        if tails.len() != 2 || heads.len() != 2 {
            return;
        }
        for wire in wires {
            let (tail, head) = wire.ports;
            if tails.get(tail) != heads.get(head) {
                let (tail, head) = (shown(tail), shown(head));
                self.untaken
                    .push(format!("the connection from {tail} to {head}: here left goes to left and right to right"));
            }
        }
    }

    /// What lies beside the graph.
    fn name_files(&mut self, texts: &Texts) {
        let json = |name: &str| texts.get(name).and_then(|text| serde_json::from_slice::<Value>(text).ok());
        let assigned = json("addressings.json")
            .as_ref()
            .and_then(Value::as_object)
            .map_or(0, |all| all.values().filter_map(Value::as_array).map(Vec::len).sum());
        if assigned > 0 {
            self.untaken
                .push(format!("{assigned} assignments of the device's knobs and switches; macros do that here"));
        }
        let snapshots = json("snapshots.json");
        let snapshots = snapshots.as_ref().and_then(|all| all.get("snapshots")).and_then(Value::as_array);
        if let Some(count) = snapshots.map(Vec::len).filter(|count| *count > 1) {
            self.untaken.push(format!("{count} snapshots; the chain is as the pedalboard was saved"));
        }
    }
}
