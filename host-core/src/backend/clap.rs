//! Hosting CLAP plugins, on clack.
//!
//! 1. `library` loads the file once per process and keeps it; its descriptors say which plugins it holds;
//! 2. `main::ClapMain` is the home half: an instance with the handlers of `host`, read and told through `ext`;
//! 3. `activation` starts it and makes `audio::ClapAudio`, with room for all its events (`events`);
//! 4. what the plugin asks for, on whatever thread, becomes a flag in `requests::Common` and is acted on by home's
//!    next [`serve`](super::PluginMain::serve): nothing a plugin asks from inside a callback re-enters it.

mod activation;
#[deny(clippy::disallowed_types, clippy::disallowed_macros)]
mod audio;
mod events;
mod ext;
mod host;
mod layout;
mod library;
mod main;
mod midi;
mod requests;
mod restarts;
mod transport;

use std::path::Path;
use std::rc::Rc;

use clack_host::prelude::HostInfo;

use super::{HostContext, OpenError, PluginMain};
use crate::model::{BadFile, PluginEntry, PluginId, PluginLocation};
use library::Library;
use main::{ClapMain, Described};

/// Opens a CLAP plugin. `[home]`
pub fn open(entry: &PluginEntry, host: &Rc<HostContext>) -> Result<Box<dyn PluginMain>, OpenError> {
    let path = entry.location.path();
    let library = library::load(path)?;
    let all = descriptors(path, &library)?;
    // The id is compared whole: some factories make a plugin for any id that begins like theirs.
    let described = all.into_iter().find(|one| one.id.to_bytes() == entry.id.id.as_bytes());
    let described = described.ok_or_else(|| OpenError::NotInside { path: path.into(), id: entry.id.clone() })?;
    let mut main = ClapMain::open(&library.entry, described, &host_info(host))?;
    main.shared_library = library.shared;
    Ok(Box::new(main))
}

/// Lists what a `.clap` file holds, each plugin opened once. A plugin that cannot be opened is in the second list;
/// a file that cannot be used at all is the error. For the scan's child process: a foreign fault ends the process. `[home]`
pub fn describe(path: &Path, host: &Rc<HostContext>) -> Result<(Vec<PluginEntry>, Vec<BadFile>), OpenError> {
    let library = library::load(path)?;
    let info = host_info(host);
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for described in descriptors(path, &library)? {
        let id = PluginId::clap(described.id.to_string_lossy());
        match ClapMain::open(&library.entry, described.clone(), &info) {
            Ok(main) => good.push(entry(path, id, described, main)),
            Err(error) => {
                let reason = match error {
                    OpenError::Refused { reason, .. } => reason,
                    other => other.to_string(),
                };
                bad.push(BadFile { path: path.into(), plugin: Some(id), reason });
            }
        }
    }
    Ok((good, bad))
}

fn entry(path: &Path, id: PluginId, described: Described, mut main: ClapMain) -> PluginEntry {
    PluginEntry {
        id,
        name: described.name,
        vendor: described.vendor,
        version: described.version,
        location: PluginLocation::Clap(path.into()),
        categories: described.features,
        ports: main.layout.ports.clone(),
        presets: main.list_presets(),
        params: std::mem::take(&mut main.params),
        min_block: 1,
    }
}

fn descriptors(path: &Path, library: &Library) -> Result<Vec<Described>, OpenError> {
    let none = || OpenError::Library { path: path.into(), reason: "it has no plugin factory".into() };
    main::descriptors(&library.entry).ok_or_else(none)
}

fn host_info(host: &HostContext) -> HostInfo {
    let url = "https://github.com/catena-audio/catena";
    let clean = |text: &str| text.replace('\0', "");
    // Neither text holds a zero byte, so this cannot fail.
    HostInfo::new(&clean(&host.name), "Catena", url, &clean(&host.version))
        .unwrap_or_else(|_| HostInfo::new_from_cstring(c"Catena".into(), c"Catena".into(), c"".into(), c"".into()))
}
