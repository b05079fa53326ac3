//! What was measured of a plugin, and what follows from it. Kept by the hash of its file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::protocol::{Measured, Reply, Request};
use super::{TIME_LIMIT, cache, find_origins, origin, probe_within, protocol, work};
use crate::child::{ask_many, find_worker};
use crate::model::{Folders, PluginEntry};

/// How much less the plugin must take with helpers than without: a tenth.
const GAIN: f64 = 0.9;
/// What was measured in another way counts no more.
const VERSION: u32 = 2;

/// What a child measured of a plugin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Qualified {
    /// Blocks that were watched for what is no real-time work.
    pub watched: u64,
    /// Times in them that a thread of the process went to wait for something.
    pub waits: u64,
    /// Times in them that the system had to give memory.
    pub faults: u64,
    /// Two instances made the same of the same sound, to the last bit.
    pub deterministic: bool,
    /// What it says that it delays and what it does.
    pub latency: Vec<Measured>,
    /// Bytes of its state, where a fresh instance that was given them writes the same.
    pub state: Option<usize>,
    /// Why it does not, where it does not.
    pub state_problem: Option<String>,
    /// Smallest block that it runs safely, frames.
    pub min_block: u32,
    /// What blocks cost.
    pub costs: Vec<Cost>,
    /// What helpers gain; `None`: it asked for none.
    pub helpers: Option<Gain>,
}

/// What blocks of one length cost at one rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Sample rate, Hz.
    pub rate: u32,
    /// Frames.
    pub block: u32,
    /// Median, nanoseconds.
    pub nanos: u64,
    /// Longest, nanoseconds.
    pub longest: u64,
}

/// What a plugin gains by helpers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// Threads, the calling one among them.
    pub threads: usize,
    /// A block without them, nanoseconds.
    pub serial: u64,
    /// A block with them, nanoseconds.
    pub pooled: u64,
    /// It made the same with them, to the last bit.
    pub same: bool,
    /// Times that the calling thread went to wait while it had them.
    #[serde(default)]
    pub waits: u64,
}

impl Qualified {
    /// Nothing was seen in its blocks that waits.
    pub fn is_safe(&self) -> bool {
        self.watched > 0 && self.waits == 0
    }

    /// Whether it is to get helpers where it asks for them.
    pub fn helps(&self) -> bool {
        let faster = |gain: &Gain| gain.same && gain.waits == 0 && (gain.pooled as f64) < gain.serial as f64 * GAIN;
        self.is_safe() && self.helpers.as_ref().is_some_and(faster)
    }
}

type All = BTreeMap<String, Qualified>;

/// What this process knows, by the hash of the file and the plugin's id.
static KNOWN: Mutex<All> = Mutex::new(BTreeMap::new());

fn file(folders: &Folders) -> PathBuf {
    folders.cache.join("qualified.json")
}

fn key(entry: &PluginEntry) -> Option<String> {
    let hash = origin(entry)?.hash;
    (!hash.is_empty()).then(|| format!("{VERSION} {hash} {}", entry.id))
}

/// What is known of a plugin as it is installed now; reads no file. `[any but audio]`
pub fn qualified(entry: &PluginEntry) -> Option<Qualified> {
    let key = key(entry)?;
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
}

/// Reads what was measured before. `[jobs]`
pub(super) fn read(folders: &Folders) {
    if let Some(all) = cache::read_json::<All>(&file(folders)) {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = all;
    }
}

/// Measures a plugin in a child and keeps what came of it. `[jobs]`
pub fn qualify(entry: &PluginEntry, rates: &[u32], folders: &Folders) -> Result<Qualified, String> {
    let entry = probe_within(TIME_LIMIT, entry, folders)?;
    let worker = find_worker().map_err(|error| error.to_string())?;
    let asked = PluginEntry { params: vec![], presets: vec![], ..entry.clone() };
    let request = Request::Qualify { entry: Box::new(asked), rates: rates.into(), assets: folders.assets() };
    let answer = ask_many(&worker, &work::line(&request), TIME_LIMIT).map_err(|error| error.to_string())?;
    let (mut latency, mut found) = (Vec::new(), None);
    for reply in protocol::replies(&answer.lines) {
        match reply {
            Reply::Measured(one) => latency.push(one),
            Reply::Qualified(one) => found = Some(*one),
            Reply::Failed(reason) => return Err(format!("{}: {reason}", entry.id)),
            _ => {}
        }
    }
    let found = found.ok_or_else(|| format!("{}: {}", entry.id, work::why(&answer)))?;
    let found = Qualified { latency, min_block: entry.min_block, ..found };
    find_origins(std::iter::once(&entry), folders);
    if let Some(key) = key(&entry) {
        // What cannot be kept is measured again.
        let _kept = cache::lock(folders, "qualified.lock").and_then(|_lock| {
            let mut all: All = cache::read_json(&file(folders)).unwrap_or_default();
            all.insert(key, found.clone());
            cache::write_json(&file(folders), &all)
        });
        read(folders);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_go_to_what_is_safe_the_same_and_a_tenth_faster() {
        let gain = |pooled, same| Some(Gain { threads: 2, serial: 1000, pooled, same, waits: 0 });
        let of = |waits, helpers| Qualified { watched: 100, waits, helpers, ..Qualified::default() };
        assert!(of(0, gain(600, true)).helps());
        assert!(!of(1, gain(600, true)).helps());
        assert!(!of(0, gain(950, true)).helps());
        assert!(!of(0, gain(600, false)).helps());
        assert!(!of(0, None).helps());
        assert!(!of(0, gain(600, true).map(|gain| Gain { waits: 1, ..gain })).helps(), "its tasks wait for each other");
        assert!(!Qualified { helpers: gain(600, true), ..Qualified::default() }.helps());
    }
}
