//! Edits: sent or made, their plugins probed beforehand.

use super::{SessionHandle, catalog};
use crate::home::{self, LOAD_PATIENCE, PATIENCE};
use crate::model::{PluginId, SlotId, lanes};
use crate::session::{Command, EditError, SlotStatus};

impl SessionHandle {
    /// Sends an edit; never waits. What becomes of it is seen in the snapshot, a refusal in its notice. `[any but audio]`
    pub fn send(&self, command: Command) {
        if opened_by(&command).is_empty() {
            return self.post(command);
        }
        let this = self.clone();
        // A thread of its own: the first use of a plugin is probed in a child, which takes its time.
        let job = move || {
            this.prepare(&command);
            this.post(command);
        };
        if let Err(error) = std::thread::Builder::new().name("catena-job".into()).spawn(job) {
            let notice = format!("no thread could be started to open the plugin: {error}");
            let _gone = self.ask(PATIENCE, move |owner| owner.set_notice(notice));
        }
    }

    fn post(&self, command: Command) {
        self.later(move |owner| {
            if let Err(error) = owner.command(command) {
                owner.set_notice(error.to_string());
            }
        });
    }

    fn apply_without_waiting(&self, command: Command) -> Result<Option<SlotId>, EditError> {
        self.prepare(&command);
        // A plugin that takes another's place is opened first.
        let replaces = |one: &&Command| matches!(one, Command::Replace { .. });
        let patience = if command.parts().iter().any(replaces) { LOAD_PATIENCE } else { PATIENCE };
        self.ask(patience, move |owner| owner.command(command)).map_err(|error| EditError::Busy(error.to_string()))?
    }

    /// Makes an edit and waits until it is done. The id is the slot's that it made or changed. A plugin that cannot be added is
    /// not left in the chain; a preset that the plugin refuses is an error. `[any but audio]`
    pub fn apply(&self, command: Command) -> Result<Option<SlotId>, EditError> {
        let adds = matches!(command, Command::Add { .. } | Command::AddInto { .. } | Command::Duplicate(_));
        let loads = if let Command::Preset(id, _) = &command { Some(*id) } else { None };
        let id = self.apply_without_waiting(command)?;
        self.settle();
        if let Some(id) = loads
            && let Ok(Some(why)) = self.ask(PATIENCE, move |owner| owner.lives.get(&id).map(|live| live.notice.clone()))
            && !why.is_empty()
        {
            return Err(EditError::Plugin(why));
        }
        let (true, Some(id)) = (adds, id) else { return Ok(id) };
        let fault = self.snapshot().slots.iter().find(|slot| slot.id == id).and_then(|slot| match &slot.status {
            SlotStatus::Faulted(reason) | SlotStatus::Closed(reason) => Some(reason.clone()),
            _ => None,
        });
        let Some(reason) = fault else { return Ok(Some(id)) };
        let gone =
            self.ask(PATIENCE, move |owner| owner.take_back(id)).map_err(|error| EditError::Busy(error.to_string()))?;
        if !gone {
            self.apply_without_waiting(Command::Remove(id))?;
        }
        self.settle();
        Err(EditError::Plugin(reason))
    }

    /// Probes what an edit is about to open, off home.
    pub(super) fn prepare(&self, command: &Command) {
        let wanted = opened_by(command);
        if !wanted.is_empty() {
            self.learn(wanted.into_iter());
        }
        command.parts().into_iter().filter_map(brings).for_each(|plugin| self.learn_default(plugin));
    }

    /// Brings the catalog up to date for `wanted`. On home (a chain inside a chain) the catalog is taken as it is.
    pub(super) fn learn<'a>(&self, wanted: impl Iterator<Item = &'a crate::model::PluginId> + Clone) {
        let source = &self.0.config.catalog;
        let (fresh, problem) = match home::is_home() {
            true => (catalog::catalog(source), None),
            false => catalog::ready_for(source, wanted),
        };
        self.0.shared.set_catalog(fresh.clone());
        self.tell(move |owner| {
            owner.catalog = fresh;
            owner.scan_notice = problem.unwrap_or_default();
            owner.news = true;
        });
    }
}

/// The plugins that an edit opens for the first time.
fn opened_by(command: &Command) -> Vec<&PluginId> {
    match command {
        Command::Paste { nodes, .. } => lanes::slots(nodes).into_iter().map(|slot| &slot.plugin).collect(),
        Command::Many(all) => all.iter().flat_map(opened_by).collect(),
        other => brings(other).into_iter().collect(),
    }
}

/// The one plugin that an edit opens for the first time.
pub(super) fn brings(command: &Command) -> Option<&PluginId> {
    match command {
        Command::Add { plugin, .. } | Command::AddInto { plugin, .. } | Command::Replace { plugin, .. } => Some(plugin),
        _ => None,
    }
}
