//! The first use of a plugin, in a child: does it open and run, and from which block length on.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::cache::{self, Cache};
use super::paths::Stamp;
use super::protocol::{Reply, Request, replies};
use super::work::{line, why};
use crate::child::{ChildError, ask};
use crate::model::{BadFile, Catalog, Folders, PluginEntry, PluginId, PortLayout};

/// Block length that every host uses: tried first.
const USUAL: u32 = 64;
/// Shorter ones, tried where one frame fails.
const SHORTER: [u32; 2] = [16, 32];
/// Longer ones, tried where the usual one fails.
const LONGER: [u32; 5] = [128, 256, 512, 1024, 2048];

/// What came of a probe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It runs.
    Runs {
        /// From this block length on, frames.
        min_block: u32,
        /// With these ports.
        ports: PortLayout,
    },
    /// It cannot be used, for this reason.
    Fails(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    stamp: Stamp,
    outcome: Outcome,
}

/// By plugin id, as it is written.
type Probes = BTreeMap<String, Known>;

fn file(folders: &Folders) -> PathBuf {
    folders.cache.join("probes.json")
}

/// What is known of `entry`, if its file is still the one that was probed.
pub fn known(entry: &PluginEntry, stamp: Stamp, folders: &Folders) -> Option<Result<PluginEntry, String>> {
    let probes: Probes = cache::read_json(&file(folders))?;
    let known = probes.get(&entry.id.to_string()).filter(|known| known.stamp == stamp)?;
    Some(with_result(entry, &known.outcome))
}

/// The entry with what the probe found, or the probe's reason.
pub fn with_result(entry: &PluginEntry, outcome: &Outcome) -> Result<PluginEntry, String> {
    match outcome {
        Outcome::Runs { min_block, ports } => {
            Ok(PluginEntry { min_block: *min_block, ports: ports.clone(), ..entry.clone() })
        }
        Outcome::Fails(reason) => Err(reason.clone()),
    }
}

/// Keeps what came of a probe.
pub fn keep(entry: &PluginEntry, stamp: Stamp, outcome: &Outcome, folders: &Folders) -> io::Result<()> {
    let _lock = cache::lock(folders, "probes.lock")?;
    let mut probes: Probes = cache::read_json(&file(folders)).unwrap_or_default();
    probes.insert(entry.id.to_string(), Known { stamp, outcome: outcome.clone() });
    cache::write_json(&file(folders), &probes)
}

/// Forgets what came of one plugin's probe.
pub fn forget(plugin: &PluginId, folders: &Folders) -> io::Result<()> {
    let _lock = cache::lock(folders, "probes.lock")?;
    let mut probes: Probes = cache::read_json(&file(folders)).unwrap_or_default();
    match probes.remove(&plugin.to_string()) {
        Some(_) => cache::write_json(&file(folders), &probes),
        None => Ok(()),
    }
}

/// Forgets all probes.
pub fn forget_all(folders: &Folders) -> io::Result<()> {
    let _lock = cache::lock(folders, "probes.lock")?;
    match std::fs::remove_file(file(folders)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The catalog of a cache with what probes found. A plugin that failed stays listed, and is among the bad too.
pub fn applied(cache: Cache, folders: &Folders) -> Catalog {
    let probes: Probes = cache::read_json(&file(folders)).unwrap_or_default();
    if probes.is_empty() {
        return cache.into_catalog();
    }
    let mut stamps: BTreeMap<PathBuf, Stamp> = cache.lv2.bundles.clone();
    stamps.extend(cache.clap.iter().map(|file| (file.path.clone(), file.stamp)));
    let mut catalog = cache.into_catalog();
    for entry in &mut catalog.plugins {
        let Some(known) = probes.get(&entry.id.to_string()) else { continue };
        if stamps.get(entry.location.path()) != Some(&known.stamp) {
            continue;
        }
        match with_result(entry, &known.outcome) {
            Ok(probed) => *entry = probed,
            Err(reason) => {
                let path = entry.location.path().to_path_buf();
                catalog.bad.push(BadFile { path, plugin: Some(entry.id.clone()), reason });
            }
        }
    }
    catalog
}

/// Probes: the usual block and one frame in a first child; where it dies at one of them, others in further children.
pub fn run(worker: &Path, limit: Duration, entry: &PluginEntry, folders: &Folders) -> Result<Outcome, ChildError> {
    let first = Trial::run(worker, limit, entry, folders, &[USUAL, 1])?;
    let Some(ports) = first.ports.clone() else {
        return Ok(Outcome::Fails(first.reason));
    };
    if first.ran.contains(&1) {
        return Ok(Outcome::Runs { min_block: 1, ports });
    }
    let usual = first.ran.contains(&USUAL);
    for block in if usual { &SHORTER[..] } else { &LONGER[..] } {
        if Trial::run(worker, limit, entry, folders, &[*block])?.ran.contains(block) {
            return Ok(Outcome::Runs { min_block: *block, ports });
        }
    }
    Ok(if usual { Outcome::Runs { min_block: USUAL, ports } } else { Outcome::Fails(first.reason) })
}

/// One child's findings.
struct Trial {
    ports: Option<PortLayout>,
    ran: Vec<u32>,
    reason: String,
}

impl Trial {
    fn run(
        worker: &Path,
        limit: Duration,
        entry: &PluginEntry,
        folders: &Folders,
        blocks: &[u32],
    ) -> Result<Self, ChildError> {
        let entry = PluginEntry { params: vec![], presets: vec![], ..entry.clone() };
        let request = Request::Probe { entry: Box::new(entry), blocks: blocks.into(), assets: folders.assets() };
        let answer = ask(worker, &line(&request), limit)?;
        let mut trial = Self { ports: None, ran: vec![], reason: why(&answer) };
        for reply in replies(&answer.lines) {
            match reply {
                Reply::Opened(ports) => trial.ports = Some(ports),
                Reply::Ran(block) => trial.ran.push(block),
                Reply::Refused(_, reason) | Reply::Failed(reason) => trial.reason = reason,
                Reply::Begun(_) | Reply::Plugin(_) | Reply::Bad(_) | Reply::Done => {}
                Reply::Measured(_) | Reply::Qualified(_) => {}
            }
        }
        Ok(trial)
    }
}
