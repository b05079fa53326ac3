//! The order of a project's plugins: a rack's is that of the file; in a patchbay what stands in series is taken, and copies side by
//! side are lanes.

use roxmltree::Node;

use super::super::Wrong;
use super::super::lanes::{self, Part};
use super::super::series::{End, MAX_BLOCKS, MAX_WIRES, series};
use super::{child, children, has_name};

/// The plugins that are taken, by their places, as they stand.
pub fn order(root: Node<'_, '_>, names: &[String], untaken: &mut Vec<String>) -> Result<Vec<Part>, Wrong> {
    let inner = connections(root, "Patchbay");
    let outer = connections(root, "ExternalPatchbay");
    // Where each plugin is a client of the sound server, the wires among them are the server's.
    let among = |(from, to): &&(String, String)| client(from, names).is_some() && client(to, names).is_some();
    let served = inner.is_none() && outer.iter().flatten().any(|wire| among(&wire));
    let all = if served { outer.as_ref() } else { inner.as_ref() };
    if let (Some(outer), false) = (&outer, served) {
        let count = outer.len();
        if count > 0 {
            untaken.push(format!("{count} connections to other programs and the sound card"));
        }
    }
    let Some(all) = all else { return Ok((0..names.len()).map(Part::Block).collect()) };
    if names.len() > MAX_BLOCKS || all.len() > MAX_WIRES {
        let (blocks, wires) = (names.len(), all.len());
        return Err(Wrong::Refused(format!(
            "{blocks} plugins with {wires} connections; {MAX_BLOCKS} and {MAX_WIRES} are the limit"
        )));
    }
    let mut wires = Vec::new();
    for (from, to) in all.iter().filter(|(from, to)| !is_midi(from) && !is_midi(to)) {
        let inside = [from, to].map(|port| client(port, names));
        let ends = match inside {
            [None, None] => [Some(End::In), Some(End::Out)],
            _ => inside.map(|at| at.map(End::Block)),
        };
        wires.push(((ends[0].unwrap_or(End::In), ends[1].unwrap_or(End::Out)), (from.as_str(), to.as_str())));
    }
    let ends: Vec<_> = wires.iter().map(|(ends, _)| *ends).collect();
    let found = series(names.len(), &ends);
    let parts = lanes::parts(names.len(), &wires, &found.order);
    let mut taken = Vec::new();
    lanes::blocks(&parts, &mut |at| taken.push(at));
    for at in found.aside.iter().filter(|at| !taken.contains(at)) {
        let why = match ends.iter().any(|(from, _)| *from == End::Block(*at)) {
            true => "stands beside others in the patchbay in a way that is no lane",
            false => "nothing that leaves the patchbay comes from it",
        };
        untaken.push(format!("{}: {why}", names[*at]));
    }
    if !found.back.is_empty() {
        untaken.push(format!("{} connections that lead back", found.back.len()));
    }
    Ok(parts)
}

fn connections(root: Node<'_, '_>, name: &str) -> Option<Vec<(String, String)>> {
    let patchbay = children(root).find(|node| has_name(*node, name))?;
    let wires = children(patchbay).filter(|node| has_name(*node, "Connection"));
    Some(wires.filter_map(|wire| Some((child(wire, &["Source"])?, child(wire, &["Target"])?))).collect())
}

/// Which plugin a port `NAME:PORT` belongs to: a name may hold a colon itself, and begin as another does.
fn client(port: &str, names: &[String]) -> Option<usize> {
    let fits = |name: &&str| port.strip_prefix(*name).is_some_and(|rest| rest.starts_with(':'));
    let longest =
        names.iter().map(String::as_str).filter(|name| !name.is_empty()).filter(fits).max_by_key(|name| name.len())?;
    names.iter().position(|name| name == longest)
}

fn is_midi(port: &str) -> bool {
    let port = port.to_ascii_lowercase();
    port.starts_with("midi input:")
        || port.starts_with("midi output:")
        || port.rsplit(':').next().is_some_and(|name| {
            name.starts_with("events-")
                || name.starts_with("midi")
                || name.ends_with("events-in")
                || name.ends_with("events-out")
        })
}
