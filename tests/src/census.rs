//! The census: one plugin through its whole life in a process of its own, and the table of those that misbehave.
//!
//! 1. [`run_all`] takes every plugin of a catalog, two processes at once;
//! 2. in each process [`one`] opens, runs, saves, opens again, restores and saves again, telling its steps;
//! 3. what is not as it should be becomes a [`Finding`]; [`table()`] writes them down, [`findings_in`] reads them back.

mod life;
mod table;

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use host_core::model::{Catalog, Folders, PluginEntry};
use host_core::scan;

pub use life::one;
pub use table::{Finding, differences, findings_in, table};

/// Before each line that the census's own process says; plugins print as they like.
const MARK: &str = "@census ";
/// Time for one plugin: far above what the slowest needs, so that it ends only what hangs.
const LIMIT: Duration = Duration::from_secs(60);
/// Processes at one time.
const AT_ONCE: usize = 2;

/// Takes every plugin of `catalog` through [`one`], which `program one` runs. Findings in the order of the catalog.
pub fn run_all(program: &Path, catalog: &Catalog, folders: &Folders, told: &(dyn Fn(&str) + Sync)) -> Vec<Finding> {
    let queue = Mutex::new(catalog.plugins.iter().enumerate());
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some((index, entry)) = next else { break };
                    let findings = look_at(program, entry, folders);
                    findings.iter().for_each(|finding| told(&format!("{}: {}", finding.plugin, finding.what)));
                    found.lock().unwrap().extend(findings.into_iter().map(|finding| (index, finding)));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// One plugin; once more with its smallest safe block where it fails without.
fn look_at(program: &Path, entry: &PluginEntry, folders: &Folders) -> Vec<Finding> {
    let finding = |what: String| Finding { plugin: entry.id.clone(), what, cause: String::new(), fault: String::new() };
    let first = in_process(program, entry);
    if first.is_empty() || first.iter().all(|what| !what.starts_with(life::FAILS)) {
        return first.into_iter().map(finding).collect();
    }
    match scan::probe(entry, folders) {
        Ok(probed) if probed.min_block > 1 => {
            let mut all = vec![finding(format!("needs blocks of {} frames", probed.min_block))];
            all.extend(in_process(program, &probed).into_iter().map(finding));
            all
        }
        _ => first.into_iter().map(finding).collect(),
    }
}

/// What a process of its own finds of a plugin.
fn in_process(program: &Path, entry: &PluginEntry) -> Vec<String> {
    let assets = tempfile::tempdir().unwrap();
    let entry = PluginEntry { params: vec![], ..entry.clone() };
    let mut child = Command::new(program)
        .arg("one")
        .arg(serde_json::to_string(&entry).unwrap())
        .arg(assets.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let deadline = Instant::now() + LIMIT;
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if Instant::now() > deadline => {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = reader.join().unwrap();
    let lines = said.lines().filter_map(|line| line.strip_prefix(MARK));
    let (mut step, mut findings, mut done) = ("start", Vec::new(), false);
    for line in lines {
        match line.split_once(' ') {
            Some(("step", name)) => step = name,
            Some(("found", what)) => findings.push(what.to_owned()),
            _ => done = line == "done",
        }
    }
    if !done || status.is_none_or(|status| !status.success()) {
        let how = if status.is_none() { "hangs" } else { "dies" };
        findings.push(format!("{}: {how} at {}", life::FAILS, if done { "exit" } else { step }));
    }
    findings
}
