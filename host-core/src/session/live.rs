//! One slot's plugin while it lives: its home halves, its node in the engine, and how it fares. All `[home]`.

mod controls;
mod jobs;

use std::sync::Arc;
use std::time::Instant;

use super::doubts::Doubt;
use super::guard::{Guard, Restarts};
use super::levels::SlotMeters;
use super::windows::SlotWindow;
use super::{HostSetup, MatchView, SessionConfig, SlotStatus};
use crate::backend::{Activation, AudioAt, PluginAudio, PluginMain, Requests, Tail};
use crate::engine::{FirstRun, SlotNode, SlotSetup, instances_needed};
use crate::home::{self, ResidentId};
use crate::journal::Step;
use crate::model::{ControlPage, Identity, Known, MAX_SLEEP, ParamInfo, Preset, PresetFrom, Sleep, Slot, SlotId};
use crate::pool::Share;
use crate::scan::Origin;

/// A slot's plugin. Several home halves where one instance per channel is needed; the first speaks for all.
pub(super) struct Live {
    pub(super) mains: Vec<Box<dyn PluginMain>>,
    /// The plugin's own window, while it is open. Dropped after the plugin, whose window lies in it.
    pub(super) window: Option<SlotWindow>,
    /// Why an editor that has room for it has none of it.
    pub(super) no_window: Option<String>,
    pub(super) node: Option<Arc<SlotNode>>,
    /// Which slot of which chain, and what the user calls it: for the message when a call does not come back.
    seat: (ResidentId, SlotId),
    title: Arc<str>,
    pub(super) status: SlotStatus,
    pub(super) notice: String,
    /// Frames at its own rate.
    pub(super) latency: u32,
    /// How many times the chain's rate it runs at.
    factor: u32,
    pub(super) params: Arc<[ParamInfo]>,
    pub(super) pages: Arc<[ControlPage]>,
    /// What the user is to be asked of it.
    pub(super) doubt: Option<Doubt>,
    /// It is of a chain that was loaded, and nobody looked yet whether it is what was saved.
    pub(super) unseen: bool,
    /// Why it refused the state that it was given last.
    pub(super) refused: Option<String>,
    /// What there is to tell of it that needs no answer.
    pub(super) history: String,
    /// Where its file comes from, where that was looked up.
    pub(super) origin: Option<Origin>,
    /// What is remembered of the parameters in the chain.
    pub(super) known: Arc<[Known]>,
    pub(super) values: Vec<f64>,
    /// The values shown may be old.
    pub(super) values_stale: bool,
    /// The plugin may differ from the slot's stored state: ask it at the next save.
    pub(super) touched: bool,
    /// It is about to be given the slot's state: until then its own is of no interest.
    pub(super) restoring: bool,
    /// It asked for a restart, which comes with what is to be done to it anyway.
    pub(super) restart_due: bool,
    pub(super) meters: SlotMeters,
    /// What became of the last match.
    pub(super) matched: MatchView,
    pub(super) min_block: u32,
    /// How long the plugin says that it sounds on.
    tail: Tail,
    /// When it may sleep, by the user's will.
    sleep: Sleep,
    /// What the plugin was last told of rendering.
    offline: bool,
    pub(super) restarts: Restarts,
    /// Asked for earlier, to be acted on later.
    pub(super) waiting: Requests,
    /// When the user last loaded a preset of it, or took one back.
    pub(super) preset: Option<Instant>,
    /// Its plugin was measured to be safe and faster with helpers.
    pub(super) qualified: bool,
    /// The pool, as its plugin has it.
    helpers: Option<Arc<Share>>,
}

impl Live {
    /// A slot without a plugin.
    pub(super) fn empty(slot: &Slot, chain: ResidentId, status: SlotStatus) -> Self {
        Self {
            mains: Vec::new(),
            window: None,
            no_window: None,
            node: None,
            seat: (chain, slot.id),
            title: slot.title().into(),
            status,
            notice: String::new(),
            latency: slot.identity.latency,
            factor: 1,
            params: Arc::default(),
            pages: Arc::default(),
            doubt: None,
            unseen: false,
            refused: None,
            history: String::new(),
            origin: None,
            known: Arc::default(),
            values: Vec::new(),
            values_stale: false,
            touched: false,
            restoring: false,
            restart_due: false,
            meters: SlotMeters::default(),
            matched: MatchView::default(),
            min_block: 1,
            tail: Tail::Unknown,
            sleep: Sleep::Never,
            offline: false,
            restarts: Restarts::default(),
            waiting: Requests::default(),
            preset: None,
            qualified: false,
            helpers: None,
        }
    }

    /// Whose plugin it is.
    pub(super) fn id(&self) -> SlotId {
        self.seat.1
    }

    /// How many times the chain's rate the plugin runs at.
    pub(super) fn factor(&self) -> u32 {
        self.factor
    }

    /// Whether it is that slot's plugin.
    pub(super) fn is_of(&self, slot: &Slot) -> bool {
        self.seat.1 == slot.id && self.mains.first().is_none_or(|main| *main.id() == slot.plugin)
    }

    /// Whether it is the same plugin as another.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let id = |live: &Self| live.mains.first().map(|main| main.id().clone());
        id(self) == id(other)
    }

    /// Notes what home does to this plugin next.
    pub(super) fn doing(&self, what: &'static str) {
        home::doing_to(what, &self.title, self.seat);
    }

    /// The user calls the slot otherwise.
    pub(super) fn rename(&mut self, slot: &Slot) {
        self.title = slot.title().into();
    }

    /// Activates the plugin and makes its node.
    pub(super) fn start(&mut self, slot: &Slot, setup: HostSetup, chain: &SessionConfig, guard: &Guard, fade_in: bool) {
        // An LV2 plugin is made here, and a CLAP plugin does much of its work.
        let opening = guard.note(slot, Step::Open);
        let instances = self.activate_all(setup, slot.factor());
        drop(opening);
        if instances.is_empty() {
            self.latency = slot.identity.latency;
        }
        self.make_node(instances, slot, setup, chain, (fade_in, guard.first_run(slot)));
    }

    fn make_node(
        &mut self,
        instances: Vec<Box<dyn PluginAudio>>,
        slot: &Slot,
        setup: HostSetup,
        chain: &SessionConfig,
        (fade_in, first_run): (bool, Option<Box<dyn FirstRun>>),
    ) {
        let ports = self.mains.first().map_or(&slot.identity.ports, |main| main.ports()).clone();
        let node = SlotNode::new(SlotSetup {
            adapt: slot.adapt,
            latency: self.latency,
            oversample: self.factor,
            min_block: self.smallest_block(),
            fixed_block: self.mains.first().and_then(|main| main.fixed_block()),
            channels: chain.channels,
            sidechain: chain.sidechain,
            aux: chain.aux,
            max_block: setup.max_block,
            rate: setup.rate,
            fade_in,
            first_run,
            ..SlotSetup::new(slot.id, instances, ports)
        });
        self.node = Some(node);
        self.tell_times();
        self.apply_controls(slot);
    }

    /// The slot's latency as it is kept and shown, frames of the chain's rate, without that of re-blocking where nothing else is added.
    pub(super) fn latency_of(&self, slot: &Slot) -> u32 {
        match &self.node {
            Some(node) if node.oversample() > 1 => node.latency(),
            None if slot.factor() > 1 => slot.identity.latency,
            _ => self.latency,
        }
    }

    /// Latency that the slot will have when its plugin is started anew, frames, where that tells `told` frames of its own or,
    /// without it, as many for its rate as now. `None` where there is none.
    pub(super) fn latency_anew(&self, slot: &Slot, told: Option<u32>) -> Option<u32> {
        let (node, factor) = (self.node.as_ref().filter(|_| !self.mains.is_empty())?, slot.factor());
        let scaled = u64::from(told.unwrap_or(self.latency)) * u64::from(factor) / u64::from(self.factor.max(1));
        Some(node.latency_at(factor, scaled.min(u32::MAX.into()) as u32))
    }

    /// Whether the plugin says another latency than the one it is played with.
    pub(super) fn tells_other_latency(&mut self) -> bool {
        let now = self.latency;
        self.node.is_some() && self.mains.first_mut().is_some_and(|main| main.latency() != now)
    }

    /// The plugin's latency or tail may be another.
    pub(super) fn reread_times(&mut self) {
        if let (Some(main), Some(_)) = (self.mains.first_mut(), &self.node) {
            self.latency = main.latency();
            self.tell_times();
        }
    }

    /// Brings latency and tail to the engine. A tail that the plugin does not tell is taken as none.
    pub(super) fn tell_times(&mut self) {
        self.tail = self.mains.first_mut().map_or(Tail::Unknown, |main| main.tail());
        let Some(node) = &self.node else { return };
        node.set_latency(self.latency);
        node.set_tail(match self.tail {
            Tail::Frames(frames) => frames,
            Tail::Infinite => u32::MAX,
            Tail::Unknown => 0,
        });
        self.tell_sleep();
    }

    /// Tells the engine after how much silence the plugin may sleep.
    fn tell_sleep(&self) {
        let Some(node) = &self.node else { return };
        let latency = node.latency();
        node.controls().set_sleep(match (self.sleep, self.tail) {
            (Sleep::Never, _) | (_, Tail::Infinite) => None,
            // The node has it at the chain's rate.
            (_, Tail::Frames(_)) => Some(latency.saturating_add(node.tail())),
            (Sleep::After(seconds), Tail::Unknown) => {
                Some(latency.saturating_add((seconds.clamp(0.0, MAX_SLEEP) * node.rate()) as u32))
            }
            // It may still say by itself that it has nothing to do.
            (Sleep::Tail, Tail::Unknown) => Some(u32::MAX - 1),
        });
    }

    /// Activates every instance. Values that the plugin changes in its own activation are set back. Empty where it refused.
    fn activate_all(&mut self, setup: HostSetup, factor: u32) -> Vec<Box<dyn PluginAudio>> {
        self.factor = factor;
        let before = self.all_values();
        let smallest = self.smallest_block();
        let how = Activation {
            rate: setup.rate * f64::from(self.factor),
            min_block: smallest,
            max_block: (setup.max_block * self.factor).max(smallest),
            offline: setup.offline,
        };
        let mut halves = Vec::with_capacity(self.mains.len());
        self.doing("starting");
        self.offline = setup.offline;
        for main in &mut self.mains {
            main.set_offline(setup.offline);
            match main.activate(how) {
                Ok(half) => halves.push(half),
                Err(error) => {
                    self.status = SlotStatus::Faulted(error.to_string());
                    break;
                }
            }
        }
        if !halves.is_empty() && halves.len() == self.mains.len() {
            // It may have refused to start before, at another rate.
            self.status = SlotStatus::Running;
        }
        if halves.len() < self.mains.len() {
            // All or none: a plugin of which one channel runs helps nobody.
            self.mains.iter_mut().zip(halves.drain(..)).for_each(|(main, half)| main.deactivate(half));
        }
        self.set_back(&before, &mut halves);
        if let (Some(main), false) = (self.mains.first_mut(), halves.is_empty()) {
            self.latency = main.latency();
        }
        halves
    }

    /// The host renders offline now, or in real time again: a running plugin hears of it as it runs.
    pub(super) fn follow_rendering(&mut self, offline: bool) {
        if self.node.is_some() && self.offline != offline {
            self.offline = offline;
            self.doing("telling of the render mode");
            self.mains.iter_mut().for_each(|main| main.note_offline_blocks(offline));
        }
    }

    fn deactivate_all(&mut self, halves: Vec<Box<dyn PluginAudio>>) {
        self.doing("stopping");
        for (main, half) in self.mains.iter_mut().zip(halves) {
            main.deactivate(half);
        }
    }

    fn smallest_block(&self) -> u32 {
        self.mains.first().map_or(1, |main| main.min_block().max(self.min_block))
    }

    /// Whether its ports now ask for another number of instances than there are.
    pub(super) fn wants_other_instances(&self, slot: Option<&Slot>, channels: u16) -> bool {
        let (Some(main), Some(slot)) = (self.mains.first(), slot) else { return false };
        instances_needed(main.ports(), slot.adapt, channels) != self.mains.len()
    }

    /// Takes the audio halves out of the node and deactivates the plugin. The node must not be in any plan on the audio thread.
    pub(super) fn stop(&mut self) {
        let halves = self.node.take().and_then(|node| node.take()).unwrap_or_default();
        self.deactivate_all(halves);
    }

    /// Gives its plugin the pool, or takes it away. Where the plugin has tasks there this moment, the next tick tries again.
    pub(super) fn set_helpers(&mut self, share: Option<&Arc<Share>>) {
        let same = match (&self.helpers, share) {
            (Some(has), Some(share)) => Arc::ptr_eq(has, share),
            (has, share) => has.is_none() && share.is_none(),
        };
        if !same && self.mains.iter_mut().all(|main| main.set_helpers(share.cloned())) {
            self.helpers = share.cloned();
        }
    }

    /// Whether its plugin has a sidechain.
    pub(super) fn hears_side(&self) -> bool {
        self.mains.first().is_some_and(|main| main.ports().has_sidechain())
    }

    /// Whether its plugin takes MIDI or notes.
    pub(super) fn hears_midi(&self) -> bool {
        self.mains.first().is_some_and(|main| main.ports().midi_in)
    }

    /// The outputs that its plugin has beside the main one.
    pub(super) fn further_outputs(&self) -> std::ops::Range<usize> {
        0..self.mains.first().map_or(0, |main| main.ports().further_outputs())
    }

    /// Whether it is another than the one that was saved, or nobody knows yet.
    pub(super) fn asks(&self) -> bool {
        self.unseen || self.doubt.is_some()
    }

    /// Writes fresh state and values into the slot, where the plugin may differ from what is stored.
    pub(super) fn save_into(&mut self, slot: &mut Slot) {
        self.doing("saving");
        let latency = self.latency_of(slot);
        let asks = (self.unseen && slot.identity.is_noted()) || self.doubt.is_some();
        let keeps = self.asks() && self.refused.is_some();
        let Some(main) = self.mains.first_mut() else { return };
        // Until it was looked at, and until the question is answered, what was saved of it is what it is to be compared with.
        if !asks {
            let Identity { extra, rate, hash, package, .. } = std::mem::take(&mut slot.identity);
            let Origin { hash, package } = self.origin.clone().unwrap_or(Origin { hash, package });
            let rate = if latency == 0 { 0.0 } else { self.node.as_ref().map_or(rate, |node| node.rate()) };
            let parameters = self.known.clone();
            slot.identity = Identity { latency, rate, parameters, hash, package, extra, ..main.identity() };
        }
        if !self.touched || self.restoring {
            return;
        }
        if keeps {
            // What it refused stays until the question is answered; the values go over it.
            slot.params = self.own_values();
            return;
        }
        let at = if self.node.is_some() { AudioAt::Away } else { AudioAt::Inactive };
        match main.save(at) {
            Ok(state) => {
                // The same bytes stay where they are: others share them.
                if slot.state.as_ref() != Some(&state) {
                    slot.state = Some(state);
                }
                self.touched = false;
            }
            Err(error) => self.notice = error.to_string(),
        }
        slot.params = self.own_values();
    }

    /// The preset with this URI or name, among the plugin's and what is `kept` of it.
    pub(super) fn find_preset(&mut self, name: &str, kept: impl FnOnce() -> Vec<Preset>) -> Option<Preset> {
        let mut presets = self.mains.first_mut()?.presets();
        presets.extend(kept());
        let at = presets.iter().position(|preset| preset.uri == name);
        // Of one name the user's own is meant.
        let named = |own: bool| {
            presets.iter().position(|preset| preset.name == name && (preset.from != PresetFrom::Factory) == own)
        };
        let at = at.or_else(|| named(true)).or_else(|| named(false))?;
        Some(presets.swap_remove(at))
    }

    /// What all instances asked for since the last look.
    pub(super) fn take_requests(&mut self) -> Requests {
        let waiting = std::mem::take(&mut self.waiting);
        self.mains.iter_mut().map(|main| main.take_requests()).fold(waiting, |a, b| Requests {
            restart: a.restart | b.restart,
            latency: a.latency | b.latency,
            tail: a.tail | b.tail,
            dirty: a.dirty | b.dirty,
            params: a.params | b.params,
            values: a.values | b.values,
            ports: a.ports | b.ports,
            flush: a.flush | b.flush,
            pages: a.pages | b.pages,
        })
    }
}

pub(super) fn at<'a>(audio: &'a mut [Box<dyn PluginAudio>], index: usize) -> AudioAt<'a> {
    match audio.get_mut(index) {
        Some(half) => AudioAt::Home(half.as_mut()),
        None => AudioAt::Inactive,
    }
}
