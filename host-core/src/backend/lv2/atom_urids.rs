//! Numbers of URIs inside stored atoms: they mean something in one process only, so a state keeps the URIs.

use super::atom::word;
use super::urid::{self, Known};

/// Deepest nesting followed.
const DEPTH: u32 = 16;

/// Puts 1, 2, ... for the numbers inside an atom's body, in the order of their first coming; the URIs they stand for.
pub fn number(known: &Known, kind: u32, body: &mut [u8]) -> Vec<String> {
    let mut uris: Vec<String> = Vec::new();
    walk(known, kind, body, DEPTH, false, &mut |old| {
        let Some(uri) = urid::unmap_str(old) else { return 0 };
        let at = uris.iter().position(|known| known == uri).unwrap_or_else(|| {
            uris.push(uri.into());
            uris.len() - 1
        });
        at as u32 + 1
    });
    uris
}

/// Puts this process's numbers back.
pub fn restore(known: &Known, kind: u32, body: &mut [u8], uris: &[String]) {
    if uris.is_empty() {
        return;
    }
    walk(known, kind, body, DEPTH, true, &mut |old| {
        uris.get((old as usize).wrapping_sub(1)).map_or(0, |uri| urid::map_str(uri))
    });
}

/// Replaces every number of a URI in `body` by what `map` makes of it. The layout is read by this process's numbers:
/// those before the replacement when `after` is false, those it makes when it is true.
fn walk(known: &Known, kind: u32, body: &mut [u8], depth: u32, after: bool, map: &mut dyn FnMut(u32) -> u32) {
    if depth == 0 {
        return;
    }
    let depth = depth - 1;
    match kind {
        k if k == known.atom_urid => {
            replace(body, 0, map);
        }
        k if k == known.atom_object || k == known.atom_blank || k == known.atom_resource => {
            replace(body, 0, map);
            replace(body, 4, map);
            let mut at = 8;
            while at + 16 <= body.len() {
                replace(body, at, map);
                replace(body, at + 4, map);
                let Some(next) = inner(known, body, at + 8, depth, after, map) else { return };
                at = next;
            }
        }
        k if k == known.atom_tuple => {
            let mut at = 0;
            while at + 8 <= body.len() {
                let Some(next) = inner(known, body, at, depth, after, map) else { return };
                at = next;
            }
        }
        k if k == known.atom_sequence => {
            replace(body, 0, map);
            let mut at = 8;
            while at + 16 <= body.len() {
                let Some(next) = inner(known, body, at + 8, depth, after, map) else { return };
                at = next;
            }
        }
        k if k == known.atom_vector => {
            let before = word(body, 4);
            let now = replace(body, 4, map);
            if (if after { now } else { before }) == Some(known.atom_urid) {
                for at in (8..body.len().saturating_sub(3)).step_by(4) {
                    replace(body, at, map);
                }
            }
        }
        _ => {}
    }
}

/// One atom with its head at `at`; where the next begins.
fn inner(
    known: &Known,
    body: &mut [u8],
    at: usize,
    depth: u32,
    after: bool,
    map: &mut dyn FnMut(u32) -> u32,
) -> Option<usize> {
    let size = word(body, at)? as usize;
    let before = word(body, at + 4)?;
    let now = replace(body, at + 4, map)?;
    let kind = if after { now } else { before };
    let end = (at + 8).checked_add(size)?;
    walk(known, kind, body.get_mut(at + 8..end)?, depth, after, map);
    Some(at + 8 + size.next_multiple_of(8))
}

/// Replaces the number at `at`; 0 means none and stays.
fn replace(body: &mut [u8], at: usize, map: &mut dyn FnMut(u32) -> u32) -> Option<u32> {
    let old = word(body, at)?;
    let new = if old == 0 { 0 } else { map(old) };
    body[at..at + 4].copy_from_slice(&new.to_ne_bytes());
    Some(new)
}
