//! What a session shows: snapshots for editors, reports of a load, errands for the DAW's thread.

mod meters;

use std::sync::Arc;

use super::ears::{EarAt, IN, OUT, SLOT_OUT};
use super::levels::Levels;
use super::live::Live;
use super::{HistoryView, SnapshotsView, WindowView};
use crate::model::{
    Aim, ControlPage, Controller, IfFails, LaneAux, LaneDelay, Lanes, LatencyMode, Law, MacroId, MidiSettings, Node,
    Package, ParamInfo, PluginId, SidechainSource, Slot, SlotId, Split, Strip,
};

pub use meters::{CostTotals, CostView, MeterTotals, MeterView};

/// What became of one slot while a chain was loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotReport {
    /// Which slot.
    pub slot: SlotId,
    /// Its title.
    pub title: String,
    /// What is wrong with it, in one sentence.
    pub problem: String,
}

/// How a slot fares.
#[derive(Clone, Debug, PartialEq)]
pub enum SlotStatus {
    /// Runs, or would if the DAW ran us.
    Running,
    /// Being opened.
    Loading,
    /// Its plugin is not installed.
    Missing,
    /// Kept closed: it killed the process last time, or `CATENA_SAFE=1`.
    Closed(String),
    /// Faulted, with the reason; it passes dry.
    Faulted(String),
}

/// One slot, as shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotView {
    /// Which slot.
    pub id: SlotId,
    /// Its title.
    pub title: String,
    /// Its plugin.
    pub plugin: PluginId,
    /// Its maker.
    pub vendor: String,
    /// Passes dry by the user's will.
    pub bypass: bool,
    /// Wet share, 0..1.
    pub mix: f64,
    /// The auxiliary output that each further output goes to.
    pub aux: Vec<Option<u8>>,
    /// What its sidechain hears; `None`: it has none.
    pub sidechain: Option<SidechainSource>,
    /// Which MIDI it hears; `None`: it hears none.
    pub midi: Option<MidiSettings>,
    /// Gain before and after the plugin, dB.
    pub gains: (f64, f64),
    /// Its channel strip.
    pub strip: Strip,
    /// Passed by because a slot beside it is soloed.
    pub aside: bool,
    /// The plugin is not run at present: it is idle in bypass, or sleeps.
    pub resting: bool,
    /// What it does when it cannot run.
    pub if_fails: IfFails,
    /// Latency, frames.
    pub latency: u32,
    /// How many times the chain's rate its plugin runs at.
    pub oversample: u32,
    /// How it fares.
    pub status: SlotStatus,
    /// A notice that is no fault (a state it refused, a shared library), empty for none.
    pub notice: String,
    /// What could take the place of a plugin that is missing: itself where it was installed meanwhile, and the same in the other
    /// format. Nothing takes it by itself.
    pub offers: Vec<PluginId>,
    /// The command that installs what brings its plugin, where the chain knows the package; empty where not.
    pub install: String,
    /// In what the plugin that was opened is another than the one that was saved, where the user should know before it is taken for
    /// that: [`Command::Accept`](super::Command::Accept) and [`Command::Close`](super::Command::Close). Empty for no question.
    pub doubts: Vec<String>,
    /// What goes into it: what comes out of the node before it.
    pub input: MeterView,
    /// What comes out of it.
    pub output: MeterView,
    /// What it costs.
    pub cost: CostView,
    /// What became of the last [`Command::Match`](super::Command::Match).
    pub matched: MatchView,
    /// Parameters, for generic editors and the command line; shared between snapshots.
    pub params: Arc<[ParamInfo]>,
    /// Their values now, in the same order.
    pub values: Vec<f64>,
    /// Pages of them that the plugin offers for knobs, which [`Command::MapPage`](super::Command::MapPage) maps to macros.
    pub pages: Arc<[ControlPage]>,
    /// Its plugin's own window.
    pub window: WindowView,
}

/// What an edit does to the latency that the DAW is told, frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatencyChange {
    /// What it is told now.
    pub before: u32,
    /// What it will be told.
    pub after: u32,
}

impl std::fmt::Display for LatencyChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let more = i64::from(self.after) - i64::from(self.before);
        write!(f, "latency {} -> {} samples ({more:+})", self.before, self.after)
    }
}

/// What became of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MatchView {
    /// Nobody asked for one.
    #[default]
    None,
    /// Under way: so many of 3 s were heard.
    Listening(f32),
    /// The output gain was set to this, dB.
    Set(f64),
    /// It was not set, and why.
    Refused(String),
}

/// Where loudness is worked out. It costs time on home for every point, so it is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Listen {
    /// Nowhere.
    #[default]
    Nothing,
    /// What comes into the container and what leaves it.
    Container,
    /// These slots and lanes.
    To(Vec<SlotId>),
    /// The container, every slot and every lane.
    Everything,
}

/// One target of a macro, as shown.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetView {
    /// What is moved.
    pub aim: Aim,
    /// Its name: `SLOT: PARAMETER`.
    pub title: String,
    /// Its unit, where its text is a number and that; else empty.
    pub unit: String,
    /// How it follows.
    pub law: Law,
}

/// A macro's controller, as shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControllerView {
    /// Which one.
    pub controller: Controller,
    /// The chain keeps it, wherever it is loaded; else this machine does.
    pub in_chain: bool,
}

/// One macro, as shown.
#[derive(Clone, Debug, PartialEq)]
pub struct MacroView {
    /// Which one.
    pub number: MacroId,
    /// The user's own name for it.
    pub name: Option<String>,
    /// What it is called: that name, else its first target's, else its number.
    pub title: String,
    /// Where it stands, 0..1.
    pub value: f64,
    /// The controller that moves it.
    pub controller: Option<ControllerView>,
    /// What it moves, without what is of a slot that is not there.
    pub targets: Vec<TargetView>,
}

/// What the DAW is to hear of a macro that was moved inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MacroSaid {
    /// The user takes hold of it.
    Begin(MacroId),
    /// It stands here, 0..1.
    Value(MacroId, f64),
    /// The user lets go of it.
    End(MacroId),
}

/// One node of a chain, as shown.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeView {
    /// A slot: one of [`Snapshot::slots`].
    Slot(SlotId),
    /// Parallel lanes.
    Lanes(LanesView),
    /// Something of a newer version, kept as it is.
    Unknown,
}

/// Parallel lanes, as shown.
#[derive(Clone, Debug, PartialEq)]
pub struct LanesView {
    /// Which.
    pub id: SlotId,
    /// The user's own name, empty for none.
    pub name: String,
    /// How what comes in is shared.
    pub split: Split,
    /// The lanes, first to last.
    pub lanes: Vec<LaneView>,
}

/// One lane, as shown.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneView {
    /// Which.
    pub id: SlotId,
    /// The user's name for it, else what its split calls it.
    pub title: String,
    /// The user's colour.
    pub colour: Option<[u8; 3]>,
    /// Gain, dB.
    pub gain: f64,
    /// Balance, -1 (left) to 1 (right).
    pub pan: f64,
    /// Not heard by the user's will.
    pub mute: bool,
    /// Heard alone, with the others that are.
    pub solo: bool,
    /// Delay by the user's will.
    pub delay: LaneDelay,
    /// The auxiliary output that it is heard on.
    pub aux: Option<LaneAux>,
    /// Passes what it is given while it holds nothing.
    pub dry: bool,
    /// Whether it is heard, by mute, solo and what it holds.
    pub heard: bool,
    /// What the split gives it.
    pub input: MeterView,
    /// What it adds to the sum, gain and pan included.
    pub output: MeterView,
    /// What it holds, first to last.
    pub nodes: Vec<NodeView>,
}

/// A slot as it is shown; `aside`: passed by because a slot beside it is soloed.
pub(super) fn slot(slot: &Slot, live: &Live, levels: &Levels, aside: bool) -> SlotView {
    let loud = |point| levels.loud(EarAt::Node(slot.id), point);
    SlotView {
        id: slot.id,
        title: slot.title().into(),
        plugin: slot.plugin.clone(),
        vendor: slot.identity.vendor.clone(),
        bypass: slot.bypass,
        mix: slot.mix,
        aux: live.further_outputs().map(|output| slot.aux_of(output)).collect(),
        sidechain: live.hears_side().then_some(slot.sidechain),
        midi: live.hears_midi().then_some(slot.midi),
        gains: (slot.input_gain, slot.output_gain),
        strip: slot.strip,
        aside,
        resting: live.node.as_ref().is_some_and(|node| node.controls().resting()),
        if_fails: slot.if_fails,
        latency: live.latency_of(slot),
        oversample: slot.factor(),
        status: live.status.clone(),
        notice: live.notice.clone(),
        offers: Vec::new(),
        install: slot
            .identity
            .package
            .as_ref()
            .filter(|package| package.is_named())
            .map(Package::command)
            .unwrap_or_default(),
        doubts: live.doubt.as_ref().map(|doubt| doubt.reasons.clone()).unwrap_or_default(),
        input: live.meters.input.view(loud(IN)),
        output: live.meters.output.view(loud(SLOT_OUT)),
        cost: live.meters.cost.view,
        matched: live.matched.clone(),
        params: live.params.clone(),
        values: live.values.clone(),
        pages: live.pages.clone(),
        window: live.show_window(slot),
    }
}

/// The nodes of a chain or a lane, as shown.
pub(super) fn tree(nodes: &[Node], levels: &Levels) -> Vec<NodeView> {
    let of = |node: &Node| match node {
        Node::Slot(slot) => NodeView::Slot(slot.id),
        Node::Lanes(group) => NodeView::Lanes(lanes(group, levels)),
        Node::Unknown(_) => NodeView::Unknown,
    };
    nodes.iter().map(of).collect()
}

fn lanes(group: &Lanes, levels: &Levels) -> LanesView {
    let lane = |(index, lane): (usize, &crate::model::Lane)| LaneView {
        id: lane.id,
        title: group.lane_title(index),
        colour: lane.colour,
        gain: lane.gain,
        pan: lane.pan,
        mute: lane.mute,
        solo: lane.solo,
        delay: lane.delay,
        aux: lane.aux,
        dry: lane.dry,
        heard: group.is_heard(lane),
        input: levels.lane(lane.id, IN),
        output: levels.lane(lane.id, OUT),
        nodes: tree(&lane.nodes, levels),
    };
    LanesView {
        id: group.id,
        name: group.name.clone().unwrap_or_default(),
        split: group.split.clone(),
        lanes: group.lanes.iter().enumerate().map(lane).collect(),
    }
}

/// The level guard: what becomes of an output above +18 dBFS for 20 ms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuardView {
    /// It mutes the chain.
    pub on: bool,
    /// It has, until [`Command::Reopen`](super::Command::Reopen).
    pub muted: bool,
    /// How often the output was that loud since the session began.
    pub times: u32,
}

/// Several cores for a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoresView {
    /// The user wants them.
    pub on: bool,
    /// Threads that may work on a block, the audio thread among them; 0: there is no pool.
    pub threads: usize,
    /// Pieces of work in a block that are run side by side: lanes, or some short ones together. 0: nothing is worth it.
    pub items: usize,
    /// Times since there is a pool that work was run side by side.
    pub pooled: u64,
    /// Times that it was not, because another instance or the chain's own lanes used the pool.
    pub refused: u64,
    /// Times that the audio thread waited for another longer than it had itself worked.
    pub late: u64,
    /// Why there is no pool, empty for no reason.
    pub why_not: String,
}

/// A chain as it is now. Cheap to share; made on home at each tick where something changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Rises with every snapshot.
    pub revision: u64,
    /// The chain's name.
    pub name: String,
    /// All slots, those in lanes too, in the order that sound passes through them.
    pub slots: Vec<SlotView>,
    /// The chain's nodes, first to last, with their lanes.
    pub nodes: Vec<NodeView>,
    /// Latency told to the DAW, frames.
    pub latency: u32,
    /// How that follows from the chain's.
    pub latency_mode: LatencyMode,
    /// Edits that would change it wait until the transport stops.
    pub hold_latency: bool,
    /// Edits that wait, and what they will do to it.
    pub held: Option<LatencyChange>,
    /// What can be undone and done again.
    pub history: HistoryView,
    /// The snapshots A to D.
    pub snapshots: SnapshotsView,
    /// Sample rate, Hz; 0 while not active.
    pub rate: f64,
    /// The container's own bypass.
    pub bypass: bool,
    /// What became of too loud an output.
    pub guard: GuardView,
    /// Several cores.
    pub cores: CoresView,
    /// Something to tell the user of the whole chain, empty for none.
    pub notice: String,
    /// Changed since the last save or load.
    pub dirty: bool,
    /// The macros that hold something, by number.
    pub macros: Vec<MacroView>,
    /// The macro that is mapped to what the user touches next.
    pub learning: Option<MacroId>,
    /// The macro that is assigned to the controller that comes next.
    pub learning_controller: Option<MacroId>,
    /// What comes into the container.
    pub input: MeterView,
    /// What leaves it.
    pub output: MeterView,
    /// What the whole costs.
    pub cost: CostView,
}

/// What the DAW's own thread is to do for us. See [`SessionHandle::take_outbox`](super::SessionHandle::take_outbox).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outbox {
    /// The latency to report differs from what the DAW was told: ask it for one restart.
    pub latency: bool,
    /// The chain changed: mark the DAW's session dirty.
    pub dirty: bool,
    /// The tail changed.
    pub tail: bool,
    /// Macros stand elsewhere without having been moved: the DAW is to read their values again.
    pub macro_values: bool,
    /// Macros are called otherwise: the DAW is to read their names and texts again.
    pub macro_titles: bool,
    /// There is something in [`SessionHandle::take_macros_said`](super::SessionHandle::take_macros_said).
    pub macros_said: bool,
}
