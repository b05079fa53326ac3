//! The session itself, on home: takes commands, looks after its plugins at each tick, publishes what changed.

mod publish;
mod resident;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::conductor::Conductor;
use super::cores::Cores;
use super::desk;
use super::follow::{Playing, Stage};
use super::guard::Guard;
use super::history::History;
use super::lanes::LaneBook;
use super::latency::Hold;
use super::levels::Levels;
use super::live::Live;
use super::macros::Hand;
use super::rescue::Rescue;
use super::scenes::Stagehand;
use super::shared::Shared;
use super::windows::Windows;
use super::{GuardView, HostSetup, SessionConfig, SlotReport, SlotStatus};
use crate::backend::HostContext;
use crate::backend::audio::ParamEvent;
use crate::engine::{Controller, SlotNode};
use crate::home::ResidentId;
use crate::model::{Bytes, Catalog, Chain, Desk, Folders, PluginId, Slot, SlotId};

/// Told when a load or an edit is done.
pub(super) type Waiter = SyncSender<Vec<SlotReport>>;

/// A chain and everything that runs for it. Lives on home.
pub(super) struct Owner {
    pub(super) id: ResidentId,
    pub(super) config: SessionConfig,
    pub(super) host: Rc<HostContext>,
    pub(super) guard: Guard,
    pub(super) catalog: Arc<Catalog>,
    pub(super) chain: Chain,
    pub(super) lives: BTreeMap<SlotId, Live>,
    /// Slots of the model whose plugin is still to be opened, in chain order.
    pub(super) to_open: VecDeque<SlotId>,
    pub(super) engine: Conductor,
    pub(super) playing: Playing,
    /// The engine's halves of the chain's lanes.
    pub(super) lanes: LaneBook,
    pub(super) setup: Option<HostSetup>,
    pub(super) shared: Arc<Shared>,
    /// Latency as it was at the last activation, which is where a DAW reads it.
    told: Option<u32>,
    /// Bytes that the DAW gave and that we could not read, or that are being loaded: the next save writes them.
    pub(super) kept: Option<Bytes>,
    /// The bytes kept are no chain of ours: they stay until the user makes an edit.
    pub(super) unreadable: bool,
    pub(super) waiters: Vec<Waiter>,
    /// Parameter changes that found no room in the ring: of a slot's plugin, or of the one whose node is named.
    pub(super) unsent: VecDeque<(SlotId, Option<Arc<SlotNode>>, ParamEvent)>,
    /// Something to be shown changed.
    pub(super) news: bool,
    /// Nothing but what blocks cost did.
    pub(super) costs: bool,
    /// The machine's settings as an editor was last told of them, and when it was looked.
    desk: Option<(Instant, Arc<Desk>)>,
    pub(super) notice: String,
    /// Why no plugins could be looked for, empty for no reason.
    pub(super) scan_notice: String,
    /// What there is to say of the chain's latency; empty for nothing.
    pub(super) latency_notice: String,
    pub(super) dirty: bool,
    /// The model changed in passing: the mirror is to be brought up to date when it is next shown.
    pub(super) mirror_stale: bool,
    pub(super) macros: Hand,
    pub(super) levels: Levels,
    /// The level guard as it was last seen.
    pub(super) guarded: GuardView,
    pub(super) hold: Hold,
    /// The ids of the plugin that this chain is, where it is one of its own.
    pub(super) own: Vec<PluginId>,
    /// What the user has plugins begin with, as last read for an edit, or why that cannot be read.
    pub(super) defaults: BTreeMap<PluginId, Result<Slot, String>>,
    /// Why a plugin was not begun so.
    pub(super) default_fault: Option<String>,
    pub(super) history: History,
    /// What the plugin that took another's place could not take over, to be said when the edit is made; `None` for nothing.
    pub(super) left_out: Option<String>,
    /// Slots of the chain that was loaded last, until they are open and started: what is other than it was saved is asked of them.
    pub(super) unseen: BTreeSet<SlotId>,
    pub(super) rescue: Rescue,
    pub(super) scenes: Stagehand,
    pub(super) windows: Windows,
    pub(super) cores: Cores,
}

impl Owner {
    pub(super) fn new(id: ResidentId, config: SessionConfig, engine: Controller, shared: Arc<Shared>) -> Self {
        let host = HostContext {
            name: "Catena".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            assets: Folders::from_env().assets(),
        };
        Self {
            id,
            guard: Guard::new(&config),
            rescue: Rescue::new(id, &config),
            config,
            macros: Hand::new(engine.macros()),
            host: Rc::new(host),
            catalog: Arc::default(),
            chain: Chain::default(),
            lives: BTreeMap::new(),
            to_open: VecDeque::new(),
            engine: Conductor::new(engine),
            playing: Playing::default(),
            lanes: LaneBook::default(),
            setup: None,
            shared,
            told: None,
            kept: None,
            unreadable: false,
            waiters: Vec::new(),
            unsent: VecDeque::new(),
            news: true,
            costs: false,
            desk: None,
            notice: String::new(),
            scan_notice: String::new(),
            latency_notice: String::new(),
            dirty: false,
            mirror_stale: false,
            levels: Levels::default(),
            guarded: GuardView::default(),
            hold: Hold::default(),
            own: Vec::new(),
            defaults: BTreeMap::new(),
            default_fault: None,
            history: History::default(),
            left_out: None,
            unseen: BTreeSet::new(),
            scenes: Stagehand::default(),
            windows: Windows::default(),
            cores: Cores::default(),
        }
    }

    /// Starts every plugin, or leaves all as they are where nothing changed. The host does not process.
    pub(super) fn activate(&mut self, setup: HostSetup) {
        self.engine.set_deactivated(true);
        self.hurry_ready();
        self.sync_guard();
        if self.setup == Some(setup) && self.told != Some(self.shared.latency()) {
            // The restart that our own latency change asked for: nothing that sounds is to be forgotten.
            self.engine.expect_own_restart();
        }
        if self.setup != Some(setup) {
            self.stop_all();
            self.setup = Some(setup);
            // Before the first block: what came with another setup may be of another class.
            self.forget_cores();
            for slot in self.chain.slots() {
                if let Some(live) = self.lives.get_mut(&slot.id) {
                    live.start(slot, setup, &self.config, &self.guard, false);
                }
            }
            self.look_at_unseen();
        }
        self.look_at_hold();
        self.do_in_place();
        while !self.to_open.is_empty() {
            self.open_next();
        }
        self.install();
        self.bury();
        self.told = Some(self.shared.latency());
        self.engine.set_deactivated(false);
        self.publish();
    }

    /// Takes every audio half home and deactivates. The host does not process.
    pub(super) fn stop_all(&mut self) {
        self.cancel_ready();
        self.engine.set_deactivated(true);
        if self.engine.install(None) {
            // What was on its way to the plugins reaches them before they stop.
            self.lives.values_mut().for_each(Live::carry_out_params);
            self.playing.nodes.clear();
            self.playing.tree.clear();
            self.playing.latencies.clear();
            self.playing.sides.clear();
            self.playing.late_sides.clear();
        }
        self.playing.stage = Stage::Idle;
        self.forget_lanes();
        self.lives.values_mut().for_each(Live::stop);
        std::mem::take(&mut self.playing.leaving).iter_mut().for_each(Live::stop);
        self.setup = None;
    }

    /// Sends what could not be sent before. True when nothing is left.
    pub(super) fn send_params(&mut self) -> bool {
        while let Some((id, to, event)) = self.unsent.pop_front() {
            let own = || self.lives.get(&id).map_or_else(|| self.half(id), |live| live.node.as_ref());
            // A slot that went away and is heard no more takes its changes with it.
            if let Some(node) = to.clone().or_else(|| own().cloned())
                && !self.engine.param(&node, event)
            {
                self.unsent.push_front((id, to, event));
                return false;
            }
        }
        true
    }

    /// Where no blocks come: everything that waits for the audio thread is done here.
    pub(super) fn serve_idle(&mut self) {
        loop {
            let all_sent = self.send_params();
            let lives = &mut self.lives;
            self.engine.serve_idle(|| lives.values_mut().for_each(Live::carry_out_params));
            if all_sent || !self.engine.is_idle() {
                return;
            }
        }
    }

    /// Puts a slot in the queue of those to be opened.
    pub(super) fn queue_open(&mut self, id: SlotId) {
        if let Some(slot) = self.chain.slot(id) {
            let empty = Live::empty(slot, self.id, SlotStatus::Loading);
            self.seat(id, empty);
            // Once: what is opened twice would be there twice.
            self.to_open.retain(|waiting| *waiting != id);
            self.to_open.push_back(id);
        }
    }

    /// Puts a plugin in its slot's place. One that is there already goes as any that leaves.
    pub(super) fn seat(&mut self, id: SlotId, live: Live) {
        let before = self.lives.insert(id, live);
        self.playing.leaving.extend(before.filter(|live| !live.mains.is_empty()));
    }

    /// Opens the next slot in the queue.
    fn open_next(&mut self) {
        let Some(id) = self.to_open.pop_front() else { return };
        let Some(slot) = self.chain.slot(id) else { return };
        let slot = slot.clone();
        let mut live = self.opened(&slot);
        live.unseen = self.unseen.contains(&id);
        // Values were set while it was not there yet.
        live.touched |= self.lives.get(&id).is_some_and(|live| live.touched);
        self.seat(id, live);
        self.look_at_unseen();
        self.news = true;
    }

    /// Everything that is to be done at a tick.
    pub(super) fn pump(&mut self, now: Instant) {
        if self.news && !self.to_open.is_empty() {
            // What is opened next may take its time, or never come back.
            self.publish();
        }
        self.open_next();
        self.take_reports();
        self.follow_rendering();
        self.follow_macros();
        self.follow_knobs(now);
        self.reread_moved(now);
        self.send_params();
        self.serve_idle();
        self.get_ready();
        self.look_at_checks(now);
        self.look_at_cores(now);
        self.advance(now);
        self.look_at_step(now);
        self.look_at_rescue(now);
        self.look_at_desk(now);
        if self.news || self.costs {
            self.show(self.news);
        }
        if self.is_settled() {
            // A load that nobody waits for any more ends here.
            if !self.unreadable {
                self.forget_kept();
            }
            self.answer_waiters();
        }
    }

    /// An editor is told of settings that another one changed, or another process.
    fn look_at_desk(&mut self, now: Instant) {
        let looked = self.desk.as_ref().is_some_and(|(looked, _)| now.duration_since(*looked) < desk::PAUSE);
        if looked || !self.shared.has_listener() {
            return;
        }
        let desk = desk::desk();
        let (_, before) = self.desk.replace((now, desk.clone())).unwrap_or_else(|| (now, desk.clone()));
        self.news |= !Arc::ptr_eq(&desk, &before);
    }

    /// LV2 and JACK switch to offline and back between two blocks, without a new activation.
    fn follow_rendering(&mut self) {
        let Some(setup) = self.setup else { return };
        let offline = setup.offline || self.engine.offline();
        self.lives.values_mut().for_each(|live| live.follow_rendering(offline));
    }

    fn take_reports(&mut self) {
        let reports = self.engine.poll();
        for fault in reports.faults {
            if self.speaks_of_another(fault.slot) {
                continue;
            }
            if let Some(live) = self.lives.get_mut(&fault.slot) {
                let text = fault.kind.to_string();
                // Not the fault of the plugin that was here before the slot was opened anew.
                let stopped = live.node.as_ref().is_some_and(|node| node.controls().faulted());
                match fault.stopped && stopped {
                    true => live.status = SlotStatus::Faulted(format!("stopped: {text}")),
                    false => live.notice = text,
                }
                self.news = true;
            }
        }
        for (id, latency) in reports.latencies {
            self.note_latency(id, latency);
        }
        for told in reports.params {
            if !self.speaks_of_another(told.slot) {
                self.param_told(told);
            }
        }
    }

    /// A running plugin told its latency, frames, re-blocking included.
    fn note_latency(&mut self, id: SlotId, latency: u32) {
        if self.speaks_of_another(id) {
            return;
        }
        let Some(live) = self.lives.get_mut(&id) else { return };
        let Some(node) = &live.node else { return };
        live.latency = latency.saturating_sub(node.reblock_latency());
        live.tell_times();
        self.news = true;
    }

    fn answer_waiters(&mut self) {
        if self.waiters.is_empty() {
            return;
        }
        let reports = self.reports();
        for waiter in self.waiters.drain(..) {
            // Whoever asked may have given up.
            let _gone = waiter.try_send(reports.clone());
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.stop_all();
    }
}
