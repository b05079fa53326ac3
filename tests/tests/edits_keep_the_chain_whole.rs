//! Whatever is edited, in whatever order, a chain stays one that can be: ids unique for ever, lanes as their splits want them,
//! values within their ranges, nothing lost, and the same after a save. An edit that is refused changes nothing, and all that were
//! made are undone to the first bytes and done again to the last.
//!
//! `CATENA_PROPTEST_CASES` says how many sequences, `CATENA_PROPTEST_SEED` which.

use std::collections::{BTreeMap, HashSet};

use catena_tests::random_edits::{KINDS, draw, kind};
use catena_tests::rig::Noise;
use catena_tests::session_bench::{fixtures_catalog, session};
use host_core::model::lanes::{MAX_DEPTH, MAX_LANES, depth, for_each_slot};
use host_core::model::{Chain, GRID_RANGE, Identity, Node, OVERSAMPLING, PluginId, SlotId, Split, lanes};
use host_core::session::{Command, NodeView, SessionHandle};
use host_core::store;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Sequences, and edits in the longest.
const CASES: u32 = 80;
const LONGEST: usize = 40;

fn told(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// Ids of slots, groups and lanes.
fn ids(chain: &Chain) -> Vec<SlotId> {
    let lanes = chain.groups().flat_map(|group| group.lanes.iter().map(|lane| lane.id).chain([group.id]));
    chain.slots().map(|slot| slot.id).chain(lanes).collect()
}

/// The ids of nodes as a snapshot shows them, and as the model has them.
fn shown(nodes: &[NodeView]) -> Vec<SlotId> {
    let of = |node: &NodeView| match node {
        NodeView::Slot(id) => vec![*id],
        NodeView::Lanes(group) => {
            let lanes = group.lanes.iter().flat_map(|lane| std::iter::once(lane.id).chain(shown(&lane.nodes)));
            std::iter::once(group.id).chain(lanes).collect()
        }
        NodeView::Unknown => vec![],
    };
    nodes.iter().flat_map(of).collect()
}

fn held(nodes: &[Node]) -> Vec<SlotId> {
    let of = |node: &Node| match node {
        Node::Slot(slot) => vec![slot.id],
        Node::Lanes(group) => {
            let lanes = group.lanes.iter().flat_map(|lane| std::iter::once(lane.id).chain(held(&lane.nodes)));
            std::iter::once(group.id).chain(lanes).collect()
        }
        Node::Unknown(_) => vec![],
    };
    nodes.iter().flat_map(of).collect()
}

fn whole(chain: &Chain) -> Result<(), TestCaseError> {
    let ids = ids(chain);
    prop_assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "an id twice");
    prop_assert!(ids.iter().all(|id| id.0 < chain.next_slot), "an id that comes again: {:?}, {}", ids, chain.next_slot);
    prop_assert!(depth(&chain.nodes) <= MAX_DEPTH);
    for group in chain.groups() {
        let lanes = group.lanes.len();
        prop_assert!((1..=MAX_LANES).contains(&lanes), "{} lanes", lanes);
        prop_assert!(group.split.lanes().is_none_or(|wanted| wanted == lanes), "{:?} of {} lanes", group.split, lanes);
        prop_assert!(group.lanes.iter().all(|lane| (-1.0..=1.0).contains(&lane.pan) && lane.gain.is_finite()));
    }
    for slot in chain.slots() {
        prop_assert!((0.0..=1.0).contains(&slot.mix), "mix {}", slot.mix);
        prop_assert!(slot.input_gain.is_finite() && slot.output_gain.is_finite());
        prop_assert!(slot.params.values().all(|value| value.is_finite()), "{:?}", slot.params);
        prop_assert_eq!(slot.midi, slot.midi.clamped());
        prop_assert!(OVERSAMPLING.contains(&slot.factor()));
    }
    prop_assert!(GRID_RANGE.contains(&chain.grid));
    let numbers: Vec<_> = chain.macros.iter().map(|one| one.number).collect();
    prop_assert!(numbers.is_sorted_by(|a, b| a < b), "macros {:?}", numbers);
    prop_assert!(chain.macros.iter().all(|one| (0.0..=1.0).contains(&one.value)));
    let bytes = store::pack(chain).expect("packed");
    let again = store::unpack(&bytes).expect("what was packed");
    prop_assert_eq!(&again, chain);
    prop_assert!(store::pack(&again).expect("packed") == bytes, "other bytes");
    Ok(())
}

/// How many slots there are of each plugin.
fn plugins(chain: &Chain) -> BTreeMap<String, usize> {
    let mut count = BTreeMap::new();
    chain.slots().for_each(|slot| *count.entry(slot.plugin.to_string()).or_default() += 1);
    count
}

/// What an edit may do to the slots that there are.
fn fits(command: &Command, before: &Chain, after: &Chain) -> Result<(), TestCaseError> {
    let (was, is) = (before.slots().count(), after.slots().count());
    match command {
        Command::Add { .. } | Command::AddInto { .. } | Command::Duplicate(_) => prop_assert_eq!(is, was + 1),
        Command::Replace { slot, plugin } => {
            prop_assert_eq!(is, was);
            prop_assert_eq!(before.place(*slot), after.place(*slot));
            prop_assert_eq!(after.slot(*slot).map(|slot| &slot.plugin), Some(plugin));
        }
        Command::Paste { nodes, .. } => prop_assert_eq!(is, was + lanes::slots(nodes).len()),
        Command::Remove(_) | Command::RemoveLane(_) | Command::Many(_) => prop_assert!(is <= was),
        Command::Clear => prop_assert!(after.nodes.is_empty()),
        Command::Undo | Command::Redo | Command::GoTo(_) => {}
        _ => prop_assert_eq!(plugins(before), plugins(after)),
    }
    Ok(())
}

fn numbered_alike(chain: &Chain) -> Chain {
    Chain { next_slot: 0, ..chain.clone() }
}

fn sequence(handle: &SessionHandle, seeds: &[u64]) -> Result<(), TestCaseError> {
    handle.load_chain(Chain::default()).expect("an empty chain");
    let (mut before, mut ever) = (handle.chain().expect("a chain"), HashSet::new());
    for seed in seeds {
        let command = draw(&mut Noise::new(*seed), &handle.snapshot());
        let outcome = handle.apply(command.clone());
        let after = handle.chain().expect("a chain");
        whole(&after)?;
        let fresh: Vec<_> = ids(&after).into_iter().filter(|id| !ids(&before).contains(id)).collect();
        // What is undone gives its ids back, and what is done again has them again.
        let travels = matches!(command, Command::Undo | Command::Redo | Command::GoTo(_));
        ever.retain(|id: &SlotId| !travels || id.0 < after.next_slot);
        prop_assert!(fresh.iter().all(|id| ever.insert(*id) || travels), "{:?} came back after {:?}", fresh, command);
        match outcome {
            Ok(_) => fits(&command, &before, &after)?,
            Err(error) => prop_assert_eq!(
                numbered_alike(&after),
                numbered_alike(&before),
                "{:?} was refused ({}) and changed something",
                command,
                error
            ),
        }
        let seen = handle.snapshot();
        prop_assert_eq!(shown(&seen.nodes), held(&after.nodes), "what is shown");
        before = after;
    }
    there_and_back(handle)
}

/// From where the chain is back to its beginning, step by step, and on to the end: each time the bytes that were there before.
fn there_and_back(handle: &SessionHandle) -> Result<(), TestCaseError> {
    let goes = |command: Command| {
        handle.apply(command).expect("no step is refused");
        handle.settle();
        let mut chain = handle.chain().expect("a chain");
        // What a plugin says of itself is no edit: one that was widened by a value never narrows again.
        for_each_slot(&mut chain.nodes, &mut |slot| slot.identity = Identity::default());
        store::pack(&chain).expect("packed")
    };
    // What changed nothing is a step no more once it has come to rest.
    let mut saved = vec![goes(Command::GoTo(usize::MAX))];
    let last = handle.snapshot().history.steps.len();
    let label = |at: usize| handle.snapshot().history.steps.get(at).map(|step| step.label.clone());
    for _ in 0..last {
        saved.push(goes(Command::Undo));
    }
    for at in 1..=last {
        let bytes = goes(Command::Redo);
        prop_assert!(
            bytes == saved[last - at],
            "{:?} done again: {}",
            label(at - 1),
            differ(&bytes, &saved[last - at])
        );
    }
    let bytes = goes(Command::GoTo(0));
    prop_assert!(bytes == saved[last], "all undone: {}", differ(&bytes, &saved[last]));
    Ok(())
}

/// Where two saved chains differ.
fn differ(one: &[u8], two: &[u8]) -> String {
    let read = |bytes: &[u8]| format!("{:#?}", store::unpack(bytes).expect("a chain"));
    let (one, two) = (read(one), read(two));
    let lines = one.lines().zip(two.lines()).filter(|(a, b)| a != b).take(6);
    lines.map(|(a, b)| format!("{a} / {b}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_sequence_of_edits_keeps_the_invariants() {
    let (cases, seed) = (told("CATENA_PROPTEST_CASES", CASES.into()), told("CATENA_PROPTEST_SEED", 20_261_130));
    println!("{cases} sequences; again: CATENA_PROPTEST_CASES={cases} CATENA_PROPTEST_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases: cases as u32, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let (handle, _processor) = session(&fixtures_catalog());
    let edits = proptest::collection::vec(any::<u64>(), 1..LONGEST);
    let outcome = runner.run(&edits, |seeds| sequence(&handle, &seeds));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn every_kind_of_edit_is_drawn() {
    let (handle, _processor) = session(&fixtures_catalog());
    for (index, name) in ["gain", "pages", "sidechain", "presets"].into_iter().enumerate() {
        let plugin = PluginId::clap(catena_tests::fixtures::clap_id(name));
        let slot = handle.apply(Command::Add { plugin, index }).expect("added").expect("a slot");
        if index == 0 {
            handle.apply(Command::Parallel { from: slot, to: slot, split: Split::Copy }).expect("lanes");
        }
    }
    let (shown, mut noise) = (handle.snapshot(), Noise::new(1));
    let mut drawn: BTreeMap<_, usize> = KINDS.iter().map(|kind| (*kind, 0)).collect();
    for _ in 0..50_000 {
        *drawn.entry(kind(&draw(&mut noise, &shown))).or_default() += 1;
    }
    let rare: Vec<_> = drawn.iter().filter(|(_, count)| **count < 20).collect();
    assert!(rare.is_empty(), "of 50000: {rare:?}");
}
