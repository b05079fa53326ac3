//! What a chain file says of itself, read without what plugins wrote.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use serde::Deserialize;
use zip::ZipArchive;

use super::{Member, Sheet};
use crate::model::{About, Chain, PluginId, Schema};
use crate::store::{self, StoreError, tree};

/// A larger `chain.json` is not read, bytes.
const LARGEST: u64 = 64 << 20;
/// A file that is no chain, or is damaged, is looked at as a whole up to this size, bytes.
const LOOKED_AT: u64 = 64 << 20;
/// A larger file is no chain that anybody wants in a list, bytes.
const HUGE: u64 = 4 << 30;
/// Files up to this size are read in one go, bytes.
const SMALL: u64 = 1 << 20;

#[derive(Deserialize)]
struct Head {
    schema: Schema,
    #[serde(default)]
    name: String,
    #[serde(default)]
    about: About,
    #[serde(default)]
    nodes: Vec<NodeHead>,
}

#[derive(Deserialize)]
struct NodeHead {
    #[serde(default)]
    node: String,
    plugin: Option<PluginId>,
    name: Option<String>,
    #[serde(default)]
    identity: IdentityHead,
    #[serde(default)]
    lanes: Vec<LaneHead>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct IdentityHead {
    name: String,
    vendor: String,
}

#[derive(Deserialize)]
struct LaneHead {
    #[serde(default)]
    nodes: Vec<NodeHead>,
}

/// What the chain file at `path` says of itself; `size`: of the file, or of what describes the chain in a folder.
pub(super) fn sheet(path: &Path, size: u64) -> Sheet {
    let mut sheet = match head(path, size) {
        Some(head) => of_head(head),
        // Damaged, of another version, or with something that only a newer one knows.
        None if size <= LOOKED_AT => match store::open(path) {
            Ok(opened) => Sheet { problem: opened.lost.into_iter().next(), ..of_chain(&opened.chain) },
            Err(error) => unread(reason(error)),
        },
        None => unread("is larger than any chain, or damaged; it is not looked at".into()),
    };
    if sheet.name.trim().is_empty() {
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let file = file.strip_suffix(".d").unwrap_or(&file);
        sheet.name = file.strip_suffix(".catena").unwrap_or(file).to_owned();
    }
    sheet
}

fn unread(problem: String) -> Sheet {
    Sheet { problem: Some(problem), ..Sheet::default() }
}

/// Without the path, which stands beside it.
fn reason(error: StoreError) -> String {
    match error {
        StoreError::Io { source, .. } => source.to_string(),
        StoreError::Damaged { reason, .. } => format!("no chain, or damaged: {reason}"),
        StoreError::Refused { reason, .. } => format!("refused: {reason}"),
        StoreError::Version { found, reads, .. } => {
            format!("made by another version of Catena (schema {found}; this one reads {reads})")
        }
    }
}

fn head(path: &Path, size: u64) -> Option<Head> {
    let meta = std::fs::metadata(path).ok()?;
    let json = if meta.is_dir() {
        let file = path.join(tree::CHAIN);
        let plain = std::fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
        plain.then(|| std::fs::read(file).ok()).flatten()?
    } else if !meta.is_file() || size > HUGE {
        return None;
    } else if size <= SMALL {
        zipped(Cursor::new(std::fs::read(path).ok()?))?
    } else {
        zipped(BufReader::new(File::open(path).ok()?))?
    };
    let head: Head = serde_json::from_slice(&json).ok()?;
    (head.schema.major == Schema::CURRENT.major).then_some(head)
}

fn zipped(file: impl Read + Seek) -> Option<Vec<u8>> {
    let mut zip = ZipArchive::new(file).ok()?;
    let json = zip.by_name(tree::CHAIN).ok()?;
    let size = json.size();
    if size > LARGEST {
        return None;
    }
    let mut bytes = Vec::with_capacity(size as usize);
    json.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn of_head(head: Head) -> Sheet {
    let mut members = Vec::new();
    add(head.nodes, &mut members);
    Sheet { name: head.name, about: head.about, members, problem: None }
}

fn add(nodes: Vec<NodeHead>, members: &mut Vec<Member>) {
    for node in nodes {
        match node.node.as_str() {
            "slot" => members.extend(node.plugin.map(|plugin| {
                let own = [node.name.unwrap_or_default(), node.identity.name];
                let name = own.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| plugin.id.clone());
                Member { plugin, name, vendor: node.identity.vendor }
            })),
            "lanes" => node.lanes.into_iter().for_each(|lane| add(lane.nodes, members)),
            _ => {}
        }
    }
}

fn of_chain(chain: &Chain) -> Sheet {
    let member = |slot: &crate::model::Slot| Member {
        plugin: slot.plugin.clone(),
        name: slot.title().into(),
        vendor: slot.identity.vendor.clone(),
    };
    Sheet {
        name: chain.name.clone(),
        about: chain.about.clone(),
        members: chain.slots().map(member).collect(),
        problem: None,
    }
}
