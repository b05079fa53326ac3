//! `catena show`.

use host_core::model::{
    About, Catalog, Chain, Folders, GRID, Helpers, Lane, LaneDelay, Lanes, LatencyMode, Node, Slot, Split,
};
use host_core::scan;
use host_core::session::Purpose;
use serde::Serialize;

use super::args::Show;
use super::chain::{Doubt, TRIAL, doubts, open_session, problems, read_chain};
use super::progress::Progress;
use super::{Failure, aux, find, lanes, macros, midi, out, sidechain, strip};

/// Shows what a chain file holds.
pub fn run(task: &Show) -> Result<(), Failure> {
    let chain = read_chain(&task.file)?;
    let doubts = if task.check { check(&chain)? } else { Vec::new() };
    if task.json && task.check {
        return out::json(&Checked { chain: &chain, doubts });
    }
    if task.json {
        return out::json(&chain);
    }
    head(&task.file, &chain)?;
    about(&chain.about)?;
    nodes(&chain, &chain.nodes, "")?;
    absent(&chain)?;
    doubts.iter().try_for_each(|doubt| out::say(doubt.line(&task.file)))?;
    macros::show(&chain)
}

/// A chain, and what is asked of its plugins.
#[derive(Serialize)]
struct Checked<'a> {
    #[serde(flatten)]
    chain: &'a Chain,
    doubts: Vec<Doubt>,
}

/// Opens the plugins and compares them with what was saved of them.
fn check(chain: &Chain) -> Result<Vec<Doubt>, Failure> {
    let catalog = if chain.slots().next().is_none() { Catalog::default() } else { find::catalog()? };
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let waiting = Progress::waiting("Opening the chain");
    // What is missing is told by its name; what does not run is not compared.
    let wrong = problems(&session.load_chain(chain.clone())?);
    session.activate(TRIAL)?;
    session.settle();
    drop(waiting);
    let installed = wrong.iter().filter(|line| !line.contains("is not installed here"));
    installed.for_each(|line| out::note(format_args!("note: {line}")));
    let doubts = doubts(chain, &session);
    session.deactivate();
    Ok(doubts)
}

/// Plugins that are not here, and what could take their places. Where nothing was scanned yet, nobody knows.
fn absent(chain: &Chain) -> Result<(), Failure> {
    let Some(catalog) = scan::cached(&Folders::from_env()) else { return Ok(()) };
    for slot in chain.slots().filter(|slot| catalog.find(&slot.plugin).is_none()) {
        let number = lanes::number(chain, slot.id);
        out::say(format_args!("{number}  {} is not installed here{}", slot.title(), brought_by(slot)))?;
        for other in catalog.others_of(slot) {
            let format = other.id.format;
            out::say(format_args!("     here as {format}: catena edit FILE replace {number} {}", other.id))?;
        }
    }
    Ok(())
}

fn brought_by(slot: &Slot) -> String {
    slot.identity.package.as_ref().map_or(String::new(), |package| format!("; package {}", package.name))
}

/// What is said of the chain.
fn about(about: &About) -> Result<(), Failure> {
    let rows = [
        ("tags", about.tags.join(", ")),
        ("authors", about.authors.join(", ")),
        ("licence", about.licence.clone()),
        ("notes", about.notes.clone()),
    ];
    let said = rows.into_iter().filter(|(_, text)| !text.is_empty());
    said.into_iter().try_for_each(|(what, text)| out::say(format_args!("   {what}: {text}")))
}

/// Nodes with their numbers: `2` is the second of the chain, `2.1.3` the third in the first lane of that.
fn nodes(chain: &Chain, nodes: &[Node], before: &str) -> Result<(), Failure> {
    for (place, node) in nodes.iter().enumerate() {
        let number = format!("{before}{}", place + 1);
        match node {
            Node::Slot(slot) => slot_lines(chain, &number, slot)?,
            Node::Lanes(group) => lane_lines(chain, &number, group)?,
            Node::Unknown(_) => {
                out::say(format_args!("{number}  something of a newer version; it is kept as it is"))?;
            }
        }
    }
    Ok(())
}

fn lane_lines(chain: &Chain, number: &str, group: &Lanes) -> Result<(), Failure> {
    let split = match &group.split {
        Split::Copy => "copies".to_owned(),
        Split::MidSide => "mid and side".to_owned(),
        Split::LeftRight => "left and right".to_owned(),
        Split::Bands(at) => {
            let at: Vec<_> = at.iter().map(|frequency| format!("{} Hz", out::short(*frequency))).collect();
            format!("{} bands, at {}", group.lanes.len(), at.join(", "))
        }
    };
    let name = group.name.as_ref().map_or(String::new(), |name| format!("\"{name}\" "));
    out::say(format_args!("{number}  {name}{} lanes: {split}", group.lanes.len()))?;
    for (index, lane) in group.lanes.iter().enumerate() {
        let marks = lane_marks(group, lane);
        let marks = if marks.is_empty() { String::new() } else { format!("  ({})", marks.join(", ")) };
        out::say(format_args!("{number}.{}  {}{marks}", index + 1, group.lane_title(index)))?;
        nodes(chain, &lane.nodes, &format!("{number}.{}.", index + 1))?;
    }
    Ok(())
}

fn lane_marks(group: &Lanes, lane: &Lane) -> Vec<String> {
    let mut marks = Vec::new();
    if group.is_blank(lane) {
        marks.push("empty, silent".to_owned());
    } else if lane.nodes.is_empty() {
        marks.push("dry".to_owned());
    }
    for (word, on) in [("muted", lane.mute), ("solo", lane.solo)] {
        if on {
            marks.push(word.to_owned());
        }
    }
    if lane.gain != 0.0 {
        marks.push(format!("gain {} dB", out::short(lane.gain)));
    }
    if lane.pan != 0.0 {
        marks.push(format!("pan {}", out::short(lane.pan)));
    }
    marks.extend(lane.aux.map(aux::lane_mark));
    match lane.delay {
        LaneDelay::Frames(0) => {}
        LaneDelay::Frames(frames) => marks.push(format!("delay {frames} frames")),
        LaneDelay::Ms(ms) => marks.push(format!("delay {} ms", out::short(ms))),
    }
    marks
}

fn head(file: &std::path::Path, chain: &Chain) -> Result<(), Failure> {
    let name = if chain.name.is_empty() { String::new() } else { format!(" \"{}\"", chain.name) };
    let slots = match chain.slots().count() {
        0 if chain.nodes.is_empty() => "empty".to_owned(),
        0 => "no slots".to_owned(),
        1 => "1 slot".to_owned(),
        count => format!("{count} slots"),
    };
    let latency = match chain.latency {
        LatencyMode::True => String::new(),
        LatencyMode::Constant(ms) => format!(", latency constant {} ms", out::short(ms)),
        LatencyMode::Live => ", latency told as 0".to_owned(),
    };
    let held = if chain.hold_latency { ", changes of it wait for the stop" } else { "" };
    let grid = match chain.grid {
        GRID => String::new(),
        frames => format!(", LV2 controls change every {frames} samples"),
    };
    let cores = if chain.cores { ", several cores" } else { "" };
    let bypass = if chain.bypass { ", bypassed" } else { "" };
    let guard = match chain.guard {
        None => "",
        Some(true) => ", level guard on",
        Some(false) => ", level guard off",
    };
    let stored: Vec<_> = chain.snapshots.stored.keys().map(ToString::to_string).collect();
    let snapshots = match stored.len() {
        0 => String::new(),
        1 => format!(", snapshot {}", stored[0]),
        _ => format!(", snapshots {}", stored.join(", ")),
    };
    out::say(format_args!("{}{name}: {slots}{latency}{held}{grid}{cores}{bypass}{guard}{snapshots}", file.display()))
}

fn slot_lines(chain: &Chain, place: &str, slot: &Slot) -> Result<(), Failure> {
    let mut marks = strip::marks(slot);
    marks.extend(midi::marks(&slot.midi));
    marks.extend(sidechain::mark(chain, slot));
    if slot.factor() > 1 {
        marks.push(format!("{} times oversampled", slot.factor()));
    }
    marks.extend(aux::slot_mark(slot));
    match slot.helpers {
        Helpers::Auto => {}
        Helpers::On => marks.push("gets helper threads".to_owned()),
        Helpers::Off => marks.push("gets no helper threads".to_owned()),
    }
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
