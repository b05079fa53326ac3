//! `catena info`.

use host_core::model::{AudioBus, BusRole, Chain, ControlPage, Folders, ParamInfo, PluginEntry, Steps};
use host_core::scan::{self, Measured};
use host_core::session::{Purpose, SlotStatus, SlotView};
use serde_json::json;

use super::args::Info;
use super::chain::{TRIAL, open_session};
use super::progress::Progress;
use super::{Failure, edit, find, out, qualify};

/// Rates that latencies are measured at, Hz.
pub const RATES: [u32; 4] = [44_100, 48_000, 96_000, 192_000];

/// Opens a plugin and shows what it is.
pub fn run(task: &Info) -> Result<(), Failure> {
    let catalog = find::catalog()?;
    let entry = find::plugin(&catalog, &task.plugin)?.clone();
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let waiting = Progress::waiting(format!("Opening {}", entry.name));
    // As it is made, whatever the user has it begin with.
    let mut chain = Chain::default();
    chain.insert(0, entry.id.clone());
    session.load_chain(chain)?;
    session.activate(TRIAL)?;
    session.settle();
    drop(waiting);
    let snapshot = session.snapshot();
    let view = snapshot.slots.first().ok_or_else(|| Failure::failed(format!("{} could not be opened", entry.id)))?;
    if let SlotStatus::Faulted(why) | SlotStatus::Closed(why) = &view.status {
        return Err(Failure::failed(format!("{}: {why}", entry.id)));
    }
    let measured = match task.measure {
        true => {
            let _waiting = Progress::waiting(format!("Measuring {}", entry.name));
            scan::measure(&entry, &RATES, &Folders::from_env()).map_err(Failure::failed).map(Some)
        }
        false => Ok(None),
    };
    let told = measured.and_then(|measured| match task.json {
        true => say_json(&entry, view, measured.as_deref()),
        false => say_text(&entry, view, measured.as_deref()),
    });
    session.deactivate();
    told
}

fn say_json(entry: &PluginEntry, view: &SlotView, measured: Option<&[Measured]>) -> Result<(), Failure> {
    let params: Vec<_> =
        view.params.iter().zip(&view.values).map(|(param, value)| json!({ "info": param, "value": value })).collect();
    let mut told = json!({
        "id": entry.id, "name": entry.name, "vendor": entry.vendor, "version": entry.version,
        "location": entry.location, "categories": entry.categories, "ports": entry.ports,
        "presets": entry.presets, "pages": &*view.pages, "latency": view.latency, "min_block": entry.min_block, "params": params,
    });
    if let Some(measured) = measured {
        told["measured"] = json!(measured);
    }
    if let Some(found) = qualify::known(entry) {
        told["qualified"] = qualify::shown(&found);
    }
    out::json(&told)
}

fn say_text(entry: &PluginEntry, view: &SlotView, measured: Option<&[Measured]>) -> Result<(), Failure> {
    let by = if entry.vendor.is_empty() { String::new() } else { format!(" by {}", entry.vendor) };
    let version = if entry.version.is_empty() { String::new() } else { format!(", version {}", entry.version) };
    out::say(format_args!("{}{by}{version}", entry.name))?;
    out::say(format_args!("  id        {}", entry.id))?;
    out::say(format_args!("  file      {}", entry.location.path().display()))?;
    if !entry.categories.is_empty() {
        out::say(format_args!("  kind      {}", entry.categories.join(", ")))?;
    }
    out::say(format_args!("  inputs    {}", buses(&entry.ports.inputs, entry.ports.midi_in)))?;
    out::say(format_args!("  outputs   {}", buses(&entry.ports.outputs, entry.ports.midi_out)))?;
    out::say(format_args!("  latency   {} frames at {} Hz", view.latency, TRIAL.rate))?;
    if let Some(measured) = measured {
        out::say(out::table(&measured.iter().map(measured_row).collect::<Vec<_>>()))?;
        if let Some(lie) = measured.iter().find(|one| one.measured.is_some_and(|frames| frames != one.reported)) {
            let off = i64::from(lie.measured.unwrap_or(0)) - i64::from(lie.reported);
            out::say(format_args!("  note      its sound is {off:+} frames off against everything beside it"))?;
        }
    }
    if entry.min_block > 1 {
        out::say(format_args!("  blocks    at least {} frames; smaller ones are gathered", entry.min_block))?;
    }
    if let Some(found) = qualify::known(entry) {
        out::say("qualified")?;
        qualify::say(&found)?;
    }
    say_params(view)?;
    say_pages(view)?;
    if !entry.presets.is_empty() {
        out::say("presets")?;
        let rows: Vec<_> =
            entry.presets.iter().map(|preset| vec![format!("  {}", preset.name), preset.uri.clone()]).collect();
        out::say(out::table(&rows))?;
    }
    Ok(())
}

/// What a plugin says and what it does, at one rate.
fn measured_row(one: &Measured) -> Vec<String> {
    let found = match (&one.problem, one.measured) {
        (Some(problem), _) => problem.clone(),
        (None, Some(frames)) if one.by_noise => format!("measured {frames} (by noise)"),
        (None, Some(frames)) => format!("measured {frames}"),
        (None, None) => "nothing of what goes in comes out".into(),
    };
    vec![format!("            {} Hz", one.rate), format!("reported {}", one.reported), found]
}

fn buses(buses: &[AudioBus], midi: bool) -> String {
    let mut parts: Vec<String> = buses
        .iter()
        .map(|bus| {
            let role = match bus.role {
                BusRole::Main => "",
                BusRole::Sidechain => " (sidechain)",
                BusRole::Aux => " (aux)",
                BusRole::Cv => " (control voltage)",
            };
            format!("{}{role}", bus.channels)
        })
        .collect();
    if midi {
        parts.push("MIDI".into());
    }
    if parts.is_empty() { "none".into() } else { parts.join(" + ") }
}

fn say_params(view: &SlotView) -> Result<(), Failure> {
    let shown: Vec<_> = view.params.iter().zip(&view.values).filter(|(param, _)| !param.hidden).collect();
    if shown.is_empty() {
        return out::say("no parameters");
    }
    out::say("parameters (key, name, range, now)")?;
    let rows: Vec<_> = shown.iter().map(|(param, value)| param_row(param, **value)).collect();
    out::say(out::table(&rows))
}

/// The plugin's own pages of controls.
fn say_pages(view: &SlotView) -> Result<(), Failure> {
    if view.pages.is_empty() {
        return Ok(());
    }
    out::say("pages of controls (for catena edit FILE macro page)")?;
    let rows: Vec<_> = (1..).zip(&*view.pages).map(|(number, page)| page_row(view, number, page)).collect();
    out::say(out::table(&rows))
}

fn page_row(view: &SlotView, number: usize, page: &ControlPage) -> Vec<String> {
    let name =
        |key: &String| view.params.iter().find(|param| param.key == *key).map_or(key.clone(), |p| p.name.clone());
    let controls = page.controls.iter().map(|key| key.as_ref().map_or("-".into(), name));
    vec![format!("  {number}"), page.title(), controls.collect::<Vec<_>>().join(", ")]
}

fn param_row(param: &ParamInfo, value: f64) -> Vec<String> {
    let unit = if param.unit.is_empty() { String::new() } else { format!(" {}", param.unit) };
    let range = match &param.steps {
        Steps::Toggle => "off or on".to_owned(),
        Steps::Named(names) => {
            names.iter().map(|(value, name)| format!("{} {name}", out::short(*value))).collect::<Vec<_>>().join(", ")
        }
        Steps::Integer | Steps::Continuous => {
            format!("{} to {}{unit}", out::short(param.min), out::short(param.max))
        }
    };
    let mut now = out::short(value);
    if param.read_only {
        now.push_str(" (read only)");
    }
    vec![format!("  {}", param.key), edit::shown(param), range, now]
}
