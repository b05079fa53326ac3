//! Hosting CLAP plugins.

use std::rc::Rc;

use std::path::Path;

use super::{HostContext, OpenError, PluginMain};
use crate::model::{BadFile, PluginEntry};

/// Opens a CLAP plugin. `[home]`
pub fn open(entry: &PluginEntry, _host: &Rc<HostContext>) -> Result<Box<dyn PluginMain>, OpenError> {
    Err(OpenError::Refused { id: entry.id.clone(), reason: "not built yet".into() })
}

/// Lists what a `.clap` file holds, each plugin opened once. A plugin that cannot be opened is in the second list;
/// a file that cannot be used at all is the error. For the scan's child process: a foreign fault ends the process. `[home]`
pub fn describe(path: &Path, _host: &Rc<HostContext>) -> Result<(Vec<PluginEntry>, Vec<BadFile>), OpenError> {
    Err(OpenError::Library { path: path.into(), reason: "not built yet".into() })
}
