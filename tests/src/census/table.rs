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
    for finding in findings {
        let known = old.iter().find(|old| old.plugin == finding.plugin && old.what == finding.what);
        let (cause, fault) = known.map_or(("not looked into yet", "?"), |old| (old.cause.as_str(), old.fault.as_str()));
        text += &format!("| `{}` | {} | {cause} | {fault} |\n", finding.plugin, finding.what.replace('|', "/"));
    }
    text
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
