//! Parts of a graph that stand side by side: where all of them are given the same and their sum goes on, they are lanes.

use std::collections::{BTreeMap, BTreeSet};

use super::Imported;
use super::series::{End, series};
use crate::model::lanes::{MAX_DEPTH, MAX_LANES};
use crate::model::{Lane, Lanes, Node, Split};

/// Where more is to be looked at (wires, times the gaps between blocks that all sound passes through), nothing is lanes.
const MOST_WORK: usize = 1 << 20;

/// A wire that carries sound, and the names of its ports.
pub type Wire<'a> = ((End, End), (&'a str, &'a str));

/// Blocks as they stand in a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One of them, by its place.
    Block(usize),
    /// Lanes, each with its parts; one without passes what it is given.
    Lanes(Vec<Vec<Part>>),
}

/// The parts of a graph whose `order` all sound passes through: between each two of these what stands side by side, where it is
/// lanes.
pub fn parts(blocks: usize, wires: &[Wire<'_>], order: &[usize]) -> Vec<Part> {
    within(blocks, wires, order, 0)
}

fn within(blocks: usize, wires: &[Wire<'_>], order: &[usize], depth: usize) -> Vec<Part> {
    let ends = std::iter::once(End::In).chain(order.iter().map(|at| End::Block(*at))).chain([End::Out]);
    let ends: Vec<_> = ends.collect();
    let work = wires.len() * ends.len();
    let mut parts = Vec::new();
    for pair in ends.windows(2) {
        if depth < MAX_DEPTH && work <= MOST_WORK {
            parts.extend(beside(blocks, wires, (pair[0], pair[1]), order, depth).map(Part::Lanes));
        }
        parts.extend(block(pair[1]).map(Part::Block));
    }
    parts
}

fn block(end: End) -> Option<usize> {
    match end {
        End::Block(at) => Some(at),
        End::In | End::Out => None,
    }
}

/// What stands side by side between two ends. `None`: nothing does, or it is more than copies that are summed.
fn beside(
    blocks: usize,
    wires: &[Wire<'_>],
    (from, to): (End, End),
    order: &[usize],
    depth: usize,
) -> Option<Vec<Vec<Part>>> {
    let inner = |end: End| block(end).filter(|at| !order.contains(at));
    let forth = reached(blocks, wires.iter().map(|((a, b), _)| (*a, *b)), from, order);
    let back = reached(blocks, wires.iter().map(|((a, b), _)| (*b, *a)), to, order);
    let between: BTreeSet<usize> = forth.intersection(&back).copied().collect();
    if between.is_empty() {
        return None;
    }
    let among = |end: End| inner(end).filter(|at| between.contains(at));
    let pairs = wires.iter().filter_map(|((a, b), _)| Some((among(*a)?, among(*b)?)));
    let lane_of = together(&between, pairs);
    let names: BTreeSet<usize> = lane_of.values().copied().collect();
    let direct = wires.iter().any(|((a, b), _)| (*a, *b) == (from, to));
    if names.len() + usize::from(direct) < 2 || names.len() >= MAX_LANES {
        return None;
    }
    let (mut lanes, mut given, mut gives) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for name in &names {
        let own = |end: End| among(end).is_some_and(|at| lane_of[&at] == *name);
        let inside: Vec<Wire<'_>> = wires
            .iter()
            .filter(|((a, b), _)| (own(*a) || *a == from) && (own(*b) || *b == to) && (own(*a) || own(*b)))
            .map(|((a, b), ports)| {
                let a = if own(*a) { *a } else { End::In };
                ((a, if own(*b) { *b } else { End::Out }), *ports)
            })
            .collect();
        // What leads elsewhere, or comes from elsewhere, is no lane.
        let all = wires
            .iter()
            .filter(|((a, b), _)| own(*a) || own(*b))
            .filter(|((a, b), _)| heard(*a, *b, order, (&forth, &back)));
        if all.count() != inside.len() {
            return None;
        }
        let ends: Vec<_> = inside.iter().map(|(ends, _)| *ends).collect();
        let found = series(blocks, &ends);
        let parts = within(blocks, &inside, &found.order, depth + 1);
        if !found.back.is_empty() || count(&parts) != lane_of.values().filter(|own| *own == name).count() {
            return None;
        }
        given.insert(ports(&inside, |ends, ports| (ends.0 == End::In).then_some(ports.0)));
        gives.insert(ports(&inside, |ends, ports| (ends.1 == End::Out).then_some(ports.1)));
        lanes.push(parts);
    }
    if direct {
        let straight: Vec<_> = wires.iter().filter(|(ends, _)| *ends == (from, to)).copied().collect();
        given.insert(ports(&straight, |_, ports| Some(ports.0)));
        gives.insert(ports(&straight, |_, ports| Some(ports.1)));
        lanes.push(Vec::new());
    }
    // One that hears the left alone is more than a copy, and one that goes to the right alone.
    (given.len() == 1 && gives.len() == 1).then_some(lanes)
}

/// Blocks that are wired to each other have one name.
fn together(blocks: &BTreeSet<usize>, wires: impl Iterator<Item = (usize, usize)>) -> BTreeMap<usize, usize> {
    let mut next: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (a, b) in wires {
        next.entry(a).or_default().insert(b);
        next.entry(b).or_default().insert(a);
    }
    let mut names = BTreeMap::new();
    for first in blocks {
        let mut open = vec![*first];
        while let Some(at) = open.pop() {
            if let std::collections::btree_map::Entry::Vacant(free) = names.entry(at) {
                free.insert(*first);
                open.extend(next.get(&at).into_iter().flatten());
            }
        }
    }
    names
}

/// Whether a wire is on a way from what gives to what takes: a tuner beside leads nowhere.
fn heard(from: End, to: End, order: &[usize], (forth, back): (&BTreeSet<usize>, &BTreeSet<usize>)) -> bool {
    let on = |end: End, way: &BTreeSet<usize>| block(end).is_none_or(|at| way.contains(&at) || order.contains(&at));
    on(from, forth) && on(to, back)
}

fn ports<'a>(
    wires: &[Wire<'a>],
    of: impl Fn(&(End, End), &(&'a str, &'a str)) -> Option<&'a str>,
) -> BTreeSet<&'a str> {
    wires.iter().filter_map(|(ends, ports)| of(ends, ports)).collect()
}

/// How many blocks are in parts.
pub fn count(parts: &[Part]) -> usize {
    let of = |part: &Part| match part {
        Part::Block(_) => 1,
        Part::Lanes(lanes) => lanes.iter().map(|lane| count(lane)).sum(),
    };
    parts.iter().map(of).sum()
}

/// Every block in parts.
pub fn blocks(parts: &[Part], each: &mut dyn FnMut(usize)) {
    for part in parts {
        match part {
            Part::Block(at) => each(*at),
            Part::Lanes(lanes) => lanes.iter().for_each(|lane| blocks(lane, each)),
        }
    }
}

/// Blocks that are reached from an end without passing one of `stops`.
fn reached(blocks: usize, wires: impl Iterator<Item = (End, End)>, from: End, stops: &[usize]) -> BTreeSet<usize> {
    let mut next: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let place = |end: End| match end {
        End::In => blocks,
        End::Out => blocks + 1,
        End::Block(at) => at,
    };
    for (a, b) in wires {
        next.entry(place(a)).or_default().insert(place(b));
    }
    let (mut seen, mut open) = (BTreeSet::new(), vec![place(from)]);
    while let Some(at) = open.pop() {
        for to in next.get(&at).into_iter().flatten() {
            if *to < blocks && !stops.contains(to) && seen.insert(*to) {
                open.push(*to);
            }
        }
    }
    seen
}

/// Puts parts at the chain's end; `take` puts one block there, or nothing where it cannot be had.
pub fn put(parts: &[Part], found: &mut Imported, take: &mut dyn FnMut(usize, &mut Imported)) {
    for part in parts {
        let lanes = match part {
            Part::Block(at) => {
                take(*at, found);
                continue;
            }
            Part::Lanes(lanes) => lanes,
        };
        let before = std::mem::take(&mut found.chain.nodes);
        let mut made = Vec::new();
        for lane in lanes {
            put(lane, found, take);
            let nodes = std::mem::take(&mut found.chain.nodes);
            // One whose plugins could not be taken is silent.
            made.push(Lane { dry: lane.is_empty(), nodes, ..Lane::new(found.chain.fresh_id()) });
        }
        found.chain.nodes = before;
        let id = found.chain.fresh_id();
        let lanes = Lanes { id, name: None, split: Split::Copy, lanes: made, extra: Default::default() };
        found.chain.nodes.push(Node::Lanes(Box::new(lanes)));
    }
}

#[cfg(test)]
mod tests {
    use super::End::{Block, In, Out};
    use super::*;

    fn found(blocks: usize, wires: &[(End, End, &str, &str)]) -> Vec<Part> {
        let wires: Vec<Wire<'_>> = wires.iter().map(|(a, b, from, to)| ((*a, *b), (*from, *to))).collect();
        let ends: Vec<_> = wires.iter().map(|(ends, _)| *ends).collect();
        parts(blocks, &wires, &series(blocks, &ends).order)
    }

    fn lanes(of: &[&[usize]]) -> Part {
        Part::Lanes(of.iter().map(|lane| lane.iter().copied().map(Part::Block).collect()).collect())
    }

    #[test]
    fn copies_that_are_summed_are_lanes_however_deep() {
        // 3, then 1 and 2 side by side, then 0.
        let wires = [
            (In, Block(3), "in", "a"),
            (Block(3), Block(1), "x", "b"),
            (Block(3), Block(2), "x", "c"),
            (Block(1), Block(0), "d", "y"),
            (Block(2), Block(0), "e", "y"),
            (Block(0), Out, "f", "out"),
        ];
        assert_eq!(found(4, &wires), [Part::Block(3), lanes(&[&[1], &[2]]), Part::Block(0)]);
        // A way past it is a dry lane; two in one lane are in series.
        let wires = [
            (In, Block(0), "in", "a"),
            (Block(0), Block(1), "b", "c"),
            (Block(1), Out, "d", "out"),
            (In, Out, "in", "out"),
        ];
        assert_eq!(found(2, &wires), [lanes(&[&[0, 1], &[]])]);
        // Lanes in a lane.
        let wires = [
            (In, Block(0), "in", "a"),
            (In, Block(1), "in", "b"),
            (In, Block(3), "in", "c"),
            (Block(0), Block(2), "d", "e"),
            (Block(1), Block(2), "f", "e"),
            (Block(2), Out, "g", "out"),
            (Block(3), Out, "h", "out"),
        ];
        let inner = vec![lanes(&[&[0], &[1]]), Part::Block(2)];
        assert_eq!(found(4, &wires), [Part::Lanes(vec![inner, vec![Part::Block(3)]])]);
    }

    #[test]
    fn what_is_more_than_copies_that_are_summed_is_none() {
        // Left to one, right to the other.
        let wires = [
            (In, Block(0), "left", "a"),
            (In, Block(1), "right", "b"),
            (Block(0), Out, "c", "out"),
            (Block(1), Out, "d", "out"),
        ];
        assert_eq!(found(2, &wires), []);
        // Each to a side of its own.
        let wires = [
            (In, Block(0), "in", "a"),
            (In, Block(1), "in", "b"),
            (Block(0), Out, "c", "left"),
            (Block(1), Out, "d", "right"),
        ];
        assert_eq!(found(2, &wires), []);
        // A bridge.
        let wires = [
            (In, Block(0), "in", "a"),
            (In, Block(1), "in", "b"),
            (Block(0), Block(2), "c", "e"),
            (Block(0), Block(3), "c", "f"),
            (Block(1), Block(3), "d", "f"),
            (Block(2), Out, "g", "out"),
            (Block(3), Out, "h", "out"),
        ];
        assert_eq!(count(&found(4, &wires)), 0);
        // Sound that goes round.
        let wires = [
            (In, Block(0), "in", "a"),
            (Block(0), Block(1), "b", "c"),
            (Block(1), Block(0), "d", "a"),
            (Block(1), Out, "d", "out"),
            (In, Out, "in", "out"),
        ];
        assert_eq!(count(&found(2, &wires)), 0);
        // A tuner beside changes nothing.
        let wires = [
            (In, Block(0), "in", "a"),
            (In, Block(1), "in", "b"),
            (In, Block(2), "in", "c"),
            (Block(0), Out, "d", "out"),
            (Block(1), Out, "e", "out"),
        ];
        assert_eq!(found(3, &wires), [lanes(&[&[0], &[1]])]);
    }
}
