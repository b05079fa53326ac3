//! Bundles of LV2 presets: a chain of one slot for each.

use std::collections::BTreeSet;

use super::lv2::{APPLIES_TO, Keeping, LABEL, PORT, PRESET, PRESET_VALUE, STATE, SYMBOL};
use super::turtle::{Graph, Term};
use super::{Files, Imported, MAX_SLOTS, push, slot};
use crate::model::{Catalog, PluginId, Slot};

/// The presets that are described.
pub fn read(graph: &Graph, catalog: &Catalog, files: &mut Files) -> Vec<Imported> {
    let named: Vec<_> = graph.subjects().filter(|subject| graph.is(subject, PRESET)).collect();
    let over = named.len().saturating_sub(MAX_SLOTS);
    let mut found: Vec<_> = named.iter().take(MAX_SLOTS).map(|subject| one(graph, subject, catalog, files)).collect();
    if let (Some(first), 1..) = (found.first_mut(), over) {
        first.untaken.push(format!("{over} presets more than the {MAX_SLOTS} that are taken"));
    }
    found
}

fn one(graph: &Graph, subject: &str, catalog: &Catalog, files: &mut Files) -> Imported {
    let mut found = Imported::default();
    let label = graph.one(subject, LABEL).and_then(Term::text).map(str::trim).filter(|label| !label.is_empty());
    let label = label.unwrap_or_else(|| subject.rsplit(['#', '/', ':']).next().unwrap_or(subject));
    let mut plugins = graph.each(subject, APPLIES_TO).filter_map(Term::node);
    let Some(plugin) = plugins.next() else {
        found.untaken.push(format!("the preset \"{label}\" names no plugin"));
        return found;
    };
    // The manifest and the preset's own file both say it.
    let others: BTreeSet<_> = plugins.filter(|other| *other != plugin).collect();
    if !others.is_empty() {
        let others: Vec<_> = others.into_iter().collect();
        found
            .untaken
            .push(format!("the preset \"{label}\" is taken for {plugin} alone, not for {}", others.join(", ")));
    }
    found.chain.name = label.into();
    let mut slot = slot(&mut found.chain, PluginId::lv2(plugin), "", catalog, &mut found.untaken);
    fill(graph, subject, &mut slot, files, &mut found.untaken);
    found.file_name = match slot.identity.name.as_str() {
        "" => label.into(),
        plugin => format!("{plugin} - {label}"),
    };
    push(&mut found.chain, slot);
    found
}

/// Gives a slot the values and the state of a preset. Values that it has already stay.
pub fn fill(graph: &Graph, subject: &str, slot: &mut Slot, files: &mut Files, untaken: &mut Vec<String>) {
    let title = slot.title().to_owned();
    for port in graph.each(subject, PORT).filter_map(Term::node) {
        let Some(symbol) = graph.one(port, SYMBOL).and_then(Term::text) else { continue };
        let Some(value) = graph.one(port, PRESET_VALUE) else { continue };
        match value.number() {
            Some(value) => drop(slot.params.entry(symbol.into()).or_insert(value)),
            None => untaken.push(format!("{title}: the value of {symbol} is no number: {value:?}")),
        }
    }
    let mut keeping = Keeping::default();
    for state in graph.each(subject, STATE).filter_map(Term::node) {
        let from = subject.trim_start_matches("./").rsplit_once('/').map_or("", |(folder, _)| folder);
        for (key, value) in graph.all(state) {
            if let Err(why) = keeping.described(graph, (key, value), files, from) {
                untaken.push(format!("{title}: {key} {why}"));
            }
        }
    }
    keeping.into_slot(slot);
}
