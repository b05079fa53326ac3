//! Which blocks of a graph stand in series between what comes in and what goes out.

use std::collections::BTreeSet;

/// Blocks and wires that are looked at.
pub const MAX_BLOCKS: usize = 512;
pub const MAX_WIRES: usize = 16_384;

/// One end of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// What comes into the whole.
    In,
    /// What leaves it.
    Out,
    /// A block, by its place in the list.
    Block(usize),
}

/// What was found.
#[derive(Debug, Default, PartialEq)]
pub struct Series {
    /// Blocks that all sound passes through, in that order.
    pub order: Vec<usize>,
    /// The others.
    pub aside: Vec<usize>,
    /// Wires that lead back to an earlier block of the series, by place.
    pub back: Vec<usize>,
}

/// Looks at `blocks` blocks and the audio wires among them. A block stands in series where no way leads past it.
pub fn series(blocks: usize, wires: &[(End, End)]) -> Series {
    let mut next = vec![BTreeSet::new(); blocks + 2];
    let place = |end: End| match end {
        End::In => blocks,
        End::Out => blocks + 1,
        End::Block(at) => at,
    };
    for (from, to) in wires {
        next[place(*from)].insert(place(*to));
    }
    let (input, output) = (blocks, blocks + 1);
    if !reached(&next, None)[output] {
        // What makes its sound of notes is fed nothing: it stands first.
        let fed: BTreeSet<usize> = wires.iter().map(|(_, to)| place(*to)).collect();
        next[input].extend((0..blocks).filter(|at| !fed.contains(at)));
    }
    let mut order = Vec::new();
    if reached(&next, None)[output] {
        let without: Vec<_> = (0..blocks).map(|at| reached(&next, Some(at))).collect();
        let inline: Vec<_> = (0..blocks).filter(|at| !without[*at][output]).collect();
        // What is reached without a block stands before it.
        let rank = |at: usize| inline.iter().filter(|other| without[at][**other]).count();
        order.clone_from(&inline);
        order.sort_by_key(|at| rank(*at));
    }
    let rank = |end: &End| match end {
        End::In => Some(0),
        End::Out => Some(usize::MAX),
        End::Block(at) => order.iter().position(|one| one == at).map(|rank| rank + 1),
    };
    let leads_back = |(from, to): &(End, End)| matches!((rank(from), rank(to)), (Some(from), Some(to)) if from >= to);
    let back = (0..wires.len()).filter(|at| leads_back(&wires[*at])).collect();
    let aside = (0..blocks).filter(|at| !order.contains(at)).collect();
    Series { order, aside, back }
}

/// What is reached from the input, with one block taken out.
fn reached(next: &[BTreeSet<usize>], without: Option<usize>) -> Vec<bool> {
    let input = next.len() - 2;
    let mut seen = vec![false; next.len()];
    let mut open = vec![input];
    while let Some(at) = open.pop() {
        if seen[at] || Some(at) == without {
            continue;
        }
        seen[at] = true;
        open.extend(&next[at]);
    }
    if let Some(out) = without {
        seen[out] = false;
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::End::{Block, In, Out};
    use super::*;

    #[test]
    fn what_all_sound_passes_through_stands_in_series() {
        let wires = [(In, Block(2)), (Block(2), Block(0)), (Block(0), Out), (Block(2), Block(1))];
        let found = series(3, &wires);
        assert_eq!(found, Series { order: vec![2, 0], aside: vec![1], back: vec![] }, "a tuner beside");
        // Two side by side between two.
        let wires = [
            (In, Block(3)),
            (Block(3), Block(1)),
            (Block(3), Block(2)),
            (Block(1), Block(0)),
            (Block(2), Block(0)),
            (Block(0), Out),
        ];
        assert_eq!(series(4, &wires), Series { order: vec![3, 0], aside: vec![1, 2], back: vec![] });
        // A way past it.
        assert!(series(1, &[(In, Block(0)), (Block(0), Out), (In, Out)]).order.is_empty());
        // An instrument has no input.
        let wires = [(Block(1), Block(0)), (Block(0), Out)];
        assert_eq!(series(2, &wires).order, [1, 0]);
        // Sound that is led back.
        let wires = [(In, Block(0)), (Block(0), Block(1)), (Block(1), Out), (Block(1), Block(0))];
        assert_eq!(series(2, &wires), Series { order: vec![0, 1], aside: vec![], back: vec![3] });
        assert_eq!(series(0, &[]), Series::default());
        assert_eq!(series(2, &[]), Series { order: vec![], aside: vec![0, 1], back: vec![] });
    }
}
