//! `catena scan`.

use host_core::model::{Catalog, Folders, Format};
use serde_json::json;

use super::args::Scan;
use super::{Failure, find, out};

/// Looks for plugins and says what was found.
pub fn run(task: &Scan) -> Result<(), Failure> {
    let folders = Folders::from_env();
    let catalog = find::look(&folders, task.force)?;
    let (clap, lv2) = counts(&catalog);
    if task.json {
        return out::json(&json!({
            "plugins": catalog.plugins.len(), "clap": clap, "lv2": lv2,
            "bad": catalog.bad, "cache": folders.scan_cache(),
        }));
    }
    out::say(format_args!("{} plugins: {clap} CLAP, {lv2} LV2", catalog.plugins.len()))?;
    say_bad(&catalog)?;
    if catalog.plugins.is_empty() {
        out::note("None found. On Debian and Ubuntu: sudo apt install zam-plugins x42-plugins");
    }
    Ok(())
}

/// How many plugins of each format there are: CLAP, LV2.
pub fn counts(catalog: &Catalog) -> (usize, usize) {
    let of = |format| catalog.plugins.iter().filter(|entry| entry.id.format == format).count();
    (of(Format::Clap), of(Format::Lv2))
}

/// Lists what cannot be used.
pub fn say_bad(catalog: &Catalog) -> Result<(), Failure> {
    if catalog.bad.is_empty() {
        return Ok(());
    }
    out::say(format_args!("{} cannot be used:", catalog.bad.len()))?;
    for bad in &catalog.bad {
        let plugin = bad.plugin.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
        out::say(format_args!("  {}{plugin}: {}", bad.path.display(), bad.reason))?;
    }
    Ok(())
}
