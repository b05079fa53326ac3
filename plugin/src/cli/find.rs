//! Plugins by name.

use host_core::model::{Catalog, Folders, PluginEntry, Resolve};
use host_core::scan;
use host_core::session::search_paths;

use super::progress::Progress;
use super::{Failure, out};

/// The plugins of this machine: as last scanned, or scanned now where that never happened.
pub fn catalog() -> Result<Catalog, Failure> {
    let folders = Folders::from_env();
    match scan::cached(&folders) {
        Some(catalog) => Ok(catalog),
        None => {
            out::note("This is the first time: looking for plugins. Later, `catena scan` finds new ones.");
            look(&folders, false)
        }
    }
}

/// Scans, with a bar.
pub fn look(folders: &Folders, force: bool) -> Result<Catalog, Failure> {
    let mut bar = Progress::new("Scanning");
    let paths = search_paths();
    scan::scan(&paths, folders, force, &mut |at| bar.set(at.done as u64, at.total as u64, &at.current))
        .map_err(|error| Failure::failed(error.to_string()))
}

/// The one plugin that `text` names.
pub fn plugin<'a>(catalog: &'a Catalog, text: &str) -> Result<&'a PluginEntry, Failure> {
    match catalog.resolve(text) {
        Resolve::One(entry) => Ok(entry),
        Resolve::Many(found) => Err(Failure::usage(ambiguous(text, &found))),
        Resolve::None => Err(Failure::failed(unknown(catalog, text))),
    }
}

fn ambiguous(text: &str, found: &[&PluginEntry]) -> String {
    const SHOWN: usize = 20;
    let rows: Vec<_> =
        found.iter().take(SHOWN).map(|entry| vec![format!("  {}", entry.id), entry.name.clone()]).collect();
    let rest = found.len().saturating_sub(SHOWN);
    let more = if rest > 0 { format!("\n  and {rest} more: catena list {text}") } else { String::new() };
    format!("\"{text}\" names {} plugins; take one by its id:\n{}{more}", found.len(), out::table(&rows))
}

fn unknown(catalog: &Catalog, text: &str) -> String {
    if let Some(bad) = catalog.bad.iter().find(|bad| bad.plugin.as_ref().is_some_and(|id| id.to_string() == text)) {
        return format!("{text} cannot be used: {} ({})", bad.reason, bad.path.display());
    }
    let wanted = text.to_lowercase();
    let by_id = catalog.plugins.iter().filter(|entry| entry.id.id.to_lowercase().contains(&wanted));
    let rows: Vec<_> = by_id.take(10).map(|entry| vec![format!("  {}", entry.id), entry.name.clone()]).collect();
    if !rows.is_empty() {
        return format!("no plugin is called \"{text}\"; these have it in their id:\n{}", out::table(&rows));
    }
    let near = near(catalog.plugins.iter().map(|entry| entry.name.as_str()), text);
    let hint = match near.as_slice() {
        [] => "`catena list` shows what is there, `catena scan` looks for new plugins".to_owned(),
        names => format!("near: {}. `catena list` shows all", names.join(", ")),
    };
    format!("no plugin is called \"{text}\"; {hint}")
}

/// Up to three of `names` that look like `text`, nearest first.
pub fn near<'a>(names: impl Iterator<Item = &'a str>, text: &str) -> Vec<&'a str> {
    let wanted = text.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| (strsim::jaro_winkler(&name.to_lowercase(), &wanted), name))
        .filter(|(score, _)| *score > 0.82)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_what_was_meant() {
        let names = ["ZamComp", "ZamEQ2", "Calf Reverb", "ZamCompX2"];
        assert_eq!(near(names.into_iter(), "zamcmop").first(), Some(&"ZamComp"));
        assert_eq!(near(names.into_iter(), "calf revreb"), ["Calf Reverb"]);
        assert!(near(names.into_iter(), "wobble").is_empty());
    }
}
