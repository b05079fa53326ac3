//! `clap.preset-load`: loads a preset that preset-discovery found; the plugin says whether it did.

use std::ffi::{CStr, CString};

use clack_extensions::preset_discovery::preset_data::Location;
use clack_extensions::preset_discovery::{HostPresetLoadImpl, PluginPresetLoad};

use super::preset_discovery::Place;
use crate::backend::StateError;
use crate::backend::clap::host::HomeSide;
use crate::backend::clap::main::ClapMain;
use crate::backend::clap::requests::Ask;
use crate::backend::log::Level;
use crate::model::Preset;

impl HostPresetLoadImpl for HomeSide {
    fn on_error(&self, _place: Location<'_>, _key: Option<&CStr>, os_error: i32, message: Option<&CStr>) {
        if self.common.expect_home() {
            let message = message.map_or(String::new(), |text| super::text(text.to_bytes()));
            *self.preset.borrow_mut() = Some(Err(format!("{message} (system error {os_error})")));
        }
    }

    fn loaded(&self, _place: Location<'_>, _key: Option<&CStr>) {
        if self.common.expect_home() {
            *self.preset.borrow_mut() = Some(Ok(()));
            self.common.ask(Ask::Values);
            self.common.ask(Ask::Dirty);
        }
    }
}

impl ClapMain {
    /// Loads a preset. The audio half is not running. `[home]`
    pub(in crate::backend::clap) fn load_preset_at(&mut self, preset: &Preset) -> Result<(), StateError> {
        let refused = || StateError::Refused(self.id.clone());
        let damaged = |reason: &str| StateError::Damaged { id: self.id.clone(), reason: reason.into() };
        let place = Place::parse(&preset.uri).ok_or_else(|| damaged("it names no preset"))?;
        let text = |text: &str| CString::new(text).map_err(|_| damaged("the preset's name holds a zero byte"));
        let path = place.file.as_deref().map(text).transpose()?;
        let key = place.key.as_deref().map(text).transpose()?;
        let location = path.as_deref().map_or(Location::Plugin, |path| Location::File { path });
        self.instance.access_handler(|home| home.preset.take());
        let plugin = self.instance.plugin_handle();
        let extension = plugin.get_extension::<PluginPresetLoad>().ok_or_else(refused)?;
        let answer = extension.load_from_location(&plugin, location, key.as_deref());
        let told = self.instance.access_handler(|home| home.preset.take());
        self.pending.clear();
        match (answer, told) {
            (_, Some(Err(message))) => {
                self.common.log(Level::Warning, &format!("did not load the preset {}: {message}", preset.name));
                Err(StateError::Refused(self.id.clone()))
            }
            (Ok(()), _) | (Err(_), Some(Ok(()))) => Ok(()),
            (Err(_), None) => Err(StateError::Refused(self.id.clone())),
        }
    }
}
