//! A chain as files and back: the form that packed, unpacked and embedded chains share.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::{StoreError, names};
use crate::model::{Bytes, Chain, LatencyMode, Macro, Node, PluginState, Schema, Slot, SlotId};

/// Files by their path in the chain, in the one order they are written in.
pub type Files = BTreeMap<String, Bytes>;

const CHAIN: &str = "chain.json";
const STATE: &str = "state/";
const ASSETS: &str = "assets/";

/// Splits a chain into files.
pub fn write(chain: &Chain, path: &Path) -> Result<Files, StoreError> {
    let mut files = chain.files.clone();
    for slot in chain.slots() {
        let Some(state) = &slot.state else { continue };
        files.insert(format!("{STATE}{}", slot.id), state.bytes.clone());
        for (name, bytes) in &state.assets {
            files.insert(format!("{ASSETS}{}/{}", slot.id, names::encode(name)), bytes.clone());
        }
    }
    let finite = with_finite_numbers(chain);
    let mut json = serde_json::to_vec_pretty(finite.as_ref().unwrap_or(chain))
        .map_err(|error| StoreError::Damaged { path: path.into(), reason: error.to_string() })?;
    json.push(b'\n');
    files.insert(CHAIN.into(), json.into());
    Ok(files)
}

/// The chain with every number that JSON cannot hold (NaN, infinity) taken out; `None` where there is none, nearly always.
fn with_finite_numbers(chain: &Chain) -> Option<Chain> {
    let settings = |slot: &Slot| slot.mix.is_finite() && slot.input_gain.is_finite() && slot.output_gain.is_finite();
    let latency = !matches!(chain.latency, LatencyMode::Constant(ms) if !ms.is_finite());
    if latency && chain.slots().all(|slot| settings(slot) && slot.params.values().all(|value| value.is_finite())) {
        return None;
    }
    let mut chain = chain.clone();
    if !latency {
        chain.latency = LatencyMode::default();
    }
    for node in &mut chain.nodes {
        let Node::Slot(slot) = node else { continue };
        slot.params.retain(|_, value| value.is_finite());
        let or = |value: f64, default: f64| if value.is_finite() { value } else { default };
        (slot.mix, slot.input_gain, slot.output_gain) =
            (or(slot.mix, 1.0), or(slot.input_gain, 0.0), or(slot.output_gain, 0.0));
    }
    Some(chain)
}

/// Puts a chain together from its files.
pub fn read(mut files: Files, path: &Path) -> Result<Chain, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { path: path.into(), reason };
    let json = files.remove(CHAIN).ok_or_else(|| damaged(format!("it holds no {CHAIN}")))?;
    let mut chain = parse(&json, path)?;
    let mut seen = Vec::new();
    for node in &mut chain.nodes {
        let Node::Slot(slot) = node else { continue };
        if seen.contains(&slot.id) {
            return Err(damaged(format!("{CHAIN}: two slots have the id {}", slot.id)));
        }
        seen.push(slot.id);
        slot.state = take_state(&mut files, slot.id);
    }
    chain.files = files;
    Ok(chain)
}

fn take_state(files: &mut Files, slot: SlotId) -> Option<PluginState> {
    let bytes = files.remove(&format!("{STATE}{slot}"))?;
    let folder = format!("{ASSETS}{slot}/");
    let of_slot = files.range(folder.clone()..).take_while(|(name, _)| name.starts_with(&folder));
    let paths: Vec<String> = of_slot.map(|(name, _)| name.clone()).collect();
    let mut assets = BTreeMap::new();
    for path in paths {
        // A name that is not ours stays among the files of a newer version.
        let Some(name) =
            names::decode(&path[folder.len()..]).filter(|name| names::encode(name) == path[folder.len()..])
        else {
            continue;
        };
        if let Some(bytes) = files.remove(&path) {
            assets.insert(name, bytes);
        }
    }
    Some(PluginState { bytes, assets })
}

fn parse(json: &[u8], path: &Path) -> Result<Chain, StoreError> {
    #[derive(Deserialize)]
    struct Head {
        schema: Schema,
    }
    let damaged = |reason: String| StoreError::Damaged { path: path.into(), reason: format!("{CHAIN}: {reason}") };
    // Line and column are part of serde's message.
    let head: Head = serde_json::from_slice(json).map_err(|error| damaged(error.to_string()))?;
    if head.schema.major != Schema::CURRENT.major {
        let (found, reads) = (head.schema.major, Schema::CURRENT.major);
        return Err(StoreError::Version { path: path.into(), found, reads });
    }
    serde_json::from_slice(json).map_err(|error| damaged(explain(json).unwrap_or_else(|| error.to_string())))
}

/// What is wrong with well-formed JSON that is no chain, and where. Serde itself knows no place inside a flattened
/// struct: the fields are read again where they stand.
fn explain(json: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "read only to find the place of an error")]
    struct Fields {
        #[serde(default)]
        name: String,
        #[serde(default)]
        latency: LatencyMode,
        #[serde(default)]
        bypass: bool,
        #[serde(default)]
        next_slot: u64,
        #[serde(default)]
        nodes: Vec<Node>,
        #[serde(default)]
        macros: Vec<Macro>,
    }
    let error = serde_json::from_slice::<Fields>(json).err()?;
    let value: serde_json::Value = serde_json::from_slice(json).ok()?;
    let nodes = value.get("nodes").and_then(|nodes| nodes.as_array());
    let broken =
        nodes.into_iter().flatten().enumerate().find_map(|(index, node)| Some((index, Node::deserialize(node).err()?)));
    let Some((index, reason)) = broken else { return Some(error.to_string()) };
    // The reader stands behind the node and the comma that follows it.
    let before =
        json.split_inclusive(|byte| *byte == b'\n').take(error.line().checked_sub(1)?).map(<[u8]>::len).sum::<usize>();
    let behind = json.get(..before + error.column())?;
    let end = behind.iter().rposition(|byte| !byte.is_ascii_whitespace() && !b",]".contains(byte))?;
    let line = 1 + behind[..end].iter().filter(|byte| **byte == b'\n').count();
    let column = end + 1 - behind[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Some(format!("node {}, which ends at line {line} column {column}: {reason}", index + 1))
}
