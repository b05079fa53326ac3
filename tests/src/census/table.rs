//! The table that is committed: `tests/census.md`.

use host_core::model::PluginId;

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The plugin.
    pub plugin: PluginId,
    /// What it does, in words that are the same in every run.
    pub what: String,
    /// Why.
    pub cause: String,
    /// Whose fault it is.
    pub fault: String,
}

/// How a line begins whose plugin fails in some runs only.
pub const SOMETIMES: &str = "sometimes";

const HEAD: &str = "\
# Census of the test packages

Every LV2 and CLAP plugin of the test packages is opened, run at 44.1 and 96 kHz in 200 blocks each of 1, 63, 64, 256 and
1024 frames with noise, MIDI and parameter moves, saved, opened again, restored and saved again, in a process of its own.
Here is one line for each plugin that fails, is not repeatable, or needs something. All others pass.

`cargo run -p catena-tests --bin census -- --write` makes this table anew and keeps the causes, which are written by hand.

| plugin | what it does | cause | whose fault |
|---|---|---|---|
";

/// The table, with causes taken over from `old` where the finding is the same.
pub fn table(findings: &[Finding], old: &[Finding]) -> String {
    let mut text = HEAD.to_owned();
    // What happens in some runs only stays, whether it happened in this one or not.
    let sometimes = old.iter().filter(|old| old.what.starts_with(SOMETIMES));
    let unsteady = |one: &Finding| sometimes.clone().any(|old| old.plugin == one.plugin);
    for finding in findings.iter().filter(|one| !unsteady(one)).chain(sometimes.clone()) {
        let known = old.iter().find(|old| old.plugin == finding.plugin && old.what == finding.what);
        let (cause, fault) = known.map_or(("not looked into yet", "?"), |old| (old.cause.as_str(), old.fault.as_str()));
        text += &format!("| `{}` | {} | {cause} | {fault} |\n", finding.plugin, finding.what.replace('|', "/"));
    }
    text
}

/// Findings that the table does not have, and lines of the table that were not found. A line that begins with
/// [`SOMETIMES`] allows its plugin to fail, and to pass.
pub fn differences<'a>(found: &'a [Finding], known: &'a [Finding]) -> (Vec<&'a Finding>, Vec<&'a Finding>) {
    let has =
        |all: &[Finding], one: &Finding| all.iter().any(|other| other.plugin == one.plugin && other.what == one.what);
    let sometimes =
        |one: &Finding| known.iter().any(|other| other.plugin == one.plugin && other.what.starts_with(SOMETIMES));
    let new = found.iter().filter(|one| !has(known, one) && !sometimes(one));
    let gone = known.iter().filter(|one| !has(found, one) && !sometimes(one));
    (new.collect(), gone.collect())
}

/// The findings of a table.
pub fn findings_in(table: &str) -> Vec<Finding> {
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        let [plugin, what, cause, fault] = cells.try_into().ok()?;
        Some(Finding { plugin: plugin.trim_matches('`').parse().ok()?, what, cause, fault })
    };
    rows.filter_map(row).collect()
}
