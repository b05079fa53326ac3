//! Edits drawn at random from all that a chain takes, also ones that it has to refuse.

mod kinds;

use host_core::model::{
    Adapt, Aim, Controller, Helpers, IfFails, Lane, LaneAux, LaneDelay, Lanes, LatencyMode, Law, Letter, MacroId,
    MidiSettings, MidiSource, Node, Phase, PluginId, SidechainSource, Sleep, Slot, SlotId, Split,
};
use host_core::session::{
    Assignment, Command, LaneEdit, LanesView, MacroEdit, NodeView, SlotView, Snapshot, SnapshotEdit, StripEdit,
};

pub use kinds::{KINDS, kind};

use crate::fixtures::clap_id;
use crate::rig::Noise;

/// Slots that a chain is filled up to.
const SLOTS: usize = 16;
/// Groups of lanes that a chain is filled up to.
const GROUPS: usize = 6;

/// Fixtures that run for ever: well-behaved ones, and ones whose faults a host has to bear.
pub const PLUGINS: [&str; 25] = [
    "gain",
    "delay",
    "latency-jump",
    "mono",
    "sidechain",
    "instrument",
    "note-echo",
    "clap-notes",
    "no-state",
    "refuse-state",
    "timers",
    "nan",
    "feedback",
    "eight",
    "latency-lie",
    "overrides",
    "layouts",
    "presets",
    "quiet",
    "fails",
    "growing",
    "talks",
    "widens",
    "touch",
    "pages",
];

/// The plugin at a place of [`PLUGINS`].
pub fn plugin(at: usize) -> PluginId {
    PluginId::clap(clap_id(PLUGINS[at % PLUGINS.len()]))
}

/// A chain as one who draws an edit sees it.
struct Seen<'a> {
    slots: &'a [SlotView],
    groups: Vec<&'a LanesView>,
}

impl<'a> Seen<'a> {
    fn new(shown: &'a Snapshot) -> Self {
        let mut groups = Vec::new();
        collect(&shown.nodes, &mut groups);
        Self { slots: &shown.slots, groups }
    }

    /// A slot; one that is not there where there is none, and now and then in spite of it.
    fn slot(&self, noise: &mut Noise) -> SlotId {
        match self.slots.len() {
            0 => SlotId(1),
            _ if noise.pick(0..40) == 0 => SlotId(noise.pick(0..500) as u64),
            count => self.slots[noise.pick(0..count)].id,
        }
    }

    fn group(&self, noise: &mut Noise) -> SlotId {
        match self.groups.len() {
            0 => self.slot(noise),
            count => self.groups[noise.pick(0..count)].id,
        }
    }

    fn lane(&self, noise: &mut Noise) -> SlotId {
        match self.groups.len() {
            0 => self.slot(noise),
            count => {
                let lanes = &self.groups[noise.pick(0..count)].lanes;
                lanes[noise.pick(0..lanes.len())].id
            }
        }
    }

    /// A slot or a group of lanes.
    fn node(&self, noise: &mut Noise) -> SlotId {
        if noise.pick(0..4) == 0 { self.group(noise) } else { self.slot(noise) }
    }

    /// A slot's parameter that may be set: its key and a value, most often within its range.
    fn param(&self, noise: &mut Noise) -> Option<(SlotId, String, f64)> {
        let slot = self.slots.get(noise.pick(0..self.slots.len().max(1)))?;
        let settable: Vec<_> = slot.params.iter().filter(|param| !param.read_only).take(8).collect();
        let param = settable.get(noise.pick(0..settable.len().max(1)))?;
        // No fixture is told to fail or to write what is no number more often than now and then.
        let at = if noise.pick(0..3) == 0 { unit(noise) } else { unit(noise) * 0.4 };
        Some((slot.id, param.key.clone(), param.min + (param.max - param.min) * at))
    }
}

fn collect<'a>(nodes: &'a [NodeView], groups: &mut Vec<&'a LanesView>) {
    for node in nodes {
        if let NodeView::Lanes(group) = node {
            groups.push(group);
            group.lanes.iter().for_each(|lane| collect(&lane.nodes, groups));
        }
    }
}

/// 0..1.
fn unit(noise: &mut Noise) -> f64 {
    f64::from(noise.sample()) + 0.5
}

fn coin(noise: &mut Noise) -> bool {
    noise.bits() & 1 == 0
}

/// The next edit of what is shown.
pub fn draw(noise: &mut Noise, shown: &Snapshot) -> Command {
    let seen = Seen::new(shown);
    let index = noise.pick(0..SLOTS);
    match noise.pick(0..122) {
        0..22 if seen.slots.len() < SLOTS => add(noise, &seen, index),
        0..34 => Command::Remove(seen.node(noise)),
        34..44 => Command::Move { slot: seen.node(noise), index: noise.pick(0..SLOTS) },
        44..50 => {
            let into = if coin(noise) { Some(seen.lane(noise)) } else { None };
            Command::MoveInto { node: seen.node(noise), into, index }
        }
        50..66 => lanes(noise, &seen, index),
        66..90 => settings(noise, &seen),
        90..97 => Command::Macro(number(noise), macros(noise, &seen)),
        97 => page(noise, &seen),
        98..101 | 110..122 => history(noise, shown),
        101 => Command::Many((0..noise.pick(1..5)).map(|_| one_of_several(noise, &seen)).collect()),
        104..108 => Command::Replace { slot: seen.slot(noise), plugin: plugin(noise.pick(0..PLUGINS.len())) },
        108..110 if seen.slots.len() < SLOTS => Command::Duplicate(seen.slot(noise)),
        _ => whole(noise),
    }
}

/// What is made of all that is chosen.
fn one_of_several(noise: &mut Noise, seen: &Seen<'_>) -> Command {
    match noise.pick(0..5) {
        0 => Command::Remove(seen.node(noise)),
        1 => Command::Move { slot: seen.node(noise), index: noise.pick(0..SLOTS) },
        2 => Command::OutputGain(seen.slot(noise), unit(noise) * 12.0 - 9.0),
        3 => Command::Strip(seen.slot(noise), strip(noise)),
        _ => Command::Bypass(seen.slot(noise), coin(noise)),
    }
}

fn add(noise: &mut Noise, seen: &Seen<'_>, index: usize) -> Command {
    let plugin = plugin(noise.pick(0..PLUGINS.len()));
    if noise.pick(0..4) == 0 {
        return paste(noise, seen, plugin, index);
    }
    if seen.groups.is_empty() || coin(noise) {
        Command::Add { plugin, index }
    } else {
        Command::AddInto { plugin, lane: seen.lane(noise), index }
    }
}

/// A slot, and now and then lanes with another in them, as they come from another chain.
fn paste(noise: &mut Noise, seen: &Seen<'_>, plugin: PluginId, index: usize) -> Command {
    let slot = |id| Node::Slot(Box::new(Slot::new(SlotId(id), plugin.clone())));
    let mut nodes = vec![slot(1)];
    if coin(noise) {
        let lanes = vec![Lane { nodes: vec![slot(4)], ..Lane::new(SlotId(3)) }];
        let split = Split::Copy;
        nodes.push(Node::Lanes(Box::new(Lanes { id: SlotId(2), name: None, split, lanes, extra: Default::default() })));
    }
    let into = if coin(noise) && !seen.groups.is_empty() { Some(seen.lane(noise)) } else { None };
    Command::Paste { nodes, macros: vec![], into, index }
}

fn split(noise: &mut Noise) -> Split {
    match noise.pick(0..5) {
        0 | 1 => Split::Copy,
        2 => Split::MidSide,
        3 => Split::LeftRight,
        _ => {
            let mut at = 50.0;
            let bands = noise.pick(1..6);
            Split::Bands(
                (0..bands)
                    .map(|_| {
                        at *= 1.5 + 2.0 * unit(noise);
                        at
                    })
                    .collect(),
            )
        }
    }
}

fn lanes(noise: &mut Noise, seen: &Seen<'_>, index: usize) -> Command {
    match noise.pick(0..12) {
        11 => Command::Dissolve(seen.group(noise)),
        0..3 if seen.groups.len() < GROUPS => {
            let from = seen.node(noise);
            let to = if coin(noise) { from } else { seen.node(noise) };
            Command::Parallel { from, to, split: split(noise) }
        }
        0 | 1 => Command::Dissolve(seen.group(noise)),
        2 | 3 => Command::Split(seen.group(noise), split(noise)),
        4 => Command::AddLane { group: seen.group(noise), index },
        5 => Command::RemoveLane(seen.lane(noise)),
        6 => Command::MoveLane { lane: seen.lane(noise), index },
        7 => Command::LevelLanes(seen.group(noise)),
        8 => Command::RenameLanes(seen.group(noise), Some("Übergang ⇄".into())),
        _ => Command::Lane(seen.lane(noise), lane(noise)),
    }
}

fn lane(noise: &mut Noise) -> LaneEdit {
    match noise.pick(0..10) {
        9 => LaneEdit::Colour(coin(noise).then(|| [noise.pick(0..256) as u8, 90, 200])),
        0 => LaneEdit::Gain(unit(noise) * 30.0 - 24.0),
        1 => LaneEdit::Pan(unit(noise) * 2.0 - 1.0),
        2 => LaneEdit::Mute(noise.pick(0..4) == 0),
        3 => LaneEdit::Solo(noise.pick(0..4) == 0),
        4 => LaneEdit::Delay(LaneDelay::Frames(noise.pick(0..3000) as u32)),
        5 => LaneEdit::Delay(LaneDelay::Ms(unit(noise) * 50.0)),
        6 => LaneEdit::Dry(coin(noise)),
        7 => LaneEdit::Aux(coin(noise).then(|| LaneAux { out: noise.pick(1..3) as u8, only: coin(noise) })),
        _ => LaneEdit::Name(coin(noise).then(|| "lane".into())),
    }
}

fn settings(noise: &mut Noise, seen: &Seen<'_>) -> Command {
    let slot = seen.slot(noise);
    match noise.pick(0..32) {
        26 => Command::Oversample(slot, [1, 1, 2, 4, 8, 3][noise.pick(0..6)]),
        27 => Command::Helpers(slot, [Helpers::Auto, Helpers::On, Helpers::Off][noise.pick(0..3)]),
        0..7 => match seen.param(noise) {
            Some((slot, key, value)) => Command::Param(slot, key, value),
            None => Command::Param(slot, "none".into(), 0.0),
        },
        7 => Command::Bypass(slot, coin(noise)),
        8 => Command::Mix(slot, unit(noise)),
        9 => Command::InputGain(slot, unit(noise) * 12.0 - 9.0),
        10 => Command::OutputGain(slot, unit(noise) * 12.0 - 9.0),
        11 => Command::Adapt(slot, [Adapt::Auto, Adapt::Multi, Adapt::Sum, Adapt::Map][noise.pick(0..4)]),
        12 => Command::IfFails(slot, [IfFails::Dry, IfFails::Mute, IfFails::MuteChain][noise.pick(0..3)]),
        13 | 14 => {
            let source =
                [MidiSource::Previous, MidiSource::Container, MidiSource::Merge, MidiSource::None][noise.pick(0..4)];
            let transpose = noise.pick(0..48) as i8 - 24;
            Command::Midi(slot, MidiSettings { source, transpose, ..MidiSettings::default() })
        }
        15 => {
            let from = [SidechainSource::Container, SidechainSource::None, SidechainSource::Input];
            let from = from.get(noise.pick(0..6)).copied().unwrap_or(SidechainSource::Output(seen.node(noise)));
            let hears: Vec<_> = seen.slots.iter().filter(|slot| slot.sidechain.is_some()).collect();
            let slot = hears.get(noise.pick(0..hears.len().max(1))).map_or(slot, |slot| slot.id);
            Command::Sidechain(slot, from)
        }
        16 => Command::MergeMidi(slot, coin(noise)),
        17 => Command::Rename(slot, coin(noise).then(|| format!("№ {}", noise.pick(0..100)))),
        18 => Command::Preset(slot, ["Quiet", "Loud", "Broken", "none"][noise.pick(0..4)].into()),
        19 => Command::Aux(slot, noise.pick(0..3), coin(noise).then(|| noise.pick(0..3) as u8)),
        20 => Command::Match(slot),
        21 => Command::ResetMeters,
        22..26 => Command::Strip(slot, strip(noise)),
        28 => match noise.pick(0..4) {
            0 => Command::OpenWindow(slot),
            1 => Command::CloseWindow(slot),
            2 => Command::PutBack(slot),
            _ => Command::Show { slot: coin(noise).then_some(slot), parameters: coin(noise) },
        },
        29 => Command::Accept(slot),
        30 => Command::Close(slot),
        _ => Command::Retry(slot),
    }
}

fn strip(noise: &mut Noise) -> StripEdit {
    match noise.pick(0..8) {
        0 => StripEdit::Pan(unit(noise) * 2.0 - 1.0),
        1 => StripEdit::Phase([Phase::Normal, Phase::Left, Phase::Right, Phase::Both][noise.pick(0..4)]),
        2 => StripEdit::Mono(coin(noise)),
        3 => StripEdit::Mute(noise.pick(0..4) == 0),
        4 => StripEdit::Solo(noise.pick(0..6) == 0),
        5 => StripEdit::Delta(noise.pick(0..4) == 0),
        6 => StripEdit::Idle(coin(noise)),
        _ => StripEdit::Sleep([Sleep::Never, Sleep::Tail, Sleep::After(unit(noise))][noise.pick(0..3)]),
    }
}

fn number(noise: &mut Noise) -> MacroId {
    MacroId::at(noise.pick(0..6)).expect("one of 128")
}

fn macros(noise: &mut Noise, seen: &Seen<'_>) -> MacroEdit {
    let slot = seen.slot(noise);
    let aim = match noise.pick(0..8) {
        6 => [Aim::Mute(slot), Aim::InputGain(slot)][noise.pick(0..2)].clone(),
        7 => Aim::LaneGain(seen.lane(noise)),
        0 => Aim::Bypass(slot),
        1 => Aim::Mix(slot),
        2 => Aim::OutputGain(slot),
        3 if coin(noise) => Aim::LaneMute(seen.lane(noise)),
        3 => Aim::Pan(slot),
        _ => seen.param(noise).map_or(Aim::InputGain(slot), |(slot, key, _)| Aim::Param(slot, key)),
    };
    let range = Some((0.0, 0.3));
    match noise.pick(0..15) {
        // The machine's own are left alone: they are the settings of whoever runs this.
        12 => MacroEdit::Assign(if coin(noise) { Assignment::Chain(controller(noise)) } else { Assignment::Nothing }),
        13 => MacroEdit::LearnController { on: coin(noise), in_chain: true },
        0..4 => MacroEdit::Map { aim, range },
        4 => MacroEdit::Shape { aim, law: Law { min: 0.0, max: 0.4, curve: unit(noise), inverted: coin(noise) } },
        5 => MacroEdit::Unmap(coin(noise).then_some(aim)),
        6 => MacroEdit::Name(coin(noise).then(|| "Größe".into())),
        7 => MacroEdit::Learn(coin(noise)),
        _ => MacroEdit::Value(unit(noise)),
    }
}

fn controller(noise: &mut Noise) -> Controller {
    let number = noise.pick(0..120) as u8;
    let controller = Controller::new(noise.pick(1..17) as u8, number, noise.pick(0..4) == 0);
    controller.unwrap_or_else(|| Controller::new(1, 20, false).expect("a controller"))
}

/// A page of controls: most often of a plugin that has some.
fn page(noise: &mut Noise, seen: &Seen<'_>) -> Command {
    let paged: Vec<_> = seen.slots.iter().filter(|slot| !slot.pages.is_empty()).collect();
    let slot = paged.get(noise.pick(0..paged.len().max(1))).map_or_else(|| seen.slot(noise), |slot| slot.id);
    let first = MacroId::at(noise.pick(0..130));
    Command::MapPage { slot, page: noise.pick(0..3), first: if coin(noise) { first } else { None } }
}

/// Undo, redo, a jump, a hand that holds on.
fn history(noise: &mut Noise, shown: &Snapshot) -> Command {
    match noise.pick(0..12) {
        8..12 => snapshot(noise),
        0..3 => Command::Undo,
        3 | 4 => Command::Redo,
        5 | 6 => Command::GoTo(noise.pick(0..shown.history.steps.len() + 2)),
        _ => Command::Gesture(coin(noise)),
    }
}

fn snapshot(noise: &mut Noise) -> Command {
    let [letter, other] = [0, 1].map(|_| Letter::ALL[noise.pick(0..2)]);
    let edits = [SnapshotEdit::Store, SnapshotEdit::Recall, SnapshotEdit::CopyTo(other), SnapshotEdit::Clear];
    Command::Snapshot(letter, edits[noise.pick(0..4)])
}

/// What bears on the whole chain.
fn whole(noise: &mut Noise) -> Command {
    match noise.pick(0..19) {
        14 => Command::HoldLatency(coin(noise)),
        18 => Command::Cores(coin(noise)),
        15 | 16 => Command::ApplyHeld,
        17 => Command::Grid([0, 1, 16, 64, 100, 8192, 9000][noise.pick(0..7)]),
        12 => Command::Guard(coin(noise).then(|| coin(noise))),
        13 => Command::Reopen,
        0..3 => Command::Latency(LatencyMode::True),
        3 => Command::Latency(LatencyMode::Constant(unit(noise) * 40.0)),
        4 => Command::Latency(LatencyMode::Live),
        5 | 6 => Command::BypassChain(coin(noise)),
        7 => Command::Clear,
        8 => Command::RenameChain(format!("chain {}", noise.pick(0..10))),
        _ => Command::Panic,
    }
}
