//! `catena needs`: which plugins chains and sessions need, which of them are here, and what brings the others.

mod find;

use std::collections::{BTreeMap, BTreeSet};

use host_core::model::{Catalog, Chain, Folders, Package, PluginEntry, PluginId, Slot, lanes};
use host_core::scan;
use serde_json::{Value, json};

use super::args::Needs;
use super::find as plugins;
use super::{Failure, out};

/// A plugin that something needs.
struct Need {
    /// A slot that has it, for what the chain says of it.
    slot: Slot,
    /// Where it is needed.
    places: BTreeSet<String>,
    package: Option<Package>,
}

/// Says what is needed. Fails where something of it is not here.
pub fn run(task: &Needs) -> Result<(), Failure> {
    let mut found = find::Found::default();
    task.paths.iter().for_each(|path| found.look(path));
    if found.chains.is_empty() {
        return Err(Failure::failed(match found.unread.is_empty() {
            true => {
                let paths: Vec<_> = task.paths.iter().map(|path| path.display().to_string()).collect();
                format!("{}: there is no chain in it, and no session with one", paths.join(", "))
            }
            false => found.unread.join("; "),
        }));
    }
    let mut needs = needs(&found.chains);
    let mut catalog = plugins::catalog()?;
    if needs.keys().any(|id| catalog.find(id).is_none()) {
        // It may have been installed a moment ago.
        catalog = plugins::look(&Folders::from_env(), false)?;
    }
    note_packages(&mut needs, &catalog);
    match task.json {
        true => out::json(&as_json(&needs, &catalog, &found))?,
        false => say(&needs, &catalog, &found)?,
    }
    verdict(&needs, &catalog, &found)
}

/// Every plugin of every chain, those of the snapshots too.
fn needs(chains: &[(String, Chain)]) -> BTreeMap<PluginId, Need> {
    let mut needs = BTreeMap::new();
    for (place, chain) in chains {
        let kept = chain.snapshots.stored.values().flat_map(|scene| lanes::slots(&scene.nodes));
        for slot in chain.slots().chain(kept) {
            let need = needs.entry(slot.plugin.clone()).or_insert_with(|| Need {
                slot: slot.clone(),
                places: BTreeSet::new(),
                package: None,
            });
            need.places.insert(place.clone());
            need.package = need.package.take().or_else(|| slot.identity.package.clone().filter(Package::is_named));
            if need.slot.identity.version.is_empty() {
                need.slot = slot.clone();
            }
        }
    }
    needs
}

/// What is here says itself what brought it.
fn note_packages(needs: &mut BTreeMap<PluginId, Need>, catalog: &Catalog) {
    scan::find_origins(needs.keys().filter_map(|id| catalog.find(id)), &Folders::from_env());
    for (id, need) in needs {
        let here = catalog.find(id).and_then(scan::origin).and_then(|origin| origin.package);
        need.package = here.or_else(|| need.package.take());
    }
}

fn name<'a>(need: &'a Need, here: Option<&'a PluginEntry>) -> &'a str {
    let kept = Some(need.slot.identity.name.as_str()).filter(|name| !name.is_empty());
    kept.or(here.map(|entry| entry.name.as_str())).unwrap_or(&need.slot.plugin.id)
}

fn version(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

fn say(needs: &BTreeMap<PluginId, Need>, catalog: &Catalog, found: &find::Found) -> Result<(), Failure> {
    let row = |(id, need): (&PluginId, &Need)| {
        let here = catalog.find(id);
        let state = match here {
            Some(entry) => format!("here {}", version(&entry.version)),
            None => "missing".to_owned(),
        };
        let package = need.package.as_ref();
        let last = match (here, package) {
            (Some(_), Some(package)) => package.name.clone(),
            (None, Some(package)) => package.command(),
            (_, None) => String::new(),
        };
        let wanted = format!("wants {}", version(&need.slot.identity.version));
        vec![name(need, here).to_owned(), id.to_string(), wanted, state, last]
    };
    if needs.is_empty() {
        out::note("No plugin: what is here is empty.");
    } else {
        out::say(out::table(&needs.iter().map(row).collect::<Vec<_>>()))?;
    }
    for (id, need) in needs.iter().filter(|(id, _)| catalog.find(id).is_none()) {
        for other in catalog.others_of(&need.slot) {
            out::say(format_args!("{id} is here as {}: {}", other.id.format, other.id))?;
        }
        let places: Vec<_> = need.places.iter().map(String::as_str).collect();
        out::say(format_args!("{id} is needed by {}", places.join("; ")))?;
    }
    found.unread.iter().for_each(|text| out::note(format_args!("note: {text}")));
    Ok(())
}

fn as_json(needs: &BTreeMap<PluginId, Need>, catalog: &Catalog, found: &find::Found) -> Value {
    let one = |(id, need): (&PluginId, &Need)| {
        let here = catalog.find(id);
        let others: Vec<_> = catalog.others_of(&need.slot).map(|entry| entry.id.to_string()).collect();
        json!({
            "format": id.format.as_str(), "id": id.id, "plugin": id.to_string(), "name": name(need, here),
            "vendor": need.slot.identity.vendor, "wanted": need.slot.identity.version,
            "here": here.map(|entry| json!({ "version": entry.version, "path": entry.location.path() })),
            "other-format": others, "package": need.package, "install": need.package.as_ref().map(Package::command),
            "places": need.places,
        })
    };
    json!({
        "plugins": needs.iter().map(one).collect::<Vec<_>>(),
        "chains": found.chains.iter().map(|(place, _)| place).collect::<Vec<_>>(),
        "unread": found.unread,
    })
}

fn verdict(needs: &BTreeMap<PluginId, Need>, catalog: &Catalog, found: &find::Found) -> Result<(), Failure> {
    let missing: Vec<_> = needs.iter().filter(|(id, _)| catalog.find(id).is_none()).collect();
    if missing.is_empty() {
        return match found.unread.is_empty() {
            true => Ok(()),
            false => Err(Failure::failed("not everything could be read")),
        };
    }
    let cures: BTreeSet<_> =
        missing.iter().filter_map(|(_, need)| need.package.as_ref()).map(Package::command).collect();
    let cures: Vec<_> = cures.iter().map(String::as_str).collect();
    let cure = if cures.is_empty() { String::new() } else { format!("; try: {}", cures.join("; ")) };
    Err(Failure::failed(format!("{} of {} plugins are missing{cure}", missing.len(), needs.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_a_strangers_chain_names_is_no_shell_command() {
        let named = |name: &str| Package { name: name.into(), ..Package::default() }.is_named();
        assert!(["x42-plugins", "libstdc++6", "python3.11", "gx_head"].into_iter().all(named));
        assert!(!["", "-oDebug=1", "x; rm -rf ~", "a b", "$(id)", "a\nb", "../x"].into_iter().any(named));
    }
}
