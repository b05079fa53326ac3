//! `clap.state` and `clap.state-context`: a plugin's own bytes. A plugin without them is saved as the values of its
//! parameters.

use std::collections::BTreeMap;
use std::io::{self, Write};

use clack_extensions::state::{HostStateImpl, PluginState as StateExtension};
use clack_extensions::state_context::{PluginStateContext, StateContextType};
use serde::{Deserialize, Serialize};

use super::params::Link;
use crate::backend::clap::host::HomeSide;
use crate::backend::clap::main::ClapMain;
use crate::backend::clap::requests::Ask;
use crate::backend::{AudioAt, StateError};
use crate::model::PluginState;

/// Longest state taken from a plugin, bytes: one that writes for ever must end.
const LONGEST: usize = 1 << 30;

impl HostStateImpl for HomeSide {
    fn mark_dirty(&self) {
        self.common.expect_home();
        self.common.ask(Ask::Dirty);
    }
}

/// What is kept of a plugin without a state of its own. Sorted, and with numbers that read back exactly: equal values
/// give equal bytes, in every locale.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    #[serde(rename = "clap-parameter-values")]
    values: BTreeMap<u32, f64>,
}

/// Takes bytes in whatever pieces they come.
struct Sink(Vec<u8>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ClapMain {
    /// The state now. `[home]`
    pub(in crate::backend::clap) fn save_state(&mut self) -> Result<PluginState, StateError> {
        let plugin = self.instance.plugin_handle();
        let Some(extension) = plugin.get_extension::<StateExtension>() else { return self.save_values() };
        let mut sink = Sink(Vec::new());
        let saved = match plugin.get_extension::<PluginStateContext>() {
            Some(context) => context.save(&plugin, &mut sink, StateContextType::ForProject),
            None => extension.save(&plugin, &mut sink),
        };
        saved.map_err(|_| StateError::SaveFailed(self.id.clone()))?;
        Ok(PluginState { bytes: sink.0.into(), assets: BTreeMap::new() })
    }

    /// Restores a state. `audio` is not [`AudioAt::Away`]. `[home]`
    pub(in crate::backend::clap) fn load_state(
        &mut self,
        state: &PluginState,
        audio: AudioAt<'_>,
    ) -> Result<(), StateError> {
        let plugin = self.instance.plugin_handle();
        let Some(extension) = plugin.get_extension::<StateExtension>() else {
            return self.load_values(&state.bytes, audio);
        };
        let mut reader = &state.bytes[..];
        let loaded = match plugin.get_extension::<PluginStateContext>() {
            Some(context) => context.load(&plugin, &mut reader, StateContextType::ForProject),
            None => extension.load(&plugin, &mut reader),
        };
        self.pending.clear();
        loaded.map_err(|_| StateError::Refused(self.id.clone()))
    }

    fn save_values(&mut self) -> Result<PluginState, StateError> {
        let all = self.all_values();
        let settable = self.params.iter().map(|param| !param.read_only);
        let values = self.links.iter().zip(all).zip(settable);
        let values = values.filter_map(|((link, value), settable)| settable.then_some((link.id, value?))).collect();
        let bytes = serde_json::to_vec(&Values { values }).map_err(|_| StateError::SaveFailed(self.id.clone()))?;
        Ok(PluginState { bytes: bytes.into(), assets: BTreeMap::new() })
    }

    fn load_values(&mut self, bytes: &[u8], audio: AudioAt<'_>) -> Result<(), StateError> {
        let read: Values = serde_json::from_slice(bytes)
            .map_err(|error| StateError::Damaged { id: self.id.clone(), reason: error.to_string() })?;
        let wanted = |(index, link): (usize, &Link)| Some((index, *read.values.get(&link.id)?));
        let values: Vec<_> = self.links.iter().enumerate().filter_map(wanted).collect();
        self.pending.clear();
        self.set_values(&values, audio);
        Ok(())
    }
}
