//! Chains that come from elsewhere than the DAW's state: from a file, or with the plugin that they are.

use std::path::Path;

use host_core::model::{Exported, PluginId};
use host_core::session::{SessionHandle, presets};

use super::{Shared, lock};

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

    /// Loads a chain file; why not, where it is none, and nothing changes. `[any but audio]`
    pub fn load_file(&self, path: &Path) -> Result<(), String> {
        let (bytes, lost) = presets::read(path)?;
        self.try_load(&bytes).map_err(|why| format!("{}: was not loaded: {why}", path.display()))?;
        lost.into_iter().for_each(|lost| self.say(lost));
        Ok(())
    }
}
