//! The census: one plugin through its whole life in a process of its own, and the table of those that misbehave.
//!
//! 1. [`run_all`] takes every plugin of a catalog, two processes at once;
//! 2. in each process [`one`] opens, runs, saves, opens again, restores and saves again, telling its steps;
//! 3. what is not as it should be becomes a [`Finding`]; [`table()`] writes them down, [`findings_in`] reads them back.

mod life;
mod table;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use host_core::model::{Catalog, Folders, PluginEntry};
use host_core::scan;

pub use life::one;
pub use table::{Finding, differences, findings_in, table};

/// Before each line that the census's own process says; plugins print as they like.
const MARK: &str = "@census ";
/// Time for one step, of which the longest takes a second or two: only what hangs comes to the end of it.
const LIMIT: Duration = Duration::from_secs(20);
/// Processes at one time.
const AT_ONCE: usize = 2;
/// Plugins that read memory which they never set, shown without Catena (see the table): they are looked at once more
/// with fresh memory full of something that is not zero.
const READ_UNSET: [&str; 1] = ["http://calf.sourceforge.net/plugins/Wavetable"];
/// glibc's variable for the complement of what fresh memory is filled with.
const FRESH_MEMORY: &str = "MALLOC_PERTURB_";
/// Zero for all, so that what reads memory it never set does the same in every run.
const ZERO: &str = "255";
const NOT_ZERO: &str = "165";

/// Takes every plugin of `catalog` through [`one`], which `program one` runs. Findings in the order of the catalog.
/// `known` is the table so far: what it says of a plugin that sometimes fails is taken as it is.
pub fn run_all(
    program: &Path,
    catalog: &Catalog,
    folders: &Folders,
    known: &[Finding],
    told: &(dyn Fn(&str) + Sync),
) -> Vec<Finding> {
    let start = Instant::now();
    let queue = Mutex::new(catalog.plugins.iter().enumerate());
    let found = Mutex::new(Vec::new());
    let longest = Mutex::new((Duration::ZERO, None));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some((index, entry)) = next else { break };
                    let own = Instant::now();
                    let findings = look_at(program, entry, folders, known);
                    let mut longest = longest.lock().unwrap();
                    *longest = (*longest).max((own.elapsed(), Some(&entry.id)));
                    drop(longest);
                    findings.iter().for_each(|finding| told(&format!("{}: {}", finding.plugin, finding.what)));
                    found.lock().unwrap().extend(findings.into_iter().map(|finding| (index, finding)));
                }
            });
        }
    });
    let (count, seconds) = (catalog.plugins.len(), start.elapsed().as_secs_f64());
    let (most, whose) = longest.into_inner().unwrap();
    let whose = whose.map_or(String::new(), ToString::to_string);
    told(&format!(
        "{count} plugins in {seconds:.1} s, {:.1} a second; most, {:.1} s, took {whose}",
        count as f64 / seconds,
        most.as_secs_f64(),
    ));
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// One plugin; once more with its smallest safe block where it fails without.
fn look_at(program: &Path, entry: &PluginEntry, folders: &Folders, known: &[Finding]) -> Vec<Finding> {
    let finding = |what: String| Finding { plugin: entry.id.clone(), what, cause: String::new(), fault: String::new() };
    let mut first: Vec<_> = in_process(program, entry, ZERO).into_iter().map(finding).collect();
    if READ_UNSET.contains(&entry.id.id.as_str()) {
        first.extend(in_process(program, entry, NOT_ZERO).iter().map(|what| {
            let what = if what.starts_with(life::FAILS) { "dies" } else { what };
            finding(format!("{what} where fresh memory is not zero"))
        }));
        return first;
    }
    // A probe of what fails by chance would tell of chance.
    if !first.iter().any(|one| one.what.starts_with(life::FAILS) && !table::excused(one, known)) {
        return first;
    }
    match scan::probe(entry, folders) {
        Ok(probed) if probed.min_block > 1 => {
            let mut all = vec![finding(format!("needs blocks of {} frames", probed.min_block))];
            all.extend(in_process(program, &probed, ZERO).into_iter().map(finding));
            all
        }
        _ => first,
    }
}

/// What a process of its own finds of a plugin.
fn in_process(program: &Path, entry: &PluginEntry, fresh: &str) -> Vec<String> {
    let assets = tempfile::tempdir().unwrap();
    let entry = PluginEntry { params: vec![], ..entry.clone() };
    let mut command = Command::new(program);
    command.arg("one").arg(serde_json::to_string(&entry).unwrap()).arg(assets.path()).env(FRESH_MEMORY, fresh);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = lines_of(child.stdout.take().unwrap());
    let (mut step, mut findings, mut done) = ("start".to_owned(), Vec::new(), false);
    let mut deadline = Instant::now() + LIMIT;
    let hangs = loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => match line.split_once(' ') {
                Some(("step", name)) => {
                    step = name.to_owned();
                    deadline = Instant::now() + LIMIT;
                }
                Some(("found", what)) => findings.push(what.to_owned()),
                _ => {
                    done = line == "done";
                    step = "exit".to_owned();
                    deadline = Instant::now() + LIMIT;
                }
            },
            Err(RecvTimeoutError::Disconnected) => break false,
            Err(RecvTimeoutError::Timeout) => break true,
        }
    };
    if hangs {
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    if hangs || !done || !status.success() {
        findings.push(format!("{}: {} at {step}", life::FAILS, if hangs { "hangs" } else { "dies" }));
    }
    findings
}

/// What a plugin's process says of its life, as it comes. It ends with the process.
fn lines_of(out: ChildStdout) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if let Some(said) = line.strip_prefix(MARK)
                && sender.send(said.to_owned()).is_err()
            {
                break;
            }
        }
    });
    lines
}
