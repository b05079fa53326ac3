//! A chain that is edited in memory, and a harness round the editor that shows it.
#![allow(dead_code, reason = "each test and the example use a part of it")]

use std::sync::{Arc, Mutex};

use catena_gui::{Editor, Host};
use egui::{Event, Key, Pos2};
use egui_kittest::Harness;
use host_core::model::places::Container;
use host_core::model::{
    Catalog, Desk, DeskEdit, IfFails, LaneDelay, ParamInfo, PluginEntry, PluginId, PluginLocation, PortLayout, SlotId,
    Split, Steps, Strip,
};
use host_core::session::{
    Answer, Command, CostView, Errand, LaneView, LanesView, LatencyChange, Look, MatchView, MeterView, NodeView,
    ScanView, SlotStatus, SlotView, Snapshot, WindowView,
};

/// What the editor sent, and the chain as it then is.
#[derive(Default)]
pub struct Inner {
    pub sent: Vec<Command>,
    pub foreseen: Vec<Command>,
    pub snapshot: Arc<Snapshot>,
    pub catalog: Arc<Catalog>,
    pub copied: Vec<SlotId>,
    pub pasted: Vec<(String, Container, usize)>,
    /// What was asked for, and the answers to come; none: it is still being done.
    pub errands: Vec<Errand>,
    pub answers: Vec<Result<Answer, String>>,
    pub desk: Desk,
    pub scans: ScanView,
    pub looks: Vec<Look>,
    pub listens: Vec<bool>,
    pub report: Option<Result<std::path::PathBuf, String>>,
}

#[derive(Clone, Default)]
pub struct Fake(pub Arc<Mutex<Inner>>);

impl Fake {
    pub fn new(slots: Vec<SlotView>) -> Self {
        let fake = Self::default();
        let mut inner = fake.0.lock().unwrap();
        inner.snapshot = Arc::new(Snapshot { slots, rate: 48_000.0, ..Snapshot::default() });
        inner.catalog = Arc::new(catalog());
        drop(inner);
        fake.change(|_| {});
        fake
    }

    /// Every errand since the last call.
    pub fn errands(&self) -> Vec<Errand> {
        std::mem::take(&mut self.0.lock().unwrap().errands)
    }

    /// What is answered to the errands that come, one after another.
    pub fn answers(&self, answers: impl IntoIterator<Item = Result<Answer, String>>) {
        self.0.lock().unwrap().answers.extend(answers);
    }

    /// Everything sent since the last call.
    pub fn sent(&self) -> Vec<Command> {
        std::mem::take(&mut self.0.lock().unwrap().sent)
    }

    pub fn change(&self, edit: impl FnOnce(&mut Snapshot)) {
        let mut inner = self.0.lock().unwrap();
        let mut snapshot = Snapshot::clone(&inner.snapshot);
        edit(&mut snapshot);
        snapshot.revision += 1;
        // A chain without lanes is its slots.
        if snapshot.nodes.iter().all(|node| matches!(node, NodeView::Slot(_))) {
            snapshot.nodes = snapshot.slots.iter().map(|slot| NodeView::Slot(slot.id)).collect();
        }
        snapshot.latency = snapshot.slots.iter().map(|slot| slot.latency).sum();
        inner.snapshot = Arc::new(snapshot);
    }

    pub fn titles(&self) -> Vec<String> {
        self.0.lock().unwrap().snapshot.slots.iter().map(|slot| slot.title.clone()).collect()
    }

    fn made(&self, plugin: &PluginId) -> SlotView {
        let inner = self.0.lock().unwrap();
        let id = inner.snapshot.slots.iter().map(|slot| slot.id.0 + 1).max().unwrap_or(1);
        let entry = inner.catalog.find(plugin).expect("the catalog's own plugin");
        SlotView { vendor: entry.vendor.clone(), plugin: plugin.clone(), ..slot(id, &entry.name, 0) }
    }
}

impl Host for Fake {
    fn send(&self, command: Command) {
        let fresh = if let Command::Add { plugin, .. } = &command { Some(self.made(plugin)) } else { None };
        self.0.lock().unwrap().sent.push(command.clone());
        self.change(|snapshot| {
            command.parts().into_iter().cloned().for_each(|command| match command {
                // What lanes become is the session's affair.
                _ if snapshot.nodes.iter().any(|node| matches!(node, NodeView::Lanes(_))) => {}
                Command::Add { index, .. } => snapshot.slots.insert(index, fresh.clone().unwrap()),
                Command::Remove(id) => snapshot.slots.retain(|slot| slot.id != id),
                Command::Move { slot, index } => {
                    let from = snapshot.slots.iter().position(|view| view.id == slot).unwrap();
                    let view = snapshot.slots.remove(from);
                    snapshot.slots.insert(index, view);
                }
                Command::Bypass(id, on) => {
                    edit(snapshot, id, |slot| slot.bypass = on);
                }
                Command::Mix(id, mix) => edit(snapshot, id, |slot| slot.mix = mix),
                Command::InputGain(id, gain) => edit(snapshot, id, |slot| slot.gains.0 = gain),
                Command::OutputGain(id, gain) => edit(snapshot, id, |slot| slot.gains.1 = gain),
                Command::BypassChain(on) => snapshot.bypass = on,
                Command::RenameChain(name) => snapshot.name = name,
                Command::Param(id, key, value) => {
                    for slot in snapshot.slots.iter_mut().filter(|slot| slot.id == id) {
                        let index = slot.params.iter().position(|param| param.key == key).unwrap();
                        slot.values[index] = value;
                    }
                }
                _ => {}
            })
        });
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        self.0.lock().unwrap().snapshot.clone()
    }

    fn catalog(&self) -> Arc<Catalog> {
        self.0.lock().unwrap().catalog.clone()
    }

    fn desk(&self) -> Arc<Desk> {
        Arc::new(self.0.lock().unwrap().desk.clone())
    }

    fn set(&self, edit: DeskEdit) {
        let desk = &mut self.0.lock().unwrap().desk;
        edit.set(&mut desk.settings);
        edit.shelve(&mut desk.shelf);
    }

    fn scans(&self) -> ScanView {
        self.0.lock().unwrap().scans.clone()
    }

    fn look(&self, what: Look) {
        // Asked with every picture.
        if what != Look::Changed {
            self.0.lock().unwrap().looks.push(what);
        }
    }

    fn stop_looking(&self) {
        self.0.lock().unwrap().scans.progress = None;
    }

    fn listen(&self, on: bool) {
        self.0.lock().unwrap().listens.push(on);
    }

    fn report(&self, tell: Box<dyn FnOnce(Result<std::path::PathBuf, String>) + Send>) {
        let answer = self.0.lock().unwrap().report.clone();
        tell(answer.expect("a test that asks for a report"));
    }

    fn copy(&self, nodes: Vec<SlotId>, tell: Box<dyn FnOnce(String) + Send>) {
        let text = format!("text of {nodes:?}");
        self.0.lock().unwrap().copied.extend(nodes);
        tell(text);
    }

    fn paste(&self, text: String, into: Container, index: usize) {
        self.0.lock().unwrap().pasted.push((text, into, index));
    }

    fn run(&self, errand: Errand, tell: Box<dyn FnOnce(Result<Answer, String>) + Send>) {
        let mut inner = self.0.lock().unwrap();
        inner.errands.push(errand);
        if !inner.answers.is_empty() {
            let answer = inner.answers.remove(0);
            drop(inner);
            tell(answer);
        }
    }

    fn foresee(&self, edit: Command, tell: Box<dyn FnOnce(LatencyChange) + Send>) {
        let mut inner = self.0.lock().unwrap();
        let Command::Remove(id) = edit else { panic!("{edit:?}") };
        let before = inner.snapshot.latency;
        let own = inner.snapshot.slots.iter().find(|slot| slot.id == id).unwrap().latency;
        inner.foreseen.push(edit);
        drop(inner);
        tell(LatencyChange { before, after: before - own });
    }
}

fn edit(snapshot: &mut Snapshot, id: SlotId, change: impl FnMut(&mut SlotView)) {
    snapshot.slots.iter_mut().filter(|slot| slot.id == id).for_each(change);
}

pub fn slot(id: u64, title: &str, latency: u32) -> SlotView {
    SlotView {
        id: SlotId(id),
        title: title.into(),
        plugin: PluginId::clap(format!("test.{title}")),
        vendor: "Maker".into(),
        bypass: false,
        mix: 1.0,
        sidechain: None,
        midi: None,
        aux: vec![],
        gains: (0.0, 0.0),
        strip: Strip::default(),
        aside: false,
        resting: false,
        if_fails: IfFails::Dry,
        oversample: 1,
        latency,
        status: SlotStatus::Running,
        notice: String::new(),
        offers: vec![],
        install: String::new(),
        doubts: vec![],
        input: MeterView::default(),
        output: MeterView { peak: 0.3, hold: 0.5, ..MeterView::default() },
        cost: CostView::default(),
        matched: MatchView::default(),
        params: Arc::new([]),
        values: vec![],
        pages: Arc::new([]),
        window: WindowView::default(),
    }
}

pub fn lane(id: u64, title: &str, slots: &[u64]) -> LaneView {
    let output = MeterView { peak: 0.3, hold: 0.5, ..MeterView::default() };
    LaneView {
        id: SlotId(id),
        title: title.into(),
        colour: None,
        gain: 0.0,
        pan: 0.0,
        mute: false,
        solo: false,
        delay: LaneDelay::default(),
        aux: None,
        dry: false,
        heard: !slots.is_empty(),
        input: output,
        output,
        nodes: slots.iter().map(|id| NodeView::Slot(SlotId(*id))).collect(),
    }
}

pub fn group(id: u64, split: Split, lanes: Vec<LaneView>) -> LanesView {
    LanesView { id: SlotId(id), name: String::new(), split, lanes }
}

pub fn param(key: &str, name: &str, steps: Steps) -> ParamInfo {
    ParamInfo {
        key: key.into(),
        name: name.into(),
        group: String::new(),
        min: 0.0,
        max: 10.0,
        default: 0.0,
        unit: "dB".into(),
        steps,
        automatable: true,
        read_only: false,
        hidden: false,
        is_bypass: false,
        logarithmic: false,
    }
}

fn catalog() -> Catalog {
    let entry = |name: &str, vendor: &str, kind: &str| PluginEntry {
        id: PluginId::clap(format!("test.{name}")),
        name: name.into(),
        vendor: vendor.into(),
        version: "1".into(),
        location: PluginLocation::Clap("test.clap".into()),
        categories: vec!["audio-effect".into(), kind.into()],
        ports: PortLayout::default(),
        params: vec![],
        presets: vec![],
        min_block: 1,
    };
    let mut plugins = vec![
        entry("Tape Delay", "Oak", "delay"),
        entry("Gate", "Oak", "dynamics"),
        entry("Hall", "Pine", "reverb"),
        entry("Equalizer", "Pine", "eq"),
    ];
    plugins.extend((0..300).map(|number| entry(&format!("Filler {number}"), "Many", "utility")));
    Catalog { plugins, bad: vec![] }
}

pub fn harness(fake: &Fake) -> Harness<'static> {
    watched(fake).0
}

/// The same, and the keys pressed so far that the editor left to the DAW.
pub fn watched(fake: &Fake) -> (Harness<'static>, Arc<Mutex<Vec<Key>>>) {
    paced(fake, 0.25)
}

/// The same, with so many seconds between two pictures: a double click is quicker than usual ones.
pub fn paced(fake: &Fake, seconds: f32) -> (Harness<'static>, Arc<Mutex<Vec<Key>>>) {
    let (mut editor, left) = (Editor::with_host(Box::new(fake.clone())), Arc::new(Mutex::new(Vec::new())));
    let keys = Arc::clone(&left);
    let draw = move |ui: &mut egui::Ui| {
        editor.ui(ui);
        let pressed = |event: &Event| match event {
            Event::Key { key, pressed: true, .. } => Some(*key),
            _ => None,
        };
        keys.lock().unwrap().extend(ui.input(|input| input.events.iter().filter_map(pressed).collect::<Vec<_>>()));
    };
    (Harness::builder().with_size([900.0, 600.0]).with_step_dt(seconds).build_ui(draw), left)
}

/// Takes what lies at one place to another by the mouse.
pub fn drag(harness: &mut Harness, from: Pos2, to: Pos2) {
    harness.drag_at(from);
    harness.run_steps(1);
    harness.hover_at(to);
    harness.run_steps(2);
    harness.drop_at(to);
    harness.run();
}

/// Three slots.
pub fn three() -> Fake {
    Fake::new(vec![slot(1, "Gate", 0), slot(2, "Equalizer", 64), slot(3, "Hall", 512)])
}
