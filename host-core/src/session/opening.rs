//! Opening a slot's plugin: as many instances as it takes, its state and values restored. All `[home]`.

use std::rc::Rc;
use std::time::Instant;

use super::SlotStatus;
use super::guard::Guard;
use super::live::{Live, at};
use super::owner::Owner;
use crate::backend::{self, HostContext, OpenError, PluginAudio, PluginMain, Requests, StateError};
use crate::engine::instances_needed;
use crate::home::ResidentId;
use crate::journal::Step;
use crate::model::{Adapt, PluginEntry, PluginState, Slot};
use crate::scan;

impl Owner {
    /// A slot's plugin, opened and, where the session is active, started.
    pub(super) fn opened(&mut self, slot: &Slot) -> Live {
        let mut live = self.made(slot);
        self.start(&mut live, slot);
        live
    }

    /// A slot's plugin, opened.
    pub(super) fn made(&mut self, slot: &Slot) -> Live {
        let entered = self.enter(&slot.plugin);
        let live = match (self.guard.refuses(slot), self.catalog.find(&slot.plugin), &entered) {
            (Some(reason), ..) => Live::empty(slot, self.id, SlotStatus::Closed(reason)),
            (None, Some(_), Err(inside)) => Live::empty(slot, self.id, SlotStatus::Faulted(inside.clone())),
            (None, Some(entry), Ok(_)) => {
                Live::open(slot, self.id, entry, &self.host, self.config.channels, &self.guard)
            }
            (None, None, _) => Live::empty(slot, self.id, SlotStatus::Missing),
        };
        drop(entered);
        live
    }

    /// Starts a plugin that was just opened, where the session is active.
    pub(super) fn start(&mut self, live: &mut Live, slot: &Slot) {
        if let Some(setup) = self.setup {
            let heard = !self.engine.is_idle();
            live.start(slot, setup, &self.config, &self.guard, heard);
        }
    }
}

impl Live {
    /// Opens a slot's plugin and restores its state. Where it cannot be opened, the slot stays closed and says why.
    pub(super) fn open(
        slot: &Slot,
        chain: ResidentId,
        entry: &PluginEntry,
        host: &Rc<HostContext>,
        channels: u16,
        guard: &Guard,
    ) -> Self {
        let mut live = Self::empty(slot, chain, SlotStatus::Running);
        live.doing("opening");
        let opening = guard.note(slot, Step::Open);
        if let Err(error) = live.open_all(slot, entry, host, channels) {
            return Self::empty(slot, chain, SlotStatus::Faulted(error.to_string()));
        }
        drop(opening);
        live.min_block = entry.min_block;
        live.origin = scan::origin(entry);
        live.qualified = scan::qualified(entry).is_some_and(|found| found.helps());
        let _restoring = guard.note(slot, Step::Restore);
        live.restore(slot, &mut []);
        live.reread();
        // Many a plugin calls its state changed when it was given one: that is no change of the user's.
        let asked = live.take_requests();
        if let Err(error) = live.fit_instances(slot, entry, host, channels) {
            return Self::empty(slot, chain, SlotStatus::Faulted(error.to_string()));
        }
        live.waiting = Requests { dirty: false, values: false, ports: false, ..asked };
        live
    }

    /// Opens as many instances as the chain's channels need; a plugin that can take those channels itself is asked to.
    fn open_all(
        &mut self,
        slot: &Slot,
        entry: &PluginEntry,
        host: &Rc<HostContext>,
        channels: u16,
    ) -> Result<(), OpenError> {
        let mut first = backend::open(entry, host)?;
        let fits = |main: &dyn PluginMain| {
            let ports = main.ports();
            [ports.main_inputs(), ports.main_outputs()].iter().all(|&own| own == channels || own == 0)
        };
        if slot.adapt == Adapt::Auto && !fits(&*first) {
            // What it answers shows in its ports.
            let _asked = first.fit_channels(channels, channels);
        }
        let count = instances_needed(first.ports(), slot.adapt, channels);
        self.notice = first.notice().unwrap_or_default();
        self.mains.push(first);
        for _ in 1..count {
            self.mains.push(backend::open(entry, host)?);
        }
        Ok(())
    }

    /// The state may have given the plugin other ports, and so another number of instances to be run in.
    fn fit_instances(
        &mut self,
        slot: &Slot,
        entry: &PluginEntry,
        host: &Rc<HostContext>,
        channels: u16,
    ) -> Result<(), OpenError> {
        let Some(first) = self.mains.first() else { return Ok(()) };
        let needed = instances_needed(first.ports(), slot.adapt, channels);
        if needed == self.mains.len() {
            return Ok(());
        }
        self.mains.truncate(needed.max(1));
        while self.mains.len() < needed {
            self.mains.push(backend::open(entry, host)?);
        }
        self.restore(slot, &mut []);
        Ok(())
    }

    /// Gives the plugin the slot's state and values. A state it refuses is kept in the slot.
    fn restore(&mut self, slot: &Slot, audio: &mut [Box<dyn PluginAudio>]) {
        self.touched = slot.state.is_none();
        self.refused = None;
        if let Err(error) = self.give(slot, audio) {
            self.notice = error.to_string();
            self.refused = Some(error.to_string());
        }
    }

    /// Gives the plugin a slot's state and values; the values in any case.
    pub(super) fn give(&mut self, slot: &Slot, audio: &mut [Box<dyn PluginAudio>]) -> Result<(), StateError> {
        let given = slot.state.as_ref().map_or(Ok(()), |state| self.load_all(state, audio));
        self.send_values(slot, audio);
        given
    }

    /// Gives the plugin the slot's state and values once more, its audio halves at home.
    pub(super) fn restore_again(&mut self, slot: &Slot, audio: &mut [Box<dyn PluginAudio>]) {
        self.restoring = false;
        self.preset = Some(Instant::now());
        self.notice.clear();
        // What it asked for before was about what it was; what it says of a state that it is given is no change of the user's.
        self.restore(slot, audio);
        let asked = self.take_requests();
        self.waiting = Requests { dirty: false, values: false, ..asked };
    }

    /// Loads `state` into every instance; `audio` are their audio halves where they are active and at home.
    fn load_all(&mut self, state: &PluginState, audio: &mut [Box<dyn PluginAudio>]) -> Result<(), StateError> {
        self.doing("restoring");
        for (index, main) in self.mains.iter_mut().enumerate() {
            main.load(state, at(audio, index))?;
        }
        Ok(())
    }
}
