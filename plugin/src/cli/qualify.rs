//! `catena qualify`: what kind of plugin this is, measured in a child.

use host_core::model::{Folders, PluginEntry};
use host_core::scan::{self, Qualified};
use serde_json::{Value, json};

use super::args::Qualify;
use super::info::RATES;
use super::progress::Progress;
use super::{Failure, find, out};

/// Measures a plugin, keeps the verdicts and shows them.
pub fn run(task: &Qualify) -> Result<(), Failure> {
    let catalog = find::catalog()?;
    let entry = find::plugin(&catalog, &task.plugin)?.clone();
    let waiting = Progress::waiting(format!("Measuring {}", entry.name));
    let found = scan::qualify(&entry, &RATES, &Folders::from_env()).map_err(Failure::failed)?;
    drop(waiting);
    if task.json {
        return out::json(&json!({ "id": entry.id, "qualified": shown(&found) }));
    }
    out::say(format_args!("{}", entry.name))?;
    say(&found)
}

/// What was measured, with what follows.
pub fn shown(found: &Qualified) -> Value {
    let mut shown = json!(found);
    shown["safe"] = json!(found.is_safe());
    shown["gets_helpers"] = json!(found.helps());
    shown
}

/// A plugin's verdicts, where it was measured before as it is installed now.
pub fn known(entry: &PluginEntry) -> Option<Qualified> {
    scan::find_origins(std::iter::once(entry), &Folders::from_env());
    scan::qualified(entry)
}

/// A verdict a line, each with what it rests on.
pub fn say(found: &Qualified) -> Result<(), Failure> {
    let verdict = |good: bool, yes: &str, no: &str| if good { yes.to_owned() } else { no.to_owned() };
    let safety = format!(
        "{}: in {} blocks it went to wait {} times, and took memory from the system {} times (free locks, and memory that is at \
         hand, are not seen)",
        verdict(found.is_safe(), "nothing seen that waits", "it waits in process"),
        found.watched,
        found.waits,
        found.faults
    );
    let lies = found.latency.iter().filter(|one| one.measured.is_some_and(|frames| frames != one.reported)).count();
    let seen = found.latency.iter().filter(|one| one.measured.is_some()).count();
    let honest = match (seen, lies) {
        (0, _) => "nothing to measure it by",
        (_, 0) if seen == found.latency.len() => "true at all rates",
        (_, 0) => "true where it could be measured",
        _ => "wrong",
    };
    let latency = match found.latency.iter().find(|one| one.rate == 48_000) {
        Some(one) => format!("reported {}, measured {}", one.reported, out_of(one.measured)),
        None => "not measured".into(),
    };
    let state = match (&found.state, &found.state_problem) {
        (Some(bytes), _) => format!("comes back, {bytes} bytes"),
        (None, Some(problem)) => problem.clone(),
        (None, None) => "not measured".into(),
    };
    let helpers = match &found.helpers {
        None => "not measured: it asked for none here, or there is one core".into(),
        Some(gain) => format!(
            "{}: {:.1} us a block alone, {:.1} us on {} threads, {}, {} waits on them",
            verdict(found.helps(), "gets them", "gets none"),
            gain.serial as f64 / 1000.0,
            gain.pooled as f64 / 1000.0,
            gain.threads,
            verdict(gain.same, "the same to the last bit", "another sound"),
            gain.waits
        ),
    };
    let rows = [
        ("real time", safety),
        ("twice", verdict(found.deterministic, "the same to the last bit", "another sound each time").to_owned()),
        ("latency", format!("{latency} frames at 48000 Hz, {honest}")),
        ("state", state),
        ("blocks", format!("from {} frames on", found.min_block.max(1))),
        ("helpers", helpers),
    ];
    out::say(out::table(&rows.map(|(name, text)| vec![format!("  {name}"), text])))?;
    out::say("  cost, us a block of 64, 128, 256, 1024 frames")?;
    let rates = found.costs.iter().map(|cost| cost.rate).collect::<std::collections::BTreeSet<_>>();
    let row = |rate: u32| {
        let costs = found.costs.iter().filter(|cost| cost.rate == rate);
        let cells = costs.map(|cost| format!("{:.1}", cost.nanos as f64 / 1000.0));
        std::iter::once(format!("    {rate} Hz")).chain(cells).collect::<Vec<_>>()
    };
    out::say(out::table(&rates.into_iter().map(row).collect::<Vec<_>>()))
}

fn out_of(measured: Option<u32>) -> String {
    measured.map_or("nothing".into(), |frames| frames.to_string())
}
