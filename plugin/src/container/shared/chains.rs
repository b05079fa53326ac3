//! Chains that come from elsewhere than the DAW's state: from a file, or with the plugin that they are.

use std::path::Path;

use host_core::model::{Exported, PluginId};
use host_core::session::{LoadError, SessionHandle, presets};

use super::{FAILED, Shared, lock};
use crate::guard::guard;

impl Shared {
    /// Makes this the plugin that `exported` is: its chain is loaded. `[any but audio]`
    pub fn become_chain(&self, exported: &Exported) {
        *lock(&self.own) = vec![PluginId::clap(&exported.id), PluginId::lv2(&exported.uri)];
        if let Some(session) = self.session() {
            self.tell_own(&session);
        }
        self.load(&exported.chain);
    }

    pub(super) fn tell_own(&self, session: &SessionHandle) {
        let own = lock(&self.own).clone();
        if !own.is_empty()
            && let Err(error) = session.set_own(own)
        {
            self.say(error.to_string());
        }
    }

    /// Loads a chain file; why not, where it is none, and nothing changes. Where a chain is there already, or was, this is one step of
    /// undo. `[any but audio]`
    pub fn load_file(&self, path: &Path) -> Result<(), String> {
        let used = |session: &SessionHandle| {
            let snapshot = session.snapshot();
            !snapshot.nodes.is_empty() || !snapshot.history.steps.is_empty()
        };
        let lost = match self.session().filter(used) {
            Some(session) => self.load_step(&session, path)?,
            None => {
                let (bytes, lost) = presets::read(path)?;
                self.try_load(&bytes).map_err(|why| not_loaded(path, &why))?;
                lost
            }
        };
        lost.into_iter().for_each(|lost| self.say(lost));
        Ok(())
    }

    fn load_step(&self, session: &SessionHandle, path: &Path) -> Result<Vec<String>, String> {
        let (chain, lost) = presets::open(path)?;
        let name = presets::name_of(&chain, path);
        match guard(None, || Some(session.load_as_step(chain, &name))) {
            Some(Ok(reports)) => self.report(&reports),
            // It still builds what it was given.
            Some(Err(error @ LoadError::Busy(_))) => self.say(error.to_string()),
            Some(Err(error)) => return Err(not_loaded(path, &error.to_string())),
            None => return Err(not_loaded(path, FAILED)),
        }
        lock(&self.bypass).arrived();
        Ok(lost)
    }
}

fn not_loaded(path: &Path, why: &str) -> String {
    format!("{}: was not loaded: {why}", path.display())
}
