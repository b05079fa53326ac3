//! Assets that lie beside a chain file instead of in it, so that large samples are not written with every save and chains of one
//! folder can share them. A reference is a path from the chain file's folder, inside of which it stays: never one of a machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::packed::Lost;
use super::tree::{ASSETS, Files};
use super::{StoreError, atomic, hashes, names};
use crate::model::Chain;

/// The field of `chain.json`: by path in the chain the path beside it.
pub const FIELD: &str = "references";
/// No larger file is taken in, bytes.
const LARGEST: u64 = 4 << 30;

/// Where a chain file's own references begin.
fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

/// What the folder of a chain file's assets is called.
fn folder_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".d").unwrap_or(&name);
    format!("{}.assets", names::encode(name.strip_suffix(".catena").unwrap_or(name)))
}

/// Writes the assets of at least `least` bytes beside `path` and notes them in the chain that is answered.
pub fn place(path: &Path, chain: &Chain, least: usize) -> Result<Chain, StoreError> {
    let (root, folder) = (folder_of(path), folder_name(path));
    let mut all = noted(chain);
    for slot in chain.slots() {
        for (name, bytes) in slot.state.iter().flat_map(|state| &state.assets).filter(|(_, bytes)| bytes.len() >= least)
        {
            let inside = names::encode(name);
            let last = inside.rsplit('/').next().unwrap_or(&inside);
            let beside = format!("{folder}/{}/{last}", &hashes::hex(bytes)[..16]);
            let target = root.join(&beside);
            if !is_there(&root, &beside, bytes.len() as u64) {
                let made =
                    target.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| atomic::write(&target, bytes));
                made.map_err(|source| StoreError::io(&target, source))?;
            }
            all.insert(format!("{ASSETS}{}/{inside}", slot.id), beside.into());
        }
    }
    let mut chain = chain.clone();
    chain.extra.insert(FIELD.into(), all.into());
    Ok(chain)
}

fn noted(chain: &Chain) -> Map<String, Value> {
    chain.extra.get(FIELD).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Takes those files out that lie beside `path` as they are in the chain; answers which, for `chain.json`.
pub fn take_out(chain: &Chain, path: &Path, files: &mut Files) -> Map<String, Value> {
    let root = folder_of(path);
    let mut all = noted(chain);
    all.retain(|name, beside| {
        let (Some(bytes), Some(beside)) = (files.get(name), beside.as_str()) else { return false };
        // The folder is named after the content.
        let content = beside.rsplit('/').nth(1).is_some_and(|folder| hashes::hex(bytes).starts_with(folder));
        content && is_there(&root, beside, bytes.len() as u64)
    });
    all.keys().for_each(|name| drop(files.remove(name)));
    all
}

fn is_there(root: &Path, beside: &str, len: u64) -> bool {
    find(root, beside).is_ok_and(|(_, found)| found == len)
}

/// The file that a reference means, and its length.
fn find(root: &Path, beside: &str) -> io::Result<(PathBuf, u64)> {
    let refused = || io::Error::new(io::ErrorKind::PermissionDenied, "leads out of the chain's folder");
    if !names::is_inside(beside) {
        return Err(refused());
    }
    let (root, real) = (fs::canonicalize(root)?, fs::canonicalize(root.join(beside))?);
    let data = fs::metadata(&real)?;
    if !real.starts_with(root) || !data.is_file() || data.len() > LARGEST {
        return Err(refused());
    }
    Ok((real, data.len()))
}

/// Takes the files in that the chain at `path` refers to; embedded bytes have no place, and nothing beside it.
pub fn take_in(chain: &Chain, path: Option<&Path>, files: &mut Files) -> Vec<Lost> {
    let nowhere = || io::Error::new(io::ErrorKind::NotFound, "nothing lies beside a session's data");
    let mut lost = Vec::new();
    for (name, beside) in noted(chain) {
        let beside = beside.as_str().unwrap_or_default();
        if files.contains_key(&name) || !name.starts_with(ASSETS) || !names::is_inside(&name) {
            continue;
        }
        let found = path.ok_or_else(nowhere).and_then(|path| find(&folder_of(path), beside));
        match found.and_then(|(real, _)| fs::read(real)) {
            Ok(bytes) => drop(files.insert(name, bytes.into())),
            Err(error) => {
                let reason = format!("is not beside the chain, at {beside:?}: {error}");
                lost.push(Lost { name: Some(name), reason });
            }
        }
    }
    lost
}
