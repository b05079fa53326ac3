//! A chain as files and back: the form that packed, unpacked and embedded chains share.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::packed::Lost;
use super::{Opened, StoreError, hashes, lenient, names, references, salvage};
use crate::model::lanes::{MAX_DEPTH, MAX_LANES, depth, for_each_slot, slots};
use crate::model::{
    Bytes, Chain, LaneDelay, Lanes, LatencyMode, MAX_BANDS, Macro, Node, PluginState, Scene, Schema, SharedScene, Slot,
    SlotId, Split,
};

/// Files by their path in the chain, in the one order they are written in.
pub type Files = BTreeMap<String, Bytes>;

/// What describes the chain.
pub const CHAIN: &str = "chain.json";
const STATE: &str = "state/";
pub const ASSETS: &str = "assets/";
/// Before the two, with a letter and a slash: those of a snapshot's slots.
const SNAPSHOTS: &str = "snapshots/";

/// Splits a chain into files. Assets that lie beside `path` stay there, where that is a file's own.
pub fn write(chain: &Chain, path: &Path, beside: bool) -> Result<Files, StoreError> {
    let mut files = chain.files.clone();
    chain.slots().for_each(|slot| put_state(&mut files, "", slot));
    let mut shared = Vec::new();
    for (letter, scene) in &chain.snapshots.stored {
        for slot in slots(&scene.nodes).into_iter().filter(|slot| slot.state.is_some()) {
            match chain.slot(slot.id).is_some_and(|own| own.state == slot.state) {
                true => shared.push((letter.to_string(), slot.id)),
                false => put_state(&mut files, &format!("{SNAPSHOTS}{letter}/"), slot),
            }
        }
    }
    let finite = with_finite_numbers(chain);
    let damaged = |error: serde_json::Error| StoreError::Damaged { path: path.into(), reason: error.to_string() };
    // In the order of their names, so that fields which only a newer version knows come back where it had them.
    let mut tree = serde_json::to_value(finite.as_ref().unwrap_or(chain)).map_err(damaged)?;
    for (letter, id) in shared {
        if let Some(scene) = tree.pointer_mut(&format!("/snapshots/stored/{letter}")).and_then(Value::as_object_mut) {
            let all = scene.entry("shared").or_insert_with(|| Value::Array(Vec::new()));
            all.as_array_mut().into_iter().for_each(|all| all.push(id.0.into()));
        }
    }
    if let Some(fields) = tree.as_object_mut() {
        fields.remove(hashes::FIELD);
        fields.remove(references::FIELD);
        fields.remove(references::UNREAD);
        if !files.is_empty() {
            fields.insert(hashes::FIELD.into(), hashes::of(&files).into());
        }
        let referred = if beside { references::take_out(chain, path, &mut files) } else { Default::default() };
        if !referred.is_empty() {
            fields.insert(references::FIELD.into(), referred.into());
        }
    }
    let mut json = serde_json::to_vec_pretty(&tree).map_err(damaged)?;
    json.push(b'\n');
    files.insert(CHAIN.into(), json.into());
    Ok(files)
}

/// The chain with every number that JSON cannot hold (NaN, infinity) taken out; `None` where there is none, nearly always.
fn with_finite_numbers(chain: &Chain) -> Option<Chain> {
    let settings = |slot: &Slot| slot.mix.is_finite() && slot.input_gain.is_finite() && slot.output_gain.is_finite();
    let latency = !matches!(chain.latency, LatencyMode::Constant(ms) if !ms.is_finite());
    let slots = chain.slots().all(|slot| settings(slot) && slot.params.values().all(|value| value.is_finite()));
    if latency && slots && chain.groups().all(has_finite_numbers) {
        return None;
    }
    let mut chain = chain.clone();
    if !latency {
        chain.latency = LatencyMode::default();
    }
    let or = |value: f64, default: f64| if value.is_finite() { value } else { default };
    for_each_slot(&mut chain.nodes, &mut |slot| {
        slot.params.retain(|_, value| value.is_finite());
        (slot.mix, slot.input_gain, slot.output_gain) =
            (or(slot.mix, 1.0), or(slot.input_gain, 0.0), or(slot.output_gain, 0.0));
    });
    make_lanes_finite(&mut chain.nodes);
    Some(chain)
}

fn has_finite_numbers(group: &Lanes) -> bool {
    let bands = !matches!(&group.split, Split::Bands(crossovers) if crossovers.iter().any(|f| !f.is_finite()));
    let delay = |delay: LaneDelay| !matches!(delay, LaneDelay::Ms(ms) if !ms.is_finite());
    bands && group.lanes.iter().all(|lane| lane.gain.is_finite() && lane.pan.is_finite() && delay(lane.delay))
}

fn make_lanes_finite(nodes: &mut [Node]) {
    for node in nodes {
        let Node::Lanes(group) = node else { continue };
        if let Split::Bands(crossovers) = &mut group.split {
            crossovers.iter_mut().filter(|f| !f.is_finite()).for_each(|f| *f = 1000.0);
        }
        for lane in &mut group.lanes {
            let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
            (lane.gain, lane.pan) = (finite(lane.gain), finite(lane.pan));
            if matches!(lane.delay, LaneDelay::Ms(ms) if !ms.is_finite()) {
                lane.delay = LaneDelay::default();
            }
            make_lanes_finite(&mut lane.nodes);
        }
    }
}

/// Puts a chain together from what there is of its files; `lost` could not be read. What it refers to lies beside `path`, where that
/// is a file's own.
pub fn open(mut files: Files, mut lost: Vec<Lost>, path: &Path, beside: bool) -> Result<Opened, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { path: path.into(), reason };
    let Some(json) = files.remove(CHAIN) else {
        let mut whys = lost.iter().filter(|lost| lost.name.as_deref().is_none_or(|name| name == CHAIN));
        let why = whys.next().map_or(String::new(), |lost| format!(" that can be read ({})", lost.reason));
        return Err(damaged(format!("it holds no {CHAIN}{why}{}", salvage::states(&files))));
    };
    let (mut chain, wrong) = match parse(&json, path) {
        Err(StoreError::Damaged { reason, .. }) => {
            lenient::read(&json).ok_or_else(|| damaged(reason + &salvage::states(&files)))?
        }
        read => (read?, Vec::new()),
    };
    check(&chain).map_err(|reason| damaged(format!("{CHAIN}: {reason}")))?;
    let written = hashes::take(&mut chain);
    lost.extend(references::take_in(&mut chain, beside.then_some(path), &mut files));
    for (name, reason) in hashes::differences(&written, &files) {
        if !lost.iter().any(|lost| lost.name.as_ref() == Some(&name)) {
            lost.push(Lost { name: Some(name), reason: reason.into() });
        }
    }
    let mut lost: Vec<_> = wrong.into_iter().chain(lost.into_iter().map(|lost| sentence(&chain, lost))).collect();
    for_each_slot(&mut chain.nodes, &mut |slot| slot.state = take_state(&mut files, "", slot.id));
    lost.extend(read_snapshots(&mut chain, &mut files));
    chain.files = files;
    Ok(Opened { chain, lost })
}

/// Puts a chain together from its files, all of which must be as they were written.
pub fn read(files: Files, path: &Path, beside: bool) -> Result<Chain, StoreError> {
    // Said with its place.
    if let Some(json) = files.get(CHAIN) {
        parse(json, path)?;
    }
    open(files, Vec::new(), path, beside)?.whole(path)
}

/// What was lost, by the names that the user knows.
fn sentence(chain: &Chain, lost: Lost) -> String {
    let Lost { name, reason } = lost;
    let Some(name) = name else { return format!("the file is damaged ({reason}); what could be found in it is here") };
    let (id, of) = match (name.strip_prefix(STATE), name.strip_prefix(ASSETS)) {
        (Some(id), _) => (id, "the state".to_owned()),
        (_, Some(rest)) => {
            let (id, file) = rest.split_once('/').unwrap_or((rest, ""));
            (id, format!("the file \"{}\"", names::decode(file).as_deref().unwrap_or(file)))
        }
        _ => return format!("{name} {reason}"),
    };
    let slot = id.parse().ok().and_then(|id| chain.slot(SlotId(id)));
    let title = slot.map_or_else(|| format!("slot {id}"), |slot| format!("{} (slot {id})", slot.title()));
    format!("{of} of {title} {reason}")
}

/// What is wrong with a chain that reads well.
fn check(chain: &Chain) -> Result<(), String> {
    let mut slots = BTreeSet::new();
    if let Some(twice) = chain.slots().find(|slot| !slots.insert(slot.id)) {
        return Err(format!("two slots have the id {}", twice.id));
    }
    let mut lanes = BTreeSet::new();
    for group in chain.groups() {
        let ids = group.lanes.iter().map(|lane| lane.id).chain([group.id]);
        if let Some(twice) = ids.into_iter().find(|id| slots.contains(id) || !lanes.insert(*id)) {
            return Err(format!("two of its slots and lanes have the id {twice}"));
        }
        let wanted = group.split.lanes().unwrap_or(group.lanes.len());
        if group.lanes.len() != wanted || wanted == 0 || wanted > MAX_LANES {
            return Err(format!(
                "the lanes with the id {} are {}, which that split does not make",
                group.id,
                group.lanes.len()
            ));
        }
        if matches!(&group.split, Split::Bands(_) if !(2..=MAX_BANDS).contains(&wanted)) {
            return Err(format!(
                "the lanes with the id {} are {wanted} bands; there may be 2 to {MAX_BANDS}",
                group.id
            ));
        }
    }
    match depth(&chain.nodes) {
        deep if deep > MAX_DEPTH => Err(format!("lanes in lanes {deep} deep; {MAX_DEPTH} is the limit")),
        _ => Ok(()),
    }
}

/// Gives the snapshots' slots their states. The answer: those that cannot be, which are left out.
fn read_snapshots(chain: &mut Chain, files: &mut Files) -> Vec<String> {
    let mut lost = Vec::new();
    let stored = std::mem::take(&mut chain.snapshots.stored);
    for (letter, scene) in stored {
        if let Err(reason) = check(&Chain { nodes: scene.nodes.clone(), ..Chain::default() }) {
            lost.push(format!("snapshot {letter}: {reason}"));
            continue;
        }
        let mut scene = Scene::clone(&scene);
        let (shared, prefix) = (std::mem::take(&mut scene.shared), format!("{SNAPSHOTS}{letter}/"));
        for_each_slot(&mut scene.nodes, &mut |slot| {
            slot.state = match shared.contains(&slot.id) {
                true => chain.slot(slot.id).and_then(|own| own.state.clone()),
                false => take_state(files, &prefix, slot.id),
            };
        });
        chain.snapshots.stored.insert(letter, SharedScene(scene.into()));
    }
    lost
}

fn put_state(files: &mut Files, prefix: &str, slot: &Slot) {
    let Some(state) = &slot.state else { return };
    files.insert(format!("{prefix}{STATE}{}", slot.id), state.bytes.clone());
    for (name, bytes) in &state.assets {
        files.insert(format!("{prefix}{ASSETS}{}/{}", slot.id, names::encode(name)), bytes.clone());
    }
}

fn take_state(files: &mut Files, prefix: &str, slot: SlotId) -> Option<PluginState> {
    let bytes = files.remove(&format!("{prefix}{STATE}{slot}"))?;
    let folder = format!("{prefix}{ASSETS}{slot}/");
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
