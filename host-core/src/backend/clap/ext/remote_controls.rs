//! `clap.remote-controls`: the pages of controls that a plugin offers, read when it is opened and when it says that they changed.

use std::collections::HashSet;

use clack_extensions::remote_controls::{
    HostRemoteControlsImpl, PluginRemoteControls, RemoteControlsPage, RemoteControlsPageBuffer,
};
use clack_host::utils::ClapId;

use super::text;
use crate::backend::clap::host::HomeSide;
use crate::backend::clap::main::ClapMain;
use crate::backend::clap::requests::Ask;
use crate::backend::log::Level;
use crate::model::ControlPage;

/// Most pages of one plugin; of one that claims more, the first are used.
const MAX_PAGES: u32 = 1024;

impl HostRemoteControlsImpl for HomeSide {
    fn changed(&self) {
        self.common.expect_home();
        self.common.ask(Ask::Pages);
    }

    fn suggest_page(&self, _page: ClapId) {
        // Macros stay what the user made them.
        self.common.expect_home();
    }
}

impl ClapMain {
    /// Reads the pages again. Controls that are no parameters of the plugin are gaps. `[home]`
    pub(in crate::backend::clap) fn read_pages(&mut self) {
        let plugin = self.instance.plugin_handle();
        let Some(extension) = plugin.get_extension::<PluginRemoteControls>() else { return };
        let count = extension.count(&plugin);
        if count > MAX_PAGES {
            let said = format!("claims {count} pages of controls; the first {MAX_PAGES} are used");
            self.common.log(Level::Warning, &said);
        }
        let known: HashSet<u32> = self.links.iter().map(|link| link.id).collect();
        let read = |index| {
            let mut buffer = RemoteControlsPageBuffer::new();
            extension.get(&plugin, index, &mut buffer).map(|raw| page(&raw, &known))
        };
        self.pages = (0..count.min(MAX_PAGES)).filter_map(read).collect();
    }
}

fn page(raw: &RemoteControlsPage<'_>, known: &HashSet<u32>) -> ControlPage {
    let control = |id: ClapId| known.contains(&id.get()).then(|| id.get().to_string());
    ControlPage {
        section: text(raw.section_name),
        name: text(raw.page_name),
        controls: raw.param_ids.map(|id| id.and_then(control)),
        of_preset: raw.is_for_preset,
    }
}
