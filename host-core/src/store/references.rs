//! Assets that lie beside a chain file instead of in it, so that large samples are not written with every save and chains of one
//! folder can share them. A reference is a path from the chain file's folder, inside of which it stays: never one of a machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::packed::Lost;
use super::tree::{ASSETS, Files};
use super::{StoreError, atomic, hashes, names};
use crate::model::{Chain, SlotId};

/// The field of `chain.json`: by path in the chain the path beside it.
pub const FIELD: &str = "references";
/// The same, of those whose file was not there when the chain was opened. It is in memory alone.
pub const UNREAD: &str = "references-unread";
/// No more is taken in, bytes.
const LARGEST: u64 = 4 << 30;
/// How the name of a folder of assets ends.
const FOLDER_SUFFIX: &str = ".assets";
/// Digits of the hash of its content that the folder of an asset is called.
const DIGITS: usize = 16;

/// Where a chain file's own references begin.
fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

/// What the folder of a chain file's assets is called.
fn folder_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".d").unwrap_or(&name);
    let name = names::encode(name.strip_suffix(".catena").unwrap_or(name));
    // Nothing hidden is taken in.
    let name = name.trim_start_matches('.');
    format!("{}{FOLDER_SUFFIX}", if name.is_empty() { "chain" } else { name })
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
            let beside = format!("{folder}/{}/{last}", &hashes::hex(bytes)[..DIGITS]);
            if !is_ours(&beside) {
                continue;
            }
            if !is_there(&root, &beside, bytes) {
                put(&root, &beside, bytes).map_err(|source| StoreError::io(&root.join(&beside), source))?;
            }
            all.insert(format!("{ASSETS}{}/{inside}", slot.id), beside.into());
        }
    }
    let mut chain = chain.clone();
    chain.extra.insert(FIELD.into(), all.into());
    Ok(chain)
}

/// The chain with no asset beside it.
pub fn without(chain: &Chain) -> Chain {
    let mut chain = chain.clone();
    chain.extra.retain(|field, _| ![FIELD, UNREAD].contains(&field.as_str()));
    chain
}

/// Writes one, through no link to somewhere else.
fn put(root: &Path, beside: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(root)?;
    let target = fs::canonicalize(root)?.join(beside);
    let folder = folder_of(&target);
    fs::create_dir_all(&folder)?;
    if fs::canonicalize(&folder)? != folder || target.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is a link, or in a folder that is one"));
    }
    atomic::write(&target, bytes)
}

/// Whether `beside` is a path as [`place`] makes it, of this chain or of one that it was written from.
fn is_ours(beside: &str) -> bool {
    let parts: Vec<&str> = beside.split('/').collect();
    let [folder, content, name] = parts[..] else { return false };
    let digits = content.len() == DIGITS && content.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let hidden = folder.starts_with('.') || name.starts_with('.');
    names::is_inside(beside)
        && !hidden
        && digits
        && folder.len() > FOLDER_SUFFIX.len()
        && folder.ends_with(FOLDER_SUFFIX)
}

fn noted(chain: &Chain) -> Map<String, Value> {
    noted_as(chain, FIELD)
}

fn noted_as(chain: &Chain, field: &str) -> Map<String, Value> {
    chain.extra.get(field).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Takes those files out that lie beside `path` as they are in the chain; answers which, for `chain.json`. One whose file was not
/// there when the chain was opened stays named as long as its slot is there: the file may come back.
pub fn take_out(chain: &Chain, path: &Path, files: &mut Files) -> Map<String, Value> {
    let root = folder_of(path);
    let mut all = noted(chain);
    let unread = noted_as(chain, UNREAD);
    all.retain(|name, beside| {
        let Some(beside) = beside.as_str() else { return false };
        let Some(bytes) = files.get(name) else { return unread.contains_key(name) && slot_is_there(chain, name) };
        // The folder is named after the content.
        let content = beside.rsplit('/').nth(1).is_some_and(|folder| hashes::hex(bytes).starts_with(folder));
        content && is_there(&root, beside, bytes)
    });
    all.keys().for_each(|name| drop(files.remove(name)));
    all
}

/// Whether any was not there when the chain was opened.
pub fn misses_files(chain: &Chain) -> bool {
    !noted_as(chain, UNREAD).is_empty()
}

/// How many files that were not there when `old` was opened `new` goes on naming.
pub fn named_still(old: &Chain, new: &Chain) -> usize {
    let new = noted_as(new, UNREAD);
    noted_as(old, UNREAD).keys().filter(|name| new.contains_key(*name)).count()
}

fn slot_is_there(chain: &Chain, name: &str) -> bool {
    let id = name.strip_prefix(ASSETS).and_then(|name| name.split('/').next()?.parse().ok());
    id.is_some_and(|id| chain.slot(SlotId(id)).is_some())
}

fn is_there(root: &Path, beside: &str, bytes: &[u8]) -> bool {
    let found = find(root, beside).ok().filter(|(_, len)| *len == bytes.len() as u64);
    found.is_some_and(|(real, _)| fs::read(real).is_ok_and(|found| found == bytes))
}

/// The file that a reference means, and its length.
fn find(root: &Path, beside: &str) -> io::Result<(PathBuf, u64)> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidData, why));
    if !is_ours(beside) {
        return refused("is no file of a chain's own folder of assets, so it is not read");
    }
    // No link on the way leads to something else.
    let (wanted, real) = (fs::canonicalize(root)?.join(beside), fs::canonicalize(root.join(beside))?);
    let data = fs::metadata(&real)?;
    if real != wanted || !data.is_file() {
        return refused("leads out of the chain's folder of assets, so it is not read");
    }
    Ok((real, data.len()))
}

/// Takes the files in that the chain at `path` refers to; embedded bytes have no place, and nothing beside it.
pub fn take_in(chain: &mut Chain, path: Option<&Path>, files: &mut Files) -> Vec<Lost> {
    let nowhere = || io::Error::new(io::ErrorKind::NotFound, "nothing lies beside a session's data");
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "is more than a chain may have");
    let (mut lost, mut unread, mut left) = (Vec::new(), Map::new(), LARGEST);
    for (name, value) in noted(chain) {
        let beside = value.as_str().unwrap_or_default();
        if files.contains_key(&name) || !name.starts_with(ASSETS) || !names::is_inside(&name) {
            continue;
        }
        let found = path.ok_or_else(nowhere).and_then(|path| find(&folder_of(path), beside));
        let read = found.and_then(|(real, len)| {
            left = left.checked_sub(len).ok_or_else(too_large)?;
            fs::read(real)
        });
        match read {
            Ok(bytes) => drop(files.insert(name, bytes.into())),
            Err(error) => {
                let reason = format!("is not beside the chain, at {beside:?}: {error}");
                // What no Catena wrote is not written again.
                if error.kind() != io::ErrorKind::InvalidData {
                    unread.insert(name.clone(), value);
                }
                lost.push(Lost { name: Some(name), reason });
            }
        }
    }
    chain.extra.remove(UNREAD);
    if !unread.is_empty() {
        chain.extra.insert(UNREAD.into(), unread.into());
    }
    lost
}
