//! `catena list`.

use host_core::model::PluginEntry;
use serde_json::json;

use super::args::List;
use super::{Failure, find, out, scan};

/// Lists plugins.
pub fn run(task: &List) -> Result<(), Failure> {
    let mut catalog = find::catalog()?;
    if let Some(text) = &task.text {
        let wanted = text.to_lowercase();
        catalog.plugins.retain(|entry| fits(entry, &wanted));
    }
    if task.json {
        let bad = if task.bad { &catalog.bad[..] } else { &[] };
        return out::json(&json!({ "plugins": catalog.plugins, "bad": bad }));
    }
    let rows: Vec<_> = catalog.plugins.iter().map(row).collect();
    if rows.is_empty() {
        let what = task.text.as_deref().map(|text| format!(" with \"{text}\" in it")).unwrap_or_default();
        out::note(format_args!("No plugin{what}. `catena scan` looks for new plugins."));
    } else {
        out::say(out::table(&rows))?;
    }
    if task.bad { scan::say_bad(&catalog) } else { Ok(()) }
}

fn fits(entry: &PluginEntry, wanted: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    has(&entry.name) || has(&entry.vendor) || has(&entry.id.to_string()) || entry.categories.iter().any(|c| has(c))
}

fn row(entry: &PluginEntry) -> Vec<String> {
    let ports = format!("{}>{}", entry.ports.main_inputs(), entry.ports.main_outputs());
    vec![entry.name.clone(), entry.id.format.to_string(), ports, entry.vendor.clone(), entry.id.to_string()]
}
