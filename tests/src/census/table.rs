//! The table that is committed: `tests/census.md`.

use host_core::model::PluginId;

use super::life::FAILS;

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

/// How a line begins that tells of some runs only. After it, divided by commas, what happens: `dies`, `hangs`, or a
/// finding as it stands.
pub const SOMETIMES: &str = "sometimes ";

const HEAD: &str = "\
# Census of the test packages

Every LV2 and CLAP plugin of the test packages is opened, run at 44.1 and 96 kHz in 200 blocks each of 1, 63, 64, 256 and
1024 frames with noise, MIDI and parameter moves, saved, opened again, restored and saved again, in a process of its own.
Here is one line for each plugin that fails, is not repeatable, or needs something. All others pass.

*Bare* is a loop in C on lilv, with nothing of Catena in it, that gave the plugin the same blocks, noise, MIDI and control
values, or saved and restored by lilv's own calls. `CATENA_CENSUS_KEEP=FOLDER` keeps a plugin's moves and states for such
a run. A line that begins with *sometimes* lets its plugin do just what it names, and pass. All run with
`MALLOC_PERTURB_=255`, so that fresh memory is zero; those that read memory they never set, once more with 165.

`cargo run -p catena-tests --bin census -- --write` makes this table anew and keeps the causes, which are written by hand.

| plugin | what it does | cause | whose fault |
|---|---|---|---|
";

/// The table, with causes taken over from `old` where the finding is the same.
pub fn table(findings: &[Finding], old: &[Finding]) -> String {
    let mut text = HEAD.to_owned();
    // What happens in some runs only stays, whether it happened in this one or not.
    let sometimes = old.iter().filter(|old| old.what.starts_with(SOMETIMES));
    for finding in findings.iter().filter(|one| !excused(one, old)).chain(sometimes) {
        let known = old.iter().find(|old| old.plugin == finding.plugin && old.what == finding.what);
        let (cause, fault) = known.map_or(("not looked into yet", "?"), |old| (old.cause.as_str(), old.fault.as_str()));
        text += &format!("| `{}` | {} | {cause} | {fault} |\n", finding.plugin, finding.what.replace('|', "/"));
    }
    text
}

/// Findings that the table does not have, and lines of the table that were not found. A line that begins with
/// `SOMETIMES` allows its plugin what it says, and to pass.
pub fn differences<'a>(found: &'a [Finding], known: &'a [Finding]) -> (Vec<&'a Finding>, Vec<&'a Finding>) {
    let has =
        |all: &[Finding], one: &Finding| all.iter().any(|other| other.plugin == one.plugin && other.what == one.what);
    // A plugin that failed this time did not come to what it does else.
    let fails = |one: &Finding| one.what.starts_with(FAILS) && excused(one, known);
    let failed = |one: &Finding| found.iter().any(|other| other.plugin == one.plugin && fails(other));
    let new = found.iter().filter(|one| !has(known, one) && !excused(one, known));
    let gone = known.iter().filter(|one| !has(found, one) && !one.what.starts_with(SOMETIMES) && !failed(one));
    (new.collect(), gone.collect())
}

/// Whether a line of `known` says that this happens in some runs.
pub fn excused(one: &Finding, known: &[Finding]) -> bool {
    known.iter().filter(|line| line.plugin == one.plugin).any(|line| {
        let ways = line.what.strip_prefix(SOMETIMES).unwrap_or_default();
        ways.split(", ").any(|way| one.what == way || one.what.starts_with(&format!("{FAILS}: {way} at ")))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(plugin: &str, what: &str) -> Finding {
        Finding {
            plugin: PluginId::lv2(plugin),
            what: what.into(),
            cause: "a cause".into(),
            fault: "the plugin's".into(),
        }
    }

    #[test]
    fn a_line_that_says_sometimes_excuses_only_the_ways_it_names() {
        let noise = "writes samples that are no numbers";
        let known = [
            row("urn:a", "sometimes dies, hangs"),
            row("urn:b", "sometimes hangs"),
            row("urn:d", &format!("sometimes {noise}")),
        ];
        let allowed =
            [row("urn:a", "fails: dies at blocks of 64"), row("urn:b", "fails: hangs at save"), row("urn:d", noise)];
        assert_eq!(differences(&allowed, &known), (vec![], vec![]));
        assert_eq!(differences(&[], &known), (vec![], vec![]));
        let others = [
            row("urn:a", "fails: the library is not there"),
            row("urn:a", noise),
            row("urn:b", "fails: dies at blocks of 64"),
            row("urn:c", "fails: hangs at save"),
        ];
        assert_eq!(differences(&others, &known).0.len(), 4);
    }

    #[test]
    fn a_table_reads_back_as_it_was_written_and_keeps_the_causes() {
        let known = [row("urn:a", "sometimes dies"), row("urn:b", "needs blocks of 16 frames")];
        let found = [row("urn:b", "needs blocks of 16 frames"), row("urn:a", "fails: dies at save")];
        let mut back = findings_in(&table(&found, &known));
        back.reverse();
        assert_eq!(back, known);
        let (new, gone) = differences(&found[..0], &known);
        assert_eq!((new.len(), gone), (0, vec![&known[1]]));
    }
}
